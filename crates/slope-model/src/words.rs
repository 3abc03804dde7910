//! Words that messages share.

use std::collections::BTreeSet;
use std::fmt::Display;

/// Maximum number of ids suggested for an unknown one.
const MAX_SUGGESTIONS: usize = 5;

/// A number with its noun: `1 file`, `2 files`, `2 classes`, `2 copies`.
pub fn plural<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    format!("{n} {}", noun_for(&n, noun))
}

/// The form of a noun for a number: `file` for 1, `files` for others.
pub fn noun_for<N: PartialEq + From<u8>>(n: &N, noun: &str) -> String {
    let before_y = noun
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match before_y {
        _ if *n == N::from(1) => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with("ss") || noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// Names similar to an unknown one, nearest first. Hyphens and underscores are equal.
#[must_use]
pub fn near_names<'a>(names: impl IntoIterator<Item = &'a str>, name: &str) -> Vec<&'a str> {
    let name = name.to_lowercase().replace('_', "-");
    let names: BTreeSet<&str> = names.into_iter().collect();
    let most = 2 + name.len() / 5;
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|original| {
            let known = original.replace('_', "-");
            let distance = strsim::osa_distance(&known, &name);
            let has = |whole: &str, part: &str| format!("-{whole}").contains(&format!("-{part}"));
            let part = name.len() >= 3 && (has(&known, &name) || has(&name, &known));
            // Words of a name are nearly as good as a slip of the finger.
            let rank = if part { distance.min(2) } else { distance };
            (part || distance <= most).then_some((rank, original))
        })
        .collect();
    near.sort_unstable();
    near.into_iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, known)| known)
        .collect()
}

/// Names of languages by their ids, where a capital letter is not all that differs.
const LANGUAGES: &[(&str, &str)] = &[
    ("cpp", "C++"),
    ("csharp", "C#"),
    ("javascript", "JavaScript"),
    ("php", "PHP"),
    ("tsx", "TSX"),
    ("typescript", "TypeScript"),
];

/// The name of a language for readers: `TypeScript` for `typescript`.
#[must_use]
pub fn language_name(id: &str) -> String {
    let known = LANGUAGES.iter().find(|(known, _)| *known == id);
    if let Some((_, name)) = known {
        return (*name).to_owned();
    }
    let mut chars = id.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(plural(1, "file"), "1 file");
        assert_eq!(plural(0, "file"), "0 files");
        assert_eq!(plural(2, "class"), "2 classes");
        assert_eq!(plural(2, "repository"), "2 repositories");
        assert_eq!(plural(2, "day"), "2 days");
        assert_eq!(plural(2, "match"), "2 matches");
    }

    #[test]
    fn languages_have_names() {
        for (id, name) in [
            ("cpp", "C++"),
            ("go", "Go"),
            ("typescript", "TypeScript"),
            ("c", "C"),
        ] {
            assert_eq!(language_name(id), name);
        }
    }
}
