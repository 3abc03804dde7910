//! Two days of an arm, paired by task.

use std::collections::{BTreeMap, BTreeSet};

use slope_model::watch::{ArmDay, TaskOutcome, TaskRun, WatchDay};
use slope_model::watch_compare::{ComparedAmount, ComparedDay, ComparedTask, Comparison};
use slope_stats::{float, float_u64, mcnemar};

/// Failed tests of a task that a comparison names.
const MOST_TESTS: usize = 5;

/// Passed runs and runs with a result, by task.
type Counts<'a> = BTreeMap<&'a str, (u32, u32)>;

/// An amount of a run: its title, its unit, and its value.
type Amount = (&'static str, &'static str, fn(&TaskRun) -> Option<f64>);

/// What is compared next to the results.
const AMOUNTS: [Amount; 6] = [
    ("Output tokens", "", |run| {
        Some(float_u64(run.usage.as_ref()?.tokens.output))
    }),
    ("Input tokens", "", |run| {
        let tokens = run.usage.as_ref()?.tokens;
        let all = [tokens.input, tokens.cache_read, tokens.cache_write];
        Some(all.map(float_u64).iter().sum())
    }),
    ("Requests", "", |run| {
        Some(float_u64(run.usage.as_ref()?.requests))
    }),
    ("Tool calls", "", |run| {
        Some(float_u64(run.usage.as_ref()?.tool_calls))
    }),
    ("Cost", "US dollars", |run| run.usage.as_ref()?.cost_usd),
    ("Agent time", "s", |run| run.agent_s),
];

/// Compares two days of an arm; `None` if one of them has no results of it.
#[must_use]
pub fn compare(from: &WatchDay, to: &WatchDay, arm: &str) -> Option<Comparison> {
    let (before, after) = (from.arms.get(arm)?, to.arms.get(arm)?);
    let counts = [before, after].map(counts);
    let mut found = Comparison {
        from: day(from, before),
        to: day(to, after),
        arm: arm.to_owned(),
        same_suite: from.suite == to.suite,
        both: 0,
        fixed: 0,
        broke: 0,
        neither: 0,
        unpaired: 0,
        mid_p: None,
        amounts: AMOUNTS
            .iter()
            .filter_map(|amount| compared(amount, before, after))
            .collect(),
        tasks: changed(&counts, after),
    };
    let names = counts.iter().flat_map(|of| of.keys().copied());
    for task in BTreeSet::from_iter(names) {
        let sides = [0, 1].map(|side| counts[side].get(task).and_then(passed));
        *match sides {
            [Some(true), Some(true)] => &mut found.both,
            [Some(false), Some(true)] => &mut found.fixed,
            [Some(true), Some(false)] => &mut found.broke,
            [Some(false), Some(false)] => &mut found.neither,
            _ => &mut found.unpaired,
        } += 1;
    }
    found.mid_p = mcnemar(found.broke, found.fixed).map(|test| test.mid_p);
    Some(found)
}

fn day(of: &WatchDay, arm: &ArmDay) -> ComparedDay {
    ComparedDay {
        date: of.date.clone(),
        agent: arm.title(),
        settings: arm.settings.clone(),
        invalid: of.invalid.clone(),
    }
}

fn with_result(arm: &ArmDay) -> impl Iterator<Item = &TaskRun> {
    let has_result = |run: &&TaskRun| run.outcome != TaskOutcome::Missing;
    arm.tasks.iter().filter(has_result)
}

fn counts(arm: &ArmDay) -> Counts<'_> {
    let mut counts = Counts::new();
    for run in with_result(arm) {
        let (passed, all) = counts.entry(&run.task).or_default();
        *passed += u32::from(run.outcome == TaskOutcome::Passed);
        *all += 1;
    }
    counts
}

/// Whether more than half of the runs passed; `None` for exactly half.
fn passed((passed, all): &(u32, u32)) -> Option<bool> {
    let twice = passed * 2;
    (twice != *all).then_some(twice > *all)
}

