//! Phrases of comments that were meant for a reader of a conversation or of a
//! plan, not for a reader of the code.

/// What a phrase means, and its forms in lower case.
const PHRASES: &[(&str, &[&str])] = &[
    (
        "it answers a request",
        &[
            "as requested",
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
            "rest of the code",
            "rest of the implementation",
            "rest of the file",
            "rest of your code",
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
            "for demonstration purposes",
            "for demo purposes",
            "for illustration purposes",
            "for the sake of this example",
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

/// What is wrong with a comment that is left over, if it is.
pub(crate) fn of(comment: &str) -> Option<&'static str> {
    let lower = comment.to_ascii_lowercase();
    let found = PHRASES
        .iter()
        .find(|(_, phrases)| phrases.iter().any(|p| has_phrase(&lower, p)));
    if let Some((meaning, _)) = found {
        return Some(meaning);
    }
    if is_bare_promise(&lower) {
        return Some("it stands for code that was not written");
    }
    None
}

/// Whether a phrase stands in a text, and not as the end of a longer word.
fn has_phrase(lower: &str, phrase: &str) -> bool {
    lower.match_indices(phrase).any(|(at, _)| {
        let before = lower.get(..at).and_then(|text| text.chars().next_back());
        !before.is_some_and(char::is_alphanumeric)
    })
}

/// `TODO: implement` and nothing that says what.
fn is_bare_promise(lower: &str) -> bool {
    let text = lower.trim_matches(|c: char| !c.is_alphanumeric());
    matches!(
        text,
        "todo: implement" | "todo implement" | "todo - implement" | "implement me"
    )
}

/// `Step 3: ...`, `Phase 2 - ...` at the start of the comment.
pub(crate) fn is_plan_step(comment: &str) -> bool {
    let lower = comment.to_ascii_lowercase();
    let text = lower.trim_start_matches(['#', '/', '*', ' ', '-', '=']);
    let Some(rest) = text
        .strip_prefix("step ")
        .or_else(|| text.strip_prefix("phase "))
    else {
        return false;
    };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    after.len() < rest.len()
        && after
            .trim_start()
            .starts_with([':', '-', '.', '\u{2014}', ')'])
}

#[cfg(test)]
mod tests {
    use super::{is_plan_step, of};

    #[test]
    fn numbered_steps_are_told_apart() {
        for text in [
            "// Step 3: parse",
            "/* Phase 2 - cleanup */",
            "# ==== STEP 1. Load",
        ] {
            assert!(is_plan_step(text), "{text}");
        }
        for text in ["# step 3 of the pump", "# steps: none", "# a step 1: x"] {
            assert!(!is_plan_step(text), "{text}");
        }
    }

    #[test]
    fn phrases_of_conversations_and_plans_are_found() {
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
