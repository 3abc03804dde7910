//! Progress phases: trials of any length on five places.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, TrialReport};
use slope_stats::Interval;

use super::members::{StudyOptions, narrow};
use crate::metric::Metric;
use crate::rates::{self, Rule, Standing};

/// Names of the phases, in order.
pub const PHASES: [&str; 5] = ["start", "early", "mid", "late", "final"];

/// Phases with a value that a slope needs.
const MIN_FOR_SLOPE: usize = 3;

/// Assignment of a trial's checkpoints to phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binning {
    /// The paper's: the first checkpoint is the start, the last the end, and those between are
    /// split into three, with the remainder in earlier phases. All checkpoints of a phase count.
    Paper,
    /// The published dashboard's: checkpoint i of n is in phase ⌈5i/n⌉, and only the last one of a
    /// phase counts.
    Dashboard,
}

impl Binning {
    /// The phase of each checkpoint of a trial of `n`, 0 to 4.
    #[must_use]
    pub fn phases(self, n: usize) -> Vec<usize> {
        match self {
            Self::Dashboard => (1..=n).map(|i| (5 * i).div_ceil(n) - 1).collect(),
            Self::Paper => {
                let inner = n.saturating_sub(2);
                let sizes = [0, 1, 2].map(|third| inner / 3 + usize::from(third < inner % 3));
                let between = (1..).zip(sizes);
                let between = between.flat_map(|(phase, size)| std::iter::repeat_n(phase, size));
                let ends = (n > 1).then_some(4);
                let start = (n > 0).then_some(0);
                start.into_iter().chain(between).chain(ends).collect()
            }
        }
    }
}

/// A quantity in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseQuantity {
    /// Share of strictly solved checkpoints, lost ones counted as unsolved.
    Strict,
    /// Share solved by tests outside the regression group, lost ones counted as unsolved.
    Isolated,
    /// Share solved by core tests, lost ones counted as unsolved.
    Core,
    /// Share of the group's stable tests that passed, of graded checkpoints that have any.
    Tests(Group),
    /// A metric.
    Metric(Metric),
}

/// Metrics that are followed through the phases.
const METRICS: [Metric; 8] = [
    Metric::COST,
    Metric::AGENT_TIME,
    Metric::EROSION,
    Metric::VERBOSITY,
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::HIGH_COMPLEXITY_CALLABLES,
    Metric::MAX_COMPLEXITY,
];

/// A quantity through the phases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseRow {
    /// Name.
    pub quantity: PhaseQuantity,
    /// Its value in each of [`PHASES`].
    pub values: Vec<PhaseValue>,
    /// Mean over problems of the least-squares slope per phase; a problem needs values in three.
    pub slope: Option<f64>,
    /// Problems in `slope`.
    pub slope_problems: u32,
    /// Mean over problems of (final − start) / 4.
    pub net: Option<f64>,
}

/// A quantity in a phase: the mean over problems of the mean over the problem's checkpoints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseValue {
    /// Mean; `None` where no problem has a value: an empty phase is missing, not 0.
    pub mean: Option<f64>,
    /// Percentile interval over resampled problems; `None` with fewer than two.
    pub interval: Option<Interval>,
    /// Problems with a value.
    pub problems: u32,
    /// Checkpoints with a value.
    pub checkpoints: u32,
}

/// The values of one problem in each phase.
type ByPhase = [Vec<f64>; 5];

/// All quantities through the phases; those without any value are left out.
pub(crate) fn rows(trials: &[&TrialReport], options: &StudyOptions) -> Vec<PhaseRow> {
    let solved = [
        PhaseQuantity::Strict,
        PhaseQuantity::Isolated,
        PhaseQuantity::Core,
    ];
    let tests = Group::ALL.into_iter().map(PhaseQuantity::Tests);
    let metrics = METRICS.into_iter().map(PhaseQuantity::Metric);
    let all = solved.into_iter().chain(tests).chain(metrics);
    let rows = all.map(|quantity| row(trials, quantity, options));
    rows.filter(|row| row.values.iter().any(|v| v.problems > 0))
        .collect()
}

fn row(trials: &[&TrialReport], quantity: PhaseQuantity, options: &StudyOptions) -> PhaseRow {
    let problems = by_problem(trials, quantity, options.binning);
    let means: Vec<[Option<f64>; 5]> = problems
        .values()
        .map(|phases| std::array::from_fn(|phase| slope_stats::mean(&phases[phase])))
        .collect();
    let values = (0..PHASES.len()).map(|phase| {
        let known: Vec<f64> = means.iter().filter_map(|phases| phases[phase]).collect();
        let checkpoints = problems.values().map(|phases| phases[phase].len()).sum();
        PhaseValue {
            mean: slope_stats::mean(&known),
            interval: interval(&known, options),
            problems: narrow(known.len()),
            checkpoints: narrow(checkpoints),
        }
    });
    let slopes: Vec<f64> = means.iter().filter_map(slope).collect();
    let nets: Vec<f64> = means
        .iter()
        .filter_map(|phases| Some((phases[4]? - phases[0]?) / 4.0))
        .collect();
    PhaseRow {
        quantity,
        values: values.collect(),
        slope: slope_stats::mean(&slopes),
        slope_problems: narrow(slopes.len()),
        net: slope_stats::mean(&nets),
    }
}

