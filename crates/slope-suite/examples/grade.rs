//! Grades a folder: `grade PROBLEM_DIR CHECKPOINT SNAPSHOT_DIR CACHE_DIR [WORD…]`.
//!
//! Words: `off` and `all` (which tests are repeated), `wheels=DIR` (offline, from these wheels),
//! `work=DIR` (keep what was printed there), `unconfined` (no sandbox).
//!
//! A look at the driver for developers, with no loader, store or command line in between.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a look by hand")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use slope_model::problem::{Group, SuiteKind};
use slope_model::verdict::{Count, Outcome, Verdict};
use slope_sandbox::{LocalRuntime, Runtime, UnconfinedRuntime};
use slope_suite::{GradeOptions, GradeRequest, Stability, driver_for};

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, checkpoint, snapshot, cache, rest @ ..] = args.as_slice() else {
        println!("usage: grade PROBLEM_DIR CHECKPOINT SNAPSHOT_DIR CACHE_DIR [WORD…]");
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
    let word = |name: &str| rest.iter().any(|w| w == name);
    let value = |name: &str| {
        rest.iter()
            .find_map(|w| w.strip_prefix(name))
            .map(PathBuf::from)
    };
    options.stability = match (word("all"), word("off")) {
        (true, _) => Stability::All,
        (_, true) => Stability::Off,
        _ => Stability::Failing,
    };
    options.wheel_dir = value("wheels=");
    options.offline = options.wheel_dir.is_some();
    let scratch = tempfile::tempdir().unwrap();
    let work = value("work=").unwrap_or_else(|| scratch.path().to_owned());
    let tar = work.join("snapshot.tar");
    support::pack(Path::new(snapshot), &tar);
    let runtime: &dyn Runtime = if word("unconfined") {
        &UnconfinedRuntime
    } else {
        &LocalRuntime
    };
    let request = GradeRequest {
        problem: &problem,
        checkpoint: checkpoint.parse().unwrap(),
        snapshot_tar: &tar,
        work_dir: &work,
        runtime,
        options: &options,
    };
    match driver_for(kind).grade(&request) {
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
    for note in verdict
        .reason
        .iter()
        .cloned()
        .chain(verdict.integrity.iter().map(ToString::to_string))
    {
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
