//! The gate: judges a change by what it adds.
//!
//! Old debt never fails a check. The gate compares a change with its base function by function, and
//! follows code through renames, moves, splits and reformatting. It reports only new or worse
//! results in changed code.
//!
//! | module | contents |
//! |---|---|
//! | [`Gate`] | judges subjects |
//! | [`Check`] | rules and limits, from `[check]` in `slope.toml` |
//! | [`TrackSettings`] | limits of a series, from `[track]` |
//! | `rules` | find violations in the impact of a change |
//! | `ratchet` | committed debt of a whole tree, and waivers |
//! | [`replay()`] | judges past changes |
//! | [`Policy`] | settings, ratchet and waivers of a commit, which a change cannot edit |
//! | `notes` | messages besides violations |
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
mod growth;
mod judge;
mod notes;
mod policy;
mod ratchet;
mod replay;
mod rules;
mod setup;
mod track;

pub use config::{Budget, Check, Limits};
pub use error::Error;
pub use judge::{Gate, judge, violations};
pub use policy::Policy;
pub use replay::{ReplayWatch, replay};
pub use setup::Setup;
pub use slope_change::{EMPTY_TREE, Edit, Head, Subject};
pub use track::{TrackLimit, TrackSettings, Tracked, check_address};
