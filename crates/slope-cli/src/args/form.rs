//! Output formats and colours.

use clap::ValueEnum;

/// Form of results, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables for people.
    #[value(alias = "text")]
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line.
    Jsonl,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// GitLab Code Quality.
    Gitlab,
    /// GitHub workflow annotations.
    Github,
    /// JUnit XML.
    Junit,
    /// Markdown.
    Markdown,
    /// One row per function. For reports, one file per kind of row.
    Csv,
    /// One self-contained page.
    Html,
    /// LaTeX tables.
    Latex,
    /// Parquet, one file per kind of row.
    Parquet,
}

impl Form {
    /// The name on the command line.
    pub(crate) fn name(&self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }
}

/// Form of results of commands that have no further ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Tables for people.
    Text,
    /// One JSON document.
    Json,
    /// Markdown, of reports of runs and tables of many repositories.
    Markdown,
}

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
    /// As in the paper: the first, three thirds of the middle, the last.
    Paper,
    /// As in the published dashboard: checkpoint i of n is in phase ⌈5i/n⌉.
    Dashboard,
}
