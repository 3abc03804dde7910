//! Each measure alarms in its bad direction, only there, and says when the change is over.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use jiff::ToSpan;
use slope_model::schema;
use slope_model::usage::{Tokens, Usage};
use slope_model::watch::{
    ArmDay, Conduct, Quality, Requests, Role, TaskOutcome, TaskRun, WatchDay,
};
use slope_model::watch_status::{Alarm, AlarmReport, Status};
use slope_stats::random::SplitMix64;
use slope_watch::measure::{Direction, Sign};
use slope_watch::monitor::monitor_measure;
use slope_watch::{Layer, Limits, Measure, status};

const LIMITS: Limits = Limits {
    baseline_days: 15,
    false_alarms_per_year: 0.1,
};

/// Day of a change, and first day after it.
const CHANGE: std::ops::Range<usize> = 40..80;
const DAYS: usize = 140;

/// A level of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Level {
    Low,
    Usual,
    High,
}

/// Draws a run with a level of a measure; all other measures are as usual.
struct Draw<'a> {
    measure: Measure,
    level: Level,
    random: &'a mut SplitMix64,
}

impl Draw<'_> {
    /// A share of runs. Shares move by points, amounts by a factor.
    fn rate(&self, usual: f64, moves: bool) -> f64 {
        match self.level {
            Level::Low if moves => usual * 0.4,
            Level::High if moves => (usual * 1.6 + 0.05).min(1.0),
            _ => usual,
        }
    }

    fn amount(&mut self, of: Measure, usual: f64) -> f64 {
        let by = match self.level {
            _ if of != self.measure => 1.0,
            Level::Low => 0.5,
            Level::Usual => 1.0,
            Level::High => 2.0,
        };
        usual * (0.8 + 0.4 * self.random.fraction()) * by
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small positive numbers"
    )]
    fn count(&mut self, of: Measure, usual: f64) -> u64 {
        self.amount(of, usual).round() as u64
    }

    fn usage(&mut self) -> Usage {
        Usage {
            tokens: Tokens {
                input: self.count(Measure::InputTokens, 9000.0),
                output: self.count(Measure::OutputTokens, 4000.0),
                reasoning: self.count(Measure::ReasoningTokens, 2000.0),
                ..Tokens::default()
            },
            requests: self.count(Measure::Requests, 30.0),
            tool_calls: self.count(Measure::ToolCalls, 30.0),
            cost_usd: Some(self.amount(Measure::Cost, 0.3)),
            ..Usage::default()
        }
    }

    fn quality(&mut self) -> Quality {
        Quality {
            sloc: 400,
            erosion: Some(self.amount(Measure::Erosion, 0.3)),
            verbosity: Some(self.amount(Measure::Verbosity, 0.2)),
            mass: Some(self.amount(Measure::Mass, 100.0)),
            clone_lines: Some(self.count(Measure::CloneLines, 40.0)),
            new_security: sign(Sign::NewSecurity, self),
        }
    }

    fn conduct(&mut self) -> Conduct {
        Conduct {
            tool_s: Some(self.amount(Measure::ToolTime, 20.0)),
            reads_before_edit: Some(self.count(Measure::ReadsBeforeEdit, 10.0)),
            malformed_calls: sign(Sign::MalformedCalls, self),
            cut_answers: sign(Sign::CutAnswers, self),
            refusals: sign(Sign::Refusals, self),
            foreign_characters: sign(Sign::ForeignCharacters, self),
            unparsable_files: sign(Sign::UnparsableCode, self),
        }
    }
}

