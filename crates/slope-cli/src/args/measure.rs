//! Arguments of `measure`, `rules` and `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use slope_report::MEASUREMENT_FORMATS;

use super::output::Output;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope measure .                                 print a summary
  slope measure src --findings --top 20           list every finding, with longer lists
  slope measure . -o report.html -o out.sarif     also write an HTML page and SARIF
  slope measure . --format json > out.json        write everything as JSON
  slope measure . --tests exclude --exclude 'migrations/**'
  slope measure . --profile paper --rules rules   use the published definitions
  slope measure . --base main                     mark dead code that is new since main
  slope measure src/app.py:120 --why              explain one line

Settings come from the nearest slope.toml or [tool.slope] in pyproject.toml. Options override them.
Exit codes: 0 measured, whatever the findings; 2 invalid input, or nothing to measure.")]
pub(crate) struct Measure {
    /// Directory or file to measure. With --why, a line as FILE:LINE.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Explain a line: the functions, findings and clones around it.
    #[arg(long)]
    pub(crate) why: bool,
    /// Revision or directory to compare with. Marks dead code as new, orphaned or inherited.
    #[arg(long, value_name = "REVISION|DIR", conflicts_with_all = ["why", "no_signals"])]
    pub(crate) base: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) definitions: DefinitionArgs,
    #[command(flatten)]
    pub(crate) rules: RuleSource,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Arguments for output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write a report to a file, or to standard output with `-` (repeatable). The suffix selects the
    /// format: -o report.html. Or name it: -o sarif=out.json. Missing folders are created. A
    /// symbolic link is replaced, never followed.
    #[arg(long, short, value_name = "[FORMAT=]FILE", value_parser = measurement_output)]
    pub(crate) output: Vec<Output>,
    /// Maximum rows of each list, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// List every finding.
    #[arg(long)]
    pub(crate) findings: bool,
    /// List every file.
    #[arg(long)]
    pub(crate) files: bool,
}

fn measurement_output(text: &str) -> Result<Output, String> {
    Output::parse(text, MEASUREMENT_FORMATS)
}

/// Arguments that select metric definitions.
#[derive(Debug, Args)]
#[command(next_help_heading = "Definitions")]
pub(crate) struct DefinitionArgs {
    /// Metric definitions to use [default: slope].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Complexity above which a function is highly complex [default: 10].
    #[arg(long, value_name = "N")]
    pub(crate) cutoff: Option<u32>,
    /// How the size of a function affects its mass [default: sqrt].
    #[arg(long, value_enum, value_name = "TERM")]
    pub(crate) size_term: Option<SizeTerm>,
    /// Skip near-miss clones.
    #[arg(long)]
    pub(crate) no_near_miss: bool,
    /// Skip signals, the findings beyond the published metrics.
    #[arg(long)]
    pub(crate) no_signals: bool,
}

/// Metric definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// slope's definitions, with the default rules and signals.
    Slope,
    /// slope's definitions with every rule and signal, and generated code.
    Strict,
    /// Definitions of the published Table 7 of human repositories. Python only.
    Paper,
    /// Definitions of scb-check 0.2.0. Pass its rules with --rules.
    #[value(name = "scb-0.2.0")]
    Scb020,
    /// Definitions of the numbers in published run directories. Python only.
    PublishedRuns,
}

impl Profile {
    /// The name, if only `slope measure` knows the profile: another program's definitions.
    pub(crate) fn foreign(self) -> Option<&'static str> {
        match self {
            Self::Scb020 => Some("scb-0.2.0"),
            Self::PublishedRuns => Some(slope_compat::runs::PROFILE),
            Self::Slope | Self::Strict | Self::Paper => None,
        }
    }
}

/// How the size of a function affects its mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeTerm {
    /// Ignore the size.
    None,
    /// Multiply by the square root of the size.
    Sqrt,
    /// Multiply by the size.
    Linear,
}

/// How to treat test code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tests {
    /// Measure it like production code.
    Include,
    /// Leave it out.
    Exclude,
    /// Measure it, with separate totals.
    Split,
}

/// Arguments that select rules.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleSource {
    /// Additional ast-grep rules, a folder or file (repeatable).
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    /// Do not use slope's own rules.
    #[arg(long)]
    pub(crate) no_own_rules: bool,
}

/// Arguments that select the reported rules and signals.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct ReportedArgs {
    /// Enable a rule or signal that is off by default (repeatable).
    #[arg(long, value_name = "RULE")]
    pub(crate) enable: Vec<String>,
    /// Disable a rule or signal (repeatable).
    #[arg(long, value_name = "RULE")]
    pub(crate) disable: Vec<String>,
    /// Also report findings that comments in the code suppress.
    #[arg(long)]
    pub(crate) no_suppress: bool,
}

/// Arguments that select files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(crate) struct FileArgs {
    /// How to treat test code [default: split].
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) tests: Option<Tests>,
    /// Exclude matching paths, relative to the measured directory (repeatable).
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Also measure files that .gitignore and .slopeignore exclude.
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Also measure generated, vendored and minified files.
    #[arg(long)]
    pub(crate) include_generated: bool,
    /// Configuration file to use instead of the nearest one.
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub(crate) config: Option<PathBuf>,
    /// Ignore all configuration files.
    #[arg(long)]
    pub(crate) isolated: bool,
}

/// Arguments for caching and threads. They never change a result.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkArgs {
    /// Do not use the cache of earlier runs.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Number of threads, 0 for one per processor [default: 0].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// Maximum threads per processor. More threads only use memory.
const MAX_THREADS: usize = 4;

impl WorkArgs {
    /// Number of threads to start, 0 for one per processor.
    pub(crate) fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or(0).min(processors * MAX_THREADS)
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope rules
  slope rules --language python
  slope rules --rules my-rules --no-own-rules
  slope rules --format json")]
pub(crate) struct Rules {
    /// List only rules and signals for this language.
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) source: RuleSource,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope explain swallowed-exception
  slope explain empty-branch --language go
  slope explain erosion
  slope explain my-rule --rules my-rules --format json")]
pub(crate) struct Explain {
    /// Id of a rule, signal or metric.
    pub(crate) rule: String,
    /// Explain the rule for this language, if several languages have a rule with this id.
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) source: RuleSource,
}
