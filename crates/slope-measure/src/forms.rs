//! Hash of a callable apart from its name and layout.
//!
//! A form is a hash of the tokens of a callable, by which it is followed when it is renamed, moved
//! or reformatted. It leaves out comments and documentation; commas, semicolons, parentheses and
//! kinds of quotes, which formatters add and remove; in Rust the braces around the single
//! expression of a match arm or closure; and the name of the callable, also in recursive calls.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};
use slope_syntax::{CallableFacts, Roles, SyntaxTree};
use xxhash_rust::xxh3::xxh3_64;

/// Base of the polynomial in which a range of tokens is written; odd, so that no token is lost.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Replaces the callable's own name.
const OWN_NAME: u64 = 0x51ed_270b_7f4a_7c15;

/// Marks the end of a block.
const END_OF_BLOCK: u64 = 0x2545_f491_4f6c_dd1d;

/// Number of tokens at the head of a callable in which its name is searched.
const HEAD_TOKENS: usize = 16;

/// Forms of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Forms {
    /// For each callable, in order of position.
    pub(crate) callables: Vec<u64>,
    /// The code outside callables.
    pub(crate) rest: u64,
    /// Statements of blocks by their first row, and in a row by their end: the row, and a hash of
    /// the tokens outside inner blocks. Definitions are left out.
    pub(crate) statements: Vec<(u32, u32)>,
}

/// Statement that is still being read.
struct Open {
    /// Index of the node after its last.
    end: u32,
    row: u32,
    hash: u64,
}

impl Open {
    /// Statement that starts at a node. `None` unless it is a named child of a block. Definitions
    /// and comments are left out: a definition has its own name.
    fn at(tree: &SyntaxTree, index: u32, blocks: &Blocks) -> Option<Self> {
        let node = tree.node(index);
        let roles = tree.info(index).roles;
        let none = [Roles::CALLABLE, Roles::CLASS, Roles::COMMENT];
        let of_block = index > 0
            && tree.info(node.parent).roles.any(Roles::BLOCK)
            && !blocks.layout.contains(&node.parent);
        let is_one = node.named && of_block && !none.iter().any(|&role| roles.any(role));
        is_one.then_some(Self {
            end: node.end,
            row: node.start_row,
            hash: 0,
        })
    }
}

/// Blocks that are being read.
#[derive(Default)]
struct Blocks {
    /// End of each open block: the index of the node after it, and its last byte.
    open: Vec<(u32, u32)>,
    /// Blocks that are only another layout of their content.
    layout: HashSet<u32, RandomState>,
}

impl Blocks {
    fn enter(&mut self, tree: &SyntaxTree, index: u32) {
        if is_braced_expression(tree, index) {
            self.layout.insert(index);
        } else {
            let node = tree.node(index);
            self.open.push((node.end, node.end_byte.saturating_sub(1)));
        }
    }

    /// Whether a node is a brace of a block that is layout.
    fn is_brace(&self, tree: &SyntaxTree, index: u32) -> bool {
        let node = tree.node(index);
        !node.named && self.layout.contains(&node.parent)
    }
}

/// Whether a block is the body of a Rust match arm or closure and contains a single expression.
/// `rustfmt` adds and removes these braces depending on the line width.
fn is_braced_expression(tree: &SyntaxTree, index: u32) -> bool {
    let parent = tree.node(index).parent;
    let is_body = matches!(tree.kind_name(parent), "match_arm" | "closure_expression");
    if !tree.language().files().have_layout_braces || index == 0 || !is_body {
        return false;
    }
    let mut parts = tree.parts(index);
    match (parts.next(), parts.next()) {
        (Some(part), None) => is_expression(tree, part),
        _ => false,
    }
}

/// Whether a part of a Rust block is its value.
fn is_expression(tree: &SyntaxTree, index: u32) -> bool {
    match tree.kind_name(index) {
        // Without a semicolon, the statement ends in its own block, such as an `if`.
        "expression_statement" => !tree.node_text(index).ends_with(';'),
        "label" | "attribute_item" | "inner_attribute_item" | "empty_statement" => false,
        kind => !kind.ends_with("_item") && !kind.ends_with("_declaration"),
    }
}

/// The tokens of a file and hashes of all beginnings.
struct Tokens {
    /// First byte of each.
    starts: Vec<u32>,
    hashes: Vec<u64>,
    /// Hash of the tokens before each, and of all.
    before: Vec<u64>,
    /// Powers of [`BASE`].
    powers: Vec<u64>,
    statements: Vec<(u32, u32)>,
}

