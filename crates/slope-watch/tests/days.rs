//! Alarms over days that are made by hand.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use jiff::ToSpan;
use slope_model::schema;
use slope_model::usage::{Tokens, Usage};
use slope_model::watch::{ArmDay, Role, TaskOutcome, TaskRun, WatchDay};
use slope_watch::settings::{ArmSettings, BaselineSettings, Settings};
use slope_watch::{Layer, Limits, State, Status, WatchFolder, status, tick};

const LIMITS: Limits = Limits {
    baseline_days: 15,
    false_alarms_per_year: 0.1,
};

/// The arm of a day with 40 tasks, of which every `fails`th fails; none for 0.
fn arm(role: Role, day: usize, fails: usize, tokens: u64) -> ArmDay {
    let run = |task: usize| {
        let passed = fails == 0 || !(task + day).is_multiple_of(fails);
        // Failures that the tests add are of another class than the usual ones.
        let class = if (task + day).is_multiple_of(10) {
            "logic"
        } else {
            "crash/null"
        };
        TaskRun {
            task: format!("python/p{}/step_{task}", task % 4),
            trial: 1,
            outcome: if passed {
                TaskOutcome::Passed
            } else {
                TaskOutcome::Failed
            },
            reason: None,
            passed_share: None,
            class: (!passed).then(|| class.to_owned()),
            also: None,
            not_passed: Vec::new(),
            usage: Some(Usage {
                tokens: Tokens {
                    output: tokens + (task + day) as u64 % 7,
                    ..Tokens::default()
                },
                requests: 3,
                ..Usage::default()
            }),
            agent_s: None,
            quality: None,
            efficiency: None,
            conduct: None,
        }
    };
    ArmDay {
        role,
        agent: "a".to_owned(),
        agent_version: "1".to_owned(),
        tasks: (0..40).map(run).collect(),
        ..ArmDay::default()
    }
}

/// The day `at` of a series with some arms.
fn day(at: usize, suite: &str, arms: &[(&str, ArmDay)]) -> WatchDay {
    let first = jiff::civil::date(2026, 1, 1);
    let date = first
        .checked_add(i64::try_from(at).unwrap().days())
        .unwrap();
    WatchDay {
        schema: schema::WATCH_DAY.to_owned(),
        date: date.to_string(),
        suite: suite.to_owned(),
        replicates: 1,
        arms: BTreeMap::from_iter(
            arms.iter()
                .map(|(name, arm)| ((*name).to_owned(), arm.clone())),
        ),
        class_rules: Some("1".to_owned()),
        invalid: None,
        simulated: false,
    }
}

fn main_only(days: usize, of: impl Fn(usize) -> ArmDay) -> Vec<WatchDay> {
    (0..days)
        .map(|at| day(at, "s", &[("main", of(at))]))
        .collect()
}

fn fall(at: usize) -> ArmDay {
    arm(Role::Target, at, if at < 30 { 10 } else { 2 }, 1000)
}

fn alarm<'a>(found: &'a Status, measure: &str) -> &'a slope_model::watch_status::AlarmReport {
    found
        .alarms
        .iter()
        .find(|it| it.alarm.measure == measure)
        .unwrap()
}

#[test]
fn invalid_day_hides_no_alarm() {
    let mut days = main_only(50, fall);
    days.push(WatchDay {
        invalid: Some("oracle: the run did not begin".to_owned()),
        ..day(50, "other", &[("main", fall(50))])
    });
    let found = status(&days, LIMITS);
    assert_eq!(found.state, State::Confirmed);
    assert!(
        found.sentence.contains("does not count") && found.sentence.contains("An alarm is open")
    );
}

#[test]
fn alarm_says_which_failures_are_new() {
    let found = status(&main_only(50, fall), LIMITS);
    let classes = &alarm(&found, "pass-rate").classes;
    let names = Vec::from_iter(classes.iter().map(|shift| shift.class.as_str()));
    assert_eq!(names, ["crash", "logic"]);
    assert_eq!((classes[0].before.0, classes[0].since.0 > 0), (0, true));
    assert!(classes[0].interval.0 > 0.3, "{:?}", classes[0].interval);
    assert!(classes[1].interval.0 < 0.0 && classes[1].interval.1 > 0.0);
}

#[test]
fn classes_of_other_rules_are_left_out() {
    let mut days = main_only(50, fall);
    for day in &mut days[..40] {
        day.class_rules = Some("0".to_owned());
    }
    let found = status(&days, LIMITS);
    assert!(
        alarm(&found, "pass-rate").classes.is_empty(),
        "no run before has classes of these rules"
    );
}

