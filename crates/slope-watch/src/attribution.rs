//! The layer that changed: model or service, harness, settings, infrastructure, or the tasks.

use slope_model::watch::{ArmDay, Role, WatchDay};
pub use slope_model::watch_status::{Attribution, Layer};

use crate::daily::{Baseline, daily};
use crate::measure::Measure;
use crate::monitor::{Alarm, Limits};

/// Days since the change that other arms are compared on, so that a later change of theirs is not taken for this one.
const DAYS: usize = 30;

/// Standard errors from which an arm has moved.
const MOVED: f64 = 2.0;

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
    found
}

/// An arm with its role, unless its name says that.
fn named(name: &str, role: Role) -> String {
    if name == role.name() {
        return name.to_owned();
    }
    format!("{name} ({})", role.name())
}

/// Whether the arms of a role moved the same way since the change; `None` without such an arm.
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
    let mut any = None;
    for (name, _) in names {
        let series = daily(days, name, measure, limits.baseline_days);
        // A baseline within the change cannot show it.
        let is_before = |baseline: &Baseline| baseline.last < alarm.began;
        let is_over = |date: &str| alarm.recovered.as_deref().is_some_and(|over| date >= over);
        let since = series
            .days
            .iter()
            .filter(|day| day.date >= alarm.began && !is_over(&day.date))
            .take(DAYS);
        let (mut weight, mut sum) = (0.0, 0.0);
        for day in since {
            weight += 1.0 / day.variance;
            sum += day.difference / day.variance;
        }
        let Some(baseline) = series.baseline.filter(is_before).filter(|_| weight > 0.0) else {
            continue;
        };
        let se = (1.0 / weight + 1.0 / baseline.weight()).sqrt();
        let z = sum / weight / se;
        let has_moved = if alarm.is_fall {
            z <= -MOVED
        } else {
            z >= MOVED
        };
        let verb = match (alarm.is_fall, has_moved) {
            (true, true) => "fell, too",
            (true, false) => "did not fall",
            (false, true) => "rose, too",
            (false, false) => "did not rise",
        };
        evidence.push(format!(
            "{} {verb}: {}",
            named(name, role),
            crate::words::effect(measure, sum / weight, se)
        ));
        any = Some(any.unwrap_or(false) || has_moved);
    }
    any
}
