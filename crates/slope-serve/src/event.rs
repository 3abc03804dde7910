//! What happens on the server.

use serde::Serialize;
use slope_database::Added;

/// What happened.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Event {
    /// Kind: `point`, `run`, `change` or `watch`.
    pub(crate) kind: &'static str,
    /// The project.
    pub(crate) project: String,
    /// The series of a point; empty for others.
    #[serde(skip_serializing_if = "String::is_empty")]
    series: String,
    /// Key of the point, run or change, or name of the watch.
    key: String,
}

impl Event {
    pub(crate) fn run(project: &str, run: &str) -> Self {
        Self::of("run", project, run)
    }

    pub(crate) fn change(project: &str, change: &str) -> Self {
        Self::of("change", project, change)
    }

    pub(crate) fn watch((project, watch): (&str, &str)) -> Self {
        Self::of("watch", project, watch)
    }

    fn of(kind: &'static str, project: &str, key: &str) -> Self {
        Self {
            kind,
            project: project.to_owned(),
            series: String::new(),
            key: key.to_owned(),
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
