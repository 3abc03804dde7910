//! Constructors on the line after their class, which the grammar parses only on the same line.

use std::sync::LazyLock;

use regex::Regex;

use crate::repair::Rewriter;

const HEAD: &str = r"\bclass\s+\w+(?:<[^<>{}()]*>)?(\s*\n\s*)(?:@\w+\s+)?(?:(?:public|private|protected|internal|actual|expect)\s+)+constructor\b";

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HEAD).ok());

/// Joins the lines of a class and of its constructor.
pub(super) fn join(out: &mut Rewriter<'_>) {
    let Some(find) = FIND.as_ref() else {
        return;
    };
    let found = find.captures_iter(out.text());
    let ends: Vec<_> = found
        .filter_map(|groups| Some(groups.get(1)?.range()))
        .collect();
    out.join_lines(&ends);
}
