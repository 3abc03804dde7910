//! Grades a folder: `grade PROBLEM_DIR CHECKPOINT SNAPSHOT_DIR CACHE_DIR [all|off] [WORK_DIR]`.
//!
//! A look at the driver for developers, with no loader, store or command line in between.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a look by hand")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use slope_model::problem::{Group, SuiteKind};
use slope_model::verdict::{Count, Outcome, Verdict};
use slope_suite::{GradeOptions, Stability};

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, checkpoint, snapshot, cache, rest @ ..] = args.as_slice() else {
        println!(
            "usage: grade PROBLEM_DIR CHECKPOINT SNAPSHOT_DIR CACHE_DIR [failing|all|off] [WORK_DIR]"
        );
        return;
    };
    let root = Path::new(root);
    let kind = if root.join("tests").is_dir() {
        SuiteKind::Pytest
    } else {
        SuiteKind::Cases
    };
    let problem = support::load(root, kind);
    let mut options = GradeOptions::new(PathBuf::from(cache));
    options.stability = match rest.first().map(String::as_str) {
        Some("all") => Stability::All,
        Some("off") => Stability::Off,
        _ => Stability::Failing,
    };
    let scratch = tempfile::tempdir().unwrap();
    let work = rest.get(1).map_or(scratch.path(), Path::new);
    let tar = work.join("snapshot.tar");
    support::pack(Path::new(snapshot), &tar);
    match support::grade_tar(&problem, checkpoint.parse().unwrap(), &tar, work, &options) {
        Err(why) => println!("error: {why}"),
        Ok(verdict) => show(&problem.name, &verdict),
    }
}

fn show(problem: &str, verdict: &Verdict) {
    let count = |(g, c): (&Group, &Count)| {
        format!(
            "{} {}/{} ({} unstable)",
            g.name(),
            c.passed,
            c.total,
            c.unstable
        )
    };
    let counts = verdict
        .counts
        .iter()
        .map(count)
        .collect::<Vec<_>>()
        .join(", ");
    println!(
        "{problem}/{}: {:?} in {:.1} s: {counts}",
        verdict.checkpoint, verdict.state, verdict.duration_s
    );
    for note in verdict.reason.iter().chain(&verdict.integrity) {
        println!("  ! {note}");
    }
    for (name, value) in &verdict.grader {
        println!("  {name}: {value}");
    }
    for test in verdict
        .tests
        .iter()
        .filter(|t| t.outcome != Outcome::Passed)
    {
        println!(
            "  {} {}: {:?} {:?}",
            test.checkpoint, test.id, test.outcome, test.repeats
        );
        println!(
            "    {}",
            test.message
                .as_deref()
                .unwrap_or("")
                .replace('\n', "\n    ")
        );
    }
}
