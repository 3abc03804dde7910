//! Run directories, journal, content-addressed snapshots, atomic writes.
//!
//! | module | contents |
//! |---|---|
//! | [`atomic`] | files that are either complete or absent |
//! | [`journal`] | an append-only list of events that survives `kill -9` |
//! | [`snapshot`] | trees of files by content |
//! | [`ignore`] | paths that a snapshot leaves out |
//! | [`facts`] | a cache of facts about files |
//! | [`pack`] | the facts of one tree in one file |
//! | [`plain`] | plain files of folders that others wrote |
//! | [`run_dir`] | the layout of a run directory |
//! | [`series`] | the points of a project's series |

pub mod atomic;
mod error;
pub mod facts;
pub mod ignore;
pub mod journal;
pub mod pack;
pub mod plain;
pub mod run_dir;
pub mod series;
pub mod snapshot;

pub use error::Error;
