//! Errors of reading a pack.

use std::path::PathBuf;

/// Reason that a pack could not be read. Every message names the file and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// A file or folder cannot be read.
    #[error("cannot read rules from {}\nhelp: name a file or a folder with rules", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// The file or folder contains no rule.
    #[error("{} contains no rules\nhelp: write rules as `.yml` or `.yaml` files in ast-grep's format", path.display())]
    Empty {
        /// The file or folder.
        path: PathBuf,
    },
    /// Not a rule in ast-grep's format.
    #[error("{}: not a rule in ast-grep's YAML format: {message}\nhelp: see https://ast-grep.github.io/reference/yaml.html", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Error message and, where known, its line.
        message: String,
    },
    /// The rule's matcher does not compile.
    #[error("{}:{line}: rule `{id}` does not compile: {message}\nhelp: correct its matcher, see https://ast-grep.github.io/reference/rule.html", path.display())]
    Compile {
        /// The file.
        path: PathBuf,
        /// Line of the `rule:` key.
        line: usize,
        /// The rule.
        id: String,
        /// Error message.
        message: String,
    },
    /// The rule would have to be tried on every node.
    #[error(
        "{}:{line}: rule `{id}` does not limit the kinds of nodes that it matches\nhelp: add a `kind` or a `pattern` to it",
        path.display()
    )]
    NoKinds {
        /// The file.
        path: PathBuf,
        /// Line of the `rule:` key.
        line: usize,
        /// The rule.
        id: String,
    },
    /// The rule uses a feature of ast-grep that slope lacks.
    #[error(
        "{}:{line}: rule `{id}` uses {feature}, which slope does not support\nhelp: {remedy}",
        path.display()
    )]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Line of it, or of the `rule:` key.
        line: usize,
        /// The rule.
        id: String,
        /// The feature.
        feature: &'static str,
        /// Alternative.
        remedy: &'static str,
    },
    /// A field is missing or has an invalid value.
    #[error("{}:{line}: {message}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// Line of the field, or of the rule's begin.
        line: usize,
        /// The problem and the expected value.
        message: String,
    },
    /// Two rules of one language have the same id.
    #[error("{}:{line}: duplicate rule id `{id}`, also in {}\nhelp: give one of them another id", path.display(), first.display())]
    Duplicate {
        /// The file.
        path: PathBuf,
        /// Line of the rule's begin.
        line: usize,
        /// The file that was read first.
        first: PathBuf,
        /// The id.
        id: String,
    },
    /// Stored rules cannot be decoded.
    #[error("stored rules are damaged or from another version: {message}\nhelp: create them again")]
    Stored {
        /// Error message.
        message: String,
    },
}
