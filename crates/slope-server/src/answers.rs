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

/// A place that a rule points at.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Found {
    /// The rule.
    pub(crate) rule: String,
    /// Path relative to the root.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// What is found.
    pub(crate) message: String,
}

/// What a folder or file measures.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Measured {
    /// What was measured, relative to the root; `.` for all of it.
    pub(crate) path: String,
    /// Files measured.
    pub(crate) files: u32,
    /// Source lines.
    pub(crate) sloc: u64,
    /// Functions.
    pub(crate) functions: u32,
    /// Functions above the cut-off of complexity.
    pub(crate) high_complexity_functions: u32,
    /// Sum over functions of complexity times the square root of source lines.
    pub(crate) complexity_mass: Option<f64>,
    /// Share of the mass in functions above the cut-off, 0 to 1.
    pub(crate) erosion: Option<f64>,
    /// Source lines in clones.
    pub(crate) clone_lines: Option<u64>,
    /// Source lines that rules flag.
    pub(crate) flagged_lines: Option<u64>,
    /// Share of lines in clones or flagged, 0 to 1.
    pub(crate) verbosity: Option<f64>,
    /// Number of findings by category.
    pub(crate) findings_by_category: BTreeMap<String, usize>,
    /// The functions with the most complexity mass above the cut-off.
    pub(crate) most_complex: Vec<Complex>,
    /// The first findings, errors first.
    pub(crate) findings: Vec<Found>,
    /// Files that could not be measured.
    pub(crate) unmeasured: usize,
}

/// A function that is like the one asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Match {
    #[serde(flatten)]
    pub(crate) place: Place,
    /// Its first line.
    pub(crate) signature: String,
    /// How alike, 0 to 1; 1 is the same apart from names and layout.
    pub(crate) similarity: f64,
    /// Why.
    pub(crate) why: Vec<String>,
}

/// The functions that are like the one asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Matches {
    /// What was looked for: `code` or `description`.
    pub(crate) by: &'static str,
    /// Functions searched.
    pub(crate) functions: usize,
    /// The most alike first.
    pub(crate) matches: Vec<Match>,
    /// What to do.
    pub(crate) advice: String,
}

/// A rule or signal.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Explained {
    /// Its id.
    pub(crate) rule: String,
    /// Category.
    pub(crate) category: String,
    /// Languages.
    pub(crate) languages: Vec<String>,
    /// What it says.
    pub(crate) message: String,
    /// Why that is slop, and what to write instead.
    pub(crate) why: String,
    /// Code that it finds.
    pub(crate) instead_of: Vec<String>,
    /// Code to write instead.
    pub(crate) write: Vec<String>,
}

/// What a change adds to the whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Added {
    /// Complexity mass.
    pub(crate) complexity_mass: f64,
    /// Source lines in clones.
    pub(crate) clone_lines: i64,
    /// Source lines that rules flag.
    pub(crate) flagged_lines: i64,
    /// Findings of dead code.
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

/// One thing that a change makes worse.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Worse {
    /// The rule of the gate.
    pub(crate) rule: String,
    /// `error` or `warning`.
    pub(crate) level: String,
    /// Path relative to the root; empty for the change as a whole.
    pub(crate) path: String,
    /// Line, from 1; 0 for the change as a whole.
    pub(crate) line: u32,
    /// The function, if it is in one.
    pub(crate) function: Option<String>,
    /// What is worse.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) advice: String,
}

/// What the gate says of a change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Checked {
    /// Whether it passes.
    pub(crate) passes: bool,
    /// What it is held against.
    pub(crate) base: String,
    /// Files that differ.
    pub(crate) files: usize,
    /// What it adds to the whole.
    pub(crate) added: Added,
    /// What it makes worse, errors first.
    pub(crate) worse: Vec<Worse>,
    /// What else to know.
    pub(crate) notes: Vec<String>,
}

/// A function that a change touched.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Changed {
    /// What happened to it: `added`, `removed`, `changed`, `split`, `merged`, `outside`, `affected`.
    pub(crate) kind: String,
    /// Path relative to the top of the repository.
    pub(crate) path: String,
    /// Line, from 1.
    pub(crate) line: u32,
    /// The function; `None` for code outside of functions.
    pub(crate) function: Option<String>,
    /// What it adds to the whole.
    pub(crate) added: Added,
}

/// What a change did.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Differs {
    /// The earlier revision.
    pub(crate) base: String,
    /// The later one.
    pub(crate) head: String,
    /// What the change adds to the whole.
    pub(crate) added: Added,
    /// Functions that differ in what is accounted for.
    pub(crate) functions: usize,
    /// Those that weigh most.
    pub(crate) heaviest: Vec<Changed>,
}
