//! Rates: solved checkpoints and trials, the denominators, and their uncertainty.
//!
//! The definitions are in `docs/reports.md`; the comments here give reasons.

use serde::{Deserialize, Serialize};
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, RunConfig, TrialReport};
use slope_model::verdict::State;
use slope_stats::{Interval, Z95, wilson};

/// A checkpoint's known outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// With a verdict about the agent: passed, failed, agent-error, budget, timeout.
    Graded,
    /// Never reached because the agent ended its trial before: unsolved.
    Lost,
    /// The harness failed here: missing.
    Infrastructure,
    /// Not graded yet, or not reached because the harness failed before: missing.
    Ungraded,
}

/// Number of expected checkpoints, by what happened to them. `graded + lost + infrastructure +
/// ungraded` is `expected`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Checkpoints that the run was planned to have.
    pub expected: u32,
    /// Checkpoints with a verdict about the agent.
    pub graded: u32,
    /// Checkpoints never reached because the agent ended the trial before; unsolved.
    pub lost: u32,
    /// Checkpoints at which the harness failed; missing.
    pub infrastructure: u32,
    /// Checkpoints that were not graded yet, not reached after a harness failure, or belong to
    /// trials that are not in the report; missing.
    pub ungraded: u32,
}

impl Coverage {
    /// Checkpoints that no rate can use.
    #[must_use]
    pub fn missing(&self) -> u32 {
        self.infrastructure + self.ungraded
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            expected: self.expected + other.expected,
            graded: self.graded + other.graded,
            lost: self.lost + other.lost,
            infrastructure: self.infrastructure + other.infrastructure,
            ungraded: self.ungraded + other.ungraded,
        }
    }

    fn add(&mut self, standing: Standing) {
        self.expected += 1;
        match standing {
            Standing::Graded => self.graded += 1,
            Standing::Lost => self.lost += 1,
            Standing::Infrastructure => self.infrastructure += 1,
            Standing::Ungraded => self.ungraded += 1,
        }
    }
}

/// A count, its denominator, the rate, and the rate's 95 % Wilson interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Proportion {
    /// The count.
    pub count: u32,
    /// Out of how many.
    pub of: u32,
    /// `count / of`; `None` where `of` is 0.
    pub rate: Option<f64>,
    /// 95 % interval; `None` where `of` is 0.
    pub interval: Option<Interval>,
}

impl Proportion {
    pub(crate) fn new(count: u32, of: u32) -> Self {
        Self {
            count,
            of,
            rate: (of > 0).then(|| f64::from(count) / f64::from(of)),
            interval: wilson(u64::from(count), u64::from(of), Z95),
        }
    }
}

/// A rate of checkpoints, over two denominators.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRate {
    /// Solved of graded.
    pub graded: Proportion,
    /// Solved checkpoints of graded and lost ones: checkpoints after an early end of the agent
    /// count as unsolved. Equals the published rate over expected checkpoints if nothing is
    /// missing.
    pub conservative: Proportion,
    /// Graded checkpoints in neither denominator, because they have no stable test that counts.
    pub undefined: u32,
}

/// A rate of trials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialRate {
    /// Trials that satisfy the condition, of those for which it is known.
    pub known: Proportion,
    /// Trials that the run was planned to have.
    pub expected: u32,
}

/// All rates of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Checkpoints where every stable test passed, earlier checkpoints' included.
    pub strict: CheckpointRate,
    /// As `strict`, but including workspaces of attempts that a time limit or a cap ended; `None`
    /// if no such workspace was graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict_with_left: Option<CheckpointRate>,
    /// As `strict`, for the code after refactoring passes; `None` if there was no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict_after_pass: Option<CheckpointRate>,
    /// Checkpoints where every stable test outside the regression group passed.
    pub isolated: CheckpointRate,
    /// Checkpoints where every stable core test passed.
    pub core: CheckpointRate,
    /// Trials with every checkpoint strictly solved.
    pub solved: TrialRate,
    /// Trials with at least one checkpoint strictly solved.
    pub partial: TrialRate,
}

/// Tests of a group, summed over graded checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct GroupTests {
    /// The group.
    pub group: Group,
    /// Tests that passed.
    pub passed: u32,
    /// Stable tests.
    pub stable: u32,
    /// Unstable tests; in neither of the above.
    pub unstable: u32,
    /// Mean over checkpoints of passed / stable, checkpoints without stable tests left out.
    pub mean_share: Option<f64>,
    /// Checkpoints in that mean.
    pub checkpoints: u32,
}

/// Tests that must pass for a checkpoint to count as solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    Strict,
    Isolated,
    Core,
}

impl Rule {
    pub(crate) const ALL: [Self; 3] = [Self::Strict, Self::Isolated, Self::Core];

    /// The name in every output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Isolated => "isolated",
            Self::Core => "core",
        }
    }
}

