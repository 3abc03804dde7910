//! The effect of a change, located at functions.

use slope_measure::{Resemblances, Step};
use slope_model::ledger::Amounts;

use crate::ledger::{Change, Followed};

/// What a change did to a code base.
#[derive(Clone)]
pub struct Impact {
    /// The amounts of the whole base, if they are known or requested.
    pub before: Option<Amounts>,
    /// What changed, entered at the functions that changed it.
    pub change: Change,
    /// The files before and after.
    pub step: Step,
    /// The outcome of each of their callables.
    pub followed: Vec<Followed>,
    /// Functions and tables of changed files that are like other ones.
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
