//! The gate: judges a change by what it adds.
//!
//! Old debt fails nobody. A change is compared with its base function by function, followed through
//! renames, moves, splits and reformatting; it reports only new or worse results in changed code.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Subject`] | what is judged: a worktree, the index, a commit, a diff, folders, edits |
//! | [`Gate`] | judges subjects |
//! | [`Check`] | rules and limits, from `[check]` in `slope.toml` |
//! | `trees` | the files of both sides |
//! | `seen` | what a change did, found from a base that is known where that is so |
//! | `rules` | a change to violations |
//! | `ratchet` | what a whole tree may hold, and waivers |
//!
//! ```no_run
//! use slope_gate::{Gate, Head, Setup, Subject};
//!
//! # fn main() -> Result<(), slope_gate::Error> {
//! let setup = Setup::find(".".as_ref(), None)?;
//! let measurer = setup.measurer()?;
//! let gate = Gate::new(&measurer, setup.check);
//! // The working tree against where its branch left the default branch:
//! let judgement = gate.judge(&Subject::git(".", None, Head::Worktree))?;
//! for violation in &judgement.violations {
//!     // A hook says this much and no more.
//!     let _ = format!("{} {}", violation.message, violation.advice);
//! }
//! # Ok(())
//! # }
//! ```

mod config;
mod error;
mod events;
mod judge;
mod ratchet;
mod rules;
mod seen;
mod setup;
mod subject;
mod trees;
mod untracked;

pub use config::{Budget, Check, Limits};
pub use error::Error;
pub use judge::{Gate, judge};
pub use setup::Setup;
pub use subject::{Edit, Head, Subject};
pub use trees::EMPTY_TREE;
