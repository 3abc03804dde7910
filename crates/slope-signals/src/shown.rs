//! Comments that show code to explain something: examples of syntax, signatures, and values in words.

use crate::comments::Block;
use crate::restating::code_below;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Functions that print. A call of one is commented-out code, whatever its arguments.
const PRINTING: &[&str] = &["print", "println", "puts", "p", "pp", "panic"];

/// Words of a text from which on it is an explanation.
const MIN_WORDS: usize = 3;

/// Whether a comment shows code to explain other code. `inner` is its text, parsed.
pub(crate) fn is_shown(view: &View<'_>, block: &Block<'_>, inner: &View<'_>) -> bool {
    let statements: Vec<u32> = inner
        .parts(0)
        .filter(|&part| inner.k(part) != Construct::Comment)
        .map(|part| expression(inner, part))
        .collect();
    let all =
        |is: &dyn Fn(u32) -> bool| !statements.is_empty() && statements.iter().all(|&s| is(s));
    if all(&|statement| is_explained(inner, statement)) {
        return true;
    }
    if is_argument(view, block)
        && all(&|statement| inner.k(statement) == Construct::Assign)
        && has_notes(inner, block.lines.len())
    {
        return true;
    }
    let ([statement], [_]) = (&statements[..], &block.lines[..]) else {
        return false;
    };
    match inner.k(*statement) {
        Construct::Class => {
            let methods = inner.kind_within(Construct::Function, *statement, inner.end(*statement));
            methods.iter().all(|&method| is_empty(inner, method))
        }
        Construct::Function => is_empty(inner, *statement),
        Construct::Call => is_signature(view, block, inner, *statement),
        _ => false,
    }
}

/// The expression that a statement is.
fn expression(view: &View<'_>, statement: u32) -> u32 {
    let mut node = statement;
    while matches!(view.k(node), Construct::Wrapped | Construct::ExprStmt)
        && let Some(only) = view.first(node)
    {
        node = only;
    }
    node
}

/// Whether a name is assigned a text of several words, as in `index = "as found on disk"`.
fn is_explained(view: &View<'_>, assignment: u32) -> bool {
    if view.k(assignment) != Construct::Assign {
        return false;
    }
    let value = view.parts(assignment).last();
    let Some(value) = value.filter(|&value| view.k(value) == Construct::String) else {
        return false;
    };
    let text = view.text(value).trim_matches(['"', '\'', '`']);
    let is_word = |word: &str| {
        let word = word.trim_end_matches([',', '.', ';', ':']);
        word.chars()
            .all(|c| c.is_alphabetic() || matches!(c, '-' | '\''))
    };
    text.split(' ').count() >= MIN_WORDS && text.split(' ').all(is_word)
}

/// Whether each line has a comment after the code.
fn has_notes(view: &View<'_>, lines: usize) -> bool {
    let notes = view.of_kind(Construct::Comment).iter().filter(|&&comment| {
        let row = view.tree.row_text(view.tree.node(comment).start_row);
        let before = row.split(view.text(comment)).next().unwrap_or_default();
        before.contains(char::is_alphanumeric)
    });
    lines > 0 && notes.count() == lines
}

/// Whether a function's body is empty.
fn is_empty(view: &View<'_>, function: u32) -> bool {
    view.last_child(function, Construct::Block)
        .is_some_and(|block| {
            view.parts(block)
                .all(|part| view.k(part) == Construct::Pass)
        })
}

/// Whether a comment is between the arguments of a call.
fn is_argument(view: &View<'_>, block: &Block<'_>) -> bool {
    let first = block.nodes.first();
    first.is_some_and(|&node| view.k(view.parent(node)) == Construct::Arguments)
}

/// Whether a call lists the parameters of the function around the comment, or of the function that
/// the next line calls or defines: it passes a name that the file does not have.
fn is_signature(view: &View<'_>, block: &Block<'_>, inner: &View<'_>, call: u32) -> bool {
    let Some(list) = inner.child(call, Construct::Arguments) else {
        return false;
    };
    let callee = inner.text(call + 1);
    let mut names = inner.parts(list);
    let all_names = inner
        .parts(list)
        .all(|part| inner.k(part) == Construct::Identifier);
    all_names
        && inner.tree.text().trim_end().ends_with(')')
        && !PRINTING.contains(&callee)
        && names.any(|name| !view.has_word(inner.text(name)))
        && (is_around(view, block, callee) || is_below(view, block, callee))
}

/// Whether the function around a comment has a name.
fn is_around(view: &View<'_>, block: &Block<'_>, name: &str) -> bool {
    let function = block.nodes.first().and_then(|&node| view.function(node));
    let own = function.and_then(|function| view.name_of(function));
    own.is_some_and(|own| view.text(own) == name)
}

/// Whether the line below a comment calls or defines a function of a name.
fn is_below(view: &View<'_>, block: &Block<'_>, name: &str) -> bool {
    let Some(code) = code_below(view, block) else {
        return false;
    };
    code.match_indices(name).any(|(at, _)| {
        let before = code.get(..at).unwrap_or_default();
        let after = code.get(at + name.len()..).unwrap_or_default();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        !before.ends_with(is_part) && after.starts_with(['(', '<'])
    })
}
