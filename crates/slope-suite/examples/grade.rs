//! Grades a folder: `grade PROBLEM_DIR CHECKPOINT SNAPSHOT_DIR CACHE_DIR [all|off] [WORK_DIR]`.
//!
//! A look at the driver for developers, with no loader, store or command line in between.
#![expect(clippy::print_stdout, reason = "it is what the example is for")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use slope_model::problem::SuiteKind;
use slope_model::verdict::Outcome;
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
        Ok(verdict) => {
            let counts = verdict.counts.iter().map(|(g, c)| {
                format!(
                    "{} {}/{} ({} unstable)",
                    g.name(),
                    c.passed,
                    c.total,
                    c.unstable
                )
            });
            let counts = counts.collect::<Vec<_>>().join(", ");
            println!(
                "{}/{checkpoint}: {:?} in {:.1} s: {counts}",
                problem.name, verdict.state, verdict.duration_s
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
                    "  {} {}: {:?} {:?}\n    {}",
                    test.checkpoint,
                    test.id,
                    test.outcome,
                    test.repeats,
                    test.message
                        .as_deref()
                        .unwrap_or("")
                        .replace('\n', "\n    ")
                );
            }
        }
    }
}
