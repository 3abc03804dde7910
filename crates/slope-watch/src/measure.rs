//! The measures that are watched, and their values for a run of a task.

use slope_model::watch::{Conduct, TaskOutcome, TaskRun};
use slope_stats::float_u64;

/// A measure that is watched each day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Share of passed tasks.
    PassRate,
    /// Share of passed tests.
    PassedTests,
    /// Erosion of the code afterwards.
    Erosion,
    /// Verbosity of the code afterwards.
    Verbosity,
    /// Complexity mass of the code afterwards.
    Mass,
    /// Clone lines of the code afterwards.
    CloneLines,
    /// Output tokens.
    OutputTokens,
    /// Reasoning tokens.
    ReasoningTokens,
    /// Input tokens of all kinds.
    InputTokens,
    /// Cost in US dollars.
    Cost,
    /// Requests to the model.
    Requests,
    /// Tool calls.
    ToolCalls,
    /// Seconds of the agent.
    Time,
    /// Seconds of tools.
    ToolTime,
    /// Calls that read before the first one that edits.
    ReadsBeforeEdit,
    /// Share of runs with a sign that something is wrong.
    Sign(Sign),
    /// Share of runs that fail with a class, as of `slope failures`.
    Class(&'static str),
}

/// A sign that something is wrong, which a run has or has not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Characters of scripts that nobody asked for.
    ForeignCharacters,
    /// Files with syntax errors.
    UnparsableCode,
    /// Security findings that the start code does not have.
    NewSecurity,
    /// Tool calls that are not well-formed.
    MalformedCalls,
    /// Answers that reached their length limit.
    CutAnswers,
    /// Answers that the model refused.
    Refusals,
}

/// A direction of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Only a fall raises an alarm.
    Fall,
    /// Only a rise does.
    Rise,
    /// Both do.
    Both,
}

/// Measures with their names in JSON and in sentences, in the order of outputs.
const MEASURES: [(Measure, &str, &str); 39] = [
    (Measure::PassRate, "pass-rate", "pass rate"),
    (Measure::PassedTests, "passed-tests", "passed tests"),
    (Measure::Erosion, "erosion", "erosion"),
    (Measure::Verbosity, "verbosity", "verbosity"),
    (Measure::Mass, "mass", "complexity mass"),
    (Measure::CloneLines, "clone-lines", "clone lines"),
    (Measure::OutputTokens, "output-tokens", "output tokens"),
    (
        Measure::ReasoningTokens,
        "reasoning-tokens",
        "reasoning tokens",
    ),
    (Measure::InputTokens, "input-tokens", "input tokens"),
    (Measure::Cost, "cost", "cost"),
    (Measure::Requests, "requests", "requests"),
    (Measure::ToolCalls, "tool-calls", "tool calls"),
    (Measure::Time, "time", "agent time"),
    (Measure::ToolTime, "tool-time", "tool time"),
    (
        Measure::ReadsBeforeEdit,
        "reads-before-edit",
        "reads before the first edit",
    ),
    (
        Measure::Sign(Sign::ForeignCharacters),
        "foreign-characters",
        "rate of foreign characters",
    ),
    (
        Measure::Sign(Sign::UnparsableCode),
        "unparsable-code",
        "rate of unparsable code",
    ),
    (
        Measure::Sign(Sign::NewSecurity),
        "new-security",
        "rate of new security findings",
    ),
    (
        Measure::Sign(Sign::MalformedCalls),
        "malformed-calls",
        "rate of malformed tool calls",
    ),
    (
        Measure::Sign(Sign::CutAnswers),
        "cut-answers",
        "rate of cut-off answers",
    ),
    (
        Measure::Sign(Sign::Refusals),
        "refusals",
        "rate of refusals",
    ),
    (
        Measure::Class("infra"),
        "class-infra",
        "rate of infra failures",
    ),
    (
        Measure::Class("no-answer"),
        "class-no-answer",
        "rate of no-answer failures",
    ),
    (
        Measure::Class("format"),
        "class-format",
        "rate of format failures",
    ),
    (
        Measure::Class("build"),
        "class-build",
        "rate of build failures",
    ),
    (
        Measure::Class("timeout"),
        "class-timeout",
        "rate of timeout failures",
    ),
    (
        Measure::Class("memory"),
        "class-memory",
        "rate of memory failures",
    ),
    (
        Measure::Class("null-pointer"),
        "class-null-pointer",
        "rate of null-pointer failures",
    ),
    (
        Measure::Class("crash"),
        "class-crash",
        "rate of crash failures",
    ),
    (
        Measure::Class("security"),
        "class-security",
        "rate of security failures",
    ),
    (
        Measure::Class("regression"),
        "class-regression",
        "rate of regression failures",
    ),
    (
        Measure::Class("still-complex"),
        "class-still-complex",
        "rate of still-complex failures",
    ),
    (
        Measure::Class("slow"),
        "class-slow",
        "rate of slow failures",
    ),
    (
        Measure::Class("error-handling"),
        "class-error-handling",
        "rate of error-handling failures",
    ),
    (
        Measure::Class("spec-omission"),
        "class-spec-omission",
        "rate of spec-omission failures",
    ),
    (
        Measure::Class("output-shape"),
        "class-output-shape",
        "rate of output-shape failures",
    ),
    (
        Measure::Class("boundary"),
        "class-boundary",
        "rate of boundary failures",
    ),
    (
        Measure::Class("logic"),
        "class-logic",
        "rate of logic failures",
    ),
    (
        Measure::Class("unclassified"),
        "class-unclassified",
        "rate of unclassified failures",
    ),
];

