//! Classes of failures of each kind and language, and of agreement with labels.

use slope_model::detail::{CheckpointDetail, NewSecurity};
use slope_model::finding::{Finding, Severity, Span};
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, DEFAULT_TRACK};
use slope_model::verdict::{Outcome, State, TestResult};

use crate::{Answer, Circumstances, Classified, GradedCheckpoint, Label, Rules, agreement};

fn failed(group: Group, message: &str) -> TestResult {
    TestResult {
        id: "t".to_owned(),
        checkpoint: "checkpoint_1".to_owned(),
        group,
        outcome: Outcome::Failed,
        repeats: Vec::new(),
        duration_s: 0.1,
        message: Some(message.to_owned()),
    }
}

const ATTEMPT: Circumstances<'_> = Circumstances {
    graded: "checkpoint_1",
    language: DEFAULT_TRACK,
    answer: Answer::Code,
    failed_before: None,
};

fn class_of(test: &TestResult, attempt: &Circumstances<'_>) -> String {
    let rules = Rules::shipped();
    let tests = [test.clone()];
    let classified = rules.of_tests(&tests, attempt);
    classified[0].assigned.to_string()
}

fn class(message: &str) -> String {
    class_of(&failed(Group::Core, message), &ATTEMPT)
}

/// Messages with the class and kind of their test.
const MESSAGES: &[(&str, &str)] = &[
    ("error: Failed to spawn: `a.py`", "format/missing-entry"),
    (
        "step 1: exit code: expected 0, got 1 (SyntaxError: invalid syntax)",
        "build/syntax",
    ),
    (
        "the program was not built: error[E0382]: use of moved value",
        "build/lifetime",
    ),
    (
        "main.go:3:2: undefined: Frobnicate",
        "build/hallucinated-api",
    ),
    (
        "Main.java:4: error: cannot find symbol",
        "build/hallucinated-api",
    ),
    (
        "src/a.ts(3,1): error TS2322: Type 'string' is not",
        "build/type",
    ),
    ("undefined reference to `frob'", "build/hallucinated-api"),
    (
        "ModuleNotFoundError: No module named 'x'",
        "build/dependency",
    ),
    ("step 2: ran longer than 10 s", "timeout/hang"),
    ("fatal error: runtime: out of memory", "memory"),
    (
        "TypeError: Cannot read properties of undefined (reading 'a')",
        "crash/null",
    ),
    (
        "java.lang.NullPointerException: Cannot invoke",
        "crash/null",
    ),
    (
        "panic: runtime error: index out of range [3] with length 3",
        "crash/bounds",
    ),
    (
        "thread 'main' panicked at src/main.rs:3:5:\nattempt to subtract with overflow",
        "crash/arith",
    ),
    ("NameError: name 'rows' is not defined", "crash/name"),
    ("assert 500 == 200", "crash/server-error"),
    ("terminate called\nAborted (core dumped)", "crash/signal"),
    (
        "a.py: error: unrecognized arguments: --all",
        "spec-omission",
    ),
    ("KeyError: 'total'", "spec-omission/field"),
    ("assert 0 == 1\n + where 0 = returncode", "error-handling"),
    ("assert 'BAD_ROW' == 'BAD_FILE'", "error-handling"),
    ("assert ['b', 'a'] == ['a', 'b']", "output-shape"),
    (
        "json.decoder.JSONDecodeError: Expecting value",
        "format/unparsable",
    ),
    (
        "total: got 54.970000000000006, expected 54.97",
        "boundary/precision",
    ),
    ("assert 3 == 4", "logic"),
];

#[test]
fn messages_have_classes() {
    for (message, wanted) in MESSAGES {
        assert_eq!(class(message), *wanted, "{message}");
    }
}

