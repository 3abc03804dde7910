//! Imports of Python code.

use std::cell::LazyCell;

use crate::facts::{ALL, FileSignals, Import, Mention, NO_NAME};
use crate::gather::Gatherer;
use crate::python::wanted::{Wanted, outermost, within};
use crate::words::{Map, identifiers, is_name};
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Modules that are imported for their side effects.
const FOR_EFFECT: &[&str] = &[
    "readline",
    "rlcompleter",
    "this",
    "antigravity",
    "sitecustomize",
    // Projections of Matplotlib.
    "mplot3d",
    "Axes3D",
    // Parts of scikit-learn that are experiments.
    "enable_halving_search_cv",
    "enable_iterative_imputer",
];

/// A name bound by an import: nodes of the bound name, of the imported one, and of the module's
/// last part.
struct Bound {
    name: u32,
    taken: u32,
    module: Option<u32>,
    /// `import a.b` binds `a`.
    whole: bool,
    /// `import x as x` and `from m import x as x` export.
    exports: bool,
}

/// Collects imports, exports, and which names are taken from which modules.
pub(super) fn gather(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    exports(gatherer);
    quoted_types(gatherer);
    let wanted = Wanted::of(&gatherer.view);
    let texts = referring_texts(gatherer);
    let Gatherer { view, names, .. } = gatherer;
    let mut modules: Map<u32, u32> = Map::default();
    let mut commented: Option<Map<&str, ()>> = None;
    let mut nodes = [
        view.of_kind(Construct::Import),
        view.of_kind(Construct::ImportFrom),
    ]
    .concat();
    nodes.sort_unstable();
    for node in nodes {
        let whole = taken_whole(view, node).map(|module| names.number(view, module));
        let all = whole.map(|module| (module, names.names.number(ALL)));
        facts.pairs.extend(all);
        let is_wanted = LazyCell::new(|| wanted.holds(view, node));
        for bound in bound_by(view, node) {
            let name = names.names.number(view.text(bound.name));
            let taken = names.names.number(view.text(bound.taken));
            let module = bound
                .module
                .map_or(NO_NAME, |m| names.names.number(view.text(m)));
            modules
                .entry(name)
                .or_insert(if bound.whole { name } else { taken });
            if module != NO_NAME {
                facts.pairs.push((module, taken));
            }
            let text = view.text(bound.name);
            let function = view.function(node);
            let (first, end) = match function {
                Some(function) => (function, view.end(function)),
                None => (0, view.end(0)),
            };
            let mentioned = names.mentions.get(name as usize).copied().unwrap_or(0);
            let used = bound.exports
                || is_for_others(text, bound.whole)
                || !names.reads(name, first, end).is_empty()
                || mentioned & (Mention::EXPORTED | Mention::STRING) != 0
                || texts.contains_key(text)
                || wanted.is_named(view, node, bound.name)
                || *is_wanted
                || commented
                    .get_or_insert_with(|| commented_words(view))
                    .contains_key(text);
            facts.imports.push(Import {
                name,
                taken,
                module,
                unused: !used,
                dotted: bound.whole && bound.name != bound.taken,
                place: view.place(bound.name),
                callable: view.callable(node).to_owned(),
            });
        }
    }
    attribute_pairs(gatherer, facts, &modules);
    facts.acts = acts(&gatherer.view);
}

/// Whether a call, or an assignment to a part of something, is at the top level.
fn acts(view: &View<'_>) -> bool {
    let statements = view
        .children(0)
        .filter(|&node| view.k(node) == Construct::ExprStmt);
    let mut parts = statements.filter_map(|node| view.children(node).next());
    parts.any(|part| match view.k(part) {
        Construct::Call => true,
        Construct::Assign => {
            let target = view.children(part).next();
            target.is_some_and(|target| {
                matches!(view.k(target), Construct::Attribute | Construct::Subscript)
            })
        }
        _ => false,
    })
}

/// Whether a name is imported for its side effects, or for users of this module (`__version__`).
fn is_for_others(name: &str, is_module: bool) -> bool {
    is_module && name.starts_with('_')
        || FOR_EFFECT.contains(&name)
        || name == "_"
        || name.starts_with("__")
}

/// Pairs `module.name` from attributes; the module by its own name if it was imported under
/// another.
fn attribute_pairs(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals, modules: &Map<u32, u32>) {
    let Gatherer { view, names, .. } = gatherer;
    for &node in view.of_kind(Construct::Attribute) {
        let base = match view.k(node + 1) {
            Construct::Identifier => Some(node + 1),
            Construct::Attribute => view.last_child(node + 1, Construct::Identifier),
            _ => None,
        };
        let (Some(base), Some(name)) = (base, view.last_child(node, Construct::Identifier)) else {
            continue;
        };
        let number = names.number(view, base);
        let base = match modules.get(&number) {
            Some(&module) => module,
            // A name after a dot may be a module; a plain name is one only if imported.
            None if base != node + 1 => number,
            None => continue,
        };
        let name = names.number(view, name);
        facts.pairs.push((base, name));
    }
    facts.pairs.sort_unstable();
    facts.pairs.dedup();
}

