//! What happens on the server.

use serde::Serialize;
use slope_database::Added;

/// What happened.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Event {
    /// Kind: `point` or `run`.
    pub(crate) kind: &'static str,
    /// The project.
    pub(crate) project: String,
    /// The series of a point; empty for a run.
    #[serde(skip_serializing_if = "String::is_empty")]
    series: String,
    /// Key of the point or run.
    key: String,
}

impl Event {
    pub(crate) fn run(project: &str, run: &str) -> Self {
        Self {
            kind: "run",
            project: project.to_owned(),
            series: String::new(),
            key: run.to_owned(),
        }
    }

    pub(crate) fn point(project: &str, added: &Added) -> Self {
        Self {
            kind: "point",
            project: project.to_owned(),
            series: added.series.clone(),
            key: added.key.clone(),
        }
    }
}