#[test]
fn circumstances_come_before_messages() {
    let test = failed(Group::Core, "unrecognized arguments: --all");
    let of = |answer, failed_before| {
        class_of(
            &test,
            &Circumstances {
                answer,
                failed_before,
                ..ATTEMPT
            },
        )
    };
    assert_eq!(of(Answer::Silence, None), "infra");
    assert_eq!(of(Answer::Unchanged, None), "no-answer/no-change");
    let earlier = Circumstances {
        graded: "checkpoint_2",
        answer: Answer::Unchanged,
        ..ATTEMPT
    };
    let plain = failed(Group::Regression, "assert 3 == 4");
    let before = ["checkpoint_1::t".to_owned()];
    assert_eq!(
        class_of(
            &plain,
            &Circumstances {
                failed_before: Some(&[]),
                ..earlier
            }
        ),
        "regression"
    );
    assert_eq!(
        class_of(
            &plain,
            &Circumstances {
                failed_before: Some(&before),
                ..earlier
            }
        ),
        "logic"
    );
}

#[test]
fn new_null_pointer_has_own_class() {
    let message = "exit code: expected 0, got 1 (stderr ends: java.lang.NullPointerException)";
    let test = failed(Group::Regression, message);
    let of = |before: &[String]| {
        let attempt = Circumstances {
            failed_before: Some(before),
            ..ATTEMPT
        };
        class_of(&test, &attempt)
    };
    assert_eq!(of(&[]), "null-pointer");
    assert_eq!(of(&["checkpoint_1::t".to_owned()]), "crash/null");
}

#[test]
fn missed_goals_have_own_classes() {
    let of = |id: &str, message: &str| {
        let test = TestResult {
            id: id.to_owned(),
            ..failed(Group::Core, message)
        };
        class_of(&test, &ATTEMPT)
    };
    assert_eq!(
        of(
            "goal:complexity-mass",
            "complexity mass: 9, at most 50 % of 10"
        ),
        "still-complex"
    );
    assert_eq!(
        of("goal:clone-lines", "clone lines: 9, at most 50 % of 10"),
        "still-complex"
    );
    assert_eq!(
        of("goal:cpu-time", "CPU time: 9.00 s, at most 50 % of 10.00 s"),
        "slow"
    );
    assert_eq!(
        of("goal:cpu-time", "not measured: the case a does not pass"),
        "logic"
    );
}

#[test]
fn timeouts_need_no_message() {
    let test = TestResult {
        outcome: Outcome::Timeout,
        message: None,
        ..failed(Group::Core, "")
    };
    assert_eq!(class_of(&test, &ATTEMPT), "timeout/hang");
}

#[test]
fn silent_failures_are_unclassified() {
    assert_eq!(class(""), "unclassified");
}

#[test]
fn faulty_rules_are_refused() {
    for text in [
        "version = 1",
        "version = 1\n[[rules]]\nclass = \"a\"\nmessage = \"(\"",
        "version = 1\n[[rules]]\nclass = \"a\"\nmesage = \"x\"",
    ] {
        assert!(Rules::read(text).is_err(), "{text}");
    }
}

#[test]
fn version_changes_with_any_rule() {
    let of = |text: &str| Rules::read(text).unwrap().version;
    let text = "version = 1\n[[rules]]\nclass = \"a\"";
    assert_ne!(of(text), of(&format!("{text}\nmessage = \"x\"")));
}

#[test]
fn one_crash_decides_an_attempt() {
    let rules = Rules::shipped();
    let classes = |tests: &[TestResult]| {
        let classified: Vec<Classified<'_>> = rules.of_tests(tests, &ATTEMPT);
        crate::attempt::of_tests(&classified).0
    };
    let logic = failed(Group::Core, "assert 3 == 4");
    let crash = failed(Group::Core, "NameError: name 'x' is not defined");
    let error = failed(Group::Error, "assert 3 == 4");
    let shape = failed(Group::Core, "assert 'A' == 'a'");
    assert_eq!(classes(&[logic.clone(), logic.clone(), crash]), "crash");
    assert_eq!(
        classes(&[error.clone(), error.clone(), error.clone(), error]),
        "error-handling"
    );
    assert_eq!(classes(&[shape.clone(), logic.clone()]), "logic");
    assert_eq!(classes(&[shape.clone(), shape]), "output-shape");
    assert_eq!(classes(&[logic]), "logic");
}

