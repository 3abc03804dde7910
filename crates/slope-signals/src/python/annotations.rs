//! Checks of Python code that ask for what the signature or the class already says.

use super::symbols::{body, statements};
use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::view::View;
use crate::words::Map;

/// Types whose values are never None and that say what they are.
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
    let functions: Vec<u32> = gatherer.view.of_kind(K::Function).to_vec();
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
    let (Some(list), Some(block)) = (view.child(function, K::Parameters), body(view, function))
    else {
        return Vec::new();
    };
    let mut annotated: Map<&str, &str> = Map::default();
    for parameter in view.parts(list).filter(|&p| view.k(p) == K::Param) {
        let (Some(name), Some(kind)) = (view.first(parameter), view.child(parameter, K::Type))
        else {
            continue;
        };
        let has_default = view.children(parameter).any(|c| view.text(c) == "=");
        let declared = view.text(kind);
        let base = declared.split('[').next().unwrap_or_default();
        let whole = declared == base || declared.ends_with(']');
        if view.k(name) == K::Identifier && !has_default && whole && PLAIN.contains(&base) {
            annotated.insert(view.text(name), base);
        }
    }
    if annotated.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for statement in statements(view, block) {
        match view.k(statement) {
            K::ExprStmt if view.only(statement).is_some_and(|e| view.k(e) == K::String) => {}
            K::If => {
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
        K::Compare => {
            let children: Vec<u32> = view.children(condition).collect();
            let [left, operator, right] = children[..] else {
                return None;
            };
            if view.text(operator) != "is" || view.k(right) != K::Null {
                return None;
            }
            (view.text(left), "None")
        }
        K::Not => {
            let call = view.only(condition)?;
            if view.k(call) != K::Call || view.text(call + 1) != "isinstance" {
                return None;
            }
            let arguments: Vec<u32> = view.parts(view.child(call, K::Arguments)?).collect();
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
        let message = format!(
            "`{name}` is declared as `{declared}`, so this check asks for what the signature says."
        );
        (condition, message)
    })
}

/// Names that classes of this file have as bases.
fn bases<'a>(view: &View<'a>) -> Vec<&'a str> {
    let classes = view.of_kind(K::Class).iter();
    let lists = classes.filter_map(|&class| view.child(class, K::Arguments));
    lists
        .flat_map(|list| view.parts(list))
        .map(|base| view.text(base))
        .collect()
}

/// `hasattr(self, "x")` and `getattr(self, "x", default)` in methods of a class
/// whose constructor always sets `self.x`.
fn sure_attributes(view: &View<'_>, functions: &[u32]) -> Vec<(u32, String)> {
    let mut set: Map<(u32, &str), u32> = Map::default();
    for &function in functions {
        let name = view.name_of(function).map_or("", |n| view.text(n));
        let Some(block) = body(view, function).filter(|_| name == "__init__") else {
            continue;
        };
        for statement in statements(view, block) {
            if !matches!(view.k(statement), K::ExprStmt) {
                break;
            }
            let assign = view.only(statement).filter(|&a| view.k(a) == K::Assign);
            let Some(target) = assign.map(|a| a + 1) else {
                continue;
            };
            if let Some(attribute) = view.text(target).strip_prefix("self.") {
                set.insert((view.scope(function), attribute), statement);
            }
        }
    }
    for &node in view.of_kind(K::Delete) {
        let text = view.text(node);
        set.retain(|(_, attribute), _| !text.contains(attribute));
    }
    // A subclass with a constructor of its own need not call this one.
    let bases = bases(view);
    set.retain(|&(class, _), _| {
        let name = view.name_of(class).map_or("", |n| view.text(n));
        !bases.contains(&name)
    });
    let mut found = Vec::new();
    for &node in view.of_kind(K::Call) {
        let called = view.text(node + 1);
        if called != "hasattr" && called != "getattr" {
            continue;
        }
        let Some(list) = view.child(node, K::Arguments) else {
            continue;
        };
        let arguments: Vec<u32> = view.parts(list).collect();
        let (Some(&object), Some(&name)) = (arguments.first(), arguments.get(1)) else {
            continue;
        };
        let wanted = if called == "hasattr" { 2 } else { 3 };
        let Some(function) = view.function(node) else {
            continue;
        };
        let method = view.name_of(function).map_or("", |n| view.text(n));
        if arguments.len() != wanted || view.text(object) != "self" || method.starts_with("__") {
            continue;
        }
        let attribute = view.text(name).trim_matches(['"', '\'']);
        if let Some(&since) = set.get(&(view.scope(function), attribute)) {
            let line = view.place(since).span.start_line;
            let message = format!(
                "`self.{attribute}` always exists: the constructor sets it in line {line}."
            );
            found.push((node, message));
        }
    }
    found
}
