//! The edit in the text that a model wrote.

/// The unified diff in a response: the last fenced block with one, or the whole text from the first header of a
/// diff on. Blocks of tags in which a model thinks, or in which a tool answers, do not count. `None` if there is no
/// diff.
#[must_use]
pub fn diff_in(response: &str) -> Option<&str> {
    let response = after_thinking(response);
    let fenced = fenced(response).into_iter().rev().find_map(diff_from);
    // A response may be cut off before the fence ends.
    fenced.or_else(|| diff_from(response))
}

/// Tags around text that is not the answer.
const OTHER_TAGS: [&str; 5] = [
    "think",
    "thinking",
    "reasoning",
    "tool_response",
    "tool_call",
];

/// The text behind the last block that is not the answer. A block that does not end has nothing behind it.
fn after_thinking(text: &str) -> &str {
    let ends: Option<Vec<usize>> = OTHER_TAGS
        .iter()
        .map(|tag| end_of_block(text, tag))
        .collect();
    let end = ends.and_then(|ends| ends.into_iter().max());
    end.map_or("", |end| &text[end..])
}

/// Where the last block of a tag ends: 0 without one, `None` if it does not end. A tag counts at the beginning of a line
/// only: in a diff, each line has a sign before it. A prompt may have opened the first block.
fn end_of_block(text: &str, tag: &str) -> Option<usize> {
    let close = format!("</{tag}>");
    let last = |wanted: &str| {
        let first = text.starts_with(wanted).then_some(0);
        text.rfind(&format!("\n{wanted}"))
            .map(|at| at + 1)
            .or(first)
    };
    let Some(open) = last(&format!("<{tag}>")) else {
        return Some(last(&close).map_or(0, |at| at + close.len()));
    };
    let end = text[open..].find(&close)?;
    Some((open + end + close.len()).max(last(&close).map_or(0, |at| at + close.len())))
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
    fn diffs_in_thoughts_are_no_answer() {
        let other = DIFF.replace("+y", "+z");
        for tag in super::OTHER_TAGS {
            let thought = format!("<{tag}>\n{other}</{tag}>\n");
            assert_eq!(diff_in(&thought), None, "{tag}");
            assert_eq!(diff_in(&format!("{thought}{DIFF}")), Some(DIFF), "{tag}");
            assert_eq!(diff_in(&format!("<{tag}>\n{other}")), None, "{tag}");
        }
        // Tags in a diff are code.
        let page = "--- a/a.html\n+++ b/a.html\n@@ -1 +1 @@\n-x\n+<think>y</think>\n";
        assert_eq!(diff_in(page), Some(page));
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
