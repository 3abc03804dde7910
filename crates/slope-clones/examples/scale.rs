//! Time and memory of clone detection from 0.25 to 4 million lines.
//!
//! `cargo run --release -p slope-clones --example scale -- FOLDER...`
//!
//! Files are taken in the order of the folders, which should be different trees:
//! copies of one would be nothing but clones. Prints CPU time on one thread and
//! the most memory that the process held, facts of all files included.

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

mod support;

use std::time::Duration;

use slope_clones::{CloneReport, FileClones, Options, analyse, classes};
use slope_model::measurement::CloneKind;
use slope_syntax::Profile;
use support::{bytes, cpu_time, each_tree, source_files};

const SIZES: [u64; 5] = [250_000, 500_000, 1_000_000, 2_000_000, 4_000_000];

fn main() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("one thread");
    println!("lines     files  parse  analyse  group   near    per line  facts    peak   classes");
    let mut sizes = SIZES.into_iter().peekable();
    let (mut lines, mut facts) = (0u64, Vec::new());
    let (mut parsing, mut analysing) = (Duration::ZERO, Duration::ZERO);
    for path in std::env::args().skip(1).flat_map(source_files) {
        let Some(&size) = sizes.peek() else { break };
        let start = cpu_time();
        each_tree(&path, |tree| {
            parsing += cpu_time() - start;
            let source = tree.source_lines(Profile::Slope);
            let start = cpu_time();
            facts.push(analyse(tree, &source, Profile::Slope));
            analysing += cpu_time() - start;
            lines += u64::from(tree.physical_lines());
        });
        if lines >= size {
            pool.install(|| row(&facts, lines, parsing, analysing));
            sizes.next();
        }
    }
    if let Some(size) = sizes.peek() {
        println!("there are only {lines} lines in these folders, fewer than {size}");
    }
}

/// Prints one row of the table.
fn row(facts: &[FileClones], lines: u64, parsing: Duration, analysing: Duration) {
    let all: Vec<&FileClones> = facts.iter().collect();
    let copies = Options {
        similarity: None,
        ..Options::of(Profile::Slope)
    };
    let (_, grouping) = timed(&all, &copies);
    let (report, both) = timed(&all, &Options::of(Profile::Slope));
    let near = report.classes.iter();
    let near = near
        .filter(|class| class.kind == CloneKind::NearMiss)
        .count();
    let memory: usize = facts.iter().map(bytes).sum();
    let clones = (analysing + both).as_nanos() / u128::from(lines);
    println!(
        "{lines:8} {:6} {:5.1} s {:5.2} s {:5.2} s {:5.2} s {clones:6} ns {:5} MB {:5} MB  {} and {near} near",
        facts.len(),
        parsing.as_secs_f64(),
        analysing.as_secs_f64(),
        grouping.as_secs_f64(),
        both.saturating_sub(grouping).as_secs_f64(),
        memory >> 20,
        peak_kb() >> 10,
        report.classes.len() - near,
    );
}

fn timed(all: &[&FileClones], options: &Options) -> (CloneReport, Duration) {
    let start = cpu_time();
    let report = classes(all, options);
    (report, cpu_time() - start)
}

/// Most memory that the process held, in KiB; 0 where the system does not say.
fn peak_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
