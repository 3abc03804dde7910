//! `[check]` in `slope.toml`, and `[tool.slope.check]` in `pyproject.toml`.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Deserializer};
use slope_measure::check_glob;
use slope_model::data_words::with_remedy;
use slope_model::finding::Severity;
use slope_model::gate::{GateRule, Level};
use slope_model::ledger::Amounts;
use slope_model::measurement::Part;
use slope_model::metrics::Metric;
use toml::Spanned;

use crate::Error;
use crate::track::{SaidTrack, TrackSettings};

/// Rules of the gate and their limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// The revision that changes are compared with; `None` for the merge base with the default
    /// branch.
    pub base: Option<String>,
    /// The place of `base` in the configuration: `slope.toml:3`.
    pub base_at: Option<String>,
    /// The line of it, from 1.
    pub base_line: Option<usize>,
    /// Globs of paths to leave out of the report.
    pub ignore: Vec<String>,
    /// The ratchet's file, relative to the configuration's folder.
    pub ratchet: PathBuf,
    /// Limits for production code.
    pub product: Limits,
    /// Limits for tests.
    pub tests: Limits,
    /// Budget of one change to production code.
    pub change: Budget,
    /// Budget of seven days of changes to production code.
    pub week: Budget,
    /// Budget of production code since the last point of a series, from `[track.growth]`.
    pub growth: Budget,
    /// Level of violations of that budget; `None` if the rule is off.
    pub over_growth: Option<Level>,
    /// Level of violations of a budget; `None` if the rule is off.
    pub over_budget: Option<Level>,
    /// Level of changes to the judged files or the settings of the gate; `None` if the rule is off.
    pub setup: Option<Level>,
    /// Whether to judge changes to the gate regardless of the configuration; see [`Self::only`].
    pub judges_setup: bool,
    /// Whether the rule for reimplementations is requested by name. Its signal is off by default.
    pub compares_functions: bool,
}

/// Limits for code that changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Levels of the rules that are on.
    levels: Vec<(GateRule, Level)>,
    /// Complexity, cyclomatic or cognitive, above which a function is highly complex.
    pub complexity: u32,
    /// Maximum complexity that one change may add to a function that is highly complex afterwards.
    pub growth: u32,
    /// Minimum source lines of a reported copy.
    pub clone_lines: u32,
    /// The same for code outside of functions. Declarations and tables often look alike, and there is no function to
    /// call instead.
    pub clone_lines_outside: u32,
    /// Minimum severity of a reported new finding.
    pub severity: Severity,
}

/// Maximum additions. `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Budget {
    /// Complexity mass.
    #[serde(default, deserialize_with = "amount")]
    pub mass: Option<f64>,
    /// Source lines in clones.
    pub clone_lines: Option<i64>,
    /// Source lines flagged by rules.
    pub flagged_lines: Option<i64>,
    /// Findings of dead code.
    pub dead_code: Option<i64>,
}

impl Budget {
    /// The limits in the order of [`Amounts::listed`].
    pub(crate) fn listed(&self) -> [Option<f64>; 4] {
        #[expect(
            clippy::cast_precision_loss,
            reason = "limits of lines are far below 2^53"
        )]
        let number = |limit: Option<i64>| limit.map(|n| n as f64);
        [
            self.mass,
            number(self.clone_lines),
            number(self.flagged_lines),
            number(self.dead_code),
        ]
    }

    /// The amounts with a limit, each with its metric and limit.
    pub fn limits(&self) -> impl Iterator<Item = (&'static Metric, f64)> {
        let metrics = Amounts::default().listed().map(|(metric, _)| metric);
        let listed = self.listed().into_iter().zip(metrics);
        listed.filter_map(|(limit, metric)| Some((metric, limit?)))
    }

    /// Whether there is no limit at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Limits {
    /// The level of a rule; `None` if it is off.
    #[must_use]
    pub fn level(&self, rule: GateRule) -> Option<Level> {
        let found = self.levels.iter().find(|(other, _)| *other == rule);
        found.map(|(_, level)| *level)
    }

    /// Minimum source lines of a reported copy in a function, or outside of functions, where the limit is never lower.
    pub(crate) fn fewest_clone_lines(&self, outside: bool) -> u32 {
        if outside {
            self.clone_lines_outside.max(self.clone_lines)
        } else {
            self.clone_lines
        }
    }

    fn set(&mut self, rule: GateRule, level: Option<Level>) {
        self.levels.retain(|(other, _)| *other != rule);
        self.levels.extend(level.map(|level| (rule, level)));
    }
}