/// The percentile interval of a mean over problems.
pub(super) fn interval(values: &[f64], options: &StudyOptions) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    let count = f64::from(narrow(values.len()));
    let mean = |drawn: &[&f64]| Some(drawn.iter().copied().sum::<f64>() / count);
    options.bootstrap.run(values, mean)?.percentile()
}

/// The line through the means of a metric in the phases, 1 to 5; `None` with fewer than three.
pub(super) fn fit_of(
    trials: &[&TrialReport],
    metric: Metric,
    binning: Binning,
) -> Option<slope_stats::Fit> {
    let problems = by_problem(trials, PhaseQuantity::Metric(metric), binning);
    let phases = problems.into_values().next()?;
    fit(&std::array::from_fn(|phase| {
        slope_stats::mean(&phases[phase])
    }))
}

fn slope(phases: &[Option<f64>; 5]) -> Option<f64> {
    fit(phases).map(|fit| fit.slope)
}

fn fit(phases: &[Option<f64>; 5]) -> Option<slope_stats::Fit> {
    let places = [1.0, 2.0, 3.0, 4.0, 5.0];
    let points: Vec<(f64, f64)> = places
        .into_iter()
        .zip(phases)
        .filter_map(|(x, y)| Some((x, (*y)?)))
        .collect();
    (points.len() >= MIN_FOR_SLOPE)
        .then(|| slope_stats::ols(&points))
        .flatten()
}

fn by_problem<'a>(
    trials: &[&'a TrialReport],
    quantity: PhaseQuantity,
    binning: Binning,
) -> BTreeMap<&'a str, ByPhase> {
    let mut problems: BTreeMap<&str, ByPhase> = BTreeMap::new();
    for trial in trials {
        let phases = binning.phases(trial.checkpoints.len());
        let values = problems.entry(&trial.problem).or_default();
        let along = trial.checkpoints.iter().zip(rates::standings(trial));
        for (place, (checkpoint, standing)) in along.enumerate() {
            let covered =
                binning == Binning::Dashboard && phases.get(place + 1) == Some(&phases[place]);
            let value = (!covered).then(|| value(quantity, checkpoint, standing));
            values[phases[place]].extend(value.flatten());
        }
    }
    problems
}

fn value(
    quantity: PhaseQuantity,
    checkpoint: &CheckpointReport,
    standing: Standing,
) -> Option<f64> {
    let solved = |rule| match standing {
        Standing::Graded => rates::is_solved(checkpoint, rule).map(|s| f64::from(u8::from(s))),
        Standing::Lost => Some(0.0),
        Standing::Infrastructure | Standing::Ungraded => None,
    };
    match quantity {
        PhaseQuantity::Strict => solved(Rule::Strict),
        PhaseQuantity::Isolated => solved(Rule::Isolated),
        PhaseQuantity::Core => solved(Rule::Core),
        PhaseQuantity::Metric(metric) => metric.value(checkpoint).ok(),
        PhaseQuantity::Tests(group) => {
            let count = checkpoint.counts.get(&group)?;
            let stable = count.total.saturating_sub(count.unstable);
            let graded = standing == Standing::Graded && stable > 0;
            graded.then(|| f64::from(count.passed) / f64::from(stable))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Binning;

    #[test]
    fn paper_phases_match_published_lengths() {
        // Start, early, mid, late, final as 0 to 4; the lengths that published problems have.
        let expected: [(usize, &[usize]); 9] = [
            (0, &[]),
            (1, &[0]),
            (2, &[0, 4]),
            (3, &[0, 1, 4]),
            (4, &[0, 1, 2, 4]),
            (5, &[0, 1, 2, 3, 4]),
            (6, &[0, 1, 1, 2, 3, 4]),
            (7, &[0, 1, 1, 2, 2, 3, 4]),
            (8, &[0, 1, 1, 2, 2, 3, 3, 4]),
        ];
        for (n, phases) in expected {
            assert_eq!(Binning::Paper.phases(n), phases, "{n}");
        }
    }

    #[test]
    fn dashboard_phases_match_published_lengths() {
        let expected: [(usize, &[usize]); 6] = [
            (3, &[2, 4, 5]),
            (4, &[2, 3, 4, 5]),
            (5, &[1, 2, 3, 4, 5]),
            (6, &[1, 2, 3, 4, 5, 5]),
            (7, &[1, 2, 3, 3, 4, 5, 5]),
            (8, &[1, 2, 2, 3, 4, 4, 5, 5]),
        ];
        for (n, phases) in expected {
            let found: Vec<usize> = Binning::Dashboard.phases(n).iter().map(|p| p + 1).collect();
            assert_eq!(found, phases, "{n}");
        }
    }
}
