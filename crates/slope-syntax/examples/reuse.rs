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

/// What came out so far.
#[derive(Default)]
struct Sums {
    afresh: Duration,
    after: Duration,
    versions: u32,
    differ: u32,
}

impl Sums {
    /// Parses a version both ways, and gives its tree for the next one.
    fn add(&mut self, version: &Path, before: Option<&SyntaxTree>) -> Option<SyntaxTree> {
        let limits = Limits::default();
        let bytes = std::fs::read(version).ok()?;
        let language = Language::of_file(version, &bytes)?;
        let one = timed(&mut self.afresh, || parse(language, &bytes, &limits));
        let other = timed(&mut self.after, || {
            parse_after(language, &bytes, &limits, before)
        });
        self.versions += 1;
        match (one, other) {
            (Ok(one), Ok(other)) => {
                let same = one.nodes() == other.nodes() && one.kinds() == other.kinds();
                if !same || one.errors() != other.errors() {
                    self.differ += 1;
                    tell(version, &one, &other);
                }
                Some(other)
            }
            (one, other) => {
                if one.err() != other.err() {
                    self.differ += 1;
                    println!("differs: {}", version.display());
                }
                None
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: reuse FOLDER")?;
    let mut sums = Sums::default();
    for file in entries(folder.as_ref())? {
        let mut before = None;
        for version in entries(&file)? {
            before = sums.add(&version, before.as_ref());
        }
    }
    println!(
        "{} versions, {} differ; afresh {:?}, after another {:?}",
        sums.versions, sums.differ, sums.afresh, sums.after
    );
    if sums.differ > 0 {
        return Err("trees differ".into());
    }
    Ok(())
}
