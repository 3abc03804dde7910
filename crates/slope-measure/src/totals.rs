//! Totals of files.

use std::collections::BTreeMap;

use slope_model::measurement::{Callable, FileMeasurement, Part, Totals};
use slope_model::metrics::{
    self, COGNITIVE_EROSION, COGNITIVE_MASS, EROSION, HIGH_COGNITIVE_CALLABLES,
    HIGH_COGNITIVE_MASS, MAINTAINABILITY, MAX_COMPLEXITY, MAX_NESTING, Metric, NEAR_CLONE_LINES,
    Source, VERBOSITY, miss,
};

use crate::options::{Options, Profile};
use crate::portion::Portion;
use crate::sum::sum;

/// Metrics that are not in the paper.
const COGNITIVE: &[&Metric] = &[
    &COGNITIVE_MASS,
    &HIGH_COGNITIVE_MASS,
    &HIGH_COGNITIVE_CALLABLES,
    &COGNITIVE_EROSION,
];

/// Share of source lines that could not be parsed above which ratios are withheld.
const MAX_UNPARSED: f64 = 0.1;

/// Totals over files in path order.
pub(crate) fn totals<'a>(
    files: impl IntoIterator<Item = &'a FileMeasurement>,
    unmeasured: usize,
    options: &Options,
) -> Totals {
    let files: Vec<_> = files.into_iter().map(Portion::whole).collect();
    of_portions(&files, unmeasured, options)
}

/// Totals of each part that has files.
pub(crate) fn by_part<'a>(
    files: impl IntoIterator<Item = &'a FileMeasurement>,
    options: &Options,
) -> BTreeMap<Part, Totals> {
    let portions = files.into_iter().flat_map(Portion::by_part);
    by(portions.map(|portion| (portion.part(), portion)), options)
}

/// Totals of each language.
pub(crate) fn by_language<'a>(
    files: &'a [FileMeasurement],
    options: &Options,
) -> BTreeMap<String, Totals> {
    let whole = |file: &'a FileMeasurement| (file.language.clone(), Portion::whole(file));
    by(files.iter().map(whole), options)
}

/// Totals of each group, by a key.
fn by<'a, K: Ord>(
    keyed: impl Iterator<Item = (K, Portion<'a>)>,
    options: &Options,
) -> BTreeMap<K, Totals> {
    let mut groups: BTreeMap<K, Vec<Portion<'a>>> = BTreeMap::new();
    for (key, portion) in keyed {
        groups.entry(key).or_default().push(portion);
    }
    let totals = |files: Vec<Portion<'_>>| of_portions(&files, 0, options);
    groups
        .into_iter()
        .map(|(key, files)| (key, totals(files)))
        .collect()
}