/// The forms of a file's callables.
pub(crate) fn forms(tree: &SyntaxTree, callables: &[CallableFacts]) -> Forms {
    let tokens = Tokens::of(tree);
    let names: Vec<Option<u64>> = callables.iter().map(|c| name_hash(&c.name)).collect();
    let mut places: HashMap<u64, Vec<u32>, RandomState> = HashMap::default();
    for name in names.iter().flatten() {
        places.entry(*name).or_default();
    }
    for (at, hash) in (0u32..).zip(&tokens.hashes) {
        if let Some(places) = places.get_mut(hash) {
            places.push(at);
        }
    }
    let mut forms = Forms {
        statements: tokens.statements.clone(),
        ..Forms::default()
    };
    // Sorted so that those of a callable are found by binary search.
    forms.statements.sort_by_key(|&(row, _)| row);
    let (mut rest, mut done) = (0u64, 0);
    for (callable, name) in callables.iter().zip(names) {
        let first = tokens.at(tree.node(callable.node).start_byte);
        let end = tokens.at(tree.node(callable.last).end_byte).max(first);
        let own = name.and_then(|name| places.get(&name));
        forms.callables.push(tokens.form(first, end, own));
        if first >= done {
            rest = tokens.join(rest, done, first);
            done = end;
        }
    }
    forms.rest = tokens.join(rest, done, tokens.hashes.len());
    forms
}

/// Hash of the last part of a dotted name. `None` for a callable without a name.
fn name_hash(name: &str) -> Option<u64> {
    let own = name.rsplit('.').next().unwrap_or(name);
    let is_name = own
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    (is_name && !own.is_empty()).then(|| xxh3_64(own.as_bytes()))
}

/// Hash of a token. `None` if it is only layout.
fn token(tree: &SyntaxTree, index: u32, is_string: bool) -> Option<u64> {
    let text = tree.node_text(index);
    // A string with interpolations keeps its quotes: its parts are separate tokens.
    let text = if is_string { unquoted(text) } else { text };
    (is_string || !is_layout(text)).then(|| xxh3_64(text.as_bytes()))
}

impl Tokens {
    fn of(tree: &SyntaxTree) -> Self {
        let mut tokens = Self {
            starts: Vec::new(),
            hashes: Vec::new(),
            before: vec![0],
            powers: vec![1],
            statements: Vec::new(),
        };
        let count = u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX);
        let mut index = 0;
        let mut blocks = Blocks::default();
        let mut statements: Vec<Open> = Vec::new();
        while index < count {
            // In some languages only indentation shows the end of a block.
            while let Some((_, byte)) = blocks.open.pop_if(|(end, _)| *end <= index) {
                tokens.push(byte, END_OF_BLOCK);
            }
            while let Some(done) = statements.pop_if(|statement| statement.end <= index) {
                tokens.end(&done);
            }
            let node = tree.node(index);
            let roles = tree.info(index).roles;
            statements.extend(Open::at(tree, index, &blocks));
            if roles.any(Roles::BLOCK) {
                blocks.enter(tree, index);
            }
            let says_nothing = roles.any(Roles::COMMENT) || tree.is_documentation(index);
            if says_nothing || blocks.is_brace(tree, index) {
                index = node.end;
                continue;
            }
            let is_string = roles.any(Roles::STRING);
            if !is_string && node.end != index + 1 {
                index += 1;
                continue;
            }
            if let Some(hash) = token(tree, index, is_string) {
                tokens.push(node.start_byte, hash);
                if let Some(statement) = statements.last_mut() {
                    statement.hash = statement.hash.wrapping_mul(BASE).wrapping_add(hash);
                }
            }
            index = node.end;
        }
        while let Some(done) = statements.pop() {
            tokens.end(&done);
        }
        for (_, byte) in blocks.open.into_iter().rev() {
            tokens.push(byte, END_OF_BLOCK);
        }
        tokens
    }

    fn push(&mut self, start: u32, hash: u64) {
        let last = self.before.len() - 1;
        self.before
            .push(self.before[last].wrapping_mul(BASE).wrapping_add(hash));
        self.powers.push(self.powers[last].wrapping_mul(BASE));
        self.starts.push(start);
        self.hashes.push(hash);
    }

    /// Stores a statement, unless it is only layout.
    fn end(&mut self, statement: &Open) {
        if statement.hash != 0 {
            let hash = statement.hash ^ (statement.hash >> 32);
            #[expect(clippy::cast_possible_truncation, reason = "both halves are in it")]
            self.statements.push((statement.row, hash as u32));
        }
    }

    /// The first token at or after a byte.
    fn at(&self, byte: u32) -> usize {
        self.starts.partition_point(|&start| start < byte)
    }

    /// A hash of tokens, followed by those of a range.
    fn join(&self, hash: u64, first: usize, end: usize) -> u64 {
        let range = self.before[end]
            .wrapping_sub(self.before[first].wrapping_mul(self.powers[end - first]));
        hash.wrapping_mul(self.powers[end - first])
            .wrapping_add(range)
    }

    /// The hash of a range in which some tokens are the callable's own name.
    fn form(&self, first: usize, end: usize, own: Option<&Vec<u32>>) -> u64 {
        let mut form = self.join(0, first, end);
        let Some(own) = own else { return form };
        let head = own.partition_point(|&at| (at as usize) < first);
        let is_named = own
            .get(head)
            .is_some_and(|&at| (at as usize) < end.min(first + HEAD_TOKENS));
        for &at in own[head..]
            .iter()
            .take_while(|&&at| is_named && (at as usize) < end)
        {
            let at = at as usize;
            let instead = OWN_NAME.wrapping_sub(self.hashes[at]);
            form = form.wrapping_add(instead.wrapping_mul(self.powers[end - 1 - at]));
        }
        // The number of tokens is added so that forms without tokens are not 0, and not equal.
        form.wrapping_add(end as u64 - first as u64)
    }
}

