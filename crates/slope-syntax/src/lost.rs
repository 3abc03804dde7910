//! Functions that a grammar loses behind what it cannot parse, found by their tokens.
//!
//! If a file does not parse, the grammar may keep only parts of a function, or nothing. The head and the brackets or
//! indentation of the body still show its place. Counts there are lower bounds: the parsed parts, and the deciding
//! tokens of the rest.

use crate::roles::Roles;
use crate::tree::SyntaxTree;

/// Marks of a function's body that tokens show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bodies {
    /// `name(parameters) … { … }`.
    Braces,
    /// `def name` with a body that is indented.
    Indented,
    /// Not by tokens.
    Unknown,
}

/// A function that the grammar lost, or kept only in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lost {
    /// Index of its name; of a token in it where the grammar kept its beginning.
    pub(crate) name: u32,
    /// Index of its last token.
    pub(crate) last: u32,
    /// Parameters.
    pub(crate) parameters: u32,
}

/// Tokens that each count as one decision.
const DECIDING: &[&str] = &[
    "if", "elif", "elsif", "unless", "for", "foreach", "while", "until", "case", "when", "catch",
    "except", "rescue", "and", "or",
];

/// Members of [`DECIDING`] that do not open a structure.
const FLAT: &[&str] = &["case", "when", "and", "or"];

/// Words before a bracket that make no function of what follows.
const NO_HEAD: &[&str] = &[
    "if",
    "for",
    "foreach",
    "while",
    "until",
    "switch",
    "match",
    "select",
    "catch",
    "return",
    "class",
    "struct",
    "interface",
    "enum",
    "trait",
    "impl",
    "record",
    "namespace",
    "new",
    "else",
    "do",
    "case",
    "throw",
    "await",
    "in",
    "of",
    "using",
    "lock",
    "fixed",
    "synchronized",
    "with",
    "defer",
    "go",
    "try",
    "extends",
    "=",
    ".",
    "->",
    ":=",
    "@",
];

/// Maximum tokens between the parameters of a function and its body.
const MAX_TAIL: usize = 48;

/// Maximum tokens that are checked before a name.
const MAX_LEAD: usize = 48;

/// Maximum rows from the beginning of a known function to its name.
const MAX_ROWS_TO_NAME: u32 = 8;

/// Words that recovery may take for the name of something that is called.
const RESERVED: &[&str] = &["if", "for", "foreach", "while"];

/// Maximum tokens of a parameter list, at which the search from each open bracket stops.
const MAX_PARAMETER_TOKENS: usize = 4000;

/// A token's part in cyclomatic and in cognitive complexity if it is not in a parsed statement.
pub(crate) fn weight(tree: &SyntaxTree, index: u32) -> (u32, u32) {
    let node = tree.node(index);
    if node.end != index + 1 {
        return (0, 0);
    }
    let word = tree.node_text(index);
    if node.named {
        let is_taken_for_name = RESERVED.contains(&word) && is_head_of_statement(tree, index);
        return (u32::from(is_taken_for_name), u32::from(is_taken_for_name));
    }
    if !tree.node(node.parent).is_error() {
        return (0, 0);
    }
    if DECIDING.contains(&word) {
        return (1, u32::from(!FLAT.contains(&word)));
    }
    let joins = matches!(word, "&&" | "||") && is_between_operands(tree, index);
    (u32::from(joins), 0)
}

fn is_head_of_statement(tree: &SyntaxTree, index: u32) -> bool {
    let (before, after) = around(tree, index);
    before != Some('.') && after == Some('(')
}

/// The characters before and after a token, white space left out.
fn around(tree: &SyntaxTree, index: u32) -> (Option<char>, Option<char>) {
    let node = tree.node(index);
    let text = tree.text();
    (
        text[..node.start_byte as usize].trim_end().chars().last(),
        text[node.end_byte as usize..].trim_start().chars().next(),
    )
}

/// Whether a token is surely an operator: `&&` may also be a type, and `||` a closure without parameters.
fn is_between_operands(tree: &SyntaxTree, index: u32) -> bool {
    let (before, after) = around(tree, index);
    let closes = |c: char| matches!(c, ')' | ']');
    let ends = |c: char| closes(c) || c.is_alphanumeric() || matches!(c, '_' | '"' | '\'');
    before.is_some_and(ends)
        && (before.is_some_and(closes) || after.is_some_and(|c| matches!(c, '(' | '!')))
}

/// Functions after errors, in order of position. `known` has the functions of the grammar, with the
/// indices of their nodes.
pub(crate) fn functions(tree: &SyntaxTree, known: &[u32]) -> Vec<Lost> {
    let bodies = tree.language().spec().bodies;
    if tree.errors().is_none() || bodies == Bodies::Unknown {
        return Vec::new();
    }
    let tokens = Tokens::of(tree);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.leaves.len() {
        let head = match bodies {
            Bodies::Braces => tokens.braced(at),
            _ => tokens.indented(at),
        };
        if let Some(head) = head
            && let Some(name) = tokens.place_if_lost(&head, known)
        {
            found.push(Lost {
                name,
                last: tokens.leaves[head.last],
                parameters: head.parameters,
            });
            at = head.last;
        }
        at += 1;
    }
    found
}

