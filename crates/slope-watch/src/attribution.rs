//! The layer that changed: model or service, harness, settings, infrastructure, or the tasks.

use slope_model::watch::{ArmDay, Requests, Role, WatchDay};
pub use slope_model::watch_status::{Attribution, Layer};

use crate::daily::{Daily, Difference, daily};
use crate::measure::Measure;
use crate::monitor::{Alarm, Limits, counter};

/// Days since the change that other arms are compared on, so that a later change of theirs is not taken for this one.
const DAYS: usize = 30;

/// Standard errors from which an arm has moved.
const MOVED: f64 = 2.0;

/// Probability of so few events, from which an arm has not moved.
const UNLIKELY: f64 = 0.025;

/// Attributes an alarm by what else changed on its days, and by the other arms.
#[must_use]
pub fn attribute(alarm: &Alarm, days: &[WatchDay], limits: Limits) -> Attribution {
    let mut evidence = Vec::new();
    let changed = changes(alarm, days, &mut evidence);
    let pinned = moved(alarm, days, Role::Pinned, limits, &mut evidence);
    let other = moved(alarm, days, Role::Other, limits, &mut evidence);
    let layer = match (changed, pinned, other) {
        (_, _, Some(true)) => Layer::Infrastructure,
        (Some(layer), Some(false) | None, _) => layer,
        (_, Some(true), _) => Layer::Model,
        (None, Some(false), _) => Layer::Harness,
        (None, None, _) => {
            evidence.push("no pinned arm tells the model from the harness".to_owned());
            Layer::Unattributed
        }
    };
    Attribution { layer, evidence }
}

/// What changed in the alarm's arm on the days on which the change may have begun.
fn changes(alarm: &Alarm, days: &[WatchDay], evidence: &mut Vec<String>) -> Option<Layer> {
    let valid = days.iter().filter(|day| day.invalid.is_none());
    let arms = valid.filter_map(|day| Some((day.date.as_str(), day.arms.get(&alarm.arm)?)));
    let arms = Vec::from_iter(arms);
    let (first, last) = (
        alarm.began_between.0.as_str(),
        alarm.began_between.1.as_str(),
    );
    let mut layer = None;
    for pair in arms.windows(2) {
        let ((_, before), (date, after)) = (pair[0], pair[1]);
        if date < first || date > last {
            continue;
        }
        for (what, of, found) in differences(before, after) {
            evidence.push(format!("{date}: the {what} changed{of}"));
            layer = layer.or(Some(found));
        }
    }
    if layer.is_none() {
        evidence.push(
            "neither the version, the settings nor the tools of the arm are known to have changed on these days".to_owned(),
        );
    }
    layer
}

fn differences(before: &ArmDay, after: &ArmDay) -> Vec<(&'static str, String, Layer)> {
    let mut found = Vec::new();
    if before.agent_version != after.agent_version || before.agent != after.agent {
        let of = format!(" from {} to {}", before.agent_version, after.agent_version);
        found.push(("version of the agent", of, Layer::Harness));
    }
    if before.settings != after.settings {
        found.push(("settings", String::new(), Layer::Settings));
    }
    if before.tools != after.tools {
        found.push(("tools", String::new(), Layer::Harness));
    }
    if before.model != after.model {
        let of = format!(" from {} to {}", before.model, after.model);
        found.push(("requested model", of, Layer::Settings));
    }
    if let (Some(before), Some(after)) = (&before.requests, &after.requests) {
        found.extend(requested(before, after));
    }
    found
}

/// What changed in the requests of an arm, and in the answers to them.
fn requested(before: &Requests, after: &Requests) -> Vec<(&'static str, String, Layer)> {
    let differ = |of: fn(&Requests) -> &Option<String>| {
        let both = of(before).as_ref().zip(of(after).as_ref());
        both.is_some_and(|(before, after)| before != after)
    };
    let mut found = Vec::new();
    if differ(|it| &it.system) {
        found.push(("system prompt", String::new(), Layer::Settings));
    }
    if differ(|it| &it.parameters) {
        let what = "parameters of its requests, such as effort or temperature,";
        found.push((what, String::new(), Layer::Settings));
    }
    if differ(|it| &it.tools) {
        found.push(("definitions of its tools", String::new(), Layer::Harness));
    }
    if before.served != after.served && !before.served.is_empty() && !after.served.is_empty() {
        let names = [before, after].map(|it| it.served.join(", "));
        let of = format!(" from {} to {}", names[0], names[1]);
        found.push(("model that answers", of, Layer::Model));
    }
    found
}

