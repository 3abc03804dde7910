//! The metrics, and which of them each command shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::declare::{Field, others, totals};
use super::{Aggregation, Direction, Kind, Metric, Source};

/// Pages of the documentation.
const METRICS: &str = "docs/metrics/README.md";
const CLONES: &str = "docs/metrics/clones.md";
const RULES: &str = "docs/rules.md";
const SIGNALS: &str = "docs/metrics/signals.md";
const MEASURING: &str = "docs/measuring.md";
const REPORTS: &str = "docs/reports.md";

/// The values that most metrics have.
const BLANK: Metric = Metric {
    id: "",
    column: "",
    title: "",
    short: "",
    unit: "",
    gist: "",
    definition: "",
    formula: "",
    kind: Kind::Count,
    aggregation: Aggregation::Sum,
    direction: Direction::Lower,
    needs: None,
    page: METRICS,
    source: Source::Totals(|_| None),
};

totals! {
    /// Totals of a snapshot. If a value is `null`, `missing` has the reason.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub struct Totals {
        /// Measured files. A file with production code and tests counts in both parts.
        files: u32 = FILES {
            title: "files",
            unit: "files",
            direction: Direction::Neither,
            page: MEASURING,
        }

        /// Files of a known language that could not be measured.
        unmeasured_files: u32 = UNMEASURED_FILES {
            title: "files not measured",
            unit: "files",
            page: MEASURING,
        }

        /// Physical lines.
        lines: u64 = LINES {
            title: "lines",
            unit: "lines",
            direction: Direction::Neither,
        }

        /// Lines of code, without blank lines, comments and docstrings.
        sloc: u64 = SLOC {
            column: "source_lines",
            title: "source lines",
            unit: "lines",
            gist: "lines with code",
            direction: Direction::Neither,
        }

        /// Functions and methods.
        callables: u32 = CALLABLES {
            title: "callables",
            unit: "callables",
            direction: Direction::Neither,
        }

        /// Functions and methods above the complexity cut-off.
        high_complexity_callables: u32 = HIGH_COMPLEXITY_CALLABLES {
            title: "high-complexity callables",
            short: "complex callables",
            unit: "callables",
            needs: Some(&MASS),
        }

        /// Largest cyclomatic complexity of a function or method.
        max_complexity: Option<u32> = MAX_COMPLEXITY {
            title: "max complexity",
            aggregation: Aggregation::Largest,
        }

        /// Sum over callables of cyclomatic complexity times the square root of source lines.
        mass: Option<f64> = MASS {
            title: "complexity mass",
            short: "mass",
            gist: "complexity of functions, weighted by their size",
            formula: "sum over callables of cyclomatic * sqrt(source lines)  (paper, equation 2)",
            kind: Kind::Real,
        }

        /// Complexity mass of callables above the complexity cut-off.
        high_complexity_mass: Option<f64> = HIGH_COMPLEXITY_MASS {
            title: "mass above cut-off",
            short: "mass above",
            gist: "the part of the mass in functions of high complexity",
            formula: "mass of callables with cyclomatic > 10",
            kind: Kind::Real,
        }

        /// Complexity mass of callables above the complexity cut-off, over the mass of all.
        erosion: Option<f64> = EROSION {
            title: "erosion",
            unit: "0–1",
            gist: "share of complexity mass in highly complex functions",
            formula: "high_complexity_mass / mass  (paper, equation 3)",
            kind: Kind::Ratio,
            aggregation: Aggregation::Share("high_complexity_mass", "mass"),
        }

        /// Sum over callables of cognitive complexity times the square root of source lines.
        #[serde(default)]
        cognitive_mass: Option<f64> = COGNITIVE_MASS {
            title: "cognitive mass",
            formula: "sum over callables of cognitive * sqrt(source lines)",
            kind: Kind::Real,
        }

        /// Cognitive mass of callables with cognitive complexity above the cut-off.
        #[serde(default)]
        high_cognitive_mass: Option<f64> = HIGH_COGNITIVE_MASS {
            title: "cognitive mass above cut-off",
            formula: "cognitive mass of callables with cognitive > 10",
            kind: Kind::Real,
        }

        /// Functions and methods with cognitive complexity above the cut-off.
        #[serde(default)]
        high_cognitive_callables: Option<u32> = HIGH_COGNITIVE_CALLABLES {
            title: "high-cognitive callables",
            unit: "callables",
        }

        /// Cognitive mass of callables with cognitive complexity above the cut-off, over that of all.
        #[serde(default)]
        cognitive_erosion: Option<f64> = COGNITIVE_EROSION {
            title: "cognitive erosion",
            unit: "0–1",
            formula: "high_cognitive_mass / cognitive_mass",
            kind: Kind::Ratio,
            aggregation: Aggregation::Share("high_cognitive_mass", "cognitive_mass"),
        }

        /// Deepest nesting of control statements in a function or method.
        #[serde(default)]
        max_nesting: Option<u32> = MAX_NESTING {
            title: "max nesting",
            unit: "levels",
            aggregation: Aggregation::Largest,
        }

        /// Files with syntax errors. slope measures the parts of them that parse.
        #[serde(default)]
        files_with_syntax_errors: u32 = FILES_WITH_SYNTAX_ERRORS {
            title: "files with syntax errors",
            unit: "files",
        }

        /// Source lines in near-miss clones (type 3), which verbosity does not count.
        #[serde(default)]
        near_clone_lines: Option<u64> = NEAR_CLONE_LINES {
            title: "near-miss clone lines",
            unit: "lines",
            page: CLONES,
        }

        /// Mean maintainability index of files, weighted by source lines, 0 to 100.
        #[serde(default)]
        maintainability: Option<f64> = MAINTAINABILITY {
            title: "maintainability",
            unit: "0–100",
            formula: "of a file: max(0, min(100, (171 - 5.2 ln V - 0.23 C - 16.2 ln L) * 100 / 171))",
            kind: Kind::Real,
            aggregation: Aggregation::WeightedMean,
            direction: Direction::Higher,
        }

        /// Source lines that a rule flags.
        flagged_lines: Option<u64> = FLAGGED_LINES {
            title: "flagged lines",
            short: "flagged",
            unit: "lines",
            gist: "source lines that rules flag as redundant",
            page: RULES,
        }

        /// Source lines that are in a clone.
        clone_lines: Option<u64> = CLONE_LINES {
            title: "clone lines",
            short: "clones",
            unit: "lines",
            gist: "source lines that also appear elsewhere",
            page: CLONES,
        }

        /// Source lines that a rule flags or that are in a clone, counted once.
        verbose_lines: Option<u64> = VERBOSE_LINES {
            title: "verbose lines",
            unit: "lines",
        }

        /// Source lines that a rule flags or that are in a clone (counted once), over the lines of the metric profile.
        verbosity: Option<f64> = VERBOSITY {
            title: "verbosity",
            unit: "0–1",
            gist: "share of lines that rules flag or that are in clones",
            formula: "verbose_lines / sloc  (paper, equation 4, which divides by all lines)",
            kind: Kind::Ratio,
            aggregation: Aggregation::Share("verbose_lines", "sloc"),
        }
    }
}