/// The head of a function, in positions of tokens.
struct Head {
    name: usize,
    /// A token that surely is in the function's node.
    inside: usize,
    /// First token of the body, or the token before it.
    body: usize,
    last: usize,
    parameters: u32,
}

/// The leaves of a tree without comments and texts.
struct Tokens<'t> {
    tree: &'t SyntaxTree,
    leaves: Vec<u32>,
}

impl<'t> Tokens<'t> {
    fn of(tree: &'t SyntaxTree) -> Self {
        let mut leaves = Vec::new();
        let mut index = 0;
        while index < tree.node(0).end {
            let node = tree.node(index);
            if tree.roles(index).any(Roles::COMMENT.and(Roles::STRING)) {
                index = node.end;
                continue;
            }
            if node.end == index + 1 && node.end_byte > node.start_byte {
                leaves.push(index);
            }
            index += 1;
        }
        Self { tree, leaves }
    }

    fn text(&self, at: usize) -> &'t str {
        self.leaves
            .get(at)
            .map_or("", |&leaf| self.tree.node_text(leaf))
    }

    fn row(&self, at: usize) -> u32 {
        self.tree.node(self.leaves[at]).start_row
    }

    /// Whether a token is the first of its row.
    fn begins_row(&self, at: usize) -> bool {
        at == 0 || self.row(at - 1) < self.row(at)
    }

    /// The indentation of a token's row, in bytes.
    fn indent(&self, at: usize) -> usize {
        let row = self.tree.row_text(self.row(at));
        row.len() - row.trim_start().len()
    }

    fn is_name(&self, at: usize) -> bool {
        let Some(&leaf) = self.leaves.get(at) else {
            return false;
        };
        let text = self.tree.node_text(leaf);
        self.tree.node(leaf).named
            && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !NO_HEAD.contains(&text)
    }

    /// The closing bracket for an opening one, and the number of parameters between them.
    fn closing(&self, open: usize) -> Option<(usize, u32)> {
        let mut depth = 0_u32;
        let mut commas = 0;
        for at in (open..self.leaves.len()).take(MAX_PARAMETER_TOKENS) {
            match self.text(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 1 => commas += 1,
                ";" if depth == 1 => return None,
                _ => {}
            }
            if depth == 0 {
                let is_empty = at == open + 1;
                return (self.text(at) == ")").then_some((at, u32::from(!is_empty) + commas));
            }
        }
        None
    }

    /// A function whose parameters begin at a position, and whose body is in braces.
    fn braced(&self, open: usize) -> Option<Head> {
        if self.text(open) != "(" {
            return None;
        }
        let name = self.name_before(open)?;
        let (close, parameters) = self.closing(open)?;
        let body = self.body_after(close)?;
        Some(Head {
            name,
            inside: open,
            body,
            last: self.end_of_braces(body, name),
            parameters,
        })
    }

    /// The name of the function that the bracket at a position may belong to.
    fn name_before(&self, open: usize) -> Option<usize> {
        let direct = open.checked_sub(1)?;
        let name = if self.is_name(direct) {
            direct
        } else {
            self.assigned_before(open)?
        };
        let lead = name.saturating_sub(MAX_LEAD)..name;
        let mut before = lead.rev().map(|at| self.text(at));
        let begins = |word: &str| matches!(word, ";" | "{" | "}" | ":" | ")" | "]" | ",");
        let is_bad = |word: &str| NO_HEAD.contains(&word);
        let stops = before.find(|word| begins(word) || is_bad(word));
        (!stops.is_some_and(is_bad)).then_some(name)
    }

    /// The name in `name = (`, `name = async (` and `name = function (`.
    fn assigned_before(&self, open: usize) -> Option<usize> {
        let mut at = open.checked_sub(1)?;
        while matches!(self.text(at), "async" | "function") {
            at = at.checked_sub(1)?;
        }
        let name = at.checked_sub(1)?;
        (self.text(at) == "=" && self.is_name(name)).then_some(name)
    }

    /// The brace that opens the body behind the parameters that end at a position.
    fn body_after(&self, close: usize) -> Option<usize> {
        let end = (close + 1 + MAX_TAIL).min(self.leaves.len());
        for at in close + 1..end {
            match self.text(at) {
                "{" => return Some(at),
                ";" | "}" | "=" => return None,
                word if DECIDING.contains(&word) || word.starts_with('#') => return None,
                _ => {}
            }
        }
        None
    }

    /// The brace that closes a body. Without one, the last token before a row that is indented like the
    /// head.
    fn end_of_braces(&self, body: usize, name: usize) -> usize {
        let mut depth = 0_u32;
        for at in body..self.leaves.len() {
            match self.text(at) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        let indent = self.indent(name);
        let ends =
            |&at: &usize| self.begins_row(at) && self.indent(at) <= indent && self.text(at) == "}";
        let rest = body + 1..self.leaves.len();
        rest.into_iter().find(ends).unwrap_or(self.leaves.len() - 1)
    }

    /// A function whose `def` is at a position, and whose body is indented.
    fn indented(&self, def: usize) -> Option<Head> {
        let name = def + 1;
        if self.text(def) != "def" || !self.is_name(name) {
            return None;
        }
        let closing = (self.text(name + 1) == "(").then(|| self.closing(name + 1));
        let (head_end, parameters) = closing.flatten().unwrap_or((name, 0));
        let indent = self.indent(def);
        let ends = |&at: &usize| self.begins_row(at) && self.indent(at) <= indent;
        let next = (head_end + 1..self.leaves.len()).find(ends);
        let last = match next {
            Some(at) if self.text(at) == "end" => at,
            Some(at) => at - 1,
            None => self.leaves.len() - 1,
        };
        Some(Head {
            name,
            inside: name,
            body: head_end,
            last,
            parameters,
        })
    }

    /// Node for finding a function that has an error inside and is not known as a whole.
    fn place_if_lost(&self, head: &Head, known: &[u32]) -> Option<u32> {
        let (name, last) = (self.leaves[head.name], self.leaves[head.last]);
        let inside = self.leaves[head.inside];
        let mut rows = self.row(head.name)..=self.tree.node(last).end_row;
        if !rows.any(|row| self.tree.error_rows().contains(row)) {
            return None;
        }
        let body = self.leaves[head.body];
        let has_body = |&node: &u32| node <= body && last < self.tree.node(node).end;
        if known.iter().any(has_body) {
            return None;
        }
        let is_around = |&&node: &&u32| node <= inside && inside < self.tree.node(node).end;
        let Some(&around) = known.iter().rev().find(is_around) else {
            return Some(name);
        };
        let node = self.tree.node(around);
        // A function that gets its name by assignment begins behind it.
        let is_own = name < around
            || node.start_row + MAX_ROWS_TO_NAME >= self.row(head.name)
                && crate::callable_names::own_name(self.tree, around) == self.text(head.name);
        (is_own && node.end <= last).then_some(inside)
    }
}

