//! Python checks for something that the signature or the class guarantees.

use super::symbols::{body, statements};
use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Types whose values are never None and whose annotation is exact.
const PLAIN: &[&str] = &[
    "str",
    "int",
    "float",
    "bool",
    "bytes",
    "list",
    "dict",
    "set",
    "tuple",
    "frozenset",
    "List",
    "Dict",
    "Set",
    "Tuple",
];

/// Reports checks of a parameter's declared type at the top of a function, and
/// of attributes that the constructor always sets.
pub(super) fn find(gatherer: &mut Gatherer<'_>) {
    let functions: Vec<u32> = gatherer.view.of_kind(Construct::Function).to_vec();
    for &function in &functions {
        for (node, message) in rechecks(&gatherer.view, function) {
            let text = gatherer.view.text(node);
            gatherer.report(Signal::RecheckedAnnotation, node, message, text);
        }
    }
    for (node, message) in sure_attributes(&gatherer.view, &functions) {
        let text = gatherer.view.text(node);
        gatherer.report(Signal::ImpossibleCheck, node, message, text);
    }
}

fn rechecks(view: &View<'_>, function: u32) -> Vec<(u32, String)> {
    let (Some(list), Some(block)) = (
        view.child(function, Construct::Parameters),
        body(view, function),
    ) else {
        return Vec::new();
    };
    let mut annotated: Map<&str, &str> = Map::default();
    for parameter in view.parts(list).filter(|&p| view.k(p) == Construct::Param) {
        let (Some(name), Some(kind)) = (
            view.first(parameter),
            view.child(parameter, Construct::Type),
        ) else {
            continue;
        };
        let has_default = view.children(parameter).any(|c| view.text(c) == "=");
        let declared = view.text(kind);
        let base = declared.split('[').next().unwrap_or_default();
        let whole = declared == base || declared.ends_with(']');
        if view.k(name) == Construct::Identifier && !has_default && whole && PLAIN.contains(&base) {
            annotated.insert(view.text(name), base);
        }
    }
    if annotated.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for statement in statements(view, block) {
        match view.k(statement) {
            Construct::ExprStmt
                if view
                    .only(statement)
                    .is_some_and(|e| view.k(e) == Construct::String) => {}
            Construct::If => {
                let Some(condition) = view.first(statement) else {
                    break;
                };
                found.extend(recheck(view, condition, &annotated));
            }
            _ => break,
        }
    }
    found
}

/// `name is None`, `not isinstance(name, T)` of a parameter declared to be `T`.
fn recheck(view: &View<'_>, condition: u32, annotated: &Map<&str, &str>) -> Option<(u32, String)> {
    let (name, asked) = match view.k(condition) {
        Construct::Compare => {
            let children: Vec<u32> = view.children(condition).collect();
            let [left, operator, right] = children[..] else {
                return None;
            };
            if view.text(operator) != "is" || view.k(right) != Construct::Null {
                return None;
            }
            (view.text(left), "None")
        }
        Construct::Not => {
            let call = view.only(condition)?;
            if view.k(call) != Construct::Call || view.text(call + 1) != "isinstance" {
                return None;
            }
            let arguments: Vec<u32> = view
                .parts(view.child(call, Construct::Arguments)?)
                .collect();
            let [name, kind] = arguments[..] else {
                return None;
            };
            (view.text(name), view.text(kind))
        }
        _ => return None,
    };
    let declared = annotated.get(name)?;
    let same = asked == "None" || declared.eq_ignore_ascii_case(asked);
    same.then(|| {
        let message =
            format!("`{name}` is declared as `{declared}`, so this check repeats the signature.");
        (condition, message)
    })
}

/// Names that classes of this file have as bases.
fn bases<'a>(view: &View<'a>) -> Vec<&'a str> {
    let classes = view.of_kind(Construct::Class).iter();
    let lists = classes.filter_map(|&class| view.child(class, Construct::Arguments));
    lists
        .flat_map(|list| view.parts(list))
        .map(|base| view.text(base))
        .collect()
}

/// Types whose objects are created without a constructor by unpickling or copying.
const CONTAINERS: &[&str] = &["dict", "frozenset", "list", "set", "str", "tuple"];

