//! The metrics of a trajectory: what each one is, and its value at a checkpoint.

use serde::{Deserialize, Serialize};
use slope_model::measurement::Totals;
use slope_model::run::CheckpointReport;
use slope_model::usage::Usage;

use crate::format::Kind;

/// A quantity that has a value at each checkpoint and a slope along a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Share of the complexity mass that sits in callables above the cut-off, 0 to 1.
    Erosion,
    /// Share of lines that are flagged by rules or cloned, 0 to 1.
    Verbosity,
    /// Complexity mass: sum over callables of complexity times the square root of source lines.
    Mass,
    /// Source lines in clones.
    CloneLines,
    /// Source lines flagged by rules.
    FlaggedLines,
    /// Callables with complexity above the cut-off.
    HighComplexityCallables,
    /// Largest complexity of a callable.
    MaxComplexity,
    /// Source lines.
    SourceLines,
    /// Cost of the attempt in US dollars.
    Cost,
    /// Tokens of the attempt: uncached input, cache reads and writes, output.
    Tokens,
    /// Wall-clock seconds of the agent.
    AgentTime,
}

/// A value, or the reason that it is missing.
pub(crate) type Value = Result<f64, String>;

impl Metric {
    /// All metrics in print order.
    pub const ALL: [Metric; 11] = [
        Metric::Erosion,
        Metric::Verbosity,
        Metric::Mass,
        Metric::CloneLines,
        Metric::FlaggedLines,
        Metric::HighComplexityCallables,
        Metric::MaxComplexity,
        Metric::SourceLines,
        Metric::Cost,
        Metric::Tokens,
        Metric::AgentTime,
    ];

