//! Arguments of `measure`, `rules` and `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use slope_report::MeasurementFormat;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope measure .                                 the summary, in the terminal
  slope measure src --findings --top 20           every finding, longer lists
  slope measure . -o report.html -o out.sarif     a page and SARIF beside the summary
  slope measure . --format json > out.json        everything, for programs
  slope measure . --tests exclude --exclude 'migrations/**'
  slope measure . --profile paper --rules rules   exactly the published definitions
  slope measure . --base main                     what of the dead code is new since main
  slope measure src/app.py:120 --why              all that is known of a line

Forms: human, json, jsonl, sarif, gitlab, github, junit, markdown, csv, html (docs/measuring.md).
Settings come from the nearest slope.toml or [tool.slope] in pyproject.toml; options here win.
Exit codes: 0 measured, whatever was found; 2 bad input, or nothing that could be measured.")]
pub(crate) struct Measure {
    /// Directory or file; with --why, a line as FILE:LINE.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Tell all that is known of the line: functions, findings, clones around it.
    #[arg(long)]
    pub(crate) why: bool,
    /// Tell dead code that is born dead or orphaned from what is inherited, seen from a base: a
    /// revision of the git repository, or a directory.
    #[arg(long, value_name = "REF|DIR", conflicts_with_all = ["why", "no_signals"])]
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

/// What is told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write a form to a file, `-` for standard output; repeat for several. A file's suffix
    /// names its form: -o report.html, -o sarif=out.json. Missing folders are made. A link is replaced
    /// by the file and never followed, since code that is judged may have put it there.
    #[arg(long, short, value_name = "[FORM=]FILE", value_parser = Output::parse)]
    pub(crate) output: Vec<Output>,
    /// Rows of each list, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// List every finding.
    #[arg(long)]
    pub(crate) findings: bool,
    /// List every file.
    #[arg(long)]
    pub(crate) files: bool,
}

/// A form and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// The form.
    pub(crate) form: MeasurementFormat,
    /// The file; `None` for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl Output {
    fn parse(text: &str) -> Result<Self, String> {
        let names = || {
            MeasurementFormat::ALL
                .map(MeasurementFormat::name)
                .join(", ")
        };
        let named = text
            .split_once('=')
            .and_then(|(form, file)| Some((MeasurementFormat::by_name(form)?, file)));
        let (form, file) = match named {
            Some(named) => named,
            None => {
                let form = MeasurementFormat::of_file(text).ok_or_else(|| {
                    format!(
                        "no form has this suffix; say FORM=FILE with one of {}",
                        names()
                    )
                })?;
                (form, text)
            }
        };
        if file.is_empty() {
            return Err("the name of the file is missing; `-` is standard output".to_owned());
        }
        let file = (file != "-").then(|| PathBuf::from(file));
        Ok(Self { form, file })
    }
}

/// Which definitions are in force.
#[derive(Debug, Args)]
#[command(next_help_heading = "Definitions")]
pub(crate) struct DefinitionArgs {
    /// Set of definitions [default: slope].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Complexity above which a function is highly complex [default: 10].
    #[arg(long, value_name = "N")]
    pub(crate) cutoff: Option<u32>,
    /// How a function's size enters its mass [default: sqrt].
    #[arg(long, value_enum, value_name = "TERM")]
    pub(crate) size_term: Option<SizeTerm>,
    /// Do not look for near-miss clones.
    #[arg(long)]
    pub(crate) no_near_miss: bool,
    /// Do not look for signals beyond the published metrics.
    #[arg(long)]
    pub(crate) no_signals: bool,
}

/// Metric definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// slope's own definitions, with the rules and signals that are on by default.
    Slope,
    /// slope's own definitions with every rule and signal, generated code included.
    Strict,
    /// The definitions behind the published table of human repositories; Python only.
    Paper,
    /// The definitions of scb-check 0.2.0; its rules are yours to bring with --rules.
    #[value(name = "scb-0.2.0")]
    Scb020,
    /// The definitions behind the numbers that published runs store; Python only.
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

/// How a function's size enters its mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SizeTerm {
    /// Not at all.
    None,
    /// By its square root.
    Sqrt,
    /// In proportion.
    Linear,
}

/// What becomes of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tests {
    /// They are measured like product code.
    Include,
    /// They are left out.
    Exclude,
    /// They are measured, and totals are given for both parts.
    Split,
}

/// Where rules come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleSource {
    /// Further rules: a folder or file of ast-grep rules (repeatable).
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    /// Leave out slope's own rules.
    #[arg(long)]
    pub(crate) no_own_rules: bool,
}

/// Which rules and signals are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct ReportedArgs {
    /// Report a rule or signal that is off by default (repeatable).
    #[arg(long, value_name = "RULE")]
    pub(crate) enable: Vec<String>,
    /// Do not report a rule or signal (repeatable).
    #[arg(long, value_name = "RULE")]
    pub(crate) disable: Vec<String>,
    /// Report what comments in the code suppress, too.
    #[arg(long)]
    pub(crate) no_suppress: bool,
}

/// Which files are measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files")]
pub(crate) struct FileArgs {
    /// What becomes of tests [default: split].
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) tests: Option<Tests>,
    /// Leave out paths that match, relative to the measured directory (repeatable).
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Measure what .gitignore and .slopeignore name, too.
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// Measure generated, vendored and minified files, too.
    #[arg(long)]
    pub(crate) include_generated: bool,
    /// Configuration to use instead of the nearest one.
    #[arg(long, value_name = "FILE", conflicts_with = "isolated")]
    pub(crate) config: Option<PathBuf>,
    /// Use no configuration.
    #[arg(long)]
    pub(crate) isolated: bool,
}

/// How the work is done; nothing here changes a number.
#[derive(Debug, Args)]
#[command(next_help_heading = "Work")]
pub(crate) struct WorkArgs {
    /// Neither read nor keep facts of files from other runs.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Threads [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// Most threads for each processor: more only take memory.
const MOST_THREADS: usize = 4;

impl WorkArgs {
    /// The threads to be started, 0 for one for each processor.
    pub(crate) fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or(0).min(processors * MOST_THREADS)
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
    /// Only rules and signals for this language.
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<String>,
    #[command(flatten)]
    pub(crate) source: RuleSource,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope explain swallowed-exception
  slope explain unused-import
  slope explain my-rule --rules my-rules --format json")]
pub(crate) struct Explain {
    /// Id of the rule or signal.
    pub(crate) rule: String,
    #[command(flatten)]
    pub(crate) source: RuleSource,
}
