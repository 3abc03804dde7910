//! Trajectories of git repositories, and ledgers of what changed them.
//!
//! | module | contents |
//! |---|---|
//! | [`trajectory()`] | the commits of a repository, measured, with trends |
//! | [`ledger`] | every effect at the function that caused it, adding up exactly |
//! | [`Baseline`], [`diff_commits`], [`diff_dirs`] | the ledger of one change |
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
