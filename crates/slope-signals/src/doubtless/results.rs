//! Shapes of the results of calls: of library functions with some arguments, and of functions of the same file with a
//! declared type.

use std::collections::HashSet;

use super::changes::{Change, is_local, is_unchanged};
use super::nodes::bare;
use super::questions::{Question, Sign, Topic};
use super::values::given;
use crate::locals::filled::ADDING;
use crate::occurrences::Occurrences;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::conventions::{Extremes, Shape};
use slope_syntax::view::View;

/// Functions that join paths.
const JOINS: &[&str] = &["filepath.Join", "path.Join", "path.join", "os.path.join"];

/// Shape of the result of a call that depends on its arguments.
pub(super) fn of_call(view: &View<'_>, call: u32) -> Option<Shape> {
    let callee = view.text(call + 1);
    let method = callee.rsplit(['.', ':']).next()?;
    let values = view.conventions.values?;
    let list = view.child(call, Construct::Arguments)?;
    if let Some(of_call) = values.of_call {
        return of_call(view, call, list);
    }
    let arguments: Vec<u32> = view.parts(list).take(MAX_ARGUMENTS).collect();
    let found = of_text(view, callee, &arguments);
    found.or_else(|| match (method, &arguments[..]) {
        ("max", parts) if is_most(callee, values.numbers.extremes) => parts
            .iter()
            .any(|&part| view.k(part) == Construct::Number)
            .then_some(Shape::Count),
        // `append(nil, a...)` is nil if `a` is empty.
        ("append", [_, parts @ ..]) if callee == method && !parts.is_empty() => {
            let is_item = |&&part: &&u32| !view.text(view.parent(part)).contains("...");
            parts
                .iter()
                .any(|part| is_item(&part))
                .then_some(Shape::List)
        }
        ("len" | "cap", &[_]) if callee == method => Some(Shape::Count),
        ("abs", &[_]) if matches!(callee, "abs" | "Math.abs") => Some(Shape::Count),
        _ => None,
    })
}

/// Whether a node is a text that is not empty.
fn is_literal(view: &View<'_>, node: u32) -> bool {
    view.k(node) == Construct::String && view.is_constant(node) && view.text(node).len() > 2
}

/// The same for functions that make texts, or split them.
fn of_text(view: &View<'_>, callee: &str, arguments: &[u32]) -> Option<Shape> {
    let is_literal = |node: u32| is_literal(view, node);
    let is_word = |&part: &u32| is_literal(part) && has_letters(view.text(part));
    match *arguments {
        [_, sign, ref most @ ..] if matches!(callee, "strings.Split" | "strings.SplitN") => {
            let is_many = |&most: &u32| view.k(most) == Construct::Number && view.text(most) != "0";
            (is_literal(sign) && most.iter().all(is_many)).then_some(Shape::FullList)
        }
        [sign] if callee.ends_with(".split") => is_literal(sign).then_some(Shape::FullList),
        [_] if callee == "strconv.Itoa" => Some(Shape::Text(true)),
        [format, ..] if callee == "fmt.Sprintf" => {
            let is_filled = is_literal(format) && has_letters(&without_verbs(view.text(format)));
            is_filled.then_some(Shape::Text(true))
        }
        _ if JOINS.contains(&callee) => arguments.iter().any(is_word).then_some(Shape::Text(true)),
        _ => None,
    }
}

/// Shape of the text that `format!` returns.
pub(super) fn of_format(text: &str) -> Option<Shape> {
    let format = text.strip_prefix("format!(\"")?.split('"').next()?;
    let mut outside = format.split('{');
    let first = outside.next().unwrap_or_default();
    let mut rest = outside.filter_map(|part| part.split_once('}'));
    let is_filled = has_letters(first) || rest.any(|(_, after)| has_letters(after));
    is_filled.then_some(Shape::Text(true))
}

/// Maximum number of arguments read of a call.
const MAX_ARGUMENTS: usize = 8;

/// Whether a function returns the maximum of its arguments, which is never below one of them.
fn is_most(callee: &str, extremes: Extremes) -> bool {
    match extremes {
        Extremes::Functions => callee == "max",
        _ => callee == "Math.max",
    }
}

fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A Go format without its verbs, such as `%-5d`.
fn without_verbs(format: &str) -> String {
    let mut parts = format.split('%');
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| {
        let verb = part.find(|c: char| c.is_alphabetic());
        verb.and_then(|at| part.get(at + 1..)).unwrap_or_default()
    });
    std::iter::once(first).chain(rest).collect()
}

/// Result shapes of a file's functions and methods by name, from their declared types.
pub(super) struct Results<'v> {
    functions: Map<&'v str, Option<Shape>>,
    methods: Map<&'v str, Option<Shape>>,
}

