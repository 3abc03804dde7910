//! Prints what is known of the callables of files: `callables [--paper] FILE...`.
//!
//! One line each: path, first line, last line, cyclomatic, cognitive, nesting,
//! parameters, source lines, kind, name; separated by tabs.

use std::io::Write;
use std::path::Path;

use slope_syntax::{Language, Limits, Profile, callables, maintainability, parse};

fn main() {
    let mut out = std::io::stdout().lock();
    let mut profile = Profile::Slope;
    for path in std::env::args().skip(1) {
        if path == "--paper" {
            profile = Profile::Paper;
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else {
            let _ = writeln!(out, "# {path}: cannot be read");
            continue;
        };
        let Some(language) = Language::of_file(Path::new(&path), &bytes) else {
            let _ = writeln!(out, "# {path}: of no known language");
            continue;
        };
        let tree = match parse(language, &bytes, &Limits::default()) {
            Ok(tree) => tree,
            Err(error) => {
                let _ = writeln!(out, "# {path}: {error}");
                continue;
            }
        };
        let source = tree.source_lines(profile);
        let errors = tree.errors().map_or(0, |errors| errors.count);
        let index = maintainability(&tree, &source);
        let _ = writeln!(
            out,
            "# {path}: {} lines, {} source lines, {errors} syntax errors, maintainability {index:.1?}",
            tree.physical_lines(),
            source.count(),
        );
        for facts in callables(&tree, profile, &source) {
            let (first, last) = (tree.node(facts.node), tree.node(facts.last));
            let _ = writeln!(
                out,
                "{path}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:?}\t{}",
                first.start_row + 1,
                last.end_row + 1,
                facts.complexity,
                facts.cognitive,
                facts.nesting,
                facts.parameters,
                facts.sloc,
                facts.kind,
                facts.name
            );
        }
    }
}
