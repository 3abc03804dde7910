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
            "per the user",
            "as the user",
            "user requested",
            "user asked",
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
            "newly added",
            "modified version",
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
            "same as before",
            "omitted for brevity",
            "unchanged code",
            "other methods unchanged",
            "previous code",
        ],
    ),
    (
        "it stands for code that was not written",
        &[
            "todo: implement",
            "todo implement",
            "your code here",
            "your logic here",
            "add your ",
            "implementation goes here",
            "code goes here",
            "logic goes here",
            "implement this later",
            "placeholder implementation",
            "placeholder for",
            "this is a placeholder",
            "this is a stub",
            "dummy implementation",
            "mock implementation",
            "simplified implementation",
            "simplified version",
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
            "feel free to",
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
        .find(|(_, phrases)| phrases.iter().any(|p| lower.contains(p)));
    if let Some((meaning, _)) = found {
        return Some(meaning);
    }
    is_plan_step(&lower).then_some("it numbers a step of a plan")
}

/// `Step 3: ...`, `Phase 2 - ...` at the start of the comment.
fn is_plan_step(lower: &str) -> bool {
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
    use super::of;

    #[test]
    fn phrases_of_conversations_and_plans_are_found() {
        for text in [
            "# As requested, no cache",
            "// Step 3: parse",
            "# ... existing code ...",
            "# TODO: implement",
            "/* Phase 2 - cleanup */",
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
