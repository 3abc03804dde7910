//! Phrases of comments that were meant for a reader of a conversation or of a
//! plan, not for a reader of the code.

use std::sync::OnceLock;

/// A phrase's meaning, and its forms in lower case.
const PHRASES: &[(&str, &[&str])] = &[
    (
        "it answers a request",
        &[
            "as you requested",
            "as you asked",
            "per your request",
            "you asked for",
            "you asked me",
            "as per your",
            "as instructed",
            "as per the instruction",
            "as per instruction",
            "per the instructions",
        ],
    ),
    (
        "it reports an edit",
        &[
            "i have updated",
            "i have added",
            "i have changed",
            "i have removed",
            "i have fixed",
            "i've updated",
            "i've added",
            "i've changed",
            "i've removed",
            "i've fixed",
            "here's the updated",
            "here is the updated",
            "here's the fixed",
            "here is the corrected",
            "updated version of the",
            "this is the updated",
            "changes made:",
        ],
    ),
    (
        "it stands for code that was not repeated",
        &[
            "rest of the code remains",
            "rest of the code stays",
            "rest of the code is unchanged",
            "rest of the code unchanged",
            "rest of the code here",
            "rest of the implementation remains",
            "rest of the implementation stays",
            "rest of the implementation is unchanged",
            "rest of the implementation unchanged",
            "rest of the implementation here",
            "rest of the file remains",
            "rest of the file stays",
            "rest of the file is unchanged",
            "rest of the file unchanged",
            "rest of the file here",
            "remaining code unchanged",
            "existing code here",
            "existing code ...",
            "... existing code",
            "omitted for brevity",
            "unchanged code",
            "other methods unchanged",
        ],
    ),
    (
        "it stands for code that was not written",
        &[
            "your code here",
            "your logic here",
            "implementation goes here",
            "code goes here",
            "logic goes here",
            "implement this later",
            "placeholder implementation",
            "todo implement this",
            "todo: implement this",
            "this is a placeholder",
            "dummy implementation",
            "mock implementation",
        ],
    ),
    (
        "it speaks of another program than this one",
        &[
            "in a real implementation",
            "in a real application",
            "in a real-world",
            "in a real system",
            "in a real scenario",
            "in production, you",
            "in production you",
            "in production this would",
            "in a production environment",
        ],
    ),
    (
        "it speaks to somebody",
        &[
            "let me know",
            "hope this helps",
            "great question",
            "certainly!",
            "as an ai",
            "language model",
        ],
    ),
];

/// The fault of a leftover comment; `None` for other comments.
///
/// Nearly all comments are fine, so the text is scanned once and nothing is copied.
pub(crate) fn of(comment: &str) -> Option<&'static str> {
    let bytes = comment.as_bytes();
    let mut found: Option<usize> = None;
    let mut requested = false;
    let mut before = 0u8;
    for (at, &byte) in bytes.iter().enumerate() {
        let first = byte.to_ascii_lowercase();
        requested |= first == b'a' && begins(&bytes[at..], "as requested");
        if !before.is_ascii_alphabetic() && (first.is_ascii_lowercase() || first == b'.') {
            for &(group, phrase) in beginning_with(first) {
                let better = found.is_none_or(|known| group < known);
                if better && begins(&bytes[at..], phrase) && stands_alone(comment, at, phrase) {
                    found = Some(group);
                }
            }
        }
        before = byte;
    }
    if let Some((meaning, _)) = found.and_then(|group| PHRASES.get(group)) {
        return Some(meaning);
    }
    if requested && is_reported_edit(comment) {
        return Some("it answers a request");
    }
    if is_bare_promise(comment) {
        return Some("it stands for code that was not written");
    }
    None
}

/// The phrases that begin with a byte, each with its index in [`PHRASES`].
fn beginning_with(first: u8) -> &'static [(usize, &'static str)] {
    type Table = Vec<Vec<(usize, &'static str)>>;
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table: Table = vec![Vec::new(); 128];
        for (group, (_, phrases)) in PHRASES.iter().enumerate() {
            for phrase in *phrases {
                let first = phrase.bytes().next().unwrap_or_default();
                table[usize::from(first & 127)].push((group, phrase));
            }
        }
        table
    });
    table.get(usize::from(first)).map_or(&[], Vec::as_slice)
}

/// Whether a text begins with a lower-case phrase, ignoring case.
fn begins(text: &[u8], phrase: &str) -> bool {
    text.get(..phrase.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(phrase.as_bytes()))
}

/// Whether the text at a place is not part of a longer word.
fn stands_alone(text: &str, at: usize, phrase: &str) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let after = text
        .get(at + phrase.len()..)
        .and_then(|text| text.chars().next());
    let inside = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    !inside(before) && !inside(after)
}

/// `As requested, ...` and `Added x as requested`, but not `sorted as requested`, which is about
/// the program's user. The text contains `as requested`.
fn is_reported_edit(comment: &str) -> bool {
    let text = comment.trim_start_matches(|c: char| !c.is_alphanumeric());
    [
        "as requested",
        "added",
        "removed",
        "changed",
        "updated",
        "renamed",
        "moved",
        "fixed",
    ]
    .iter()
    .any(|start| begins(text.as_bytes(), start))
}

/// `TODO: implement` without an object.
fn is_bare_promise(comment: &str) -> bool {
    let text = comment.trim_matches(|c: char| !c.is_alphanumeric());
    [
        "todo: implement",
        "todo implement",
        "todo - implement",
        "implement me",
    ]
    .iter()
    .any(|promise| text.eq_ignore_ascii_case(promise))
}

/// `Step 3: ...`, `Phase 2 - ...` at the start of the comment.
pub(crate) fn is_plan_step(comment: &str) -> bool {
    let text = comment.trim_start_matches(['#', '/', '*', ' ', '-', '=']);
    let word = ["step ", "phase "]
        .iter()
        .find(|word| begins(text.as_bytes(), word));
    let Some(rest) = word.and_then(|word| text.get(word.len()..)) else {
        return false;
    };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    // `Step 4.1` refers to a specification.
    let is_part = after
        .strip_prefix('.')
        .is_some_and(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    after.len() < rest.len()
        && !is_part
        && after
            .trim_start()
            .starts_with([':', '-', '.', '\u{2014}', ')'])
}

#[cfg(test)]
mod tests {
    use super::{is_plan_step, of};

    #[test]
    fn numbered_plan_steps_are_recognised() {
        for text in [
            "// Step 3: parse",
            "/* Phase 2 - cleanup */",
            "# ==== STEP 1. Load",
        ] {
            assert!(is_plan_step(text), "{text}");
        }
        for text in [
            "# step 3 of the pump",
            "# steps: none",
            "# a step 1: x",
            "// Step 4.1",
            "// step 4.1: set it",
        ] {
            assert!(!is_plan_step(text), "{text}");
        }
    }

    #[test]
    fn conversation_and_plan_phrases_are_found() {
        for text in [
            "# As requested, no cache",
            "# ... existing code ...",
            "# TODO: implement",
        ] {
            assert!(of(text).is_some(), "{text}");
        }
        for text in [
            "# steps are counted from 0",
            "# phase of the moon",
            "# requested by the protocol",
            "# existing codes",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
