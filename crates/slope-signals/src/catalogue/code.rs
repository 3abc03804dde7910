//! Signals of unneeded code: dead code, layers, generality.

use slope_model::finding::Severity;

use super::languages::{
    CSHARP, DECLARED, FLOW, HABITUAL, IMPORTED, IMPORTED_IN_CHANGES, PRIVATE, PRIVATE_IN_CHANGES,
    PYTHON, TAKEN,
};
use super::{Signal, SignalInfo};

pub(super) const UNUSED_IMPORT: SignalInfo = SignalInfo {
    signal: Signal::UnusedImport,
    id: "unused-import",
    category: "dead-code",
    severity: Severity::Warning,
    message: "An import that nothing uses.",
    why: "Readers look for a use that does not exist, the module is loaded for nothing, and an unneeded dependency looks needed.",
    bad: Some("import json\nimport os\n\ndef f():\n    return os.getcwd()\n"),
    good: Some("import os\n\ndef f():\n    return os.getcwd()\n"),
    default_on: true,
    precision: Some((121, 132)),
    in_changes: IMPORTED_IN_CHANGES,
    languages: IMPORTED,
};

pub(super) const UNUSED_LOCAL: SignalInfo = SignalInfo {
    signal: Signal::UnusedLocal,
    id: "unused-local",
    category: "dead-code",
    severity: Severity::Warning,
    message: "A local that is assigned and never read.",
    why: "The assignment suggests that the value matters later. It is a leftover of a change, or hides a typo.",
    bad: Some("def f(a):\n    total = a + 1\n    return a\n"),
    good: Some("def f(a):\n    total = a + 1\n    return total\n"),
    default_on: true,
    precision: Some((52, 59)),
    in_changes: DECLARED,
    languages: CSHARP,
};

pub(super) const UNUSED_PRIVATE_FUNCTION: SignalInfo = SignalInfo {
    signal: Signal::UnusedPrivateFunction,
    id: "unused-private-function",
    category: "dead-code",
    severity: Severity::Warning,
    message: "A private function or method that nothing uses.",
    why: "Other code cannot call it, and its own file does not. People read and maintain untested code for nothing.",
    bad: Some("def _helper(a):\n    b = a + 1\n    return b\n"),
    good: Some("def _helper(a):\n    b = a + 1\n    return b\n\nx = _helper(1)\n"),
    default_on: false,
    precision: Some((103, 160)),
    in_changes: PRIVATE_IN_CHANGES,
    languages: PRIVATE,
};

pub(super) const UNUSED_PRIVATE_CLASS: SignalInfo = SignalInfo {
    signal: Signal::UnusedPrivateClass,
    id: "unused-private-class",
    category: "dead-code",
    severity: Severity::Warning,
    message: "A private class that nothing uses.",
    why: "Other code cannot use it, and its own file does not.",
    bad: Some("class _Point:\n    def __init__(self, x):\n        self.x = x\n"),
    good: Some("class _Point:\n    def __init__(self, x):\n        self.x = x\n\np = _Point(1)\n"),
    default_on: false,
    precision: Some((15, 55)),
    in_changes: &[],
    languages: PYTHON,
};

pub(super) const UNREACHABLE_CODE: SignalInfo = SignalInfo {
    signal: Signal::UnreachableCode,
    id: "unreachable-code",
    category: "dead-code",
    severity: Severity::Warning,
    message: "Statements that nothing reaches.",
    why: "They look as if they did something, but their intended effect never happens.",
    bad: Some("def f(a):\n    return a\n    print(a)\n"),
    good: Some("def f(a):\n    print(a)\n    return a\n"),
    default_on: false,
    precision: Some((30, 71)),
    in_changes: FLOW,
    languages: FLOW,
};

pub(super) const TRIVIAL_WRAPPER: SignalInfo = SignalInfo {
    signal: Signal::TrivialWrapper,
    id: "trivial-wrapper",
    category: "needless-layer",
    severity: Severity::Warning,
    message: "A function that only passes its parameters on to another one.",
    why: "It adds a name to learn and a step to follow, and saves the caller nothing.",
    bad: Some(
        "def load(path, mode):\n    text = open(path, mode).read()\n    return text\n\ndef read(path, mode):\n    return load(path, mode)\n",
    ),
    good: Some(
        "def load(path, mode):\n    text = open(path, mode).read()\n    return text\n\ndef read(path):\n    return load(path, 'r')\n",
    ),
    default_on: false,
    precision: Some((26, 64)),
    in_changes: HABITUAL,
    languages: PYTHON,
};

pub(super) const PASS_THROUGH_CLASS: SignalInfo = SignalInfo {
    signal: Signal::PassThroughClass,
    id: "pass-through-class",
    category: "needless-layer",
    severity: Severity::Hint,
    message: "A class most of whose methods only call the same method of one field.",
    why: "Every change to the inner class must be made twice, and the outer class decides nothing.",
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
};

pub(super) const CONSTANT_PARAMETER: SignalInfo = SignalInfo {
    signal: Signal::ConstantParameter,
    id: "constant-parameter",
    category: "speculative-generality",
    severity: Severity::Hint,
    message: "A parameter of a private function that no caller varies.",
    why: "Nobody uses the choice: the other branch never runs, but people must read and maintain it.",
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
};

pub(super) const UNUSED_PARAMETER: SignalInfo = SignalInfo {
    signal: Signal::UnusedParameter,
    id: "unused-parameter",
    category: "speculative-generality",
    severity: Severity::Warning,
    message: "A parameter that the body never mentions.",
    why: "Callers must find out what to pass, although it makes no difference.",
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
};

pub(super) const SINGLE_IMPLEMENTATION: SignalInfo = SignalInfo {
    signal: Signal::SingleImplementation,
    id: "single-implementation",
    category: "speculative-generality",
    severity: Severity::Hint,
    message: "An abstract class, interface or trait with one implementation.",
    why: "An interface pays off with its second implementation. Until then it is one more place to change.",
    bad: Some(
        "from abc import ABC, abstractmethod\n\nclass Store(ABC):\n    @abstractmethod\n    def get(self, key): ...\n\nclass Memory(Store):\n    def get(self, key):\n        return self.data[key]\n",
    ),
    good: Some("class Memory:\n    def get(self, key):\n        return self.data[key]\n"),
    default_on: false,
    precision: Some((25, 84)),
    in_changes: &[],
    languages: PYTHON,
};
