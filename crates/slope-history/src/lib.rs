//! Trajectories of git repositories, with a ledger of each commit.
//!
//! | module | what it holds |
//! |---|---|
//! | [`trajectory()`] | the commits of a repository, measured, with trends |
//! | [`diff_commits`], [`diff_dirs`] | the ledger of one change |
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
mod diff;
mod error;
mod evidence;
mod metamorphic;
mod panel;
mod people;
mod shares;
mod source;
mod trajectory;
mod trends;
mod verify;
mod versions;

pub use diff::{diff_commits, diff_dirs};
pub use error::Error;
pub use evidence::evidence;
pub use metamorphic::{Metamorphic, Outcome, metamorphic};
pub use panel::{
    ListError, Member, PanelHistory, PanelRow, PanelSummary, RisingShare, Travelled, panel,
    read_list,
};
pub use people::{Agent, Agents};
pub use slope_change::Error as ChangeError;
pub use slope_git::{Line, Repo};
pub use trajectory::{Options, Watch, trajectory};
pub use verify::{Verified, verify};