/// The outcome of each checkpoint of `trial`, in order.
pub(crate) fn standings(trial: &TrialReport) -> Vec<Standing> {
    let mut agent_ended = false;
    let mut standings = Vec::with_capacity(trial.checkpoints.len());
    for checkpoint in &trial.checkpoints {
        standings.push(match checkpoint.state {
            State::Passed | State::Failed => {
                agent_ended = false;
                Standing::Graded
            }
            State::AgentError | State::Budget | State::Timeout => {
                agent_ended = true;
                Standing::Graded
            }
            // Later states are caused by the harness, not by the agent.
            State::Infrastructure => {
                agent_ended = false;
                Standing::Infrastructure
            }
            State::Ungraded if agent_ended => Standing::Lost,
            State::Ungraded => Standing::Ungraded,
        });
    }
    standings
}

/// The coverage of one trial.
pub(crate) fn trial_coverage(trial: &TrialReport) -> Coverage {
    let mut coverage = Coverage::default();
    standings(trial).into_iter().for_each(|s| coverage.add(s));
    coverage
}

/// The coverage of a run; planned checkpoints that are not in the report are ungraded.
pub(crate) fn run_coverage(config: &RunConfig, trials: &[TrialReport]) -> Coverage {
    let mut total = Coverage::default();
    for coverage in trials.iter().map(trial_coverage) {
        total = total.plus(coverage);
    }
    let per_trial: usize = config
        .problems
        .values()
        .map(|p| p.checkpoint_names.len())
        .sum();
    let planned = u32::try_from(per_trial)
        .unwrap_or(u32::MAX)
        .saturating_mul(config.trials);
    let unseen = planned.saturating_sub(total.expected);
    total.expected += unseen;
    total.ungraded += unseen;
    total
}

/// The rates of a run.
pub(crate) fn rates(config: &RunConfig, trials: &[TrialReport]) -> Rates {
    let expected = expected_trials(config, trials);
    let of_trials =
        |holds: fn(&TrialReport) -> Option<bool>| trial_rate(trials.iter().map(holds), expected);
    Rates {
        strict: checkpoint_rate(trials, Rule::Strict),
        strict_with_left: with_left(trials),
        strict_after_pass: after_passes(trials).map(|after| checkpoint_rate(&after, Rule::Strict)),
        isolated: checkpoint_rate(trials, Rule::Isolated),
        core: checkpoint_rate(trials, Rule::Core),
        solved: of_trials(solved),
        partial: of_trials(partly_solved),
    }
}

/// The strict rate including workspaces of ended attempts, if there are any, with the denominators of the strict rate.
fn with_left(trials: &[TrialReport]) -> Option<CheckpointRate> {
    let left = trials
        .iter()
        .flat_map(|trial| &trial.checkpoints)
        .filter_map(|checkpoint| Some(checkpoint.left.as_ref()?.state));
    // Workspaces that could not be graded do not count.
    let left: Vec<State> = left
        .filter(|state| matches!(state, State::Passed | State::Failed))
        .collect();
    if left.is_empty() {
        return None;
    }
    let mut all = trials
        .iter()
        .map(|trial| tally(trial, Rule::Strict))
        .fold(Tally::default(), Tally::plus);
    let passed = left.iter().filter(|state| **state == State::Passed);
    all.solved += u32::try_from(passed.count()).unwrap_or(u32::MAX);
    Some(all.rate())
}

/// The trials with the code that refactoring passes left, if there was a pass.
fn after_passes(trials: &[TrialReport]) -> Option<Vec<TrialReport>> {
    let mut after = trials.to_vec();
    let mut passes = 0;
    for checkpoint in after.iter_mut().flat_map(|trial| &mut trial.checkpoints) {
        if let Some(pass) = checkpoint.after_pass.take() {
            *checkpoint = *pass;
            passes += 1;
        }
    }
    (passes > 0).then_some(after)
}

/// Trials that a run was planned to have, or has.
pub(crate) fn expected_trials(config: &RunConfig, trials: &[TrialReport]) -> u32 {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let planned = narrow(config.problems.len()).saturating_mul(config.trials);
    planned.max(narrow(trials.len()))
}

/// Share of trials for which the condition is true, among those for which it is known.
pub(crate) fn trial_rate(holds: impl Iterator<Item = Option<bool>>, expected: u32) -> TrialRate {
    let (mut count, mut of) = (0, 0);
    for holds in holds.flatten() {
        count += u32::from(holds);
        of += 1;
    }
    TrialRate {
        known: Proportion::new(count, of),
        expected,
    }
}

fn checkpoint_rate(trials: &[TrialReport], rule: Rule) -> CheckpointRate {
    let tallies = trials.iter().map(|trial| tally(trial, rule));
    tallies.fold(Tally::default(), Tally::plus).rate()
}

/// Checkpoints of a rate, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Solved.
    pub(crate) solved: u32,
    /// Graded checkpoints in the rate.
    pub(crate) graded: u32,
    lost: u32,
    undefined: u32,
}

