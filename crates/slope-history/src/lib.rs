//! Trajectories of git repositories, and ledgers of what changed them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`trajectory()`] | the commits of a repository, measured, with trends |
//! | [`ledger`] | every change at the function that made it, summing exactly |
//! | [`Baseline`], [`diff_commits`], [`diff_dirs`] | the ledger of one change |
//! | [`Agents`] | which commits agents wrote |
//! | [`metamorphic()`] | edits of known effect, versus their ledgers |
//! | [`evidence()`] | what moved a history most, with its diffs |
//! | [`panel()`] | several histories side by side |
//! | [`verify()`] | that ledgers sum on every commit of a history |
//! | `source` | contents of commits, each distinct one looked at once |
//! | `versions` | trees of the contents that were looked at last |
//! | `shares` | sums by author, agent, file and function |
//! | `trends` | slopes, growth, changes of pace |

mod against;
mod amounts;
mod diff;
mod error;
mod evidence;
pub mod ledger;
mod metamorphic;
mod panel;
mod people;
mod shares;
mod source;
mod trajectory;
mod trends;
mod verify;
mod versions;

pub use amounts::ExactAmounts;
pub use diff::{Baseline, Change, FullChange, diff_commits, diff_dirs};
pub use error::Error;
pub use evidence::evidence;
pub use metamorphic::{Metamorphic, Outcome, metamorphic};
pub use panel::{
    ListError, Member, PanelHistory, PanelRow, PanelSummary, RisingShare, Travelled, panel,
    read_list,
};
pub use people::{Agent, Agents};
pub use slope_git::{Line, Repo};
pub use trajectory::{Options, Watch, trajectory};
pub use verify::{Verified, verify};