/// An arm with its role, unless its name says that.
fn named(name: &str, role: Role) -> String {
    if name == role.name() {
        return name.to_owned();
    }
    format!("{name} ({})", role.name())
}

/// Whether the arms of a role moved the same way since the change; `None` without such an arm, or if they have too few
/// runs to tell.
fn moved(
    alarm: &Alarm,
    days: &[WatchDay],
    role: Role,
    limits: Limits,
    evidence: &mut Vec<String>,
) -> Option<bool> {
    let measure = Measure::by_name(&alarm.measure)?;
    let last = days.last()?;
    let names = last.arms.iter().filter(|(_, arm)| arm.role == role);
    let mut verdicts = Vec::new();
    for (name, _) in names {
        let series = daily(days, name, measure, limits.baseline_days);
        let Some(other) = Other::since(alarm, measure, &series) else {
            continue;
        };
        let verdict = other.verdict();
        let verb = match (alarm.is_fall, verdict) {
            (true, Some(true)) => "fell, too",
            (true, Some(false)) => "did not fall",
            (false, Some(true)) => "rose, too",
            (false, Some(false)) => "did not rise",
            (_, None) => "has too few runs to tell",
        };
        evidence.push(format!(
            "{} {verb}: {}",
            named(name, role),
            crate::words::effect(measure, other.effect, other.se)
        ));
        verdicts.extend(verdict);
    }
    (!verdicts.is_empty()).then(|| verdicts.contains(&true))
}

/// A weighted mean of days in the making.
#[derive(Default)]
struct Mean {
    weight: f64,
    moved: f64,
    /// Sum of values and number of runs.
    sum: (f64, f64),
}

impl Mean {
    fn with<'a>(mut self, days: impl IntoIterator<Item = &'a Difference>) -> Self {
        for day in days {
            self.weight += 1.0 / day.variance;
            self.moved += day.difference / day.variance;
            self.sum = (self.sum.0 + day.sum.0, self.sum.1 + day.sum.1);
        }
        self
    }
}

/// Another arm on the days since a change.
struct Other<'a> {
    alarm: &'a Alarm,
    measure: Measure,
    /// Mean difference from the days before, and the standard error.
    effect: f64,
    se: f64,
    /// Sum of values and number of runs of the days before, and since.
    before: (f64, f64),
    since: (f64, f64),
}

impl<'a> Other<'a> {
    /// `None` without days since the change, or with a baseline within it, which cannot show it. All days before the
    /// change are the reference.
    fn since(alarm: &'a Alarm, measure: Measure, series: &Daily) -> Option<Self> {
        let baseline = series.baseline.as_ref()?;
        let (earlier, later): (Vec<_>, Vec<_>) =
            series.days.iter().partition(|day| day.date < alarm.began);
        let is_over = |date: &str| alarm.recovered.as_deref().is_some_and(|over| date >= over);
        let later = later.into_iter().filter(|day| !is_over(&day.date));
        let since = Mean::default().with(later.take(DAYS));
        let before = Mean {
            weight: baseline.weight(),
            moved: 0.0,
            sum: baseline.sum,
        };
        let before = before.with(earlier);
        if since.weight <= 0.0 || baseline.last >= alarm.began {
            return None;
        }
        Some(Self {
            alarm,
            measure,
            effect: since.moved / since.weight - before.moved / before.weight,
            se: (1.0 / since.weight + 1.0 / before.weight).sqrt(),
            before: before.sum,
            since: since.sum,
        })
    }

    /// Whether it moved as the alarm's arm did; `None` if both are possible.
    fn verdict(&self) -> Option<bool> {
        if self.measure.is_event() {
            return self.counted();
        }
        let z = self.effect / self.se;
        let towards = if self.alarm.is_fall { -z } else { z };
        if towards >= MOVED {
            return Some(true);
        }
        let apart = (self.alarm.effect - self.effect).abs();
        (apart >= MOVED * self.se.hypot(self.alarm.effect_se)).then_some(false)
    }

    /// The same by counts of rare events.
    fn counted(&self) -> Option<bool> {
        let (events, runs) = self.since;
        let (known, runs_before) = self.before;
        let surprise = slope_stats::surprise_of_rare(events, runs, known, runs_before)?;
        if surprise >= MOVED {
            return Some(true);
        }
        let expected = runs * (known / runs_before + self.alarm.effect);
        (counter::at_most(events, expected) <= UNLIKELY).then_some(false)
    }
}
