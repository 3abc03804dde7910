//! Runs in lists, and cohorts of runs in the order of their rates.
//!
//! A [`RunCard`] has what both need of a run, so that a server does not read whole reports for them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use slope_model::run::{CheckpointReport, DEFAULT_TRACK, RunReport, TrialReport};
use slope_stats::{Bootstrap, Interval};

use crate::metric::Metric;
use crate::rates::{self, Coverage, Rule, Tally};
use crate::study::{CohortRate, rate_of_problems};
use crate::summary::{Spent, TrialSummary, summary};

/// Changes with the content of cards, so that older ones are made again.
const VERSION: u32 = 1;
/// Metrics whose slopes are shown: the absolute ones first, because decisions depend on them.
pub(crate) const SLOPES: [Metric; 4] = [
    Metric::MASS,
    Metric::CLONE_LINES,
    Metric::EROSION,
    Metric::VERBOSITY,
];
/// Resamples of an interval: fewer than a report has, because a page is made for each visit.
const RESAMPLES: usize = 2000;

/// Summary of a run for lists and leaderboards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCard {
    version: u32,
    /// Label.
    pub label: String,
    /// The agent and its version.
    pub agent: String,
    /// The model.
    pub model: String,
    /// The arm.
    pub arm: String,
    /// Language of the programs.
    pub track: String,
    /// Number of expected checkpoints, by what happened to them.
    pub coverage: Coverage,
    /// Usage.
    pub spent: Spent,
    /// Integrity observations.
    pub notes: u32,
    problems: Vec<ProblemCard>,
}

/// The trials of a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ProblemCard {
    name: String,
    trials: u32,
    /// Checkpoints by rule: strict, isolated, core.
    tallies: [Tally; 3],
    coverage: Coverage,
    /// Costs of checkpoints in US dollars, and times in seconds, as far as they are known.
    costs: Vec<f64>,
    seconds: Vec<f64>,
    /// Slopes of the trials, as far as they have one, by metric.
    slopes: BTreeMap<String, Vec<f64>>,
}

/// Which runs a leaderboard has. An empty text is no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Agent and version.
    pub agent: String,
    /// Model.
    pub model: String,
    /// Arm.
    pub arm: String,
    /// Problem: others do not count.
    pub problem: String,
}

/// A cohort of runs: those of one agent, model and arm.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Agent and version.
    pub agent: String,
    /// Model.
    pub model: String,
    /// Arm.
    pub arm: String,
    /// Language of the programs.
    pub track: String,
    /// Runs.
    pub runs: u32,
    /// Trials.
    pub trials: u32,
    /// Problems.
    pub problems: u32,
    /// Number of expected checkpoints, by what happened to them.
    pub coverage: Coverage,
    /// Checkpoints where every stable test passed.
    pub strict: CohortRate,
    /// Checkpoints where every stable test outside the regression group passed.
    pub isolated: CohortRate,
    /// Checkpoints where every stable core test passed.
    pub core: CohortRate,
    /// Mean slopes of trials.
    pub slopes: Vec<MeanSlope>,
    /// Mean cost of a checkpoint in US dollars, of those whose cost is known.
    pub cost_usd: Option<f64>,
    /// Mean time of the agent at a checkpoint in seconds, of those whose time is known.
    pub agent_s: Option<f64>,
}

/// The mean slope of a metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanSlope {
    /// The metric.
    pub metric: Metric,
    /// Trials with a slope.
    pub n: u32,
    /// Mean of their slopes per checkpoint.
    pub mean: Option<f64>,
    /// Percentile interval of the mean over resampled problems; `None` with fewer than two.
    pub by_problem: Option<Interval>,
}

/// Names that a leaderboard can be filtered by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterNames {
    /// Agents with versions.
    pub agents: BTreeSet<String>,
    /// Models.
    pub models: BTreeSet<String>,
    /// Arms.
    pub arms: BTreeSet<String>,
    /// Problems.
    pub problems: BTreeSet<String>,
}

