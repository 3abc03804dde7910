//! Error messages follow one convention, and all of them are in snapshots.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Source text before the literal of a message.
const STARTS: [&str; 5] = [
    "#[error(",
    "bail!(",
    "anyhow!(",
    ".context(",
    ".with_context(|| format!(",
];

/// Start of a line with a remedy.
const HELP: &str = "help: ";

fn crates() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap().to_owned()
}

/// The sources below a folder, without tests, in order.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The string literal that `text` starts with.
fn literal(text: &str) -> Option<String> {
    let mut chars = text.trim_start().strip_prefix('"')?.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                '\n' => chars = chars.as_str().trim_start().chars(),
                escaped => out.push(escaped),
            },
            other => out.push(other),
        }
    }
    None
}

/// The messages of a source, in order.
fn messages(source: &str) -> Vec<String> {
    let (code, _) = source.split_once("#[cfg(test)]").unwrap_or((source, ""));
    let found = STARTS
        .into_iter()
        .flat_map(|start| code.match_indices(start));
    let mut ends: Vec<usize> = found.map(|(at, start)| at + start.len()).collect();
    ends.sort_unstable();
    ends.into_iter()
        .filter_map(|end| literal(&code[end..]))
        .collect()
}

/// Messages by crate and file.
fn all() -> BTreeMap<String, Vec<(String, String)>> {
    let mut all: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let root = crates();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&root).unwrap() {
        let folder = entry.unwrap().path().join("src");
        if folder.is_dir() {
            sources(&folder, &mut found);
        }
    }
    found.sort();
    for path in found {
        let source = std::fs::read_to_string(&path).unwrap();
        let shown = path.strip_prefix(&root).unwrap().to_string_lossy();
        let (name, file) = shown.split_once("/src/").unwrap();
        for message in messages(&source) {
            let messages = all.entry(name.to_owned()).or_default();
            messages.push((file.to_owned(), message));
        }
    }
    all
}

#[test]
fn error_messages_follow_convention() {
    for (file, message) in all().into_values().flatten() {
        let (help, text): (Vec<&str>, Vec<&str>) =
            message.lines().partition(|line| line.starts_with(HELP));
        assert!(!message.contains("{source}"), "{file}: {message}");
        assert!(
            message.trim_end().ends_with(&help.join("\n")),
            "remedies come last: {file}: {message}"
        );
        let first = text.first().copied().unwrap_or_default();
        assert!(
            !first.starts_with(|c: char| c.is_ascii_uppercase()),
            "{file}: {message}"
        );
        for line in text.iter().chain(&help) {
            assert!(!line.ends_with('.'), "{file}: {message}");
            assert!(
                !line.trim_start().starts_with(HELP) || line.starts_with(HELP),
                "{file}: {message}"
            );
        }
    }
}

#[test]
fn error_messages_are_known() {
    for (name, messages) in all() {
        let mut text = String::new();
        let mut last = String::new();
        for (file, message) in messages {
            if file != last {
                writeln!(
                    text,
                    "{}src/{file}",
                    if last.is_empty() { "" } else { "\n" }
                )
                .unwrap();
                last = file;
            }
            writeln!(text, "  {}", message.replace('\n', "\n  ")).unwrap();
        }
        insta::assert_snapshot!(name.as_str(), text);
    }
}
