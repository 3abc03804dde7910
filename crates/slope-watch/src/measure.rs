//! The measures that are watched, and their values for a run of a task.

use slope_model::watch::{TaskOutcome, TaskRun};
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
    /// Security findings that the code before does not have.
    NewSecurity,
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
}

/// Security findings of a run that count: one that copies a bad file must not decide a day.
const MOST_FINDINGS: u64 = 10;

/// Names in JSON and in sentences, in the order of [`Measure`].
const NAMES: [(&str, &str); 14] = [
    ("pass-rate", "pass rate"),
    ("passed-tests", "passed tests"),
    ("erosion", "erosion"),
    ("verbosity", "verbosity"),
    ("mass", "complexity mass"),
    ("clone-lines", "clone lines"),
    ("new-security", "new security findings of 100 runs"),
    ("output-tokens", "output tokens"),
    ("reasoning-tokens", "reasoning tokens"),
    ("input-tokens", "input tokens"),
    ("cost", "cost"),
    ("requests", "requests"),
    ("tool-calls", "tool calls"),
    ("time", "agent time"),
];

impl Measure {
    /// All, in the order of outputs.
    pub const ALL: [Self; 14] = [
        Self::PassRate,
        Self::PassedTests,
        Self::Erosion,
        Self::Verbosity,
        Self::Mass,
        Self::CloneLines,
        Self::NewSecurity,
        Self::OutputTokens,
        Self::ReasoningTokens,
        Self::InputTokens,
        Self::Cost,
        Self::Requests,
        Self::ToolCalls,
        Self::Time,
    ];

    /// The measure with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }

    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize].0
    }

    /// Its name in sentences and charts.
    #[must_use]
    pub fn title(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Whether only a fall alarms. For all others a rise does, too.
    #[must_use]
    pub fn is_one_sided(self) -> bool {
        matches!(self, Self::PassRate | Self::PassedTests)
    }

    /// Whether values are logarithms, so that differences are ratios.
    #[must_use]
    pub fn is_log(self) -> bool {
        !matches!(
            self,
            Self::PassRate
                | Self::PassedTests
                | Self::Erosion
                | Self::Verbosity
                | Self::NewSecurity
        )
    }

    /// Smallest variance between runs of a task that a monitor assumes, so that an assistant that
    /// answered the same so far is not taken for a constant. `runs` are those behind the baseline.
    #[must_use]
    pub fn least_variance(self, runs: f64) -> f64 {
        match self {
            // The variance of a rate that half a run on each side keeps from 0 and 1.
            Self::PassRate | Self::PassedTests => {
                0.5 * (runs + 0.5) / ((runs + 1.0) * (runs + 1.0))
            }
            Self::Erosion | Self::Verbosity => 0.01 * 0.01,
            // That of a count with half a finding in all runs and one more.
            Self::NewSecurity => 0.5 / (runs + 1.0),
            _ => 0.05 * 0.05,
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
            Self::NewSecurity => float_u64(MOST_FINDINGS),
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
            Self::NewSecurity => {
                let found = quality()?.new_security?;
                Some(float_u64(found.min(MOST_FINDINGS)))
            }
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
        }
    }
}

#[cfg(test)]
mod tests {
    use slope_model::watch::TaskRun;

    use super::Measure;

    fn value(quality: &str) -> Option<f64> {
        let text = format!(
            r#"{{"task": "python/a/b", "trial": 1, "outcome": "passed", "quality": {quality}}}"#
        );
        let run: TaskRun = serde_json::from_str(&text).expect("a run");
        Measure::NewSecurity.of(&run)
    }

    #[test]
    fn security_findings_are_capped_or_missing() {
        let quality = |found: &str| format!(r#"{{"sloc": 9{found}}}"#);
        assert_eq!(value(&quality(r#", "new_security": 0"#)), Some(0.0));
        assert_eq!(value(&quality(r#", "new_security": 3"#)), Some(3.0));
        assert_eq!(value(&quality(r#", "new_security": 70"#)), Some(10.0));
        assert_eq!(value(&quality(r#", "new_security": null"#)), None);
        assert_eq!(value(&quality("")), None, "a day of an older version");
        assert_eq!(value("null"), None);
    }
}
