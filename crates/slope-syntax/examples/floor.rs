//! Reads and parses all source files of a folder, and nothing else: the least
//! that any measuring takes with the same grammars and threads.
//!
//! ```text
//! cargo run --release -p slope-syntax --example floor -- FOLDER [THREADS]
//! ```
//! `benches/peers.py` compares whole commands with it.

#![expect(clippy::print_stdout, reason = "a program for people")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use slope_syntax::{Language, parse_only};

fn files_below(folder: &Path, files: &mut Vec<(Language, PathBuf)>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        match (entry.file_type(), Language::of_path(&path)) {
            (Ok(kind), _) if kind.is_dir() => files_below(&path, files),
            (Ok(kind), Some(language)) if kind.is_file() => files.push((language, path)),
            _ => {}
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("usage: floor FOLDER [THREADS]")?;
    let threads: usize = args.next().map_or(Ok(2), |n| n.parse())?;
    let mut files = Vec::new();
    files_below(folder.as_ref(), &mut files);
    let (next, nodes) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((language, path)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(path).unwrap_or_default();
                    nodes.fetch_add(parse_only(*language, &bytes), Ordering::Relaxed);
                }
            });
        }
    });
    println!("{} files, {} nodes", files.len(), nodes.into_inner());
    Ok(())
}