impl Measure {
    /// All, in the order of outputs.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        MEASURES.iter().map(|(measure, ..)| *measure)
    }

    /// The measure with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let found = MEASURES.iter().find(|(_, known, _)| *known == name);
        found.map(|(measure, ..)| *measure)
    }

    fn words(self) -> (&'static str, &'static str) {
        let found = MEASURES.iter().find(|(measure, ..)| *measure == self);
        found.map_or(("", ""), |(_, name, title)| (name, title))
    }

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// Its name in sentences and charts.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.words().1
    }

    /// The changes that raise an alarm.
    #[must_use]
    pub fn direction(self) -> Direction {
        match self {
            Self::PassRate | Self::PassedTests => Direction::Fall,
            Self::Sign(_) | Self::Class(_) => Direction::Rise,
            _ => Direction::Both,
        }
    }

    /// Whether a run has it or has it not, and most have it not.
    #[must_use]
    pub fn is_event(self) -> bool {
        matches!(self, Self::Sign(_) | Self::Class(_))
    }

    /// Whether values are logarithms, so that differences are ratios.
    #[must_use]
    pub fn is_log(self) -> bool {
        let is_share = matches!(
            self,
            Self::PassRate | Self::PassedTests | Self::Erosion | Self::Verbosity
        );
        !is_share && !self.is_event()
    }

    /// Smallest variance between runs of a task that a monitor assumes, so that an assistant that
    /// answered the same so far is not taken for a constant. `runs` are those behind the baseline.
    #[must_use]
    pub fn least_variance(self, runs: f64) -> f64 {
        match self {
            Self::Erosion | Self::Verbosity => 0.01 * 0.01,
            _ if self.is_log() => 0.05 * 0.05,
            // The variance of a rate that half a run on each side keeps from 0 and 1.
            _ => 0.5 * (runs + 0.5) / ((runs + 1.0) * (runs + 1.0)),
        }
    }

    /// Smallest standard deviation of days that a monitor assumes.
    #[must_use]
    pub fn least_day_deviation(self) -> f64 {
        if self.is_log() { 0.01 } else { 0.005 }
    }

    /// The value of a run; `None` if it is missing, or no number that a run can have.
    #[must_use]
    pub fn of(self, run: &TaskRun) -> Option<f64> {
        let largest = match self {
            _ if self.is_log() => 100.0,
            _ => 1.0,
        };
        self.raw(run).filter(|value| value.abs() <= largest)
    }

    fn raw(self, run: &TaskRun) -> Option<f64> {
        if run.outcome == TaskOutcome::Missing {
            return None;
        }
        let quality = || run.quality.as_ref();
        let usage = || run.usage.as_ref().filter(|usage| usage.requests > 0);
        match self {
            Self::PassRate => Some(f64::from(u8::from(run.outcome == TaskOutcome::Passed))),
            Self::PassedTests => run.passed_share,
            Self::Erosion => quality()?.erosion,
            Self::Verbosity => quality()?.verbosity,
            Self::Mass => quality()?.mass.map(f64::ln_1p),
            Self::CloneLines => quality()?.clone_lines.map(|lines| float_u64(lines).ln_1p()),
            Self::OutputTokens => Some(float_u64(usage()?.tokens.output).ln_1p()),
            Self::ReasoningTokens => Some(float_u64(usage()?.tokens.reasoning).ln_1p()),
            Self::InputTokens => {
                let tokens = usage()?.tokens;
                let all = [tokens.input, tokens.cache_read, tokens.cache_write];
                Some(all.map(float_u64).iter().sum::<f64>().ln_1p())
            }
            Self::Cost => {
                let cost = usage()?.cost_usd.filter(|cost| *cost > 0.0)?;
                Some(cost.ln())
            }
            Self::Requests => Some(float_u64(usage()?.requests).ln_1p()),
            Self::ToolCalls => Some(float_u64(usage()?.tool_calls).ln_1p()),
            Self::Time => run.agent_s.filter(|seconds| *seconds > 0.0).map(f64::ln),
            Self::ToolTime | Self::ReadsBeforeEdit => self.of_conduct(run.conduct.as_ref()?),
            Self::Sign(sign) => Some(f64::from(u8::from(sign.count(run)? > 0))),
            Self::Class(name) => is_of_class(run, name).map(|is| f64::from(u8::from(is))),
        }
    }

    /// The value of a measure of how the assistant worked.
    fn of_conduct(self, conduct: &Conduct) -> Option<f64> {
        match self {
            // A tenth of a second keeps the logarithm of a run without tools finite.
            Self::ToolTime => conduct.tool_s.map(|seconds| (seconds + 0.1).ln()),
            Self::ReadsBeforeEdit => Some(float_u64(conduct.reads_before_edit?).ln_1p()),
            _ => None,
        }
    }
}

