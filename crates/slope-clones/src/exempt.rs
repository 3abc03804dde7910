//! Code that is similar by convention rather than copied: stubs, imports, and imports that may
//! fail.

use slope_syntax::{Roles, SyntaxTree};

/// Words that begin an import in some language.
const IMPORTS: &[&str] = &["import", "from", "use", "package", "#include"];

/// Whether a construct is left out although it may occur more than once.
pub(crate) fn is_exempt_unit(tree: &SyntaxTree, unit: u32) -> bool {
    tree.is_exempt_unit(unit) || is_stub(tree, unit) || is_optional_import(tree, unit)
}

/// Whether a statement takes no part in runs of statements.
pub(crate) fn is_exempt_statement(tree: &SyntaxTree, statement: u32) -> bool {
    let roles = tree.info(statement).roles;
    if roles.any(Roles::CLONE_UNIT) {
        return is_exempt_unit(tree, statement);
    }
    // The nodes around a callable are its decorators, or the like.
    let stub = || tree.children(statement).any(|child| is_stub(tree, child));
    is_import(tree, statement)
        || tree.is_exempt_unit(statement)
        || roles.any(Roles::TRANSPARENT) && stub()
}

/// Whether a callable's body contains at most one token, without documentation.
fn is_stub(tree: &SyntaxTree, unit: u32) -> bool {
    if !tree.info(unit).roles.any(Roles::CALLABLE) {
        return false;
    }
    let is_block = |&child: &u32| tree.info(child).roles.any(Roles::BLOCK);
    let Some(body) = tree.children(unit).find(is_block) else {
        return false;
    };
    let mut statements = tree.parts(body).filter(|&s| !tree.is_documentation(s));
    match (statements.next(), statements.next()) {
        (None, _) => true,
        (Some(only), None) => is_one_token(tree, only),
        _ => false,
    }
}

fn is_one_token(tree: &SyntaxTree, node: u32) -> bool {
    let leaves = (node..tree.node(node).end).filter(|&i| tree.node(i).end == i + 1);
    leaves.take(2).count() < 2
}

/// Whether a statement begins like an import, or names the file's namespace. `using` is an import
/// at the top level only.
fn is_import(tree: &SyntaxTree, statement: u32) -> bool {
    let word = first_word(tree, statement);
    let is_one_line = || tree.node_text(statement).ends_with(';');
    IMPORTS.contains(&word)
        || word == "using" && tree.node(statement).parent == 0
        || word == "namespace" && is_one_line()
}

/// The text of the first leaf.
fn first_word(tree: &SyntaxTree, node: u32) -> &str {
    let mut leaf = node;
    while tree.node(leaf).end > leaf + 1 {
        leaf += 1;
    }
    tree.node_text(leaf)
}

/// `try: import a` with an `except` that only imports something else, sets names, or passes.
fn is_optional_import(tree: &SyntaxTree, unit: u32) -> bool {
    if first_word(tree, unit) != "try" {
        return false;
    }
    let mut blocks = 0;
    let mut index = unit + 1;
    while index < tree.node(unit).end {
        if !tree.info(index).roles.any(Roles::BLOCK) {
            index += 1;
            continue;
        }
        blocks += 1;
        let plain = |s: u32| is_import(tree, s) || blocks > 1 && is_setting(tree, s);
        if !tree.parts(index).all(plain) {
            return false;
        }
        index = tree.node(index).end;
    }
    blocks > 1
}

/// Whether a statement is `name = value` of three tokens, or a single word.
fn is_setting(tree: &SyntaxTree, statement: u32) -> bool {
    let leaves = (statement..tree.node(statement).end).filter(|&i| tree.node(i).end == i + 1);
    let texts: Vec<&str> = leaves.take(4).map(|leaf| tree.node_text(leaf)).collect();
    matches!(texts[..], [_] | [_, "=", _])
}
