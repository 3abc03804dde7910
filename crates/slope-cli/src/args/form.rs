//! Forms and colours of results.

use clap::ValueEnum;

/// Form of results, as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Tables for people.
    #[value(alias = "text")]
    Human,
    /// One JSON document.
    Json,
    /// One JSON object a line.
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
    /// One row for each function; of reports a file for each kind of row.
    Csv,
    /// One self-contained page.
    Html,
    /// LaTeX tables of a report.
    Latex,
    /// Parquet, a file for each kind of row of a report.
    Parquet,
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
    /// On terminals, unless NO_COLOR is set.
    Auto,
    /// Always, into pipes and files too.
    Always,
    /// Never.
    Never,
}

/// How checkpoints are put into progress phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Phases {
    /// The paper's: first, three thirds of those between, last.
    Paper,
    /// The published dashboard's: checkpoint i of n in phase ⌈5i/n⌉, the last of a phase alone.
    Dashboard,
}
