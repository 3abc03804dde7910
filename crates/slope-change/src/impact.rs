//! Effect of a change, located at functions.

use slope_measure::{Resemblances, Step};
use slope_model::ledger::Amounts;

use crate::ledger::{Change, Followed};

/// Effect of a change on a code base.
#[derive(Clone)]
pub struct Impact {
    /// Totals of the base, if known or requested.
    pub before: Option<Amounts>,
    /// Changes, entered at the functions that caused them.
    pub change: Change,
    /// The files before and after.
    pub step: Step,
    /// The outcome of each callable.
    pub followed: Vec<Followed>,
    /// Functions and tables of changed files that resemble others.
    pub like: Resemblances,
}

impl Impact {
    /// Whether a file was measured before the change.
    #[must_use]
    pub fn had(&self, path: &str) -> bool {
        let files = self.step.files.iter();
        let mut before = files.filter_map(|file| file.before.as_ref());
        before.any(|view| view.path() == path)
    }
}
