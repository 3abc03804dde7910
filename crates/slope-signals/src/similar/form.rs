//! The comparable form of a function.

use serde::{Deserialize, Serialize};
use slope_model::finding::Span;
use slope_syntax::{CallableFacts, LineSet, SyntaxTree};

use crate::fact_rules::gatherer;
use crate::facts::{Evidence, Returns};
use crate::plain;
use crate::summary::{Renumbered, constructs, evidence};
use crate::words::{stem, words};
use slope_syntax::Construct;
use slope_syntax::conventions::FactRules;
use slope_syntax::view::View;

/// Nodes in a piece of normalised structure.
const GRAM: usize = 4;

/// Maximum number of pieces of structure kept of a function: those of about 100 lines.
const MAX_GRAMS: usize = 1_000;

/// Maximum number of words kept of a function's documentation.
const MAX_WORDS: usize = 60;

/// A function in comparable form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// Its own name.
    pub name: String,
    /// Dotted name: classes and functions around it, then its own.
    pub callable: String,
    /// First row of its definition up to its body, for people, at most 160 bytes.
    pub signature: String,
    /// Span of the whole function.
    pub span: Span,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Stems of the words of its name.
    pub(super) words: Vec<String>,
    /// Stems of the words of its documentation, each once, in order.
    pub(super) documentation: Vec<String>,
    /// Calls, members, texts and numbers in it.
    pub(super) evidence: Vec<(Evidence, String)>,
    /// Number of each construct in the normalised form.
    pub(super) shape: Vec<u8>,
    /// Hashes of runs of normalised nodes, ascending, with repeats.
    pub(super) grams: Vec<u32>,
    /// Constructs in it.
    pub(super) size: u32,
    /// Hash of the whole function with numbered names.
    pub(super) hash: u64,
    pub(super) returns: Returns,
}

/// The functions of a file in order of position; empty for a language that signals do not support.
#[must_use]
pub fn forms(tree: &SyntaxTree, callables: &[CallableFacts], source: &LineSet) -> Vec<Form> {
    let view = View::new(tree, callables, source);
    let Some(view) = view.filter(|view| view.conventions.rules != FactRules::DeadCode) else {
        return Vec::new();
    };
    let mut gatherer = gatherer(view);
    let mut renumbered = Renumbered::new(gatherer.names.names.len());
    let definitions = gatherer.view.definitions();
    let mut from = 0;
    let mut found = Vec::with_capacity(definitions.len());
    for (node, name) in definitions {
        let list = &gatherer.names.list;
        from += list[from..].partition_point(|o| o.node < node);
        let summary = constructs(&gatherer, &mut renumbered, node);
        let pieces = evidence(&mut gatherer, from, node);
        let view = &gatherer.view;
        let own = view.text(name);
        found.push(Form {
            name: own.to_owned(),
            callable: callable(view, node, own),
            signature: signature(view, node),
            span: view.place(node).span,
            parameters: parameters(view, node),
            words: stems(own, usize::MAX),
            documentation: stems(&documentation(view, node), MAX_WORDS),
            evidence: pieces
                .into_iter()
                .map(|(kind, name)| (kind, gatherer.names.names.get(name).to_owned()))
                .collect(),
            shape: summary.shape,
            grams: grams(view, node),
            size: summary.size,
            hash: summary.clone,
            returns: summary.returns,
        });
    }
    found
}

/// The dotted name of a function, or of a lambda that has a name.
fn callable(view: &View<'_>, node: u32, own: &str) -> String {
    let known = match view.k(node) {
        Construct::Lambda => view.callable(view.parent(node)),
        _ => return view.callable(node).to_owned(),
    };
    if known.is_empty() {
        own.to_owned()
    } else {
        format!("{known}.{own}")
    }
}

/// The first row of a function, without the token that opens its body.
fn signature(view: &View<'_>, node: u32) -> String {
    let text = view.text(node).lines().next().unwrap_or_default();
    let text = text.trim().trim_end_matches(['{', ':']).trim_end();
    text[..text.floor_char_boundary(160)].to_owned()
}

fn parameters(view: &View<'_>, node: u32) -> Vec<String> {
    let held = plain::parameters_of(view, node).into_iter();
    let names = held.map(|(held, _)| {
        let inside = view.kind_within(Construct::Identifier, held, view.end(held));
        let name = inside.first().copied().unwrap_or(held);
        view.text(name).to_owned()
    });
    names
        .filter(|name| !matches!(name.as_str(), "self" | "cls" | "this"))
        .collect()
}

/// The comments right above a function and the text that its body begins with.
fn documentation(view: &View<'_>, node: u32) -> String {
    let mut text = String::new();
    let mut before = view.tree.previous_sibling(view.outer(node));
    let mut row = view.tree.node(view.outer(node)).start_row;
    while let Some(comment) = before.filter(|&before| {
        let at = view.tree.node(before);
        view.k(before) == Construct::Comment && at.end_row + 1 >= row && text.len() < 2_000
    }) {
        text.push_str(view.text(comment));
        text.push(' ');
        row = view.tree.node(comment).start_row;
        before = view.tree.previous_sibling(comment);
    }
    let strings = view.kind_within(Construct::String, node, view.end(node));
    let documents = |&&string: &&u32| view.tree.is_documentation(string);
    let documentation = strings.iter().take(3).find(documents);
    text.push_str(
        documentation
            .map(|&string| view.text(string))
            .unwrap_or_default(),
    );
    let inside = view.kind_within(Construct::Comment, node, view.end(node));
    for &comment in inside.iter().take(3) {
        text.push(' ');
        text.push_str(view.text(comment));
    }
    text
}

/// Stems of the words of a text, each once, in order.
pub(super) fn stems(text: &str, most: usize) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in words(text) {
        let word = stem(&word);
        if word.len() > 1 && !found.contains(&word) {
            found.push(word);
            if found.len() == most {
                break;
            }
        }
    }
    found
}

/// Hashes of all runs of [`GRAM`] nodes of a function, with names unified and comments left out.
fn grams(view: &View<'_>, node: u32) -> Vec<u32> {
    let normalised = view.below(node).filter_map(|(node, kind)| match kind {
        Construct::Comment => None,
        Construct::Other => {
            let known = view.tree.node(node);
            Some(u32::from(known.kind) + 1_000)
        }
        _ => Some(kind as u32),
    });
    let nodes: Vec<u32> = normalised.take(MAX_GRAMS + GRAM).collect();
    let hash = |run: &[u32]| {
        run.iter().fold(0x811c_9dc5_u32, |hash, &kind| {
            (hash ^ kind).wrapping_mul(0x0100_0193).rotate_left(5)
        })
    };
    let mut grams: Vec<u32> = nodes.windows(GRAM).map(hash).collect();
    grams.sort_unstable();
    grams
}
