//! The table of Python rules in `docs/metrics/python-rules.md` is that of the rule files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- begin of the table -->\n";
const END: &str = "<!-- end of the table -->\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The value of a key on a line of its own, with its quotes taken off.
fn value<'a>(yaml: &'a str, key: &str) -> Option<&'a str> {
    let after = |line: &'a str| line.strip_prefix(key)?.strip_prefix(':');
    let text = yaml.lines().find_map(after)?.trim();
    let bare = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    Some(bare.unwrap_or(text))
}

/// One row of the table.
fn row(yaml: &str) -> String {
    let field = |key| value(yaml, key).unwrap_or_default();
    let mut default = match value(yaml, "  default") {
        Some(text) => text.to_owned(),
        None => "on".to_owned(),
    };
    if let Some(least) = value(yaml, "  threshold") {
        let _ = write!(default, ", from {least} in a file");
    }
    let paper = if yaml.contains("\n  paper: [") {
        "yes"
    } else {
        ""
    };
    let message = field("message").replace("''", "'").replace('|', "\\|");
    format!(
        "| `{}` | {} | {} | {default} | {paper} | {message} |\n",
        field("id"),
        field("  category"),
        field("severity"),
    )
}

#[test]
fn documented_rule_table_is_current() {
    let folder = root().join("rules/python");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the pack")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "yml"))
        .collect();
    paths.sort();
    let mut table = String::from(
        "| id | category | severity | default | in `paper` | message |\n|---|---|---|---|---|---|\n",
    );
    for path in &paths {
        table += &row(&std::fs::read_to_string(path).expect("a rule"));
    }
    let page = root().join("docs/metrics/python-rules.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (head, rest) = text.split_once(BEGIN).expect("a begin of the table");
    let (old, tail) = rest.split_once(END).expect("an end of the table");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let new = format!("{head}{BEGIN}{table}{END}{tail}");
        std::fs::write(&page, new).expect("the page is written");
        return;
    }
    assert_eq!(
        old, table,
        "the table is out of date: UPDATE_DOCS=1 cargo test -p slope-rules --test python_table"
    );
}
