//! The built-in problem: it is whole, its solutions and scripts pass its suites, and the scripts differ as they should.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::runner;
use slope_model::problem::Group;
use slope_model::schema;
use slope_model::script::{Conversation, Script};
use slope_model::usage::Tokens;
use slope_problem::{
    BUILTIN, BUILTIN_SCRIPTS, LoadOptions, Problem, load, load_cases, materialize_builtin,
    reference_solution,
};

/// The problem as it is in the repository.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../problems")
        .join(BUILTIN)
}

fn problem() -> Problem {
    load(&folder(), &LoadOptions::default()).unwrap()
}

fn script(path: &str) -> Script {
    serde_saphyr::from_str(&fs::read_to_string(folder().join(path)).unwrap()).unwrap()
}

/// Python files of a folder: name to text.
fn sources(dir: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    let python = entries.filter(|p| p.extension().is_some_and(|e| e == "py"));
    python
        .map(|p| {
            (
                p.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read_to_string(p).unwrap(),
            )
        })
        .collect()
}

/// The workspace after each checkpoint of a script.
fn workspaces(script_path: &str) -> Vec<BTreeMap<String, String>> {
    let script_dir = folder().join(script_path).parent().unwrap().to_owned();
    let mut workspace = BTreeMap::new();
    let mut after = Vec::new();
    for conversation in script(script_path).conversations {
        for turn in conversation.turns {
            for file in &turn.remove {
                workspace.remove(file);
            }
            if let Some(put) = turn.put {
                workspace.extend(sources(&script_dir.join(put)));
            }
        }
        after.push(workspace.clone());
    }
    after
}

fn write_all(dir: &Path, files: &BTreeMap<String, String>) {
    for (name, text) in files {
        fs::write(dir.join(name), text).unwrap();
    }
}

#[test]
fn builtin_problem_is_complete() {
    let problem = problem();
    assert_eq!(problem.name, BUILTIN);
    assert_eq!(problem.checkpoints.len(), 4);
    for checkpoint in &problem.checkpoints {
        let solution = reference_solution(&problem, &checkpoint.name).unwrap();
        assert!(solution.join(&problem.entry_file).is_file());
        let cases = load_cases(&problem, &checkpoint.name).unwrap().cases;
        assert!(
            (12..=20).contains(&cases.len()),
            "{}: {} cases",
            checkpoint.name,
            cases.len()
        );
        for group in [Group::Core, Group::Functionality, Group::Error] {
            assert!(
                cases.iter().any(|c| c.group == group),
                "{}: {group:?}",
                checkpoint.name
            );
        }
    }
}

#[test]
fn builtin_specs_reveal_no_harness_terms() {
    for checkpoint in problem().checkpoints {
        let spec = checkpoint.spec.to_lowercase();
        for word in [
            "slope",
            "benchmark",
            "hidden",
            "test",
            "checkpoint",
            "canary",
            "<!--",
            "%%%",
            BUILTIN,
        ] {
            assert!(!spec.contains(word), "{} says {word}", checkpoint.name);
        }
    }
}

#[test]
fn embedded_problem_matches_repository() {
    let dir = tempfile::tempdir().unwrap();
    let written = materialize_builtin(dir.path()).unwrap();
    let loaded = load(&written, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.hash, problem().hash);
    for script in BUILTIN_SCRIPTS {
        assert_eq!(
            fs::read(written.join(script)).unwrap(),
            fs::read(folder().join(script)).unwrap()
        );
    }
    assert!(
        reference_solution(&loaded, "checkpoint_4")
            .unwrap()
            .join("history.py")
            .is_file()
    );
}

#[test]
fn scripts_have_one_conversation_per_checkpoint() {
    for path in BUILTIN_SCRIPTS {
        let script = script(path);
        assert_eq!(script.schema, schema::SCRIPT);
        assert!(script.prices.is_some() && script.aside.is_some());
        let checkpoints: Vec<_> = script.conversations.iter().map(|c| c.checkpoint).collect();
        assert_eq!(checkpoints, [Some(1), Some(2), Some(3), Some(4)]);
        for conversation in &script.conversations {
            check_conversation(&folder().join(path), conversation);
        }
    }
}

fn check_conversation(script: &Path, conversation: &Conversation) {
    assert!(conversation.contains.is_empty());
    let (last, before) = conversation.turns.split_last().unwrap();
    assert!(
        last.shell.is_none() && last.put.is_none() && last.remove.is_empty(),
        "the last turn only speaks"
    );
    for turn in before {
        assert!(
            turn.shell.is_some() || turn.put.is_some(),
            "{}: a turn before the last acts",
            conversation.name
        );
        if let Some(put) = &turn.put {
            assert!(script.parent().unwrap().join(put).is_dir(), "{put}");
        }
    }
    for turn in &conversation.turns {
        assert!(turn.usage.output > 0 && turn.usage.input > 0 && !turn.text.is_empty());
    }
}