impl Default for Check {
    fn default() -> Self {
        let product = Limits {
            levels: vec![
                (GateRule::BrokenSyntax, Level::Error),
                (GateRule::NewComplexity, Level::Error),
                (GateRule::ComplexityGrowth, Level::Error),
                (GateRule::NewClone, Level::Error),
                (GateRule::Reimplementation, Level::Warning),
                (GateRule::DeadCode, Level::Error),
                (GateRule::NewFinding, Level::Warning),
            ],
            complexity: 15,
            growth: 2,
            clone_lines: 6,
            clone_lines_outside: 20,
            severity: Severity::Warning,
        };
        let tests = Limits {
            levels: vec![
                (GateRule::BrokenSyntax, Level::Error),
                (GateRule::NewComplexity, Level::Warning),
                (GateRule::ComplexityGrowth, Level::Warning),
                (GateRule::NewClone, Level::Warning),
                (GateRule::DeadCode, Level::Warning),
            ],
            complexity: 20,
            growth: 5,
            clone_lines: 20,
            clone_lines_outside: 40,
            severity: Severity::Warning,
        };
        Self {
            base: None,
            base_at: None,
            base_line: None,
            ignore: Vec::new(),
            ratchet: PathBuf::from("slope-ratchet.txt"),
            product,
            tests,
            change: Budget::default(),
            week: Budget::default(),
            growth: Budget::default(),
            over_growth: Some(Level::Warning),
            over_budget: Some(Level::Error),
            setup: Some(Level::Warning),
            judges_setup: true,
            compares_functions: false,
        }
    }
}

impl Check {
    /// The limits for a part of the code base.
    #[must_use]
    pub fn limits(&self, part: Part) -> &Limits {
        match part {
            Part::Product => &self.product,
            Part::Tests => &self.tests,
        }
    }

    /// Keeps these rules and switches the others off.
    pub fn only(&mut self, rules: &[GateRule]) {
        for limits in [&mut self.product, &mut self.tests] {
            limits.levels.retain(|(rule, _)| rules.contains(rule));
        }
        self.judges_setup = rules.contains(&GateRule::GateSetup);
        if !rules.contains(&GateRule::ChangeBudget) {
            self.change = Budget::default();
        }
        if !rules.contains(&GateRule::WeekBudget) {
            self.week = Budget::default();
        }
        if !rules.contains(&GateRule::TrackGrowth) {
            self.growth = Budget::default();
        }
    }

    /// The rules that grades rest on: all of them, with findings of any severity, and without budgets.
    #[must_use]
    pub fn for_grades(mut self) -> Self {
        for limits in [&mut self.product, &mut self.tests] {
            limits.severity = Severity::Hint;
            limits.set(GateRule::NewFinding, Some(Level::Warning));
            limits.set(GateRule::Reimplementation, Some(Level::Warning));
        }
        self.change = Budget::default();
        self.week = Budget::default();
        self.growth = Budget::default();
        self
    }

    /// Reads the settings in a `slope.toml` or `pyproject.toml`, over the defaults.
    ///
    /// # Errors
    /// If the file cannot be read, or has an unknown key or value.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::of_text(path, &read(path)?)
    }

    /// As [`Self::read`], for a file with this text.
    ///
    /// # Errors
    /// If the text has an unknown key or value.
    pub fn of_text(path: &Path, text: &str) -> Result<Self, Error> {
        let mut check = table_of(path, text, Self::parse)?;
        let line = check.base_line;
        check.base_at = line.map(|line| format!("{}:{line}", path.display()));
        Ok(check)
    }

    /// The level for changes to the judged files, if the configurations were `before`. A change
    /// must not choose its own level.
    pub(crate) fn setup_after(&self, before: &[Self]) -> Option<Level> {
        let before = before.iter().map(|check| check.setup).max().flatten();
        self.setup.max(before).filter(|_| self.judges_setup)
    }

    pub(crate) fn parse(text: &str, is_pyproject: bool) -> Result<Self, Refused> {
        let said = said(text, is_pyproject)?;
        let mut check = Self::default();
        if let Some(said) = said.check {
            for glob in &said.ignore {
                check_glob(glob.get_ref()).map_err(|error| Refused {
                    line: line_at(text, glob.span().start),
                    message: error.to_string(),
                })?;
            }
            let base = said.base.as_ref();
            check.base_line = base.map(|base| line_at(text, base.span().start));
            said.apply(&mut check);
        }
        check.growth = TrackSettings::parse(text, is_pyproject)?.growth;
        Ok(check)
    }
}

