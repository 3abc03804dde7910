//! The nearest functions of a code base.

use crate::facts::family;
use crate::facts::{Evidence, Returns};
use crate::reimplementation::cosine;
use crate::words::Map;
use slope_syntax::paths::is_test;

use super::form::{Form, stems};
use crate::words::words;

/// Minimum similarity of a result.
const LEAST: f64 = 0.35;

/// Minimum similarity to a description: one distinctive word of three.
const LEAST_DESCRIBED: f64 = 0.3;

/// A smaller code base is weighed as if it had this many functions.
const MIN_FUNCTIONS: usize = 200;

/// Pieces of evidence that make a function comparable by them alone.
const ENOUGH_EVIDENCE: usize = 3;

/// Maximum number of reasons for one function.
const MAX_REASONS: usize = 4;

/// Words that do not describe a function.
pub(crate) const FILLERS: &[&str] = &[
    "the", "and", "for", "from", "with", "that", "this", "into", "its", "all", "function",
    "method", "return", "given", "which", "when", "not", "are", "has", "have", "than", "then",
    "will", "should", "a", "an", "of", "to", "in", "on", "is", "it", "or", "by", "as", "at", "if",
    "be", "def", "fn", "func", "param", "string", "value",
];

/// A function similar to the requested one.
#[derive(Debug, Clone, PartialEq)]
pub struct Like<'a> {
    /// Path of its file.
    pub path: &'a str,
    /// The function.
    pub form: &'a Form,
    /// Similarity from 0 to 1; 1 means equal except for names and formatting.
    pub similarity: f64,
    /// Reasons, in a few words each; never empty.
    pub why: Vec<String>,
}

/// A function of the code base.
struct Entry {
    file: usize,
    form: Form,
    is_test: bool,
}

/// The functions of a code base.
#[derive(Default)]
pub struct Index {
    files: Vec<(String, String)>,
    entries: Vec<Entry>,
    /// In how many functions a piece of evidence or a word occurs.
    evidence: Map<(Evidence, String), u32>,
    words: Map<String, u32>,
}

impl Index {
    /// An index of files: path, language id, and the functions in it.
    #[must_use]
    pub fn new(files: impl IntoIterator<Item = (String, String, Vec<Form>)>) -> Self {
        let mut this = Self::default();
        for (path, language, forms) in files {
            let is_test = is_test(&path);
            let file = this.files.len();
            this.files.push((path, language));
            for form in forms {
                for piece in &form.evidence {
                    *this.evidence.entry(piece.clone()).or_default() += 1;
                }
                for word in every_word(&form) {
                    *this.words.entry(word).or_default() += 1;
                }
                this.entries.push(Entry {
                    file,
                    form,
                    is_test,
                });
            }
        }
        this
    }

