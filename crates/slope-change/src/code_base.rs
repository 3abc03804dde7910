//! A code base in memory, and the effect of each of many changes of it.

use std::collections::BTreeSet;

use slope_measure::{BaseIndex, Content, Measurer};

use crate::Error;
use crate::analysis::{replaced, through_index};
use crate::contents::Contents;
use crate::impact::Impact;

/// A code base that does not change, for many changes of it at the same time.
pub struct CodeBase {
    index: BaseIndex,
    contents: Vec<(String, Content)>,
}

impl CodeBase {
    /// A code base of these contents, in order of path.
    #[must_use]
    pub fn new(measurer: &Measurer, contents: Vec<(String, Content)>) -> Self {
        Self {
            index: measurer.index_in_memory(&contents),
            contents,
        }
    }

    /// The effect of a change: paths with their contents after it, [`Content::Nothing`] for removed ones.
    ///
    /// Only the files that the change concerns are looked at. The effect is the same as that of a
    /// [`Baseline`](crate::Baseline) of all files.
    ///
    /// # Errors
    /// If the entries of the ledger do not sum to the change, which is a fault of slope.
    pub fn impact(&self, measurer: &Measurer, after: &Contents) -> Result<Impact, Error> {
        let touched: BTreeSet<String> = after.keys().cloned().collect();
        let contents: Vec<&Content> = after.values().collect();
        let change = after.iter();
        let change: Vec<(String, Content)> = change
            .map(|(path, content)| (path.clone(), content.clone()))
            .collect();
        let found = through_index(measurer, &self.index, touched, &contents, |base| {
            base.impact("head", change.clone(), |_| Ok(Vec::new()))
        })?;
        match found {
            Some(impact) => Ok(impact),
            None => replaced(measurer, self.contents.clone(), after),
        }
    }

    /// The content of a path; `None` if the base does not have it.
    #[must_use]
    pub fn content(&self, path: &str) -> Option<&Content> {
        let found = self
            .contents
            .binary_search_by(|(own, _)| own.as_str().cmp(path));
        found.ok().map(|at| &self.contents[at].1)
    }
}