/// The text of a configuration.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

/// The settings in a `slope.toml` or `pyproject.toml`. The flag of `parse` is whether it is the latter.
pub(crate) fn table_of<T>(
    path: &Path,
    text: &str,
    parse: impl Fn(&str, bool) -> Result<T, Refused>,
) -> Result<T, Error> {
    let is_pyproject = path.file_name().is_some_and(|n| n == "pyproject.toml");
    parse(text, is_pyproject).map_err(|refused| Error::Config {
        path: path.to_owned(),
        line: refused.line,
        message: refused.message,
    })
}

/// The settings of a configuration that this crate reads.
pub(crate) fn said(text: &str, is_pyproject: bool) -> Result<Slope, Refused> {
    let syntax = |error: toml::de::Error| Refused {
        line: line_at(text, error.span().map_or(0, |span| span.start)),
        message: with_remedy(error.message()),
    };
    if is_pyproject {
        let found: Pyproject = toml::from_str(text).map_err(syntax)?;
        return Ok(found.tool.and_then(|t| t.slope).unwrap_or_default());
    }
    toml::from_str(text).map_err(syntax)
}

/// A value that cannot be used.
#[derive(Debug)]
pub(crate) struct Refused {
    /// Its line, from 1.
    line: usize,
    /// The reason, and a remedy.
    message: String,
}

impl Refused {
    pub(crate) fn new(line: usize, message: String) -> Self {
        Self { line, message }
    }

    #[cfg(test)]
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    #[cfg(test)]
    pub(crate) fn message(&self) -> &str {
        &self.message
    }
}

/// The line of a byte, from 1.
pub(crate) fn line_at(text: &str, byte: usize) -> usize {
    let before = text.get(..byte).unwrap_or_default();
    1 + before.matches('\n').count()
}

#[derive(Deserialize)]
struct Pyproject {
    tool: Option<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    slope: Option<Slope>,
}

/// The tables of a configuration that this crate reads.
#[derive(Deserialize, Default)]
pub(crate) struct Slope {
    check: Option<Said>,
    pub(crate) track: Option<SaidTrack>,
}

/// A rule's level as written.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SaidLevel {
    Off,
    Warning,
    Error,
}

impl SaidLevel {
    fn level(self) -> Option<Level> {
        match self {
            Self::Off => None,
            Self::Warning => Some(Level::Warning),
            Self::Error => Some(Level::Error),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Said {
    #[serde(default, deserialize_with = "revision")]
    base: Option<Spanned<String>>,
    #[serde(default)]
    ignore: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "within")]
    ratchet_file: Option<PathBuf>,
    broken_syntax: Option<SaidLevel>,
    new_complexity: Option<SaidLevel>,
    complexity_growth: Option<SaidLevel>,
    new_clone: Option<SaidLevel>,
    reimplementation: Option<SaidLevel>,
    dead_code: Option<SaidLevel>,
    new_finding: Option<SaidLevel>,
    budget: Option<SaidLevel>,
    track_growth: Option<SaidLevel>,
    gate_setup: Option<SaidLevel>,
    complexity: Option<u32>,
    growth: Option<u32>,
    clone_lines: Option<u32>,
    clone_lines_outside: Option<u32>,
    severity: Option<Severity>,
    tests: Option<SaidOfTests>,
    change: Option<Budget>,
    week: Option<Budget>,
}

/// A revision, which has a name.
fn revision<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Spanned<String>>, D::Error> {
    let revision = Spanned::<String>::deserialize(deserializer)?;
    if revision.get_ref().trim().is_empty() {
        let message =
            "the revision has no name\nhelp: name a branch, a tag or a commit, or remove `base`";
        return Err(serde::de::Error::custom(message));
    }
    Ok(Some(revision))
}

/// A limit that can be reached.
fn amount<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let amount = f64::deserialize(deserializer)?;
    if amount.is_finite() {
        return Ok(Some(amount));
    }
    let message = format!(
        "the limit `{amount}` is not a number\nhelp: change the value to a number, or remove it"
    );
    Err(serde::de::Error::custom(message))
}

