//! Names of code in the text around it.

use std::collections::BTreeSet;

use crate::text::identifiers_of;

/// Words of text outside of the code.
#[derive(Default)]
pub(super) struct Words<'t> {
    parts: Vec<&'t str>,
}

impl<'t> Words<'t> {
    pub(super) fn add(&mut self, part: &'t str) {
        self.parts.push(part);
    }
}

/// Names in code that text around it has, ascending: also those that it writes with hyphens, as tags are.
pub(super) fn mentioned(code: &str, around: Words<'_>) -> Vec<String> {
    let is_name = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
    let known = identifiers_of(code, &['_', '$']).filter(is_name);
    let known: BTreeSet<&str> = known.collect();
    let mut found = BTreeSet::new();
    let mut add = |word: &str| {
        if known.contains(word) {
            found.insert(word.to_owned());
        }
    };
    for part in around.parts {
        for word in identifiers_of(part, &['_', '$']) {
            add(word);
            // `$name` of a shell or a template is `name`.
            add(word.trim_start_matches('$'));
        }
        for tag in tags(part) {
            add(&capital(tag));
        }
        for word in identifiers_of(part, &['_', '$', '-']).filter(|word| word.contains('-')) {
            let (camel, pascal) = joined(word);
            add(&camel);
            add(&pascal);
        }
    }
    found.into_iter().collect()
}

/// All names in code.
pub(super) fn all_names(code: &str) -> Vec<String> {
    let names: BTreeSet<&str> = identifiers_of(code, &['_', '$']).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Names of elements: a compiler may take `<draggable>` for the component `Draggable`.
fn tags(text: &str) -> impl Iterator<Item = &str> {
    let after = text.match_indices('<').map(|(at, _)| &text[at + 1..]);
    after.filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let tag = &rest[..end.unwrap_or(rest.len())];
        (!tag.is_empty()).then_some(tag)
    })
}

/// A word with a capital as its first letter.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Names in camel case for one with hyphens: `myButton` and `MyButton` for `my-button`.
fn joined(word: &str) -> (String, String) {
    let parts = word.split('-').filter(|part| !part.is_empty());
    let pascal: String = parts.clone().map(capital).collect();
    let first = parts.clone().next().unwrap_or_default();
    let rest: String = parts.skip(1).map(capital).collect();
    (format!("{first}{rest}"), pascal)
}

/// Names after a `$` in a text: `store` for `$store`.
pub(super) fn without_dollar(text: &str) -> impl Iterator<Item = String> {
    let names = identifiers_of(text, &['_', '$']);
    let names = names.filter_map(|word| word.strip_prefix('$'));
    names.filter(|name| !name.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_dollars_name_uses() {
        let mut words = Words::default();
        words.add("<draggable :list=\"x\"/> $path button");
        let code = "import Draggable, { path, Button } from 'a'";
        assert_eq!(mentioned(code, words), ["Draggable", "path"]);
    }

    #[test]
    fn tags_with_hyphens_name_components() {
        let mut words = Words::default();
        words.add("<my-big-button v-focus :is=\"other\" />");
        let code = "import MyBigButton, { vFocus, other, unused } from 'a'";
        assert_eq!(mentioned(code, words), ["MyBigButton", "other", "vFocus"]);
    }
}