impl RunCard {
    /// The card of a run.
    #[must_use]
    pub fn of(report: &RunReport) -> Self {
        let summary = summary(report);
        let mut problems: BTreeMap<&str, ProblemCard> = BTreeMap::new();
        for (trial, own) in report.trials.iter().zip(&summary.trials) {
            let card = problems.entry(&trial.problem);
            card.or_insert_with(|| ProblemCard::new(&trial.problem))
                .add(trial, own);
        }
        let config = &report.config;
        let track = config.options.get("track").and_then(|track| track.as_str());
        Self {
            version: VERSION,
            label: config.label.clone(),
            agent: format!("{} {}", config.agent, config.agent_version)
                .trim()
                .to_owned(),
            model: named(&config.model, "no model"),
            arm: crate::arms::arm(report),
            track: track.unwrap_or(DEFAULT_TRACK).to_owned(),
            coverage: summary.coverage,
            spent: summary.spent,
            notes: narrow(summary.integrity.len()),
            problems: problems.into_values().collect(),
        }
    }

    /// The card of a kept text; `None` if another version of slope wrote it.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let card: Self = serde_json::from_str(text).ok()?;
        (card.version == VERSION).then_some(card)
    }

    /// Names of the rates.
    pub const RATES: [&str; 3] = ["strict", "isolated", "core"];

    /// Shares of solved checkpoints, those that the agent never reached included, in the order of [`Self::RATES`].
    #[must_use]
    pub fn rate_values(&self) -> Vec<Option<f64>> {
        let share = |rule: Rule| self.rate(rule).conservative.rate;
        Rule::ALL.map(share).to_vec()
    }

    /// Names of the metrics with slopes.
    pub fn slope_names() -> impl Iterator<Item = &'static str> {
        SLOPES.into_iter().map(Metric::key)
    }

    /// Mean slopes of the trials, in the order of [`Self::slope_names`].
    pub fn slope_values(&self) -> impl Iterator<Item = Option<f64>> {
        SLOPES.into_iter().map(|metric| self.slope(metric))
    }

    /// Whether a leaderboard with this filter has the run.
    #[must_use]
    pub fn fits(&self, filter: &RunFilter) -> bool {
        let fits = |wanted: &str, own: &str| wanted.is_empty() || wanted == own;
        fits(&filter.agent, &self.agent)
            && fits(&filter.model, &self.model)
            && fits(&filter.arm, &self.arm)
            && (filter.problem.is_empty()
                || self.problems.iter().any(|it| it.name == filter.problem))
    }

    /// The number of problems and trials.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        let trials = self.problems.iter().map(|problem| problem.trials).sum();
        (narrow(self.problems.len()), trials)
    }

    /// The rate of checkpoints by a rule: strict, isolated or core.
    pub(crate) fn rate(&self, rule: Rule) -> rates::CheckpointRate {
        let tallies = self
            .problems
            .iter()
            .map(|problem| problem.tallies[rule as usize]);
        tallies.fold(Tally::default(), Tally::plus).rate()
    }

    /// The mean slope of a metric over trials.
    pub(crate) fn slope(&self, metric: Metric) -> Option<f64> {
        let all = self.problems.iter();
        let all: Vec<f64> = all
            .flat_map(|problem| problem.slopes_of(metric))
            .copied()
            .collect();
        slope_stats::mean(&all)
    }
}

/// A name, or words for its absence.
fn named(name: &str, absent: &str) -> String {
    match name.trim() {
        "" => absent.to_owned(),
        _ => name.to_owned(),
    }
}

impl ProblemCard {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            trials: 0,
            tallies: [Tally::default(); 3],
            coverage: Coverage::default(),
            costs: Vec::new(),
            seconds: Vec::new(),
            slopes: BTreeMap::new(),
        }
    }

    fn add(&mut self, trial: &TrialReport, summary: &TrialSummary) {
        self.trials += 1;
        self.coverage = self.coverage.plus(summary.coverage);
        for (tally, rule) in self.tallies.iter_mut().zip(Rule::ALL) {
            *tally = tally.plus(rates::tally(trial, rule));
        }
        let values = |metric: Metric| {
            let checkpoints = trial.checkpoints.iter();
            checkpoints.filter_map(move |checkpoint| metric.value(checkpoint).ok())
        };
        self.costs.extend(trial.checkpoints.iter().filter_map(cost));
        self.seconds.extend(values(Metric::AGENT_TIME));
        for metric in SLOPES {
            let own = summary.metrics.iter().find(|own| own.metric == metric);
            let slope = own.and_then(|own| own.slope);
            let all = self.slopes.entry(metric.key().to_owned()).or_default();
            all.extend(slope);
        }
    }

    fn slopes_of(&self, metric: Metric) -> &[f64] {
        self.slopes.get(metric.key()).map_or(&[], Vec::as_slice)
    }
}