impl Tally {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            solved: self.solved + other.solved,
            graded: self.graded + other.graded,
            lost: self.lost + other.lost,
            undefined: self.undefined + other.undefined,
        }
    }

    /// The rate.
    pub(crate) fn rate(self) -> CheckpointRate {
        CheckpointRate {
            graded: Proportion::new(self.solved, self.graded),
            conservative: Proportion::new(self.solved, self.graded + self.lost),
            undefined: self.undefined,
        }
    }
}

/// Counts a trial's checkpoints.
pub(crate) fn tally(trial: &TrialReport, rule: Rule) -> Tally {
    let mut tally = Tally::default();
    for (checkpoint, standing) in trial.checkpoints.iter().zip(standings(trial)) {
        match standing {
            Standing::Graded => match is_solved(checkpoint, rule) {
                Some(solved) => {
                    tally.graded += 1;
                    tally.solved += u32::from(solved);
                }
                None => tally.undefined += 1,
            },
            Standing::Lost => tally.lost += 1,
            Standing::Infrastructure | Standing::Ungraded => {}
        }
    }
    tally
}

/// Whether a graded checkpoint is solved; `None` where no stable test counts.
pub(crate) fn is_solved(checkpoint: &CheckpointReport, rule: Rule) -> Option<bool> {
    match checkpoint.state {
        State::Passed | State::Failed => {}
        // An attempt that was cut short is unsolved, even if its workspace would pass.
        _ => return Some(false),
    }
    if rule == Rule::Strict {
        return Some(checkpoint.state == State::Passed);
    }
    let counts = |group: Group| match rule {
        Rule::Strict => true,
        Rule::Isolated => group != Group::Regression,
        Rule::Core => group == Group::Core,
    };
    let (passed, stable) = checkpoint
        .counts
        .iter()
        .filter(|(group, _)| counts(**group))
        .fold((0, 0), |(passed, stable), (_, count)| {
            (
                passed + count.passed,
                stable + count.total.saturating_sub(count.unstable),
            )
        });
    (stable > 0).then_some(passed >= stable)
}

/// Whether every checkpoint is strictly solved; `None` while that is open.
pub(crate) fn solved(trial: &TrialReport) -> Option<bool> {
    let verdicts = strict_verdicts(trial);
    if verdicts.contains(&Some(false)) {
        Some(false)
    } else if verdicts.is_empty() || verdicts.contains(&None) {
        None
    } else {
        Some(true)
    }
}

/// Whether some checkpoint is strictly solved; `None` while that is open.
pub(crate) fn partly_solved(trial: &TrialReport) -> Option<bool> {
    let verdicts = strict_verdicts(trial);
    if verdicts.contains(&Some(true)) {
        Some(true)
    } else if verdicts.is_empty() || verdicts.contains(&None) {
        None
    } else {
        Some(false)
    }
}

/// Share of strictly solved checkpoints of a trial, lost ones counted as unsolved; `None` if none
/// is known.
pub(crate) fn share_solved(trial: &TrialReport) -> Option<f64> {
    let known: Vec<bool> = strict_verdicts(trial).into_iter().flatten().collect();
    let solved = known.iter().filter(|solved| **solved).count();
    (!known.is_empty()).then(|| solved as f64 / known.len() as f64)
}

fn strict_verdicts(trial: &TrialReport) -> Vec<Option<bool>> {
    verdicts(trial, Rule::Strict)
}

/// Whether each checkpoint of a trial is solved; lost ones are not; `None` if unknown.
pub(crate) fn verdicts(trial: &TrialReport, rule: Rule) -> Vec<Option<bool>> {
    trial
        .checkpoints
        .iter()
        .zip(standings(trial))
        .map(|(checkpoint, standing)| match standing {
            Standing::Graded => is_solved(checkpoint, rule),
            Standing::Lost => Some(false),
            Standing::Infrastructure | Standing::Ungraded => None,
        })
        .collect()
}

/// Tests by group over the graded checkpoints of `trials`; groups without tests are absent.
pub(crate) fn group_tests(trials: &[TrialReport]) -> Vec<GroupTests> {
    Group::ALL
        .into_iter()
        .filter_map(|group| tests_of(trials, group))
        .collect()
}

fn tests_of(trials: &[TrialReport], group: Group) -> Option<GroupTests> {
    let mut tests = GroupTests {
        group,
        passed: 0,
        stable: 0,
        unstable: 0,
        mean_share: None,
        checkpoints: 0,
    };
    let mut shares = Vec::new();
    for checkpoint in trials.iter().flat_map(|t| &t.checkpoints) {
        if matches!(checkpoint.state, State::Infrastructure | State::Ungraded) {
            continue;
        }
        let Some(count) = checkpoint.counts.get(&group) else {
            continue;
        };
        let stable = count.total.saturating_sub(count.unstable);
        tests.passed += count.passed;
        tests.stable += stable;
        tests.unstable += count.unstable;
        if stable > 0 {
            shares.push(f64::from(count.passed) / f64::from(stable));
            tests.checkpoints += 1;
        }
    }
    tests.mean_share = slope_stats::mean(&shares);
    (tests.stable + tests.unstable > 0).then_some(tests)
}
