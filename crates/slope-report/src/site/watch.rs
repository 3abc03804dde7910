//! One watch: its state, two of its days side by side, and how it works.

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::sent_watch::{SentArm, SentWatch};
use slope_model::watch_compare::{ComparedAmount, ComparedDay, ComparedTask, Comparison};
use slope_model::watch_status::{Sensitivity, Status};

use super::address::watch_address;
use super::watches::is_stale;
use crate::format::{MISSING, age, clean, number, signed};
use crate::watch::{parts, percent};

/// Tasks of a comparison.
const MOST_TASKS: usize = 100;

/// One watch.
#[derive(Debug, Clone)]
pub struct WatchPage {
    /// The project.
    pub project: String,
    /// Name of the watch.
    pub watch: String,
    /// What its monitors need.
    pub sent: SentWatch,
    /// Its state.
    pub status: Status,
    /// Days since the last day with results.
    pub age_days: u32,
    /// The chosen days and arm, empty without one.
    pub chosen: ChosenDays,
    /// The comparison of two days, or the reason that they cannot be compared.
    pub comparison: Option<Result<Comparison, String>>,
}

/// Two days to compare.
#[derive(Debug, Clone, Default)]
pub struct ChosenDays {
    /// The earlier day.
    pub from: String,
    /// The later day.
    pub to: String,
    /// The arm.
    pub arm: String,
}

impl WatchPage {
    pub(super) fn title(&self) -> String {
        self.watch.clone()
    }

    pub(super) fn value(&self) -> Value {
        let status = &self.status;
        let address = watch_address(&self.project, &self.watch);
        let comparison = self.comparison.as_ref();
        context! {
            watch => parts(status),
            project_name => clean(&self.project),
            address,
            age => age(self.age_days),
            is_stale => status.date.is_some() && is_stale(self.age_days),
            first => status.dates.first().map(|date| clean(date)),
            last => status.dates.last().map(|date| clean(date)),
            from => clean(&self.chosen.from),
            to => clean(&self.chosen.to),
            arm => clean(&self.chosen.arm),
            arms => status.arms.iter().map(|arm| clean(&arm.name)).collect::<Vec<_>>(),
            compared => comparison.and_then(|it| it.as_ref().ok()).map(compared),
            fault => comparison.and_then(|it| it.as_ref().err()).map(|fault| clean(fault)),
            method => method(&self.sent, status),
            sent_arms => self.sent.arms.iter().map(sent_arm).collect::<Vec<_>>(),
        }
    }
}

fn compared(of: &Comparison) -> Value {
    let says = match of.mid_p {
        None => "No task differs.",
        Some(p) if p >= 0.05 => "That is not more than chance allows.",
        Some(_) if of.broke > of.fixed => "The later day is worse.",
        Some(_) => "The later day is better.",
    };
    context! {
        days => [&of.from, &of.to].map(compared_day).to_vec(),
        same_suite => of.same_suite,
        same_agent => of.from.agent == of.to.agent && of.from.settings == of.to.settings,
        both => of.both,
        fixed => of.fixed,
        broke => of.broke,
        neither => of.neither,
        unpaired => of.unpaired,
        p => of.mid_p.map_or(MISSING.to_owned(), |p| match p < 0.001 {
            true => "< 0.001".to_owned(),
            false => number(p, 3),
        }),
        says,
        amounts => of.amounts.iter().map(amount).collect::<Vec<_>>(),
        tasks => of.tasks.iter().take(MOST_TASKS).map(task).collect::<Vec<_>>(),
        more => of.tasks.len().saturating_sub(MOST_TASKS),
    }
}

fn compared_day(day: &ComparedDay) -> Value {
    context! {
        date => clean(&day.date),
        agent => clean(&day.agent),
        invalid => day.invalid.as_deref().map(clean),
    }
}

