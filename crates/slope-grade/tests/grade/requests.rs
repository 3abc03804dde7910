//! Bad requests get a grade with an error, and the others are graded all the same.

use slope_grade::stream::grade_lines;
use slope_model::grade::{Grade, Status};
use slope_model::grade_request::{Change, Tests};

use crate::common::{Desk, of, request};

const FILE: &str = "def f():\n    return 1\n";

fn desk() -> Desk {
    Desk::new(&[("a.py", FILE)])
}

fn lines(input: &str) -> Vec<Grade> {
    let mut output = Vec::new();
    grade_lines(&mut desk().grader, input.as_bytes(), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

const GOOD: &str = r#"{"id":"good","change":{"kind":"files","data":{"a.py":"def f():\n    return 2\n"}},"tests":{"passed":1}}"#;

#[test]
fn grades_keep_the_order_of_requests() {
    let many: Vec<String> = (0..600)
        .map(|n| GOOD.replace("good", &format!("r{n}")))
        .collect();
    let grades = lines(&many.join("\n"));
    assert_eq!(grades.len(), 600);
    assert!(
        grades
            .iter()
            .enumerate()
            .all(|(n, grade)| grade.id == format!("r{n}"))
    );
}

#[test]
fn bad_records_do_not_stop_others() {
    let bad = r#"{"id":"bad","change":{"kind":"nothing"}}"#;
    let grades = lines(&format!("{GOOD}\nno json\n\n{bad}\n{GOOD}\n"));
    let statuses: Vec<Status> = grades.iter().map(|grade| grade.status).collect();
    assert_eq!(
        statuses,
        [Status::Ok, Status::Error, Status::Error, Status::Ok]
    );
    assert_eq!(grades[2].id, "bad");
    let message = &grades[1].error.as_ref().unwrap().message;
    assert!(message.starts_with("line 2, column "), "{message}");
    assert_eq!(grades[2].error.as_ref().unwrap().field, "change.kind");
}

#[test]
fn misspelt_fields_of_tests_are_refused() {
    for field in ["fail_to_pas", "pass-to-pass", "must_fial", "requiredPass"] {
        let record = GOOD.replace(r#""tests":{"#, &format!(r#""tests":{{"{field}":[],"#));
        assert_ne!(record, GOOD);
        let fault = lines(&record).remove(0).error.unwrap();
        assert_eq!(fault.field, format!("tests.{field}"));
        assert!(fault.message.contains("pass_to_pass"), "{fault:?}");
    }
}

/// The fault of a change.
fn fault(change: Change) -> (String, String) {
    let grade = desk().grader.grade(&of(change));
    assert_eq!(grade.status, Status::Error, "{grade:?}");
    assert_eq!(grade.reward, None);
    let fault = grade.error.unwrap();
    assert!(!fault.help.is_empty(), "{fault:?}");
    (fault.field, fault.message)
}

#[test]
fn paths_outside_the_base_are_refused() {
    for path in ["../b.py", "/b.py", "a/../../b.py", ".git/hooks/x", ""] {
        let files = [(path.to_owned(), Some("x".to_owned()))];
        let (field, message) = fault(Change::Files(files.into_iter().collect()));
        assert_eq!(field, "change.data");
        assert!(message.starts_with("the path"), "{message}");
    }
}

#[test]
fn diff_that_does_not_fit_is_refused() {
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def g():\n-    return 1\n+    return 2\n";
    let (_, message) = fault(Change::Diff(diff.to_owned()));
    assert!(message.contains("does not fit a.py"), "{message}");
}

#[test]
fn diff_of_unknown_file_is_refused() {
    let diff = "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x\n+y\n";
    let (_, message) = fault(Change::Diff(diff.to_owned()));
    assert!(
        message.contains("which the base does not have"),
        "{message}"
    );
}

#[test]
fn text_without_diff_is_refused() {
    let (_, message) = fault(Change::Diff("I fixed it.".to_owned()));
    assert!(message.contains("no diff"), "{message}");
}

#[test]
fn oversized_file_is_refused() {
    let text = "x = 1\n".repeat(400_000);
    let files = [("b.py".to_owned(), Some(text))];
    let (_, message) = fault(Change::Files(files.into_iter().collect()));
    assert!(message.contains("bytes after the edit"), "{message}");
}

#[test]
fn too_long_line_does_not_stop_others() {
    let long = "x".repeat((16 << 20) + 100);
    let grades = lines(&format!("{long}\n{GOOD}\n"));
    let message = &grades[0].error.as_ref().unwrap().message;
    assert_eq!(
        (message.as_str(), grades[1].status),
        ("line 1 is too long", Status::Ok)
    );
}

#[test]
fn empty_results_of_tests_are_refused() {
    let empty = GOOD.replace(r#""passed":1"#, r#""files":[]"#);
    let fault = lines(&empty)[0].error.clone().unwrap();
    assert_eq!(fault.field, "tests");
}

#[test]
fn late_grade_is_a_timeout() {
    let mut request: slope_model::grade_request::Request = serde_json::from_str(GOOD).unwrap();
    request.options.deadline_ms = Some(0);
    assert_eq!(desk().grader.grade(&request).status, Status::Timeout);
}

#[test]
fn other_files_have_no_components() {
    let files = [("README.md".to_owned(), Some("# A\n".to_owned()))];
    let grade = desk()
        .grader
        .grade(&of(Change::Files(files.into_iter().collect())));
    assert_eq!(grade.status, Status::Ok);
    assert_eq!(grade.components.p_cx, None);
    assert_eq!(grade.reward, Some(1.0));
}

#[test]
fn unknown_language_lowers_coverage() {
    let files = [("b.ex".to_owned(), Some("defmodule A do\nend\n".to_owned()))];
    let grade = desk()
        .grader
        .grade(&of(Change::Files(files.into_iter().collect())));
    assert_eq!((grade.status, grade.coverage), (Status::Partial, Some(0.0)));
    // Code that cannot be read counts as the worst.
    assert_eq!(grade.reward, Some(0.5));
}

#[test]
fn groups_ramp_quality_with_pass_rate() {
    let clone = "def f():\n    return 2\n\n\ndef g(x, y):\n    import os\n    if x:\n        if y:\n            return 1\n    return 2\n";
    let request = |id: &str, failed: u32| {
        let value = serde_json::json!({
            "id": id, "change": {"kind": "files", "data": {"a.py": clone}},
            "tests": {"passed": 1, "failed": failed}, "task": {"group": "t"},
        });
        value.to_string()
    };
    let rewards = |lines: &[String]| -> Vec<f64> {
        let mut output = Vec::new();
        slope_grade::group::grade_lines(
            &mut desk().grader,
            lines.join("\n").as_bytes(),
            &mut output,
        )
        .unwrap();
        let text = String::from_utf8(output).unwrap();
        let grades = text
            .lines()
            .map(|line| serde_json::from_str::<Grade>(line).unwrap());
        grades.map(|grade| grade.reward.unwrap()).collect()
    };
    let hard = rewards(&[
        request("a", 0),
        request("b", 1),
        request("c", 1),
        request("d", 1),
    ]);
    assert_eq!(hard, [1.0, 0.0, 0.0, 0.0]);
    let easy = rewards(&[request("a", 0), request("b", 0)]);
    assert!(easy[0] < 1.0 && easy[0] >= 0.5, "{easy:?}");
}

#[test]
fn failing_edit_gains_nothing_by_being_slow() {
    let desk = desk();
    for (passed, failed, reward) in [(0, 3, Some(0.0)), (3, 0, None)] {
        let mut slow = request(&[("a.py", "def f():\n    return 2\n")]);
        slow.options.deadline_ms = Some(0);
        slow.tests = Some(Tests {
            passed,
            failed,
            ..Tests::default()
        });
        let grade = desk.grader.grade(&slow);
        assert_eq!((grade.status, grade.reward), (Status::Timeout, reward));
    }
}

#[test]
fn nested_errors_do_not_end_the_process() {
    let desk = desk();
    for part in ["[", "`${", "<T>(", "a=>", "a?", "<a>", "{", "("] {
        for path in ["new.js", "new.ts", "new.tsx", "new.py"] {
            let edit = request(&[(path, &part.repeat(60_000))]);
            // The threads of a grader have a large stack.
            let grade = desk.grader.install(|grader| grader.grade(&edit));
            assert_ne!(grade.status, Status::Error, "{part} {path}");
        }
    }
}

#[test]
fn file_and_folder_cannot_share_a_path() {
    let desk = Desk::new(&[("a.py", FILE), ("lib/b.py", FILE)]);
    let grade = |files: &[(&str, Option<&str>)]| {
        let files = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.map(str::to_owned)));
        desk.grader.grade(&of(Change::Files(files.collect())))
    };
    for clash in [
        &[("lib", Some(FILE))][..],
        &[("a.py/c.py", Some(FILE))],
        &[("new", Some(FILE)), ("new/c.py", Some(FILE))],
    ] {
        let error = grade(clash).error.unwrap();
        assert!(error.message.contains("a file and a folder"), "{error:?}");
    }
    let moved = grade(&[
        ("a.py", None),
        ("a.py/c.py", Some(FILE)),
        ("lib", Some(FILE)),
        ("lib/b.py", None),
    ]);
    assert_eq!(moved.error, None);
}

#[test]
fn converted_line_ends_fit() {
    let diff = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n";
    let grade = desk().grader.grade(&of(Change::Diff(diff.to_owned())));
    let converted = diff.replace('\n', "\r\n");
    assert_eq!(
        desk().grader.grade(&of(Change::Diff(converted.clone()))),
        grade
    );
    // A base with such line ends keeps them.
    let base = Desk::new(&[("a.py", &FILE.replace('\n', "\r\n"))]);
    assert_eq!(base.grader.grade(&of(Change::Diff(converted))).error, None);
}

#[test]
fn half_characters_are_read() {
    let grades = lines(&GOOD.replace("good", r"half \ud83d"));
    assert_eq!(grades[0].id, "half \u{fffd}");
    assert_eq!(grades[0].error, None);
}