impl<'v> Results<'v> {
    pub(super) fn of(view: &View<'v>) -> Self {
        let mut all = Self {
            functions: Map::default(),
            methods: Map::default(),
        };
        let modules = modules(view);
        for &function in view.of_kind(Construct::Function) {
            let Some(name) = view.name_of(function).map(|name| view.text(name)) else {
                continue;
            };
            let shape = result(view, function)
                .filter(|_| keeps_type(view, &modules, function))
                .and_then(|kind| (view.conventions.values?.of_type)(kind));
            let of_kind = if view.is_method(function) {
                &mut all.methods
            } else {
                &mut all.functions
            };
            let known = of_kind.entry(name).or_insert(shape);
            if *known != shape {
                *known = None;
            }
        }
        all
    }

    /// The shape of a value that is a call of one of the functions.
    fn shape(&self, view: &View<'_>, value: u32) -> Option<Shape> {
        let value = bare(view, value)?;
        let call = match view.k(value) {
            Construct::Call => value,
            _ if view.tree.kind_name(value) == "expression_list" => view.only(value)?,
            _ => return None,
        };
        if view.k(call) != Construct::Call {
            return None;
        }
        let callee = view.text(call + 1);
        // `f?.()` may return nothing.
        if view.text(call).get(callee.len()..)?.starts_with("?.") {
            return None;
        }
        let (object, name) = callee.rsplit_once('.').unwrap_or(("", callee));
        // Another object may have a method of the same name.
        let shapes = match object {
            "" => &self.functions,
            "this" | "self" | "cls" => &self.methods,
            _ => return None,
        };
        shapes.get(name).copied().flatten()
    }

    /// Whether the type of its value answers a question about a name.
    pub(super) fn answers(
        &self,
        view: &View<'_>,
        names: &Occurrences<'_>,
        question: &Question<'_>,
        place: u32,
    ) -> Option<bool> {
        let given = given(view, question.subject, place)?;
        let shape = self.shape(view, given.value)?;
        if calls_local(view, names, given.value) {
            return None;
        }
        let answer = match (question.about, shape) {
            (Topic::Order(sign), Shape::Count) => of_order(sign, question.other)?,
            (Topic::Nothing, Shape::Count) | (Topic::Order(_), _) => return None,
            (Topic::Nothing, _) => {
                let has_sure_types = view.conventions.values?.has_sure_types;
                has_sure_types.then_some(false)?
            }
            (Topic::Type, Shape::List) if question.other == "list" => true,
            (Topic::Type, Shape::Text(_)) if question.other == "str" => true,
            (Topic::Type, Shape::Object) if question.other == "dict" => true,
            _ => return None,
        };
        let is_known = is_unchanged(
            view,
            names,
            question.subject,
            (given.end, place),
            Change::Value,
        );
        is_known.then_some(answer != question.negated)
    }
}

/// Whether nothing in a function suggests a result outside its declared type.
fn keeps_type(view: &View<'_>, modules: &HashSet<&str>, function: u32) -> bool {
    const NOTHING: &[&str] = &["", "None", "null", "undefined"];
    let returns = view.kind_within(Construct::Return, function, view.end(function));
    let own: Vec<u32> = returns
        .iter()
        .copied()
        .filter(|&node| view.function(node) == Some(function))
        .collect();
    let values = own.iter();
    let mut values = values.map(|&node| view.text(node).trim_start_matches("return"));
    // A decorator may replace the function.
    !view.decorated(function)
        && !only_returns_calls(view, modules, function, &own)
        && !values.any(|value| NOTHING.contains(&value.trim_matches([' ', ';'])))
}

/// Methods of texts and bytes whose results are known by their names.
const TEXT_METHODS: &[&str] = &[
    "capitalize",
    "decode",
    "format",
    "hexdigest",
    "isoformat",
    "join",
    "lower",
    "replace",
    "rsplit",
    "split",
    "splitlines",
    "strftime",
    "strip",
    "title",
    "upper",
];

/// Whether a function returns only results of other objects' methods. Then nothing checks its type.
fn only_returns_calls(
    view: &View<'_>,
    modules: &HashSet<&str>,
    function: u32,
    returns: &[u32],
) -> bool {
    let values = view.conventions.values;
    let is_unchecked = values.is_some_and(|values| values.has_unchecked_types);
    if !is_unchecked || returns.is_empty() {
        return false;
    }
    let is_call = |node: u32| {
        let call = match view.k(node) {
            Construct::Await => view.first(node),
            _ => Some(node),
        };
        let call = call.filter(|&call| view.k(call) == Construct::Call);
        let callee = call.and_then(|call| view.text(call + 1).rsplit_once('.'));
        callee.is_some_and(|(object, method)| {
            !modules.contains(object) && !TEXT_METHODS.contains(&method)
        })
    };
    // Names, and whether all of their values are such calls.
    let mut assigned: Map<&str, bool> = Map::default();
    for &assign in view.kind_within(Construct::Assign, function, view.end(function)) {
        let mut parts = view.parts(assign);
        if let Some(target) = parts.next() {
            let value = parts.last().unwrap_or(target);
            *assigned.entry(view.text(target)).or_insert(true) &= is_call(value);
        }
    }
    returns.iter().all(|&node| {
        view.only(node).is_some_and(|value| match view.k(value) {
            Construct::Identifier => assigned.get(view.text(value)).copied().unwrap_or(false),
            _ => is_call(value),
        })
    })
}

