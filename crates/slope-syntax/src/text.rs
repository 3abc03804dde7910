//! Words of a text.

/// Words of a text that are written as names and numbers are.
pub fn identifiers(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    identifiers_of(text, &['_'])
}

/// The same if names may contain other characters than `_`, such as `$`.
pub fn identifiers_of<'a>(
    text: &'a str,
    signs: &'static [char],
) -> impl DoubleEndedIterator<Item = &'a str> {
    text.split(|c: char| !c.is_alphanumeric() && !signs.contains(&c))
        .filter(|word| !word.is_empty())
}

/// Number of occurrences of a word in a text, ignoring ASCII case.
pub(crate) fn occurrences(text: &str, word: &str) -> usize {
    let words = identifiers(text);
    words.filter(|one| one.eq_ignore_ascii_case(word)).count()
}

/// Whether a text has one of some words, wherever they are.
pub(crate) fn has_any(text: &str, words: &[&str]) -> bool {
    let mut words = words.iter();
    words.any(|word| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}
