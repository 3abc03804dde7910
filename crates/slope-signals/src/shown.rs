//! Comments that show code and take none out: examples of syntax, signatures, and values in words.

use crate::comments::Block;
use crate::kind::K;
use crate::restating::code_below;
use crate::view::View;
use crate::words::identifiers_of;

/// Functions that print. A call of one is commented-out code, whatever it prints.
const PRINTING: &[&str] = &["print", "println", "puts", "p", "pp", "panic"];

/// Words of a text from which on it is an explanation.
const MIN_WORDS: usize = 3;

/// Whether a comment shows code to explain other code. `inner` is its text, parsed.
pub(crate) fn is_shown(view: &View<'_>, block: &Block<'_>, inner: &View<'_>) -> bool {
    let statements: Vec<u32> = inner
        .parts(0)
        .filter(|&part| inner.k(part) != K::Comment)
        .map(|part| expression(inner, part))
        .collect();
    let all =
        |is: &dyn Fn(u32) -> bool| !statements.is_empty() && statements.iter().all(|&s| is(s));
    if all(&|statement| is_explained(inner, statement)) {
        return true;
    }
    if all(&|statement| inner.k(statement) == K::Assign) && has_notes(inner, block.lines.len()) {
        return true;
    }
    let ([statement], [_]) = (&statements[..], &block.lines[..]) else {
        return false;
    };
    match inner.k(*statement) {
        K::Class => true,
        K::Function => is_empty(inner, *statement),
        K::Import => is_misplaced_import(view, block),
        K::Call => is_signature(view, block, inner, *statement),
        _ => false,
    }
}

/// The expression that a statement is.
fn expression(view: &View<'_>, statement: u32) -> u32 {
    let mut node = statement;
    while matches!(view.k(node), K::Wrapped | K::ExprStmt)
        && let Some(only) = view.first(node)
    {
        node = only;
    }
    node
}

/// Whether a name is given a text of several words, as in `index = "as found on disk"`.
fn is_explained(view: &View<'_>, assignment: u32) -> bool {
    if view.k(assignment) != K::Assign {
        return false;
    }
    let value = view.parts(assignment).last();
    let Some(value) = value.filter(|&value| view.k(value) == K::String) else {
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

/// Whether each line has a comment of its own after the code.
fn has_notes(view: &View<'_>, lines: usize) -> bool {
    let notes = view.of_kind(K::Comment).iter().filter(|&&comment| {
        let row = view.tree.row_text(view.tree.node(comment).start_row);
        let before = row.split(view.text(comment)).next().unwrap_or_default();
        before.contains(char::is_alphanumeric)
    });
    lines > 0 && notes.count() == lines
}

/// Whether a function has nothing in its body.
fn is_empty(view: &View<'_>, function: u32) -> bool {
    view.last_child(function, K::Block)
        .is_some_and(|block| view.parts(block).all(|part| view.k(part) == K::Pass))
}

/// Whether an import is in a function, where modules of scripts have none.
fn is_misplaced_import(view: &View<'_>, block: &Block<'_>) -> bool {
    let is_script = matches!(
        view.tree.language().id(),
        "javascript" | "typescript" | "tsx"
    );
    is_script
        && block
            .nodes
            .first()
            .is_some_and(|&node| view.scope(node) != 0)
}

/// Whether a call names parameters: a name is passed that the function around it does not have. The file calls no
/// such function, or the line below calls the method with other values.
fn is_signature(view: &View<'_>, block: &Block<'_>, inner: &View<'_>, call: u32) -> bool {
    let Some(list) = inner.child(call, K::Arguments) else {
        return false;
    };
    let callee = inner.text(call + 1);
    let is_name = identifiers_of(callee, &['_', '$']).eq([callee]);
    let is_called = || {
        let mut calls = view.of_kind(K::Call).iter();
        calls.any(|&call| view.text(call + 1) == callee)
    };
    let is_called_below =
        || code_below(view, block).is_some_and(|code| code.contains(&format!("{callee}(")));
    let mut passed = inner.parts(list).peekable();
    let has_some = passed.peek().is_some();
    let names: Vec<&str> = passed
        .map_while(|part| (inner.k(part) == K::Identifier).then(|| inner.text(part)))
        .collect();
    let ends = inner.tree.text().trim_end();
    has_some
        && names.len() == inner.parts(list).count()
        && ends.ends_with(')')
        && !PRINTING.contains(&callee)
        && names.iter().any(|name| !is_known(view, block, name))
        && match is_name {
            true => !is_called(),
            false => is_called_below(),
        }
}

/// Whether the function around a comment, or else the file, has a name.
fn is_known(view: &View<'_>, block: &Block<'_>, name: &str) -> bool {
    let function = block.nodes.first().and_then(|&node| view.function(node));
    match function {
        Some(function) => {
            let mut names = view
                .kind_within(K::Identifier, function, view.end(function))
                .iter();
            names.any(|&node| view.text(node) == name)
        }
        None => view.has_word(name),
    }
}
