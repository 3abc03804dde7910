//! Which version of an agent is the first bad one, with as few runs as the statistics allow.
//!
//! The good and the bad version run all tasks first. Then each step runs the tasks that tell them apart best, with the
//! version that halves the remaining probability (probabilistic bisection: Horstein 1963, Waeber et al. 2013). A wrong
//! result of a single run is never final: it moves probability.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_failures::Rules;
use slope_model::watch::{ArmDay, TaskOutcome};

use crate::collect;

/// Passed runs and runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Runs that passed.
    pub passed: u32,
    /// Runs with a result.
    pub runs: u32,
}

/// A search for the first bad version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bisection {
    /// Versions in order: the first is good, the last is bad.
    pub versions: Vec<String>,
    /// Tasks.
    pub tasks: Vec<String>,
    /// Runs of each task with the good and with the bad version, before the search.
    pub end_runs: u32,
    /// Most runs in all.
    pub most_runs: u64,
    /// Probability that is enough for an answer.
    pub certainty: f64,
    /// Results by version and task, in the orders above.
    pub results: BTreeMap<usize, BTreeMap<usize, Tally>>,
}

/// What a search does next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Run these tasks with a version.
    Run {
        /// Position of the version.
        version: usize,
        /// Positions of the tasks.
        tasks: Vec<usize>,
        /// Runs of each.
        runs: u32,
    },
    /// The search is over.
    Over(Outcome),
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The first bad version; `None` if it is not certain enough.
    pub first_bad: Option<String>,
    /// Versions that may be the first bad one, with their probabilities, the most probable first. Together they
    /// have at least the requested probability.
    pub candidates: Vec<(String, f64)>,
    /// z of the difference between the good and the bad version.
    pub difference_z: f64,
    /// Runs with a result.
    pub runs: u64,
    /// Why the search ended.
    pub why: Why,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// One version is probable enough.
    Found,
    /// The bad version is not clearly worse than the good one.
    NoDifference,
    /// All runs are used up.
    RunsUsedUp,
    /// A run has no results, and would have none again.
    NoResults,
}

/// z below which the two ends do not differ.
const LEAST_Z: f64 = 2.0;
/// Most tasks of a step. The most telling ones are chosen.
const TASKS_OF_STEP: usize = 10;
/// Evidence of a run, in nats, below which a task is not worth a run.
const LEAST_TELLING: f64 = 0.01;

