//! The statements of functions, in a form in which a copy with renamed variables is the same.

use slope_syntax::Roles;

use crate::facts::{FileSignals, Line, Traits};
use crate::gather::{Gatherer, symbol_hash};
use crate::occurrences::{Occurrence, Use};
use slope_syntax::Construct;

/// Maximum number of statements kept of a function.
const MAX_LINES: usize = 400;

/// Minimum length of a function name that is searched in its strings.
const MIN_NAME: usize = 6;

/// Replaces the function's own name.
const OWN_NAME: u32 = 0x51ed_270b;

/// Adds the statements of functions to the facts of a file.
pub(crate) fn note(gatherer: &Gatherer<'_>, facts: &mut FileSignals) {
    let nodes = gatherer.view.nodes_by_name();
    let barred = Traits::NESTED | Traits::STUB | Traits::ABSTRACT | Traits::TEST;
    for function in &mut facts.functions {
        let node = nodes.get(&function.place.start_byte);
        if let Some(&node) = node.filter(|_| function.traits & barred == 0) {
            function.body = body(gatherer, node, function.name);
        }
    }
}

/// The name of the function being read.
struct OwnName<'a> {
    number: u32,
    text: &'a str,
}

impl OwnName<'_> {
    /// Whether a text has the name in it.
    fn is_in(&self, text: &str) -> bool {
        self.text.len() >= MIN_NAME && text.contains(self.text)
    }
}

/// A statement that is not complete yet.
struct Open {
    /// Index of the node after its last.
    end: u32,
    /// Its place among the statements.
    at: usize,
    hash: u64,
    tokens: u8,
    /// Its variables, in order of first use.
    variables: Vec<u32>,
}

impl Open {
    fn push(&mut self, part: u32) {
        self.hash = (self.hash ^ u64::from(part)).wrapping_mul(0x0100_0000_01b3);
        self.tokens = self.tokens.saturating_add(1);
    }

    /// The number of a variable, by its first use in the statement.
    fn variable(&mut self, name: u32) -> u32 {
        let known = self.variables.iter().position(|&other| other == name);
        let at = known.unwrap_or_else(|| {
            self.variables.push(name);
            self.variables.len() - 1
        });
        u32::try_from(at).unwrap_or(u32::MAX)
    }

    /// Takes in a token, which may be a name.
    fn read(&mut self, text: &str, kind: Construct, name: Option<&Occurrence>, own: &OwnName<'_>) {
        let part = match name {
            Some(found) if found.name == own.number => OWN_NAME,
            Some(found) if is_variable(found.how, kind, text) => self.variable(found.name),
            _ if is_layout(text) => return,
            // A message with the function's name differs in a copy, which has another name.
            _ if kind == Construct::String && own.is_in(text) => {
                symbol_hash("", &text.replace(own.text, ""))
            }
            _ => symbol_hash("", unquoted(text)),
        };
        self.push(part);
    }

    fn line(&self) -> Line {
        #[expect(clippy::cast_possible_truncation, reason = "both halves are in it")]
        let hash = (self.hash ^ (self.hash >> 32)) as u32;
        Line {
            hash,
            tokens: self.tokens,
        }
    }
}

/// Reads the statements of a function.
#[derive(Default)]
pub(crate) struct Reader {
    lines: Vec<Line>,
    open: Vec<Open>,
}

impl Reader {
    /// Ends the statements that end before a node.
    pub(crate) fn close(&mut self, node: u32) {
        while let Some(done) = self.open.pop_if(|statement| statement.end <= node) {
            self.lines[done.at] = done.line();
        }
    }

    /// Begins a statement.
    pub(crate) fn begin(&mut self, end: u32) {
        self.open.push(Open {
            end,
            at: self.lines.len(),
            hash: 0xcbf2_9ce4_8422_2325,
            tokens: 0,
            variables: Vec::new(),
        });
        self.lines.push(Line::default());
    }

    /// Whether the limit of statements is reached.
    pub(crate) fn is_full(&self) -> bool {
        self.lines.len() >= MAX_LINES
    }

    /// Takes in a token of the innermost statement.
    pub(crate) fn push(&mut self, part: u32) {
        if let Some(statement) = self.open.last_mut() {
            statement.push(part);
        }
    }

    /// Takes in a variable.
    pub(crate) fn push_variable(&mut self, name: u32) {
        if let Some(statement) = self.open.last_mut() {
            let number = statement.variable(name);
            statement.push(number);
        }
    }

    /// The statements that are not empty.
    pub(crate) fn finish(mut self) -> Vec<Line> {
        self.close(u32::MAX);
        self.lines.retain(|line| line.tokens > 0);
        self.lines
    }
}

/// The statements of a function in order, each without the statements in it.
fn body(gatherer: &Gatherer<'_>, function: u32, own: u32) -> Vec<Line> {
    let view = &gatherer.view;
    let mut reader = Reader::default();
    let own = OwnName {
        number: own,
        text: gatherer.names.names.get(own),
    };
    let list = &gatherer.names.list;
    let mut names = &list[list.partition_point(|occurrence| occurrence.node < function)..];
    let mut node = function + 1;
    while node < view.end(function) && reader.lines.len() < MAX_LINES {
        reader.close(node);
        let kind = view.k(node);
        if kind == Construct::Comment || view.tree.is_documentation(node) {
            node = view.end(node);
            continue;
        }
        if is_statement(gatherer, node) {
            reader.begin(view.end(node));
        }
        let is_text = kind == Construct::String && !view.has_below(node, Construct::Interpolation);
        if !is_text && view.end(node) != node + 1 {
            node += 1;
            continue;
        }
        while names
            .first()
            .is_some_and(|occurrence| occurrence.node < node)
        {
            names = &names[1..];
        }
        let name = names.first().filter(|occurrence| occurrence.node == node);
        if let Some(statement) = reader.open.last_mut() {
            statement.read(view.text(node), kind, name, &own);
        }
        node = view.end(node);
    }
    reader.finish()
}

/// Whether a node is a part of a block or an arm of a branch, and no definition.
fn is_statement(gatherer: &Gatherer<'_>, node: u32) -> bool {
    let tree = gatherer.view.tree;
    let roles = tree.info(node).roles;
    let parent = tree.info(tree.node(node).parent).roles;
    let none = Roles::CALLABLE.and(Roles::CLASS).and(Roles::BLOCK);
    let is_part = tree.node(node).named && parent.any(Roles::BLOCK) && !roles.any(none);
    is_part || roles.any(Roles::ARM)
}

/// Whether a copy may have renamed a name: a variable, but neither a constant nor a type.
fn is_variable(how: Use, kind: Construct, text: &str) -> bool {
    let is_plain = matches!(how, Use::Load | Use::Store | Use::Bind | Use::Param);
    is_plain && kind == Construct::Identifier && !text.starts_with(char::is_uppercase)
}

/// Tokens that formatters add and remove.
pub(crate) fn is_layout(text: &str) -> bool {
    matches!(text, "," | ";" | "(" | ")" | "{" | "}" | "\\") || text.trim().is_empty()
}

/// A text without its quotes.
pub(crate) fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}
