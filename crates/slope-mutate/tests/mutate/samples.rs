//! Small changes, and how a mutation differs from them.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use similar::{ChangeTag, TextDiff};
use slope_mutate::{Files, Mutation, Subject};
use slope_syntax::{Language, Limits, parse};

/// A change of one file, with another file in the base.
pub(crate) struct Sample {
    pub(crate) base: Files,
    pub(crate) change: BTreeMap<String, Option<String>>,
}

/// The sample of a language by its suffix.
pub(crate) fn sample(suffix: &str) -> Sample {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutate/samples");
    let read = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.{suffix}"))).ok();
    let path = |name: &str| format!("shop/{name}.{suffix}");
    let mut base = Files::from([(path("orders"), read("before").unwrap())]);
    if let Some(peer) = read("peer") {
        base.insert(path("texts"), peer);
    }
    let other = base[&path("orders")]
        .replace("_of", "_for")
        .replace("priceOf", "priceFor")
        .replace("weightOf", "weightFor");
    base.insert(path("bills"), other);
    base.insert(
        "package.json".to_owned(),
        "{\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}\n".to_owned(),
    );
    let change = BTreeMap::from([(path("orders"), read("after"))]);
    Sample { base, change }
}

/// Number of syntax errors of a text.
pub(crate) fn errors(path: &str, text: &str) -> u32 {
    let Some(language) = Language::of_file(Path::new(path), text.as_bytes()) else {
        return 0;
    };
    let tree = parse(language, text.as_bytes(), &Limits::default()).unwrap();
    tree.errors().map_or(0, |errors| errors.count)
}

/// Changed lines, with one line around them.
pub(crate) fn diff(subject: &Subject<'_>, mutation: &Mutation) -> String {
    let mut out = String::new();
    for (path, text) in &mutation.files {
        let before = subject.after(path).unwrap_or_default();
        let after = text.as_deref().unwrap_or_default();
        if before == after {
            continue;
        }
        writeln!(out, "@ {path}").unwrap();
        if after.contains('\r') && !before.contains('\r') {
            writeln!(out, "+ every line ends in a carriage return").unwrap();
            continue;
        }
        let diff = TextDiff::from_lines(before, after);
        for group in diff.grouped_ops(1) {
            writeln!(out, "---").unwrap();
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let sign = match change.tag() {
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                    ChangeTag::Equal => ' ',
                };
                writeln!(out, "{sign}{}", change.value().trim_end_matches('\n')).unwrap();
            }
        }
    }
    out
}
