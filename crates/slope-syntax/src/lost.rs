//! Functions that a grammar loses behind what it cannot parse, found by their tokens.
//!
//! If a file does not parse, the grammar may keep only parts of a function, or nothing. The head and the brackets or
//! indentation of the body still show its place. Counts there are lower bounds: the parsed parts, and the deciding
//! tokens of the rest.

use std::collections::{HashMap, HashSet};

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
    let known: HashSet<u32> = known.iter().copied().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.leaves.len() {
        let head = match bodies {
            Bodies::Braces => tokens.braced(at),
            _ => tokens.indented(at),
        };
        if let Some(head) = head
            && let Some(name) = tokens.place_if_lost(&head, &known)
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

/// Positions with values, for finding the first one in a range whose value is small.
#[derive(Default)]
struct FirstAtMost {
    positions: Vec<usize>,
    /// The values. Then the smaller one of each pair, of each pair of those, and so on.
    levels: Vec<Vec<usize>>,
}

impl FirstAtMost {
    /// The positions ascend.
    fn new(values: impl Iterator<Item = (usize, usize)>) -> Self {
        let (positions, mut level): (Vec<usize>, Vec<usize>) = values.unzip();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let pairs = level.chunks(2);
            let above = pairs
                .filter_map(|pair| pair.iter().min().copied())
                .collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { positions, levels }
    }

    /// The first position from `start` on whose value is at most `most`.
    fn first(&self, start: usize, most: usize) -> Option<usize> {
        let mut at = self.positions.partition_point(|&position| position < start);
        let mut height = 0;
        // Up to the first subtree on the right that has such a value, and down in it.
        while *self.levels.get(height)?.get(at)? > most {
            at += 1;
            while at.is_multiple_of(2) && height + 1 < self.levels.len() {
                at /= 2;
                height += 1;
            }
        }
        for level in self.levels[..height].iter().rev() {
            at *= 2;
            if level[at] > most {
                at += 1;
            }
        }
        self.positions.get(at).copied()
    }
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
    /// For each opening bracket the closing one of any kind, and the parameters between them, if they may be some.
    closing: HashMap<usize, (usize, u32)>,
    /// For each opening brace the closing one.
    braces: HashMap<usize, usize>,
    /// The rows with errors, ascending.
    error_rows: Vec<u32>,
    /// The rows by their first tokens, with their indentation.
    rows: FirstAtMost,
    /// Those that begin with a closing brace.
    closing_rows: FirstAtMost,
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
        let mut tokens = Self {
            tree,
            leaves,
            closing: HashMap::new(),
            braces: HashMap::new(),
            error_rows: tree.error_rows().rows().collect(),
            rows: FirstAtMost::default(),
            closing_rows: FirstAtMost::default(),
        };
        tokens.pair_brackets();
        tokens.pair_braces();
        let firsts = || (0..tokens.leaves.len()).filter(|&at| tokens.begins_row(at));
        let indented = |at| (at, tokens.indent(at));
        let rows = FirstAtMost::new(firsts().map(indented));
        let closing = firsts().filter(|&at| tokens.text(at) == "}");
        tokens.closing_rows = FirstAtMost::new(closing.map(indented));
        tokens.rows = rows;
        tokens
    }

    /// Finds the closing bracket for each opening one, and the number of parameters between them. All kinds of brackets
    /// count alike.
    fn pair_brackets(&mut self) {
        struct Open {
            at: usize,
            commas: u32,
            has_semicolon: bool,
        }
        let mut open: Vec<Open> = Vec::new();
        for at in 0..self.leaves.len() {
            match (self.text(at), open.last_mut()) {
                ("(" | "[" | "{", _) => open.push(Open {
                    at,
                    commas: 0,
                    has_semicolon: false,
                }),
                (",", Some(last)) => last.commas += 1,
                (";", Some(last)) => last.has_semicolon = true,
                (word @ (")" | "]" | "}"), _) => {
                    let Some(last) = open.pop() else { continue };
                    if word == ")" && !last.has_semicolon && at - last.at < MAX_PARAMETER_TOKENS {
                        let first = u32::from(at > last.at + 1);
                        self.closing.insert(last.at, (at, first + last.commas));
                    }
                }
                _ => {}
            }
        }
    }

    fn pair_braces(&mut self) {
        let mut open = Vec::new();
        for at in 0..self.leaves.len() {
            match self.text(at) {
                "{" => open.push(at),
                "}" => drop(open.pop().map(|first| self.braces.insert(first, at))),
                _ => {}
            }
        }
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

    /// A function whose parameters begin at a position, and whose body is in braces.
    fn braced(&self, open: usize) -> Option<Head> {
        if self.text(open) != "(" {
            return None;
        }
        let name = self.name_before(open)?;
        let &(close, parameters) = self.closing.get(&open)?;
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
        let rest = || self.closing_rows.first(body + 1, self.indent(name));
        let end = self.braces.get(&body).copied().or_else(rest);
        end.unwrap_or(self.leaves.len() - 1)
    }

    /// A function whose `def` is at a position, and whose body is indented.
    fn indented(&self, def: usize) -> Option<Head> {
        let name = def + 1;
        if self.text(def) != "def" || !self.is_name(name) {
            return None;
        }
        let closing = (self.text(name + 1) == "(").then(|| self.closing.get(&(name + 1)));
        let &(head_end, parameters) = closing.flatten().unwrap_or(&(name, 0));
        let last = match self.rows.first(head_end + 1, self.indent(def)) {
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

    /// The known functions around a token, from the innermost.
    fn around(&self, at: usize, known: &HashSet<u32>) -> impl Iterator<Item = u32> {
        let outer = |&node: &u32| Some(self.tree.node(node).parent).filter(|&above| above < node);
        std::iter::successors(Some(self.leaves[at]), outer).filter(|node| known.contains(node))
    }

    /// Node for finding a function that has an error inside and is not known as a whole.
    fn place_if_lost(&self, head: &Head, known: &HashSet<u32>) -> Option<u32> {
        let (name, last) = (self.leaves[head.name], self.leaves[head.last]);
        let inside = self.leaves[head.inside];
        let first_row = self.row(head.name);
        let next = self.error_rows.partition_point(|&row| row < first_row);
        let has_error = |&row: &u32| row <= self.tree.node(last).end_row;
        if !self.error_rows.get(next).is_some_and(has_error) {
            return None;
        }
        let has_body = |node: u32| last < self.tree.node(node).end;
        if self.around(head.body, known).any(has_body) {
            return None;
        }
        let Some(around) = self.around(head.inside, known).next() else {
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

    #[test]
    fn first_small_values_are_found() {
        let values: Vec<(usize, usize)> = (0..37).map(|at| (at * 3, at * 7919 % 23)).collect();
        let index = super::FirstAtMost::new(values.iter().copied());
        for start in 0..120 {
            for most in 0..24 {
                let mut rest = values.iter().filter(|(at, _)| *at >= start);
                let expected = rest.find(|(_, value)| *value <= most).map(|(at, _)| *at);
                assert_eq!(index.first(start, most), expected, "{start} {most}");
            }
        }
        assert_eq!(super::FirstAtMost::default().first(0, 9), None);
    }

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
