//! Names in the texts of a file that are used at run time.

use crate::words::{Map, identifiers, in_braces};
use slope_syntax::Construct;
use slope_syntax::conventions::TextNames;
use slope_syntax::view::View;

/// Words in strings of a file that may name code of the file, each with its strings, in order. A
/// string that is a statement is documentation.
pub(crate) struct TextWords<'a>(Map<&'a str, Vec<u32>>);

impl<'a> TextWords<'a> {
    pub(crate) fn of(view: &View<'a>) -> Self {
        let names = view.conventions.text_names;
        let mut words: Map<&str, Vec<u32>> = Map::default();
        for &string in view.of_kind(Construct::String) {
            if view.k(view.parent(string)) == Construct::ExprStmt {
                continue;
            }
            let mut add = |word| {
                let strings = words.entry(word).or_default();
                if strings.last() != Some(&string) {
                    strings.push(string);
                }
            };
            let text = view.text(string);
            match names {
                TextNames::Words => identifiers(text).for_each(&mut add),
                TextNames::Braces => in_braces(text).for_each(&mut add),
                TextNames::None => {}
            }
        }
        Self(words)
    }

    /// Whether a name is a word of a string from node `first` to before node `end`.
    pub(crate) fn has(&self, name: &str, first: u32, end: u32) -> bool {
        let Some(strings) = self.0.get(name) else {
            return false;
        };
        let from = strings.partition_point(|&string| string < first);
        strings.get(from).is_some_and(|&string| string < end)
    }
}
