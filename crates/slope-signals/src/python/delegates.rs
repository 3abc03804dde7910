//! Python classes that only delegate to a field.

use std::collections::BTreeMap;

use super::symbols::{own_statements, passes_all};
use crate::catalogue::Signal;
use crate::gather::Gatherer;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Minimum number of handed-on methods that make a layer.
const FEWEST: usize = 3;

/// Reports classes most of whose methods call the same method of one field.
pub(super) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let mut methods: BTreeMap<u32, usize> = BTreeMap::new();
    let mut handed_on: BTreeMap<(u32, &str), usize> = BTreeMap::new();
    for &node in view.of_kind(Construct::Function) {
        let class = view.scope(node);
        // Checked first, because a module has many children.
        if view.k(class) != Construct::Class || view.child(class, Construct::Arguments).is_some() {
            continue;
        }
        let name = view.name_of(node).map_or("", |n| view.text(n));
        if name.starts_with("__") {
            continue;
        }
        *methods.entry(class).or_default() += 1;
        if let Some(field) = delegate(view, node, name) {
            *handed_on.entry((class, field)).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for ((class, field), count) in handed_on {
        let all = methods.get(&class).copied().unwrap_or_default();
        // Seven in ten: "most", with room for a constructor's helper or two.
        if count >= FEWEST && count * 10 >= all * 7 {
            found.push((class, field, count, all));
        }
    }
    for (class, field, count, all) in found {
        let Some(name) = gatherer.view.name_of(class) else {
            continue;
        };
        let text = gatherer.view.text(name);
        let message = format!(
            "{count} of the {all} methods of `{text}` only call the same method of `self.{field}`."
        );
        gatherer.report(Signal::PassThroughClass, name, message, text);
    }
}

/// The field to whose method of the same name a method delegates completely.
fn delegate<'a>(view: &View<'a>, function: u32, name: &str) -> Option<&'a str> {
    let [statement] = own_statements(view, function)[..] else {
        return None;
    };
    if !matches!(view.k(statement), Construct::Return | Construct::ExprStmt) {
        return None;
    }
    let mut value = view.only(statement)?;
    if view.k(value) == Construct::Await {
        value = view.only(value)?;
    }
    let target = if view.k(value) == Construct::Call {
        if !passes_all(view, function, view.child(value, Construct::Arguments)?) {
            return None;
        }
        value + 1
    } else {
        value
    };
    let (object, method) = view.text(target).rsplit_once('.')?;
    let field = object.strip_prefix("self.")?;
    (method == name && !field.contains(['.', '(', '['])).then_some(field)
}
