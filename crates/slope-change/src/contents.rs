//! Contents of paths.

use std::collections::BTreeMap;

use slope_measure::Content;

/// Contents by path; [`Content::Nothing`] for removed files.
pub type Contents = BTreeMap<String, Content>;

/// Paths of files that could not be measured.
pub(crate) fn unread(contents: &Contents) -> Vec<String> {
    let is_unread = |content: &Content| matches!(content, Content::Unmeasured(_));
    let paths = contents.iter().filter(|(_, content)| is_unread(content));
    paths.map(|(path, _)| path.clone()).collect()
}

/// Notes about files that could not be measured, with the reasons.
#[must_use]
pub fn unread_notes(contents: &BTreeMap<String, Content>) -> Vec<String> {
    let note = |(path, content): (&String, &Content)| match content {
        Content::Unmeasured(reason) => Some(format!("{path} was not judged: {reason}")),
        _ => None,
    };
    contents.iter().filter_map(note).collect()
}
