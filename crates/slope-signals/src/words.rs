//! Names as numbers, and names as words.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};
pub(crate) use slope_syntax::text::{identifiers, identifiers_of};

/// A map with the same hashes in every run. Its order is never used.
pub(crate) type Map<Key, Value> = HashMap<Key, Value, FixedState>;

/// Numbers for the names of a file, in order of first use.
#[derive(Default)]
pub(crate) struct Names<'a> {
    numbers: Map<&'a str, u32>,
    list: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// An empty table with capacity for `count` names.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            numbers: Map::with_capacity_and_hasher(count, FixedState::default()),
            list: Vec::with_capacity(count),
        }
    }

    /// The number of a name.
    pub(crate) fn number(&mut self, name: &'a str) -> u32 {
        // Most names are known.
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        let next = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name, next);
        self.list.push(name);
        next
    }

    /// The name of a number.
    pub(crate) fn get(&self, number: u32) -> &'a str {
        self.list.get(number as usize).copied().unwrap_or_default()
    }

    /// The number of a name, if it has one.
    pub(crate) fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// Number of names.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The names by number.
    pub(crate) fn into_list(self) -> NameList {
        self.list.into_iter().collect()
    }
}

/// Names in one text, which loads from a cache far faster than separate texts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub(crate) struct NameList {
    text: String,
    /// End of each name, in bytes.
    ends: Vec<u32>,
}

impl NameList {
    /// The name of a number.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = number.checked_sub(1).map_or(0, |n| self.ends[n] as usize);
        self.text.get(start..end)
    }

    /// All of them in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|number| self.get(number).unwrap_or_default())
    }
}

impl<'a> FromIterator<&'a str> for NameList {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut list = Self::default();
        for name in names {
            list.text.push_str(name);
            list.ends
                .push(u32::try_from(list.text.len()).unwrap_or(u32::MAX));
        }
        list
    }
}

/// Stored form of a list: lengths, which are smaller than ends, nearly always one byte.
#[derive(Serialize, Deserialize)]
struct Written(String, Vec<u32>);

impl From<NameList> for Written {
    fn from(list: NameList) -> Self {
        let starts = [0].into_iter().chain(list.ends.iter().copied());
        let lengths = starts.zip(&list.ends).map(|(start, end)| end - start);
        let lengths = lengths.collect();
        Self(list.text, lengths)
    }
}

impl From<Written> for NameList {
    fn from(Written(text, mut ends): Written) -> Self {
        let mut sum = 0u32;
        for end in &mut ends {
            sum = sum.saturating_add(*end);
            *end = sum;
        }
        Self { text, ends }
    }
}

/// The words of a name or text in lower case: split at any non-letter, between `a` and `B`, and
/// before the last capital of `HTTPServer`.
pub(crate) fn split(text: &str) -> Vec<String> {
    words(text).collect()
}

/// The words of [`split`] as an iterator.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    let mut begun = None;
    std::iter::from_fn(move || {
        let mut word = String::new();
        word.extend(begun.take().into_iter().flat_map(char::to_lowercase));
        while let Some(c) = chars.next() {
            let next_is_lower = chars.peek().is_some_and(|n| n.is_lowercase());
            let starts = c.is_uppercase() && (before.is_lowercase() || next_is_lower);
            before = c;
            if (!c.is_alphabetic() || starts) && !word.is_empty() {
                begun = c.is_alphabetic().then_some(c);
                return Some(word);
            }
            if c.is_ascii_alphabetic() {
                word.push(c.to_ascii_lowercase());
            } else if c.is_alphabetic() {
                word.extend(c.to_lowercase());
            }
        }
        (!word.is_empty()).then_some(word)
    })
}

/// Names that a text has before a parenthesis, as calls do.
pub(crate) fn called_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let calls = text.match_indices('(').map(move |(at, _)| {
        let before = &text[..at];
        &before[before.trim_end_matches(is_part).len()..]
    });
    calls.filter(|name| !name.is_empty())
}

/// Names that a text has after a dot, as members do.
pub(crate) fn members_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let members = text.match_indices('.').map(move |(at, _)| {
        let after = &text[at + 1..];
        &after[..after.find(|c| !is_part(c)).unwrap_or(after.len())]
    });
    members.filter(|name| !name.is_empty())
}

/// Names in the braces of a text, as in formats: `{value:width$}`.
pub(crate) fn in_braces(text: &str) -> impl Iterator<Item = &str> {
    let gaps = text.split('{').skip(1);
    let inner = gaps.map(|gap| gap.split('}').next().unwrap_or(gap));
    let words = inner.flat_map(identifiers);
    // A zero before the name of a width asks for zeros: `{value:0width$}`.
    let names = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()));
    names.filter(|name| is_name(name))
}

/// Endings of English words with their replacements, longest first.
const ENDINGS: &[(&str, &str)] = &[
    ("izations", "iz"),
    ("ization", "iz"),
    ("ations", "at"),
    ("ation", "at"),
    ("ingly", ""),
    ("izing", "iz"),
    ("ized", "iz"),
    ("izes", "iz"),
    ("ings", ""),
    ("ment", ""),
    ("ies", "y"),
    ("ing", ""),
    ("ied", "y"),
    ("ers", ""),
    ("ors", ""),
    ("ion", ""),
    ("ed", ""),
    ("es", ""),
    ("er", ""),
    ("or", ""),
    ("ly", ""),
    ("s", ""),
    ("e", ""),
];

/// A crude stem: enough to unify `created`, `creating` and `creates`.
pub(crate) fn stem(word: &str) -> String {
    let found = ENDINGS.iter().find_map(|&(ending, instead)| {
        let rest = word.strip_suffix(ending)?;
        let is_enough = rest.chars().nth(2).is_some();
        (is_enough && !(ending == "s" && rest.ends_with('s'))).then_some((rest, instead))
    });
    let (rest, instead) = found.unwrap_or((word, ""));
    let mut stem = String::with_capacity(rest.len() + instead.len());
    stem.push_str(rest);
    stem.push_str(instead);
    let mut last = stem.chars().rev();
    if let (Some(a), Some(b)) = (last.next(), last.next())
        && a == b
        && !matches!(a, 'l' | 's' | 'e')
        && stem.len() > 3
    {
        stem.pop();
    }
    if stem.ends_with('e') {
        stem.pop();
    }
    stem
}

/// Maximum bytes of a name.
pub(crate) const MAX_NAME: usize = 60;

/// Whether a text is a name: a letter or `_`, then letters, digits and `_`.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= MAX_NAME
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a name is written as constants are: `MAX_SIZE`.
pub(crate) fn is_constant_name(name: &str) -> bool {
    let is_sign = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(is_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_at_case_and_underscores() {
        assert_eq!(
            split("parse_HTTPServer2Name"),
            ["parse", "http", "server", "name"]
        );
        assert_eq!(split("getURL"), ["get", "url"]);
        assert!(split("__1__").is_empty());
    }

    #[test]
    fn word_forms_share_one_stem() {
        for forms in [
            &["create", "created", "creates", "creating"][..],
            &["parse", "parser", "parsing", "parsed"],
            &["query", "queries"],
            &["stop", "stopped", "stopping"],
            &["initialize", "initializing", "initialization"],
        ] {
            let stems: Vec<String> = forms.iter().map(|f| stem(f)).collect();
            assert!(stems.iter().all(|s| *s == stems[0]), "{stems:?}");
        }
        assert_ne!(stem("class"), stem("clas"));
    }
}
