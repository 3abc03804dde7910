//! What a server keeps, in SQLite or PostgreSQL.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Database`] | connections |
//! | `versions` | versions of the tables |
//! | `projects` | projects |
//! | `tokens` | who may do what |
//! | `points` | points |
//! | `series` | series, with what lists need of their points |
//! | `changes` | changes as the gate judges them |
//! | `runs` | runs of the benchmark |
//! | `run_details` | details of their checkpoints, and steps of agents |
//! | `watches`, `watch_days` | watches with their days, and notes on their alarms |
//! | `of_project` | what changes, runs and watches share |
//! | `repeats` | answers to requests that may be sent again |
//! | `retention` | removal of what is old |
//! | `backup` | backups, which fit both databases |
//! | `error` | what can go wrong, in words that help an operator |
//!
//! One text of each statement serves both databases: they share types, placeholders and `ON CONFLICT`.

mod backup;
mod changes;
mod database;
mod error;
mod of_project;
mod points;
mod projects;
mod repeats;
mod retention;
mod run_details;
mod runs;
mod search;
mod series;
mod tokens;
mod versions;
mod watch_days;
mod watches;

pub use changes::{ChangeInfo, ChangeSummary};
pub use database::{Database, Place};
pub use error::Error;
pub use points::{Added, Cursor, Kept, Outcome};
pub use projects::Project;
pub use repeats::Repeat;
pub use run_details::{KindCount, PlacedStep, StepFilter, step_kind};
pub use runs::{CardOfRun, RunInfo};
pub use search::Search;
pub use series::{LatestSeries, SeriesInfo};
pub use tokens::{Scope, Token};
pub use watch_days::AddedDay;
pub use watches::{KeptWatch, WatchInfo};
