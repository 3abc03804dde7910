//! The contents of paths.

use std::collections::BTreeMap;

use slope_measure::Content;

/// The contents of paths; [`Content::Nothing`] for removed ones.
pub type Contents = BTreeMap<String, Content>;

/// Paths of files that could not be measured.
pub(crate) fn unread(contents: &Contents) -> Vec<String> {
    let is_unread = |content: &Content| matches!(content, Content::Unmeasured(_));
    let paths = contents.iter().filter(|(_, content)| is_unread(content));
    paths.map(|(path, _)| path.clone()).collect()
}

/// Names files that could not be measured, each with the reason.
#[must_use]
pub fn unread_notes(contents: &BTreeMap<String, Content>) -> Vec<String> {
    let note = |(path, content): (&String, &Content)| match content {
        Content::Unmeasured(reason) => Some(format!("{path} was not judged: {reason}")),
        _ => None,
    };
    contents.iter().filter_map(note).collect()
}