/// Reads a path that stays inside the configuration's folder. The configuration may come from an
/// untrusted repository, and slope writes the file.
fn within<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    let path = PathBuf::deserialize(deserializer)?;
    let is_within = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let message = match path.file_name() {
        Some(_) if is_within => return Ok(Some(path)),
        _ if is_within => {
            "it names no file\nhelp: write the name of a file, such as `slope-ratchet.txt`"
        }
        _ => {
            "the ratchet must be in the folder of its configuration or below\nhelp: name it from there, without `..`"
        }
    };
    Err(serde::de::Error::custom(message))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SaidOfTests {
    broken_syntax: Option<SaidLevel>,
    new_complexity: Option<SaidLevel>,
    complexity_growth: Option<SaidLevel>,
    new_clone: Option<SaidLevel>,
    reimplementation: Option<SaidLevel>,
    dead_code: Option<SaidLevel>,
    new_finding: Option<SaidLevel>,
    complexity: Option<u32>,
    growth: Option<u32>,
    clone_lines: Option<u32>,
    clone_lines_outside: Option<u32>,
    severity: Option<Severity>,
}

impl Said {
    fn apply(self, check: &mut Check) {
        let in_tests = self.tests.as_ref().and_then(|t| t.reimplementation);
        let said = [self.reimplementation, in_tests].into_iter().flatten();
        check.compares_functions = said.map(SaidLevel::level).any(|level| level.is_some());
        check.base = self.base.map(Spanned::into_inner);
        check.ignore = self.ignore.into_iter().map(Spanned::into_inner).collect();
        if let Some(file) = self.ratchet_file {
            check.ratchet = file;
        }
        if let Some(level) = self.budget {
            check.over_budget = level.level();
        }
        if let Some(level) = self.track_growth {
            check.over_growth = level.level();
        }
        if let Some(level) = self.gate_setup {
            check.setup = level.level();
        }
        check.change = self.change.unwrap_or_default();
        check.week = self.week.unwrap_or_default();
        let product = SaidOfTests {
            broken_syntax: self.broken_syntax,
            new_complexity: self.new_complexity,
            complexity_growth: self.complexity_growth,
            new_clone: self.new_clone,
            reimplementation: self.reimplementation,
            dead_code: self.dead_code,
            new_finding: self.new_finding,
            complexity: self.complexity,
            growth: self.growth,
            clone_lines: self.clone_lines,
            clone_lines_outside: self.clone_lines_outside,
            severity: self.severity,
        };
        product.apply(&mut check.product);
        if let Some(tests) = self.tests {
            tests.apply(&mut check.tests);
        }
    }
}

impl SaidOfTests {
    fn apply(self, limits: &mut Limits) {
        let levels = [
            (GateRule::BrokenSyntax, self.broken_syntax),
            (GateRule::NewComplexity, self.new_complexity),
            (GateRule::ComplexityGrowth, self.complexity_growth),
            (GateRule::NewClone, self.new_clone),
            (GateRule::Reimplementation, self.reimplementation),
            (GateRule::DeadCode, self.dead_code),
            (GateRule::NewFinding, self.new_finding),
        ];
        for (rule, said) in levels {
            if let Some(said) = said {
                limits.set(rule, said.level());
            }
        }
        let set = |limit: &mut u32, said: Option<u32>| *limit = said.unwrap_or(*limit);
        set(&mut limits.complexity, self.complexity);
        set(&mut limits.growth, self.growth);
        set(&mut limits.clone_lines, self.clone_lines);
        set(&mut limits.clone_lines_outside, self.clone_lines_outside);
        limits.severity = self.severity.unwrap_or(limits.severity);
    }
}
