//! Refactorings: runs and watches that start from legacy code, with goals.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{run, run_json, runs, sandbox_or_skip, scripted_agent, stderr, stdout, text};

const CONFIG: &str = "\
# canary: little-refactoring
name: little
version: 1
description: counts words
entry_file: words
suite: cases
checkpoints:
  checkpoint_1:
    version: 1
    goals:
      complexity_mass: 0.6
      clone_lines: 0.4
      cpu_time: {share: 0.6, cases: [long]}
";

const SPEC: &str = "\
<!-- canary: little-refactoring -->
`%%%ENTRYPOINT:entry_command%%%` counts words. Make it simpler and faster.
";

const SUITE: &str = "\
# canary: little-refactoring
schema: slope.cases/1
cases:
  - id: two-words
    group: core
    steps: [{args: [first], stdin: \"b a\\nb\\n\", expect: {stdout: {equals: \"b 2\\na 1\"}}}]
  - id: last-words
    group: core
    steps: [{args: [last], stdin: \"b a\\nb c\\n\", expect: {stdout: {equals: \"a 1\\nb 1\\nc 1\"}}}]
  - id: no-words
    group: functionality
    steps: [{args: [first], stdin: \"\", expect: {stdout: {equals: nothing}}}]
  - id: long
    group: functionality
    tags: [performance]
    generate: {program: long.py, seeds: [0]}
";

const GENERATOR: &str = "\
import json
words = ' '.join(str(number) for number in range(2400))
print(json.dumps({'steps': [{'args': ['first'], 'stdin': words, 'expect': {'stdout': {'contains': ['2399 1']}}}]}))
";

const LEGACY: &str = "\
import sys


def first(lines):
    found = []
    for line in lines:
        words = line.split()
        for word in words:
            if word is not None and word != '':
                if word not in found:
                    found.append(word)
    if len(found) == 0:
        return ['nothing']
    out = []
    for one in found:
        n = 0
        for line in lines:
            for word in line.split():
                if word is not None and word == one:
                    n = n + 1
        out.append(one + ' ' + str(n))
    return out


def last(lines):
    found = []
    for line in lines[-1:]:
        words = line.split()
        for word in words:
            if word is not None and word != '':
                if word not in found:
                    found.append(word)
    if len(found) == 0:
        return ['nothing']
    out = []
    for one in ['a'] + found:
        n = 0
        for line in lines[-1:] + ['a']:
            for word in line.split():
                if word is not None and word == one:
                    n = n + 1
        out.append(one + ' ' + str(n))
    return out


lines = sys.stdin.read().split('\\n')
lines = [line for line in lines if line]
for line in first(lines) if sys.argv[1] == 'first' else last(lines):
    print(line)
";

const SOLUTION: &str = "\
import sys
from collections import Counter

lines = [line for line in sys.stdin.read().split('\\n') if line]


def count(words):
    counts = Counter(words)
    return [word + ' ' + str(counts[word]) for word in counts]


if sys.argv[1] == 'last':
    lines = ['a'] + lines[-1:]
words = [word for line in lines for word in line.split()]
for line in count(words) or ['nothing']:
    print(line)
";

/// The problem in a folder.
fn little(dir: &Path) -> PathBuf {
    let root = dir.join("little");
    let write = |name: &str, text: &str| {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("config.yaml", CONFIG);
    write("checkpoint_1.md", SPEC);
    write("suite/checkpoint_1.yaml", SUITE);
    write("suite/long.py", GENERATOR);
    write("legacy/checkpoint_1/words.py", LEGACY);
    write("solutions/checkpoint_1/words.py", SOLUTION);
    root
}

/// A settings file of an agent that replaces the program.
fn writer(dir: &Path, name: &str, program: &str) -> PathBuf {
    let folder = dir.join(name);
    std::fs::create_dir(&folder).unwrap();
    let body = format!("cat > words.py <<'END'\n{program}END\n");
    scripted_agent(&folder, &body)
}

fn task<'a>(day: &'a Value, arm: &str) -> &'a Value {
    &day["arms"][arm]["tasks"][0]
}

#[test]
fn watch_runs_refactoring_with_controls() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = little(dir.path());
    let same = writer(dir.path(), "same", &format!("# mine now\n{LEGACY}"));
    let nulls = SOLUTION.replace("Counter(words)", "Counter(words or None.split())");
    let nulls = writer(dir.path(), "nulls", &nulls);
    let folder = dir.path().join("watch");
    std::fs::create_dir(&folder).unwrap();
    let settings = format!(
        "tasks = [\"python/little/checkpoint_1\"]\nproblems = [{problem:?}]\n\
         [baseline]\ndays = 2\nreplicates = 1\n\
         [arms.same]\nagent = \"command\"\nagent-config = {same:?}\n\
         [arms.nulls]\nagent = \"command\"\nagent-config = {nulls:?}\n"
    );
    std::fs::write(folder.join("watch.toml"), settings).unwrap();
    let ticked = run(&[
        "watch",
        "tick",
        text(&folder),
        "--date",
        "2026-11-01",
        "--quiet",
    ]);
    assert!(ticked.status.success(), "{}", stderr(&ticked));
    let day = std::fs::read(folder.join("days/2026-11-01/day.json")).unwrap();
    let day: Value = serde_json::from_slice(&day).unwrap();
    assert_eq!(day["invalid"], Value::Null, "{day}");
    assert_eq!(task(&day, "oracle")["outcome"], "passed");
    assert_eq!(task(&day, "empty")["outcome"], "failed");
    let same = task(&day, "same");
    assert_eq!(same["class"], "still-complex", "{same}");
    let goals = ["clone-lines", "complexity-mass", "cpu-time"];
    let goals = goals.map(|goal| Value::from(format!("checkpoint_1::goal:{goal}")));
    assert_eq!(same["not_passed"], Value::from(goals.to_vec()));
    let nulls = task(&day, "nulls");
    assert_eq!(nulls["class"], "null-pointer", "{nulls}");
    assert_eq!(
        nulls["not_passed"],
        serde_json::json!(["checkpoint_1::no-words"])
    );
}

#[test]
fn run_starts_from_legacy_code() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = little(dir.path());
    // It works, and is as slow as before.
    let counts = "counts = {word: max(words.count(word) for _ in range(9)) for word in words}";
    let slow = SOLUTION.replace("counts = Counter(words)", counts);
    let body =
        format!("grep -q 'def last' words.py || exit 1\ncat > words.py <<'END'\n{slow}END\n");
    let agent = scripted_agent(dir.path(), &body);
    let out = dir.path().join("run");
    let report = run_json(&[
        "run",
        text(&problem),
        "--agent",
        "command",
        "--agent-config",
        text(&agent),
        "--out",
        text(&out),
        "--quiet",
        "--format",
        "json",
    ]);
    let checkpoint = &runs(&report)[0]["trials"][0]["checkpoints"][0];
    assert_eq!(checkpoint["state"], "failed", "{checkpoint}");
    assert_eq!(
        checkpoint["not_passed"],
        serde_json::json!(["checkpoint_1::goal:cpu-time"])
    );
    assert_eq!(checkpoint["counts"]["regression"]["passed"], 4);
    let failures = run_json(&["failures", text(&out), "--attempts", "--format", "json"]);
    assert!(failures.to_string().contains("\"slow\""), "{failures}");
}

#[test]
fn gate_checks_goals_of_both_programs() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = little(dir.path());
    let gate = || {
        run(&[
            "problem",
            "gate",
            text(&problem),
            "--repeat",
            "1",
            "--mutants",
            "0",
        ])
    };
    let good = gate();
    let said = stdout(&good);
    assert_eq!(good.status.code(), Some(0), "{said}{}", stderr(&good));
    assert!(
        said.contains("untouched fails: python, checkpoint_1"),
        "{said}"
    );
    assert!(
        said.contains("goals under load: python, checkpoint_1"),
        "{said}"
    );
    let solution = problem.join("solutions/checkpoint_1/words.py");
    std::fs::write(&solution, LEGACY).unwrap();
    std::fs::write(problem.join("legacy/checkpoint_1/words.py"), SOLUTION).unwrap();
    let wrong = gate();
    let said = stdout(&wrong);
    assert_eq!(wrong.status.code(), Some(1), "{said}");
    assert!(said.contains("goal:cpu-time: CPU time: "), "{said}");
    let tried = run(&["problem", "try", text(&problem)]);
    assert_eq!(tried.status.code(), Some(1));
    assert!(
        stdout(&tried).contains("goal:complexity-mass"),
        "{}",
        stdout(&tried)
    );
}

#[test]
fn faulty_goals_name_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let problem = little(dir.path());
    let cases = [
        (
            "complexity_mass: 0.6",
            "complexity_mass: 1.5",
            "above 0 and below 1",
        ),
        (
            "cases: [long]",
            "cases: [longer]",
            "which checkpoint_1 does not have",
        ),
        ("cases: [long]", "cases: []", "names no case"),
        (
            "suite: cases",
            "suite: pytest",
            "goals need declarative cases",
        ),
        ("clone_lines: 0.4", "clones: 0.4", "clones"),
    ];
    for (from, to, message) in cases {
        std::fs::write(problem.join("config.yaml"), CONFIG.replace(from, to)).unwrap();
        let output = run(&["problem", "lint", text(&problem)]);
        assert_eq!(output.status.code(), Some(2), "{to}");
        let said = stderr(&output);
        assert!(
            said.contains("config.yaml") && said.contains(message),
            "{to}: {said}"
        );
    }
    std::fs::write(problem.join("config.yaml"), CONFIG).unwrap();
    std::fs::remove_dir_all(problem.join("legacy")).unwrap();
    let output = run(&["problem", "lint", text(&problem)]);
    assert!(stderr(&output).contains("legacy"), "{}", stderr(&output));
}