/// The mean of an amount over the tasks that have it on both days, each by the mean of its runs.
fn compared((title, unit, of): &Amount, before: &ArmDay, after: &ArmDay) -> Option<ComparedAmount> {
    let [before, after] = [before, after].map(|arm| {
        let mut sums: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
        for run in with_result(arm) {
            if let Some(value) = of(run) {
                let (sum, count) = sums.entry(&run.task).or_default();
                *sum += value;
                *count += 1;
            }
        }
        sums
    });
    let mean = |(sum, count): &(f64, usize)| sum / float(*count);
    let pairs = before
        .iter()
        .filter_map(|(task, sum)| Some((mean(sum), mean(after.get(task)?))));
    let pairs = Vec::from_iter(pairs);
    let tasks = pairs.len();
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / float(tasks);
    (tasks > 0).then(|| ComparedAmount {
        title: (*title).to_owned(),
        unit: (*unit).to_owned(),
        tasks,
        from: mean(|pair| pair.0),
        to: mean(|pair| pair.1),
    })
}

/// Tasks with another rate, those that fell most first.
fn changed(counts: &[Counts<'_>; 2], after: &ArmDay) -> Vec<ComparedTask> {
    let [before, since] = counts;
    let rate = |(passed, all): (u32, u32)| f64::from(passed) / f64::from(all);
    let mut tasks = Vec::new();
    for (task, from) in before {
        let is_same = |to: &(u32, u32)| from.0 * to.1 == to.0 * from.1;
        let Some(to) = since.get(task).filter(|to| !is_same(to)) else {
            continue;
        };
        let failed = after.tasks.iter().filter(|run| run.task == *task);
        let tests = failed.flat_map(|run| &run.not_passed);
        let tests = BTreeSet::from_iter(tests.map(String::as_str));
        let compared = ComparedTask {
            task: (*task).to_owned(),
            from: *from,
            to: *to,
            not_passed: tests
                .into_iter()
                .take(MOST_TESTS)
                .map(str::to_owned)
                .collect(),
        };
        tasks.push((rate(*to) - rate(*from), compared));
    }
    tasks.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.task.cmp(&b.1.task)));
    tasks.into_iter().map(|(_, task)| task).collect()
}

#[cfg(test)]
mod tests {
    use slope_model::usage::Usage;

    use super::*;

    fn run(task: &str, trial: u32, outcome: TaskOutcome, requests: u64) -> TaskRun {
        TaskRun {
            task: task.to_owned(),
            trial,
            outcome,
            reason: None,
            passed_share: None,
            class: None,
            also: None,
            not_passed: vec!["test_it".to_owned()],
            usage: Some(Usage {
                requests,
                ..Usage::default()
            }),
            agent_s: None,
            quality: None,
            efficiency: None,
            conduct: None,
        }
    }

    fn day(date: &str, tasks: Vec<TaskRun>) -> WatchDay {
        let arm = ArmDay {
            tasks,
            ..ArmDay::default()
        };
        WatchDay {
            schema: String::new(),
            date: date.to_owned(),
            suite: "s".to_owned(),
            replicates: 1,
            class_rules: None,
            arms: BTreeMap::from([("main".to_owned(), arm)]),
            invalid: None,
            simulated: false,
        }
    }

    #[test]
    fn days_are_paired_by_task() {
        use TaskOutcome::{Failed, Missing, Passed};
        let from = day(
            "2026-01-01",
            vec![
                run("a", 1, Passed, 10),
                run("b", 1, Passed, 10),
                run("c", 1, Failed, 10),
                run("d", 1, Failed, 10),
                run("e", 1, Passed, 10),
                run("half", 1, Passed, 10),
                run("half", 2, Failed, 30),
            ],
        );
        let to = day(
            "2026-01-02",
            vec![
                run("a", 1, Passed, 20),
                run("b", 1, Failed, 20),
                run("c", 1, Passed, 20),
                run("d", 1, Failed, 20),
                run("e", 1, Missing, 99),
                run("half", 1, Passed, 20),
            ],
        );
        let found = compare(&from, &to, "main").unwrap();
        let counts = [
            found.both,
            found.fixed,
            found.broke,
            found.neither,
            found.unpaired,
        ];
        assert_eq!(counts, [1, 1, 1, 1, 2]);
        assert!((found.mid_p.unwrap() - 1.0).abs() < 1e-9);
        let requests = found.amounts.iter().find(|one| one.title == "Requests");
        let requests = requests.unwrap();
        assert_eq!(
            (requests.tasks, requests.from, requests.to),
            (5, 12.0, 20.0)
        );
        let tasks = Vec::from_iter(found.tasks.iter().map(|task| task.task.as_str()));
        assert_eq!(tasks, ["b", "half", "c"], "those that fell most come first");
        assert!(compare(&from, &to, "other").is_none());
    }
}
