//! Results of tools.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use slope_model::error_text::ErrorText;
use slope_model::ledger::Amounts;

/// An answer, as text for a model and as data for a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// A few lines of text.
    pub text: String,
    /// The same with all numbers, by the tool's output schema.
    pub structured: Value,
}

impl Answer {
    pub(crate) fn new(text: String, structured: &impl Serialize) -> Result<Self, Refusal> {
        let structured = serde_json::to_value(structured);
        let structured = structured.map_err(Refusal::of)?;
        Ok(Self { text, structured })
    }
}

/// Reason that a tool has no answer, with a remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Message, with a remedy on a line that begins with `help: `.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// Refusal with the text of an error, its causes and remedies.
    pub(crate) fn of(error: impl std::error::Error) -> Self {
        Self::new(ErrorText::of(&error).to_string())
    }
}

/// A function.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Place {
    /// Path relative to the root.
    pub(crate) path: String,
    /// First line, from 1.
    pub(crate) line: u32,
    /// Last line, from 1.
    pub(crate) end_line: u32,
    /// Dotted name.
    pub(crate) name: String,
}

/// A function with its complexity.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Complex {
    #[serde(flatten)]
    pub(crate) place: Place,
    /// Cyclomatic complexity.
    pub(crate) complexity: u32,
    /// Source lines.
    pub(crate) sloc: u32,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Found {
    /// Id of the rule or signal.
    pub(crate) rule: String,
    /// Path relative to the root.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// One sentence that says what is wrong.
    pub(crate) message: String,
}

/// Measurement of a folder or file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Measured {
    /// Measured path, relative to the root; `.` for the root.
    pub(crate) path: String,
    /// Number of measured files.
    pub(crate) files: u32,
    /// Source lines.
    pub(crate) sloc: u64,
    /// Number of functions.
    pub(crate) functions: u32,
    /// Number of functions above the complexity cut-off.
    pub(crate) high_complexity_functions: u32,
    /// Sum over functions of complexity times the square root of source lines; `null` if unavailable.
    pub(crate) complexity_mass: Option<f64>,
    /// Share of the mass in functions above the cut-off, 0 to 1; `null` if unavailable.
    pub(crate) erosion: Option<f64>,
    /// Source lines in clones; `null` if unavailable.
    pub(crate) clone_lines: Option<u64>,
    /// Source lines that rules flag; `null` if unavailable.
    pub(crate) flagged_lines: Option<u64>,
    /// Share of lines that are in clones or flagged, 0 to 1; `null` if unavailable.
    pub(crate) verbosity: Option<f64>,
    /// Number of findings of each category.
    pub(crate) findings_by_category: BTreeMap<String, usize>,
    /// Functions above the cut-off with the most complexity mass.
    pub(crate) most_complex: Vec<Complex>,
    /// Top findings, errors first.
    pub(crate) findings: Vec<Found>,
    /// Number of files that slope could not measure.
    pub(crate) unmeasured: usize,
}

/// A similar function.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Match {
    #[serde(flatten)]
    pub(crate) place: Place,
    /// First line of the function.
    pub(crate) signature: String,
    /// Similarity, 0 to 1; 1 means equal except for names and layout.
    pub(crate) similarity: f64,
    /// Reasons for the match.
    pub(crate) why: Vec<String>,
}

/// Similar functions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Matches {
    /// Argument of the search: `code` or `description`.
    pub(crate) by: &'static str,
    /// Number of searched functions.
    pub(crate) functions: usize,
    /// Similar functions, most similar first.
    pub(crate) matches: Vec<Match>,
    /// Suggested next step.
    pub(crate) advice: String,
}

/// A rule or signal.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Explained {
    /// Id of the rule or signal.
    pub(crate) rule: String,
    /// Category.
    pub(crate) category: String,
    /// Ids of its languages.
    pub(crate) languages: Vec<String>,
    /// Message of its findings.
    pub(crate) message: String,
    /// Reason that the code is slop, and what to write instead.
    pub(crate) why: String,
    /// Examples of code that it finds.
    pub(crate) instead_of: Vec<String>,
    /// Examples of code to write instead.
    pub(crate) write: Vec<String>,
}

/// Amounts that a change adds; negative if it removes them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Added {
    /// Complexity mass.
    pub(crate) complexity_mass: f64,
    /// Source lines in clones.
    pub(crate) clone_lines: i64,
    /// Source lines that rules flag.
    pub(crate) flagged_lines: i64,
    /// Number of dead-code findings.
    pub(crate) dead_code: i64,
    /// Source lines.
    pub(crate) sloc: i64,
}

impl From<Amounts> for Added {
    fn from(amounts: Amounts) -> Self {
        Self {
            complexity_mass: amounts.mass,
            clone_lines: amounts.clone_lines,
            flagged_lines: amounts.flagged_lines,
            dead_code: amounts.dead_code,
            sloc: amounts.sloc,
        }
    }
}

/// Something that a change makes worse.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Worse {
    /// Rule of the gate.
    pub(crate) rule: String,
    /// `error` or `warning`.
    pub(crate) level: String,
    /// Path relative to the root; empty for the change as a whole.
    pub(crate) path: String,
    /// Line, from 1; 0 for the change as a whole.
    pub(crate) line: u32,
    /// Function; `null` for code outside of functions.
    pub(crate) function: Option<String>,
    /// One sentence that says what is worse.
    pub(crate) message: String,
    /// One sentence that says how to fix it.
    pub(crate) advice: String,
}

/// Judgement of the gate about a change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Checked {
    /// Whether the change passes.
    pub(crate) passes: bool,
    /// Revision that the files are compared with.
    pub(crate) base: String,
    /// Number of files that differ.
    pub(crate) files: usize,
    /// Amounts that the change adds.
    pub(crate) added: Added,
    /// Everything that the change makes worse, errors first.
    pub(crate) worse: Vec<Worse>,
    /// Other messages, for example about files that slope could not measure.
    pub(crate) notes: Vec<String>,
}

/// A changed function.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Changed {
    /// Kind of change: `added`, `removed`, `changed`, `split`, `merged`, `outside` or `affected`.
    pub(crate) kind: String,
    /// Path relative to the top of the repository.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Function; `null` for code outside of functions.
    pub(crate) function: Option<String>,
    /// Amounts that the function adds.
    pub(crate) added: Added,
}

/// Effects of a change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Differs {
    /// Earlier revision.
    pub(crate) base: String,
    /// Later revision.
    pub(crate) head: String,
    /// Amounts that the change adds.
    pub(crate) added: Added,
    /// Number of functions whose amounts differ.
    pub(crate) functions: usize,
    /// Functions with the largest differences.
    pub(crate) heaviest: Vec<Changed>,
}
