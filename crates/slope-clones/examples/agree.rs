//! Compares the quick way to clones with the plain one on folders of code, by
//! the paper's definitions, and prints what clones cost against parsing, in CPU time.
//!
//! `cargo run --release -p slope-clones --example agree -- FOLDER...`

#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

mod support;

use std::time::Duration;

use slope_clones::{FileClones, Options, Unit, analyse, classes, groups, units};
use slope_syntax::{LineSet, Profile};
use support::{cpu_time, each_tree, source_files};

/// What each step took, and what it gave.
#[derive(Default)]
struct Steps {
    parse: Duration,
    slope: Duration,
    paper: Duration,
    plain: Duration,
    lines: u32,
    nodes: usize,
    by_slope: Vec<FileClones>,
    by_paper: Vec<FileClones>,
    by_plain: Vec<Vec<Unit>>,
}

fn main() {
    for root in std::env::args().skip(1) {
        let steps = measure(&root);
        let share = |time: Duration| 100.0 * time.as_secs_f64() / steps.parse.as_secs_f64();
        println!(
            "{root}: {} files, {} lines, {} nodes, parsed in {:.1?} of CPU time",
            steps.by_paper.len(),
            steps.lines,
            steps.nodes,
            steps.parse,
        );
        println!(
            "  of that slope {:.1} %, paper {:.1} %, paper the plain way {:.1} %; \
             both ways agree in {} files",
            share(steps.slope),
            share(steps.paper),
            share(steps.plain),
            agreeing(&steps),
        );
        report(&steps);
    }
}

fn measure(root: &str) -> Steps {
    let mut steps = Steps::default();
    for path in source_files(root) {
        let start = cpu_time();
        each_tree(&path, |tree| {
            steps.parse += cpu_time() - start;
            steps.lines += tree.physical_lines();
            steps.nodes += tree.nodes().len();
            let source = tree.source_lines(Profile::Slope);
            let start = cpu_time();
            steps.by_slope.push(analyse(tree, &source, Profile::Slope));
            steps.slope += cpu_time() - start;
            let source = tree.source_lines(Profile::Paper);
            let start = cpu_time();
            steps.by_paper.push(analyse(tree, &source, Profile::Paper));
            steps.paper += cpu_time() - start;
            let start = cpu_time();
            steps.by_plain.push(units(tree, Profile::Paper, &source));
            steps.plain += cpu_time() - start;
        });
    }
    steps
}

/// Files whose clone lines are the same either way.
fn agreeing(steps: &Steps) -> usize {
    let mut rows = vec![LineSet::default(); steps.by_plain.len()];
    let plain = groups(steps.by_plain.iter().map(Vec::as_slice), Profile::Paper);
    for member in plain.iter().flatten() {
        let unit = &steps.by_plain[member.file][member.unit];
        rows[member.file].insert_range(unit.first_row, unit.last_row);
    }
    let all: Vec<&FileClones> = steps.by_paper.iter().collect();
    let quick = classes(&all, &Options::of(Profile::Paper));
    let same = |(a, b): &(&LineSet, &LineSet)| a.rows().eq(b.rows());
    rows.iter().zip(&quick.clone_lines).filter(same).count()
}

fn report(steps: &Steps) {
    let all: Vec<&FileClones> = steps.by_slope.iter().collect();
    let bytes: usize = all.iter().map(|file| support::bytes(file)).sum();
    let mut options = Options::of(Profile::Slope);
    options.similarity = None;
    let start = cpu_time();
    let copies = classes(&all, &options);
    let grouping = cpu_time() - start;
    let start = cpu_time();
    let report = classes(&all, &Options::of(Profile::Slope));
    let both = cpu_time() - start;
    let count = |sets: &[LineSet]| sets.iter().map(LineSet::count).sum::<u32>();
    println!(
        "  {} constructs, {} statements, {:.1} bytes a line; {} classes ({} with near misses); \
         rows in clones {}, in near misses {}; grouping {grouping:.1?}, with near misses {both:.1?} \
         (set RAYON_NUM_THREADS=1 for these two)",
        all.iter().map(|file| file.units.len()).sum::<usize>(),
        all.iter().map(|file| file.statements.len()).sum::<usize>(),
        bytes as f64 / f64::from(steps.lines),
        copies.classes.len(),
        report.classes.len(),
        count(&report.clone_lines),
        count(&report.near_lines),
    );
}
