//! Replaces words of a text by other words: whole parts of names, in any letter case.

use std::collections::{BTreeMap, BTreeSet};

/// Words with their replacements.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    /// Forms by their first character, the longest first.
    forms: BTreeMap<char, Vec<Form>>,
}

/// One spelling of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Form {
    text: String,
    put: String,
    /// Position of the word in the list that the words were made of.
    word: usize,
}

impl Words {
    /// Creates the table from pairs of a word and its replacement. A word without capitals matches
    /// in lower case, with a capital at the start (of each of its parts, if it has several) and in
    /// capitals; other words match exactly.
    pub(super) fn new(pairs: &[(String, String)]) -> Self {
        let mut words = Self::default();
        let exact =
            |(_, (word, _)): &(usize, &(String, String))| word.chars().any(char::is_uppercase);
        let (capitals, plain): (Vec<_>, Vec<_>) = pairs.iter().enumerate().partition(exact);
        // For equal spellings the first counts: words with capitals take precedence over derived
        // spellings.
        for (word, (text, put)) in capitals {
            words.add(word, text.clone(), put.clone());
        }
        for (word, (text, put)) in plain {
            words.add(word, text.clone(), put.clone());
            for form in [first_capital, each_capital, str::to_uppercase] {
                words.add(word, form(text), form(put));
            }
        }
        for forms in words.forms.values_mut() {
            forms.sort_by_key(|form| std::cmp::Reverse(form.text.len()));
        }
        words
    }

    fn add(&mut self, word: usize, text: String, put: String) {
        let Some(first) = text.chars().next() else {
            return;
        };
        let forms = self.forms.entry(first).or_default();
        if forms.iter().all(|form| form.text != text) {
            forms.push(Form { text, put, word });
        }
    }

    /// The text with all words replaced, in one pass: replacements are not replaced again. Adds the
    /// indices of words that occur to `found`.
    pub(super) fn replace(&self, text: &str, found: &mut BTreeSet<usize>) -> String {
        let mut out = String::with_capacity(text.len());
        let mut before = Before::default();
        let mut copied = 0;
        for (at, c) in text.char_indices() {
            let begins = at >= copied && self.forms.contains_key(&c) && before.lets_begin(c);
            if begins && let Some(form) = self.at(c, &text[at..]) {
                found.insert(form.word);
                out.push_str(&text[copied..at]);
                out.push_str(&form.put);
                copied = at + form.text.len();
            }
            before.pass(c);
        }
        out.push_str(&text[copied..]);
        out
    }

    /// The longest word at the start of `text`, which begins with `first`.
    fn at(&self, first: char, text: &str) -> Option<&Form> {
        self.forms.get(&first)?.iter().find(|form| {
            text.strip_prefix(&form.text)
                .is_some_and(|behind| ends(form, behind))
        })
    }
}

/// Whether a word may end before `behind`: before a non-letter, or before a capital within a name.
fn ends(form: &Form, behind: &str) -> bool {
    let (Some(last), Some(next)) = (form.text.chars().next_back(), behind.chars().next()) else {
        return true;
    };
    !last.is_alphabetic() || !next.is_alphabetic() || (last.is_lowercase() && next.is_uppercase())
}

/// The characters before the next one.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    /// The character before, if it is a letter of a word.
    letter: Option<char>,
    /// Whether the previous character is a backslash, so that the next one is part of an escape
    /// such as `\n`.
    escape: bool,
}

impl Before {
    fn lets_begin(self, next: char) -> bool {
        if !next.is_alphabetic() {
            return true;
        }
        !self.escape
            && self
                .letter
                .is_none_or(|letter| letter.is_lowercase() && next.is_uppercase())
    }

    fn pass(&mut self, c: char) {
        self.letter = (c.is_alphabetic() && !self.escape).then_some(c);
        self.escape = c == '\\' && !self.escape;
    }
}

/// With a capital at the start.
pub(super) fn first_capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// With a capital at the start of each part.
fn each_capital(text: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if inside || !c.is_alphabetic() {
            out.push(c);
        } else {
            out.extend(c.to_uppercase());
        }
        inside = c.is_alphabetic();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(pairs: &[(&str, &str)], text: &str) -> String {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(word, put)| ((*word).to_owned(), (*put).to_owned()))
            .collect();
        Words::new(&pairs).replace(text, &mut BTreeSet::new())
    }

    #[test]
    fn words_match_name_parts_any_case() {
        let gram = [("gram", "ounce")];
        for (text, wanted) in [
            ("gram Gram GRAM", "ounce Ounce OUNCE"),
            (
                "gram_total a_gram2 GRAM_MAX",
                "ounce_total a_ounce2 OUNCE_MAX",
            ),
            (
                "gramTotal perGram PerGramOf",
                "ounceTotal perOunce PerOunceOf",
            ),
            (
                "grams kilogram programme GRAMS",
                "grams kilogram programme GRAMS",
            ),
            (
                r#""\ngram" "\\ngram" "\gram""#,
                r#""\nounce" "\\ngram" "\gram""#,
            ),
            ("(gram)-gram/gram.py", "(ounce)-ounce/ounce.py"),
            ("Gräm gramä", "Gräm gramä"),
        ] {
            assert_eq!(replaced(&gram, text), wanted);
        }
    }

    #[test]
    fn longest_word_wins_without_double_replacement() {
        let words = [
            ("lock", "gate"),
            ("gate", "lock"),
            ("lock chamber", "berth"),
        ];
        assert_eq!(
            replaced(
                &words,
                "lock gate, Lock chamber, Lock Chamber, LOCK CHAMBER, lock chambers"
            ),
            "gate lock, Berth, Berth, BERTH, gate chambers"
        );
    }

    #[test]
    fn capitalised_word_matches_exact_case() {
        let words = [("LOT", "BOX"), ("lot", "crate")];
        assert_eq!(replaced(&words, "LOT lot Lot"), "BOX crate Crate");
        assert_eq!(replaced(&[("iD", "no")], "iD id ID"), "no id ID");
    }

    #[test]
    fn occurring_words_are_reported() {
        let words = [("lock", "a"), ("weir", "b"), ("boat", "c")];
        let words = words.map(|(word, put)| (word.to_owned(), put.to_owned()));
        let mut found = BTreeSet::new();
        Words::new(&words).replace("a Boat in a lock", &mut found);
        assert_eq!(found, BTreeSet::from([0, 2]));
    }
}
