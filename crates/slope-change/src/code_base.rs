//! A code base in memory, and the effect of each of many changes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slope_measure::{BadIndex, BaseIndex, Content, Measurer, Styles, Tracker, Vocabulary};
use slope_model::measurement::Part;
use slope_store::facts::Key;
use slope_store::pack::Pack;

use crate::Error;
use crate::analysis::{replaced, through_index};
use crate::contents::Contents;
use crate::impact::Impact;

/// A code base that does not change, for many changes of it at the same time.
pub struct CodeBase {
    index: BaseIndex,
    product: ProductTotals,
    vocabulary: Vocabulary,
    styles: Styles,
}

/// Amounts of the production code of a code base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductTotals {
    /// Source lines.
    pub sloc: u64,
    /// Source lines of functions.
    pub function_lines: u64,
    /// Statements of functions.
    pub statements: u64,
    /// Source lines in clones of types 1 and 2.
    pub clone_lines: u64,
    /// Cognitive complexity that the gate judges, summed over functions.
    pub cognitive: u64,
}

impl ProductTotals {
    fn of(tracker: &Tracker<'_>) -> Self {
        let views = tracker.paths().filter_map(|path| tracker.view(path));
        views
            .filter(|view| view.part() == Part::Product)
            .fold(Self::default(), |mut sum, view| {
                sum.sloc += u64::from(view.source().count());
                sum.clone_lines += u64::from(view.cloned().count_common(view.source()));
                for one in view.callables() {
                    sum.cognitive += u64::from(one.judged_cognitive());
                    sum.function_lines += u64::from(one.sloc);
                    sum.statements += u64::from(view.statements_of(one));
                }
                sum
            })
    }
}

impl CodeBase {
    /// A code base of these contents, in order of path.
    #[must_use]
    pub fn new(measurer: &Measurer, contents: Vec<(String, Content)>) -> Self {
        let mut tracker = measurer.tracker();
        tracker.step(contents.clone());
        let product = ProductTotals::of(&tracker);
        let index = BaseIndex::in_memory(&contents, tracker);
        Self::of_index(index, product)
    }

    fn of_index(index: BaseIndex, product: ProductTotals) -> Self {
        Self {
            vocabulary: index.vocabulary(),
            styles: index.styles(),
            index,
            product,
        }
    }

    /// The code base as values by key, for [`Self::of_pack`], with data of the caller. `None` if a part of it cannot
    /// be read.
    #[must_use]
    pub fn values(&self, measurer: &Measurer, extra: &[u8]) -> Option<BTreeMap<Key, Vec<u8>>> {
        let extra = postcard::to_stdvec(&(self.product, extra)).ok()?;
        self.index.values(measurer, extra)
    }

    /// The code base in a pack, and the data of its caller.
    ///
    /// # Errors
    /// If the pack has no code base, or one of other definitions.
    pub fn of_pack(measurer: &Measurer, pack: Arc<Pack>) -> Result<(Self, Vec<u8>), BadIndex> {
        let index = BaseIndex::of_pack(measurer, pack)?;
        let extra: Option<(ProductTotals, Vec<u8>)> = postcard::from_bytes(index.extra()).ok();
        let (product, extra) = extra.ok_or(BadIndex::Damaged)?;
        Ok((Self::of_index(index, product), extra))
    }

    /// The effect of a change: paths with their contents after it, [`Content::Nothing`] for removed ones.
    ///
    /// Only the files that the change concerns are looked at. The effect is the same as that of a
    /// [`Baseline`](crate::Baseline) of all files.
    ///
    /// # Errors
    /// If the entries of the ledger do not sum to the change, which is a fault of slope, or if its pack is damaged.
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
            None => {
                let contents = self.index.contents().ok_or(Error::Index)?;
                replaced(measurer, contents, after)
            }
        }
    }

    /// Amounts of its production code.
    #[must_use]
    pub fn product(&self) -> ProductTotals {
        self.product
    }

    /// Names of its functions and classes.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Styles of its production code.
    #[must_use]
    pub fn styles(&self) -> &Styles {
        &self.styles
    }

    /// The content of a path; `None` if the base does not have it.
    #[must_use]
    pub fn content(&self, path: &str) -> Option<Content> {
        self.index.content(path)
    }
}
