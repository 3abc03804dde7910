//! What happens on the server.

use serde::Serialize;
use slope_database::Added;

/// What happened.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Event {
    /// Kind: `point`.
    pub(crate) kind: &'static str,
    /// The project.
    pub(crate) project: String,
    /// The series.
    series: String,
    /// Key of the point.
    key: String,
}

impl Event {
    pub(crate) fn point(project: &str, added: &Added) -> Self {
        Self {
            kind: "point",
            project: project.to_owned(),
            series: added.series.clone(),
            key: added.key.clone(),
        }
    }
}
