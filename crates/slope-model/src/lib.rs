//! Data types of slope, with schemas and version ids.
//!
//! All other crates use these types, so this one does no I/O and depends on no other crate of the
//! workspace. Each module defines one concept:
//!
//! | module | concept |
//! |---|---|
//! | [`snapshot`] | a tree of files at a moment, addressed by content |
//! | [`measurement`] | measurement of a snapshot |
//! | [`metrics`] | every metric, declared once |
//! | [`history`] | the trajectory of a repository, its trends, and their causes |
//! | [`series`] | points of a project over time, and who wrote the code |
//! | [`summary`] | what lists and charts need of a point |
//! | [`track`] | reports about a series |
//! | [`ledger`] | effects of a change, function by function |
//! | [`gate`] | the gate's judgement of a change |
//! | [`replay`] | the gate on past changes |
//! | [`grade_request`] | one edit to be graded, and what is known of it |
//! | [`grade`] | what an edit is worth, and why |
//! | [`exhibit`] | details of a trial for a page |
//! | [`finding`] | one place in code that a rule or metric reports |
//! | [`problem`] | ordered checkpoints, each a spec and a hidden suite |
//! | [`cases`] | slope's own declarative suite format |
//! | [`verdict`] | the outcomes of a checkpoint's tests, and a state |
//! | [`integrity`] | observations about a verdict's honesty |
//! | [`usage`] | tokens, requests, tool calls, cost, time |
//! | [`script`] | the turns that a scripted model replays |
//! | [`run`] | runs, trials, attempts and the trajectory they leave |
//! | [`sent_change`] | a judged change as it is sent to a server |
//! | [`sent_run`] | a run as it is sent to a server |
//! | [`sent_watch`] | a watch as it is sent to a server |
//! | [`path`] | spelling of paths in outputs |
//! | [`json_text`] | the texts of a JSON document |
//! | [`data_words`] | errors about TOML, JSON and YAML in everyday words |
//! | [`error_text`] | an error with its causes and remedies |
//! | [`time_limit`] | a time limit of the work that a thread does |
//! | [`watch`] | days of a watched assistant |
//! | [`watch_card`] | what lists need of a watch |
//! | [`watch_compare`] | two days of a watched assistant |
//! | [`watch_notes`] | notes of people on alarms |
//! | [`watch_status`] | the state of a watch: series, alarms, evidence |
//! | [`detail`] | details of a run's directory that are not in its report |

pub mod assessment;
pub mod calibration;
pub mod cases;
pub mod data_words;
pub mod detail;
pub mod error_text;
pub mod exhibit;
pub mod finding;
pub mod gate;
pub mod grade;
pub mod grade_request;
mod grade_tests;
pub mod history;
pub mod integrity;
pub mod json_text;

pub mod ledger;
pub mod measurement;
pub mod metrics;
mod numbers;
pub mod path;
mod point_check;
pub mod problem;
pub mod replay;
pub mod run;
pub mod script;
pub mod sent_change;
pub mod sent_run;
pub mod sent_watch;
pub mod series;
pub mod snapshot;
pub mod summary;
pub mod time_limit;
pub mod track;
pub mod usage;
pub mod verdict;
pub mod watch;
pub mod watch_card;
pub mod watch_compare;
pub mod watch_notes;
pub mod watch_status;
mod words;

pub use words::{language_name, near_names, noun_for, plural};

/// Schema identifiers written into every output, one per format on disk.
pub mod schema {
    /// Schema of [`crate::measurement::Measurement`].
    pub const MEASUREMENT: &str = "slope.measurement/1";
    /// Schema of [`crate::history::History`].
    pub const HISTORY: &str = "slope.history/1";
    /// Schema of [`crate::ledger::Ledger`].
    pub const LEDGER: &str = "slope.ledger/1";
    /// Schema of [`crate::gate::Judgement`].
    pub const JUDGEMENT: &str = "slope.judgement/1";
    /// Schema of [`crate::replay::Replay`].
    pub const REPLAY: &str = "slope.replay/1";
    /// Schema of [`crate::verdict::Verdict`].
    pub const VERDICT: &str = "slope.verdict/1";
    /// Schema of [`crate::snapshot::Manifest`].
    pub const SNAPSHOT: &str = "slope.snapshot/1";
    /// Schema of a run directory, [`crate::run::RunConfig`].
    pub const RUN: &str = "slope.run/1";
    /// Schema of one run's report, [`crate::run::RunReport`].
    pub const RUN_REPORT: &str = "slope.run-report/1";
    /// Schema of the output of `--format json`: run reports and their summaries.
    pub const REPORT: &str = "slope.report/1";
    /// Schema of a declarative suite file, [`crate::cases::CaseFile`].
    pub const CASES: &str = "slope.cases/1";
    /// Schema of a point of a series, [`crate::series::Point`].
    pub const POINT: &str = "slope.point/1";
    /// Schema of [`crate::track::Series`].
    pub const SERIES: &str = "slope.series/1";
    /// Schema of [`crate::track::TrackStatus`].
    pub const TRACK_STATUS: &str = "slope.track-status/1";
    /// Schema of a change as it is sent to a server, [`crate::sent_change::SentChange`].
    pub const SENT_CHANGE: &str = "slope.sent-change/1";
    /// Schema of a run as it is sent to a server, [`crate::sent_run::SentRun`].
    pub const SENT_RUN: &str = "slope.sent-run/1";
    /// Schema of a day of a watched assistant, [`crate::watch::WatchDay`].
    pub const WATCH_DAY: &str = "slope.watch-day/1";
    /// Schema of [`crate::watch_status::Status`].
    pub const WATCH_STATUS: &str = "slope.watch-status/1";
    /// Messages about a watch.
    pub const WATCH_MESSAGE: &str = "slope.watch-message/1";
    /// Schema of a watch as it is sent to a server, [`crate::sent_watch::SentWatch`].
    pub const SENT_WATCH: &str = "slope.sent-watch/1";
    /// Schema of [`crate::watch_notes::Notes`].
    pub const WATCH_NOTES: &str = "slope.watch-notes/1";
    /// Schema of a scripted model, [`crate::script::Script`].
    pub const SCRIPT: &str = "slope.script/1";
}
