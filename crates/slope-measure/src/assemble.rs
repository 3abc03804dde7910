//! Facts of all files to a measurement.

use slope_clones::{Member, groups};
use slope_model::finding::{Finding, Severity};
use slope_model::measurement::{
    Definitions, FileMeasurement, Measurement, Part, Skipped, Suppressed, Unmeasured,
};
use slope_model::schema;
use slope_rules::RuleSet;
use slope_syntax::{Language, LineSet};

use crate::facts::FileFacts;
use crate::fingerprint::Fingerprints;
use crate::options::{Options, Tests};
use crate::{published, suppress, totals};

/// Id of the finding for a unit that occurs more than once.
pub(crate) const CLONE: &str = "clone";

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
    let definition = options.profile.definitions();
    let clones = groups(
        measured.iter().map(|f| f.facts.units.as_slice()),
        definition,
    );
    let clone_lines = clone_lines(&measured, &clones);
    let mut findings: Vec<Finding> = clone_findings(&measured, &clones);
    for file in &measured {
        findings.extend(local_findings(file, rules));
    }
    sort(&mut findings);
    let (findings, suppressed) = silence(findings, &measured, options);
    let headline = measured.iter().filter_map(|f| {
        let published = f.facts.published.as_ref()?;
        Some((f.path.as_str(), f.facts.lines, published))
    });
    let published = published::headline(headline);
    let files: Vec<_> = measured
        .into_iter()
        .zip(&clone_lines)
        .map(|(file, cloned)| file_measurement(file, cloned))
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
        findings,
        suppressed,
        ..Measurement::default()
    }
}

fn file_measurement(file: MeasuredFile, cloned: &LineSet) -> FileMeasurement {
    let facts = file.facts;
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
        near_clone_lines: None,
        syntax_errors: facts.errors,
        maintainability: facts.maintainability,
        callables: facts.callables,
    }
}

fn local_findings<'a>(
    file: &'a MeasuredFile,
    rules: &'a RuleSet,
) -> impl Iterator<Item = Finding> + 'a {
    file.facts.findings.iter().map(move |finding| {
        let (rule, category, severity) = finding.source.describe(rules);
        let message = finding
            .message
            .clone()
            .unwrap_or_else(|| match finding.source {
                crate::facts::Source::Rule(index) => rules.rules()[index as usize].message.clone(),
                _ => String::new(),
            });
        Finding {
            rule: rule.to_owned(),
            category: category.to_owned(),
            severity,
            path: file.path.clone(),
            span: finding.span,
            message,
            fingerprint: finding.fingerprint.clone(),
        }
    })
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

/// For each file, the rows of its units that occur more than once.
fn clone_lines(files: &[MeasuredFile], clones: &[Vec<Member>]) -> Vec<LineSet> {
    let mut lines = vec![LineSet::default(); files.len()];
    for member in clones.iter().flatten() {
        let unit = &files[member.file].facts.units[member.unit];
        lines[member.file].insert_range(unit.first_row, unit.last_row);
    }
    lines
}

/// One finding for each clone that does not lie in another clone.
fn clone_findings(files: &[MeasuredFile], clones: &[Vec<Member>]) -> Vec<Finding> {
    let mut members: Vec<(Member, usize)> = clones
        .iter()
        .enumerate()
        .flat_map(|(group, members)| members.iter().map(move |&m| (m, group)))
        .collect();
    members.sort_unstable();
    let mut findings = Vec::new();
    let mut prints = Fingerprints::default();
    let mut current = None;
    for (member, group) in members {
        let file = &files[member.file];
        let unit = &file.facts.units[member.unit];
        let inside = current.is_some_and(|(f, end)| f == member.file && unit.node < end);
        if inside {
            continue;
        }
        if current.is_none_or(|(f, _)| f != member.file) {
            prints = Fingerprints::default();
        }
        current = Some((member.file, unit.end));
        let group = &clones[group];
        let (span, callable) = &file.facts.unit_places[member.unit];
        let hash = blake3::Hash::from_bytes(doubled(unit.hash.0)).to_hex();
        findings.push(Finding {
            rule: CLONE.to_owned(),
            category: "duplication".to_owned(),
            severity: Severity::Warning,
            path: file.path.clone(),
            span: *span,
            message: clone_message(files, group, member),
            fingerprint: prints.of(CLONE, callable, &hash),
        });
    }
    findings
}

fn doubled(half: [u8; 16]) -> [u8; 32] {
    let mut whole = [0; 32];
    whole[..16].copy_from_slice(&half);
    whole
}

fn clone_message(files: &[MeasuredFile], group: &[Member], member: Member) -> String {
    let other = group.iter().find(|&&m| m != member).unwrap_or(&member);
    let file = &files[other.file];
    let line = file.facts.units[other.unit].first_row + 1;
    format!(
        "The same code but for names and literals stands in {} places, also at {}:{line}.",
        group.len(),
        file.path,
    )
}
