//! Leading operators (Ruby 4.0): a line that begins with `&&`, `||`, `and` or `or` continues the line before.
//!
//! The rewritten text has a space in place of the line end. Rows are still counted in the original text.

use std::sync::LazyLock;

use regex::Regex;

use crate::repair::Rewriter;

/// A line end, the space before an operator, and the operator.
const LEADING: &str = r"(\n)[ \t]*(&&|\|\||and\b|or\b)";

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(LEADING).ok());

pub(super) fn rewrite(out: &mut Rewriter<'_>) {
    let Some(find) = FIND.as_ref() else {
        return;
    };
    let text = out.text();
    let joined = find.captures_iter(text).filter_map(|groups| {
        let end = groups.get(1)?.range();
        let line = text[..end.start].rsplit('\n').next().unwrap_or_default();
        // A comment would swallow the joined line.
        (!line.contains('#')).then_some(end)
    });
    let joined: Vec<_> = joined.collect();
    out.join_lines(&joined);
}
