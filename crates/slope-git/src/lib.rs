//! Git repositories, read without a checkout.
//!
//! | module | contents |
//! |---|---|
//! | [`Repo`], [`Reader`] | opening, revisions, branches, merge bases, blobs |
//! | [`Commit`], [`Person`] | commits with people, trailers and text in any encoding |
//! | [`HeadMove`] | git's log of checkouts |
//! | [`Mailmap`] | names and addresses of one person |
//! | `walk` | lines of history |
//! | [`Entry`], [`Change`] | trees and their differences |
//! | `stage` | the index and the files of a worktree |
//! | [`patch`] | unified diffs applied to a base |
//!
//! This crate writes nothing, runs no program, and uses no network. Anything that a repository lacks
//! (shallow and partial clones, broken objects) is an [`Error`] with a remedy. Only this crate depends
//! on gix.

mod commit;
mod error;
mod head_log;
mod mailmap;
pub mod patch;
mod repo;
mod stage;
mod tree;
mod walk;

pub use commit::{Commit, Person};
pub use error::Error;
pub use head_log::HeadMove;
pub use mailmap::Mailmap;
pub use repo::{Id, Reader, Repo};
pub use stage::{Content, Staged};
pub use tree::{Change, Entry, Kind};
pub use walk::{Line, Walk};