fn of_portions(files: &[Portion<'_>], unmeasured: usize, options: &Options) -> Totals {
    let with_errors = files.iter().filter(|f| f.syntax_errors().is_some());
    let mut totals = Totals {
        files: count(files.len()),
        unmeasured_files: count(unmeasured),
        lines: files.iter().map(|f| u64::from(f.lines)).sum(),
        sloc: files.iter().map(|f| u64::from(f.sloc)).sum(),
        files_with_syntax_errors: count(with_errors.count()),
        ..Totals::default()
    };
    if files.is_empty() {
        let reason = if unmeasured == 0 {
            "no file of a language that slope measures"
        } else {
            "none of the files could be measured"
        };
        metrics::explain_missing(&mut totals, reason);
        return totals;
    }
    add_callables(&mut totals, files, options);
    add_lines(&mut totals, files, options);
    add_maintainability(&mut totals, files);
    withhold(&mut totals, files);
    totals
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn add_callables(totals: &mut Totals, files: &[Portion<'_>], options: &Options) {
    // The order of the sums is that of path and position.
    let all: Vec<&Callable> = files.iter().flat_map(Portion::callables).collect();
    let high = |c: &&&Callable| c.complexity > options.cut_off;
    totals.callables = count(all.len());
    totals.high_complexity_callables = count(all.iter().filter(high).count());
    totals.max_complexity = all.iter().map(|c| c.complexity).max();
    totals.max_nesting = all.iter().map(|c| c.nesting).max();
    let mass = sum(all.iter().map(|c| c.mass));
    let high_mass = sum(all.iter().filter(high).map(|c| c.mass));
    totals.mass = Some(mass);
    totals.high_complexity_mass = Some(high_mass);
    if options.profile == Profile::Paper {
        let reason = "the paper's definitions have no cognitive complexity";
        miss(totals, COGNITIVE, reason);
    } else {
        add_cognitive(totals, &all, options);
    }
    let reason = "there is no callable with source lines";
    if mass > 0.0 {
        totals.erosion = Some(high_mass / mass);
    } else {
        miss(totals, &[&EROSION, &COGNITIVE_EROSION], reason);
    }
    if all.is_empty() {
        miss(totals, &[&MAX_COMPLEXITY, &MAX_NESTING], reason);
    }
}

fn add_cognitive(totals: &mut Totals, all: &[&Callable], options: &Options) {
    let mass = |c: &&Callable| options.size_term.mass(c.cognitive, c.sloc);
    let high = |c: &&&Callable| c.cognitive > options.cut_off;
    let whole = sum(all.iter().map(mass));
    let part = sum(all.iter().filter(high).map(mass));
    totals.cognitive_mass = Some(whole);
    totals.high_cognitive_mass = Some(part);
    totals.high_cognitive_callables = Some(count(all.iter().filter(high).count()));
    if whole > 0.0 {
        totals.cognitive_erosion = Some(part / whole);
    } else {
        let reason = "no callable has any cognitive complexity";
        miss(totals, &[&COGNITIVE_EROSION], reason);
    }
}

fn add_lines(totals: &mut Totals, files: &[Portion<'_>], options: &Options) {
    let total =
        |lines: fn(&Portion<'_>) -> u32| -> u64 { files.iter().map(|f| u64::from(lines(f))).sum() };
    let verbose = total(|f| f.verbose_lines);
    totals.flagged_lines = Some(total(|f| f.flagged_lines));
    totals.clone_lines = Some(total(|f| f.clone_lines));
    totals.verbose_lines = Some(verbose);
    let near: Option<Vec<u32>> = files.iter().map(|f| f.near_clone_lines).collect();
    totals.near_clone_lines = near.map(|lines| lines.into_iter().map(u64::from).sum());
    if totals.near_clone_lines.is_none() {
        miss(
            totals,
            &[&NEAR_CLONE_LINES],
            "near-miss clones were switched off",
        );
    }
    let (denominator, what) = match options.profile {
        Profile::Slope | Profile::Strict => (totals.sloc, "source lines"),
        Profile::Paper => (totals.lines, "lines"),
    };
    if denominator > 0 {
        totals.verbosity = Some(ratio(verbose, denominator));
    } else {
        miss(totals, &[&VERBOSITY], &format!("there are no {what}"));
    }
}

fn add_maintainability(totals: &mut Totals, files: &[Portion<'_>]) {
    let rated = || {
        files
            .iter()
            .filter_map(|f| Some((f.maintainability?, f.sloc)))
    };
    let weight = sum(rated().map(|(_, sloc)| f64::from(sloc)));
    if weight > 0.0 {
        let weighted = sum(rated().map(|(index, sloc)| index * f64::from(sloc)));
        totals.maintainability = Some(weighted / weight);
    } else {
        let reason = "no file has a maintainability index";
        miss(totals, &[&MAINTAINABILITY], reason);
    }
}

/// Withholds ratios if too much could not be parsed: unread code must not lead to a good score.
fn withhold(totals: &mut Totals, files: &[Portion<'_>]) {
    let unparsed: u64 = files
        .iter()
        .filter_map(Portion::syntax_errors)
        .map(|errors| u64::from(errors.lines))
        .sum();
    if totals.sloc == 0 || ratio(unparsed, totals.sloc) <= MAX_UNPARSED {
        return;
    }
    let reason = format!(
        "{unparsed} of {} source lines could not be parsed",
        totals.sloc
    );
    for metric in metrics::FIELDS {
        if let Source::Field { clear, .. } = metric.source
            && metric.aggregation.is_relative()
        {
            clear(totals);
            miss(totals, &[metric], &reason);
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of lines are far below 2^53"
)]
pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}
