//! What the signals of a folder cost, beside what parsing it costs.
//!
//! ```text
//! cargo run --release -p slope-signals --example cost -- [--rounds N] [--list] FOLDER...
//! ```
//!
//! Times are CPU seconds of this one thread, the least of the rounds, read from
//! `/proc/thread-self/schedstat`, so that other work on the machine does not show. `--list`
//! prints every finding, for comparing two versions byte by byte.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is its purpose"
)]

use std::path::{Path, PathBuf};

use slope_signals::{FileSignals, Options, facts, findings};
use slope_syntax::{Language, Limits, Profile, SyntaxTree, callables, parse};

fn main() {
    let mut rounds = 1;
    let mut list = false;
    let mut folders = Vec::new();
    let mut all = std::env::args().skip(1);
    while let Some(argument) = all.next() {
        match argument.as_str() {
            "--rounds" => rounds = all.next().and_then(|n| n.parse().ok()).expect("a number"),
            "--list" => list = true,
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    for folder in folders {
        cost(&folder, rounds, list);
    }
}

/// CPU seconds of this thread so far.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux system");
    let nanoseconds = text.split(' ').next().and_then(|n| n.parse::<u64>().ok());
    nanoseconds.expect("a number") as f64 / 1e9
}

/// Source files below a folder in path order, links and hidden folders left out.
fn files(root: &Path) -> Vec<(String, Language)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !hidden => open.push(entry.path()),
                Ok(kind) if kind.is_file() => {
                    let path = entry.path();
                    let relative = path.strip_prefix(root).unwrap_or(&path).to_string_lossy();
                    found.extend(Language::of_path(&path).map(|l| (relative.into_owned(), l)));
                }
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn analyse(tree: &SyntaxTree, time: &mut f64) -> FileSignals {
    let source = tree.source_lines(Profile::Slope);
    let functions = callables(tree, Profile::Slope, &source);
    let start = seconds();
    let signals = facts(tree, &functions, &source);
    *time += seconds() - start;
    signals
}

fn cost(folder: &Path, rounds: usize, list: bool) {
    let (mut parsing, mut gathering, mut joining) = (f64::MAX, f64::MAX, f64::MAX);
    let files = files(folder);
    let mut kept = Vec::new();
    for _ in 0..rounds {
        kept.clear();
        let (mut parse_time, mut facts_time) = (0.0, 0.0);
        for (path, language) in &files {
            let Ok(bytes) = std::fs::read(folder.join(path)) else {
                continue;
            };
            let start = seconds();
            let tree = parse(*language, &bytes, &Limits::default());
            parse_time += seconds() - start;
            if let Ok(tree) = tree {
                kept.push((path.as_str(), analyse(&tree, &mut facts_time)));
            }
        }
        parsing = parsing.min(parse_time);
        gathering = gathering.min(facts_time);
        let inputs: Vec<(&str, &FileSignals)> = kept.iter().map(|(p, f)| (*p, f)).collect();
        let start = seconds();
        std::hint::black_box(findings(&inputs, &Options::default()));
        joining = joining.min(seconds() - start);
    }
    let inputs: Vec<(&str, &FileSignals)> = kept.iter().map(|(p, f)| (*p, f)).collect();
    let options = Options {
        every_signal: true,
        ..Options::default()
    };
    if list {
        for finding in findings(&inputs, &options) {
            println!("{} {finding:?}", inputs[finding.file].0);
        }
    }
    let encode = |facts: &FileSignals| postcard::to_stdvec(facts).expect("plain data");
    let encoded: Vec<Vec<u8>> = kept.iter().map(|(_, facts)| encode(facts)).collect();
    let start = seconds();
    for bytes in &encoded {
        let facts: Result<FileSignals, _> = postcard::from_bytes(bytes);
        std::hint::black_box(facts.expect("what was written"));
    }
    let reading = seconds() - start;
    eprintln!(
        "{}: {} files, parse {parsing:.3} s, facts {gathering:.3} s, findings {joining:.3} s, \
         ratio {:.3}; {} bytes of facts, read in {reading:.3} s",
        folder.display(),
        files.len(),
        (gathering + joining) / parsing,
        encoded.iter().map(Vec::len).sum::<usize>(),
    );
}
