//! Clone detection over normalised syntax trees.
//!
//! Two steps, so that a tree can be dropped as soon as its file is done: [`analyse`] extracts the
//! facts about a file, which depend on nothing else and can be cached; [`classes`] combines the
//! facts of all files.
//!
//! | what | compared | type |
//! |---|---|---|
//! | whole constructs (functions, branches, loops) | hash of the whole tree, names kept or numbered | 1, 2 |
//! | runs of statements in any block | hash of the shortest run from each statement, grown to the longest | 1, 2 |
//! | whole constructs with statements inserted, deleted, changed | rare fingerprints, then common tokens | 3 |
//!
//! The paper's profile has the first only, within one file, by its own form.
//! The definitions with all numbers are in `docs/metrics/clones.md`.

use serde::{Deserialize, Serialize};

mod candidates;
mod classes;
mod exempt;
mod file;
mod flat;
mod grow;
mod index;
mod kept;
mod lcs;
mod memo;
mod names;
mod near;
mod partial;
mod place;
mod repeats;
mod runs;
mod stream;
mod subsume;
mod whole;

pub use classes::{CloneReport, DEFAULT_SIMILARITY, Options, classes, classes_with};
pub use file::{
    CloneUnit, FileClones, MIN_NEAR_LINES, MIN_NEAR_TOKENS, MIN_RUN_LINES, MIN_RUN_TOKENS,
    MIN_TOKENS_EXACT, MIN_TOKENS_RENAMED, Statement, analyse,
};
pub use index::{HasClones, Index, Update};
pub use memo::Memo;
pub use partial::Cover;
pub use place::{Class, Place};
pub use whole::{Member, Unit, groups, units};

/// Minimum number of lines of a unit: source lines in slope's profile, physical in the paper's.
pub const MIN_LINES: u32 = 3;

/// Largest nesting depth of units; deeper ones are left out. Python itself refuses 100 levels of
/// indentation; the bound keeps the work linear.
pub const MAX_UNIT_DEPTH: usize = 100;

/// The names and literals of code, which differ between renamed copies.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct Wording {
    /// Sum of the hashes of called names and members.
    pub names: u32,
    /// Sum of the hashes of literals.
    pub texts: u32,
    /// Number of literals.
    pub literals: u32,
}

impl Wording {
    /// Whether code with this number of tokens is a table: one token in five is a literal, as in a
    /// row `key: "value",` with brackets around the rows.
    pub(crate) fn is_table(&self, tokens: u32) -> bool {
        self.literals * 5 >= tokens
    }
}

impl std::iter::Sum for Wording {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            names: sum.names.wrapping_add(one.names),
            texts: sum.texts.wrapping_add(one.texts),
            literals: sum.literals.wrapping_add(one.literals),
        })
    }
}

/// Hash of a normalised form: 128 bits, so that equal means the same.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct UnitHash(pub [u8; 16]);