/// A run with a level of a measure; all other measures are as usual.
fn run(measure: Measure, level: Level, random: &mut SplitMix64) -> TaskRun {
    let luck = random.fraction();
    let mut draw = Draw {
        measure,
        level,
        random,
    };
    let passes = luck < draw.rate(0.6, measure == Measure::PassRate);
    let class = match measure {
        Measure::Class(class) => Some(class).filter(|_| luck < draw.rate(0.1, true)),
        _ => None,
    };
    let failed = !passes || class.is_some();
    TaskRun {
        task: String::new(),
        trial: 1,
        outcome: if failed {
            TaskOutcome::Failed
        } else {
            TaskOutcome::Passed
        },
        reason: None,
        passed_share: Some(draw.amount(Measure::PassedTests, 0.45).min(1.0)),
        class: failed.then(|| class.unwrap_or("other").to_owned()),
        also: None,
        not_passed: Vec::new(),
        usage: Some(draw.usage()),
        agent_s: Some(draw.amount(Measure::Time, 60.0)),
        quality: Some(draw.quality()),
        efficiency: None,
        conduct: Some(draw.conduct()),
    }
}

/// Whether a run has a sign: that of the measure has 0.1 % of runs as usual, and 6 % at a high level.
fn sign(of: Sign, draw: &mut Draw<'_>) -> Option<u64> {
    let is_measured = draw.measure == Measure::Sign(of);
    let rate = match draw.level {
        Level::High if is_measured => 0.06,
        Level::Low if is_measured => 0.0,
        _ => 0.001,
    };
    Some(u64::from(draw.random.fraction() < rate))
}

fn arm(role: Role, tasks: usize, of: impl FnMut() -> TaskRun) -> ArmDay {
    let mut tasks = Vec::from_iter(std::iter::repeat_with(of).take(tasks));
    for (at, run) in tasks.iter_mut().enumerate() {
        run.task = format!("python/p{}/step_{at}", at % 5);
    }
    ArmDay {
        role,
        agent: "a".to_owned(),
        agent_version: "1".to_owned(),
        tasks,
        ..ArmDay::default()
    }
}

fn day(at: usize, arms: Vec<(&str, ArmDay)>) -> WatchDay {
    let first = jiff::civil::date(2026, 1, 1);
    WatchDay {
        schema: schema::WATCH_DAY.to_owned(),
        date: first
            .checked_add(i64::try_from(at).unwrap().days())
            .unwrap()
            .to_string(),
        suite: "s".to_owned(),
        replicates: 1,
        arms: arms
            .into_iter()
            .map(|(name, arm)| (name.to_owned(), arm))
            .collect::<BTreeMap<_, _>>(),
        class_rules: Some("1".to_owned()),
        invalid: None,
        simulated: false,
    }
}

/// Alarms of a measure that has the level `changed` for a while.
fn found(measure: Measure, changed: Level) -> Vec<Alarm> {
    let mut random = SplitMix64::new(7);
    let days = (0..DAYS).map(|at| {
        let level = if CHANGE.contains(&at) {
            changed
        } else {
            Level::Usual
        };
        let main = arm(Role::Target, 50, || run(measure, level, &mut random));
        day(at, vec![("main", main)])
    });
    let monitored = monitor_measure(&Vec::from_iter(days), "main", measure, LIMITS);
    monitored.unwrap().alarms
}

fn alarms(found: &Status, measure: Measure) -> Vec<&AlarmReport> {
    let of = |report: &&AlarmReport| report.alarm.measure == measure.name();
    found.alarms.iter().filter(of).collect()
}

#[test]
fn bad_direction_alarms_and_recovers() {
    for measure in Measure::all() {
        let bad = match measure.direction() {
            Direction::Fall => vec![Level::Low],
            Direction::Rise => vec![Level::High],
            Direction::Both => vec![Level::Low, Level::High],
        };
        for level in bad {
            let found = found(measure, level);
            let [alarm] = &found[..] else {
                panic!("{measure:?} {level:?}: {found:?}");
            };
            assert_eq!(alarm.is_fall, level == Level::Low, "{alarm:?}");
            assert_eq!(alarm.effect < 0.0, alarm.is_fall, "{alarm:?}");
            let raised = "2026-02-10".."2026-02-25";
            assert!(raised.contains(&alarm.raised.as_str()), "{alarm:?}");
            let over = "2026-03-15".."2026-04-20";
            let recovered = alarm.recovered.as_deref();
            assert!(
                recovered.is_some_and(|day| over.contains(&day)),
                "{alarm:?}"
            );
        }
    }
}

