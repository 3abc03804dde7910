//! Signals of noise: useless checks, handlers and comments.

use slope_model::finding::Severity;

use super::languages::{ALL, CHECKED, COMMENTED, EXPLAINED, HABITUAL, HANDLERS, PYTHON, SCRIPTS};
use super::{Signal, SignalInfo};

pub(super) const IMPOSSIBLE_CHECK: SignalInfo = SignalInfo {
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
    in_changes: CHECKED,
    languages: PYTHON,
};

pub(super) const RECHECKED_ANNOTATION: SignalInfo = SignalInfo {
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
};

pub(super) const SWALLOWED_EXCEPTION: SignalInfo = SignalInfo {
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
};

pub(super) const LOG_AND_RETHROW: SignalInfo = SignalInfo {
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
};

pub(super) const USELESS_CATCH: SignalInfo = SignalInfo {
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
};

pub(super) const COMMENT_RESTATES_CODE: SignalInfo = SignalInfo {
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
    in_changes: COMMENTED,
    languages: COMMENTED,
};

pub(super) const LEFTOVER_COMMENT: SignalInfo = SignalInfo {
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
};

pub(super) const NUMBERED_STEP_COMMENT: SignalInfo = SignalInfo {
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
};

pub(super) const COMMENTED_OUT_CODE: SignalInfo = SignalInfo {
    signal: Signal::CommentedOutCode,
    id: "commented-out-code",
    category: "comment-noise",
    severity: Severity::Hint,
    message: "Code in a comment.",
    why: "Nobody knows whether it is wanted, and nothing keeps it working; version control remembers it.",
    bad: Some("x = 1\n# y = compute(x)\n# store(y)\n"),
    good: Some("x = 1\n# Computed again at each start, which takes a second.\ny = compute(x)\n"),
    default_on: true,
    precision: Some((229, 269)),
    in_changes: &[],
    languages: EXPLAINED,
};

pub(super) const NEEDLESS_TRY: SignalInfo = SignalInfo {
    signal: Signal::NeedlessTry,
    id: "needless-try",
    category: "defensive-noise",
    severity: Severity::Warning,
    message: "A `try` around what cannot raise.",
    why: "The handler is never run, and readers look for the error that it is there for.",
    bad: Some(
        "def f(a):\n    try:\n        b = a\n    except ValueError:\n        b = None\n    return b\n",
    ),
    good: Some(
        "def f(a):\n    try:\n        b = int(a)\n    except ValueError:\n        b = None\n    return b\n",
    ),
    default_on: false,
    precision: None,
    in_changes: SCRIPTS,
    languages: SCRIPTS,
};

pub(super) const VACUOUS_TEST: SignalInfo = SignalInfo {
    signal: Signal::VacuousTest,
    id: "vacuous-test",
    category: "tests",
    severity: Severity::Warning,
    message: "A test that checks nothing.",
    why: "It passes whatever the code gives back, and looks like a test of it. Assert what is expected, or delete it.",
    bad: None,
    good: None,
    default_on: false,
    precision: None,
    in_changes: HABITUAL,
    languages: HABITUAL,
};

pub(super) const NARRATED_CODE: SignalInfo = SignalInfo {
    signal: Signal::NarratedCode,
    id: "narrated-code",
    category: "comment-noise",
    severity: Severity::Warning,
    message: "A function with three or more comments that say what the next line says.",
    why: "The reader reads everything twice, and the comments have to be kept true. Keep those that say why.",
    bad: Some(
        "def f(users):\n    # sort the users\n    users.sort()\n\n    # print the users\n    print(users)\n\n    # return the users\n    return users\n",
    ),
    good: Some(
        "def f(users):\n    # The pager expects the oldest first.\n    users.sort()\n    print(users)\n    return users\n",
    ),
    default_on: false,
    precision: None,
    in_changes: COMMENTED,
    languages: COMMENTED,
};

pub(super) const ASSERTION_CANNOT_FAIL: SignalInfo = SignalInfo {
    signal: Signal::AssertionCannotFail,
    id: "assertion-cannot-fail",
    category: "tests",
    severity: Severity::Warning,
    message: "An assertion that is always true.",
    why: "It looks like a test, and tests nothing. Assert what the code should give, or delete it.",
    bad: Some("def test_a():\n    a = f()\n    assert a == a\n"),
    good: Some("def test_a():\n    a = f()\n    assert a == 1\n"),
    default_on: false,
    precision: None,
    in_changes: HABITUAL,
    languages: HABITUAL,
};