/// Text that formatters add and remove.
fn is_layout(text: &str) -> bool {
    matches!(text, "," | ";" | "(" | ")" | "" | "\\") || text.trim().is_empty()
}

/// Text without its quotes.
fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Language, Limits, Profile, callables, parse};

    use super::*;

    fn of(code: &str) -> Forms {
        of_language("python", code)
    }

    fn of_language(id: &str, code: &str) -> Forms {
        let language = Language::by_id(id).unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(tree.errors(), None, "{code}");
        let found = callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope));
        forms(&tree, &found)
    }

    /// Forms of the first callables and the rest, without positions.
    fn followed(code: &str) -> (Vec<u64>, u64) {
        let forms = of(code);
        (forms.callables, forms.rest)
    }

    const CODE: &str = "import a\n\ndef f(x, y):\n    return f(x, 'b') + (y)\n\nz = 1\n";

    #[test]
    fn form_ignores_names_layout_comments() {
        let other = "import a\n\n# note\ndef g(\n    x,\n    y,\n):\n    '''Doc.'''\n    \
                     return g(\n        x,\n        \"b\",\n    ) + y  # why\n\nz = 1\n";
        assert_eq!(followed(CODE), followed(other));
    }

    #[test]
    fn form_depends_on_bodies_and_arguments() {
        for (from, to) in [("'b'", "'c'"), ("+", "-"), ("(x, y)", "(x, z)")] {
            let other = of(&CODE.replace(from, to));
            assert_ne!(of(CODE).callables, other.callables, "{to}");
            assert_eq!(of(CODE).rest, other.rest, "{to}");
        }
        assert_ne!(of(CODE).rest, of(&CODE.replace("z = 1", "z = 2")).rest);
    }

    #[test]
    fn rust_single_expression_braces_are_layout() {
        let of = |body: &str| {
            let forms = of_language("rust", &format!("fn f(a: A) -> B {{\n{body}\n}}\n"));
            let hashes: Vec<u32> = forms.statements.iter().map(|s| s.1).collect();
            (forms.callables, forms.rest, hashes)
        };
        for (bare, braced) in [
            (
                "match a { 1 => b(c), _ => d }",
                "match a { 1 => { b(c) } _ => {\nd // e\n} }",
            ),
            ("a.map(|x| x + 1)", "a.map(|x| { x + 1 })"),
            ("match a { _ => b!(c) }", "match a { _ => { b!(c) } }"),
            (
                "a.map(|x| match x { _ => 1 })",
                "a.map(|x| {\n match x { _ => { 1 } } })",
            ),
            (
                "match a { _ => if b { c } else { d } }",
                "match a { _ => { if b { c } else { d } } }",
            ),
        ] {
            assert_eq!(of(bare), of(braced), "{bare}");
        }
        for (bare, braced) in [
            ("match a { _ => b() }", "match a { _ => { b(); } }"),
            ("match a { _ => b() }", "match a { _ => { b(); b() } }"),
            ("match a { _ => {} }", "match a { _ => () }"),
            ("match a { _ => { let b = 1; } }", "match a { _ => b = 1 }"),
            ("if a { b }", "if a { { b } }"),
        ] {
            assert_ne!(of(bare).0, of(braced).0, "{bare}");
        }
    }

    #[test]
    fn block_end_changes_the_form() {
        let inside = "def f(a):\n    if a:\n        b()\n        c()\n";
        let after = inside.replace("        c()", "    c()");
        assert_ne!(of(inside), of(&after));
    }

    #[test]
    fn statement_forms_exclude_inner_blocks() {
        let code = "def f(a):\n    if a:\n        b()\n    return a\n";
        let found = of(code).statements;
        assert_eq!(found.iter().map(|s| s.0).collect::<Vec<_>>(), [1, 2, 3]);
        let other = of(&code.replace("b()", "c()")).statements;
        assert_eq!((found[0], found[2]), (other[0], other[2]));
        assert_ne!(found[1], other[1]);
    }

    #[test]
    fn callables_are_excluded_from_the_rest() {
        let function = "def f(x, y):\n    return f(x, 'b') + (y)\n\n";
        let moved = format!("{}{function}", CODE.replace(function, ""));
        assert_eq!(followed(CODE), followed(&moved));
        let nested = "def f():\n    def g():\n        return 1\n    return g\n";
        assert_eq!(of(nested).callables.len(), 2);
        assert_ne!(of(nested).callables[0], of(nested).callables[1]);
    }
}