#[test]
fn good_direction_raises_no_alarm() {
    for measure in Measure::all() {
        let good = match measure.direction() {
            Direction::Fall => Level::High,
            Direction::Rise => Level::Low,
            Direction::Both => Level::Usual,
        };
        let mut found = found(measure, good);
        // A fall from a better level is one, too.
        found.retain(|alarm| alarm.raised.as_str() < "2026-03-22");
        assert!(found.is_empty(), "{found:?}");
    }
}

/// The pass rate of some days: of 50 tasks, each passes with this probability.
fn rates(rate: impl Fn(usize) -> f64, seed: u64) -> Status {
    status(&days_with(rate, seed), LIMITS)
}

/// Alarms of the pass rate alone.
fn alarms_of_rates(rate: impl Fn(usize) -> f64, seed: u64) -> usize {
    let days = days_with(rate, seed);
    let monitored = monitor_measure(&days, "main", Measure::PassRate, LIMITS);
    monitored.unwrap().alarms.len()
}

fn days_with(rate: impl Fn(usize) -> f64, seed: u64) -> Vec<WatchDay> {
    let mut random = SplitMix64::new(seed);
    let days = (0..DAYS).map(|at| {
        let of = || {
            let run = run(Measure::Erosion, Level::Usual, &mut random);
            let passes = random.fraction() < rate(at);
            let outcome = if passes {
                TaskOutcome::Passed
            } else {
                TaskOutcome::Failed
            };
            TaskRun {
                outcome,
                class: None,
                ..run
            }
        };
        day(at, vec![("main", arm(Role::Target, 50, of))])
    });
    days.collect()
}

#[test]
fn deeper_fall_is_another_alarm() {
    let rate = |at: usize| match at {
        0..40 => 0.8,
        40..70 => 0.6,
        70..110 => 0.3,
        _ => 0.8,
    };
    let found = rates(rate, 3);
    let mut alarms = alarms(&found, Measure::PassRate);
    alarms.sort_by_key(|report| report.alarm.raised.clone());
    let [first, second] = alarms[..] else {
        panic!("{:?}", Vec::from_iter(alarms.iter().map(|it| &it.sentence)));
    };
    assert_eq!(second.alarm.deepens.as_ref(), Some(&first.id));
    assert!(
        second.sentence.contains("fell further on 2026-03-1"),
        "{}",
        second.sentence
    );
    assert!(
        (-0.4..-0.2).contains(&second.alarm.effect),
        "{}",
        second.sentence
    );
    assert!(
        second.alarm.recovered.is_some() && first.alarm.recovered.is_some(),
        "{}",
        first.sentence
    );
}

#[test]
fn partial_recovery_keeps_first_alarm() {
    let rate = |at: usize| match at {
        0..40 => 0.8,
        70..100 => 0.3,
        _ => 0.6,
    };
    let found = rates(rate, 3);
    let mut alarms = alarms(&found, Measure::PassRate);
    alarms.sort_by_key(|report| report.alarm.raised.clone());
    assert_eq!(alarms.len(), 2, "{}", found.sentence);
    assert_eq!(alarms[0].alarm.recovered, None, "{}", alarms[0].sentence);
    assert!(
        alarms[1].alarm.recovered.is_some(),
        "{}",
        alarms[1].sentence
    );
}

/// Days at another rate differ by another amount, too: at 80 % five times as much as at 97 %. Luck alone deepens about 2
/// of 100 alarms within 100 days.
#[test]
fn steady_open_alarm_is_not_deepened() {
    for (before, since) in [(0.8, 0.6), (0.97, 0.8)] {
        let of = |seed| alarms_of_rates(|at| if at < 40 { before } else { since }, seed);
        let deepened = (1..=100).filter(|seed| of(*seed) > 1).count();
        assert!(deepened <= 6, "{before} to {since}: {deepened} of 100");
    }
}