impl Bisection {
    /// Checks a search that was read from a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        if self.versions.len() < 2 || self.tasks.is_empty() || self.end_runs == 0 {
            return Err("it has no versions, tasks or runs".to_owned());
        }
        if !(0.5..1.0).contains(&self.certainty) {
            return Err(format!("its certainty is {}", self.certainty));
        }
        for (version, tasks) in &self.results {
            let is_known = *version < self.versions.len();
            let mut tallies = tasks.iter();
            let fits = |(task, tally): (&usize, &Tally)| {
                *task < self.tasks.len() && tally.passed <= tally.runs
            };
            if !is_known || !tallies.all(fits) {
                return Err(format!("its results of version {version} do not fit"));
            }
        }
        Ok(())
    }

    /// Runs that both ends take before the search.
    #[must_use]
    pub fn runs_of_ends(&self) -> u64 {
        2 * self.tasks.len() as u64 * u64::from(self.end_runs)
    }

    /// What to do next.
    #[must_use]
    pub fn next(&self) -> Step {
        let last = self.versions.len() - 1;
        for end in [0, last] {
            if !self.results.contains_key(&end) {
                return Step::Run {
                    version: end,
                    tasks: (0..self.tasks.len()).collect(),
                    runs: self.end_runs,
                };
            }
        }
        let z = self.difference_z();
        if z < LEAST_Z {
            return self.over(Why::NoDifference);
        }
        let posterior = self.posterior();
        if posterior.iter().any(|p| *p >= self.certainty) {
            return self.over(Why::Found);
        }
        if self.runs() >= self.most_runs {
            return self.over(Why::RunsUsedUp);
        }
        let tasks = self.telling_tasks();
        if tasks.is_empty() {
            return self.over(Why::NoDifference);
        }
        Step::Run {
            version: halving(&posterior),
            tasks,
            runs: 1,
        }
    }

    /// Adds results of a version.
    pub fn add(&mut self, version: usize, results: impl IntoIterator<Item = (usize, Tally)>) {
        let of_version = self.results.entry(version).or_default();
        for (task, tally) in results {
            let known = of_version.entry(task).or_default();
            known.passed += tally.passed;
            known.runs += tally.runs;
        }
    }

    /// Runs with a result.
    #[must_use]
    pub fn runs(&self) -> u64 {
        let tallies = self.results.values().flat_map(BTreeMap::values);
        tallies.map(|tally| u64::from(tally.runs)).sum()
    }

    /// The result, if the search ended now.
    #[must_use]
    pub fn over(&self, why: Why) -> Step {
        let posterior = self.posterior();
        let mut order = Vec::from_iter(posterior.iter().copied().enumerate());
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut candidates = Vec::new();
        let mut sum = 0.0;
        for (at, p) in order {
            if sum >= self.certainty {
                break;
            }
            sum += p;
            candidates.push((self.versions[at + 1].clone(), p));
        }
        let is_found = why == Why::Found;
        Step::Over(Outcome {
            first_bad: candidates
                .first()
                .filter(|_| is_found)
                .map(|one| one.0.clone()),
            candidates,
            difference_z: self.difference_z(),
            runs: self.runs(),
            why,
        })
    }

    fn tally(&self, version: usize, task: usize) -> Tally {
        let of_version = self.results.get(&version);
        of_version
            .and_then(|tasks| tasks.get(&task))
            .copied()
            .unwrap_or_default()
    }

    /// Pass rate of a task with a version, half a run on each side kept from 0 and 1.
    fn rate(&self, version: usize, task: usize) -> f64 {
        let tally = self.tally(version, task);
        (f64::from(tally.passed) + 0.5) / (f64::from(tally.runs) + 1.0)
    }

    /// Raw rates of a task with both ends.
    fn raw_rates(&self, task: usize) -> (f64, f64) {
        (self.rate(0, task), self.rate(self.versions.len() - 1, task))
    }

    /// Pass rates of a task with the good and the bad version. Its difference is drawn towards the mean of all tasks, as
    /// far as chance explains it (empirical Bayes): the tasks with the largest differences are those with the most luck.
    fn rates(&self, task: usize) -> (f64, f64) {
        let last = self.versions.len() - 1;
        let all = Vec::from_iter((0..self.tasks.len()).filter_map(|task| {
            let (good, bad) = (self.tally(0, task), self.tally(last, task));
            if good.runs == 0 || bad.runs == 0 {
                return None;
            }
            let (p, q) = self.raw_rates(task);
            let chance = p * (1.0 - p) / f64::from(good.runs) + q * (1.0 - q) / f64::from(bad.runs);
            Some((p - q, chance))
        }));
        let n = slope_stats::float(all.len().max(1));
        let mean = all.iter().map(|one| one.0).sum::<f64>() / n;
        let spread = all.iter().map(|one| (one.0 - mean).powi(2)).sum::<f64>() / n;
        let chance = all.iter().map(|one| one.1).sum::<f64>() / n;
        let real = (spread - chance).max(0.0);
        let (p, q) = self.raw_rates(task);
        let share = if real > 0.0 {
            real / (real + chance)
        } else {
            0.0
        };
        let difference = mean + (p - q - mean) * share;
        let middle = f64::midpoint(p, q);
        let kept = |rate: f64| rate.clamp(0.05, 0.95);
        (
            kept(middle + difference / 2.0),
            kept(middle - difference / 2.0),
        )
    }

    /// z of the mean difference between the ends, over tasks that both have.
    fn difference_z(&self) -> f64 {
        let last = self.versions.len() - 1;
        let (mut sum, mut variance) = (0.0, 0.0);
        for task in 0..self.tasks.len() {
            let (good, bad) = (self.tally(0, task), self.tally(last, task));
            if good.runs == 0 || bad.runs == 0 {
                continue;
            }
            let (p, q) = self.raw_rates(task);
            sum += f64::from(good.passed) / f64::from(good.runs)
                - f64::from(bad.passed) / f64::from(bad.runs);
            variance += p * (1.0 - p) / f64::from(good.runs) + q * (1.0 - q) / f64::from(bad.runs);
        }
        if variance > 0.0 {
            sum / variance.sqrt()
        } else {
            0.0
        }
    }

    /// Expected evidence of a run of a task, in nats: the mean of both divergences between good and bad.
    fn telling(&self, task: usize) -> f64 {
        let (p, q) = self.rates(task);
        let divergence =
            |a: f64, b: f64| a * (a / b).ln() + (1.0 - a) * ((1.0 - a) / (1.0 - b)).ln();
        f64::midpoint(divergence(p, q), divergence(q, p))
    }

    /// The tasks that tell good from bad best, as of the ends.
    fn telling_tasks(&self) -> Vec<usize> {
        let mut tasks = Vec::from_iter(0..self.tasks.len());
        tasks.retain(|task| self.telling(*task) >= LEAST_TELLING);
        tasks.sort_by(|a, b| self.telling(*b).total_cmp(&self.telling(*a)).then(a.cmp(b)));
        tasks.truncate(TASKS_OF_STEP);
        tasks
    }

    /// Probability of each version after the first of being the first bad one, all equal before any run.
    fn posterior(&self) -> Vec<f64> {
        let last = self.versions.len() - 1;
        let mut logs = vec![0.0; last];
        for (version, tasks) in &self.results {
            if *version == 0 || *version == last {
                continue;
            }
            let evidence: f64 = tasks
                .iter()
                .map(|(task, tally)| self.for_bad(*task, *tally))
                .sum();
            // A version is bad if the first bad one is not after it. `logs[i]` is about version i + 1.
            for log in &mut logs[..*version] {
                *log += evidence;
            }
        }
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = Vec::from_iter(logs.iter().map(|log| (log - most).exp()));
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    }

    /// Log of the likelihood ratio of results for bad against good.
    fn for_bad(&self, task: usize, tally: Tally) -> f64 {
        let (good, bad) = self.rates(task);
        let failed = tally.runs - tally.passed;
        f64::from(tally.passed) * (bad / good).ln()
            + f64::from(failed) * ((1.0 - bad) / (1.0 - good)).ln()
    }
}

