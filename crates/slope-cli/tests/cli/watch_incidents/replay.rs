//! Days of a watch under a made-up clock, assembled from results of a pool.
//!
//! Each task has a pass rate of its own, from a Beta distribution with the mean and spread of the design (0.58, and a
//! variance between runs of 0.162, as of the fixed suite of a public tracker). A run draws whether it passes, then one of
//! the pool's results of its task. Amounts are those of the pool times a log-normal factor.

use std::collections::BTreeMap;

use jiff::ToSpan;
use slope_model::schema;
use slope_model::usage::Usage;
use slope_model::watch::{ArmDay, Conduct, Role, TaskOutcome, TaskRun, WatchDay};
use slope_stats::random::SplitMix64;
use slope_watch::settings::{
    AlarmSettings, ArmSettings, BaselineSettings, BudgetSettings, Settings,
};

use super::pool::Pool;

/// Tasks of a watch.
const TASKS: usize = 50;
/// Days of the baseline.
pub(super) const BASELINE: usize = 15;
/// Parameters of the Beta distribution of pass rates: mean 0.58, sum 2.
const BETA: (f64, f64) = (1.16, 0.84);
/// Standard deviation of the logarithm of an amount from run to run.
const AMOUNTS: f64 = 0.35;
/// Share of runs with stray characters on a quiet day.
const STRAY: f64 = 0.0005;
/// Arms with their tasks.
const ARMS: [(&str, Role, usize); 3] = [
    ("main", Role::Target, TASKS),
    ("pinned", Role::Pinned, 20),
    ("other", Role::Other, 10),
];

/// How an arm behaves on a day.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    /// Behaviour whose amounts, version and requests the arm has.
    pub(super) style: &'static str,
    /// Share of right answers that are wrong instead.
    pub(super) spoiled: f64,
    /// Share of runs with stray characters, beyond the usual one. Half of them do not parse.
    pub(super) stray: f64,
}

pub(super) const USUAL: Change = Change {
    style: "right",
    spoiled: 0.0,
    stray: 0.0,
};

/// A watch of which days are assembled.
pub(super) struct Replay<'a> {
    pool: &'a Pool,
    /// Names of the tasks, and those of the pool's tasks that stand for them.
    tasks: Vec<(String, &'a str)>,
    rates: Vec<f64>,
    seed: u64,
    /// Standard deviation of days, in logits of the pass rate.
    days_sd: f64,
}

fn generator(seed: u64, day: usize, arm: usize) -> SplitMix64 {
    let mut mixed = SplitMix64::new(seed ^ (day as u64) << 20 ^ (arm as u64) << 44);
    SplitMix64::new(mixed.next_u64())
}

fn normal(random: &mut SplitMix64) -> f64 {
    let mut uniform = || random.fraction() + 2f64.powi(-54);
    let (radius, angle) = (uniform(), uniform());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// A value of a Beta distribution (Jöhnk 1964).
fn beta(random: &mut SplitMix64, (a, b): (f64, f64)) -> f64 {
    loop {
        let (x, y) = (
            random.fraction().powf(1.0 / a),
            random.fraction().powf(1.0 / b),
        );
        if x + y > 0.0 && x + y <= 1.0 {
            return x / (x + y);
        }
    }
}

impl<'a> Replay<'a> {
    pub(super) fn new(pool: &'a Pool, seed: u64, days_sd: f64) -> Self {
        let mut random = generator(seed, 0, 9);
        let name = |at: usize| {
            let task = &pool.tasks[at % pool.tasks.len()];
            let round = at / pool.tasks.len();
            let name = match round {
                0 => task.clone(),
                _ => format!("{task}-{round}"),
            };
            (name, task.as_str())
        };
        Self {
            pool,
            tasks: (0..TASKS).map(name).collect(),
            rates: (0..TASKS).map(|_| beta(&mut random, BETA)).collect(),
            seed,
            days_sd,
        }
    }

    /// The day `at` with `replicates` runs of each task. `change` says how each arm behaves.
    pub(super) fn day(
        &self,
        at: usize,
        replicates: u32,
        change: impl Fn(Role) -> Change,
        arms: usize,
    ) -> WatchDay {
        let mut found = BTreeMap::new();
        for (number, (name, role, tasks)) in ARMS.into_iter().enumerate().take(arms) {
            let mut random = generator(self.seed, at + 1, number);
            let shift = normal(&mut random) * self.days_sd;
            let change = change(role);
            let mut runs = Vec::new();
            for task in 0..tasks {
                for trial in 1..=replicates {
                    runs.push(self.run(task, trial, (change, shift), &mut random));
                }
            }
            let like = self.pool.arm(change.style);
            found.insert(
                name.to_owned(),
                ArmDay {
                    role,
                    model: "m".to_owned(),
                    tasks: runs,
                    ..like.clone()
                },
            );
        }
        WatchDay {
            schema: schema::WATCH_DAY.to_owned(),
            date: date(at),
            suite: "replay".to_owned(),
            replicates,
            class_rules: self.pool.day.class_rules.clone(),
            arms: found,
            invalid: None,
            simulated: true,
        }
    }

    fn run(
        &self,
        task: usize,
        trial: u32,
        (change, shift): (Change, f64),
        random: &mut SplitMix64,
    ) -> TaskRun {
        let (name, of_pool) = &self.tasks[task];
        let rate = self.rates[task].clamp(1e-6, 1.0 - 1e-6);
        let shifted = 1.0 / (1.0 + (-(rate / (1.0 - rate)).ln() - shift).exp());
        let passes = random.fraction() < shifted * (1.0 - change.spoiled);
        let is_stray = random.fraction() < STRAY + change.stray;
        let is_broken = is_stray && random.fraction() < 0.5;
        let result = match (is_broken, passes) {
            (true, _) => self.pool.runs("broken", of_pool).next().unwrap(),
            (false, true) => self.pool.passed("right", of_pool),
            (false, false) => self.failed(of_pool, random),
        };
        let mut run = TaskRun {
            task: name.clone(),
            trial,
            ..result.clone()
        };
        if is_stray {
            let stray = self.pool.passed("foreign", of_pool).conduct.as_ref();
            let conduct = run.conduct.get_or_insert_with(Conduct::default);
            conduct.foreign_characters = stray.unwrap().foreign_characters;
        }
        scale(&mut run, self.pool.passed(change.style, of_pool), random);
        run
    }

    /// A wrong answer to a task: an omission, a wrong detail, or sometimes none.
    fn failed(&self, task: &str, random: &mut SplitMix64) -> &'a TaskRun {
        let behaviour = match random.fraction() {
            ..0.45 => "mutant",
            ..0.95 => "omission",
            _ => "none",
        };
        let pool = self.pool;
        let is_failed = |run: &&TaskRun| run.outcome == TaskOutcome::Failed;
        let mut found = pool
            .arm(behaviour)
            .tasks
            .iter()
            .filter(|run| run.task == task);
        // A changed detail that no test sees is a right answer.
        let other = || {
            pool.arm("omission")
                .tasks
                .iter()
                .find(|run| run.task == task)
        };
        found.find(is_failed).or_else(other).unwrap()
    }
}

