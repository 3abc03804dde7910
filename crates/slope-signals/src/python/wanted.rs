//! Python imports that are unread but intentional.

use std::ops::Range;

use crate::words::{Map, identifiers};
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Words in a comment on the line of an import that mark it as intentional.
const WANTED: &[&str] = &[
    "noqa",
    "pylint",
    "pyright",
    "flake8",
    "side effect",
    "side-effect",
    "regist",
    "export",
    "compat",
    "unused",
    "nopep8",
    "keep",
    "type:",
    "nosort",
    "isort",
    "public",
];

/// Signs of a test for a module.
const ABSENCES: &[&str] = &["ImportError", "ModuleNotFoundError"];

/// A file's notes on its imports.
pub(super) struct Wanted<'a> {
    /// A comment keeps every import of the file.
    all: bool,
    /// Nodes that test for the presence of modules.
    probes: Vec<Range<u32>>,
    /// Nodes below `if TYPE_CHECKING:`.
    typing: Vec<Range<u32>>,
    /// Words of strings that may be types to a reader; empty without imports from `typing`.
    texts: Map<&'a str, ()>,
}

impl<'a> Wanted<'a> {
    pub(super) fn of(view: &View<'a>) -> Self {
        let comments = view.of_kind(Construct::Comment).iter();
        let tries = view.of_kind(Construct::Try).iter().copied();
        let probes: Vec<u32> = tries.filter(|&node| is_probe(view, node)).collect();
        let branches = view.of_kind(Construct::If).iter().copied();
        let typing = branches.filter_map(|branch| {
            let condition = view.first(branch)?;
            let is_name = matches!(
                view.k(condition),
                Construct::Identifier | Construct::Attribute
            );
            let name = view.text(condition).rsplit('.').next();
            let body = view.child(branch, Construct::Block);
            body.filter(|_| is_name && name == Some("TYPE_CHECKING"))
        });
        let typing = outermost(view, &typing.collect::<Vec<_>>());
        let mut texts = Map::default();
        if !typing.is_empty() {
            let strings = view.of_kind(Construct::String).iter();
            texts.extend(
                strings
                    .flat_map(|&s| identifiers(view.text(s)))
                    .map(|w| (w, ())),
            );
        }
        Self {
            all: comments.clone().any(|&node| keeps_all(view, node)),
            probes: outermost(view, &probes),
            typing,
            texts,
        }
    }

    /// Whether an import has a purpose beyond the names that it binds. Call this once per
    /// statement, not once per name: one statement, even one line, may bind very many.
    pub(super) fn holds(&self, view: &View<'_>, import: u32) -> bool {
        // A class's import is an attribute, for any user of the class.
        let is_attribute = view.k(view.scope(import)) == Construct::Class;
        self.all
            || is_attribute
            || is_guarded(view, import)
            || within(&self.probes, import)
            || is_wanted(view, import)
            || is_wanted_from_above(view, import)
    }

    /// Whether an import for types only binds, at `name`, a name that a string contains.
    pub(super) fn is_named(&self, view: &View<'_>, import: u32, name: u32) -> bool {
        within(&self.typing, import) && self.texts.contains_key(view.text(name))
    }
}

/// Ranges of ascending nodes, without those nested in another one.
pub(super) fn outermost(view: &View<'_>, nodes: &[u32]) -> Vec<Range<u32>> {
    let mut end = 0;
    let ranges = nodes.iter().filter_map(|&node| {
        let is_outermost = node >= end;
        if is_outermost {
            end = view.end(node);
        }
        is_outermost.then_some(node..end)
    });
    ranges.collect()
}

/// Whether one of the ranges of [`outermost`] contains a node.
pub(super) fn within(ranges: &[Range<u32>], node: u32) -> bool {
    let after = ranges.partition_point(|range| range.start <= node);
    after > 0 && ranges[after - 1].contains(&node)
}

/// Whether a comment is for all imports of its file.
fn keeps_all(view: &View<'_>, comment: u32) -> bool {
    let text = view.text(comment).to_ascii_lowercase();
    let row = view.tree.node(comment).start_row;
    text.contains("do not remove")
        || text.contains("do not edit")
        || text.contains("noqa") && view.tree.row_text(row).starts_with('#') && silences(&text)
}

/// `# flake8: noqa` or `# ruff: noqa`, with no codes or with that of unused imports (F401), in lower case.
fn silences(comment: &str) -> bool {
    let mut parts = comment.trim_start_matches('#').splitn(3, ':');
    let mut next = || parts.next().map(str::trim);
    let is_tool = matches!(next(), Some("flake8" | "ruff"));
    let is_silence = next() == Some("noqa");
    // A code covers all that it begins.
    let covers = |codes: &str| identifiers(codes).any(|code| "f401".starts_with(code));
    is_tool && is_silence && next().is_none_or(covers)
}

/// Whether a `try` has a handler for modules that are not there.
fn is_probe(view: &View<'_>, node: u32) -> bool {
    let mut handlers = view
        .children(node)
        .filter(|&c| view.k(c) == Construct::Catch);
    handlers.any(|handler| {
        let body = view.child(handler, Construct::Block);
        let end = body.unwrap_or_else(|| view.end(handler));
        let mut caught = view.kind_within(Construct::Identifier, handler, end).iter();
        caught.any(|&name| ABSENCES.contains(&view.text(name)))
    })
}

/// A statement of `try`, its handlers or `with`, or under a condition on a version.
fn is_guarded(view: &View<'_>, import: u32) -> bool {
    let block = view.parent(import);
    let holder = view.parent(block);
    matches!(
        view.k(holder),
        Construct::Try | Construct::Catch | Construct::Else | Construct::With
    )
}

/// Words in a comment above imports that mark them as intentional.
const WANTED_BELOW: &[&str] = &[
    "noqa",
    "disable",
    "side effect",
    "side-effect",
    "regist",
    "export",
    "unused",
    "needed",
    "require",
    "ensure",
    "trigger",
    "compat",
    "do not",
    "keep",
];

/// Number of rows above an import in which a comment about it is searched.
const ROWS_ABOVE: u32 = 32;

/// Whether a comment above an import, or above those right before it, marks it as intentional.
fn is_wanted_from_above(view: &View<'_>, import: u32) -> bool {
    let row = view.tree.node(import).start_row;
    let above = (row.saturating_sub(ROWS_ABOVE)..row).rev();
    let texts = above.map(|row| view.tree.row_text(row).trim_start());
    let is_import = |text: &&str| text.starts_with("import ") || text.starts_with("from ");
    let comments = texts.skip_while(is_import);
    let mut comments = comments.take_while(|text| text.starts_with('#'));
    comments.any(|text| {
        let text = text.to_ascii_lowercase();
        WANTED_BELOW.iter().any(|word| text.contains(word))
    })
}

/// Whether a comment on one of the statement's lines marks it as intentional.
fn is_wanted(view: &View<'_>, import: u32) -> bool {
    let node = view.tree.node(import);
    // Only the beginning of very long statements, to bound the time.
    let rows = node.start_row..=node.end_row.min(node.start_row.saturating_add(ROWS_ABOVE));
    rows.into_iter().any(|row| {
        let text = view.tree.row_text(row);
        let comment = text.split_once('#').map_or("", |(_, comment)| comment);
        let comment = comment.to_ascii_lowercase();
        WANTED.iter().any(|word| comment.contains(word))
    })
}
