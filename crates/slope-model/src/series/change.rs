//! What changed between two points.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LONGEST_PLACE, MOST_PLACES, is_zero};
use crate::exhibit::Hunk;
use crate::ledger::Amounts;

/// Most bytes of all diffs of a point.
const MOST_DIFF: usize = 65_536;

/// What changed since the point before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointChange {
    /// Key of the point before.
    pub since: String,
    /// Differences of the amounts.
    pub amounts: Amounts,
    /// The places that changed most, largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_PLACES))]
    pub places: Vec<ChangedPlace>,
}

/// A place whose code changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedPlace {
    /// Path.
    pub path: String,
    /// Function; `null` for code outside of functions.
    pub function: Option<String>,
    /// Line, from 1.
    pub line: u32,
    /// Differences of the amounts.
    pub amounts: Amounts,
    /// The changed lines of a function. Only the largest changes of a point have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<PlaceDiff>,
}

/// The changed lines of a function, with some lines around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaceDiff {
    /// Consecutive lines. Their numbers are those of the files.
    #[schemars(length(max = MOST_PLACES))]
    pub hunks: Vec<Hunk>,
    /// Lines of the diff beyond those listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

impl PlaceDiff {
    /// Bytes of its lines.
    #[must_use]
    pub fn size(&self) -> usize {
        let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.map(|line| line.len() + 1).sum()
    }
}

impl PointChange {
    /// The first fault in the places: a text that is too long, or too many of them.
    pub(super) fn fault(&self) -> Option<String> {
        if self.places.len() > MOST_PLACES {
            return Some(format!("a list has more than {MOST_PLACES} places"));
        }
        let names = |place: &ChangedPlace| {
            let mut names = place.function.iter().chain([&place.path]);
            names.any(|name| name.chars().count() > LONGEST_PLACE)
        };
        if self.places.iter().any(names) {
            return Some(format!(
                "a name or path has more than {LONGEST_PLACE} characters"
            ));
        }
        let diffs = || self.places.iter().filter_map(|place| place.diff.as_ref());
        if diffs().any(|diff| diff.hunks.len() > MOST_PLACES) {
            return Some(format!("a diff has more than {MOST_PLACES} hunks"));
        }
        (diffs().map(PlaceDiff::size).sum::<usize>() > MOST_DIFF)
            .then(|| format!("the diffs have more than {MOST_DIFF} bytes"))
    }
}
