//! Checks whether a task contains its own answer.

use super::Task;

/// The way in which the task contains the expected edit; `None` if it does not.
///
/// It does if the text that the expected edit inserts is already in the file or in a recent edit:
/// as a whole, or each of its lines with a letter or digit somewhere. The amount of white space is
/// ignored. An edit that inserts nothing leaks nothing, and neither does a task without an edit.
#[must_use]
pub fn leaks(task: &Task) -> Option<String> {
    let expected = &task.expected.as_ref()?.replacement;
    let places = task
        .recent
        .iter()
        .flat_map(|hunk| [&hunk.removed, &hunk.added]);
    let places: Vec<Vec<String>> = places.chain([&task.text]).map(|text| lines(text)).collect();
    let wanted = lines(expected);
    if wanted.is_empty() {
        return None;
    }
    let whole = wanted.join("\n");
    if places.iter().any(|place| place.join("\n").contains(&whole)) {
        return Some("the file or a recent edit already contains what it inserts".to_owned());
    }
    let seen = |line: &String| places.iter().any(|place| place.contains(line));
    let telling = |line: &&String| line.chars().any(char::is_alphanumeric);
    let mut telling = wanted.iter().filter(telling).peekable();
    if telling.peek().is_some() && telling.all(seen) {
        return Some(
            "the file or a recent edit already contains each line that it inserts".to_owned(),
        );
    }
    None
}

/// Lines that are not blank, with single spaces between their words.
fn lines(text: &str) -> Vec<String> {
    let single = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines()
        .map(single)
        .filter(|line| !line.is_empty())
        .collect()
}