#[test]
fn tidy_script_ends_at_the_solutions() {
    let problem = problem();
    for (checkpoint, workspace) in problem
        .checkpoints
        .iter()
        .zip(workspaces(BUILTIN_SCRIPTS[0]))
    {
        assert_eq!(
            workspace,
            sources(&reference_solution(&problem, &checkpoint.name).unwrap()),
            "{}",
            checkpoint.name
        );
    }
}

/// All cases with `SLOPE_TEST_WHOLE`, else one in four, others at each checkpoint: `slope quickstart`, which has a
/// test, runs all of them.
#[test]
fn both_scripts_pass_every_case() {
    let Some(python) = runner::python() else {
        println!("skipped: no python3 on this machine");
        return;
    };
    let problem = problem();
    let whole = std::env::var_os("SLOPE_TEST_WHOLE").is_some();
    for path in BUILTIN_SCRIPTS {
        for (done, workspace) in workspaces(path).iter().enumerate() {
            let dir = tempfile::tempdir().unwrap();
            write_all(dir.path(), workspace);
            let all = problem.checkpoints[..=done]
                .iter()
                .flat_map(|c| load_cases(&problem, &c.name).unwrap().cases);
            let step = if whole { 1 } else { 4 };
            let cases: Vec<_> = all.skip(done % step).step_by(step).collect();
            assert!(cases.iter().all(runner::knows));
            let faults = runner::run(&python, &dir.path().join(&problem.entry_file), &cases);
            assert!(
                faults.is_empty(),
                "{path}, checkpoint {}:\n{}",
                done + 1,
                faults.join("\n")
            );
        }
    }
}

#[test]
fn empty_program_fails_every_core_case() {
    let Some(python) = runner::python() else {
        println!("skipped: no python3 on this machine");
        return;
    };
    let problem = problem();
    let dir = tempfile::tempdir().unwrap();
    let program = dir.path().join(&problem.entry_file);
    fs::write(&program, "").unwrap();
    for checkpoint in &problem.checkpoints {
        let mut cases = load_cases(&problem, &checkpoint.name).unwrap().cases;
        cases.retain(|c| c.group == Group::Core);
        assert_eq!(
            runner::run(&python, &program, &cases).len(),
            cases.len(),
            "{}",
            checkpoint.name
        );
    }
}

/// Metrics of a script's workspaces, by name, one value for each checkpoint.
fn metrics(path: &str) -> BTreeMap<&'static str, Vec<f64>> {
    let mut series: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for workspace in workspaces(path) {
        let totals = slope_measure::measure_files(&workspace, &slope_measure::Options::default())
            .unwrap()
            .totals;
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of lines stay far below 2^53"
        )]
        let lines = |n: u64| n as f64;
        for (name, value) in [
            ("erosion", totals.erosion.unwrap()),
            ("verbosity", totals.verbosity.unwrap()),
            ("mass", totals.mass.unwrap()),
            ("clone lines", lines(totals.clone_lines.unwrap())),
            ("flagged lines", lines(totals.flagged_lines.unwrap())),
            (
                "high-complexity callables",
                f64::from(totals.high_complexity_callables),
            ),
            ("max complexity", f64::from(totals.max_complexity.unwrap())),
            ("source lines", lines(totals.sloc)),
        ] {
            series.entry(name).or_default().push(value);
        }
    }
    series.insert("cost", costs(&script(path)));
    series
}

fn costs(script: &Script) -> Vec<f64> {
    let total = |c: &Conversation| {
        c.turns.iter().fold(Tokens::default(), |mut sum, turn| {
            sum += turn.usage;
            sum
        })
    };
    script
        .conversations
        .iter()
        .map(|c| script.prices.unwrap().cost(&total(c)))
        .collect()
}

fn slope(values: &[f64]) -> f64 {
    let points: Vec<_> = (1..).map(f64::from).zip(values.iter().copied()).collect();
    slope_stats::ols(&points).unwrap().slope
}

#[test]
fn sloppy_script_degrades_faster_everywhere() {
    let [tidy, sloppy] = BUILTIN_SCRIPTS.map(metrics);
    for (name, values) in &sloppy {
        assert!(
            slope(values) > slope(&tidy[name]),
            "{name}: sloppy {values:?}, tidy {:?}",
            tidy[name]
        );
    }
    for name in ["erosion", "verbosity"] {
        assert!(
            sloppy[name].is_sorted_by(|a, b| a < b),
            "{name} must rise: {:?}",
            sloppy[name]
        );
        assert!(
            tidy[name].iter().all(|v| *v < 0.05),
            "{name} must stay low: {:?}",
            tidy[name]
        );
    }
}
