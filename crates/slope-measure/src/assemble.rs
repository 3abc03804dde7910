//! Facts of all files to a measurement.

use slope_clones::{Member, groups};
use slope_model::finding::{Finding, Severity};
use slope_model::measurement::{
    Callable, Definitions, FileMeasurement, Measurement, Totals, Unmeasured,
};
use slope_model::schema;
use slope_syntax::{LineSet, Profile};

use crate::file::FileFacts;
use crate::fingerprint::Fingerprints;
use crate::options::Options;
use crate::sum::sum;

/// Id of the finding for a unit that occurs more than once.
pub(crate) const CLONE: &str = "clone";

/// Joins the facts of files, which are in path order.
pub(crate) fn assemble(
    facts: Vec<FileFacts>,
    unmeasured: Vec<Unmeasured>,
    definitions: Definitions,
    options: &Options,
) -> Measurement {
    let clones = groups(facts.iter().map(|f| f.units.as_slice()), options.profile);
    let clone_lines = clone_lines(&facts, &clones);
    let mut findings: Vec<Finding> = clone_findings(&facts, &clones);
    let mut files = Vec::with_capacity(facts.len());
    for (file, cloned) in facts.into_iter().zip(&clone_lines) {
        let mut verbose = file.flagged.clone();
        verbose.union_with(cloned);
        findings.extend(file.findings);
        files.push(FileMeasurement {
            path: file.path,
            language: file.language.id().to_owned(),
            lines: file.lines,
            sloc: file.source.count(),
            flagged_lines: file.flagged.count_common(&file.source),
            clone_lines: cloned.count_common(&file.source),
            verbose_lines: verbose.count_common(&file.source),
            callables: file.callables,
            ..FileMeasurement::default()
        });
    }
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.span, f.severity);
        a.path
            .cmp(&b.path)
            .then_with(|| key(a).cmp(&key(b)))
            .then_with(|| a.rule.cmp(&b.rule))
    });
    Measurement {
        schema: schema::MEASUREMENT.to_owned(),
        definitions,
        totals: totals(&files, unmeasured.len(), options),
        files,
        unmeasured,
        findings,
        ..Measurement::default()
    }
}

/// For each file, the rows of its units that occur more than once.
fn clone_lines(facts: &[FileFacts], clones: &[Vec<Member>]) -> Vec<LineSet> {
    let mut lines = vec![LineSet::default(); facts.len()];
    for member in clones.iter().flatten() {
        let unit = &facts[member.file].units[member.unit];
        lines[member.file].insert_range(unit.first_row, unit.last_row);
    }
    lines
}

/// One finding for each clone that does not lie in another clone.
fn clone_findings(facts: &[FileFacts], clones: &[Vec<Member>]) -> Vec<Finding> {
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
        let file = &facts[member.file];
        let unit = &file.units[member.unit];
        let inside = current.is_some_and(|(f, end)| f == member.file && unit.node < end);
        if inside {
            continue;
        }
        if current.is_none_or(|(f, _)| f != member.file) {
            prints = Fingerprints::default();
        }
        current = Some((member.file, unit.end));
        let group = &clones[group];
        let (span, callable) = &file.unit_places[member.unit];
        let hash = blake3::Hash::from_bytes(doubled(unit.hash.0)).to_hex();
        findings.push(Finding {
            rule: CLONE.to_owned(),
            category: "duplication".to_owned(),
            severity: Severity::Warning,
            path: file.path.clone(),
            span: *span,
            message: clone_message(facts, group, member),
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

fn clone_message(facts: &[FileFacts], group: &[Member], member: Member) -> String {
    let other = group.iter().find(|&&m| m != member).unwrap_or(&member);
    let file = &facts[other.file];
    let line = file.units[other.unit].first_row + 1;
    format!(
        "The same code but for names and literals stands in {} places, also at {}:{line}.",
        group.len(),
        file.path,
    )
}

fn totals(files: &[FileMeasurement], unmeasured: usize, options: &Options) -> Totals {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut totals = Totals {
        files: count(files.len()),
        unmeasured_files: count(unmeasured),
        lines: files.iter().map(|f| u64::from(f.lines)).sum(),
        sloc: files.iter().map(|f| u64::from(f.sloc)).sum(),
        ..Totals::default()
    };
    if files.is_empty() {
        let reason = if unmeasured == 0 {
            "there is no file of a language that slope measures"
        } else {
            "none of the files could be measured"
        };
        for metric in [CALLABLE_METRICS, LINE_METRICS].concat() {
            totals.missing.insert(metric.to_owned(), reason.to_owned());
        }
        return totals;
    }
    add_callables(&mut totals, files, options);
    add_lines(&mut totals, files, options);
    totals
}

const CALLABLE_METRICS: &[&str] = &["max_complexity", "mass", "high_complexity_mass", "erosion"];
const LINE_METRICS: &[&str] = &["flagged_lines", "clone_lines", "verbose_lines", "verbosity"];

fn add_callables(totals: &mut Totals, files: &[FileMeasurement], options: &Options) {
    // The order of the sums is that of path and position.
    let all: Vec<&Callable> = files.iter().flat_map(|f| &f.callables).collect();
    let high = |c: &&&Callable| c.complexity > options.cut_off;
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    totals.callables = count(all.len());
    totals.high_complexity_callables = count(all.iter().filter(high).count());
    totals.max_complexity = all.iter().map(|c| c.complexity).max();
    let mass = sum(all.iter().map(|c| c.mass));
    let high_mass = sum(all.iter().filter(high).map(|c| c.mass));
    totals.mass = Some(mass);
    totals.high_complexity_mass = Some(high_mass);
    if mass > 0.0 {
        totals.erosion = Some(high_mass / mass);
        return;
    }
    let reason = "there is no callable with source lines";
    totals.missing.insert("erosion".into(), reason.into());
    if totals.max_complexity.is_none() {
        totals
            .missing
            .insert("max_complexity".into(), reason.into());
    }
}

fn add_lines(totals: &mut Totals, files: &[FileMeasurement], options: &Options) {
    let total = |lines: fn(&FileMeasurement) -> u32| -> u64 {
        files.iter().map(|f| u64::from(lines(f))).sum()
    };
    let verbose = total(|f| f.verbose_lines);
    totals.flagged_lines = Some(total(|f| f.flagged_lines));
    totals.clone_lines = Some(total(|f| f.clone_lines));
    totals.verbose_lines = Some(verbose);
    let (denominator, what) = match options.profile {
        Profile::Slope => (totals.sloc, "source lines"),
        Profile::Paper => (totals.lines, "lines"),
    };
    if denominator > 0 {
        totals.verbosity = Some(ratio(verbose, denominator));
    } else {
        totals
            .missing
            .insert("verbosity".into(), format!("there are no {what}"));
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of lines are far below 2^53"
)]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
