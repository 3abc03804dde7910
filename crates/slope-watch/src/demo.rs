//! Simulated results of a watch: one degradation, an invalid day and a missed day, to try pages and
//! monitors with. They are marked as simulated.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use slope_model::schema;
use slope_model::usage::{Tokens, Usage};
use slope_model::watch::{ArmDay, Quality, Role, TaskOutcome, TaskRun, WatchDay};
use slope_stats::random::SplitMix64;

use crate::attribution::Layer;

/// A change of the simulated assistant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Degradation {
    /// First day with it, from 0.
    pub day: usize,
    /// First day without it again; `None` if it stays.
    pub until: Option<usize>,
    /// Drop of the pass rate, from 0 to 1.
    pub drop: f64,
    /// Ratio of output tokens.
    pub tokens: f64,
    /// Layer that changed.
    pub layer: Layer,
}

/// A simulated watch.
#[derive(Debug, Clone, PartialEq)]
pub struct Demo {
    /// First day.
    pub first: Date,
    /// Number of days.
    pub days: usize,
    /// Names of the tasks.
    pub tasks: Vec<String>,
    /// Valid days of the baseline, which have two runs of each task.
    pub baseline_days: usize,
    /// The change.
    pub degradation: Option<Degradation>,
    /// Days on which a control fails.
    pub invalid: Vec<usize>,
    /// Days without results.
    pub missed: Vec<usize>,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// Arms of a simulated watch.
const ARMS: [(&str, Role); 3] = [
    ("main", Role::Target),
    ("pinned", Role::Pinned),
    ("other", Role::Other),
];

/// The results of a simulated watch. The same settings give the same results.
#[must_use]
pub fn days(demo: &Demo) -> Vec<WatchDay> {
    let dates = demo.first.series(1.day()).take(demo.days).enumerate();
    let kept = dates.filter(|(at, _)| !demo.missed.contains(at));
    kept.map(|(at, date)| day(demo, at, date)).collect()
}

fn day(demo: &Demo, at: usize, date: Date) -> WatchDay {
    let replicates = if at < demo.baseline_days { 2 } else { 1 };
    let is_invalid = demo.invalid.contains(&at);
    let mut arms = BTreeMap::new();
    for (number, (name, role)) in ARMS.iter().enumerate() {
        arms.insert((*name).to_owned(), arm(demo, at, number, *role, replicates));
    }
    for role in [Role::Oracle, Role::Empty] {
        let passes = role == Role::Oracle && !is_invalid;
        arms.insert(role.name().to_owned(), control(demo, role, passes));
    }
    WatchDay {
        class_rules: Some("demo".to_owned()),
        schema: schema::WATCH_DAY.to_owned(),
        date: date.to_string(),
        suite: "simulated".to_owned(),
        replicates,
        invalid: crate::collect::invalid(&arms),
        arms,
        simulated: true,
    }
}

fn control(demo: &Demo, role: Role, passes: bool) -> ArmDay {
    let outcome = if passes {
        TaskOutcome::Passed
    } else {
        TaskOutcome::Failed
    };
    let run = |task: &String| TaskRun {
        task: task.clone(),
        trial: 1,
        outcome,
        reason: None,
        passed_share: Some(if passes { 1.0 } else { 0.4 }),
        class: None,
        also: None,
        not_passed: Vec::new(),
        usage: None,
        agent_s: None,
        quality: None,
        efficiency: None,
        conduct: None,
    };
    ArmDay {
        role,
        agent: role.name().to_owned(),
        tasks: demo.tasks.iter().map(run).collect(),
        ..ArmDay::default()
    }
}

/// Whether the change is in force for an arm on a day.
fn is_degraded(demo: &Demo, at: usize, role: Role) -> Option<Degradation> {
    let change = demo.degradation?;
    let concerns = match change.layer {
        Layer::Harness | Layer::Settings => role == Role::Target,
        Layer::Model => role != Role::Other,
        Layer::Infrastructure | Layer::Unattributed => true,
    };
    let is_on = at >= change.day && change.until.is_none_or(|until| at < until);
    (concerns && is_on).then_some(change)
}

fn arm(demo: &Demo, at: usize, number: usize, role: Role, replicates: u32) -> ArmDay {
    let change = is_degraded(demo, at, role);
    let is_harness = change.is_some_and(|change| change.layer == Layer::Harness);
    let is_settings = change.is_some_and(|change| change.layer == Layer::Settings);
    let mut random = SplitMix64::new(demo.seed ^ (at as u64) << 24 ^ (number as u64) << 48);
    random = SplitMix64::new(random.next_u64());
    let mut tasks = Vec::new();
    for (place, task) in demo.tasks.iter().enumerate() {
        for trial in 1..=replicates {
            tasks.push(run(demo, task, place, trial, change, &mut random));
        }
    }
    ArmDay {
        role,
        agent: "simulated".to_owned(),
        agent_version: if is_harness { "2.1.0" } else { "2.0.9" }.to_owned(),
        model: if role == Role::Other {
            "other-model"
        } else {
            "simulated-model"
        }
        .to_owned(),
        settings: if is_settings {
            "effort medium"
        } else {
            "effort high"
        }
        .to_owned(),
        tools: None,
        requests: None,
        tasks,
    }
}

fn run(
    demo: &Demo,
    task: &str,
    place: usize,
    trial: u32,
    change: Option<Degradation>,
    random: &mut SplitMix64,
) -> TaskRun {
    let mut uniform = || random.fraction();
    // Difficulties are spread evenly, so that some tasks nearly always pass and others rarely.
    let share = (slope_stats::float(place) + 0.5) / slope_stats::float(demo.tasks.len());
    let rate = 0.98 - 0.8 * share * share;
    let drop = change.map_or(0.0, |change| change.drop);
    let luck = uniform();
    let (passed, would_pass) = (luck < (rate - drop).max(0.0), luck < rate);
    let spread = |uniform: &mut dyn FnMut() -> f64| (uniform() + uniform() + uniform() - 1.5) * 0.7;
    let tokens = change.map_or(1.0, |change| change.tokens);
    let output = (4000.0 * tokens * spread(&mut uniform).exp()).round();
    let mass = 120.0 + 80.0 * share + 12.0 * spread(&mut uniform);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small positive numbers"
    )]
    let usage = Usage {
        tokens: Tokens {
            input: output as u64 * 9,
            output: output as u64,
            ..Tokens::default()
        },
        requests: 12 + (uniform() * 6.0) as u64,
        tool_calls: 10 + (uniform() * 8.0) as u64,
        cost_usd: Some(output * 9.0 * 3e-6 + output * 15e-6),
        ..Usage::default()
    };
    TaskRun {
        task: task.to_owned(),
        trial,
        outcome: if passed {
            TaskOutcome::Passed
        } else {
            TaskOutcome::Failed
        },
        reason: None,
        passed_share: Some(if passed { 1.0 } else { 0.5 + 0.4 * uniform() }),
        class: (!passed).then(|| class(would_pass, uniform()).to_owned()),
        also: None,
        not_passed: Vec::new(),
        agent_s: Some(output / 60.0),
        usage: Some(usage),
        efficiency: None,
        quality: Some(Quality {
            sloc: 400,
            erosion: Some(0.3 + 0.02 * spread(&mut uniform)),
            verbosity: Some(0.2 + 0.02 * spread(&mut uniform)),
            mass: Some(mass),
            clone_lines: Some(20),
            new_security: None,
        }),
        conduct: None,
    }
}

