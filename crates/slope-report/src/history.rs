//! Histories and ledgers as text, JSON, CSV, Markdown and HTML.

pub(crate) mod chart;
mod csv;
mod entry;
pub(crate) mod human;
mod ledger;
mod markdown;
mod metrics;
pub(crate) mod page;
pub(crate) mod plot;

use schemars::Schema;
use slope_model::history::History;
use slope_model::ledger::Ledger;
use slope_model::plural;

use crate::formats::{Format, HISTORY_FORMATS, RenderError};
use crate::measurement::schema_of;

pub use page::render_history_page;

/// Amount and style of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListDetail {
    /// Rows of each list, 0 for all.
    pub top: usize,
    /// Whether colours are used.
    pub color: bool,
    /// Columns of the screen; `None` for a file or pipe.
    pub width: Option<u16>,
}

/// How much was measured: `3 snapshots of 9 commits, 4 of which change code`.
fn measured(history: &History) -> String {
    let verb = match history.touching {
        1 => "changes",
        _ => "change",
    };
    format!(
        "{} of {}, {} of which {verb} code",
        plural(history.points.len(), "snapshot"),
        plural(history.commits, "commit"),
        history.touching
    )
}

impl ListDetail {
    /// The rows of a list to show.
    pub(crate) fn cut<'a, T>(&self, rows: &'a [T]) -> &'a [T] {
        match self.top {
            0 => rows,
            top => &rows[..rows.len().min(top)],
        }
    }
}

/// Renders a history in a format.
///
/// # Errors
/// If the format is not one of [`HISTORY_FORMATS`] or is the page, or JSON cannot be written.
pub fn render_history(
    format: Format,
    history: &History,
    detail: &ListDetail,
) -> Result<String, RenderError> {
    Ok(match format {
        Format::Human => human::render(history, detail),
        Format::Json => serde_json::to_string_pretty(history)? + "\n",
        Format::Csv => csv::render(history),
        Format::Markdown => markdown::render(history, detail),
        _ => return Err(RenderError::new("a history", format, HISTORY_FORMATS)),
    })
}

/// The JSON schema of a history.
#[must_use]
pub fn history_schema() -> Schema {
    schema_of::<History>()
}

/// The JSON schema of a ledger.
#[must_use]
pub fn ledger_schema() -> Schema {
    schema_of::<Ledger>()
}

/// A ledger for a terminal.
#[must_use]
pub fn render_ledger(ledger: &Ledger, detail: &ListDetail) -> String {
    ledger::render(ledger, detail)
}
