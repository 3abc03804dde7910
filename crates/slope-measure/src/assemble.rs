//! Facts of all files to a measurement.

use std::collections::HashSet;

use slope_model::finding::Finding;
use slope_model::measurement::{
    Definitions, FileMeasurement, Measurement, Part, Skipped, Suppressed, Unmeasured,
};
use slope_model::schema;
use slope_rules::RuleSet;
use slope_syntax::Language;

use crate::clones::{self, Clones};
use crate::facts::FileFacts;
use crate::options::{Options, Tests};
use crate::{fold, published, signals, suppress, totals};

/// A file and what was found in it.
pub(crate) struct MeasuredFile {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) part: Part,
    pub(crate) facts: FileFacts,
}

/// Everything that a measurement is made of.
pub(crate) struct Parts {
    /// In path order.
    pub(crate) files: Vec<MeasuredFile>,
    pub(crate) unmeasured: Vec<Unmeasured>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) definitions: Definitions,
}

/// Joins the facts of files.
pub(crate) fn assemble(parts: Parts, options: &Options, rules: &RuleSet) -> Measurement {
    let Parts {
        files: measured,
        unmeasured,
        skipped,
        definitions,
    } = parts;
    let cloned = clones::find(&measured, options);
    let mut findings: Vec<Finding> = cloned.findings.clone();
    let local: Vec<Finding> = measured
        .iter()
        .flat_map(|file| local_findings(file, rules))
        .collect();
    findings.extend(not_in(&local, signals::find(&measured, options)));
    findings.extend(local);
    findings.retain(|finding| !options.disabled.contains(&finding.rule));
    sort(&mut findings);
    let (findings, suppressed) = silence(findings, &measured, options);
    let headline = measured.iter().filter_map(|f| {
        let published = f.facts.published.as_ref()?;
        Some((f.path.as_str(), f.facts.lines, published))
    });
    let published = published::headline(headline);
    let files: Vec<_> = measured
        .into_iter()
        .enumerate()
        .map(|(index, file)| file_measurement(file, index, &cloned))
        .collect();
    let split = options.tests == Tests::Split && !files.is_empty();
    let by_part = split.then(|| totals::by(&files, |f| f.part, options));
    Measurement {
        schema: schema::MEASUREMENT.to_owned(),
        definitions,
        totals: totals::totals(&files, unmeasured.len(), options),
        parts: by_part.unwrap_or_default(),
        languages: totals::by(&files, |f| f.language.clone(), options),
        published,
        files,
        unmeasured,
        skipped,
        clones: cloned.classes,
        findings,
        suppressed,
    }
}

fn file_measurement(file: MeasuredFile, index: usize, clones: &Clones) -> FileMeasurement {
    let facts = file.facts;
    let cloned = &clones.lines[index];
    let near = clones.near_lines.as_ref().map(|near| &near[index]);
    let mut verbose = facts.flagged.clone();
    verbose.union_with(cloned);
    FileMeasurement {
        path: file.path,
        language: file.language.id().to_owned(),
        part: file.part,
        lines: facts.lines,
        sloc: facts.source.count(),
        flagged_lines: facts.flagged.count_common(&facts.source),
        clone_lines: cloned.count_common(&facts.source),
        verbose_lines: verbose.count_common(&facts.source),
        near_clone_lines: near.map(|near| near.count_common(&facts.source)),
        syntax_errors: facts.errors,
        maintainability: facts.maintainability,
        callables: facts.callables,
    }
}

fn local_findings<'a>(
    file: &'a MeasuredFile,
    rules: &'a RuleSet,
) -> impl Iterator<Item = Finding> + 'a {
    let findings = file.facts.findings.iter();
    findings.map(move |local| fold::finding(&file.path, local, rules))
}

/// The signals' findings that no rule of the same id has at the same line: some
/// shapes are told by a rule in one language and by a signal in another.
fn not_in(local: &[Finding], signals: Vec<Finding>) -> impl Iterator<Item = Finding> {
    let place = |f: &Finding| (f.path.clone(), f.span.start_line, f.rule.clone());
    let told: HashSet<_> = local
        .iter()
        .filter(|f| signals::is_known(&f.rule))
        .map(place)
        .collect();
    signals
        .into_iter()
        .filter(move |f| !told.contains(&place(f)))
}

fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.span, f.severity);
        a.path
            .cmp(&b.path)
            .then_with(|| key(a).cmp(&key(b)))
            .then_with(|| a.rule.cmp(&b.rule))
    });
}

/// Obeys comments that silence findings, if that is asked for.
fn silence(
    findings: Vec<Finding>,
    files: &[MeasuredFile],
    options: &Options,
) -> (Vec<Finding>, Vec<Suppressed>) {
    let Some(today) = options.suppressions else {
        return (findings, Vec::new());
    };
    let mut kept = Vec::with_capacity(findings.len());
    let mut suppressed = Vec::new();
    let mut rest = findings.into_iter().peekable();
    // Findings and files are both in path order.
    for file in files {
        let mut own = Vec::new();
        while let Some(finding) = rest.next_if(|f| f.path <= file.path) {
            own.push(finding);
        }
        if file.facts.directives.is_empty() {
            kept.extend(own);
            continue;
        }
        let obeyed = suppress::obey(&file.path, own, &file.facts.directives, today);
        kept.extend(obeyed.findings);
        suppressed.extend(obeyed.suppressed);
    }
    kept.extend(rest);
    sort(&mut kept);
    (kept, suppressed)
}
