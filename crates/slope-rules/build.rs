//! Writes the embedded pack as JSON, a line for each document in order of path and position:
//! reading it takes a small part of the time that YAML takes, in each run that has no cache.

use std::error::Error;
use std::path::Path;

#[path = "src/stretches.rs"]
mod stretches;

const RULES: &str = "../../rules";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={RULES}");
    println!("cargo::rerun-if-changed=src/stretches.rs");
    let mut files = stretches::files_below(Path::new(RULES))
        .map_err(|(folder, error)| format!("{}: {error}", folder.display()))?;
    // As the names of embedded files are sorted: by text, not by component.
    files.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    let mut lines = String::new();
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        for (line, yaml) in stretches::stretches(&text) {
            let value: serde_json::Value = serde_saphyr::from_str_with_options(yaml, options())
                .map_err(|error| format!("{}, document at line {line}: {error}", file.display()))?;
            lines.push_str(&value.to_string());
            lines.push('\n');
        }
    }
    let out = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    std::fs::write(Path::new(&out).join("rules.jsonl"), lines)?;
    Ok(())
}

/// Scalars as the reader of rules takes them: `on` and `off` are words.
fn options() -> serde_saphyr::Options {
    serde_saphyr::options! { strict_booleans: true }
}