others! {
    /// Complexity mass per thousand physical lines.
    MASS_PER_KLOC {
        id: "mass_per_kloc",
        title: "mass per 1,000 lines",
        gist: "complexity mass per thousand lines",
        formula: "mass / (lines / 1000)",
        kind: Kind::Real,
        aggregation: Aggregation::Share("mass", "lines"),
        needs: Some(&MASS),
        source: Source::Totals(|totals| {
            let lines = totals.lines.number().filter(|lines| *lines > 0.0)?;
            Some(totals.mass? / (lines / 1000.0))
        }),
    }

    /// Findings of unreachable or unused code, in all code.
    DEAD_CODE {
        id: "dead_code",
        title: "dead code",
        short: "dead",
        unit: "findings",
        page: SIGNALS,
        source: Source::Findings("dead-code"),
    }

    /// Cost of the attempt, as counted by the gateway.
    COST {
        id: "cost",
        title: "cost",
        unit: "USD",
        kind: Kind::Cost,
        page: REPORTS,
        source: Source::Usage {
            value: |usage| usage.cost_usd,
            missing: "no price is known for the model",
        },
    }

    /// Uncached input, cache reads, cache writes and output (reasoning is part of output).
    TOKENS {
        id: "tokens",
        title: "tokens",
        unit: "tokens",
        page: REPORTS,
        source: Source::Usage {
            value: |usage| {
                let tokens = &usage.tokens;
                (tokens.input + tokens.cache_read + tokens.cache_write + tokens.output).number()
            },
            missing: "no tokens are known",
        },
    }

    /// Wall-clock time of the agent.
    AGENT_TIME {
        id: "agent_time",
        title: "agent time",
        short: "time",
        unit: "s",
        kind: Kind::Seconds,
        page: REPORTS,
        source: Source::Checkpoint(|checkpoint| checkpoint.agent_s),
    }
}