#[test]
fn agreement_counts_each_class() {
    let label = |class: &str, also: Option<&str>| Label {
        run: "r".to_owned(),
        problem: "p".to_owned(),
        checkpoint: "c".to_owned(),
        test_checkpoint: "c".to_owned(),
        test: "t".to_owned(),
        class: class.to_owned(),
        sub: None,
        also: also.map(str::to_owned),
        sure: true,
    };
    let labels = [
        label("a", None),
        label("a", None),
        label("b", Some("a")),
        label("b", None),
    ];
    let pairs = [
        (&labels[0], "a"),
        (&labels[1], "a"),
        (&labels[2], "a"),
        (&labels[3], "b"),
    ];
    let agreed = agreement(&pairs);
    assert_eq!((agreed.labels, agreed.same), (4, 3));
    // Chance: 1/2 · 3/4 + 1/2 · 1/4 = 1/2.
    assert!((agreed.kappa.unwrap() - 0.5).abs() < 1e-12);
    let a = agreed.classes["a"];
    assert_eq!((a.labelled, a.assigned, a.both, a.second), (2, 3, 2, 1));
    assert_eq!(agreed.different[0].assigned, "a");
}

/// The class and the other class of an attempt with a new security finding.
fn with_finding(severity: Severity, state: State, message: &str) -> (Option<String>, Option<&str>) {
    let finding = Finding {
        rule: "sql-from-text".to_owned(),
        category: "security".to_owned(),
        severity,
        path: "a.py".to_owned(),
        span: Span::default(),
        message: String::new(),
        fingerprint: String::new(),
    };
    let detail = CheckpointDetail {
        security: Some(NewSecurity {
            definitions: String::new(),
            findings: vec![finding],
        }),
        ..CheckpointDetail::default()
    };
    let report = CheckpointReport {
        state,
        ..CheckpointReport::ungraded("checkpoint_1", 1, "")
    };
    let rules = Rules::shipped();
    let tests = match state {
        State::Failed => vec![failed(Group::Core, message)],
        _ => Vec::new(),
    };
    let graded = GradedCheckpoint {
        problem: "p",
        trial: 1,
        report: &report,
        failed: rules.of_tests(&tests, &ATTEMPT),
        detail: &detail,
    };
    (graded.class().map(|class| class.to_string()), graded.also())
}

#[test]
fn high_security_findings_are_a_class() {
    let wrong = "step 1: stdout: expected 1, got 2";
    let crash =
        "step 1: exit code: expected 0, got 1\nTraceback (most recent call last)\nKeyError: 'a'";
    let security = Some("security/sql-from-text".to_owned());
    let high = |state, message| with_finding(Severity::Error, state, message);
    assert_eq!(high(State::Failed, wrong), (security, None));
    let (class, also) = high(State::Failed, crash);
    assert!(class.unwrap().starts_with("crash"));
    assert_eq!(also, Some("security"));
    assert_eq!(high(State::Passed, ""), (None, Some("security")));
    assert_eq!(high(State::Infrastructure, ""), (None, None));
}

#[test]
fn medium_security_findings_are_no_class() {
    let wrong = "step 1: stdout: expected 1, got 2";
    let medium = |state| with_finding(Severity::Warning, state, wrong);
    assert_eq!(medium(State::Failed), (Some("logic".to_owned()), None));
    assert_eq!(medium(State::Passed), (None, None));
}

#[test]
fn security_is_listed_before_regression() {
    let rules = Rules::shipped();
    let classes = rules.classes();
    let place = |name: &str| classes.iter().position(|class| *class == name).unwrap();
    assert_eq!(place("security") + 1, place("regression"));
}