/// Class of a failure: of the change, if the run would have passed without it.
fn class(is_of_change: bool, chance: f64) -> &'static str {
    match chance {
        _ if is_of_change => "no-answer/no-change",
        ..0.5 => "logic",
        ..0.75 => "error-handling",
        ..0.9 => "regression",
        _ => "crash/null",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monitor::{Limits, State};
    use crate::status::status;

    const LIMITS: Limits = Limits {
        baseline_days: 15,
        false_alarms_per_year: 0.1,
    };

    fn demo(degradation: Option<Degradation>) -> Demo {
        Demo {
            first: "2026-10-01".parse().unwrap(),
            days: 60,
            tasks: (1..=50)
                .map(|number| format!("python/p{}/step_{number:02}", number % 9))
                .collect(),
            baseline_days: 15,
            degradation,
            invalid: vec![30],
            missed: vec![33],
            seed: 11,
        }
    }

    fn drop(layer: Layer) -> Degradation {
        Degradation {
            day: 40,
            until: None,
            drop: 0.2,
            tokens: 0.6,
            layer,
        }
    }

    #[test]
    fn quiet_days_raise_no_alarm() {
        let found = status(&days(&demo(None)), LIMITS);
        assert_eq!(found.state, State::Steady, "{}", found.sentence);
        assert!(found.alarms.is_empty(), "{}", found.sentence);
        assert!(
            found
                .sentence
                .contains("A drop of 4 points would show within")
        );
        assert_eq!((found.valid_days, found.invalid_days.len()), (58, 1));
        assert_eq!(found.missing_days, ["2026-11-03"]);
    }

    #[test]
    fn drop_is_found_and_attributed() {
        for layer in [
            Layer::Harness,
            Layer::Settings,
            Layer::Model,
            Layer::Infrastructure,
        ] {
            let found = status(&days(&demo(Some(drop(layer)))), LIMITS);
            assert_eq!(
                found.state,
                State::Confirmed,
                "{layer:?}: {}",
                found.sentence
            );
            let rate = found
                .alarms
                .iter()
                .find(|it| it.alarm.measure == "pass-rate")
                .unwrap();
            assert_eq!(
                rate.attribution.layer, layer,
                "{:?}",
                rate.attribution.evidence
            );
            assert!(rate.alarm.effect < -0.1 && rate.alarm.is_fall);
            let (first, last) = &rate.alarm.began_between;
            assert!(first.as_str() <= "2026-11-10" && "2026-11-10" <= last.as_str());
        }
    }

    /// With `SLOPE_TEST_WHOLE` 200 years: a share of alarms that is above the stated 10 % only by chance.
    #[test]
    fn quiet_years_keep_stated_rate() {
        let years = if std::env::var_os("SLOPE_TEST_WHOLE").is_some() {
            200
        } else {
            6
        };
        let quiet = |seed: u64| {
            let year = Demo {
                days: 365,
                seed,
                ..demo(None)
            };
            let found = status(&days(&year), LIMITS);
            found
                .alarms
                .iter()
                .map(|it| it.sentence.clone())
                .collect::<Vec<_>>()
        };
        let alarmed = (1..=years).map(quiet).filter(|alarms| !alarms.is_empty());
        let alarmed = Vec::from_iter(alarmed);
        let years = f64::from(u32::try_from(years).unwrap());
        let most = 0.1 * years + 3.0 * (0.09 * years).sqrt();
        let count = slope_stats::float(alarmed.len());
        println!("{count} of {years} quiet years have an alarm");
        assert!(count <= most, "{count} of {years}: {alarmed:?}");
    }

    #[test]
    fn rise_of_pass_rate_raises_no_alarm() {
        let better = Degradation {
            drop: -0.2,
            tokens: 1.0,
            ..drop(Layer::Model)
        };
        let found = status(&days(&demo(Some(better))), LIMITS);
        assert!(found.alarms.is_empty(), "{}", found.sentence);
    }

    #[test]
    fn recovery_is_seen() {
        let short = Degradation {
            day: 25,
            until: Some(40),
            drop: 0.25,
            ..drop(Layer::Model)
        };
        let found = status(&days(&demo(Some(short))), LIMITS);
        let rate = found
            .alarms
            .iter()
            .find(|it| it.alarm.measure == "pass-rate")
            .unwrap();
        let recovered = rate.alarm.recovered.as_deref().unwrap();
        assert!(
            ("2026-11-08"..="2026-11-14").contains(&recovered),
            "{recovered}"
        );
        assert_eq!(found.state, State::Recovered, "{}", found.sentence);
    }
}
