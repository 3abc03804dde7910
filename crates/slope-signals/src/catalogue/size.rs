//! Signals of size and repetition, of long chains, and of deviations from the surrounding code.

use slope_model::finding::Severity;

use super::languages::{CLASSED, COMPARED, HABITUAL, LISTED, PYTHON};
use super::{Signal, SignalInfo};

pub(super) const LONG_PARAMETER_LIST: SignalInfo = SignalInfo {
    signal: Signal::LongParameterList,
    id: "long-parameter-list",
    category: "size",
    severity: Severity::Hint,
    message: "A function with too many positional parameters for callers to keep apart.",
    why: "Swapped arguments go unnoticed, and every new case adds another parameter.",
    bad: Some("def draw(left, top, width, height, colour, border, shadow):\n    return left\n"),
    good: Some("def draw(box, style):\n    return box\n"),
    default_on: false,
    precision: Some((76, 160)),
    in_changes: &[],
    languages: LISTED,
};

pub(super) const GOD_MODULE: SignalInfo = SignalInfo {
    signal: Signal::GodModule,
    id: "god-module",
    category: "size",
    severity: Severity::Hint,
    message: "A file that is far larger than nearly all others.",
    why: "Everything ends up in it, every change touches it, and nobody can keep it in mind.",
    bad: None,
    good: None,
    default_on: false,
    precision: Some((67, 121)),
    in_changes: &[],
    languages: PYTHON,
};

pub(super) const GOD_CLASS: SignalInfo = SignalInfo {
    signal: Signal::GodClass,
    id: "god-class",
    category: "size",
    severity: Severity::Hint,
    message: "A class that does far more than nearly all others.",
    why: "It has many reasons to change, and its parts cannot be understood or tested separately.",
    bad: None,
    good: None,
    default_on: false,
    precision: Some((36, 59)),
    in_changes: &[],
    languages: CLASSED,
};

pub(super) const REIMPLEMENTATION: SignalInfo = SignalInfo {
    signal: Signal::Reimplementation,
    id: "reimplementation",
    category: "duplication",
    severity: Severity::Warning,
    message: "A function that does the same as an existing function of the code base.",
    why: "Two implementations of one thing drift apart, and a fix in one leaves the other broken.",
    bad: None,
    good: None,
    default_on: false,
    precision: Some((37, 53)),
    in_changes: &[],
    languages: PYTHON,
};

pub(super) const TEXT_COMPARISON_CHAIN: SignalInfo = SignalInfo {
    signal: Signal::TextComparisonChain,
    id: "text-comparison-chain",
    category: "conditionals",
    severity: Severity::Warning,
    message: "Eight or more branches that compare one expression with a text each, or a `switch` from texts to constants.",
    why: "Readers must read branch by branch to see what happens for each text, and each new text makes the function longer. A table shows all of them at once.",
    bad: Some(
        "def f(a):\n    if a == 'a':\n        return 0\n    elif a == 'b':\n        return 1\n    elif a == 'c':\n        return 2\n    elif a == 'd':\n        return 3\n    elif a == 'e':\n        return 4\n    elif a == 'f':\n        return 5\n    elif a == 'g':\n        return 6\n    elif a == 'h':\n        return 7\n    elif a == 'i':\n        return 8\n    elif a == 'j':\n        return 9\n",
    ),
    good: Some("PLACES = {'a': 0, 'b': 1, 'c': 2}\n\ndef f(a):\n    return PLACES[a]\n"),
    default_on: false,
    precision: None,
    in_changes: COMPARED,
    languages: COMPARED,
};

pub(super) const BREAKS_LOCAL_PATTERN: SignalInfo = SignalInfo {
    signal: Signal::BreaksLocalPattern,
    id: "breaks-local-pattern",
    category: "consistency",
    severity: Severity::Warning,
    message: "A name, error, output, import or style that differs from nearly all others of its file or folder.",
    why: "Readers look for a reason that does not exist, and callers must know two ways. Follow the style of the surrounding code.",
    bad: Some(
        "def read_a(): pass\ndef read_b(): pass\ndef read_c(): pass\ndef read_d(): pass\ndef read_e(): pass\ndef readF(): pass\n",
    ),
    good: Some(
        "def read_a(): pass\ndef read_b(): pass\ndef read_c(): pass\ndef read_d(): pass\ndef read_e(): pass\ndef read_f(): pass\n",
    ),
    default_on: false,
    precision: None,
    in_changes: HABITUAL,
    languages: HABITUAL,
};
