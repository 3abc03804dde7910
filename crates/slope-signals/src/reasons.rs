//! Reasons that a text gives for seemingly unused code.

use slope_syntax::view::View;

/// Beginnings of phrases that name a function's users, or a reason to keep it.
const REASONS: &[&str] = &[
    "used in tests",
    "only in tests",
    "for tests",
    "for testing",
    "entry point",
    "backward compat",
    "backwards compat",
    "deprecated",
    "called by",
    "hook",
];

/// Whether a text names a function's users, or a reason to keep it.
pub(crate) fn are_in(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // A space before each word excludes "unused in tests" and "webhook".
    let plain = format!(" {}", words.join(" "));
    let says = |reason: &&str| {
        let mut starts = plain.match_indices(*reason);
        starts.any(|(start, _)| plain[..start].ends_with(' '))
    };
    REASONS.iter().any(says)
}

/// Whether the comment directly above a definition gives a reason.
pub(crate) fn given_above(view: &View<'_>, definition: u32) -> bool {
    let mut lines: Vec<&str> = view.rows_above(definition).collect();
    lines.reverse();
    are_in(&lines.join(" "))
}