/// Totals of `slope measure` in reading order: size, complexity, verbosity.
pub static MEASURE: &[&Metric] = &[
    &FILES,
    &LINES,
    &SLOC,
    &CALLABLES,
    &MASS,
    &MASS_PER_KLOC,
    &HIGH_COMPLEXITY_MASS,
    &HIGH_COMPLEXITY_CALLABLES,
    &EROSION,
    &COGNITIVE_EROSION,
    &MAX_COMPLEXITY,
    &MAX_NESTING,
    &MAINTAINABILITY,
    &FLAGGED_LINES,
    &CLONE_LINES,
    &VERBOSE_LINES,
    &VERBOSITY,
    &NEAR_CLONE_LINES,
    &FILES_WITH_SYNTAX_ERRORS,
    &UNMEASURED_FILES,
];

/// Totals that `slope measure` shows of each language.
pub static LANGUAGES: &[&Metric] = &[&FILES, &SLOC, &CALLABLES, &MASS, &EROSION, &VERBOSITY];

/// The numbers that `slope measure` shows first, with their rank among published repositories.
pub static HEADLINES: &[&Metric] = &[&VERBOSITY, &EROSION, &MASS_PER_KLOC];

/// Trends of `slope history --format json`.
pub static TRENDS: &[&Metric] = &[
    &SLOC,
    &CALLABLES,
    &MASS,
    &HIGH_COMPLEXITY_MASS,
    &HIGH_COMPLEXITY_CALLABLES,
    &COGNITIVE_MASS,
    &CLONE_LINES,
    &FLAGGED_LINES,
    &VERBOSE_LINES,
    &EROSION,
    &COGNITIVE_EROSION,
    &VERBOSITY,
    &MAINTAINABILITY,
    &DEAD_CODE,
];

/// Trends that `slope history` shows to people: amounts before shares.
pub static HISTORY: &[&Metric] = &[
    &SLOC,
    &MASS,
    &HIGH_COMPLEXITY_MASS,
    &CLONE_LINES,
    &FLAGGED_LINES,
    &DEAD_CODE,
    &EROSION,
    &VERBOSITY,
];

/// Metrics of Python code by the published definitions, next to slope's own in a history.
pub static PUBLISHED: &[&Metric] = &[&EROSION, &VERBOSITY];

/// Columns of `slope history --format csv`.
pub static HISTORY_COLUMNS: &[&Metric] = &[
    &FILES,
    &LINES,
    &SLOC,
    &CALLABLES,
    &MASS,
    &HIGH_COMPLEXITY_CALLABLES,
    &HIGH_COMPLEXITY_MASS,
    &EROSION,
    &COGNITIVE_MASS,
    &COGNITIVE_EROSION,
    &FLAGGED_LINES,
    &CLONE_LINES,
    &VERBOSE_LINES,
    &VERBOSITY,
    &MAINTAINABILITY,
];

/// Metrics of checkpoints in the reports of a benchmark, in print order.
pub static REPORT: &[&Metric] = &[
    &EROSION,
    &VERBOSITY,
    &MASS,
    &CLONE_LINES,
    &FLAGGED_LINES,
    &HIGH_COMPLEXITY_CALLABLES,
    &MAX_COMPLEXITY,
    &SLOC,
    &COST,
    &TOKENS,
    &AGENT_TIME,
];

/// The metrics that each command shows.
pub(super) static VIEWS: &[(&str, &[&Metric])] = &[
    ("slope measure", MEASURE),
    ("slope history", TRENDS),
    ("slope report", REPORT),
];
