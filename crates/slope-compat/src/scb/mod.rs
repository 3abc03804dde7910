//! Profile `scb-0.2.0`: the report of scb-check 0.2.0, in all its languages.
//!
//! The definitions are in `docs/metrics/scb-0.2.0.md`. Given the same rules, every field of
//! [`Report`] equals the original's; its crashes and hangs are not reproduced.
//!
//! Files are read, parsed and reduced to facts in parallel; the rest, which needs all files,
//! follows in the order of paths.

pub(crate) mod clones;
mod complexity;
mod config;
pub(crate) mod convert;
mod directives;
pub(crate) mod discover;
pub(crate) mod file;
mod functions;
mod ignore;
pub(crate) mod languages;
mod masses;
mod report;
mod rules;
pub(crate) mod sloc;
mod snapshot;
pub(crate) mod sum;
pub(crate) mod text;
mod wrapper;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_model::finding::Span;
use slope_model::measurement::Unmeasured;
use slope_rules::RuleSet;

pub use convert::PROFILE;
pub use report::{LanguageCount, Report};
pub use rules::read_rules;
pub use sum::Sum;

/// Complexity above which a callable counts as high, cyclomatic and cognitive.
pub const CUT_OFF: u32 = 10;

/// Options of a measurement.
#[derive(Default)]
pub struct Options {
    /// The original's switch: ignore files and directives are not read, and informational hits and
    /// those below their threshold count.
    pub include_all: bool,
    /// Rules; without them no line is flagged by rules.
    pub rules: Option<RuleSet>,
    /// A configuration file; without it the nearest at or above the root is taken.
    pub config: Option<PathBuf>,
    /// Threads; 0 for as many as there are processors. Has no influence on results.
    pub threads: usize,
}

/// Reason that a tree could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file or folder cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A single file in an unsupported language.
    #[error("{} is not a source file of this profile's languages", path.display())]
    Suffix {
        /// The file.
        path: PathBuf,
    },
    /// A configuration file is wrong.
    #[error("{}: {message}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// Error message.
        message: String,
    },
    /// A source directive is wrong.
    #[error("{path}:{line}: {message}")]
    Directive {
        /// The file, relative to the root.
        path: String,
        /// Line, from 1.
        line: u32,
        /// Error message.
        message: String,
    },
    /// There is nothing to measure.
    #[error("{} contains no source file of this profile's languages{}", root.display(), if *.refused > 0 { " that parses" } else { "" })]
    Nothing {
        /// The root.
        root: PathBuf,
        /// Files that could not be parsed.
        refused: usize,
    },
    /// Worker threads cannot be started.
    #[error("cannot start threads")]
    Threads(#[source] rayon::ThreadPoolBuildError),
}

/// A callable.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Name inside the file, with dots.
    pub name: String,
    /// Whether it is directly in a Python class.
    pub method: bool,
    /// Span, without decorators.
    pub span: Span,
    /// Cyclomatic complexity, at least 1.
    pub complexity: u32,
    /// Cognitive complexity.
    pub cognitive: u64,
    /// Source lines in its span.
    pub size: u32,
}

/// A hit of a rule or a structural finding that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    /// Id of the rule.
    pub rule: String,
    /// Category of the rule.
    pub category: String,
    /// Severity of the rule.
    pub severity: slope_model::finding::Severity,
    /// Error message.
    pub message: String,
    /// Span.
    pub span: Span,
}

/// Measurements of one file. Lines count from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Path from the root, `/`-separated.
    pub path: String,
    /// Language id.
    pub language: &'static str,
    /// Physical lines.
    pub physical_lines: u32,
    /// Source lines.
    pub sloc: u32,
    /// Callables that count, in order of position.
    pub functions: Vec<Function>,
    /// Source lines in clones.
    pub clone_lines: Vec<u32>,
    /// Source lines in rule hits.
    pub rule_lines: Vec<u32>,
    /// Source lines in structural findings.
    pub structural_lines: Vec<u32>,
    /// Source lines in any of them.
    pub verbose_lines: Vec<u32>,
    /// Rule hits and structural findings that count, by position.
    pub flagged: Vec<Flagged>,
}

/// Equal constructs.
#[derive(Debug, Clone, PartialEq)]
pub struct CloneGroup {
    /// Hash of the normalised form.
    pub fingerprint: String,
    /// Position in [`ScbMeasurement::files`] and span of each member.
    pub members: Vec<(usize, Span)>,
}

/// The profile's values for a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct ScbMeasurement {
    /// The original's report.
    pub report: Report,
    /// Files, by the parts of their paths.
    pub files: Vec<File>,
    /// Groups of clones, by their first member.
    pub clones: Vec<CloneGroup>,
    /// Files that appear in no number, and why.
    pub unmeasured: Vec<Unmeasured>,
    /// Rule pack name to hash of its rules.
    pub packs: std::collections::BTreeMap<String, String>,
}

/// Measures a folder, or one file, as if the original were started in it.
///
/// # Errors
/// If the root, an ignore file or the configuration cannot be read, a directive in the sources is
/// invalid, or there is nothing to measure.
pub fn measure(root: &Path, options: &Options) -> Result<ScbMeasurement, Error> {
    let absolute = root.canonicalize().map_err(|source| Error::Read {
        path: root.to_owned(),
        source,
    })?;
    let start = if absolute.is_file() {
        absolute.parent().unwrap_or(&absolute)
    } else {
        &absolute
    };
    let config = config::read(start, options.config.as_deref())?;
    let found = discover::files(root, &config, options)?;
    let take = |found: &discover::Found| file::facts(found, options);
    let (facts, unmeasured) = each(root, &found, discover::Found::path, options.threads, &take)?;
    snapshot::assemble(facts, unmeasured, options)
}

/// Calls `take` for each file, on `threads` threads. Also returns the files for which it fails.
///
/// # Errors
/// If the threads cannot be started, or no file is left.
pub(crate) fn each<F: Sync, T: Send>(
    root: &Path,
    files: &[F],
    path: impl Fn(&F) -> String,
    threads: usize,
    take: &(dyn Fn(&F) -> Result<T, String> + Sync),
) -> Result<(Vec<T>, Vec<Unmeasured>), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(Error::Threads)?;
    let results: Vec<_> = pool.install(|| files.par_iter().map(take).collect());
    let mut taken = Vec::new();
    let mut unmeasured = Vec::new();
    for (file, result) in files.iter().zip(results) {
        match result {
            Ok(one) => taken.push(one),
            Err(reason) => unmeasured.push(Unmeasured {
                path: path(file),
                reason,
            }),
        }
    }
    if taken.is_empty() {
        return Err(Error::Nothing {
            root: root.to_owned(),
            refused: unmeasured.len(),
        });
    }
    Ok((taken, unmeasured))
}
