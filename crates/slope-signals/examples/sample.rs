//! Prints findings of signals with their code, for judging by hand.
//!
//! ```text
//! cargo run --release -p slope-signals --example sample -- \
//!     [--signal ID] [--count N] [--skip N] [--context LINES] [--totals] [--seed N] FOLDER...
//! ```
//!
//! The order is pseudo-random and fixed: findings are sorted by a hash of their
//! folder's name, path, line and signal, so that anybody draws the same sample;
//! another seed gives another one.
//! Folders take turns, so that a large one does not fill the sample.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is its purpose"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use slope_signals::{FileSignals, Options, SIGNALS, SignalFinding, facts, findings};
use slope_syntax::{Language, Limits, Profile, callables, parse};

struct Arguments {
    signal: Option<String>,
    count: usize,
    skip: usize,
    context: u32,
    totals: bool,
    languages: Option<String>,
    seed: usize,
    folders: Vec<PathBuf>,
}

fn arguments() -> Arguments {
    let mut all = std::env::args().skip(1);
    let mut parsed = Arguments {
        signal: None,
        count: 50,
        skip: 0,
        context: 3,
        totals: false,
        languages: None,
        seed: 0,
        folders: Vec::new(),
    };
    while let Some(argument) = all.next() {
        let mut number = || all.next().and_then(|n| n.parse().ok()).expect("a number");
        match argument.as_str() {
            "--count" => parsed.count = number(),
            "--skip" => parsed.skip = number(),
            "--context" => parsed.context = u32::try_from(number()).expect("few lines"),
            "--seed" => parsed.seed = number(),
            "--signal" => parsed.signal = all.next(),
            "--language" => parsed.languages = all.next(),
            "--totals" => parsed.totals = true,
            folder => parsed.folders.push(PathBuf::from(folder)),
        }
    }
    parsed
}

/// Files below a folder in path order, links and hidden folders left out.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let left_out = ["node_modules", "dist", "vendor", "third_party"]
                .iter()
                .any(|name| entry.file_name() == *name);
            if kind.is_dir() && !hidden && !left_out {
                open.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

struct Repository {
    name: String,
    files: Vec<(String, String, FileSignals)>,
    found: Vec<SignalFinding>,
}

fn read(root: &Path, only: Option<&str>) -> Repository {
    let mut loaded = Vec::new();
    let (mut parsing, mut gathering) = (0.0, 0.0);
    for path in files(root) {
        let Some(language) = Language::of_path(&path) else {
            continue;
        };
        if only.is_some_and(|id| id != language.id()) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let start = Instant::now();
        let Ok(tree) = parse(language, &bytes, &Limits::default()) else {
            continue;
        };
        parsing += start.elapsed().as_secs_f64();
        let source = tree.source_lines(Profile::Slope);
        let functions = callables(&tree, Profile::Slope, &source);
        let start = Instant::now();
        let signals = facts(&tree, &functions, &source);
        gathering += start.elapsed().as_secs_f64();
        let relative = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        loaded.push((relative, tree.text().to_owned(), signals));
    }
    let start = Instant::now();
    let inputs: Vec<(&str, &FileSignals)> =
        loaded.iter().map(|(p, _, f)| (p.as_str(), f)).collect();
    let options = Options {
        every_signal: true,
        ..Options::default()
    };
    let found = findings(&inputs, &options);
    let joining = start.elapsed().as_secs_f64();
    let name = root
        .file_name()
        .map_or(String::new(), |n| n.to_string_lossy().into_owned());
    eprintln!(
        "{name}: {} files, parse {parsing:.3} s, facts {gathering:.3} s, findings {joining:.3} s",
        loaded.len()
    );
    Repository {
        name,
        files: loaded,
        found,
    }
}

/// Where a finding stands among those of its repository. Seed 0 is the order of the first samples.
fn order(seed: usize, repository: &str, path: &str, finding: &SignalFinding) -> u64 {
    let mut text = format!(
        "{repository}/{path}:{}:{}",
        finding.span.start_line, finding.rule
    );
    if seed != 0 {
        text = format!("{seed}/{text}");
    }
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn main() {
    let arguments = arguments();
    let repositories: Vec<Repository> = arguments
        .folders
        .iter()
        .map(|f| read(f, arguments.languages.as_deref()))
        .collect();
    if arguments.totals {
        totals(&repositories);
        return;
    }
    for info in SIGNALS {
        if arguments
            .signal
            .as_deref()
            .is_none_or(|wanted| wanted == info.id)
        {
            sample(&repositories, info.id, &arguments);
        }
    }
}

/// Prints findings of one signal, the repositories taking turns.
fn sample(repositories: &[Repository], signal: &str, arguments: &Arguments) {
    let mut queues: Vec<Vec<(usize, &SignalFinding)>> = Vec::new();
    for (index, repository) in repositories.iter().enumerate() {
        let wanted = |f: &&SignalFinding| f.rule == signal;
        let mut queue: Vec<_> = repository
            .found
            .iter()
            .filter(wanted)
            .map(|f| (index, f))
            .collect();
        queue.sort_by_key(|(_, f)| {
            order(
                arguments.seed,
                &repository.name,
                &repository.files[f.file].0,
                f,
            )
        });
        queues.push(queue);
    }
    let longest = queues.iter().map(Vec::len).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|turn| queues.iter().filter_map(move |q| q.get(turn)));
    for (number, (index, finding)) in turns.enumerate().skip(arguments.skip).take(arguments.count) {
        print(
            number + 1,
            &repositories[*index],
            finding,
            arguments.context,
        );
    }
}

fn totals(repositories: &[Repository]) {
    let mut counts: BTreeMap<&str, Vec<usize>> =
        SIGNALS.iter().map(|s| (s.id, Vec::new())).collect();
    for repository in repositories {
        for (id, list) in &mut counts {
            list.push(repository.found.iter().filter(|f| f.rule == *id).count());
        }
    }
    let names: Vec<&str> = repositories.iter().map(|r| r.name.as_str()).collect();
    println!("signal\t{}", names.join("\t"));
    for (id, list) in counts {
        let cells: Vec<String> = list.iter().map(ToString::to_string).collect();
        println!("{id}\t{}", cells.join("\t"));
    }
}

fn print(number: usize, repository: &Repository, finding: &SignalFinding, context: u32) {
    let (path, text, _) = &repository.files[finding.file];
    let span = finding.span;
    println!(
        "--- {number} {}/{path}:{} {} [{}]",
        repository.name, span.start_line, finding.rule, finding.callable
    );
    println!("    {}", finding.message);
    for evidence in &finding.evidence {
        println!("    evidence: {evidence}");
    }
    excerpt(text, span.start_line, span.end_line, context);
    if let Some((file, other)) = finding.related {
        let (path, text, _) = &repository.files[file];
        println!("    related {path}:{}", other.start_line);
        excerpt(text, other.start_line, other.end_line, context);
    }
}

/// Longest line that is printed whole.
const WIDTH: usize = 150;

fn excerpt(text: &str, first: u32, last: u32, context: u32) {
    let from = first.saturating_sub(context).max(1);
    let to = last.min(first + 12) + context;
    for (line, text) in (1u32..).zip(text.lines()) {
        if line >= from && line <= to {
            let mark = if line >= first && line <= last {
                '>'
            } else {
                ' '
            };
            let text: String = text.chars().take(WIDTH).collect();
            println!("{mark}{line:5} {text}");
        }
    }
}