/// The names of all cards.
#[must_use]
pub fn filter_names<'a>(cards: impl IntoIterator<Item = &'a RunCard>) -> FilterNames {
    let mut names = FilterNames::default();
    for card in cards {
        names.agents.insert(card.agent.clone());
        names.models.insert(card.model.clone());
        names.arms.insert(card.arm.clone());
        let problems = card.problems.iter().map(|problem| problem.name.clone());
        names.problems.extend(problems);
    }
    names
}

/// The cohorts of the runs that fit the filter, those with the highest strict rate first.
#[must_use]
pub fn leaderboard(cards: &[RunCard], filter: &RunFilter) -> Vec<Standing> {
    let mut cohorts: BTreeMap<[&str; 4], Vec<&RunCard>> = BTreeMap::new();
    for card in cards.iter().filter(|card| card.fits(filter)) {
        let name = [&*card.model, &card.agent, &card.arm, &card.track];
        cohorts.entry(name).or_default().push(card);
    }
    let mut all: Vec<Standing> = cohorts
        .into_iter()
        .map(|(name, cards)| standing(name, &cards, &filter.problem))
        .collect();
    let solved = |standing: &Standing| standing.strict.rate.conservative.rate.unwrap_or(-1.0);
    all.sort_by(|a, b| solved(b).total_cmp(&solved(a)));
    all
}

fn standing([model, agent, arm, track]: [&str; 4], cards: &[&RunCard], problem: &str) -> Standing {
    let mut problems: BTreeMap<&str, Vec<&ProblemCard>> = BTreeMap::new();
    for card in cards.iter().flat_map(|card| &card.problems) {
        if problem.is_empty() || card.name == problem {
            problems.entry(&card.name).or_default().push(card);
        }
    }
    let clusters: Vec<Vec<&ProblemCard>> = problems.into_values().collect();
    let all = || clusters.iter().flatten();
    let bootstrap = Bootstrap {
        resamples: RESAMPLES,
        ..Bootstrap::default()
    };
    let rate = |rule: Rule| {
        let tally = |of: &Vec<&ProblemCard>| {
            let tallies = of.iter().map(|card| card.tallies[rule as usize]);
            tallies.fold(Tally::default(), Tally::plus)
        };
        rate_of_problems(&clusters.iter().map(tally).collect::<Vec<_>>(), &bootstrap)
    };
    let mean = |values: Vec<f64>| slope_stats::mean(&values);
    // Runs that have not begun a problem count by their plans; with a problem chosen, only its trials count.
    let coverage: Coverage = match problem.is_empty() {
        true => cards
            .iter()
            .fold(Coverage::default(), |sum, card| sum.plus(card.coverage)),
        false => all().fold(Coverage::default(), |sum, card| sum.plus(card.coverage)),
    };
    Standing {
        agent: agent.to_owned(),
        model: model.to_owned(),
        arm: arm.to_owned(),
        track: track.to_owned(),
        runs: narrow(cards.len()),
        trials: all().map(|card| card.trials).sum(),
        problems: narrow(clusters.len()),
        coverage,
        strict: rate(Rule::Strict),
        isolated: rate(Rule::Isolated),
        core: rate(Rule::Core),
        slopes: SLOPES
            .map(|metric| mean_slope(metric, &clusters, &bootstrap))
            .to_vec(),
        cost_usd: mean(all().flat_map(|card| card.costs.iter().copied()).collect()),
        agent_s: mean(
            all()
                .flat_map(|card| card.seconds.iter().copied())
                .collect(),
        ),
    }
}

