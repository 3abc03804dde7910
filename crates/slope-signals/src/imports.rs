//! Unused imports in all languages except Python, which has separate rules.

use std::cell::{OnceCell, RefCell};

use crate::facts::{FileSignals, Import, Mention, NO_NAME};
use crate::gather::Gatherer;
use crate::occurrences::Occurrences;
use crate::plain::is_in_import;
use crate::words::{Map, identifiers_of};
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Imports whose names occur nowhere else in the file, documentation included.
pub(crate) fn find(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let Gatherer { view, names, .. } = gatherer;
    let Some(bound_by) = view.conventions.imports.bound_by else {
        return;
    };
    let uses = Uses::of(view, names);
    let mut found = Vec::new();
    for &node in view.of_kind(Construct::Import) {
        for bound in bound_by(view, node) {
            if let Some(name) = names.names.known(view.text(bound)) {
                found.push((node, bound, name, uses.has(node, bound, name)));
            }
        }
    }
    for (node, bound, name, used) in found {
        facts.imports.push(Import {
            name,
            taken: name,
            module: NO_NAME,
            unused: !used,
            dotted: false,
            place: view.place(bound),
            callable: view.callable(node).to_owned(),
        });
    }
}

/// Uses of the imports of a file.
struct Uses<'v, 'a> {
    view: &'v View<'a>,
    names: &'v Occurrences<'a>,
    /// For each name, whether it occurs outside imports.
    outside: Vec<bool>,
    comment_words: OnceCell<Map<&'a str, ()>>,
    has_jsx: OnceCell<bool>,
    /// Rows that were asked for directives. An import may bind very many names.
    wanted: RefCell<Map<(u32, u32), bool>>,
}

impl<'v, 'a> Uses<'v, 'a> {
    fn of(view: &'v View<'a>, names: &'v Occurrences<'a>) -> Self {
        let mut outside = vec![false; names.names.len()];
        for occurrence in names.list.iter().filter(|o| !is_in_import(view, o.node)) {
            outside[occurrence.name as usize] = true;
        }
        Self {
            view,
            names,
            outside,
            comment_words: OnceCell::new(),
            has_jsx: OnceCell::new(),
            wanted: RefCell::default(),
        }
    }

    /// Whether something uses a name that an import binds.
    fn has(&self, import: u32, bound: u32, name: u32) -> bool {
        let text = self.view.text(bound);
        let is_attribute = || {
            self.view.conventions.imports.are_named_in_texts
                && self.names.mentions[name as usize] & Mention::STRING != 0
        };
        self.outside.get(name as usize) == Some(&true)
            || self.is_on_purpose(text)
            || is_attribute()
            || self.view.tree.is_mentioned_around(text)
            || self.is_documented(text)
            || self.is_wanted(import)
    }

    fn is_on_purpose(&self, text: &str) -> bool {
        let has_jsx = || *self.has_jsx.get_or_init(|| has_jsx_in(self.view));
        text == "React" || text.starts_with('_') || JSX_FUNCTIONS.contains(&text) && has_jsx()
    }

    /// Whether a comment in or above an import is a directive to keep it.
    fn is_wanted(&self, import: u32) -> bool {
        let tree = &self.view.tree;
        let at = tree.node(import);
        let rows = (at.start_row.saturating_sub(1), at.end_row);
        let is_wanted = || {
            (rows.0..=rows.1).any(|row| {
                let text = tree.row_text(row);
                ["eslint", "biome", "@ts-", "@jsx", "noinspection"]
                    .iter()
                    .any(|word| text.contains(word))
            })
        };
        let mut known = self.wanted.borrow_mut();
        *known.entry(rows).or_insert_with(is_wanted)
    }

    fn is_documented(&self, text: &str) -> bool {
        let words = self.comment_words.get_or_init(|| comment_words(self.view));
        words.contains_key(text)
    }
}

/// Functions that JSX elements compile to, besides `React`, depending on a project's settings.
const JSX_FUNCTIONS: &[&str] = &["h", "jsx", "createElement", "Fragment"];

fn has_jsx_in(view: &View<'_>) -> bool {
    let mut nodes = view.tree.nodes().iter();
    nodes.any(|node| {
        view.tree
            .language()
            .kind_name(node.kind)
            .starts_with("jsx_")
    })
}

/// Words in comments that are written as names are, `$` among them.
fn comment_words<'a>(view: &View<'a>) -> Map<&'a str, ()> {
    let comments = view.of_kind(Construct::Comment).iter();
    let words = comments.flat_map(|&c| identifiers_of(view.text(c), &['_', '$']));
    words.map(|word| (word, ())).collect()
}
