//! Grades: rewards for edits, judged in the code base that each edit lands in.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Engine`] | rules and threads that bases share |
//! | [`Base`] | a code base that edits are applied to: a folder, a git tree, an archive or files in memory |
//! | [`Grader`] | from a [request](slope_model::grade_request) to a [grade](slope_model::grade) |
//! | [`Revisions`] | graders of many revisions of one repository |
//! | [`Pack`] | weights and scales, versioned |
//! | `edit` | a change applied to the files of a base |
//! | `integrity` | signs that an edit works on the tests instead of the task |
//! | `lines` | lines of files before and after an edit |
//! | `components` | what an edit did, as numbers from 0 to 1 with evidence |
//! | `coverage` | how much of the code was read |
//! | `reward` | correctness and components to one reward |
//! | [`shaping`] | rewards for the steps of trajectories |
//! | `tests` | results of tests, given or from a run |
//! | [`group`] | grades of one group of attempts, together |
//! | [`read_request`] | a request in JSON |
//! | [`read_json`] | JSON with halves of characters |
//! | [`diff_in`] | the edit in the text that a model wrote |
//! | [`flat`] | a grade as numbers by name |
//! | [`stream`] | JSON lines in, JSON lines out, in order |
//!
//! Components rest on the violations and ledger entries that `slope check` reports, so the gate and a reward
//! never disagree.

mod base;
mod components;
mod coverage;
mod edit;
mod embedded;
mod error;
mod flat;
mod grader;
pub mod group;
mod integrity;
mod json;
mod lines;
mod pack;
mod record;
mod regex;
mod response;
mod revisions;
mod reward;
pub mod shaping;
pub mod stream;
mod tests;

pub use base::{Base, Engine, Entry, EntryKind, Layout};
pub use error::Error;
pub use flat::flat;
pub use grader::{Begun, Grader, faulty};
pub use json::read_json;
pub use pack::Pack;
pub use record::{BadRecord, read_request, request_of};
pub use response::diff_in;
pub use revisions::Revisions;
pub use tests::{
    Case, Ended, Job, OwnTests, Ran, Report, ReportPlace, TestRules, TestRunner, TestService,
};