#[test]
fn other_tasks_begin_new_baseline() {
    let mut days = main_only(40, fall);
    days.extend((40..46).map(|at| day(at, "other", &[("main", fall(at))])));
    let found = status(&days, LIMITS);
    assert_eq!((found.state, found.baseline_days), (State::Baseline, 6));
    assert!(
        found.sentence.contains("The tasks changed on 2026-02-10"),
        "{}",
        found.sentence
    );
    let settings = Settings {
        tasks: vec!["python/a/b".to_owned()],
        problems: Vec::new(),
        baseline: BaselineSettings::default(),
        alarms: slope_watch::settings::AlarmSettings::default(),
        budget: slope_watch::settings::BudgetSettings::default(),
        deliver: BTreeMap::new(),
        arms: BTreeMap::from([("main".to_owned(), ArmSettings::default())]),
    };
    let plan = tick::plan(&settings, &days);
    assert_eq!(
        (plan.replicates, plan.why.as_str()),
        (2, "day 7 of 15 of the baseline")
    );
}

#[test]
fn opposite_change_is_its_own_alarm() {
    let tokens = |at: usize| match at {
        0..30 => 1000,
        30..40 => 850,
        _ => 3000,
    };
    let found = status(
        &main_only(60, |at| arm(Role::Target, at, 10, tokens(at))),
        LIMITS,
    );
    for report in &found.alarms {
        assert_eq!(
            report.alarm.is_fall,
            report.alarm.effect < 0.0,
            "{}",
            report.sentence
        );
    }
    let newest = alarm(&found, "output-tokens");
    assert!(
        !newest.alarm.is_fall && newest.alarm.effect > 1.0,
        "{}",
        newest.sentence
    );
}

#[test]
fn rare_failures_raise_no_alarm() {
    // 1 of 50 runs fails; then 3 of 40 on one day.
    let of = |at: usize| {
        let mut arm = arm(Role::Target, at, 50, 1000);
        for run in arm.tasks.iter_mut().take(if at == 40 { 3 } else { 0 }) {
            run.outcome = TaskOutcome::Failed;
        }
        arm
    };
    let found = status(&main_only(60, of), LIMITS);
    assert!(
        found
            .alarms
            .iter()
            .all(|it| it.alarm.measure != "pass-rate"),
        "{}",
        found.sentence
    );
    let outage = |at: usize| arm(Role::Target, at, if at < 40 { 50 } else { 1 }, 1000);
    let found = status(&main_only(60, outage), LIMITS);
    assert_eq!(
        alarm(&found, "pass-rate").alarm.raised,
        "2026-02-10",
        "an outage is seen at once"
    );
}

#[test]
fn evidence_stays_finite_in_outages() {
    let outage = |at: usize| arm(Role::Target, at, if at < 30 { 10 } else { 1 }, 1000);
    let found = status(&main_only(120, outage), LIMITS);
    let rate = &found.series[0];
    assert!(
        rate.days
            .iter()
            .all(|day| day.e_detector.is_some_and(f64::is_finite))
    );
}

#[test]
fn late_arm_proves_nothing() {
    let days = (0..80).map(|at| {
        let mut arms = vec![("main", fall(at))];
        if at >= 40 {
            arms.push(("pinned", arm(Role::Pinned, at, 2, 1000)));
        }
        day(at, "s", &arms)
    });
    let found = status(&Vec::from_iter(days), LIMITS);
    let layer = alarm(&found, "pass-rate").attribution.layer;
    assert_eq!(
        layer,
        Layer::Unattributed,
        "its baseline is within the fall"
    );
}

#[test]
fn later_fall_keeps_earlier_begin() {
    let of = |at: usize| match at {
        0..30 => arm(Role::Target, at, 10, 1000),
        30..60 => arm(Role::Target, at, 4, 1000),
        _ => arm(Role::Target, at, 2, 1000),
    };
    let found = status(&main_only(80, of), LIMITS);
    let first = &found.alarms.last().unwrap().alarm;
    assert!(first.began <= first.raised, "{first:?}");
}

#[test]
fn stale_results_are_said_so() {
    let mut days = main_only(40, |at| arm(Role::Target, at, 10, 1000));
    days.extend((40..50).map(|at| day(at, "s", &[("other", arm(Role::Other, at, 10, 1000))])));
    let found = status(&days, LIMITS);
    assert!(
        found.sentence.contains("are of 2026-02-09"),
        "{}",
        found.sentence
    );
}

#[test]
fn other_spellings_of_dates_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    for name in [
        "2026-01-10",
        "20260110",
        "2026-01-10T12:00",
        "0001-01-01",
        "9999-12-31",
        "note",
    ] {
        std::fs::create_dir_all(dir.path().join("days").join(name)).unwrap();
    }
    let dates = WatchFolder::at(dir.path()).dates().unwrap();
    assert_eq!(dates, [jiff::civil::date(2026, 1, 10)]);
}
