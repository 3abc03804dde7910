//! Relations between two functions by their names and places.

use std::sync::LazyLock;

use crate::words::{Map, split, stem};

/// Words that do not describe a function.
const GENERIC: &[&str] = &[
    "is", "has", "get", "set", "make", "to", "from", "new", "do", "on", "with", "as", "of", "and",
    "the", "in", "by", "for", "parse", "read", "find", "check", "create", "build", "sync",
    "helper", "util", "internal", "my", "a", "an",
];

/// Words with the same meaning in names of functions.
const SYNONYMS: &[&[&str]] = &[
    &["size", "length", "len", "count"],
    &[
        "remove", "strip", "delete", "drop", "without", "clear", "discard", "clean", "cleaned",
    ],
    &["fetch", "load", "lookup", "obtain", "extract"],
    &["validate", "valid", "ensure", "verify", "contains"],
    &["text", "string", "str", "line"],
    &["list", "array", "slice", "seq", "sequence", "items", "rows"],
    &["dict", "map", "mapping"],
    &["split", "chunk", "batch", "group", "partition", "chunked"],
    &[
        "truncate",
        "shorten",
        "trim",
        "clip",
        "cut",
        "abbreviate",
        "ellipsize",
    ],
    &["max", "largest", "biggest", "maximum", "highest"],
    &["min", "smallest", "minimum", "lowest"],
    &["merge", "combine", "patch", "join", "concat"],
    &[
        "fmt", "format", "render", "human", "humanize", "display", "pretty",
    ],
    &["fast", "quick", "fastest", "quickest"],
    &["path", "file", "filename"],
    &["ext", "extension", "suffix"],
    &[
        "unique",
        "uniq",
        "dedupe",
        "dedup",
        "distinct",
        "deduplicate",
    ],
    &[
        "normalize",
        "normalise",
        "canonical",
        "canonicalize",
        "sanitize",
    ],
    &["sort", "sorted", "ordered", "order"],
    &["pad", "fill", "justify"],
    &["config", "settings", "options", "conf"],
    &["error", "err", "exception", "failure"],
    &["flatten", "flat"],
    &["dir", "directory", "folder"],
    &["env", "environment"],
    &["cmd", "command"],
    &["url", "uri"],
    &["num", "number", "int"],
    &["msg", "message"],
    &["time", "duration", "elapsed"],
];

/// Relation of two functions, by their places and names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Relation {
    /// In different files, with different names.
    #[default]
    Apart,
    /// In different files, with names that begin or end the same and differ in the rest.
    Family,
    /// Methods of different types.
    Methods,
    /// In one file, with different names.
    Beside,
    /// In one file, with names that share a word: most likely variants written together on purpose.
    Siblings,
}

/// Words of a name in lower case.
pub(super) fn words_of(name: &str) -> Vec<String> {
    split(name)
}

/// The words that describe a function, with synonyms unified; ascending.
pub(super) fn topics(words: &[String]) -> Vec<String> {
    let telling = words
        .iter()
        .filter(|word| !GENERIC.contains(&word.as_str()));
    let mut topics: Vec<String> = telling.map(|word| synonym(word)).collect();
    topics.sort_unstable();
    topics.dedup();
    topics
}

/// Numbers of groups of [`SYNONYMS`].
#[derive(Default)]
struct Groups {
    /// The first one of each word.
    by_word: Map<&'static str, usize>,
    /// The first one of each stem of a word.
    by_stem: Map<String, usize>,
}

static GROUPS: LazyLock<Groups> = LazyLock::new(|| {
    let mut groups = Groups::default();
    for (number, group) in SYNONYMS.iter().enumerate() {
        for word in *group {
            groups.by_word.entry(*word).or_insert(number);
            groups.by_stem.entry(stem(word)).or_insert(number);
        }
    }
    groups
});

fn synonym(word: &str) -> String {
    let stemmed = stem(word);
    let groups = [GROUPS.by_word.get(word), GROUPS.by_stem.get(&stemmed)];
    match groups.into_iter().flatten().min() {
        Some(&group) => SYNONYMS[group][0].to_owned(),
        None => stemmed,
    }
}

/// Relation of two functions, given whether they are in one file, and whether both are methods.
pub(super) fn relation(
    a: &[String],
    b: &[String],
    in_one_file: bool,
    are_methods: bool,
) -> Relation {
    let ends = |list: &[String]| (list.first().cloned(), list.last().cloned());
    let ((first, last), (other_first, other_last)) = (ends(a), ends(b));
    let end_alike = first == other_first || last == other_last;
    let shares = a
        .iter()
        .any(|word| !GENERIC.contains(&word.as_str()) && b.contains(word));
    let differs = |x: &[String], y: &[String]| {
        let mut words = x.iter();
        words.any(|word| !GENERIC.contains(&word.as_str()) && !y.contains(word))
    };
    match (in_one_file, are_methods) {
        (true, _) if end_alike || shares => Relation::Siblings,
        (true, _) => Relation::Beside,
        (false, true) => Relation::Methods,
        _ if shares && end_alike && differs(a, b) && differs(b, a) => Relation::Family,
        _ => Relation::Apart,
    }
}
