//! Places in code with a message, and one writer for each format that consists of such places.
//!
//! A measurement's findings and a gate's violations both become a [`Report`]:
//!
//! | module | format |
//! |---|---|
//! | `sarif` | SARIF 2.1.0, for code scanning |
//! | `github` | workflow commands that GitHub shows at changed lines |
//! | `gitlab` | GitLab's Code Quality report |
//! | `junit` | JUnit's XML |

mod github;
mod gitlab;
mod junit;
mod sarif;

use std::path::Path;

use serde_json::Value;
use slope_model::finding::{Severity, Span};
use slope_model::plural;

use crate::formats::{Format, RenderError};

/// Text of a file by its path relative to the measured root, if it is available.
pub type Sources<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Topic of a diagnostic, in Code Climate's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    Style,
    Duplication,
    Complexity,
}

/// A part of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place<'a> {
    /// Path relative to the measured root.
    pub(crate) path: &'a str,
    /// Lines and columns. Columns are 0 if only lines are known.
    pub(crate) span: Span,
}

/// Reason that a diagnostic does not count.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Silenced<'a> {
    /// A comment in the code, with its reason.
    Comment(&'a str),
    /// A waiver outside the code, with its reason.
    Waiver(&'a str),
}

impl<'a> Silenced<'a> {
    pub(crate) fn reason(self) -> &'a str {
        match self {
            Self::Comment(reason) | Self::Waiver(reason) => reason,
        }
    }
}

/// One place with a message.
#[derive(Debug)]
pub(crate) struct Diagnostic<'a> {
    /// Id of the rule.
    pub(crate) rule: String,
    /// Category of the rule, if it has one.
    pub(crate) category: Option<&'a str>,
    pub(crate) topic: Topic,
    pub(crate) severity: Severity,
    /// `None` if it concerns the complete measurement.
    pub(crate) place: Option<Place<'a>>,
    /// Safe to print.
    pub(crate) message: String,
    /// Unique among all diagnostics of a rule.
    pub(crate) fingerprint: String,
    pub(crate) silenced: Option<Silenced<'a>>,
    /// Other places of the same code: at most as many as the caller limits them to.
    pub(crate) others: Vec<Place<'a>>,
    /// Number of further ones.
    pub(crate) more_others: usize,
}

impl Diagnostic<'_> {
    /// The message, with the number of places that `others` omits.
    pub(crate) fn full_message(&self) -> String {
        match self.more_others {
            0 => self.message.clone(),
            more => format!("{} (and {})", self.message, plural(more, "more place")),
        }
    }
}

/// A rule as viewers show it.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) id: String,
    /// One sentence.
    pub(crate) short: String,
    pub(crate) full: String,
    pub(crate) help_text: String,
    pub(crate) help_markdown: String,
    pub(crate) on_by_default: bool,
    pub(crate) severity: Severity,
    pub(crate) tags: Vec<String>,
    /// Share of its findings that people judged right, 0 to 1.
    pub(crate) precision: Option<f64>,
}

/// Information for the reader besides the diagnostics.
#[derive(Debug)]
pub(crate) struct Note<'a> {
    pub(crate) severity: Severity,
    /// The file, if it is about one.
    pub(crate) path: Option<&'a str>,
    /// Safe to print.
    pub(crate) text: String,
}

/// File that could not be read.
#[derive(Debug)]
pub(crate) struct Unread<'a> {
    pub(crate) path: &'a str,
    pub(crate) reason: &'a str,
}

/// Diagnostics, and further information for viewers.
pub(crate) struct Report<'a> {
    /// The command, as in `slope/check/`. Viewers keep reports of different ids apart.
    pub(crate) id: String,
    /// Title of the summary.
    pub(crate) title: String,
    /// The outcome in one line, without a full stop.
    pub(crate) summary: String,
    /// Version and hash of the definitions, for the formats that have room for them.
    pub(crate) definitions: Option<String>,
    /// Names and values that describe the whole report.
    pub(crate) labels: Vec<(&'static str, String)>,
    /// The same for SARIF, in its own names.
    pub(crate) properties: Value,
    /// In the order in which they are shown.
    pub(crate) diagnostics: Vec<Diagnostic<'a>>,
    /// The rules of the diagnostics, in order.
    pub(crate) rules: Vec<Rule>,
    /// The least severity that fails a case of a test report.
    pub(crate) fails_from: Severity,
    /// Prefix of rules in the names of GitLab's checks.
    pub(crate) check_prefix: &'static str,
    pub(crate) notes: Vec<Note<'a>>,
    /// Examined files, including those without diagnostics.
    pub(crate) files: Vec<&'a str>,
    pub(crate) unread: Vec<Unread<'a>>,
    /// From the reader's folder to the root of all paths: empty or ending in `/`.
    pub(crate) prefix: &'a str,
    /// The folder that paths with the prefix are relative to, if it is not the reader's.
    pub(crate) base: Option<&'a Path>,
    /// Description of the root of the paths.
    pub(crate) root: &'static str,
    /// Texts, for converting columns from bytes to the units of the format.
    pub(crate) sources: Option<Sources<'a>>,
}

impl Report<'_> {
    /// A path as the reader can open it.
    fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

/// Diagnostics in a format, or `None` if the format has more than places with messages.
///
/// # Errors
/// If JSON cannot be written.
pub(crate) fn render(format: Format, report: &Report<'_>) -> Result<Option<String>, RenderError> {
    Ok(Some(match format {
        Format::Sarif => sarif::render(report)?,
        Format::Github => github::render(report),
        Format::Gitlab => gitlab::render(report)?,
        Format::Junit => junit::render(report),
        _ => return Ok(None),
    }))
}

/// A viewer's own word for a severity, out of those for a hint, a warning and an error.
pub(crate) fn severity_word(
    severity: Severity,
    [hint, warning, error]: [&'static str; 3],
) -> &'static str {
    match severity {
        Severity::Hint => hint,
        Severity::Warning => warning,
        Severity::Error => error,
    }
}

/// A severity's name as users write it.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    severity_word(severity, ["hint", "warning", "error"])
}
