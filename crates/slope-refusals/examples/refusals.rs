//! Prints what is refused in files, and where the grammar has errors: `refusals FILE...`.

use std::io::{BufRead, Write};
use std::path::Path;

use slope_refusals::refusals;
use slope_syntax::{Language, Limits, parse};

/// Files are named by arguments, or by lines of standard input.
fn main() {
    let mut out = std::io::stdout().lock();
    let named: Vec<String> = std::env::args().skip(1).collect();
    let lines = std::io::stdin().lock().lines().map_while(Result::ok);
    let paths: Vec<String> = if named.is_empty() {
        lines.collect()
    } else {
        named
    };
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let Some(language) = Language::of_file(Path::new(&path), &bytes) else {
            continue;
        };
        let Ok(tree) = parse(language, &bytes, &Limits::default()) else {
            continue;
        };
        if let Some(errors) = tree.errors() {
            let _ = writeln!(
                out,
                "{path}:{}: {} errors of the grammar",
                errors.first_line, errors.count
            );
        }
        for refusal in refusals(&tree) {
            let _ = writeln!(out, "{path}:{}: {}", refusal.line, refusal.message);
        }
    }
}
