//! Combines the facts of all files into a measurement.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use slope_clones::Memo;
use slope_model::finding::Finding;
use slope_model::measurement::{
    DeadCode, DeadCodeOrigin, DeadCodeSince, Definitions, FileMeasurement, Measurement, Part,
    Skipped, Suppressed, Totals, Unmeasured,
};
use slope_model::schema;
use slope_rules::RuleSet;
use slope_syntax::paths::other_language;

use crate::admit::admitted;
use crate::base::Base;
use crate::clones::{self, Clones};
use crate::facts::FileFacts;
use crate::measured_file::MeasuredFile;
use crate::options::{Options, Tests};
use crate::signals::{BaseFacts, Told};
use crate::{fold, headlines, inline_tests, published, signals, suppress, totals};

/// Inputs of the assembly besides the files.
#[derive(Clone, Copy, Default)]
pub(crate) struct AssemblyInputs<'a> {
    /// Near-miss memo of earlier runs.
    pub(crate) memo: Option<&'a Memo>,
    /// The base of dead code.
    pub(crate) base: Option<(&'a Base, &'a BaseFacts)>,
}

/// Everything that a measurement is made of.
pub(crate) struct Parts {
    /// In path order.
    pub(crate) files: Vec<MeasuredFile>,
    pub(crate) unmeasured: Vec<Unmeasured>,
    pub(crate) skipped: Vec<Skipped>,
    /// Paths of files in unsupported languages.
    pub(crate) others: Vec<String>,
    pub(crate) definitions: Definitions,
}

/// Counts files in unsupported languages by suffix.
fn by_suffix(others: &[String]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for suffix in others.iter().filter_map(|path| other_language(path)) {
        *counts.entry(format!(".{suffix}")).or_default() += 1;
    }
    counts
}

/// Combines the facts of all files into a measurement. Steps that concern a single file run in
/// parallel.
pub(crate) fn assemble(
    parts: Parts,
    options: &Options,
    rules: &RuleSet,
    beside: AssemblyInputs<'_>,
) -> Measurement {
    let Parts {
        files: measured,
        unmeasured,
        skipped,
        others,
        definitions,
    } = parts;
    let comparable = headlines::Comparable::of(&measured, options, rules);
    let headline = || {
        published::headline(measured.iter().filter_map(|f| {
            let published = f.facts.published.as_ref()?;
            Some((f.path.as_str(), f.facts.lines, published))
        }))
    };
    let ((cloned, published), signals) = rayon::join(
        || (clones::find(&measured, options, beside.memo), headline()),
        || signals::find(&measured, options, beside.base.map(|(_, facts)| facts)),
    );
    let places = clones::by_file(&cloned.classes_found, measured.len());
    let each: Vec<Assembled> = measured
        .into_par_iter()
        .zip(places)
        .zip(signals)
        .enumerate()
        .map(|(index, ((file, places), signals))| {
            let of_clones = clones::findings(&file, &places, &cloned.classes);
            let mut one = findings(&file, of_clones, signals, options, rules);
            let (file, rest) = file_measurement(file, index, &cloned);
            one.file = file;
            one.rest = Some(rest);
            one
        })
        .collect();
    let Joined {
        files,
        findings,
        suppressed,
        dead,
        rest,
    } = joined(each);
    let (totals, parts, languages) = all_totals(&files, unmeasured.len(), options);
    let headlines = headlines::headlines(&files, published.as_ref(), &comparable);
    // Facts have many small parts; freeing them is slow.
    rayon::spawn(move || drop(rest));
    Measurement {
        schema: schema::MEASUREMENT.to_owned(),
        definitions,
        totals,
        parts,
        languages,
        published,
        headlines,
        files,
        unmeasured,
        skipped,
        other_languages: by_suffix(&others),
        clones: cloned.classes,
        findings,
        suppressed,
        dead_code: beside.base.map(|(base, _)| since(base, dead)),
    }
}

/// Totals of all files, by part if parts are separate, and by language.
fn all_totals(
    files: &[FileMeasurement],
    unmeasured: usize,
    options: &Options,
) -> (Totals, BTreeMap<Part, Totals>, BTreeMap<String, Totals>) {
    let split = options.tests == Tests::Split && !files.is_empty();
    let by_part = || split.then(|| totals::by_part(files, options));
    let by_language = || totals::by_language(files, options);
    let (totals, (parts, languages)) = rayon::join(
        || totals::totals(files, unmeasured, options),
        || rayon::join(by_part, by_language),
    );
    (totals, parts.unwrap_or_default(), languages)
}

/// A file's part in the measurement.
#[derive(Default)]
struct Assembled {
    file: FileMeasurement,
    findings: Vec<Finding>,
    suppressed: Vec<Suppressed>,
    dead: Vec<DeadCode>,
    /// Remaining facts, no longer needed.
    rest: Option<FileFacts>,
}

/// All files' parts, each in path order.
#[derive(Default)]
struct Joined {
    files: Vec<FileMeasurement>,
    findings: Vec<Finding>,
    suppressed: Vec<Suppressed>,
    dead: Vec<DeadCode>,
    rest: Vec<Option<FileFacts>>,
}

fn joined(each: Vec<Assembled>) -> Joined {
    let mut all = Joined::default();
    all.files.reserve(each.len());
    all.findings
        .reserve(each.iter().map(|one| one.findings.len()).sum());
    all.rest.reserve(each.len());
    for one in each {
        all.rest.push(one.rest);
        all.files.push(one.file);
        all.findings.extend(one.findings);
        all.suppressed.extend(one.suppressed);
        all.dead.extend(one.dead);
    }
    all
}