    /// Number of functions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The functions most like `form`, written in the language of this id; the nearest first.
    #[must_use]
    pub fn like(&self, form: &Form, language: &str, tests: bool, most: usize) -> Vec<Like<'_>> {
        let compared = |entry: &Entry| family(&self.files[entry.file].1) == family(language);
        self.ranked(tests, most, compared, |other| {
            let (similarity, why) = self.compare(form, other);
            (similarity >= LEAST).then_some((similarity, why))
        })
    }

    /// The functions that match a description best, in a language if one is named; the best first.
    #[must_use]
    pub fn described(
        &self,
        text: &str,
        language: Option<&str>,
        tests: bool,
        most: usize,
    ) -> Vec<Like<'_>> {
        let mut wanted = stems(text, usize::MAX);
        let fillers: Vec<String> = FILLERS
            .iter()
            .map(|word| crate::words::stem(word))
            .collect();
        wanted.retain(|word| !fillers.contains(word));
        let compared = |entry: &Entry| {
            language.is_none_or(|id| family(&self.files[entry.file].1) == family(id))
        };
        self.ranked(tests, most, compared, |other| {
            let (similarity, why) = self.fits(text, &wanted, other);
            (similarity >= LEAST_DESCRIBED).then_some((similarity, why))
        })
    }

    fn ranked(
        &self,
        tests: bool,
        most: usize,
        compared: impl Fn(&Entry) -> bool,
        score: impl Fn(&Form) -> Option<(f64, Vec<String>)>,
    ) -> Vec<Like<'_>> {
        let entries = self.entries.iter();
        let wanted = entries.filter(|entry| (tests || !entry.is_test) && compared(entry));
        let mut found: Vec<Like<'_>> = wanted
            .filter_map(|entry| {
                let (similarity, why) = score(&entry.form)?;
                Some(Like {
                    path: &self.files[entry.file].0,
                    form: &entry.form,
                    similarity,
                    why,
                })
            })
            .collect();
        found.sort_by(|a, b| {
            let place = |like: &Like<'_>| (like.form.span.start_line, like.form.span.start_column);
            b.similarity
                .total_cmp(&a.similarity)
                .then_with(|| a.path.cmp(b.path))
                .then_with(|| place(a).cmp(&place(b)))
        });
        found.truncate(most);
        found
    }

    fn rarity(&self, holders: u32) -> f64 {
        let all = self.entries.len().max(MIN_FUNCTIONS) as f64;
        (1.0 + all / f64::from(holders.max(1))).ln()
    }

    /// Similarity of two functions, with reasons.
    fn compare(&self, one: &Form, other: &Form) -> (f64, Vec<String>) {
        if one.hash == other.hash && one.size > 1 {
            let why = "the same code apart from names".to_owned();
            return (1.0, vec![why]);
        }
        let (evidence, mut shared) = self.evidence(one, other);
        let structure = 0.4 * cosine(&one.shape, &other.shape) * sizes(one.size, other.size)
            + 0.6 * dice_sorted(&one.grams, &other.grams);
        let name = self.dice(&one.words, &other.words);
        let parameters = dice(&one.parameters, &other.parameters);
        let tells = one.evidence.len() >= ENOUGH_EVIDENCE;
        let (e, s, n, p) = if tells {
            (0.45, 0.3, 0.15, 0.1)
        } else {
            (0.2, 0.4, 0.25, 0.15)
        };
        let mut similarity = e * evidence + s * structure + n * name + p * parameters;
        let nothing = |form: &Form| form.returns == Returns::Nothing;
        if nothing(one) != nothing(other) {
            similarity *= 0.8;
        }
        // All short functions share their structure.
        if evidence == 0.0 && name == 0.0 && structure < 0.9 {
            similarity *= 0.5;
        }
        let mut why = Vec::new();
        shared.truncate(2);
        why.extend(shared);
        if name > 0.0 {
            let words = one.words.iter().filter(|word| other.words.contains(word));
            let words: Vec<String> = words.map(|word| spelled(&one.name, word)).collect();
            why.push(format!("the names share `{}`", joined(words.iter())));
        }
        if structure >= 0.6 {
            why.push(format!(
                "{:.0} % of the structure is equal",
                structure * 100.0
            ));
        }
        if parameters > 0.0 && !one.parameters.is_empty() {
            let each = one.parameters.iter();
            let shared = each.filter(|p| other.parameters.contains(p));
            why.push(format!("both take `{}`", joined(shared)));
        }
        if why.is_empty() {
            why.push("part of the structure is equal".to_owned());
        }
        why.truncate(MAX_REASONS);
        (similarity.min(0.99), why)
    }

    /// Share of the evidence in common by weight, and the most distinctive pieces first.
    fn evidence(&self, one: &Form, other: &Form) -> (f64, Vec<String>) {
        let weight = |piece: &(Evidence, String)| {
            self.rarity(self.evidence.get(piece).copied().unwrap_or_default())
        };
        let sum = |form: &Form| form.evidence.iter().map(weight).sum::<f64>();
        let mut shared: Vec<_> = one
            .evidence
            .iter()
            .filter(|piece| other.evidence.contains(piece))
            .collect();
        shared.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then_with(|| a.1.cmp(&b.1)));
        let common: f64 = shared.iter().map(|piece| weight(piece)).sum();
        let all = sum(one) + sum(other);
        let why = shared.iter().map(|(kind, name)| match kind {
            Evidence::Call => format!("both call `{name}`"),
            Evidence::Member => format!("both use `{name}`"),
            Evidence::Text => format!("both contain the text `{name}`"),
            Evidence::Number => format!("both contain the number `{name}`"),
        });
        let share = if all > 0.0 { 2.0 * common / all } else { 0.0 };
        (share, why.collect())
    }

    /// Share of words in common, by how rare they are.
    fn dice(&self, one: &[String], other: &[String]) -> f64 {
        let weight = |word: &String| self.rarity(self.words.get(word).copied().unwrap_or(1));
        let sum = |words: &[String]| words.iter().map(weight).sum::<f64>();
        let shared: f64 = one.iter().filter(|w| other.contains(w)).map(weight).sum();
        let all = sum(one) + sum(other);
        if all > 0.0 { 2.0 * shared / all } else { 0.0 }
    }

    /// Match score of a function and a text with its stems, and reasons.
    fn fits(&self, text: &str, wanted: &[String], form: &Form) -> (f64, Vec<String>) {
        let parameters: Vec<String> = form.parameters.iter().flat_map(|p| stems(p, 4)).collect();
        let (mut named, mut documented, mut used) = (Vec::new(), Vec::new(), Vec::new());
        let (mut sum, mut all) = (0.0, 0.0);
        for word in wanted {
            let weight = self.rarity(self.words.get(word).copied().unwrap_or(1));
            all += weight;
            if form.words.contains(word) {
                named.push(word);
                sum += weight;
            } else if form.documentation.contains(word) {
                documented.push(word);
                sum += 0.7 * weight;
            } else if parameters.contains(word) {
                used.push(word);
                sum += 0.5 * weight;
            } else if calls(form, word) {
                used.push(word);
                sum += 0.4 * weight;
            }
        }
        let mut why = Vec::new();
        let mut add = |what: &str, words: &[&String]| {
            if !words.is_empty() {
                let words: Vec<String> = words.iter().map(|word| spelled(text, word)).collect();
                why.push(format!("{what} `{}`", joined(words.iter())));
            }
        };
        add("its name says", &named);
        add("its documentation says", &documented);
        add("it takes or calls", &used);
        (if all > 0.0 { sum / all } else { 0.0 }, why)
    }
}

