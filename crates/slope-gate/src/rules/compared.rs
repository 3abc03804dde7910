//! Impact of a change, and the settings for judging it.

use slope_change::Impact;
use slope_change::ledger::{Followed, UnitAt};
use slope_measure::{FileView, Measurer};
use slope_model::gate::{GateRule, Level};
use slope_model::measurement::{Callable, Part};

use crate::{Check, Limits};

/// A change, and the settings for judging it.
pub(crate) struct Compared<'a> {
    pub(crate) impact: &'a Impact,
    pub(crate) measurer: &'a Measurer,
    pub(crate) check: &'a Check,
    /// Only paths below this one are reported.
    pub(crate) below: &'a str,
}

impl<'a> Compared<'a> {
    /// Units that differ.
    pub(super) fn changed(&self) -> impl Iterator<Item = &'a Followed> {
        self.impact.followed.iter().filter(|f| !f.is_same)
    }

    pub(super) fn before(&self, at: UnitAt) -> Option<(&'a FileView, Option<&'a Callable>)> {
        let view = self.impact.step.files.get(at.file)?.before.as_ref()?;
        Some((
            view,
            at.callable.and_then(|index| view.callables().get(index)),
        ))
    }

    pub(super) fn after(&self, at: UnitAt) -> Option<(&'a FileView, Option<&'a Callable>)> {
        let view = self.impact.step.files.get(at.file)?.after.as_ref()?;
        Some((
            view,
            at.callable.and_then(|index| view.callables().get(index)),
        ))
    }

    /// Limits for a part, and the level of a rule there; `None` if it is off.
    pub(super) fn level(&self, part: Part, rule: GateRule) -> Option<(&'a Limits, Level)> {
        let limits = self.check.limits(part);
        Some((limits, limits.level(rule)?))
    }
}

/// An identity that does not change when lines shift, as 16 hexadecimal digits.
pub(crate) fn fingerprint(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    let mut hex = hasher.finalize().to_hex().to_string();
    hex.truncate(16);
    hex
}
