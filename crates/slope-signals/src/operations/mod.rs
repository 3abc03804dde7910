//! Operations of functions, independent of renaming, reordering and the kind of loop.
//!
//! The operations of a function are a bag: its calls, its members, constants, texts and numbers,
//! its operators, and its constructs. A loop and a comprehension are the same construct, so are a
//! guard and the inverted condition, and `startswith` and `HasPrefix` are the same call.

mod compare;
mod index;
mod names;
mod score;
mod table;

use crate::facts::{FileSignals, Op, Operation, Traits};
use crate::gather::Gatherer;
use crate::occurrences::{Occurrences, Use};
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

pub(crate) use compare::Bags;
pub(crate) use index::Operations;
use table::{Meaning, meaning};

/// Maximum number of operations of a function that is kept: small helpers have fewer.
const MAX_OPERATIONS: usize = 60;

/// Maximum number of nodes of such a function.
const MAX_NODES: u32 = 700;

/// Maximum counted occurrences of one operation.
const MAX_COUNT: u8 = 3;

/// Minimum number of words of a text that is prose.
const MIN_PROSE: usize = 3;

/// Maximum characters of a text that is compared as a whole.
const MAX_TEXT: usize = 60;

/// Beginnings of names that frameworks look for, and other functions have too.
const HANDLERS: &[&str] = &["on_", "visit_", "handle_", "do_"];

/// Adds the operations of functions to the facts of a file.
pub(crate) fn note(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let nodes = gatherer.view.nodes_by_name();
    let barred = Traits::NESTED | Traits::STUB | Traits::ABSTRACT | Traits::SPECIAL;
    for function in &mut facts.functions {
        let node = nodes.get(&function.place.start_byte).copied();
        let name = gatherer.names.names.get(function.name);
        let is_test = function.traits & Traits::TEST != 0
            && !HANDLERS.iter().any(|start| name.starts_with(start));
        let Some(node) = node.filter(|_| function.traits & barred == 0 && !is_test) else {
            continue;
        };
        if gatherer.view.end(node) - node <= MAX_NODES {
            function.operations = of_function(gatherer, node, function.name);
        }
    }
}

/// Collects operations.
#[derive(Default)]
struct Bag {
    counts: Map<(Op, u32), u8>,
}

impl Bag {
    fn push(&mut self, op: Op, name: u32) {
        let count = self.counts.entry((op, name)).or_default();
        let most = if op == Op::Form { 1 } else { MAX_COUNT };
        *count = (*count + 1).min(most);
    }

    fn into_list(self) -> Vec<Operation> {
        let all = self.counts.into_iter();
        let mut list: Vec<Operation> = all
            .map(|((op, name), count)| Operation { op, name, count })
            .collect();
        list.sort_unstable();
        list
    }
}

/// The operations of a function; empty if there are too many.
fn of_function(gatherer: &mut Gatherer<'_>, function: u32, own: u32) -> Vec<Operation> {
    let view = &gatherer.view;
    let mut bag = Bag::default();
    let body = view
        .last_child(function, Construct::Block)
        .or_else(|| view.children(function).last())
        .unwrap_or(function);
    // Stubs have no operations.
    if view
        .only(body)
        .is_some_and(|only| view.k(only) == Construct::Raise)
    {
        return Vec::new();
    }
    let types = types_of_signature(view, function, body);
    for node in types {
        let name = gatherer.names.number(&gatherer.view, node);
        bag.push(Op::Type, name);
    }
    read_names(gatherer, (function, body), own, &mut bag);
    let mut node = body;
    while node < gatherer.view.end(body) {
        let kind = gatherer.view.k(node);
        if kind == Construct::Comment || gatherer.view.tree.is_documentation(node) {
            node = gatherer.view.end(node);
            continue;
        }
        read(gatherer, node, kind, &mut bag);
        node += 1;
    }
    let list = bag.into_list();
    if list.len() > MAX_OPERATIONS {
        return Vec::new();
    }
    list
}

/// Names of the parameter and result types of a function.
fn types_of_signature(view: &View<'_>, function: u32, body: u32) -> Vec<u32> {
    let is_type = |node: u32| {
        let built_in = ["predefined_type", "primitive_type"];
        view.k(node) == Construct::TypeName
            || built_in.contains(&view.tree.kind_name(node))
            || view.k(node) == Construct::Identifier && {
                let above = std::iter::successors(Some(node), |&node| Some(view.parent(node)));
                above
                    .take(6)
                    .take_while(|&above| above > function)
                    .any(|above| view.k(above) == Construct::Type)
            }
    };
    (function + 1..body).filter(|&node| is_type(node)).collect()
}

