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
    message: "A check of a parameter that repeats its annotation.",
    why: "The signature promises it, and the type checker enforces it. Repeating the check in every function hides the actual work.",
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
    why: "Typos, lost connections and full disks all look like success.",
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
    why: "Each level reports the error again. Only the code that handles an error should report it.",
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
    message: "A handler that only raises the caught error again.",
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
    message: "A comment that repeats the next line.",
    why: "People must read it and keep it correct, but it adds nothing. Use the space to explain why.",
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
    why: "It addresses somebody who is no longer there, or promises code that does not exist.",
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
    why: "It shows the plan for writing the code. Each step could be a function, and inserting a step renumbers the others.",
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
    why: "Nobody knows whether it is needed, and nothing keeps it working. Version control remembers it.",
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
    message: "A `try` around statements that cannot raise.",
    why: "The handler never runs, and readers look for an error that cannot happen.",
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
    why: "It passes for every result, but looks like a test. Assert the expected result, or delete the test.",
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
    message: "A function with three or more comments that repeat the next line.",
    why: "People read everything twice, and must keep the comments correct. Keep the comments that explain why.",
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
    why: "It looks like a test, but tests nothing. Assert the expected result, or delete the assertion.",
    bad: Some("def test_a():\n    a = f()\n    assert a == a\n"),
    good: Some("def test_a():\n    a = f()\n    assert a == 1\n"),
    default_on: false,
    precision: None,
    in_changes: HABITUAL,
    languages: HABITUAL,
};
