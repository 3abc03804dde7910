//! The signals: what each reports, and why that is slop.
//!
//! Precision is measured on hand-judged samples of real repositories, see
//! `docs/metrics/precision.md`; what stays under 0.8 is off by default.

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
    /// An import that nothing uses.
    UnusedImport,
    /// A local that is assigned and never read.
    UnusedLocal,
    /// A private function or method that nothing uses.
    UnusedPrivateFunction,
    /// A private class that nothing uses.
    UnusedPrivateClass,
    /// Statements that nothing reaches.
    UnreachableCode,
    /// A function that only passes its parameters on to another one.
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
    /// A check of a parameter for what its annotation says already.
    RecheckedAnnotation,
    /// A handler for any error that ignores it.
    CatchAllIgnored,
    /// A handler that logs and raises the same error again.
    HandlerOnlyLogs,
    /// A handler that only raises what it caught.
    UselessCatch,
    /// A comment that says what the next line says.
    CommentRestatesCode,
    /// A comment left over from a conversation or a plan.
    LeftoverComment,
    /// A comment that numbers a step.
    NumberedStepComment,
    /// Code in a comment.
    CommentedOutCode,
    /// A function with more parameters by position than a caller can keep apart.
    LongParameterList,
    /// A file with far more in it than nearly all files have.
    GodModule,
    /// A class that does far more than nearly all classes do.
    GodClass,
    /// A function that does what an existing one of the same code base does.
    Reimplementation,
    /// Branches that compare one expression with one text after another.
    TextComparisonChain,
    /// A `try` around what cannot raise.
    NeedlessTry,
    /// A test that checks nothing.
    VacuousTest,
    /// An assertion that is always true.
    AssertionCannotFail,
    /// A function whose comments say what its lines do, one after another.
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
    /// Its message, one sentence.
    pub message: &'static str,
    /// Why that is slop.
    pub why: &'static str,
    /// Python code that it reports; `None` where a size is the matter.
    pub bad: Option<&'static str>,
    /// The same done well.
    pub good: Option<&'static str>,
    /// Whether it is on by default: measured precision of 0.8 or more.
    pub default_on: bool,
    /// Findings judged true, and findings judged, of the samples in `docs/metrics/precision.md`,
    /// in the languages that it is on in where it is on.
    pub precision: Option<(u32, u32)>,
    /// Ids of the languages that it is reported for also where it is off, if what is looked at is a
    /// change: it tells what the change has left without use.
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