/// Reads the names that a function calls and uses.
fn read_names(gatherer: &mut Gatherer<'_>, (function, body): (u32, u32), own: u32, bag: &mut Bag) {
    let Gatherer { view, names, .. } = gatherer;
    let end = view.end(body);
    let locals = locals(names, function, end);
    let from = names.list.partition_point(|o| o.node < body);
    let within = names.list[from..].iter().take_while(|o| o.node < end);
    let within: Vec<(u32, u32, Use)> = within.map(|o| (o.node, o.name, o.how)).collect();
    for (node, name, how) in within {
        let text = view.text(node);
        match how {
            // A call of the function itself is a recursion, which is like a loop.
            Use::Called if name == own => bag.push(Op::Form, names.names.number("a loop")),
            Use::Called | Use::MemberCalled => match meaning(text) {
                Some(Meaning::Call(operation)) => bag.push(Op::Name, names.names.number(operation)),
                Some(Meaning::Form(form)) => bag.push(Op::Form, names.names.number(form)),
                Some(Meaning::Nothing) => {}
                None => bag.push(Op::Name, name),
            },
            Use::Member => match meaning(text) {
                Some(Meaning::Call("length")) => bag.push(Op::Name, names.names.number("length")),
                Some(Meaning::Nothing) => {}
                _ => bag.push(Op::Name, name),
            },
            Use::Load if is_constant(text) || is_outer(view, &locals, node, name) => {
                bag.push(Op::Name, name)
            }
            _ => {}
        }
    }
}

/// Names that a function binds.
fn locals(names: &Occurrences<'_>, function: u32, end: u32) -> Map<u32, ()> {
    let from = names.list.partition_point(|o| o.node < function);
    let within = names.list[from..].iter().take_while(|o| o.node < end);
    let binds = |how| matches!(how, Use::Store | Use::Bind | Use::Param | Use::Definition);
    within
        .filter(|o| binds(o.how))
        .map(|o| (o.name, ()))
        .collect()
}

/// Whether a name is a variable from outside of the function, and not the object of a member
/// access.
fn is_outer(view: &View<'_>, locals: &Map<u32, ()>, node: u32, name: u32) -> bool {
    let text = view.text(node);
    let above = view.parent(node);
    let is_holder = matches!(
        view.k(above),
        Construct::Attribute | Construct::DottedName | Construct::Type
    );
    text.len() > 2
        && !is_holder
        && view.k(node) == Construct::Identifier
        && view.k(above) != Construct::Tokens
        && !locals.contains_key(&name)
        && meaning(text).is_none()
}

/// Whether a name is spelled like a type or constant.
fn is_constant(text: &str) -> bool {
    text.trim_start_matches('_').starts_with(char::is_uppercase)
        && text.len() > 2
        && meaning(text).is_none()
}

/// Constructs that a kind of node always is.
const FORMS: &[(Construct, &str)] = &[
    (Construct::For, "a loop"),
    (Construct::While, "a loop"),
    (Construct::Loop, "a loop"),
    (Construct::Comprehension, "a loop"),
    (Construct::If, "a condition"),
    (Construct::Elif, "a condition"),
    (Construct::Ternary, "a condition"),
    (Construct::Case, "a condition"),
    (Construct::Raise, "an error"),
    (Construct::Try, "a handler"),
    (Construct::With, "a context"),
    (Construct::Yield, "a yield"),
    (Construct::Await, "a wait"),
    (Construct::Delete, "a deletion"),
    (Construct::Dict, "an object"),
];

/// Constructs of grammars that have no construct of slope.
const OTHER_FORMS: &[(&str, &str)] = &[("slice", "a slice"), ("slice_expression", "a slice")];

/// Kinds of literals that only some languages have.
const OTHER_TEXTS: &[&str] = &["regex", "char_literal", "rune_literal"];

/// Reads the operations of a single node.
fn read(gatherer: &mut Gatherer<'_>, node: u32, kind: Construct, bag: &mut Bag) {
    let form = FORMS.iter().find(|(known, _)| *known == kind);
    let form = form.map(|(_, form)| *form);
    if let Some(form) = form.or_else(|| form_in_place(&gatherer.view, node, kind)) {
        bag.push(Op::Form, gatherer.names.names.number(form));
    }
    match kind {
        Construct::Compare | Construct::BinaryOp | Construct::UnaryOp | Construct::AugAssign => {
            read_signs(gatherer, node, bag)
        }
        Construct::String => read_text(gatherer, node, bag),
        Construct::Number => {
            let number = number(gatherer.view.text(node));
            if let Some(number) = number {
                bag.push(Op::Number, gatherer.names.names.number(number));
            }
        }
        Construct::Other if OTHER_TEXTS.contains(&gatherer.view.tree.kind_name(node)) => {
            let inner = gatherer.view.text(node).trim_matches('\'');
            bag.push(Op::Text, gatherer.names.names.number(inner));
        }
        _ => {}
    }
}

