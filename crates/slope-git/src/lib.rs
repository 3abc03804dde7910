//! Git repositories, read without a checkout.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Repo`], [`Reader`] | opening, revisions, branches, merge bases, blobs |
//! | [`Commit`], [`Person`] | commits with people, trailers and text in any encoding |
//! | [`HeadMove`] | git's log of what was checked out |
//! | [`Mailmap`] | names and addresses of one person |
//! | `walk` | lines of history |
//! | [`Entry`], [`Change`] | trees and what differs between two of them |
//! | `stage` | the index and the files of a worktree |
//! | [`patch`] | unified diffs put onto a base |
//!
//! Nothing here writes, runs a program, or asks a network. What a repository
//! lacks (shallow and partial clones, broken objects) is an [`Error`] that says
//! what to do about it. Only this crate sees gix.

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