/// Whether a run failed with a class; `None` if it failed without any.
fn is_of_class(run: &TaskRun, name: &str) -> Option<bool> {
    if run.outcome == TaskOutcome::Passed {
        return Some(false);
    }
    Some(run.class.as_deref()?.split('/').next() == Some(name))
}

impl Sign {
    /// How often a run has it; `None` if that is unknown.
    fn count(self, run: &TaskRun) -> Option<u64> {
        let conduct = run.conduct.as_ref();
        match self {
            Self::ForeignCharacters => conduct?.foreign_characters,
            Self::UnparsableCode => conduct?.unparsable_files,
            Self::NewSecurity => run.quality?.new_security,
            Self::MalformedCalls => conduct?.malformed_calls,
            Self::CutAnswers => conduct?.cut_answers,
            Self::Refusals => conduct?.refusals,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_class_has_a_measure() {
        let rules = slope_failures::Rules::shipped();
        let known: BTreeSet<&str> = Measure::all()
            .filter_map(|measure| match measure {
                Measure::Class(name) => Some(name),
                _ => None,
            })
            .collect();
        assert_eq!(known, rules.classes().into_iter().collect());
    }

    #[test]
    fn names_lead_back_to_measures() {
        for measure in Measure::all() {
            assert_eq!(Measure::by_name(measure.name()), Some(measure));
        }
    }

    fn value(quality: &str) -> Option<f64> {
        let text = format!(
            r#"{{"task": "python/a/b", "trial": 1, "outcome": "passed", "quality": {quality}}}"#
        );
        let run: TaskRun = serde_json::from_str(&text).expect("a run");
        Measure::Sign(Sign::NewSecurity).of(&run)
    }

    #[test]
    fn security_findings_are_counted_or_missing() {
        let quality = |found: &str| format!(r#"{{"sloc": 9{found}}}"#);
        assert_eq!(value(&quality(r#", "new_security": 0"#)), Some(0.0));
        assert_eq!(value(&quality(r#", "new_security": 3"#)), Some(1.0));
        assert_eq!(value(&quality(r#", "new_security": null"#)), None);
        assert_eq!(value(&quality("")), None, "a day of an older version");
        assert_eq!(value("null"), None);
    }
}
