//! Common to most languages.

use crate::language::Roles;
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::tree::{Node, SyntaxTree};

/// `if`, and what reads like it.
pub(crate) const BRANCH: Roles = Roles::IF
    .and(Roles::DECISION)
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Loops.
pub(crate) const LOOP: Roles = Roles::LOOP
    .and(Roles::DECISION)
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Multi-way branches; their arms decide.
pub(crate) const SWITCH: Roles = Roles::SWITCH
    .and(Roles::NESTING)
    .and(Roles::STRUCTURE)
    .and(Roles::CLONE_UNIT);

/// Conditional expressions.
pub(crate) const TERNARY: Roles = Roles::TERNARY.and(Roles::DECISION).and(Roles::STRUCTURE);

/// Blocks with handlers.
pub(crate) const TRY: Roles = Roles::TRY.and(Roles::NESTING).and(Roles::CLONE_UNIT);

/// Handlers of errors.
pub(crate) const CATCH: Roles = Roles::CATCH.and(Roles::DECISION).and(Roles::STRUCTURE);

/// Named functions.
pub(crate) const FUNCTION: Roles = Roles::CALLABLE.and(Roles::CLONE_UNIT);

/// Functions that belong to a type by their form.
pub(crate) const METHOD: Roles = FUNCTION.and(Roles::METHOD);

/// Maximum rows, and maximum statements, of a simple accessor.
const MAX_ACCESSOR_ROWS: u32 = 10;
const MAX_ACCESSOR_STATEMENTS: usize = 3;

/// Whether an accessor is so short that it only gets or sets.
pub(crate) fn is_short_accessor(tree: &SyntaxTree, accessor: u32, body: Option<u32>) -> bool {
    let node = tree.node(accessor);
    let statements = body.map_or(0, |body| tree.parts(body).count());
    node.end_row - node.start_row < MAX_ACCESSOR_ROWS && statements <= MAX_ACCESSOR_STATEMENTS
}

/// The text of what an assignment gives a value to.
pub(crate) fn target(tree: &SyntaxTree, assignment: u32, value: u32) -> Option<String> {
    let target = tree.parts(assignment).next().filter(|&t| t != value)?;
    Some(short_text(tree, target))
}

/// The nearest enclosing nodes, from inside: as many as there are between a statement of an accessor and the accessor
/// itself.
pub(crate) fn around(tree: &SyntaxTree, index: u32) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(tree.parent(index), |&around| tree.parent(around)).take(4)
}

/// Anonymous functions.
pub(crate) const LAMBDA: Roles = Roles::LAMBDA.and(Roles::CLONE_UNIT);

/// A row counts when it contains a token other than a comment, a bracket or a separator
/// ([`Roles::PUNCTUATION`]). A token over several rows, such as a text, counts each row on which it
/// has anything but white space.
pub(crate) fn source_lines(tree: &SyntaxTree, _profile: Profile) -> LineSet {
    let mut rows = LineSet::with_rows(tree.physical_lines());
    let mut index = 0;
    while index < tree.node(0).end {
        let node = tree.node(index);
        let roles = tree.info(index).roles;
        if roles.any(Roles::COMMENT) {
            index = node.end;
            continue;
        }
        let is_leaf = node.end == index + 1 && node.end_byte > node.start_byte;
        if is_leaf && !roles.any(Roles::PUNCTUATION) {
            insert_rows(node, tree.node_text(index), &mut rows);
        }
        index += 1;
    }
    rows
}

/// Adds the rows of a token that are not blank.
fn insert_rows(node: &Node, text: &str, rows: &mut LineSet) {
    // Nearly all tokens.
    if node.start_row == node.end_row && text.starts_with(|c: char| c.is_ascii_graphic()) {
        rows.insert(node.start_row);
        return;
    }
    for (row, part) in (node.start_row..=node.end_row).zip(text.split('\n')) {
        if !part.trim().is_empty() {
            rows.insert(row);
        }
    }
}

/// For a question that a language never says yes to.
pub(crate) fn never(_tree: &SyntaxTree, _index: u32) -> bool {
    false
}

/// The first identifier that is a direct child.
pub(crate) fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let child = tree.child_with(index, Roles::IDENTIFIER)?;
    Some(tree.node_text(child).to_owned())
}

/// The parts of the first list of parameters.
pub(crate) fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    tree.child_with(index, Roles::PARAMETERS)
        .map_or(0, |list| count(tree.parts(list)))
}

/// Number of items.
pub(crate) fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

/// Roles of `else`: it costs 1, and an `if` after it continues the chain.
pub(crate) const ELSE: Roles = Roles::HYBRID;

/// Whether a jump has a label: a child of the given kind.
pub(crate) fn jump(tree: &SyntaxTree, index: u32, roles: Roles, label: &str) -> Roles {
    if tree.child_of_kind(index, label).is_some() {
        roles.and(Roles::LABEL_JUMP)
    } else {
        roles
    }
}

/// Whether an operator is in the condition of a preprocessor directive, which decides before the
/// program runs.
pub(crate) fn is_preprocessed(tree: &SyntaxTree, operator: u32) -> bool {
    let mut here = operator;
    for _ in 0..MAX_CONDITION {
        let Some(parent) = tree.parent(here) else {
            return false;
        };
        if matches!(tree.kind_name(parent), "preproc_if" | "preproc_elif") {
            return true;
        }
        let inner = Roles::LOGICAL.and(Roles::PARENTHESES);
        if !tree.info(parent).roles.any(inner) && tree.kind_name(parent) != "unary_expression" {
            return false;
        }
        here = parent;
    }
    false
}

/// Operators deeper in a condition than this count as code, which keeps the work linear.
const MAX_CONDITION: usize = 64;

/// A node's text as part of a name: on one line, and cut when long.
pub(crate) fn short_text(tree: &SyntaxTree, index: u32) -> String {
    let text = tree.node_text(index);
    let words: Vec<&str> = text.split_whitespace().take(MAX_WORDS).collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_NAME) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}

/// Maximum characters, and maximum words, of a text that becomes part of a name.
const MAX_NAME: usize = 60;
const MAX_WORDS: usize = 12;

/// Whether a pattern is a name in lower case or `_`, which matches everything.
pub(crate) fn is_bare_name(pattern: &str) -> bool {
    let starts = pattern.starts_with(|c: char| c == '_' || c.is_lowercase());
    let is_word = pattern.chars().all(|c| c == '_' || c.is_alphanumeric());
    starts && is_word && !matches!(pattern, "true" | "false")
}

/// Whether a node is in a short accessor of these kinds, or is one. `body` finds the block of an accessor.
pub(super) fn is_in_short_accessor(
    tree: &SyntaxTree,
    index: u32,
    kinds: &[&str],
    body: impl Fn(u32) -> Option<u32>,
) -> bool {
    let mut nodes = std::iter::once(index).chain(around(tree, index));
    nodes
        .find(|&node| kinds.contains(&tree.kind_name(node)))
        .is_some_and(|accessor| is_short_accessor(tree, accessor, body(accessor)))
}
