//! The signals, each with its meaning and its reason.
//!
//! Precision is measured on hand-judged samples of real repositories, see
//! `docs/metrics/precision.md`; signals below 0.8 are off by default.

mod code;
mod languages;
mod noise;
mod size;

use serde::{Deserialize, Serialize};
use slope_model::finding::Severity;

/// A signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Signal {
    /// An import without a use.
    UnusedImport,
    /// A local that is assigned and never read.
    UnusedLocal,
    /// A private function or method without a use.
    UnusedPrivateFunction,
    /// A private class without a use.
    UnusedPrivateClass,
    /// Unreachable statements.
    UnreachableCode,
    /// A function that only passes its parameters to another one.
    TrivialWrapper,
    /// A class most of whose methods only call the same method of one field.
    PassThroughClass,
    /// A parameter of a private function that no caller varies.
    ConstantParameter,
    /// A parameter that the body never mentions.
    UnusedParameter,
    /// An abstract class, interface or trait with one implementation.
    SingleImplementation,
    /// A check that cannot fire.
    ImpossibleCheck,
    /// A check of a parameter for something that its annotation guarantees.
    RecheckedAnnotation,
    /// A handler for any error that ignores it.
    CatchAllIgnored,
    /// A handler that logs and raises the same error again.
    HandlerOnlyLogs,
    /// A handler that only raises the caught error again.
    UselessCatch,
    /// A comment that repeats the next line.
    CommentRestatesCode,
    /// A comment left over from a conversation or a plan.
    LeftoverComment,
    /// A comment that numbers a step.
    NumberedStepComment,
    /// Code in a comment.
    CommentedOutCode,
    /// A function with too many positional parameters to tell apart in calls.
    LongParameterList,
    /// A file that is far larger than nearly all others.
    GodModule,
    /// A class that is far larger than nearly all others.
    GodClass,
    /// A function that duplicates the behaviour of an existing one in the same code base.
    Reimplementation,
    /// A series of branches that compare one expression with texts.
    TextComparisonChain,
    /// A `try` around statements that cannot raise.
    NeedlessTry,
    /// A test without a check.
    VacuousTest,
    /// An assertion that is always true.
    AssertionCannotFail,
    /// A function whose comments repeat its lines, one after another.
    NarratedCode,
    /// A name, error, output, import or style that differs from nearly all others of its file or folder.
    BreaksLocalPattern,
}

/// Facts about a signal.
#[derive(Debug, Clone, Copy)]
pub struct SignalInfo {
    /// The signal.
    pub signal: Signal,
    /// Its id, kebab case.
    pub id: &'static str,
    /// Category, shared with rule packs.
    pub category: &'static str,
    /// Severity of its findings.
    pub severity: Severity,
    /// Message, one sentence.
    pub message: &'static str,
    /// Reason that this is slop.
    pub why: &'static str,
    /// Python code that it reports. `None` if the signal is about a size.
    pub bad: Option<&'static str>,
    /// The same code without the problem.
    pub good: Option<&'static str>,
    /// Whether it is on by default: measured precision of 0.8 or more.
    pub default_on: bool,
    /// Findings judged true, and findings judged, of the samples in `docs/metrics/precision.md`,
    /// in the languages that it is on in where it is on.
    pub precision: Option<(u32, u32)>,
    /// Ids of languages in which it is reported for changes, although it is off in a full scan.
    /// There it shows code that the change left unused.
    pub in_changes: &'static [&'static str],
    /// Ids of the languages that it is reported for.
    pub languages: &'static [&'static str],
}

impl Signal {
    /// Facts about it.
    #[must_use]
    pub fn info(self) -> &'static SignalInfo {
        &SIGNALS[self as usize]
    }
}

/// Every signal, in the order of [`Signal`].
pub static SIGNALS: &[SignalInfo] = &[
    code::UNUSED_IMPORT,
    code::UNUSED_LOCAL,
    code::UNUSED_PRIVATE_FUNCTION,
    code::UNUSED_PRIVATE_CLASS,
    code::UNREACHABLE_CODE,
    code::TRIVIAL_WRAPPER,
    code::PASS_THROUGH_CLASS,
    code::CONSTANT_PARAMETER,
    code::UNUSED_PARAMETER,
    code::SINGLE_IMPLEMENTATION,
    noise::IMPOSSIBLE_CHECK,
    noise::RECHECKED_ANNOTATION,
    noise::SWALLOWED_EXCEPTION,
    noise::LOG_AND_RETHROW,
    noise::USELESS_CATCH,
    noise::COMMENT_RESTATES_CODE,
    noise::LEFTOVER_COMMENT,
    noise::NUMBERED_STEP_COMMENT,
    noise::COMMENTED_OUT_CODE,
    size::LONG_PARAMETER_LIST,
    size::GOD_MODULE,
    size::GOD_CLASS,
    size::REIMPLEMENTATION,
    size::TEXT_COMPARISON_CHAIN,
    noise::NEEDLESS_TRY,
    noise::VACUOUS_TEST,
    noise::ASSERTION_CANNOT_FAIL,
    noise::NARRATED_CODE,
    size::BREAKS_LOCAL_PATTERN,
];

#[cfg(test)]
mod tests {
    use super::SIGNALS;

    #[test]
    fn signal_table_matches_order_and_ids() {
        for (index, info) in SIGNALS.iter().enumerate() {
            assert_eq!(info.signal as usize, index);
            let name = serde_json::to_string(&info.signal).unwrap();
            assert_eq!(name, format!("\"{}\"", info.id));
        }
    }

    #[test]
    fn imprecise_signals_are_off_by_default() {
        for info in SIGNALS {
            if let Some((truly, judged)) = info.precision {
                assert!(
                    !info.default_on || f64::from(truly) >= 0.8 * f64::from(judged),
                    "{}",
                    info.id
                );
            }
        }
    }
}
