//! Facts of all files to a measurement.

use std::collections::HashSet;

use rayon::prelude::*;
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

/// Joins the facts of files. What concerns one file only is done for all files in parallel.
pub(crate) fn assemble(parts: Parts, options: &Options, rules: &RuleSet) -> Measurement {
    let Parts {
        files: measured,
        unmeasured,
        skipped,
        definitions,
    } = parts;
    let headline = || {
        published::headline(measured.iter().filter_map(|f| {
            let published = f.facts.published.as_ref()?;
            Some((f.path.as_str(), f.facts.lines, published))
        }))
    };
    let (cloned, (signals, published)) = rayon::join(
        || clones::find(&measured, options),
        || (signals::find(&measured, options), headline()),
    );
    let places = clones::by_file(&cloned.classes_found, measured.len());
    let each: Vec<Assembled> = measured
        .into_par_iter()
        .zip(places)
        .zip(signals)
        .enumerate()
        .map(|(index, ((file, places), signals))| {
            let of_clones = clones::findings(&file, &places, &cloned.classes);
            let (findings, suppressed) = findings(&file, of_clones, signals, options, rules);
            Assembled {
                file: file_measurement(file, index, &cloned),
                findings,
                suppressed,
            }
        })
        .collect();
    let (files, findings, suppressed) = joined(each);
    let split = options.tests == Tests::Split && !files.is_empty();
    let by_part = || split.then(|| totals::by(&files, |f| f.part, options));
    let by_language = || totals::by(&files, |f| f.language.clone(), options);
    let (totals, (parts, languages)) = rayon::join(
        || totals::totals(&files, unmeasured.len(), options),
        || rayon::join(by_part, by_language),
    );
    Measurement {
        schema: schema::MEASUREMENT.to_owned(),
        definitions,
        totals,
        parts: parts.unwrap_or_default(),
        languages,
        published,
        files,
        unmeasured,
        skipped,
        clones: cloned.classes,
        findings,
        suppressed,
    }
}

/// What a file adds to the measurement.
struct Assembled {
    file: FileMeasurement,
    findings: Vec<Finding>,
    suppressed: Vec<Suppressed>,
}

/// What all files add, each in path order.
fn joined(each: Vec<Assembled>) -> (Vec<FileMeasurement>, Vec<Finding>, Vec<Suppressed>) {
    let mut files = Vec::with_capacity(each.len());
    let mut findings = Vec::with_capacity(each.iter().map(|one| one.findings.len()).sum());
    let mut suppressed = Vec::new();
    for one in each {
        files.push(one.file);
        findings.extend(one.findings);
        suppressed.extend(one.suppressed);
    }
    (files, findings, suppressed)
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

/// All findings of a file in order, and those that its comments silence.
fn findings(
    file: &MeasuredFile,
    of_clones: Vec<Finding>,
    of_signals: Vec<Finding>,
    options: &Options,
    rules: &RuleSet,
) -> (Vec<Finding>, Vec<Suppressed>) {
    let local: Vec<Finding> = local_findings(file, rules).collect();
    let mut findings = of_clones;
    findings.extend(not_in(&local, of_signals));
    findings.extend(local);
    if !options.disabled.is_empty() {
        findings.retain(|finding| !options.disabled.contains(&finding.rule));
    }
    sort(&mut findings);
    silence(findings, file, options)
}

fn local_findings<'a>(
    file: &'a MeasuredFile,
    rules: &'a RuleSet,
) -> impl Iterator<Item = Finding> + 'a {
    let findings = file.facts.findings.iter();
    findings.map(move |local| fold::finding(&file.path, local, rules))
}

/// A file's findings by signals that no rule of the same id has at the same line: some
/// shapes are told by a rule in one language and by a signal in another.
fn not_in(local: &[Finding], signals: Vec<Finding>) -> Vec<Finding> {
    if signals.is_empty() {
        return signals;
    }
    let place = |f: &Finding| (f.span.start_line, f.rule.clone());
    let told: HashSet<_> = local
        .iter()
        .filter(|f| signals::is_known(&f.rule))
        .map(place)
        .collect();
    let untold = signals.into_iter().filter(|f| !told.contains(&place(f)));
    untold.collect()
}

/// Sorts the findings of one file.
fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.span, f.severity);
        key(a).cmp(&key(b)).then_with(|| a.rule.cmp(&b.rule))
    });
}

/// Obeys a file's comments that silence findings, if that is asked for.
fn silence(
    findings: Vec<Finding>,
    file: &MeasuredFile,
    options: &Options,
) -> (Vec<Finding>, Vec<Suppressed>) {
    let directives = &file.facts.directives;
    let Some(today) = options.suppressions.filter(|_| !directives.is_empty()) else {
        return (findings, Vec::new());
    };
    let mut obeyed = suppress::obey(&file.path, findings, directives, today);
    sort(&mut obeyed.findings);
    (obeyed.findings, obeyed.suppressed)
}