/// Gives a run the amounts of `like`, times factors of its own.
fn scale(run: &mut TaskRun, like: &TaskRun, random: &mut SplitMix64) {
    let mut factor = || (normal(random) * AMOUNTS).exp();
    let (tokens, time, reads) = (factor(), factor(), factor());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "small counts"
    )]
    let times = |count: u64, factor: f64| (count as f64 * factor).round() as u64;
    run.usage = like.usage.as_ref().map(|usage| {
        let mut scaled = Usage {
            cost_usd: usage.cost_usd.map(|cost| cost * tokens),
            requests: times(usage.requests, reads).max(1),
            tool_calls: times(usage.tool_calls, reads),
            ..usage.clone()
        };
        scaled.tokens.input = times(usage.tokens.input, tokens);
        scaled.tokens.output = times(usage.tokens.output, tokens);
        scaled.tokens.reasoning = times(usage.tokens.reasoning, tokens);
        scaled
    });
    run.agent_s = like.agent_s.map(|seconds| seconds * time);
    let (Some(conduct), Some(like)) = (&mut run.conduct, &like.conduct) else {
        return;
    };
    conduct.tool_s = like.tool_s.map(|seconds| seconds * time);
    let reads = like.reads_before_edit.map(|count| times(count, reads));
    conduct.reads_before_edit = conduct.reads_before_edit.and(reads);
}

pub(super) fn date(at: usize) -> String {
    let first = jiff::civil::date(2026, 1, 1);
    let days = i64::try_from(at).unwrap().days();
    first.checked_add(days).unwrap().to_string()
}

/// The settings of the watch, which plan its days.
pub(super) fn settings() -> Settings {
    let arm = |(name, role, tasks): (&str, Role, usize)| {
        let arm = ArmSettings {
            role,
            tasks: Some(tasks),
            ..ArmSettings::default()
        };
        (name.to_owned(), arm)
    };
    Settings {
        tasks: vec!["python/a/b".to_owned()],
        problems: Vec::new(),
        baseline: BaselineSettings::default(),
        alarms: AlarmSettings::default(),
        budget: BudgetSettings::default(),
        deliver: BTreeMap::new(),
        arms: ARMS.into_iter().map(arm).collect(),
    }
}

/// The day on which the mean of the last `window` days is below the baseline's rate as a plain binomial test has it,
/// taking that rate for known, for each day from the first whole window on.
pub(super) fn rolling(days: &[WatchDay], window: usize) -> Vec<usize> {
    let counts = days.iter().map(|day| {
        let runs = &day.arms["main"].tasks;
        let passed = runs.iter().filter(|run| run.outcome == TaskOutcome::Passed);
        (
            slope_stats::float(passed.count()),
            slope_stats::float(runs.len()),
        )
    });
    let counts = Vec::from_iter(counts);
    let sum = |some: &[(f64, f64)]| {
        let add = |a: (f64, f64), b: &(f64, f64)| (a.0 + b.0, a.1 + b.1);
        some.iter().fold((0.0, 0.0), add)
    };
    let (passed, runs) = sum(&counts[..BASELINE]);
    let rate = passed / runs;
    let is_low = |at: &usize| {
        let (passed, runs) = sum(&counts[at + 1 - window..=*at]);
        passed / runs < rate - 1.96 * (rate * (1.0 - rate) / runs).sqrt()
    };
    (BASELINE + window - 1..days.len()).filter(is_low).collect()
}
