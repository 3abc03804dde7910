//! One measurement in every format for people and their tools.
//!
//! | module | contents |
//! |---|---|
//! | `catalogue` | descriptions of rules and signals, given by the caller |
//! | `digest` | data of every format: figures, headline, the heaviest functions, counts |
//! | `table` | columns of text that fit a terminal |
//! | `human` | the terminal summary, and its details on request |
//! | `json` | JSON, JSON lines, and their schemas |
//! | `diagnostics` | findings as places with a message, for SARIF, GitHub, GitLab and JUnit |
//! | `markdown`, `html`, `csv` | comments, pages, sheets |
//! | `why` | all facts about a line |
//! | `rules` | the list of rules, and one rule explained |
//! | `metric` | one metric explained |
//! | `evaluation` | a verdict with its measurement |
//!
//! Every format names the profile and the hash of the definitions. Text from the measured code
//! (names, paths, messages) is foreign and escaped as the format requires.

mod catalogue;
mod csv;
mod diagnostics;
mod digest;
mod evaluation;
mod html;
mod human;
mod json;
mod markdown;
mod metric;
mod rules;
pub(crate) mod table;
mod why;

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::finding::{Finding, Span};
use slope_model::measurement::{Measurement, NotebookCell};
use slope_model::path::spelled;

pub use catalogue::{Origin, RuleInfo};
pub use evaluation::render_evaluation;
pub(crate) use json::schema_of;
pub use json::{MeasurementLine, lines_schema, measurement_schema};
pub use metric::{MetricInfo, explain_metric};
pub use rules::{explain_rule, list_rules, near_ids};
pub use why::{LineCallable, LineClone, LineFacts, line_facts, render_line_facts};

use crate::diagnostics::Sources;
use crate::formats::{Format, MEASUREMENT_FORMATS, RenderError};

/// A measurement, and its context for the reader.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The measurement.
    pub measurement: &'a Measurement,
    /// The rules and signals that may have reported findings.
    pub rules: &'a [RuleInfo],
    /// Title of the measurement: usually the folder's name.
    pub title: &'a str,
    /// Path from the reader's folder to the measured root: empty or ending in `/`. Formats that
    /// link to files put it in front of every path, so that a printed path can be opened; JSON
    /// formats use paths relative to the root.
    pub prefix: &'a str,
    /// The folder that paths with the prefix are relative to, if it is not the reader's: formats
    /// that have a place for it name it.
    pub base: Option<&'a Path>,
    /// Texts of files, for converting columns from bytes to SARIF's units; without them its regions
    /// cover whole lines.
    pub sources: Option<Sources<'a>>,
}

impl<'a> Subject<'a> {
    /// A path as the reader can open it.
    fn path(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// A finding's message, in which paths are as the reader can open them, too.
    fn message(&self, message: &str) -> String {
        if self.prefix.is_empty() && spelled(message) == message {
            return message.to_owned();
        }
        let files = &self.measurement.files;
        let is_file = |path: &str| {
            files
                .binary_search_by(|f| f.path.as_str().cmp(path))
                .is_ok()
        };
        relocated(message, self.prefix, &is_file)
    }

    /// The code cells of a file, if it is a notebook.
    fn cells(&self, path: &str) -> &'a [NotebookCell] {
        let files = &self.measurement.files;
        let found = files.binary_search_by(|file| file.path.as_str().cmp(path));
        found.map_or(&[], |at| &files[at].cells)
    }

    /// A finding's message as [`Self::message`] gives it, with its cell in a notebook.
    fn placed(&self, finding: &Finding) -> String {
        let message = self.message(&finding.message);
        NotebookCell::placed(self.cells(&finding.path), finding.span.start_line, message)
    }

    /// The lines of the file that a span is on, which are others in some notebooks.
    fn in_file(&self, path: &str, span: Span) -> Span {
        NotebookCell::span_in_file(self.cells(path), span)
    }

