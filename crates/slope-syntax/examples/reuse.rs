//! Parses the versions of files in a row, each with the tree of the one before and afresh, and
//! tells where the trees differ and how long both took.
//!
//! ```text
//! cargo run --release -p slope-syntax --example reuse -- FOLDER
//! ```
//! Each folder in FOLDER holds the versions of one file, by name in order.

#![expect(clippy::print_stdout, reason = "a program for people")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use slope_syntax::{Language, Limits, SyntaxTree, parse, parse_after};

fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// Tells where two trees of a text begin to differ.
fn tell(version: &Path, one: &SyntaxTree, other: &SyntaxTree) {
    let mut pairs = one.nodes().iter().zip(other.nodes());
    let at = pairs.position(|(one, other)| one != other);
    let at = at.unwrap_or_else(|| one.nodes().len().min(other.nodes().len()));
    let name = |tree: &SyntaxTree| {
        let node = tree.nodes().get(at)?;
        Some((
            node.start_row + 1,
            tree.language().kind_name(node.kind),
            *node,
        ))
    };
    println!(
        "differs: {}\n  afresh: {:?}\n  after another: {:?}",
        version.display(),
        name(one),
        name(other)
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: reuse FOLDER")?;
    let limits = Limits::default();
    let (mut after, mut afresh) = (Duration::ZERO, Duration::ZERO);
    let (mut count, mut differ) = (0, 0);
    for file in entries(folder.as_ref())? {
        let mut before: Option<SyntaxTree> = None;
        for version in entries(&file)? {
            let bytes = std::fs::read(&version)?;
            let Some(language) = Language::of_file(&version, &bytes) else {
                continue;
            };
            let one = timed(&mut afresh, || parse(language, &bytes, &limits));
            let other = timed(&mut after, || {
                parse_after(language, &bytes, &limits, before.as_ref())
            });
            count += 1;
            before = match (one, other) {
                (Ok(one), Ok(other)) => {
                    let same = one.nodes() == other.nodes() && one.kinds() == other.kinds();
                    if !same || one.errors() != other.errors() {
                        differ += 1;
                        tell(&version, &one, &other);
                    }
                    Some(other)
                }
                (one, other) => {
                    if one.err() != other.err() {
                        differ += 1;
                        println!("differs: {}", version.display());
                    }
                    None
                }
            };
        }
    }
    println!("{count} versions, {differ} differ; afresh {afresh:?}, after another {after:?}");
    if differ > 0 {
        return Err("trees differ".into());
    }
    Ok(())
}
