//! How long measuring takes, on the code of the built-in problem; `docs/performance.md` says how to use it.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "criterion's macros write undocumented functions; a bench may panic"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use slope_measure::{Measurer, Options};

/// Copies of the problem's code in the larger snapshot, each in a folder of its own.
const COPIES: usize = 10;

/// Every Python file of the built-in problem: path relative to it, and bytes.
fn code() -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/household-stock");
    let mut folders = vec![root.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "py") {
                let inside = path.strip_prefix(&root).unwrap().to_owned();
                files.push((inside, std::fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn bytes(files: &[(PathBuf, Vec<u8>)]) -> Throughput {
    Throughput::Bytes(files.iter().map(|(_, bytes)| bytes.len() as u64).sum())
}

/// Measuring by one thread, so that the figures of machines with different cores compare.
fn measuring(criterion: &mut Criterion) {
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let measurer = Measurer::new(options.clone()).unwrap();
    let once = code();
    let many: Vec<_> = (0..COPIES)
        .flat_map(|copy| {
            let folder = PathBuf::from(format!("copy_{copy}"));
            once.iter()
                .map(move |(path, bytes)| (folder.join(path), bytes.clone()))
        })
        .collect();

    let mut group = criterion.benchmark_group("measure");
    for (name, files) in [("problem", &once), ("ten_copies", &many)] {
        group.throughput(bytes(files));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let files = files.iter().map(|(path, bytes)| (path, bytes));
                black_box(measurer.measure_files(files))
            });
        });
    }
    group.finish();
    criterion.bench_function("compile_rules", |bencher| {
        bencher.iter(|| black_box(Measurer::new(options.clone()).unwrap()));
    });
}

criterion_group!(benches, measuring);
criterion_main!(benches);