    /// The rule or signal of a finding.
    ///
    /// A rule and a signal may share an id; then the message decides, which is constant for rules
    /// and contains details for signals.
    fn rule(&self, finding: &Finding) -> Option<&'a RuleInfo> {
        let rules = self.rules.iter();
        let of_id: Vec<&RuleInfo> = rules.filter(|rule| rule.id == finding.rule).collect();
        behind(&of_id, finding)
    }

    /// The rules and signals by id, for many look-ups.
    fn rules_by_id(&self) -> BTreeMap<&'a str, Vec<&'a RuleInfo>> {
        let mut by_id: BTreeMap<&str, Vec<&RuleInfo>> = BTreeMap::new();
        for rule in self.rules {
            by_id.entry(&rule.id).or_default().push(rule);
        }
        by_id
    }
}

/// A message with a prefix before each path of a file and line, as in `a/b.py:9`, and the path as
/// names of files are shown.
fn relocated(message: &str, prefix: &str, is_file: &dyn Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(message.len() + prefix.len());
    let mut done = 0;
    for (colon, _) in message.match_indices(':') {
        let tells_line = message[colon + 1..].starts_with(|c: char| c.is_ascii_digit());
        let before = &message[done..colon];
        if let Some(path) = path_at_end(before, is_file).filter(|_| tells_line) {
            let start = colon - path.len();
            out.push_str(&message[done..start]);
            out.push_str(&spelled(prefix));
            out.push_str(&spelled(path));
            done = colon;
        }
    }
    out.push_str(&message[done..]);
    out
}

/// Maximum number of words of a path that are tried.
const MAX_WORDS: usize = 8;

/// The path of a file at the end of a text, which may contain spaces.
fn path_at_end<'a>(text: &'a str, is_file: &dyn Fn(&str) -> bool) -> Option<&'a str> {
    let breaks = text.rmatch_indices([' ', '(', '`']).take(MAX_WORDS);
    let starts = breaks.map(|(at, mark)| at + mark.len()).chain([0]);
    let mut paths = starts.map(|start| &text[start..]);
    paths.find(|path| is_file(path))
}

/// The rule or signal with its id that made a finding.
fn behind<'a>(of_id: &[&'a RuleInfo], finding: &Finding) -> Option<&'a RuleInfo> {
    let each = || of_id.iter().copied();
    each()
        .find(|rule| rule.message == finding.message)
        .or_else(|| each().find(|rule| rule.origin != Origin::Rule))
        .or_else(|| each().next())
}

/// Amount and style of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Rows of each list, 0 for all.
    pub top: usize,
    /// Whether each finding is listed.
    pub findings: bool,
    /// Whether each file is listed.
    pub files: bool,
    /// Whether to use colour and weight; the caller decides (terminal, `NO_COLOR`, a flag).
    pub color: bool,
    /// Width of the terminal in columns; `None` for no limit.
    pub width: Option<u16>,
}

impl Default for Detail {
    fn default() -> Self {
        Self {
            top: 10,
            findings: false,
            files: false,
            color: false,
            width: None,
        }
    }
}

impl Detail {
    fn most(&self) -> usize {
        if self.top == 0 { usize::MAX } else { self.top }
    }
}

/// Renders a measurement. The text ends with a line end unless it is empty.
///
/// # Errors
///
/// [`RenderError`], which never depends on the content of the measurement. The format must be one
/// of [`MEASUREMENT_FORMATS`].
pub fn render_measurement(
    format: Format,
    subject: &Subject<'_>,
    detail: &Detail,
) -> Result<String, RenderError> {
    Ok(match format {
        Format::Human => human::render(subject, detail),
        Format::Json => json::document(subject.measurement)?,
        Format::Jsonl => json::lines(subject.measurement)?,
        Format::Markdown => markdown::render(subject, detail),
        Format::Csv => csv::render(subject),
        Format::Html => html::render(subject)?,
        _ => crate::diagnostics::render(format, &diagnostics::report(subject))?
            .ok_or_else(|| RenderError::new("a measurement", format, MEASUREMENT_FORMATS))?,
    })
}
