//! Prints the classes of clones of a folder, for reading.
//!
//! `cargo run --release -p slope-clones --example list -- FOLDER [COUNT]`

use std::path::{Path, PathBuf};

use slope_clones::{FileClones, Options, analyse, classes};
use slope_syntax::{Language, Limits, Profile, parse};

fn files(root: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(root) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            files(&path, out);
        } else if Language::of_path(&path).is_some() {
            out.push(path);
        }
    }
}

#[allow(clippy::print_stdout)]
fn main() {
    let root = std::env::args().nth(1).expect("a folder");
    let count = std::env::args().nth(2).and_then(|n| n.parse().ok());
    let mut paths = Vec::new();
    files(Path::new(&root), &mut paths);
    let mut names = Vec::new();
    let mut all: Vec<FileClones> = Vec::new();
    for path in paths {
        let language = Language::of_path(&path).expect("chosen by it");
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let Ok(tree) = parse(language, &bytes, &Limits::default()) else {
            continue;
        };
        all.push(analyse(
            &tree,
            &tree.source_lines(Profile::Slope),
            Profile::Slope,
        ));
        names.push(path);
    }
    let all: Vec<&FileClones> = all.iter().collect();
    let report = classes(&all, &Options::of(Profile::Slope));
    for class in report.classes.iter().take(count.unwrap_or(usize::MAX)) {
        println!(
            "{:?}: {} lines, {} tokens",
            class.kind, class.lines, class.tokens
        );
        for member in &class.members {
            println!(
                "  {}:{}-{} {}",
                names[member.file as usize].display(),
                member.first_row + 1,
                member.last_row + 1,
                member.similarity
            );
        }
    }
}
