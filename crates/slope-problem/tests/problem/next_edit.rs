//! Task sets: what is read, and what is refused with which words.

use std::collections::BTreeMap;
use std::fs;

use slope_problem::next_edit::{self, Edit, Hunk, Task, leaks, normal};

const SET: &str = "\
schema: slope.next-edit/1
tasks:
- id: first
  language: python
  source: {problem: p, lineage: solutions, from: checkpoint_1, to: checkpoint_2, path: a.py, hunk: 2, made: above}
  reasons: [uses `day`]
  cursor: {line: 3, column: 1}
  recent:
  - {line: 1, removed: \"def take(lot):\\n\", added: \"def take(lot, day):\\n\"}
  expected: {line: 3, lines: 1, replacement: \"take(bread, today)\\n\"}
  text: |
    def take(lot, day):
        pass
    take(bread)
";

fn load(text: &str) -> Result<Task, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.yaml");
    fs::write(&path, text).unwrap();
    let loaded = next_edit::load(&path).map(|set| set.tasks.into_iter().next_back().unwrap());
    loaded.map_err(|e| e.to_string().replace(&*dir.path().to_string_lossy(), ""))
}

#[test]
fn task_round_trips_unchanged() {
    let task = load(SET).unwrap();
    let expected = task.expected.as_ref().unwrap();
    assert_eq!(expected.removed(&task.text), "take(bread)\n");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("again.yaml");
    fs::write(&path, next_edit::write(&path, vec![task.clone()]).unwrap()).unwrap();
    let again = next_edit::load(&path).unwrap();
    assert_eq!(again.tasks, [task]);
    assert_eq!(again.canary.as_deref(), Some(next_edit::CANARY));
}

/// The set with a task in which nothing is left to edit.
fn complete() -> String {
    let expected = SET.lines().find(|line| line.contains("expected:")).unwrap();
    SET.replace("made: above", "made: all")
        .replace(expected, "  expected: null")
}

#[test]
fn complete_change_loads_without_edit() {
    let task = load(&complete()).unwrap();
    assert_eq!(task.expected, None);
    assert_eq!(task.after().unwrap(), task.text);
    assert_eq!(leaks(&task), None);
    assert!(task.source.id().ends_with("a.py#2="));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("again.yaml");
    fs::write(&path, next_edit::write(&path, vec![task.clone()]).unwrap()).unwrap();
    let again = next_edit::load(&path).unwrap();
    assert_eq!(
        (again.schema.as_str(), again.tasks),
        (next_edit::SCHEMA, vec![task])
    );
}

#[test]
fn task_errors_name_their_line() {
    let wrong = [
        ("schema", ("edit/1", "edit/9")),
        ("key", ("reasons:", "why:")),
        ("language", ("python", "cobol")),
        ("cursor", ("column: 1", "column: 13")),
        ("cursor line", ("cursor: {line: 3", "cursor: {line: 9")),
        ("recent", ("{line: 1, removed", "{line: 2, removed")),
        ("recent end", ("day):\\n\"}", "day):\"}")),
        ("range", ("lines: 1", "lines: 2")),
        ("line 0", ("expected: {line: 3", "expected: {line: 0")),
        ("no edit", ("take(bread, today)", "take(bread)  ")),
        ("no end", ("today)\\n", "today)")),
        ("made all", ("made: above", "made: all")),
        (
            "nothing expected",
            (
                "{line: 3, lines: 1, replacement: \"take(bread, today)\\n\"}",
                "null",
            ),
        ),
        ("answer", ("reasons: [uses `day`]\n", "reasons: []\n")),
    ];
    let mut told = BTreeMap::new();
    for (name, (from, to)) in wrong {
        assert!(SET.contains(from), "{from}");
        let mut text = SET.replace(from, to);
        if name == "answer" {
            text.push_str("    take(bread,   today)\n");
        }
        told.insert(name, load(&text).unwrap_err());
    }
    let second = &SET[SET.find("- id").unwrap()..];
    told.insert("twice", load(&format!("{SET}{second}")).unwrap_err());
    insta::assert_debug_snapshot!(told);
}

#[test]
fn missing_task_set_is_named() {
    let error = next_edit::load("no/such/set.yaml".as_ref()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no/such/set.yaml: a task set is missing"),
        "{error}"
    );
}

#[test]
fn edit_outside_text_does_not_apply() {
    let edit = |line, lines| Edit {
        line,
        lines,
        replacement: "x\n".to_owned(),
    };
    assert_eq!(edit(2, 0).apply("a\nb\n").unwrap(), "a\nx\nb\n");
    assert_eq!(edit(3, 0).apply("a\nb\n").unwrap(), "a\nb\nx\n");
    assert_eq!(edit(1, 2).apply("a\nb\n").unwrap(), "x\n");
    for (line, lines) in [(0, 0), (4, 0), (2, 2), (1, usize::MAX)] {
        assert_eq!(edit(line, lines).apply("a\nb\n"), None, "{line} {lines}");
    }
}

#[test]
fn trailing_white_space_is_normalised() {
    assert_eq!(normal("a \t\r\n\n  b\n \n\n"), "a\n\n  b\n");
    assert_eq!(normal("a"), "a\n");
    assert_eq!(normal(" \n\n"), "");
}

#[test]
fn task_containing_its_answer_leaks() {
    let task = load(SET).unwrap();
    assert_eq!(leaks(&task), None);
    let with = |change: &dyn Fn(&mut Task)| {
        let mut task = task.clone();
        change(&mut task);
        leaks(&task).is_some()
    };
    assert!(with(&|task| task
        .text
        .push_str("    take(bread,  today)\n")));
    assert!(with(&|task| task.recent.push(Hunk {
        line: 1,
        removed: "take(bread, today)\n".to_owned(),
        added: String::new(),
    })));
    // Each telling line elsewhere, whatever brackets come between.
    assert!(with(
        &|task| task.expected.as_mut().unwrap().replacement = "pass\n}\ntake(bread)\n".to_owned()
    ));
    assert!(!with(
        &|task| task.expected.as_mut().unwrap().replacement = String::new()
    ));
}

#[test]
fn twenty_tasks_ship_per_language() {
    let set = next_edit::shipped().unwrap();
    // Numbers of tasks with an edit and without one.
    let mut languages: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for task in &set.tasks {
        assert_eq!(task.id, task.source.id());
        assert!(
            !task.reasons.is_empty() && !task.recent.is_empty(),
            "{}",
            task.id
        );
        let (edits, complete) = languages.entry(task.language.to_string()).or_default();
        match task.expected {
            Some(_) => *edits += 1,
            None => *complete += 1,
        }
    }
    let names: Vec<&str> = languages.keys().map(String::as_str).collect();
    assert_eq!(names, ["cpp", "go", "java", "python", "rust", "typescript"]);
    for (name, (edits, complete)) in languages {
        assert_eq!(edits + complete, 20, "{name}");
        assert!(complete >= 3, "{name}: {complete} without an edit");
    }
}