#[cfg(test)]
mod tests {
    use crate::{CallableFacts, Language, Limits, Profile, callables, parse};

    fn found(language: &str, code: &str) -> Vec<CallableFacts> {
        let language = Language::by_id(language).unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        assert!(tree.errors().is_some(), "{code}");
        callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope))
    }

    /// Ten branches, a loop around them, and what does not parse before and after them.
    fn broken(head: &str, unparsed: &str, tail: &str) -> String {
        let branches: String = (0..10)
            .map(|n| format!("    if (x == {n}) {{\n      x += {n};\n    }}\n"))
            .collect();
        format!(
            "{head}\n  while (x > 0) {{\n    {unparsed}\n{branches}    {unparsed}\n  }}\n{tail}\n"
        )
    }

    #[test]
    fn partly_unparsed_functions_count() {
        for (language, head, tail) in [
            ("javascript", "function run(x) {", "}"),
            ("javascript", "const run = async (x) => {", "};"),
            (
                "typescript",
                "export class A {\n  private run(x: number): void {",
                "}\n}",
            ),
            ("c", "static int run(int x) {", "return x; }"),
            ("cpp", "int A::run(int x) const {", "return x; }"),
            ("csharp", "class A {\n  int run(int x) {", "return x; }\n}"),
            (
                "java",
                "class A {\n  int run(int x) throws E {",
                "return x; }\n}",
            ),
            ("rust", "fn run(x: i32) -> i32 {", "x }"),
            (
                "go",
                "package a\n\nfunc run(x int) (int, error) {",
                "return x, nil }",
            ),
        ] {
            for unparsed in ["§ ~~ @ § 7 7", ") ]", "for (§ of ; x) {{ ) }"] {
                let code = broken(head, unparsed, tail);
                let found = found(language, &code);
                let run = found.iter().find(|f| f.name.ends_with("run"));
                let run = run.unwrap_or_else(|| panic!("{language}: {found:#?}\n{code}"));
                assert!(run.is_lower_bound, "{language}: {run:?}\n{code}");
                assert!(
                    (11..=14).contains(&run.complexity),
                    "{language}: {found:#?}\n{code}"
                );
                assert!(run.sloc >= 20, "{language}: {run:?}\n{code}");
            }
        }
    }

    #[test]
    fn indented_partly_unparsed_functions_count() {
        let branches: String = (0..10)
            .map(|n| format!("    if x == {n}:\n        x += {n}\n"))
            .collect();
        for unparsed in ["    § ~~ = § 7 7", "    f(x", "    x = ] )"] {
            let code = format!(
                "class A:\n  y = 1\n\ndef run(x):\n{unparsed}\n{branches}    return x\n\ndef g():\n    pass\n"
            );
            let found = found("python", &code);
            let run = found.iter().find(|f| f.name == "run").unwrap();
            assert!(
                run.is_lower_bound && run.complexity == 11,
                "{found:#?}\n{code}"
            );
        }
    }
}
