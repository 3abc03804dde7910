//! Answers that are written down: an equality that always holds, and values of the tests in production code.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use slope_model::grade::Flag;
use slope_model::grade_request::{Change, Tests};
use slope_syntax::paths::is_test;

use super::flag::flag;
use crate::components::Judged;
use crate::edit::Text;
use crate::lines::added;

/// Definitions of equality that give the same answer for all values.
static EQUAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        \bdef\s+__(eq|contains|instancecheck)__\s*\([^)]*\)[^:\n]*:\s*("""[^"]*"""\s*)?return\s+True\b
        | \bboolean\s+equals\s*\([^)]*\)\s*\{\s*return\s+true\s*;
        | \boverride\s+(fun\s+equals|bool\s+Equals)\s*\([^)]*\)[^={]*(=>?|\{\s*return)\s*true\b
        | \boperator\s*==\s*\([^)]*\)[^{;=]*\{\s*return\s+true\s*;
        | \bfn\s+eq\s*\([^)]*\)\s*->\s*bool\s*\{\s*true\s*\}
        | \b(equals|isEqual|toEqual)\s*\([^)]*\)[^{=;]*\{\s*return\s+true\b
        | \bfunc\s*\([^)]*\)\s*(Equals?|Is)\s*\([^)]*\)\s*bool\s*\{\s*return\s+true\s*\}
        | \bdef\s+(==|eql\?)\s*\([^)]*\)\s*true\b
        "#,
    )
    .ok()
});

/// Fewest rows of tests in production code that are a table of answers.
const MIN_ROWS: usize = 3;

/// A text or number.
static LITERAL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""([^"\\]+)"|'([^'\\]+)'|\b(\d+(?:\.\d+)?)\b"#).ok());

/// An equality of production code that always holds.
pub(super) fn always_equal(path: &str, before: &Text, after: &Text) -> Option<Flag> {
    let pattern = EQUAL.as_ref().filter(|_| !is_test(path))?;
    let text =
        |text: &Text| String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned();
    let (before, after) = (text(before), text(after));
    let known: BTreeSet<&str> = pattern
        .find_iter(&before)
        .map(|found| found.as_str())
        .collect();
    let found = pattern
        .find_iter(&after)
        .find(|found| !known.contains(found.as_str()))?;
    let line = 1 + after[..found.start()].matches('\n').count();
    let line = u32::try_from(line).unwrap_or(u32::MAX);
    Some(flag(
        "always-equal",
        false,
        (path, line),
        "An equality holds for all values.",
    ))
}

/// Values of the tests that a request names, in production code: rows with a text and a value that a test has in one line.
pub(super) fn of_tests(judged: &Judged<'_>, tests: Option<&Tests>) -> Vec<Flag> {
    let known = rows_of_tests(judged, tests);
    if known.is_empty() {
        return Vec::new();
    }
    let files = judged.edit.files.iter().filter(|(path, _)| !is_test(path));
    let found = files.filter_map(|(path, (before, after))| {
        let lines = added(before, after);
        let mut answers: BTreeSet<Row> = BTreeSet::new();
        let mut first = 0;
        for (number, line) in &lines {
            for row in rows(line).filter(|row| known.contains(row)) {
                if answers.insert(row) && answers.len() == 1 {
                    first = *number;
                }
            }
        }
        let message = format!("{} rows have values of the tests.", answers.len());
        let is_table = answers.len() >= MIN_ROWS;
        is_table.then(|| flag("answers-of-tests", false, (path, first), &message))
    });
    found.collect()
}

/// A text and the value after it.
type Row = (String, String);

fn rows_of_tests(judged: &Judged<'_>, tests: Option<&Tests>) -> BTreeSet<Row> {
    let Some(tests) = tests else {
        return BTreeSet::new();
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut texts: Vec<String> = match &tests.patch {
        Some(Change::Diff(diff)) => vec![diff.clone()],
        Some(Change::Files(files)) => files.values().flatten().cloned().collect(),
        Some(Change::Tree(files)) => files.values().cloned().collect(),
        None => Vec::new(),
    };
    for entry in &tests.files {
        let named = super::protected::path_of(entry);
        let folder = format!("{named}/");
        let paths = judged.base.below(&folder).chain([named]);
        texts.extend(paths.filter_map(|path| Some(text(&judged.base.bytes(path)?))));
    }
    texts
        .iter()
        .flat_map(|text| text.lines())
        .flat_map(rows)
        .collect()
}

/// A text and a value next to each other in a line. Short ones are in any code.
fn rows(line: &str) -> impl Iterator<Item = Row> + '_ {
    let literals = LITERAL
        .iter()
        .flat_map(|pattern| pattern.captures_iter(line));
    let literals: Vec<(bool, String)> = literals
        .filter_map(|found| {
            let text = found.get(1).or_else(|| found.get(2));
            let value = text.or_else(|| found.get(3))?;
            Some((text.is_some(), value.as_str().to_owned()))
        })
        .collect();
    let pairs = literals.windows(2).filter_map(|pair| match pair {
        [(true, text), (_, value)] if text.len() > 1 && text != value => {
            Some((text.clone(), value.clone()))
        }
        _ => None,
    });
    pairs.collect::<Vec<Row>>().into_iter()
}
