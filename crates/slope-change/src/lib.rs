//! Analyses the effect of a change on a code base, for the gate, the ledger, hooks and the MCP server.
//!
//! | module | contents |
//! |---|---|
//! | [`Subject`] | a change: a worktree, the index, a commit, a diff, edits, or two folders |
//! | [`Comparison`] | both sides of a change: its base, the files that differ, and the judged files |
//! | [`Impact`] | the effect of a change, located at functions, with an index of the base if there is one |
//! | [`Baseline`] | a code base in memory, and successive changes of it |
//! | [`CodeBase`] | a code base in memory, and many changes of it at the same time |
//! | [`ledger`] | changes of mass, clones, flagged lines and dead code, each at the function that caused it |
//!
//! ```no_run
//! use slope_change::{ComparisonOptions, Comparison, Head, Subject};
//! use slope_measure::{Measurer, Options};
//!
//! # fn main() -> Result<(), slope_change::Error> {
//! let measurer = Measurer::new(Options::default().comparing())?;
//! let subject = Subject::git(".", None, Head::Worktree);
//! let comparison = Comparison::new(&measurer, &subject, ComparisonOptions::default())?;
//! let impact = comparison.impact(&measurer, false)?;
//! println!("{:?}", impact.change.accounts.sum());
//! # Ok(())
//! # }
//! ```

mod amounts;
mod analysis;
mod base_files;
mod baseline;
mod below;
mod code_base;
mod comparison;
mod contents;
mod error;
mod impact;
pub mod ledger;
mod subject;

pub use amounts::ExactAmounts;
pub use baseline::Baseline;
pub use below::{folder_within, is_below};
pub use code_base::{CodeBase, ProductTotals};
pub use comparison::{
    Comparison, ComparisonOptions, EMPTY_TREE, Rewritten, ScopeChanges, Steering, Week,
};
pub use contents::{Contents, unread_notes};
pub use error::Error;
pub use impact::Impact;
pub use ledger::Change;
pub use subject::{Edit, Head, Subject};