/// Counts dead code findings by their origin relative to a base.
fn since(base: &Base, findings: Vec<DeadCode>) -> DeadCodeSince {
    let mut counts = BTreeMap::from([
        (DeadCodeOrigin::BornDead, 0),
        (DeadCodeOrigin::Orphaned, 0),
        (DeadCodeOrigin::Inherited, 0),
    ]);
    for finding in &findings {
        *counts.entry(finding.origin).or_default() += 1;
    }
    DeadCodeSince {
        base: base.name().to_owned(),
        commit: base.commit().map(str::to_owned),
        counts,
        findings,
    }
}

/// Builds the measurement of a file. Also returns the remaining facts.
fn file_measurement(
    file: MeasuredFile,
    index: usize,
    clones: &Clones,
) -> (FileMeasurement, FileFacts) {
    let mut facts = file.facts;
    let cloned = &clones.lines[index];
    let near = clones.near_lines.as_ref().map(|near| &near[index]);
    let mut verbose = facts.flagged.clone();
    verbose.union_with(cloned);
    let mut measured = FileMeasurement {
        path: file.path,
        language: file.language.id().to_owned(),
        part: file.part,
        lines: facts.lines - facts.blanked,
        sloc: facts.source.count(),
        flagged_lines: facts.flagged.count_common(&facts.source),
        clone_lines: cloned.count_common(&facts.source),
        verbose_lines: verbose.count_common(&facts.source),
        near_clone_lines: near.map(|near| near.count_common(&facts.source)),
        syntax_errors: facts.errors,
        maintainability: facts.maintainability,
        cognitive_outside: facts.cognitive_outside,
        inline_tests: None,
        cells: std::mem::take(&mut facts.cells),
        callables: std::mem::take(&mut facts.callables),
    };
    measured.inline_tests = inline_tests::of_file(&measured, &facts, cloned, near);
    (measured, facts)
}

/// All findings of a file in order, and those that its comments silence.
fn findings(
    file: &MeasuredFile,
    of_clones: Vec<Finding>,
    of_signals: Vec<Told>,
    options: &Options,
    rules: &RuleSet,
) -> Assembled {
    let local = admitted(&file.path, &file.facts, rules, options);
    let local = local.map(|local| fold::finding(&file.path, local, rules));
    let local: Vec<Finding> = local.collect();
    let with_origin = of_signals.iter().filter_map(|told| {
        let finding = &told.finding;
        let key = (finding.rule.clone(), finding.fingerprint.clone());
        Some((key, told.origin?))
    });
    let origins: HashMap<_, _> = with_origin.collect();
    let mut findings = of_clones;
    findings.extend(not_in(&local, of_signals));
    findings.extend(local);
    if !options.disabled.is_empty() {
        findings.retain(|finding| !options.disabled.contains(&finding.rule));
    }
    sort(&mut findings);
    let (findings, suppressed) = silence(findings, file, options, rules);
    Assembled {
        dead: dead(&findings, &origins),
        findings,
        suppressed,
        ..Assembled::default()
    }
}

/// Dead code findings of a file whose origin is known.
fn dead(
    findings: &[Finding],
    origins: &HashMap<(String, String), DeadCodeOrigin>,
) -> Vec<DeadCode> {
    if origins.is_empty() {
        return Vec::new();
    }
    let each = findings.iter().filter_map(|finding| {
        let key = (finding.rule.clone(), finding.fingerprint.clone());
        Some(DeadCode {
            origin: *origins.get(&key)?,
            rule: key.0,
            path: finding.path.clone(),
            span: finding.span,
            message: finding.message.clone(),
            fingerprint: key.1,
        })
    });
    each.collect()
}

/// Signal findings of a file, without those for which the rule of the same id has a finding on the
/// same line. Some patterns have a rule in one language and a signal in another.
fn not_in(local: &[Finding], signals: Vec<Told>) -> Vec<Finding> {
    let signals = signals.into_iter().map(|told| told.finding);
    if signals.len() == 0 {
        return Vec::new();
    }
    let told: HashSet<(u32, &str)> = local
        .iter()
        .filter_map(|f| signals::same_as(&f.rule, f.span))
        .collect();
    let is_told = |f: &Finding| told.contains(&(f.span.start_line, f.rule.as_str()));
    signals.filter(|f| !is_told(f)).collect()
}

/// Sorts the findings of a file by position, severity and rule.
fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.span, f.severity);
        key(a).cmp(&key(b)).then_with(|| a.rule.cmp(&b.rule))
    });
}

/// Obeys a file's comments that silence findings, if requested.
fn silence(
    findings: Vec<Finding>,
    file: &MeasuredFile,
    options: &Options,
    rules: &RuleSet,
) -> (Vec<Finding>, Vec<Suppressed>) {
    let directives = &file.facts.directives;
    let Some(today) = options.suppressions.filter(|_| !directives.is_empty()) else {
        return (findings, Vec::new());
    };
    let looked = |rule: &str| crate::in_force::looked(rule, rules, options);
    let mut obeyed = suppress::obey(&file.path, findings, directives, today, &looked);
    sort(&mut obeyed.findings);
    (obeyed.findings, obeyed.suppressed)
}
