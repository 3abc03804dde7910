//! Words and operators that a grammar lacks.

use std::sync::OnceLock;

use regex::Regex;

use super::{Edit, Rewriter};
use crate::language::Language;
use crate::languages::TABLE;

/// A pattern, and the replacement of its first group.
pub(crate) type Replacement = (&'static str, &'static str);

type Compiled = Vec<(Regex, &'static str)>;

/// The patterns of each language of the table, compiled when a text of it first needs them.
static COMPILED: [OnceLock<Compiled>; TABLE.len()] = [const { OnceLock::new() }; TABLE.len()];

fn compiled(language: Language) -> &'static Compiled {
    COMPILED[language.index()].get_or_init(|| {
        let rows = language.spec().replacements.iter().copied().flatten();
        // A test compiles each.
        rows.filter_map(|(find, with)| Some((Regex::new(find).ok()?, *with)))
            .collect()
    })
}

pub(super) fn rewrite(language: Language, out: &mut Rewriter<'_>) {
    for (find, with) in compiled(language) {
        let found = find.captures_iter(out.text());
        let edits: Vec<_> = found
            .filter_map(|groups| Some(Edit::new(groups.get(1)?.range(), *with)))
            .collect();
        out.replace(&edits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for language in Language::all() {
            let rows = language.spec().replacements.iter().copied().flatten();
            assert_eq!(compiled(language).len(), rows.count(), "{language:?}");
        }
    }
}
