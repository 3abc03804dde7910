//! Runs as they are sent to a server: without paths of this machine, under a key that stays the same.

use std::path::{Path, PathBuf};

use jiff::{Timestamp, Unit};
use serde::Deserialize;
use slope_model::json_text;
use slope_model::run::RunReport;
use slope_model::schema;
use slope_model::sent_run::{RunPhase, SentRun};
use slope_store::run_dir::RunDir;

use super::gather;
use crate::event::Event;
use crate::{Error, control, journal};

/// Characters of a key.
const KEY: usize = 16;

/// A run to send.
#[derive(Debug, Clone)]
pub struct OutgoingRun {
    /// Its key on the server. It does not change while the run goes on, or if its directory moves.
    pub key: String,
    /// Its report, with the paths of this machine.
    pub report: RunReport,
    /// What is sent.
    pub sent: SentRun,
}

/// Runs to send.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// The runs.
    pub runs: Vec<OutgoingRun>,
    /// Runs below folders that cannot be read, with the reasons.
    pub left_out: Vec<(PathBuf, String)>,
}

/// The runs in `paths`: run directories, and folders that contain run directories.
///
/// # Errors
/// If a path is itself an unreadable run, or contains no run.
pub fn outgoing<P: AsRef<Path>>(paths: &[P]) -> Result<Outgoing, Error> {
    let gathered = gather::gather(paths)?;
    let mut outgoing = Outgoing {
        runs: Vec::new(),
        left_out: gathered.left_out,
    };
    for report in gathered.reports {
        let is_own = RunDir::at(&report.run).config().exists();
        let run = run(report)?;
        // Its key would change with the first line of the journal.
        if is_own && run.sent.executions == 0 {
            let reason = "it has not begun".to_owned();
            outgoing.left_out.push((run.report.run, reason));
        } else {
            outgoing.runs.push(run);
        }
    }
    Ok(outgoing)
}

fn run(report: RunReport) -> Result<OutgoingRun, Error> {
    let shown = shown(&report);
    let own = RunDir::at(&report.run);
    let (phase, started, start) = if own.config().exists() {
        let phase = match control::status(&report.run)?.doing {
            // Nobody would do what a visitor asks.
            RunPhase::Paused if !own.is_locked()? => RunPhase::Interrupted,
            phase => phase,
        };
        (phase, began(&own), beginning(&own))
    } else {
        // Other runs are read when they have ended.
        (
            RunPhase::Finished,
            None,
            serde_json::to_vec(&shown).unwrap_or_default(),
        )
    };
    Ok(OutgoingRun {
        key: blake3::hash(&start).to_hex()[..KEY].to_owned(),
        sent: SentRun {
            schema: schema::SENT_RUN.to_owned(),
            phase,
            started,
            executions: executions(&own),
            report: shown,
        },
        report,
    })
}

/// Bytes that identify a run: its configuration, and the first line of its journal with the time.
fn beginning(dir: &RunDir) -> Vec<u8> {
    let mut bytes = std::fs::read(dir.config()).unwrap_or_default();
    bytes.extend(first_line(dir).unwrap_or_default().into_bytes());
    bytes
}

fn first_line(dir: &RunDir) -> Option<String> {
    let text = std::fs::read_to_string(dir.journal()).ok()?;
    text.lines().next().map(str::to_owned)
}

/// Number of processes that have opened the run.
fn executions(dir: &RunDir) -> u32 {
    let entries = journal::read(&dir.journal()).unwrap_or_default();
    let opened = entries
        .iter()
        .filter(|entry| matches!(entry.event, Event::Opened { .. }));
    u32::try_from(opened.count()).unwrap_or(u32::MAX)
}

/// When the run was opened first.
fn began(dir: &RunDir) -> Option<String> {
    #[derive(Deserialize)]
    struct Line {
        at: Timestamp,
    }
    let line: Line = serde_json::from_str(&first_line(dir)?).ok()?;
    let time = line.at.round(Unit::Second).unwrap_or(line.at);
    Some(time.to_string())
}

/// A report without the folders of this machine.
fn shown(report: &RunReport) -> RunReport {
    let last = |path: &Path| path.file_name().map_or_else(PathBuf::new, PathBuf::from);
    let mut shown = report.clone();
    shown.run = last(&report.run);
    for problem in shown.config.problems.values_mut() {
        problem.path = last(&problem.path);
    }
    without_folders(&mut shown.config.prompt);
    for value in shown.config.options.values_mut() {
        json_text::for_each(value, &mut without_folders);
    }
    shown
}

/// Reduces an absolute path to its last part.
fn without_folders(text: &mut String) {
    if Path::new(text.as_str()).is_absolute() {
        let name = Path::new(text.as_str()).file_name();
        *text = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    }
}
