//! Kinds of edits: what each is for, and how it is made.

use serde::Serialize;

use crate::draft::{Draft, Site};
use crate::style::styles;

/// What a kind of edit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Worse code.
    Slop,
    /// Better code.
    Improvement,
    /// Good code that looks like slop.
    HardNegative,
    /// Neither better nor worse.
    Neutral,
    /// The real change.
    Honest,
}

/// How much a mutation adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// One small instance.
    Low,
    /// A larger one, or several.
    High,
}

impl Severity {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Low, Self::High];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

/// A kind of edit.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub id: &'static str,
    /// What it is for.
    pub family: Family,
    /// One sentence about it.
    pub summary: &'static str,
    /// Whether the program still does the same.
    pub keeps_behaviour: bool,
    /// Languages that it does not have.
    pub(crate) lacks: &'static [&'static str],
    /// Whether it has both severities.
    pub(crate) has_degrees: bool,
    pub(crate) make: fn(&Site<'_>) -> Option<Draft>,
}

impl Kind {
    const fn new(
        family: Family,
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        Self {
            id,
            family,
            summary,
            keeps_behaviour: true,
            lacks: &[],
            has_degrees: true,
            make,
        }
    }

    pub(crate) const fn slop(
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        Self::new(Family::Slop, id, summary, make)
    }

    pub(crate) const fn single(
        family: Family,
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        let mut kind = Self::new(family, id, summary, make);
        kind.has_degrees = false;
        kind
    }

    pub(crate) const fn changing(mut self) -> Self {
        self.keeps_behaviour = false;
        self
    }

    pub(crate) const fn not_in(mut self, lacks: &'static [&'static str]) -> Self {
        self.lacks = lacks;
        self
    }

    /// The languages that it has.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        let ids = styles().iter().map(|style| style.id());
        ids.filter(|id| !self.lacks.contains(id))
    }

    /// Its severities.
    #[must_use]
    pub fn severities(&self) -> &'static [Severity] {
        if self.has_degrees {
            &Severity::ALL
        } else {
            &[Severity::Low]
        }
    }
}
