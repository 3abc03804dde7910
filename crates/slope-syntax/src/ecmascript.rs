//! One numbering of kinds for JavaScript, TypeScript and TSX, whose grammars number them differently.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::language::ECMASCRIPT;
use crate::languages::TABLE;

/// Number of a kind's name in the merged list of all [`ECMASCRIPT`] grammars.
pub(crate) fn number_of_kind(name: &str, named: bool) -> u16 {
    static NAMES: OnceLock<Vec<(String, bool)>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let specs = TABLE.iter().filter(|spec| spec.family == ECMASCRIPT);
        let names = specs.flat_map(|spec| {
            let grammar = (spec.grammar.load)();
            let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
            let name = move |id| {
                let name = grammar.node_kind_for_id(id).unwrap_or_default();
                (name.to_owned(), grammar.node_kind_is_named(id))
            };
            (0..count).map(name)
        });
        let names: BTreeSet<(String, bool)> = names.collect();
        names.into_iter().collect()
    });
    let found = names.binary_search_by(|known| (known.0.as_str(), known.1).cmp(&(name, named)));
    let number = found.unwrap_or_else(|place| place);
    u16::try_from(number).unwrap_or(u16::MAX)
}
