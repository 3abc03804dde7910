//! Series of a project: measured points with scores, who wrote the code, and what changed.
//!
//! | module | contents |
//! |---|---|
//! | [`Project`] | a project with its settings and its folder of points |
//! | [`make`], [`make_if_changed`] | measure a folder or a commit as a point |
//! | [`status`] | the last point, compared with earlier points and with limits |
//! | [`history`] | a series as a history, for charts |
//! | [`push`] | sends points to a server, each once |
//! | [`RunSender`] | sends runs of the benchmark to a server |
//! | [`push_watch`] | sends a watch to a server |
//! | `author` | who or what wrote the code, from commits |
//! | `change` | what changed since the point before |
//! | `diffs` | the diffs of the functions that changed most |
//!
//! Points are files of `slope-store`. Limits are those of `[track]`, which `slope-gate` reads.

mod author;
mod change;
mod diffs;
mod error;
mod history;
mod judges;
mod point;
mod project;
mod push;
mod status;

pub use error::Error;
pub use history::history;
pub use point::{Request, make, make_if_changed};
pub use project::Project;
pub use push::{
    Conflict, Pushed, PushedWatch, RunAnswer, RunSender, Server, ServerError, check_health, push,
    push_change, push_watch, unsent,
};
pub use slope_gate::check_address;
pub use slope_store::series::{Added, SeriesFolder, check_series};
pub use status::status;
