//! Trajectories of git repositories, with a ledger of each commit.
//!
//! | module | contents |
//! |---|---|
//! | [`trajectory()`] | the commits of a repository, measured, with trends |
//! | [`diff_commits`], [`diff_dirs`] | the ledger of one change |
//! | [`Agents`] | detection of agents' commits |
//! | [`metamorphic()`] | edits of known effect, versus their ledgers |
//! | [`evidence()`] | the largest effects on a history, with their diffs |
//! | [`panel()`] | several histories side by side |
//! | [`verify()`] | checks that ledgers add up on every commit of a history |
//! | `source` | contents of commits, each distinct one measured once |
//! | `versions` | syntax trees of recent contents |
//! | `shares` | sums by author, agent, file and function |
//! | `trends` | slopes, growth, change points |

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
pub use evidence::{ReadPath, evidence, function_diff};
pub use metamorphic::{Metamorphic, Outcome, metamorphic};
pub use panel::{
    ListError, Member, PanelHistory, PanelRow, PanelSummary, RisingShare, Travelled, panel,
    read_list,
};
pub use people::{Agent, Agents};
pub use slope_change::Error as ChangeError;
pub use slope_git::{Line, Repo};
pub use trajectory::{Options, Watch, months_between, trajectory};
pub use trends::trends;
pub use verify::{Verified, verify};