/// The word of a text that has this stem.
fn spelled(text: &str, stem: &str) -> String {
    let mut all = words(text);
    let whole = all.find(|word| crate::words::stem(word) == stem);
    whole.unwrap_or_else(|| stem.to_owned())
}

/// Whether a function calls something with this word in its name.
fn calls(form: &Form, word: &str) -> bool {
    let mut called = form
        .evidence
        .iter()
        .filter(|(kind, _)| *kind == Evidence::Call);
    called.any(|(_, name)| stems(name, 8).iter().any(|other| other == word))
}

/// All words for which a function can be found, each once.
fn every_word(form: &Form) -> Vec<String> {
    let mut words = form.words.clone();
    let parameters = form.parameters.iter().flat_map(|p| stems(p, 4));
    words.extend(form.documentation.iter().cloned().chain(parameters));
    words.sort_unstable();
    words.dedup();
    words
}

fn joined<'a>(words: impl Iterator<Item = &'a String>) -> String {
    let words: Vec<&str> = words.take(4).map(String::as_str).collect();
    words.join("`, `")
}

/// Similarity of two sizes, from 0 to 1.
fn sizes(one: u32, other: u32) -> f64 {
    let (small, large) = (one.min(other), one.max(other));
    if large == 0 {
        return 1.0;
    }
    (f64::from(small) / f64::from(large)).sqrt()
}

/// Share in common of two lists.
fn dice(one: &[String], other: &[String]) -> f64 {
    let all = one.len() + other.len();
    let shared = one.iter().filter(|word| other.contains(word)).count();
    if all > 0 {
        2.0 * shared as f64 / all as f64
    } else {
        0.0
    }
}

/// Share in common of two ascending lists with repeats.
fn dice_sorted(one: &[u32], other: &[u32]) -> f64 {
    let (mut a, mut b, mut shared) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (one.get(a), other.get(b)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                a += 1;
                b += 1;
            }
        }
    }
    let all = one.len() + other.len();
    if all > 0 {
        2.0 * shared as f64 / all as f64
    } else {
        0.0
    }
}
