//! Next-edit tasks through the binary: cutting, asking, scoring.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{self, run, run_json, sandbox_or_skip, stderr, stdout, text};

const NEXT_EDIT: [&str; 2] = ["problem", "next-edit"];

fn next_edit<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&NEXT_EDIT[..], args].concat()
}

/// Answers to the shipped tasks of these languages: the expected edits, as `cut` knows them.
fn right_answers(dir: &Path) -> String {
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/household-stock");
    let cut = run_json(&next_edit(&["cut", text(&problem), "--format", "json"]));
    let prompts = run_json(&next_edit(&["render", "--all", "--format", "json"]));
    let asked: Vec<&str> = prompts["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    let mut answers = String::new();
    for task in cut["tasks"].as_array().unwrap() {
        if asked.contains(&task["id"].as_str().unwrap()) {
            let answer = match &task["expected"] {
                Value::Null => json!({"id": task["id"], "no_edit": true}),
                edit => json!({"id": task["id"], "edit": edit}),
            };
            writeln!(answers, "{answer}").unwrap();
        }
    }
    let path = dir.join("answers.jsonl");
    fs::write(&path, answers).unwrap();
    text(&path).to_owned()
}

#[test]
fn answers_are_scored_missing_counted() {
    let dir = tempfile::tempdir().unwrap();
    let answers = right_answers(dir.path());
    let human = run(&next_edit(&["score", "--answers", &answers]));
    assert!(human.status.success(), "{}", stderr(&human));
    insta::assert_snapshot!(stdout(&human));
    let json = run_json(&next_edit(&[
        "score",
        "--answers",
        &answers,
        "--format",
        "json",
    ]));
    assert_eq!(json["schema"], "slope.next-edit-scores/2");
    assert_eq!(json["all"]["answered"], 45);
    assert_eq!(json["all"]["no_edit"]["answered"], 7);
    assert_eq!(json["all"]["no_edit"]["specificity"]["mean"], 1.0);
    assert_eq!(json["languages"]["go"]["f"]["mean"], Value::Null);
    assert_eq!(json["languages"]["rust"]["exact"]["mean"], 1.0);
}

#[test]
fn cut_tasks_write_and_render() {
    let dir = tempfile::tempdir().unwrap();
    let set = dir.path().join("set.yaml");
    let id = "household-stock/solutions/checkpoint_4/store.py#3";
    let cut = [
        "cut",
        "household-stock",
        "--lineage",
        "solutions",
        "--checkpoint",
        "4",
    ];
    let listed = run(&next_edit(&cut));
    assert!(
        stdout(&listed).contains(id),
        "{}{}",
        stdout(&listed),
        stderr(&listed)
    );
    let written = run(&next_edit(
        &[&cut[..], &["--pick", id, "--out", text(&set)]].concat(),
    ));
    assert!(
        stdout(&written).starts_with("1 task written"),
        "{}",
        stderr(&written)
    );
    let asked = run(&next_edit(&["render", id, "--tasks", text(&set)]));
    assert_eq!(stdout(&asked), stdout(&run(&next_edit(&["render", id]))));
    insta::assert_snapshot!(stdout(&asked));

    let again = run(&next_edit(
        &[&cut[..], &["--pick", id, "--out", text(&set)]].concat(),
    ));
    assert_eq!(again.status.code(), Some(2));
    assert!(
        stderr(&again).contains("already exists"),
        "{}",
        stderr(&again)
    );
    let unknown = run(&next_edit(&["render", "nowhere", "--tasks", text(&set)]));
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains(id), "{}", stderr(&unknown));
    let unknown = run(&next_edit(&[&cut[..], &["--pick", "nowhere"]].concat()));
    assert!(
        stderr(&unknown).contains("no such task is offered"),
        "{}",
        stderr(&unknown)
    );
}

#[test]
fn piped_task_is_byte_exact() {
    let dir = tempfile::tempdir().unwrap();
    let set = dir.path().join("set.yaml");
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/household-stock");
    let id = "household-stock/solutions/checkpoint_4/store.py#3";
    let cut = ["cut", text(&problem), "--pick", id, "--out", text(&set)];
    assert!(run(&next_edit(&cut)).status.success());
    let plain = fs::read_to_string(&set).unwrap();
    let shifty = plain.replace("path: store.py", r#"path: "store\e[2J.py""#);
    assert_ne!(shifty, plain);
    fs::write(&set, shifty).unwrap();
    let asked = run(&next_edit(&["render", id, "--tasks", text(&set)]));
    assert!(
        stdout(&asked).contains("file store\u{1b}[2J.py."),
        "{}{}",
        stderr(&asked),
        stdout(&asked)
    );
}

#[test]
fn unreadable_answers_get_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let nowhere = dir.path().join("nope");
    let scored = run(&next_edit(&["score", "--answers", text(&nowhere)]));
    assert_eq!(scored.status.code(), Some(2));
    let told = stderr(&scored);
    assert!(
        told.contains("nope: cannot read the answers: ")
            && told.contains("pass a text file of answers, and write {\"id\": "),
        "{told}"
    );
}

/// A suite with one case, whose only step runs the program with `arguments` and prints `line`.
fn suite(id: &str, arguments: &str, line: &str) -> String {
    format!(
        "schema: slope.cases/1\ncases:\n- id: {id}\n  group: core\n  files: {{in.txt: \"500g flour\"}}\n  \
         steps: [{{args: [{arguments}], expect: {{stdout: {{equals: \"{line}\"}}}}}}]\n"
    )
}

#[test]
fn verify_finds_edits_without_effect() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let case = |number: u32, text: &str| {
        let path = problem.join(format!("suite/checkpoint_{number}.yaml"));
        fs::write(path, text).unwrap();
    };
    let list = suite("lists", "list", "nothing in stock");
    case(1, &list);
    case(2, &suite("imports", "import, in.txt", "lots imported: 1"));
    let set = dir.path().join("set.yaml");
    let id = "household-stock/solutions/checkpoint_2/pantry.py#3";
    let complete = format!("{id}=");
    let cut = ["cut", text(&problem), "--pick", id, "--pick", &complete];
    let cut = run(&next_edit(&[&cut[..], &["--out", text(&set)]].concat()));
    assert!(cut.status.success(), "{}", stderr(&cut));
    let verify = next_edit(&["verify", text(&set), "--problem", text(&problem)]);
    let right = run(&verify);
    assert_eq!(right.status.code(), Some(0), "{}", stderr(&right));
    assert_eq!(stdout(&right), "2 tasks verified, 0 wrong (python 2)\n");

    // No case notices that the edit is missing.
    case(2, &list);
    let wrong = run(&verify);
    assert_eq!(wrong.status.code(), Some(1), "{}", stderr(&wrong));
    let told = stdout(&wrong);
    assert!(
        told.contains(&format!(
            "wrong: {id}: the finished program passes every case"
        )),
        "{told}"
    );
    assert!(told.contains("2 tasks verified, 1 wrong"), "{told}");

    // The finished program fails.
    case(2, &suite("imports", "import, in.txt", "lots imported: 2"));
    let asked = [&verify[..], &["--task", &complete, "--format", "json"]].concat();
    let broken: Value = serde_json::from_slice(&run(&asked).stdout).unwrap();
    let task = &broken["tasks"][0];
    assert_eq!(task["fault"], "the finished program fails imports");
    let unknown = run(&[&verify[..], &["--task", "nowhere"]].concat());
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        stderr(&unknown).contains("no task nowhere"),
        "{}",
        stderr(&unknown)
    );
}
