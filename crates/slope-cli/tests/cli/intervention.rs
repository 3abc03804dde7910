//! An intervention study with scripted models: arms differ for a reason, and the report says so.

use std::path::{Path, PathBuf};

use crate::common::{self, run, run_json, runs, sandbox_or_skip, stderr, stdout, text};
use serde_json::Value;

/// A model that writes slop, mends it when slope tells it to, writes a tidy first version when the
/// prompt asks for one, and spends more where the prompt asks for a plan.
fn study(problem: &Path) -> PathBuf {
    let mut script = "\
schema: slope.script/1
model: scripted-study
prices: {input: 2.0, cache_read: 0.2, cache_write: 2.5, output: 10.0}
conversations:
"
    .to_owned();
    for checkpoint in 1..=3 {
        script.push_str(&conversations(checkpoint));
    }
    let path = problem.join("scripts/study.yaml");
    std::fs::write(&path, script).unwrap();
    path
}

/// What the model says in one checkpoint, by what it was told.
fn conversations(checkpoint: usize) -> String {
    let asked = match checkpoint {
        1 => "put: tidy/checkpoint_1".to_owned(),
        n => format!("put: sloppy/checkpoint_{n}"),
    };
    format!(
        "  - name: told by slope, {checkpoint}
    checkpoint: {checkpoint}
    heard: ['slope: ']
    turns:
      - text: never said
        usage: {{input: 1, output: 1}}
      - text: I mend that.
        put: tidy/checkpoint_{checkpoint}
        usage: {{input: 900, output: 2000}}
      - text: Mended.
        usage: {{input: 100, output: 20}}
      - text: The rest has to stay.
        usage: {{input: 100, output: 20}}
  - name: asked for no slop, {checkpoint}
    checkpoint: {checkpoint}
    contains: ['Say each thing once.']
    turns:
      - text: I write it with care.
        {asked}
        usage: {{input: 900, output: 2500}}
      - text: Done.
        usage: {{input: 100, output: 20}}
  - name: asked for a plan, {checkpoint}
    checkpoint: {checkpoint}
    contains: ['Write a short plan']
    turns:
      - text: First this, then that.
        shell: ls
        usage: {{input: 900, output: 900}}
      - text: Now the code.
        put: sloppy/checkpoint_{checkpoint}
        usage: {{input: 900, output: 2500}}
      - text: Done.
        usage: {{input: 100, output: 20}}
  - name: plain, {checkpoint}
    checkpoint: {checkpoint}
    turns:
      - text: I write it.
        put: sloppy/checkpoint_{checkpoint}
        usage: {{input: 900, output: 2500}}
      - text: Done.
        usage: {{input: 100, output: 20}}
"
    )
}

fn arm(dir: &Path, problem: &Path, script: &Path, name: &str) -> PathBuf {
    let out = dir.join(name);
    let args = [
        "run",
        text(problem),
        "--agent",
        "slope",
        "--script",
        text(script),
        "--intervention",
        name,
        "--checkpoints",
        "3",
        "--stability",
        "off",
        "--out",
        text(&out),
        "--quiet",
    ];
    let said = run(&args);
    assert!(said.status.success(), "{}", stderr(&said));
    out
}

fn row<'a>(arms: &'a Value, quantity: &str, metric: Option<&str>) -> &'a Value {
    let rows = arms["rows"].as_array().unwrap();
    let wanted = |row: &&Value| row["quantity"] == quantity && row["metric"].as_str() == metric;
    rows.iter().find(wanted).unwrap()
}

fn mean(row: &Value, arm: usize) -> f64 {
    row["arms"][arm]["mean"].as_f64().unwrap()
}

#[test]
fn intervention_arms_run_and_compare() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let script = study(&problem);
    let names = ["none", "anti-slop", "plan-first", "hooks"];
    let outs = names.map(|name| arm(dir.path(), &problem, &script, name));
    let paths: Vec<&str> = outs.iter().map(|out| text(out)).collect();
    let envelope = run_json(&[&["report", "--format", "json"], paths.as_slice()].concat());
    for (report, name) in runs(&envelope).iter().zip(names) {
        assert_eq!(report["config"]["options"]["intervention"], name);
        for checkpoint in report["trials"][0]["checkpoints"].as_array().unwrap() {
            assert_eq!(checkpoint["state"], "passed", "{name}: {checkpoint}");
        }
    }
    let arms = &envelope["arms"];
    assert_eq!(arms["names"], serde_json::json!(names));
    let slope = row(arms, "slope", Some("clone_lines"));
    let start = row(arms, "intercept", Some("mass"));
    let cost = row(arms, "cost", None);
    // The prompt moves the start; what the hooks told bends the slope; both cost something.
    assert!(mean(start, 1) < mean(start, 0), "{start}");
    assert!(mean(slope, 3) < mean(slope, 0), "{slope}");
    assert!(mean(cost, 2) > mean(cost, 0), "{cost}");
    assert!(mean(cost, 3) > mean(cost, 0), "{cost}");
    let correct = row(arms, "correctness", None);
    assert!((mean(correct, 3) - 1.0).abs() < f64::EPSILON, "{correct}");
    let paired = &slope["arms"][3]["difference"];
    assert_eq!(
        (paired["pairs"].as_u64(), paired["lower"].as_u64()),
        (Some(1), Some(1))
    );
    let said = stdout(&run(&[&["report"], paths.as_slice()].concat()));
    assert!(said.contains("\nArms\n"), "{said}");
    assert!(said.contains("hooks − none"), "{said}");
    nothing_of_the_tests_is_reached(&outs[3]);
}

/// The agent with hooks was told what slope says, and saw nothing of the suite in it.
fn nothing_of_the_tests_is_reached(run: &Path) {
    let mut folders = vec![run.join("trials")];
    let mut told = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .file_name()
                .is_some_and(|name| name == "requests.jsonl")
            {
                let said = std::fs::read_to_string(&path).unwrap();
                told += said.matches("slope: ").count();
                assert!(!said.contains("suite/"), "{}", path.display());
            }
        }
    }
    assert!(told > 0);
}

#[test]
fn invalid_arms_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let out = dir.path().join("out");
    for (args, said) in [
        (
            &["--agent", "nop", "--intervention", "hooks"][..],
            "runs no hooks",
        ),
        (
            &[
                "--agent",
                "nop",
                "--intervention",
                "anti-slop",
                "--prompt",
                "plan-first",
            ][..],
            "help: remove --prompt",
        ),
    ] {
        let args = [&["run", text(&problem), "--out", text(&out)][..], args].concat();
        let refused = run(&args);
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
        assert!(!out.exists());
    }
}
