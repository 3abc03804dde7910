//! User options.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::measurement::Part;
use slope_rules::{CATEGORIES, SECURITY};
use slope_syntax::Limits;

use crate::config::FoundConfig;
use crate::discover;
use crate::levels::Levels;

/// Folders that are never entered by default: output of tools, and third-party packages. Virtual
/// environments are recognized by their configuration file instead, because a name alone would let
/// code hide.
pub const EXCLUDED: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "__pycache__",
    "node_modules",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
];

/// Further names that the published definitions leave out as virtual environments.
pub const EXCLUDED_BY_PAPER: &[&str] = &[".venv", "venv"];

/// Top-level folders that the published table of repositories leaves out.
pub const EXCLUDED_FROM_PANEL: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "examples",
    "example",
    "benchmarks",
    "bench",
    "scripts",
    "tools",
    ".meta",
    ".github",
    "test_fixtures",
];

/// Set of definitions, and the findings reported by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// slope's own definitions, with the rules and signals that are on by default.
    #[default]
    Slope,
    /// Definitions behind the published table of human repositories, Python only.
    Paper,
    /// slope's own definitions with every rule and signal on, generated and
    /// vendored code included.
    Strict,
}

impl Profile {
    /// The profile's name in outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Slope => "slope",
            Self::Paper => "paper",
            Self::Strict => "strict",
        }
    }

    /// The definitions of lines, callables and clones that it uses.
    #[must_use]
    pub fn definitions(self) -> slope_syntax::Profile {
        match self {
            Self::Slope | Self::Strict => slope_syntax::Profile::Slope,
            Self::Paper => slope_syntax::Profile::Paper,
        }
    }
}

/// Size term of a callable's mass (paper, equation 2 and its sensitivity analysis).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeTerm {
    /// Not at all: mass is complexity.
    None,
    /// By its square root.
    #[default]
    Sqrt,
    /// In proportion.
    Linear,
}

impl SizeTerm {
    /// Its name in outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sqrt => "sqrt",
            Self::Linear => "linear",
        }
    }

    /// The mass of a callable of this complexity and size.
    #[must_use]
    pub fn mass(self, complexity: u32, sloc: u32) -> f64 {
        let (complexity, sloc) = (f64::from(complexity), f64::from(sloc));
        match self {
            Self::None => complexity,
            Self::Sqrt => complexity * sloc.sqrt(),
            Self::Linear => complexity * sloc,
        }
    }
}

/// Treatment of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tests {
    /// Measured like other code.
    #[default]
    Include,
    /// Left out.
    Exclude,
    /// Measured, with separate totals for both parts.
    Split,
}

impl Tests {
    /// Its name in outputs.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Exclude => "exclude",
            Self::Split => "split",
        }
    }
}

/// Patterns of paths in a configuration.
#[derive(Debug, Clone, Default)]
pub struct ConfiguredGlobs {
    /// The folder that they are relative to.
    pub folder: Option<PathBuf>,
    /// The patterns.
    pub patterns: Vec<String>,
}

/// Place of a value in a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfiguredAt {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

/// Options of a measurement.
#[derive(Debug, Clone)]
pub struct Options {
    /// Definitions in force.
    pub profile: Profile,
    /// A callable above this complexity, cyclomatic or cognitive, is highly complex.
    pub cut_off: u32,
    /// Size term of a callable's mass.
    pub size_term: SizeTerm,
    /// Whether slope's own rules are used.
    pub own_rules: bool,
    /// Further rules: folders or files.
    pub rule_paths: Vec<PathBuf>,
    /// Rules and signals reported although they are off by default.
    pub enabled: Vec<String>,
    /// Rules and signals that are not reported.
    pub disabled: Vec<String>,
    /// Whether versions of a tree are compared. Then signals are also reported that are precise
    /// enough only for code that a change has left without use.
    pub in_changes: bool,
    /// Names of folders that are not entered, at any depth; [`EXCLUDED`] by default.
    pub excluded: Vec<String>,
    /// Names of folders that are not entered at the top level.
    pub excluded_at_top: Vec<String>,
    /// Patterns of paths, relative to the root, that are left out.
    pub excluded_globs: Vec<String>,
    /// Exclude patterns from a configuration.
    pub configured_globs: ConfiguredGlobs,
    /// Values from a configuration, each with its place, for errors about them.
    pub configured_at: BTreeMap<String, ConfiguredAt>,
    /// Whether `.gitignore` and `.slopeignore` are obeyed. Off by default: in a
    /// workspace that an agent wrote they could hide code.
    pub ignore_files: bool,
    /// Whether generated, vendored and minified files are left out. Off by
    /// default, for the same reason.
    pub leave_out: bool,
    /// Treatment of tests.
    pub tests: Tests,
    /// Path from the top of the project to the measured folder, with slashes; empty if they are the same. Folders in it
    /// may say that all files are tests.
    pub below: String,
    /// Whether comments in the code may silence findings, and which day it is for
    /// those with an expiry. `None` by default, for the same reason.
    pub suppressions: Option<jiff::civil::Date>,
    /// Oldest language versions that the project supports. Advice that needs newer ones is not
    /// reported.
    pub levels: Levels,
    /// Whether near-miss clones (type 3) are searched.
    pub near_miss: bool,
    /// Whether signals beyond the paper's are searched.
    pub signals: bool,
    /// Whether files of Python also get the facts of the published headline.
    pub headline: bool,
    /// Whether functions can be followed from one version of a tree to another, for which more
    /// facts of each are stored. A [`Tracker`](crate::Tracker) needs it.
    pub follow: bool,
    /// Limits of a single file.
    pub limits: Limits,
    /// Number of threads, 0 for one per processor. The result does not depend on it.
    pub threads: usize,
    /// Folder of the cache of facts. `None` for no cache.
    pub cache: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            profile: Profile::Slope,
            cut_off: 10,
            size_term: SizeTerm::Sqrt,
            own_rules: true,
            rule_paths: Vec::new(),
            enabled: Vec::new(),
            disabled: Vec::new(),
            in_changes: false,
            excluded: EXCLUDED.iter().map(|&name| name.to_owned()).collect(),
            excluded_at_top: Vec::new(),
            excluded_globs: Vec::new(),
            configured_globs: ConfiguredGlobs::default(),
            configured_at: BTreeMap::new(),
            ignore_files: false,
            leave_out: false,
            tests: Tests::Include,
            below: String::new(),
            suppressions: None,
            levels: Levels::default(),
            near_miss: true,
            signals: true,
            headline: true,
            follow: true,
            limits: Limits::default(),
            threads: 0,
            cache: None,
        }
    }
}