/// Names in `__all__`.
fn exports(gatherer: &mut Gatherer<'_>) {
    let Gatherer { view, names, .. } = gatherer;
    let assigned = [Construct::Assign, Construct::AugAssign].map(|kind| (kind, "__all__"));
    let mut nodes = Vec::new();
    for (kind, start) in assigned.into_iter().chain([(Construct::Call, "__all__.")]) {
        let named = |&&node: &&u32| view.text(node + 1).starts_with(start);
        nodes.extend(view.of_kind(kind).iter().filter(named).copied());
    }
    nodes.sort_unstable();
    for node in nodes {
        for &string in view.kind_within(Construct::String, node + 1, view.end(node)) {
            let text = view.text(string).trim_matches(['"', '\'']);
            let number = names.names.number(text);
            names.mention(number, Mention::EXPORTED);
        }
    }
}

/// Names in quoted types, however long these are.
fn quoted_types(gatherer: &mut Gatherer<'_>) {
    let Gatherer { view, names, .. } = gatherer;
    let types = outermost(view, view.of_kind(Construct::Type));
    for &string in view.of_kind(Construct::String) {
        let text = view.text(string);
        if within(&types, string) || looks_like_a_type(text) {
            for word in identifiers(text).filter(|word| is_name(word)) {
                let number = names.names.number(word);
                names.mention(number, Mention::STRING);
            }
        }
    }
}

/// Whether a string may be a type with arguments: `"tuple[float, *tuple[float, ...]]"`.
fn looks_like_a_type(string: &str) -> bool {
    let inner = string.trim_matches(['"', '\'']);
    let refers = |c: char| c.is_alphanumeric() || "_.:[], |()'\"*\n".contains(c);
    inner.ends_with(']') && inner.starts_with(char::is_alphabetic) && inner.chars().all(refers)
}

/// Words of texts that are code themselves: doctests, and type comments.
fn referring_texts<'a>(gatherer: &Gatherer<'a>) -> Map<&'a str, ()> {
    let view = &gatherer.view;
    let mut found = Map::default();
    for (kind, sign) in [(Construct::String, ">>>"), (Construct::Comment, "type:")] {
        let texts = view.of_kind(kind).iter().map(|&node| view.text(node));
        // A search for one character is faster than for several.
        let last = sign.chars().next_back().unwrap_or_default();
        for text in texts.filter(|text| text.contains(last) && text.contains(sign)) {
            found.extend(identifiers(text).map(|word| (word, ())));
        }
    }
    found
}

/// Words of comments that have code in them, or may have.
fn commented_words<'a>(view: &View<'a>) -> Map<&'a str, ()> {
    let comments = view.of_kind(Construct::Comment).iter();
    let texts = comments.map(|&comment| view.text(comment));
    // An apostrophe alone is prose.
    let is_code = |text: &&str| text.contains(['(', '=', '[', '{', '"']) || text.contains("':");
    let texts = texts.filter(is_code);
    texts.flat_map(identifiers).map(|word| (word, ())).collect()
}

/// The last part of the module that all names are taken from: `from a.b import *`.
fn taken_whole(view: &View<'_>, import: u32) -> Option<u32> {
    let is_whole = view.child(import, Construct::Wildcard).is_some();
    let module = view.parts(import).next().filter(|_| is_whole)?;
    let inner = view
        .last_child(module, Construct::DottedName)
        .unwrap_or(module);
    view.last_child(inner, Construct::Identifier)
}

fn bound_by(view: &View<'_>, import: u32) -> Vec<Bound> {
    let mut parts = view.parts(import);
    let module = if view.k(import) == Construct::ImportFrom {
        parts.next().and_then(|module| {
            let inner = view
                .last_child(module, Construct::DottedName)
                .unwrap_or(module);
            view.last_child(inner, Construct::Identifier)
        })
    } else {
        None
    };
    let from = view.k(import) == Construct::ImportFrom;
    let one = |part: u32| -> Option<Bound> {
        match view.k(part) {
            Construct::DottedName => {
                let first = view.child(part, Construct::Identifier)?;
                let last = view.last_child(part, Construct::Identifier)?;
                Some(Bound {
                    name: first,
                    taken: last,
                    module,
                    whole: !from,
                    exports: false,
                })
            }
            Construct::Alias => {
                let dotted = view.child(part, Construct::DottedName)?;
                let name = view.last_child(part, Construct::Identifier)?;
                let taken = view.last_child(dotted, Construct::Identifier)?;
                Some(Bound {
                    name,
                    taken,
                    module,
                    whole: false,
                    exports: view.text(dotted) == view.text(name),
                })
            }
            _ => None,
        }
    };
    parts.filter_map(one).collect()
}