    /// The name used in JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Metric::Erosion => "erosion",
            Metric::Verbosity => "verbosity",
            Metric::Mass => "mass",
            Metric::CloneLines => "clone_lines",
            Metric::FlaggedLines => "flagged_lines",
            Metric::HighComplexityCallables => "high_complexity_callables",
            Metric::MaxComplexity => "max_complexity",
            Metric::SourceLines => "source_lines",
            Metric::Cost => "cost",
            Metric::Tokens => "tokens",
            Metric::AgentTime => "agent_time",
        }
    }

    /// The name that people read.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Metric::Erosion => "Erosion",
            Metric::Verbosity => "Verbosity",
            Metric::Mass => "Complexity mass",
            Metric::CloneLines => "Clone lines",
            Metric::FlaggedLines => "Flagged lines",
            Metric::HighComplexityCallables => "High-complexity callables",
            Metric::MaxComplexity => "Max complexity",
            Metric::SourceLines => "Source lines",
            Metric::Cost => "Cost",
            Metric::Tokens => "Tokens",
            Metric::AgentTime => "Agent time",
        }
    }

    /// The unit, as shown in headers; empty for plain numbers.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Erosion | Metric::Verbosity => "0–1",
            Metric::Mass
            | Metric::CloneLines
            | Metric::FlaggedLines
            | Metric::HighComplexityCallables
            | Metric::MaxComplexity
            | Metric::SourceLines
            | Metric::Tokens => "",
            Metric::Cost => "USD",
            Metric::AgentTime => "s",
        }
    }

    /// One sentence that says what it is.
    #[must_use]
    pub fn definition(self) -> &'static str {
        match self {
            Metric::Erosion => {
                "Complexity mass of callables above the complexity cut-off, over the mass of all."
            }
            Metric::Verbosity => {
                "Source lines that a rule flags or that are in a clone (counted once), over the lines of the metric profile."
            }
            Metric::Mass => {
                "Sum over callables of cyclomatic complexity times the square root of source lines."
            }
            Metric::CloneLines => "Source lines that are in a clone.",
            Metric::FlaggedLines => "Source lines that a rule flags.",
            Metric::HighComplexityCallables => {
                "Functions and methods above the complexity cut-off."
            }
            Metric::MaxComplexity => "Largest cyclomatic complexity of a function or method.",
            Metric::SourceLines => "Lines of code: neither blank, nor comment, nor docstring.",
            Metric::Cost => "Cost of the attempt as the gateway counted it.",
            Metric::Tokens => {
                "Uncached input, cache reads, cache writes and output (reasoning is part of output)."
            }
            Metric::AgentTime => "Wall-clock time of the agent.",
        }
    }

    pub(crate) fn kind(self) -> Kind {
        match self {
            Metric::Erosion | Metric::Verbosity => Kind::Ratio,
            Metric::Mass => Kind::Mass,
            Metric::Cost => Kind::Cost,
            Metric::AgentTime => Kind::Seconds,
            _ => Kind::Count,
        }
    }

    /// The value at `checkpoint`, or the reason that it is missing.
    pub(crate) fn value(self, checkpoint: &CheckpointReport) -> Value {
        let value = match self {
            Metric::Cost | Metric::Tokens => {
                let usage = checkpoint
                    .usage
                    .as_ref()
                    .ok_or_else(|| absent(checkpoint, "no attempt was recorded"))?;
                self.of_usage(usage)
            }
            Metric::AgentTime => checkpoint
                .agent_s
                .ok_or_else(|| absent(checkpoint, "no attempt was recorded")),
            _ => {
                let totals = checkpoint
                    .totals
                    .as_ref()
                    .ok_or_else(|| absent(checkpoint, "nothing was measured"))?;
                self.of_totals(totals)
            }
        }?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!("{} is not a finite number", self.key()))
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "token counts stay far below 2^53"
    )]
    fn of_usage(self, usage: &Usage) -> Value {
        if self == Metric::Cost {
            return usage
                .cost_usd
                .ok_or_else(|| "no price is known for the model".to_owned());
        }
        let tokens = &usage.tokens;
        Ok((tokens.input + tokens.cache_read + tokens.cache_write + tokens.output) as f64)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "line counts stay far below 2^53"
    )]
    fn of_totals(self, totals: &Totals) -> Value {
        let none_read = totals.files == 0 && totals.unmeasured_files > 0;
        let value = match self {
            Metric::Erosion => totals.erosion,
            Metric::Verbosity => totals.verbosity,
            Metric::Mass => totals.mass,
            Metric::CloneLines => totals.clone_lines.map(|v| v as f64),
            Metric::FlaggedLines => totals.flagged_lines.map(|v| v as f64),
            Metric::MaxComplexity => totals.max_complexity.map(f64::from),
            // Plain integers in the totals: a 0 of a snapshot of which no file could be read,
            // or whose complexity is missing, says nothing and must not be printed as 0.
            Metric::SourceLines => (!none_read).then_some(totals.sloc as f64),
            Metric::HighComplexityCallables => (!none_read && totals.mass.is_some())
                .then_some(f64::from(totals.high_complexity_callables)),
            Metric::Cost | Metric::Tokens | Metric::AgentTime => None,
        };
        let reason = self
            .total_names()
            .iter()
            .find_map(|name| totals.missing.get(*name));
        match (value, reason) {
            (_, Some(reason)) => Err(reason.clone()),
            (Some(value), None) => Ok(value),
            (None, None) if none_read => Err("no file could be measured".to_owned()),
            (None, None) => Err("not measured".to_owned()),
        }
    }

    /// Names under which [`Totals::missing`] may give the reason.
    fn total_names(self) -> &'static [&'static str] {
        match self {
            Metric::Erosion => &["erosion"],
            Metric::Verbosity => &["verbosity"],
            Metric::Mass => &["mass"],
            Metric::CloneLines => &["clone_lines"],
            Metric::FlaggedLines => &["flagged_lines"],
            Metric::HighComplexityCallables => &["high_complexity_callables", "mass"],
            Metric::MaxComplexity => &["max_complexity"],
            Metric::SourceLines => &["sloc", "source_lines"],
            Metric::Cost | Metric::Tokens | Metric::AgentTime => &[],
        }
    }
}

/// Why a checkpoint lacks something: its own reason where it has one, else `otherwise`.
fn absent(checkpoint: &CheckpointReport, otherwise: &str) -> String {
    match &checkpoint.reason {
        Some(reason) => format!("{}: {reason}", checkpoint.state.name()),
        None => format!("{}: {otherwise}", checkpoint.state.name()),
    }
}
