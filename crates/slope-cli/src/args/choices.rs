//! Colours, and phases of trials.

use clap::ValueEnum;

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// Use colour on terminals, unless NO_COLOR is set.
    Auto,
    /// Always use colour, also in pipes and files.
    Always,
    /// Never use colour.
    Never,
}

/// How to group checkpoints into progress phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Phases {
    /// Five phases as in the paper: the first checkpoint, three thirds of the middle, the last.
    Paper,
    /// Five phases as in the published dashboard: checkpoint i of n is in phase ⌈5i/n⌉.
    Dashboard,
}

/// Reads a cap in US dollars.
pub(super) fn dollars(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|usd| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "expected US dollars above zero, for example 2.50".to_owned())
}
