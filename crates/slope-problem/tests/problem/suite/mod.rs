//! Every problem of the repository that has a tidy and a sloppy lineage: both pass its cases, and an empty
//! program passes no core case. That our metrics tell the two apart is a test of slope-author.

use std::path::{Path, PathBuf};

use crate::runner;
use slope_model::cases::{Case, Tag};
use slope_model::problem::Group;
use slope_problem::{Level, LoadOptions, Problem, lint, load, load_cases};

/// Folders of the lineages, as named in a problem.
const LINEAGES: [&str; 2] = ["solutions", "sloppy"];

fn problems() -> Vec<Problem> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|p| p.join("sloppy").is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty(), "no problem has two lineages");
    let all = folders.iter();
    all.map(|folder| load(folder, &LoadOptions::default()).unwrap())
        .collect()
}

/// The cases of the checkpoints up to the one at `last`, which run there.
fn cases_until(problem: &Problem, last: usize) -> Vec<Case> {
    let until = problem.checkpoints[..=last].iter();
    until
        .flat_map(|c| load_cases(problem, &c.name).unwrap().cases)
        .collect()
}

/// All cases with `SLOPE_TEST_WHOLE`; else a few, of those that look for no slowness: the gate draws others. Without
/// those that need the grader.
fn sampled(mut cases: Vec<Case>) -> Vec<Case> {
    cases.retain(runner::knows);
    if std::env::var_os("SLOPE_TEST_WHOLE").is_some() {
        return cases;
    }
    let quick = |case: &Case| !case.tags.contains(&Tag::Performance);
    cases.into_iter().filter(quick).step_by(32).collect()
}

#[test]
fn shipped_problems_have_no_lint_errors() {
    for problem in problems() {
        let mut lints = lint(&problem.root).unwrap();
        lints.retain(|lint| lint.level == Level::Error);
        assert!(lints.is_empty(), "{}: {lints:#?}", problem.name);
    }
}

#[test]
fn both_lineages_pass_every_case() {
    let Some(python) = runner::python() else {
        println!("skipped: no python3 on this machine");
        return;
    };
    for problem in problems() {
        for lineage in LINEAGES {
            for (at, checkpoint) in problem.checkpoints.iter().enumerate() {
                // Earlier cases again at the end only: what breaks in between breaks there as well, mostly.
                let cases = if at + 1 == problem.checkpoints.len() {
                    cases_until(&problem, at)
                } else {
                    load_cases(&problem, &checkpoint.name).unwrap().cases
                };
                let folder = problem.root.join(lineage).join(&checkpoint.name);
                let program = folder.join(&problem.entry_file);
                let faults = runner::run(&python, &program, &sampled(cases));
                let where_ = format!("{}, {lineage}, {}", problem.name, checkpoint.name);
                assert!(faults.is_empty(), "{where_}:\n{}", faults.join("\n"));
            }
        }
    }
}

#[test]
fn empty_program_fails_every_core_case() {
    let Some(python) = runner::python() else {
        println!("skipped: no python3 on this machine");
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    for problem in problems() {
        let program = dir.path().join(&problem.entry_file);
        std::fs::write(&program, "").unwrap();
        let mut cases = cases_until(&problem, problem.checkpoints.len() - 1);
        cases.retain(|case| case.group == Group::Core);
        let cases = sampled(cases);
        let faults = runner::run(&python, &program, &cases);
        assert_eq!(faults.len(), cases.len(), "{}", problem.name);
    }
}