fn amount(of: &ComparedAmount) -> Value {
    let digits = match of.from.abs().max(of.to.abs()) {
        largest if largest < 1.0 => 4,
        largest if largest < 100.0 => 2,
        _ => 0,
    };
    let change = (of.from > 0.0).then(|| (of.to / of.from - 1.0) * 100.0);
    context! {
        title => &of.title,
        unit => &of.unit,
        tasks => of.tasks,
        from => number(of.from, digits),
        to => number(of.to, digits),
        change => change.map_or(MISSING.to_owned(), |change| format!("{} %", signed(change, 1))),
    }
}

fn task(of: &ComparedTask) -> Value {
    let runs = |(passed, all): (u32, u32)| format!("{passed} of {all}");
    context! {
        task => clean(&of.task),
        from => runs(of.from),
        to => runs(of.to),
        tests => of.not_passed.iter().map(|test| clean(test)).collect::<Vec<_>>(),
    }
}

/// How the watch works, from its settings: terms and texts.
fn method(sent: &SentWatch, status: &Status) -> Vec<Value> {
    let days = |count: u32| plural(count, "day");
    let half = percent(sent.false_alarms_per_year / 2.0);
    let rates = status
        .series
        .iter()
        .filter(|one| one.measure == "pass-rate");
    let rate = rates.map(|one| number(one.threshold, 2)).next();
    let others = status
        .series
        .iter()
        .filter(|one| one.measure != "pass-rate");
    let others = Vec::from_iter(others.map(|one| one.threshold));
    let highest = others.iter().copied().fold(f64::MIN, f64::max);
    let suite = status.suite.as_deref().map(clean);
    let all = [
        ("Tasks", format!(
            "{}, suite {}. Other tasks, specs or tests begin a new baseline.",
            plural(sent.tasks, "task"),
            suite.unwrap_or_else(|| "not run yet".to_owned())
        )),
        ("Baseline", format!(
            "The first {} that count, with {} of each task: {} so far.",
            days(sent.baseline_days),
            plural(sent.baseline_replicates, "run"),
            status.baseline_days
        )),
        ("Runs", format!(
            "After the baseline, one run of each task a day, and {} on the day after a scan of at least 2.5.",
            sent.alarm_replicates
        )),
        ("False alarms", format!(
            "At most {} of years without any change have an alarm: {half} for the pass rate, and {half} for all other measures together.",
            percent(sent.false_alarms_per_year)
        )),
        ("Thresholds", match rate {
            None => "There are none before the first day.".to_owned(),
            Some(rate) if others.is_empty() => format!("An alarm of the pass rate is raised at {rate}, and confirmed 0.6 above."),
            Some(rate) => format!(
                "An alarm of the pass rate is raised at {rate}, and of {} at {}. It is confirmed 0.6 above.",
                plural(others.len() as u64, "other measure"),
                number(highest, 2)
            ),
        }),
        ("Sensitivity", status.sensitivity.as_ref().map_or_else(
            || "Not known before the baseline is complete.".to_owned(),
            sensitivity,
        )),
        ("Left out", "A day does not count if a reference solution fails, the empty answer passes, or fewer than 80 % of the \
            assistant's runs have a result. Failures of the infrastructure are missing results. Nothing is filled in.".to_owned()),
    ];
    all.map(|(name, text)| context! { name, text }).to_vec()
}

fn sensitivity(of: &Sensitivity) -> String {
    let days = |days: Option<f64>| match days {
        Some(days) => format!("within {} days", number(days.max(1.0), 0)),
        None => "after more than 300 days".to_owned(),
    };
    format!(
        "A drop of {} points would show {} in half of all cases, and {} in nine of ten.",
        of.drop_points,
        days(of.half),
        days(of.nine_of_ten)
    )
}

fn sent_arm((name, arm): (&String, &SentArm)) -> Value {
    let or_none = |text: &str| match text {
        "" => MISSING.to_owned(),
        text => clean(text),
    };
    context! {
        name => clean(name),
        role => arm.role.name(),
        agent => clean(&arm.agent),
        model => or_none(&arm.model),
        effort => or_none(arm.effort.as_deref().unwrap_or_default()),
        tasks => arm.tasks.map_or("all".to_owned(), |tasks| tasks.to_string()),
    }
}