/// Passed runs and runs with a result of each task in a run's directory.
///
/// # Errors
/// If the run cannot be read.
pub fn tallies(dir: &Path, track: &str) -> Result<BTreeMap<String, Tally>, crate::Error> {
    let (report, detail) = slope_bench::assemble::read(dir)?;
    let mut arm = ArmDay::default();
    collect::add(&mut arm, &report, &detail, track, &Rules::shipped());
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for run in arm
        .tasks
        .iter()
        .filter(|run| run.outcome != TaskOutcome::Missing)
    {
        let tally = tallies.entry(run.task.clone()).or_default();
        tally.passed += u32::from(run.outcome == TaskOutcome::Passed);
        tally.runs += 1;
    }
    Ok(tallies)
}

/// The version that splits the probability most evenly into "bad" and "still good". Never one of the ends.
fn halving(posterior: &[f64]) -> usize {
    let mut sum = 0.0;
    let mut best = (f64::INFINITY, 1);
    // The last version is bad, so there is nothing to learn from it.
    for (at, p) in posterior.iter().enumerate().take(posterior.len() - 1) {
        sum += p;
        let distance = (sum - 0.5).abs();
        if distance < best.0 {
            best = (distance, at + 1);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use slope_stats::SplitMix64;

    use super::{Bisection, Outcome, Step, Tally, Why};

    /// Searches among versions of which those from `first_bad` on pass less often.
    fn search(seed: u64, first_bad: usize, drop: f64, most_runs: u64) -> Outcome {
        let mut random = SplitMix64::new(seed);
        let tasks = 30;
        let rates = Vec::from_iter((0..tasks).map(|_| 0.3 + 0.65 * random.fraction()));
        let mut search = Bisection {
            versions: (0..17).map(|n| format!("1.0.{n}")).collect(),
            tasks: (0..tasks).map(|n| format!("task {n}")).collect(),
            end_runs: 6,
            most_runs,
            certainty: 0.95,
            results: std::collections::BTreeMap::new(),
        };
        loop {
            match search.next() {
                Step::Over(outcome) => return outcome,
                Step::Run {
                    version,
                    tasks,
                    runs,
                } => {
                    let lost = if version >= first_bad { drop } else { 0.0 };
                    let results = Vec::from_iter(tasks.into_iter().map(|task| {
                        let passed = (0..runs).filter(|_| random.fraction() < rates[task] - lost);
                        (
                            task,
                            Tally {
                                passed: u32::try_from(passed.count()).expect("few"),
                                runs,
                            },
                        )
                    }));
                    search.add(version, results);
                }
            }
        }
    }

    #[test]
    fn large_drop_is_found_in_few_runs() {
        let (mut right, mut runs) = (0, 0);
        for seed in 0..100 {
            let first_bad = 1 + usize::try_from(seed % 16).expect("small");
            let outcome = search(seed, first_bad, 0.25, 10_000);
            right += u32::from(outcome.first_bad == Some(format!("1.0.{first_bad}")));
            runs += outcome.runs;
        }
        // A test of each version with as many runs as the ends have would take 3,060.
        assert!(right >= 90, "{right} of 100 are right");
        assert!(runs / 100 < 800, "{} runs in the mean", runs / 100);
    }

    #[test]
    fn equal_versions_have_no_bad_one() {
        let found = (0..100).filter(|seed| search(*seed, 99, 0.0, 2000).why != Why::NoDifference);
        // z of at least 2 is there by chance in 2.3 % of searches.
        assert!(found.count() <= 6);
    }

    #[test]
    fn used_up_runs_leave_candidates() {
        let outcome = search(3, 9, 0.15, 400);
        assert_eq!((outcome.why, outcome.first_bad), (Why::RunsUsedUp, None));
        assert!(outcome.candidates.len() > 1);
        let sum: f64 = outcome.candidates.iter().map(|one| one.1).sum();
        assert!((0.95..=1.0 + 1e-9).contains(&sum));
    }
}
