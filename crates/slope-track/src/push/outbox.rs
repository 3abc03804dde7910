//! Which points a server has accepted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_store::atomic;
use slope_store::series::SeriesFolder;

use super::Message;
use super::client::{Outcome, PointResult, Server};
use crate::Error;

/// Name and version of the format.
const SCHEMA: &str = "slope.pushed/1";

/// Answers of one server about points of one project.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Notes {
    schema: String,
    /// Address of the server.
    server: String,
    /// Name of the project on it.
    project: String,
    /// Answers by series and key.
    points: BTreeMap<String, BTreeMap<String, Answered>>,
}

/// The answer about a point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    /// Hash of the point as it was sent. A point that was replaced is sent again.
    hash: String,
    outcome: Outcome,
}

/// The answers of a server, in a file.
pub(super) struct Outbox {
    path: PathBuf,
    notes: Notes,
}

impl Outbox {
    /// Reads the answers of a server; none if it was never asked.
    pub(super) fn open(series: &SeriesFolder, server: &Server) -> Result<Self, Error> {
        let folder = series.pushed();
        let name = blake3::hash(format!("{}\n{}", server.url, server.project).as_bytes());
        let path = folder.join(format!("{}.json", &name.to_hex()[..16]));
        let notes = if path.exists() {
            read(&path)?
        } else {
            Notes {
                schema: SCHEMA.to_owned(),
                server: server.url.clone(),
                project: server.project.clone(),
                points: BTreeMap::new(),
            }
        };
        Ok(Self { path, notes })
    }

    /// Whether the server has this very point.
    pub(super) fn has(&self, message: &Message) -> bool {
        let of_series = self.notes.points.get(&message.series);
        let answered = of_series.and_then(|points| points.get(&message.key));
        answered.is_some_and(|answered| answered.hash == hash(message))
    }

    /// Notes that the server has a point. A conflict is not noted: it is sent and reported until somebody resolves it.
    pub(super) fn note(&mut self, message: &Message, result: &PointResult) {
        if result.outcome == Outcome::Conflict {
            return;
        }
        let answered = Answered {
            hash: hash(message),
            outcome: result.outcome,
        };
        let of_series = self.notes.points.entry(message.series.clone());
        of_series.or_default().insert(message.key.clone(), answered);
    }

    pub(super) fn write(&self) -> Result<(), Error> {
        Ok(atomic::write_json(&self.path, &self.notes)?)
    }
}

fn hash(message: &Message) -> String {
    blake3::hash(message.json.as_bytes()).to_hex().to_string()
}

fn read(path: &Path) -> Result<Notes, Error> {
    let refused = |line: usize, message: &str| {
        Error::Store(slope_store::Error::Malformed {
            path: path.to_owned(),
            line,
            message: format!(
                "{message}\nhelp: remove the file; points are then sent again, and the server keeps those that it has"
            ),
        })
    };
    let notes: Notes = match atomic::read_json(path) {
        Ok(notes) => notes,
        Err(slope_store::Error::Malformed { line, message, .. }) => {
            let message = slope_model::data_words::of_json(&message);
            return Err(refused(line.max(1), &message));
        }
        Err(error) => return Err(error.into()),
    };
    if notes.schema != SCHEMA {
        return Err(refused(1, "it has another format"));
    }
    Ok(notes)
}