fn mean_slope(metric: Metric, clusters: &[Vec<&ProblemCard>], bootstrap: &Bootstrap) -> MeanSlope {
    // A problem without a slope would only make resamples smaller.
    let of_problem = |of: &Vec<&ProblemCard>| -> Option<(f64, u32)> {
        let slopes: Vec<f64> = of
            .iter()
            .flat_map(|card| card.slopes_of(metric))
            .copied()
            .collect();
        (!slopes.is_empty()).then(|| (slopes.iter().sum(), narrow(slopes.len())))
    };
    let sums: Vec<(f64, u32)> = clusters.iter().filter_map(of_problem).collect();
    let mean = |drawn: &[&(f64, u32)]| {
        let (sum, n) = drawn
            .iter()
            .fold((0.0, 0), |(sum, n), of| (sum + of.0, n + of.1));
        (n > 0).then(|| sum / f64::from(n))
    };
    let resampled = (sums.len() > 1)
        .then(|| bootstrap.run(&sums, mean))
        .flatten();
    MeanSlope {
        metric,
        n: sums.iter().map(|of| of.1).sum(),
        mean: mean(&sums.iter().collect::<Vec<_>>()),
        by_problem: resampled.and_then(|r| r.percentile()),
    }
}

/// Cost of a checkpoint with its refactoring pass, if there is one; `None` if a part of it is not known.
fn cost(checkpoint: &CheckpointReport) -> Option<f64> {
    let own = Metric::COST.value(checkpoint).ok()?;
    let pass = checkpoint.after_pass.as_deref();
    let pass = pass.filter(|pass| pass.usage.is_some() || pass.agent_s.is_some());
    match pass {
        Some(pass) => Some(own + Metric::COST.value(pass).ok()?),
        None => Some(own),
    }
}

/// The slopes of two cohorts on the problems that both have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedSlope {
    /// The metric.
    pub metric: Metric,
    /// Problems with slopes in both.
    pub problems: u32,
    /// Mean over these problems of the mean slope of the first cohort's trials, and of the second's.
    pub means: Option<[f64; 2]>,
    /// The first less the second.
    pub difference: Option<f64>,
    /// Percentile interval of it over resampled problems; `None` with fewer than two.
    pub by_problem: Option<Interval>,
}

/// Compares the slopes of two cohorts, paired by problem. An empty problem stands for all.
#[must_use]
pub fn paired_slopes(cohorts: [&[RunCard]; 2], problem: &str) -> Vec<PairedSlope> {
    SLOPES
        .map(|metric| paired_slope(metric, cohorts, problem))
        .to_vec()
}

fn paired_slope(metric: Metric, cohorts: [&[RunCard]; 2], problem: &str) -> PairedSlope {
    let [first, second] = cohorts.map(|cards| {
        let mut slopes: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for card in cards.iter().flat_map(|card| &card.problems) {
            if problem.is_empty() || card.name == problem {
                slopes
                    .entry(&card.name)
                    .or_default()
                    .extend(card.slopes_of(metric));
            }
        }
        slopes
    });
    let pairs: Vec<(f64, f64)> = first
        .iter()
        .filter_map(|(name, own)| {
            Some((
                slope_stats::mean(own)?,
                slope_stats::mean(second.get(name)?)?,
            ))
        })
        .collect();
    let difference = |drawn: &[&(f64, f64)]| {
        let all: Vec<f64> = drawn.iter().map(|(a, b)| a - b).collect();
        slope_stats::mean(&all)
    };
    let bootstrap = Bootstrap {
        resamples: RESAMPLES,
        ..Bootstrap::default()
    };
    let resampled = (pairs.len() > 1)
        .then(|| bootstrap.run(&pairs, difference))
        .flatten();
    let mean = |side: fn(&(f64, f64)) -> f64| {
        slope_stats::mean(&pairs.iter().map(side).collect::<Vec<_>>())
    };
    PairedSlope {
        metric,
        problems: narrow(pairs.len()),
        means: mean(|pair| pair.0)
            .zip(mean(|pair| pair.1))
            .map(|(a, b)| [a, b]),
        difference: difference(&pairs.iter().collect::<Vec<_>>()),
        by_problem: resampled.and_then(|r| r.percentile()),
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