#[test]
fn most_deeper_falls_are_found() {
    let rate = |at: usize| match at {
        0..40 => 0.97,
        40..80 => 0.8,
        _ => 0.65,
    };
    let found = (1..=20).filter(|seed| alarms_of_rates(rate, *seed) >= 2);
    assert!(found.count() >= 18);
}

/// A year whose days share a deviation of 3 points: the share of years with an alarm is stated for them, too.
#[test]
fn days_that_differ_raise_no_alarm() {
    let year = |seed: u64| {
        let mut shifts = SplitMix64::new(seed ^ 0xD1CE);
        let shifts = Vec::from_iter((0..DAYS).map(|_| {
            let sum: f64 = (0..12).map(|_| shifts.fraction()).sum();
            0.04 * (sum - 6.0)
        }));
        alarms_of_rates(|at| 0.6 + shifts[at], seed)
    };
    let alarmed = (1..=40).filter(|seed| year(*seed) > 0).count();
    // 5 % of years, of 125 days each; with 4 points ignored it would be a third of them.
    assert!(alarmed <= 4, "{alarmed} of 40");
}

#[test]
fn small_pinned_arm_proves_nothing() {
    let of = |pinned: usize| {
        let mut random = SplitMix64::new(5);
        let measure = Measure::Sign(Sign::ForeignCharacters);
        let days = (0..60).map(|at| {
            let level = if at >= 40 { Level::High } else { Level::Usual };
            let mut one =
                |role, tasks, level| arm(role, tasks, || run(measure, level, &mut random));
            let arms = vec![
                ("main", one(Role::Target, 50, level)),
                ("pinned", one(Role::Pinned, pinned, Level::Usual)),
            ];
            day(at, arms)
        });
        let found = status(&Vec::from_iter(days), LIMITS);
        alarms(&found, measure).last().unwrap().attribution.clone()
    };
    let small = of(1);
    assert_eq!(small.layer, Layer::Unattributed, "{:?}", small.evidence);
    assert!(
        small.evidence.iter().any(|it| it.contains("too few runs")),
        "{:?}",
        small.evidence
    );
    assert_eq!(of(50).layer, Layer::Harness);
}

/// Days since whose 40th the output is shorter and requests have other properties.
fn fewer_tokens_with(before: &Requests, after: &Requests) -> Vec<WatchDay> {
    let mut random = SplitMix64::new(5);
    let days = (0..60).map(|at| {
        let (level, requests) = if at >= 40 {
            (Level::Low, after)
        } else {
            (Level::Usual, before)
        };
        let mut main = arm(Role::Target, 50, || {
            run(Measure::OutputTokens, level, &mut random)
        });
        main.requests = Some(requests.clone());
        day(at, vec![("main", main)])
    });
    days.collect()
}

#[test]
fn changed_requests_name_the_layer() {
    let requests = Requests {
        system: Some("a".to_owned()),
        tools: Some("a".to_owned()),
        parameters: Some("a".to_owned()),
        served: vec!["m-1".to_owned()],
    };
    let other = || Some("b".to_owned());
    let system = Requests {
        system: other(),
        ..requests.clone()
    };
    let parameters = Requests {
        parameters: other(),
        ..requests.clone()
    };
    let tools = Requests {
        tools: other(),
        ..requests.clone()
    };
    let model = Requests {
        served: vec!["m-2".to_owned()],
        ..requests.clone()
    };
    let unknown = Requests {
        system: None,
        ..requests.clone()
    };
    let cases = [
        (system, Layer::Settings, "the system prompt changed"),
        (parameters, Layer::Settings, "effort"),
        (tools, Layer::Harness, "definitions of its tools"),
        (model, Layer::Model, "from m-1 to m-2"),
        (unknown, Layer::Unattributed, "neither"),
    ];
    for (after, layer, evidence) in cases {
        let found = status(&fewer_tokens_with(&requests, &after), LIMITS);
        let found = &alarms(&found, Measure::OutputTokens)[0].attribution;
        assert_eq!(found.layer, layer, "{:?}", found.evidence);
        assert!(
            found.evidence.iter().any(|it| it.contains(evidence)),
            "{:?}",
            found.evidence
        );
    }
}
