//! The edit in the text that a model wrote.

/// The unified diff in a response: the last fenced block with one, or the whole text from the first header of a
/// diff on. `None` if there is no diff.
#[must_use]
pub fn diff_in(response: &str) -> Option<&str> {
    let fenced = fenced(response).into_iter().rev().find_map(diff_from);
    // A response may be cut off before the fence ends.
    fenced.or_else(|| diff_from(response))
}

/// The contents of fenced blocks in order.
fn fenced(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with("```") {
            match start.take() {
                Some(start) => blocks.push(&text[start..at]),
                None => start = Some(end),
            }
        }
        at = end;
    }
    blocks
}

/// The text from the first header of a diff on.
fn diff_from(text: &str) -> Option<&str> {
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        let is_header =
            line.starts_with("diff --git ") || line.starts_with("--- ") && next.starts_with("+++ ");
        if is_header {
            return Some(&text[at..]);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::diff_in;

    const DIFF: &str = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n";

    #[test]
    fn diffs_are_found_in_responses() {
        for response in [
            DIFF.to_owned(),
            format!("Here it is.\n\n{DIFF}"),
            format!("First:\n```python\nx = 1\n```\nThen:\n```diff\n{DIFF}```\nDone.\n"),
            format!("```\n--- a/old\n+++ b/old\n```\nBetter:\n```diff\n{DIFF}```\n"),
        ] {
            assert_eq!(diff_in(&response), Some(DIFF), "{response}");
        }
    }

    #[test]
    fn text_without_a_diff_has_none() {
        for response in [
            "",
            "I cannot.",
            "```python\nx = 1\n```",
            "--- a\nno header\n",
        ] {
            assert_eq!(diff_in(response), None, "{response}");
        }
    }
}