impl Options {
    /// Options for a tree measured by its own project: ignore files, signs of generated code and
    /// suppressions are respected, and tests are separate.
    #[must_use]
    pub fn trusting(today: jiff::civil::Date) -> Self {
        Self {
            ignore_files: true,
            leave_out: true,
            tests: Tests::Split,
            suppressions: Some(today),
            ..Self::default()
        }
    }

    /// Options of the project around a path: its configuration, if it has one, and the language versions that it
    /// supports.
    #[must_use]
    pub fn of_project(path: &Path, config: Option<&FoundConfig>, today: jiff::civil::Date) -> Self {
        let mut options = Self::trusting(today);
        if let Some(config) = config {
            config.apply(&mut options);
        }
        options.levels = Levels::of(path);
        options
    }

    /// Options for slope's rules about security only. The numbers of such a measurement mean nothing.
    #[must_use]
    pub fn only_security() -> Self {
        let others = CATEGORIES.iter().filter(|category| **category != SECURITY);
        Self {
            enabled: vec![SECURITY.to_owned()],
            disabled: others.map(|&category| category.to_owned()).collect(),
            near_miss: false,
            signals: false,
            headline: false,
            follow: false,
            ..Self::default()
        }
    }

    /// Sets what the profile implies for the selection of files.
    pub fn apply_profile(&mut self) {
        if self.profile == Profile::Strict {
            self.leave_out = false;
        }
        if self.profile == Profile::Paper {
            // The published definitions have neither ignore files nor detection of generated code.
            self.leave_out = false;
            self.ignore_files = false;
            let names = EXCLUDED_BY_PAPER.iter();
            self.excluded.extend(names.map(|&name| name.to_owned()));
        }
    }

    /// The same options for a tree of which one version is measured, at a path.
    #[must_use]
    pub fn of_one_version(self, path: &Path) -> Self {
        Self {
            follow: false,
            below: below_top(path),
            ..self
        }
    }

    /// The same options for a ledger, where tests are always separate.
    #[must_use]
    pub fn with_separate_tests(mut self) -> Self {
        if self.tests == Tests::Include {
            self.tests = Tests::Split;
        }
        self
    }

    /// Options for versions of a tree that are compared, in ledgers, histories and the gate: near misses are
    /// not searched for, and code that a change leaves unused is reported.
    #[must_use]
    pub fn comparing(self) -> Self {
        Self {
            near_miss: false,
            in_changes: true,
            ..self
        }
    }

    /// Options of the published table of human repositories.
    #[must_use]
    pub fn panel() -> Self {
        let mut options = Self {
            profile: Profile::Paper,
            near_miss: false,
            signals: false,
            ..Self::default()
        };
        let names = |list: &[&str]| list.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        options.excluded.extend(names(EXCLUDED_BY_PAPER));
        options.excluded_at_top = names(EXCLUDED_FROM_PANEL);
        options
    }
}

/// Path from the top of its repository to a folder, or to that of a file; empty without a repository.
fn below_top(path: &Path) -> String {
    let found = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = found.parent().filter(|_| !found.is_dir());
    let root = folder.unwrap_or(&found);
    let top = root.ancestors().find(|folder| folder.join(".git").exists());
    let below = top.and_then(|top| root.strip_prefix(top).ok());
    below.map_or(String::new(), slope_model::path::slashed)
}

impl Options {
    /// The part of the code base of a file, by its path from the measured folder.
    pub(crate) fn part_of(&self, path: &str, language: &str, holds_tests: bool) -> Part {
        discover::part_of(&discover::join(&self.below, path), language, holds_tests)
    }

    /// The place of a value in the configuration, to precede a message: `slope.toml:3: `. Empty if the configuration
    /// lacks the value.
    pub(crate) fn place_of(&self, value: &str) -> String {
        let at = self.configured_at.get(value);
        at.map_or(String::new(), |at| {
            format!("{}:{}: ", at.path.display(), at.line)
        })
    }
}
