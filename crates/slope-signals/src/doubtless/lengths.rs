//! Questions about lengths of collections, and their known bounds.

use super::questions::{Question, Sign, Topic};

impl Question<'_> {
    /// Minimum and maximum number of items, given the answer to a question.
    fn lengths(&self, holds: bool) -> Option<(i64, i64)> {
        let is_so = holds != self.negated;
        let value = || self.other.parse().ok();
        match self.about {
            Topic::Empty => Some(if is_so { (0, 0) } else { (1, i64::MAX) }),
            // A truthy value has items. A falsy one may be empty or missing.
            Topic::True if is_so && !self.subject.contains(['(', '.']) => Some((1, i64::MAX)),
            Topic::Length(None) if is_so => value().map(|value| (value, value)),
            Topic::Length(Some(sign)) => {
                let value: i64 = value()?;
                Some(match (sign, is_so) {
                    (Sign::Below, true) | (Sign::AtLeast, false) => (0, value.saturating_sub(1)),
                    (Sign::AtMost, true) | (Sign::Above, false) => (0, value),
                    (Sign::Above, true) | (Sign::AtMost, false) => {
                        (value.saturating_add(1), i64::MAX)
                    }
                    (Sign::AtLeast, true) | (Sign::Below, false) => (value, i64::MAX),
                })
            }
            _ => None,
        }
    }

    /// Whether a question is about a number of items.
    pub(super) fn is_of_length(&self) -> bool {
        matches!(self.about, Topic::Empty | Topic::Length(_))
    }

    /// Number of items excluded by the answer to a question.
    fn other_length(&self, holds: bool) -> Option<i64> {
        let is_other = self.about == Topic::Length(None) && holds == self.negated;
        is_other.then(|| self.other.parse().ok()).flatten()
    }

    /// Whether the known facts about the length of its subject together answer a question.
    pub(super) fn is_answered_by_all(&self, known: &[(Self, bool)]) -> bool {
        let of_this = || known.iter().filter(|(one, _)| one.subject == self.subject);
        let ranges = of_this().filter_map(|(one, holds)| one.lengths(*holds));
        let (mut low, high) = ranges.fold((0, i64::MAX), |(low, high), range| {
            (low.max(range.0), high.min(range.1))
        });
        let others: Vec<i64> = of_this()
            .filter_map(|(one, holds)| one.other_length(*holds))
            .collect();
        while low < i64::MAX && others.contains(&low) {
            low = low.saturating_add(1);
        }
        let Some((least, most)) = self.lengths(!self.negated) else {
            return false;
        };
        low <= high && (least <= low && high <= most || high < least || most < low)
    }

    /// Whether a known fact about a length answers a question; `None` if the two have different
    /// subjects.
    pub(super) fn answered_by_length(&self, known: &Self, holds: bool) -> Option<bool> {
        let is_about = self.is_of_length() && known.is_of_length();
        let is_same = (self.about, known.about) == (Topic::Empty, Topic::Empty);
        if !is_about || is_same {
            return None;
        }
        let (low, high) = known.lengths(holds)?;
        let (least, most) = self.lengths(!self.negated)?;
        Some(least <= low && high <= most || high < least || most < low)
    }
}
