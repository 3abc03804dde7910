//! The signals: what each reports, and why that is slop.
//!
//! Precision is measured on hand-judged samples of real repositories, see
//! `docs/metrics/precision.md`; what stays under 0.8 is off by default.

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
    /// A file that holds far more than nearly all files do.
    GodModule,
    /// A class that does far more than nearly all classes do.
    GodClass,
    /// A function that does what an existing one of the same code base does.
    Reimplementation,
}

/// What there is to know of a signal.
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
    /// What it reports, one sentence.
    pub message: &'static str,
    /// Why that is slop.
    pub why: &'static str,
    /// Python code that it reports; `None` where a size is the matter.
    pub bad: Option<&'static str>,
    /// The same done well.
    pub good: Option<&'static str>,
    /// Whether it is on without being asked for: measured precision of 0.8 or more.
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
    /// What there is to know of it.
    #[must_use]
    pub fn info(self) -> &'static SignalInfo {
        &SIGNALS[self as usize]
    }
}

const PYTHON: &[&str] = &["python"];
/// Languages whose imports are looked at in changes.
const IMPORTED_IN_CHANGES: &[&str] = &["python", "javascript", "typescript", "tsx", "java", "rust"];
/// Languages in which unused imports were judged precise in whole trees.
const IMPORTED: &[&str] = &["python", "java"];
/// Languages in which a statement after one that leaves is unreachable, whatever stands on it; Java's
/// compilers refuse it.
const FLOW: &[&str] = &["python", "javascript", "typescript", "tsx", "go"];
const CSHARP: &[&str] = &["csharp"];
/// Every language that signals know.
const ALL: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "java",
];

/// Languages in which unused locals are told of a change: not Python, where types that strings refer
/// to are stored so; Rust's compiler reports them, and Go's refuses them.
const DECLARED: &[&str] = &[
    "javascript",
    "typescript",
    "tsx",
    "java",
    "c",
    "cpp",
    "csharp",
    "ruby",
];

/// Languages in which what a module or class keeps to itself cannot be used unseen.
const PRIVATE: &[&str] = &["python", "javascript", "typescript", "tsx", "csharp"];
/// [`PRIVATE`] and the languages in which that was judged of changes only.
const PRIVATE_IN_CHANGES: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "csharp",
    "go",
    "java",
    "rust",
];
/// Languages in which parameters that nothing reads are told of a change.
const TAKEN: &[&str] = &["javascript", "typescript", "tsx", "go", "rust"];
/// Languages in which long lists of parameters were judged twice.
const LISTED: &[&str] = &["javascript", "typescript", "tsx", "rust", "go"];
/// [`ALL`] and the languages that only comments are looked at in, without Ruby, where comments
/// explain by an expression.
const COMMENTED: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "java",
    "c",
    "cpp",
    "csharp",
];
/// Languages in which code in comments was judged precise.
const EXPLAINED: &[&str] = ALL;
/// Languages with handlers for errors that were judged.
const HANDLERS: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "java",
    "csharp",
    "ruby",
];
/// Languages with classes.
const CLASSED: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "java",
    "cpp",
    "csharp",
    "ruby",
];