/// The construct of a node that depends on its parent or its text.
fn form_in_place(view: &View<'_>, node: u32, kind: Construct) -> Option<&'static str> {
    let is_result = matches!(
        view.k(view.parent(node)),
        Construct::Return | Construct::Block
    );
    match kind {
        Construct::Subscript if is_stored(view, node) => Some("a store"),
        Construct::Subscript => Some("an item"),
        Construct::Macro => view.text(node).starts_with("format!").then_some("a format"),
        Construct::True => is_result.then_some("true"),
        Construct::False => is_result.then_some("false"),
        Construct::Other => {
            let name = view.tree.kind_name(node);
            let found = OTHER_FORMS.iter().find(|(known, _)| *known == name);
            found.map(|(_, form)| *form)
        }
        _ => None,
    }
}

/// Whether an item is the target of an assignment.
fn is_stored(view: &View<'_>, node: u32) -> bool {
    let above = view.parent(node);
    let is_listed = view.k(above) == Construct::Other;
    let above = if is_listed { view.parent(above) } else { above };
    let first = view.first(above);
    let is_left = first.is_some_and(|first| first == node || view.parent(node) == first);
    is_left && matches!(view.k(above), Construct::Assign | Construct::AugAssign)
}

/// Significant operators. Equivalent operators of several languages share one sign.
const SIGNS: &[(&str, &[&str])] = &[
    ("==", &["==", "===", "!=", "!==", "is", "is not"]),
    ("<", &["<", ">", "<=", ">="]),
    ("+", &["+", "+="]),
    ("-", &["-", "-="]),
    ("*", &["*", "*="]),
    ("/", &["/", "/=", "//"]),
    ("%", &["%", "%="]),
    ("**", &["**"]),
    ("&", &["&"]),
    ("|", &["|"]),
    ("^", &["^", "^="]),
    ("<<", &["<<"]),
    (">>", &[">>", ">>>"]),
];

/// Reads the operators of an expression.
fn read_signs(gatherer: &mut Gatherer<'_>, node: u32, bag: &mut Bag) {
    let Gatherer { view, names, .. } = gatherer;
    let parts = view.children(node);
    for part in parts.filter(|&part| !view.tree.node(part).named) {
        match view.text(part) {
            "typeof" | "instanceof" => bag.push(Op::Form, names.names.number("a test of type")),
            "in" | "not in" => bag.push(Op::Name, names.names.number("contains")),
            text => {
                let sign = SIGNS.iter().find(|(_, texts)| texts.contains(&text));
                if let Some((sign, _)) = sign {
                    bag.push(Op::Sign, names.names.number(sign));
                }
            }
        }
    }
}

/// The digits of a number without its type suffix.
fn number(text: &str) -> Option<&str> {
    let digits = text.trim_end_matches(|c: char| c.is_alphabetic() && !text.starts_with("0x"));
    (!digits.is_empty()).then_some(digits)
}

/// Reads a text: as a whole, or by its words if it is prose, without interpolations.
fn read_text(gatherer: &mut Gatherer<'_>, node: u32, bag: &mut Bag) {
    let Gatherer { view, names, .. } = gatherer;
    let above = view.parent(node);
    if view.k(above) == Construct::String || view.k(above) == Construct::ExprStmt {
        return;
    }
    let text = view.text(node);
    let inner = text
        .trim_start_matches(|c: char| c.is_alphabetic())
        .trim_matches(['"', '\'', '`', '#']);
    let pieces = pieces(inner);
    if pieces.len() > 1 || view.has_below(node, Construct::Interpolation) {
        bag.push(Op::Form, names.names.number("a format"));
    }
    for piece in pieces {
        let prose = piece.split(|c: char| !c.is_alphabetic());
        let prose: Vec<&str> = prose.filter(|word| word.len() > 2).collect();
        if prose.len() >= MIN_PROSE && piece.contains(' ') {
            for word in prose {
                bag.push(Op::Word, names.names.number(word));
            }
        } else if !piece.is_empty() && piece.len() <= MAX_TEXT {
            bag.push(Op::Text, names.names.number(piece));
        }
    }
}

/// The parts of a text between its placeholders.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((at, length)) = placeholder(rest) {
        pieces.push(rest[..at].trim());
        rest = &rest[at + length..];
    }
    pieces.push(rest.trim_matches(' '));
    pieces
}

/// Position and length of the first placeholder of a text: `{}`, `${name}` or `%s`.
fn placeholder(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find_map(|at| {
        let length = match bytes[at] {
            b'{' => 1 + text[at..].find('}')?,
            b'$' if bytes.get(at + 1) == Some(&b'{') => 1 + text[at..].find('}')?,
            b'%' => {
                let flags = text[at + 1..]
                    .bytes()
                    .take_while(|b| b"+-#0123456789.".contains(b))
                    .count();
                let verb = bytes.get(at + 1 + flags)?;
                if !b"svdqxfTtwrgc".contains(verb) {
                    return None;
                }
                2 + flags
            }
            _ => return None,
        };
        Some((at, length))
    })
}
