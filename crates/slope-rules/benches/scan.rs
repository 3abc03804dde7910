//! Reading and parsing alone, with flattening, and with all rules, on the same
//! files and threads in one run. Only the ratios mean anything on a shared machine.
//!
//! ```text
//! cargo bench -p slope-rules --bench scan -- FOLDER [RULES] [THREADS] [ROUNDS]
//! ```
//! Rounds take turns, so that what else the machine does meets all stages alike.

#![expect(clippy::print_stdout, reason = "a program for people")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use slope_rules::RuleSet;
use slope_syntax::{Language, Limits, parse, parse_only};

type Stage = (&'static str, fn(&RuleSet, Language, &[u8]) -> usize);

const STAGES: &[Stage] = &[
    ("parse", |_, language, bytes| parse_only(language, bytes)),
    ("parse + flatten", |_, language, bytes| {
        parse(language, bytes, &Limits::default()).map_or(0, |tree| tree.nodes().len())
    }),
    ("parse + flatten + match", |rules, language, bytes| {
        parse(language, bytes, &Limits::default())
            .map_or(0, |tree| rules.scan_every(&tree).hits.len())
    }),
];

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&path, files),
            Ok(kind) if kind.is_file() && Language::of_path(&path).is_some() => files.push(path),
            _ => {}
        }
    }
}

/// Wall time of one stage over all files, and the sum of what it returns.
fn run(
    rules: &RuleSet,
    files: &[(Language, PathBuf)],
    threads: usize,
    stage: &Stage,
) -> (Duration, usize) {
    let next = AtomicUsize::new(0);
    let sum = AtomicUsize::new(0);
    let begin = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((language, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(path).unwrap_or_default();
                    sum.fetch_add(stage.1(rules, *language, &bytes), Ordering::Relaxed);
                }
            });
        }
    });
    (begin.elapsed(), sum.into_inner())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with("--"))
        .collect();
    let Some(folder) = args.first() else {
        println!(
            "usage: cargo bench -p slope-rules --bench scan -- FOLDER [RULES] [THREADS] [ROUNDS]"
        );
        return Ok(());
    };
    let begin = Instant::now();
    let mut rules = RuleSet::empty();
    match args.get(1).map(String::as_str) {
        None | Some("own") => rules = RuleSet::embedded()?,
        Some(path) => rules.add_path(path.as_ref())?,
    }
    let loaded = begin.elapsed();
    let stored = rules.to_bytes()?;
    let begin = Instant::now();
    let rules = RuleSet::from_bytes(&stored)?;
    println!(
        "{} rules: read from YAML in {loaded:.1?}, from {} stored bytes in {:.1?}",
        rules.rules().len(),
        stored.len(),
        begin.elapsed()
    );
    let threads = args.get(2).map_or(Ok(2), |n| n.parse())?;
    let rounds: usize = args.get(3).map_or(Ok(3), |n| n.parse())?;
    let mut paths = Vec::new();
    files_below(folder.as_ref(), &mut paths);
    paths.sort();
    let files: Vec<(Language, PathBuf)> = paths
        .into_iter()
        .filter_map(|path| Some((Language::of_path(&path)?, path)))
        .collect();
    println!("{} files, {threads} threads", files.len());
    let mut best = vec![Duration::MAX; STAGES.len()];
    let mut sums = vec![0; STAGES.len()];
    for _ in 0..rounds {
        for (index, stage) in STAGES.iter().enumerate() {
            let (time, sum) = run(&rules, &files, threads, stage);
            best[index] = best[index].min(time);
            sums[index] = sum;
        }
    }
    for ((stage, time), sum) in STAGES.iter().zip(&best).zip(&sums) {
        let ratio = time.as_secs_f64() / best[0].as_secs_f64();
        println!("{:24} {time:9.2?}  {ratio:.2} x parse  ({sum})", stage.0);
    }
    Ok(())
}