/// Every signal, in the order of [`Signal`].
pub static SIGNALS: &[SignalInfo] = &[
    SignalInfo {
        signal: Signal::UnusedImport,
        id: "unused-import",
        category: "dead-code",
        severity: Severity::Warning,
        message: "An import that nothing uses.",
        why: "Readers look for a use that is not there, the module is loaded for nothing, and a dependency seems to be needed that is not.",
        bad: Some("import json\nimport os\n\ndef f():\n    return os.getcwd()\n"),
        good: Some("import os\n\ndef f():\n    return os.getcwd()\n"),
        default_on: true,
        precision: Some((121, 132)),
        in_changes: IMPORTED_IN_CHANGES,
        languages: IMPORTED,
    },
    SignalInfo {
        signal: Signal::UnusedLocal,
        id: "unused-local",
        category: "dead-code",
        severity: Severity::Warning,
        message: "A local that is assigned and never read.",
        why: "The assignment suggests that the value matters later on; it is what is left of a change, or hides a typing error.",
        bad: Some("def f(a):\n    total = a + 1\n    return a\n"),
        good: Some("def f(a):\n    total = a + 1\n    return total\n"),
        default_on: true,
        precision: Some((52, 59)),
        in_changes: DECLARED,
        languages: CSHARP,
    },
    SignalInfo {
        signal: Signal::UnusedPrivateFunction,
        id: "unused-private-function",
        category: "dead-code",
        severity: Severity::Warning,
        message: "A private function or method that nothing uses.",
        why: "Nobody outside may call it and nobody inside does, so it is only read, tested by nobody and kept in step for nothing.",
        bad: Some("def _helper(a):\n    b = a + 1\n    return b\n"),
        good: Some("def _helper(a):\n    b = a + 1\n    return b\n\nx = _helper(1)\n"),
        default_on: false,
        precision: Some((103, 160)),
        in_changes: PRIVATE_IN_CHANGES,
        languages: PRIVATE,
    },
    SignalInfo {
        signal: Signal::UnusedPrivateClass,
        id: "unused-private-class",
        category: "dead-code",
        severity: Severity::Warning,
        message: "A private class that nothing uses.",
        why: "Nobody outside may use it and nobody inside does.",
        bad: Some("class _Point:\n    def __init__(self, x):\n        self.x = x\n"),
        good: Some(
            "class _Point:\n    def __init__(self, x):\n        self.x = x\n\np = _Point(1)\n",
        ),
        default_on: false,
        precision: Some((15, 55)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::UnreachableCode,
        id: "unreachable-code",
        category: "dead-code",
        severity: Severity::Warning,
        message: "Statements that nothing reaches.",
        why: "They look as if they did something; what they were meant to do does not happen.",
        bad: Some("def f(a):\n    return a\n    print(a)\n"),
        good: Some("def f(a):\n    print(a)\n    return a\n"),
        default_on: false,
        precision: Some((30, 71)),
        in_changes: FLOW,
        languages: FLOW,
    },
    SignalInfo {
        signal: Signal::TrivialWrapper,
        id: "trivial-wrapper",
        category: "needless-layer",
        severity: Severity::Hint,
        message: "A function that only passes its parameters on to another one.",
        why: "It adds a name to learn and a step to follow, and takes nothing away from the caller.",
        bad: Some(
            "def load(path, mode):\n    text = open(path, mode).read()\n    return text\n\ndef read(path, mode):\n    return load(path, mode)\n",
        ),
        good: Some(
            "def load(path, mode):\n    text = open(path, mode).read()\n    return text\n\ndef read(path):\n    return load(path, 'r')\n",
        ),
        default_on: false,
        precision: Some((26, 64)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::PassThroughClass,
        id: "pass-through-class",
        category: "needless-layer",
        severity: Severity::Hint,
        message: "A class most of whose methods only call the same method of one field.",
        why: "Every change of the inner class has to be made twice, and the outer one decides nothing.",
        bad: Some(
            "class Store:\n    def __init__(self, inner):\n        self.inner = inner\n    def get(self, key):\n        return self.inner.get(key)\n    def put(self, key, value):\n        return self.inner.put(key, value)\n    def drop(self, key):\n        return self.inner.drop(key)\n",
        ),
        good: Some(
            "class Store:\n    def __init__(self, inner):\n        self.inner = inner\n    def get(self, key):\n        return self.inner.get(key.lower())\n    def put(self, key, value):\n        return self.inner.put(key.lower(), value)\n    def drop(self, key):\n        return self.inner.drop(key.lower())\n",
        ),
        default_on: false,
        precision: Some((7, 51)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::ConstantParameter,
        id: "constant-parameter",
        category: "speculative-generality",
        severity: Severity::Hint,
        message: "A parameter of a private function that no caller varies.",
        why: "A choice that nobody makes: the other branch is never run, yet has to be read and kept.",
        bad: Some(
            "def _pad(text, width, left=False):\n    gap = ' ' * (width - len(text))\n    return gap + text if left else text + gap\n\na = _pad('a', 3)\nb = _pad('b', 4)\n",
        ),
        good: Some(
            "def _pad(text, width, left=False):\n    gap = ' ' * (width - len(text))\n    return gap + text if left else text + gap\n\na = _pad('a', 3, True)\nb = _pad('b', 4)\n",
        ),
        default_on: false,
        precision: Some((47, 110)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::UnusedParameter,
        id: "unused-parameter",
        category: "speculative-generality",
        severity: Severity::Warning,
        message: "A parameter that the body never mentions.",
        why: "Callers find out what to pass, and it makes no difference.",
        bad: Some(
            "def area(width, height, unit):\n    result = width * height\n    return result\n\nx = area(1, 2, 'm')\n",
        ),
        good: Some(
            "def area(width, height):\n    result = width * height\n    return result\n\nx = area(1, 2)\n",
        ),
        default_on: true,
        precision: Some((171, 203)),
        in_changes: TAKEN,
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::SingleImplementation,
        id: "single-implementation",
        category: "speculative-generality",
        severity: Severity::Hint,
        message: "An abstract class, interface or trait with one implementation.",
        why: "An interface is worth its second implementation; before that it is one more place to change.",
        bad: Some(
            "from abc import ABC, abstractmethod\n\nclass Store(ABC):\n    @abstractmethod\n    def get(self, key): ...\n\nclass Memory(Store):\n    def get(self, key):\n        return self.data[key]\n",
        ),
        good: Some("class Memory:\n    def get(self, key):\n        return self.data[key]\n"),
        default_on: false,
        precision: Some((25, 84)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::ImpossibleCheck,
        id: "impossible-check",
        category: "defensive-noise",
        severity: Severity::Warning,
        message: "A check that cannot fire.",
        why: "The branch behind it is dead, and readers believe that the case can happen.",
        bad: Some(
            "def f(a):\n    found = []\n    if found is None:\n        return a\n    return found\n",
        ),
        good: Some(
            "def f(a):\n    found = a.get()\n    if found is None:\n        return a\n    return found\n",
        ),
        default_on: true,
        precision: Some((85, 92)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::RecheckedAnnotation,
        id: "rechecked-annotation",
        category: "defensive-noise",
        severity: Severity::Hint,
        message: "A check of a parameter for what its annotation says already.",
        why: "The signature promises it and the type checker sees to it; the same check in every function buries what the function does.",
        bad: Some(
            "def double(text: str) -> str:\n    if not isinstance(text, str):\n        raise TypeError('text')\n    return text * 2\n",
        ),
        good: Some("def double(text: str) -> str:\n    return text * 2\n"),
        default_on: false,
        precision: Some((30, 61)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::CatchAllIgnored,
        id: "catch-all-ignored",
        category: "defensive-noise",
        severity: Severity::Warning,
        message: "A handler for any error that ignores it.",
        why: "Typing errors, lost connections and full disks all look like success.",
        bad: Some("def f(a):\n    try:\n        a.run()\n    except Exception:\n        pass\n"),
        good: Some("def f(a):\n    try:\n        a.run()\n    except KeyError:\n        pass\n"),
        default_on: false,
        precision: Some((29, 60)),
        in_changes: &[],
        languages: HANDLERS,
    },
    SignalInfo {
        signal: Signal::HandlerOnlyLogs,
        id: "handler-only-logs",
        category: "defensive-noise",
        severity: Severity::Hint,
        message: "A handler that logs and raises the same error again.",
        why: "The error is reported once more at each level; who handles it is who should report it.",
        bad: Some(
            "def f(a):\n    try:\n        a.run()\n    except KeyError as error:\n        logger.error('failed: %s', error)\n        raise\n",
        ),
        good: Some("def f(a):\n    a.run()\n"),
        default_on: false,
        precision: Some((98, 141)),
        in_changes: &[],
        languages: HANDLERS,
    },
    SignalInfo {
        signal: Signal::UselessCatch,
        id: "useless-catch",
        category: "defensive-noise",
        severity: Severity::Warning,
        message: "A handler that only raises what it caught.",
        why: "The whole `try` does nothing.",
        bad: Some("def f(a):\n    try:\n        a.run()\n    except KeyError:\n        raise\n"),
        good: Some("def f(a):\n    a.run()\n"),
        default_on: true,
        precision: Some((53, 57)),
        in_changes: &[],
        languages: HANDLERS,
    },
    SignalInfo {
        signal: Signal::CommentRestatesCode,
        id: "comment-restates-code",
        category: "comment-noise",
        severity: Severity::Hint,
        message: "A comment that says what the next line says.",
        why: "It has to be read and kept true, and tells nothing; the room was there for the reason why.",
        bad: Some("def f(user_list):\n    # sort the user list\n    user_list.sort()\n"),
        good: Some(
            "def f(user_list):\n    # the oldest first, as the pager expects\n    user_list.sort()\n",
        ),
        default_on: false,
        precision: Some((197, 270)),
        in_changes: &[],
        languages: COMMENTED,
    },
    SignalInfo {
        signal: Signal::LeftoverComment,
        id: "leftover-comment",
        category: "comment-noise",
        severity: Severity::Warning,
        message: "A comment left over from a conversation or a plan.",
        why: "It speaks to somebody who is gone, or promises code that is not there.",
        bad: Some("# As requested, add them up\nx = 1 + 2\n"),
        good: Some("# Rounded down, as the tax office does.\nx = 1 + 2\n"),
        default_on: false,
        precision: Some((19, 67)),
        in_changes: &[],
        languages: ALL,
    },
    SignalInfo {
        signal: Signal::NumberedStepComment,
        id: "numbered-step-comment",
        category: "comment-noise",
        severity: Severity::Hint,
        message: "A comment that numbers a step.",
        why: "The plan that the code was written by shows through; each step wants to be a function, and a step put between renumbers the rest.",
        bad: Some("# Step 1: load\nx = load()\n"),
        good: Some("x = load()\n"),
        default_on: false,
        precision: Some((31, 59)),
        in_changes: &[],
        languages: ALL,
    },
    SignalInfo {
        signal: Signal::CommentedOutCode,
        id: "commented-out-code",
        category: "comment-noise",
        severity: Severity::Hint,
        message: "Code in a comment.",
        why: "Nobody knows whether it is wanted, and nothing keeps it working; version control remembers it.",
        bad: Some("x = 1\n# y = compute(x)\n# store(y)\n"),
        good: Some(
            "x = 1\n# Computed again at each start, which takes a second.\ny = compute(x)\n",
        ),
        default_on: true,
        precision: Some((229, 269)),
        in_changes: &[],
        languages: EXPLAINED,
    },
    SignalInfo {
        signal: Signal::LongParameterList,
        id: "long-parameter-list",
        category: "size",
        severity: Severity::Hint,
        message: "A function with more parameters by position than a caller can keep apart.",
        why: "Arguments are swapped unnoticed, and every new case adds another one.",
        bad: Some("def draw(left, top, width, height, colour, border, shadow):\n    return left\n"),
        good: Some("def draw(box, style):\n    return box\n"),
        default_on: false,
        precision: Some((76, 160)),
        in_changes: &[],
        languages: LISTED,
    },
    SignalInfo {
        signal: Signal::GodModule,
        id: "god-module",
        category: "size",
        severity: Severity::Hint,
        message: "A file that holds far more than nearly all files do.",
        why: "Everything ends up in it, every change touches it, and nobody can hold it in mind.",
        bad: None,
        good: None,
        default_on: false,
        precision: Some((67, 121)),
        in_changes: &[],
        languages: PYTHON,
    },
    SignalInfo {
        signal: Signal::GodClass,
        id: "god-class",
        category: "size",
        severity: Severity::Hint,
        message: "A class that does far more than nearly all classes do.",
        why: "It has many reasons to change, and its parts cannot be understood or tested apart.",
        bad: None,
        good: None,
        default_on: false,
        precision: Some((36, 59)),
        in_changes: &[],
        languages: CLASSED,
    },
    SignalInfo {
        signal: Signal::Reimplementation,
        id: "reimplementation",
        category: "duplication",
        severity: Severity::Warning,
        message: "A function that does what an existing one of the same code base does.",
        why: "Two ways to do one thing drift apart, and mending one leaves the other broken.",
        bad: None,
        good: None,
        default_on: false,
        precision: Some((37, 53)),
        in_changes: &[],
        languages: PYTHON,
    },
];

#[cfg(test)]
mod tests {
    use super::SIGNALS;

    #[test]
    fn the_table_is_in_the_order_of_the_signals_and_ids_are_their_names() {
        for (index, info) in SIGNALS.iter().enumerate() {
            assert_eq!(info.signal as usize, index);
            let name = serde_json::to_string(&info.signal).unwrap();
            assert_eq!(name, format!("\"{}\"", info.id));
        }
    }

    #[test]
    fn what_is_under_four_fifths_is_off() {
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