/// Local names of a Python file's imported modules, such as `json` and `os.path`.
fn modules<'v>(view: &View<'v>) -> HashSet<&'v str> {
    let imports = view.of_kind(Construct::Import).iter();
    let imports = imports.filter_map(|&import| view.text(import).strip_prefix("import "));
    let parts = imports.flat_map(|names| names.split(','));
    parts
        .flat_map(|part| {
            let name = part.split(" as ").last().unwrap_or(part).trim();
            let root = name.split('.').next().unwrap_or(name);
            [name, root, if name == "os" { "os.path" } else { name }]
        })
        .collect()
}

/// Whether a call's callee is a parameter or a local instead of the function of that name.
fn calls_local(view: &View<'_>, names: &Occurrences<'_>, value: u32) -> bool {
    let calls = view.kind_within(Construct::Call, value, view.end(value));
    calls.first().is_some_and(|&call| {
        let number = names.names.known(view.text(call + 1));
        number.is_some_and(|number| is_local(view, names, number, view.scope(call)))
    })
}

/// The answer of a number that is not below 0.
pub(super) fn of_order(sign: Sign, other: &str) -> Option<bool> {
    match sign {
        Sign::Below if other == "0" => Some(false),
        Sign::AtLeast if other == "0" => Some(true),
        _ => None,
    }
}

/// The declared result type of a function.
fn result<'v>(view: &View<'v>, function: u32) -> Option<&'v str> {
    let list = view.child(function, Construct::Parameters)?;
    let block = view.last_child(function, Construct::Block)?;
    // In Go, the receiver is in a separate list.
    let lists = view
        .children(function)
        .filter(|&c| view.k(c) == Construct::Parameters);
    let list = lists.last().unwrap_or(list);
    let (start, end) = (
        view.tree.node(list).end_byte,
        view.tree.node(block).start_byte,
    );
    let text = view.tree.text().get(start as usize..end as usize)?;
    let text = text
        .trim()
        .trim_start_matches("->")
        .trim_matches([' ', ':']);
    (!text.is_empty() && text.len() <= MAX_TYPE).then_some(text)
}

/// Maximum bytes of a parsed type.
const MAX_TYPE: usize = 80;

/// Whether a statement just above a place has added an item to the question's subject.
pub(super) fn is_grown(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> bool {
    let scope = view.scope(place);
    let above = std::iter::successors(Some(place), |&node| Some(view.parent(node)));
    let mut above = above.take_while(|&node| node != scope && node != 0).take(8);
    let statement = above.find(|&node| matches!(view.k(node), Construct::If | Construct::While));
    let Some(statement) = statement.filter(|&node| view.k(node) == Construct::If) else {
        return false;
    };
    let before = |&node: &u32| view.tree.previous_sibling(node);
    // In Rust, an `if` is in a separate statement.
    let outer = view.parent(statement);
    let from = if view.k(outer) == Construct::ExprStmt {
        outer
    } else {
        statement
    };
    let mut earlier = std::iter::successors(before(&from), before)
        .filter(|&node| view.tree.node(node).named && view.k(node) != Construct::Comment)
        .take(super::nodes::MAX_BETWEEN);
    let Some(grown) = earlier.find(|&node| grows(view, node, question.subject)) else {
        return false;
    };
    let since = view.end(grown);
    is_unchanged(
        view,
        names,
        question.subject,
        (since, place),
        Change::Content,
    )
}

/// Whether a statement adds an item to the collection of a name.
fn grows(view: &View<'_>, statement: u32, name: &str) -> bool {
    let call = super::nodes::wrapped(view, statement, (Construct::ExprStmt, Construct::Call));
    let Some((call, list)) =
        call.and_then(|call| Some((call, view.child(call, Construct::Arguments)?)))
    else {
        return false;
    };
    let method = view.text(call + 1).strip_prefix(name);
    let method = method.and_then(|rest| rest.strip_prefix('.'));
    let first = view.parts(list).next();
    let values = view.conventions.values;
    let appends_any = values.is_some_and(|values| values.appends_any);
    let is_item = first.is_some_and(|first| match method {
        // These take any number of items.
        Some("append") if appends_any => false,
        Some("push_str") => view.k(first) == Construct::String && view.text(first).len() > 2,
        _ => view.k(first) != Construct::Splat,
    });
    is_item && method.is_some_and(|method| ADDING.contains(&method))
}
