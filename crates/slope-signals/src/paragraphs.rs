//! Consecutive statements without a gap, and the comments that head them.

use slope_syntax::Construct;
use slope_syntax::view::View;

/// Minimum number of statements below a comment that is their heading.
const FEWEST: usize = 2;

/// Whether a comment on separate lines heads a paragraph: statements of one block without an empty
/// line or another comment between them.
pub(crate) fn heads_one(view: &View<'_>, comment: u32) -> bool {
    let Some(first) = statement_below(view, comment) else {
        return false;
    };
    if !holds_statements(view, view.parent(first)) {
        return false;
    }
    // Stops as soon as the answer is certain: a block may contain any number of statements.
    let mut last = first;
    for _ in 1..FEWEST {
        match next_part(view, last) {
            Some(next) if follows(view, last, next) => last = next,
            _ => return false,
        }
    }
    true
}

/// The next sibling of a node except comments and punctuation.
fn next_part(view: &View<'_>, node: u32) -> Option<u32> {
    let mut next = view.tree.next_sibling(node)?;
    while !view.tree.node(next).named || view.k(next) == Construct::Comment {
        next = view.tree.next_sibling(next)?;
    }
    Some(next)
}

/// The statement that begins on the line below a comment.
fn statement_below(view: &View<'_>, comment: u32) -> Option<u32> {
    let row = view.tree.node(comment).end_row + 1;
    let count = u32::try_from(view.tree.nodes().len()).unwrap_or(u32::MAX);
    let is_code = |&node: &u32| view.tree.node(node).named && view.k(node) != Construct::Comment;
    let mut node = (view.end(comment)..count).find(is_code)?;
    // The first statement of a block starts at the same position, if the block has no opening
    // token.
    while holds_statements(view, node)
        && let Some(first) = view.first(node)
        && view.tree.node(first).start_byte == view.tree.node(node).start_byte
    {
        node = first;
    }
    (view.tree.node(node).start_row == row).then_some(node)
}

fn holds_statements(view: &View<'_>, node: u32) -> bool {
    matches!(
        view.k(node),
        Construct::Block | Construct::Statements | Construct::Module | Construct::Case
    )
}

/// Whether a statement begins on the line where the previous one ends, or on the next line.
fn follows(view: &View<'_>, before: u32, next: u32) -> bool {
    let (end, start) = (
        view.tree.node(before).end_row,
        view.tree.node(next).start_row,
    );
    // A comment may be part of the statement before, at its end.
    let mut comments = view.kind_within(Construct::Comment, before, next).iter();
    let parted = comments.any(|&comment| {
        let (text, at) = (view.text(comment), view.tree.node(comment));
        let line = view.tree.row_text(at.start_row).trim_start();
        let begins = text.split('\n').next().unwrap_or(text);
        at.end_row + 1 == start && line.starts_with(begins.trim_end())
    });
    start <= end + 1 && !parted
}