/// The attributes that a constructor sets before any method of the object can run, with the
/// statement of each.
fn set_before_methods<'a>(
    view: &View<'a>,
    constructor: u32,
    functions: &[u32],
) -> impl Iterator<Item = (&'a str, u32)> {
    let class = view.scope(constructor);
    let list = view.child(class, Construct::Arguments);
    let bases: Vec<&str> = list.map_or(Vec::new(), |list| {
        view.parts(list).map(|base| view.text(base)).collect()
    });
    let has_base = bases.iter().any(|&base| base != "object");
    let is_container = bases.iter().any(|base| CONTAINERS.contains(base));
    let mut sure = Vec::new();
    let block = body(view, constructor).filter(|_| !is_container);
    for statement in block.into_iter().flat_map(|block| statements(view, block)) {
        if view.k(statement) != Construct::ExprStmt || runs_methods(view, statement, has_base) {
            break;
        }
        let assign = view
            .only(statement)
            .filter(|&a| view.k(a) == Construct::Assign);
        let target = assign.map_or("", |a| view.text(a + 1));
        // `self.x: int` alone only declares the attribute.
        let has_value = assign.is_some_and(|a| view.children(a).any(|c| view.text(c) == "="));
        let Some(attribute) = target.strip_prefix("self.").filter(|_| has_value) else {
            continue;
        };
        // A property's setter is a method, too.
        let is_property = |&function: &u32| {
            let name = view.name_of(function).map_or("", |n| view.text(n));
            name == attribute && view.scope(function) == class
        };
        if functions.iter().any(is_property) {
            break;
        }
        sure.push((attribute, statement));
    }
    sure.into_iter()
}

/// Whether a statement of a constructor may run methods of the object: it calls one, or one of a
/// base class, or passes the object on.
fn runs_methods(view: &View<'_>, statement: u32, has_base: bool) -> bool {
    let calls = view.of_kind(Construct::Call);
    let first = calls.partition_point(|&call| call < statement);
    let inside = calls[first..].iter().copied();
    inside
        .take_while(|&call| call < view.end(statement))
        .any(|call| {
            let called = view.text(call + 1);
            let method = called.strip_prefix("self.");
            let list = view.child(call, Construct::Arguments);
            let handed_on = list.is_some_and(|l| view.parts(l).any(|a| view.text(a) == "self"));
            method.is_some_and(|method| !method.contains('.'))
                || has_base && called.starts_with("super(")
                || handed_on
        })
}

/// Methods that run for objects with an unfinished constructor, or that make attributes dynamic.
const UNSURE: &[&str] = &[
    "__del__",
    "__delattr__",
    "__getattr__",
    "__getattribute__",
    "__setstate__",
];

/// The attributes that are always there, by class, with the statement that sets each.
fn always_set<'a>(view: &View<'a>, functions: &[u32]) -> Map<(u32, &'a str), u32> {
    let mut set: Map<(u32, &str), u32> = Map::default();
    let mut unsure: Map<u32, ()> = Map::default();
    for &function in functions {
        let class = view.scope(function);
        let name = view.name_of(function).map_or("", |n| view.text(n));
        if name == "__init__" {
            let sure = set_before_methods(view, function, functions);
            set.extend(sure.map(|(attribute, statement)| ((class, attribute), statement)));
        } else if UNSURE.contains(&name) {
            unsure.insert(class, ());
        }
    }
    for &node in view.of_kind(Construct::Delete) {
        let text = view.text(node);
        set.retain(|(_, attribute), _| !text.contains(attribute));
    }
    // A subclass with a constructor need not call this one.
    let bases = bases(view);
    set.retain(|&(class, _), _| {
        let name = view.name_of(class).map_or("", |n| view.text(n));
        !bases.contains(&name) && !unsure.contains_key(&class)
    });
    set
}

/// The class and the attribute in `hasattr(self, "x")` and `getattr(self, "x", default)`.
fn asked<'a>(view: &View<'a>, call: u32) -> Option<(u32, &'a str)> {
    let wanted = match view.text(call + 1) {
        "hasattr" => 2,
        "getattr" => 3,
        _ => return None,
    };
    let arguments: Vec<u32> = view
        .parts(view.child(call, Construct::Arguments)?)
        .collect();
    let (&object, &name) = (arguments.first()?, arguments.get(1)?);
    let function = view.function(call)?;
    let method = view.name_of(function).map_or("", |n| view.text(n));
    let fits = arguments.len() == wanted
        && view.text(object) == "self"
        && view.k(name) == Construct::String
        && !method.starts_with("__");
    fits.then(|| {
        let attribute = view.text(name).trim_matches(['"', '\'']);
        (view.scope(function), attribute)
    })
}

/// `hasattr(self, "x")` and `getattr(self, "x", default)` in methods of a class whose constructor
/// always sets `self.x` before any of them can run.
fn sure_attributes(view: &View<'_>, functions: &[u32]) -> Vec<(u32, String)> {
    let set = always_set(view, functions);
    let mut found = Vec::new();
    for &node in view.of_kind(Construct::Call) {
        let Some((class, attribute)) = asked(view, node) else {
            continue;
        };
        if let Some(&since) = set.get(&(class, attribute)) {
            let line = view.place(since).span.start_line;
            let message = format!(
                "`self.{attribute}` always exists: the constructor sets it in line {line}."
            );
            found.push((node, message));
        }
    }
    found
}
