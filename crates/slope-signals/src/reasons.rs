//! Reasons that a text gives for code that nothing seems to use.

use slope_syntax::view::View;

/// Beginnings of what says who uses a function, or why it is kept.
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

/// Whether a text says who uses a function, or why it is kept.
pub(crate) fn are_in(text: &str) -> bool {
    if text.is_empty() {
        return false;
    }
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // A space before each word keeps "unused in tests" and "webhook" out.
    let plain = format!(" {}", words.join(" "));
    let says = |reason: &&str| {
        let mut starts = plain.match_indices(*reason);
        starts.any(|(start, _)| plain[..start].ends_with(' '))
    };
    REASONS.iter().any(says)
}

/// Whether the comment directly above a definition gives one.
pub(crate) fn given_above(view: &View<'_>, definition: u32) -> bool {
    let mut lines: Vec<&str> = view.rows_above(definition).collect();
    lines.reverse();
    are_in(&lines.join(" "))
}
