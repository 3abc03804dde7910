//! Types all of whose methods only forward to one field.

use std::collections::BTreeMap;

use crate::catalogue::Signal;
use crate::facts::{FileSignals, Function, NO_NAME, Target, Traits};
use crate::forward::How;
use crate::signal_finding::SignalFinding;

use crate::layers::{holder, says_the_same};
use crate::snapshot::Snapshot;

/// Minimum number of methods that make a layer.
const MIN_METHODS: usize = 2;

/// Methods that forward to a field, each with its target.
type Passing<'a> = Vec<(&'a Function, &'a Target)>;

/// Reports types of a file whose methods only call those of one field.
pub(crate) fn find(snapshot: &Snapshot<'_>, file: usize, found: &mut Vec<SignalFinding>) {
    if snapshot.tests[file] {
        return;
    }
    let facts = snapshot.files[file].1;
    let mut types: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in facts.functions.iter().filter(|f| f.class.is_some()) {
        types.entry(holder(function)).or_default().push(function);
    }
    for (name, methods) in types {
        if let Some((field, passing)) = passing(snapshot, (file, facts), &methods) {
            found.push(finding(file, (name, &field), &passing));
        }
    }
}

/// The field that all methods of a type pass on to, and the methods.
fn passing<'a>(
    snapshot: &Snapshot<'_>,
    (file, facts): (usize, &'a FileSignals),
    methods: &[&'a Function],
) -> Option<(String, Passing<'a>)> {
    let barred = Traits::OVERRIDE
        | Traits::DECORATED
        | Traits::KEPT
        | Traits::STUB
        | Traits::ABSTRACT
        | Traits::TEST
        | Traits::NESTED;
    let may_be_interface = facts.conventions().has_implicit_methods;
    let mut passing: Passing<'a> = Vec::new();
    let mut field = None;
    for &method in methods {
        if is_constructor(snapshot, file, method) {
            continue;
        }
        let is_closed = method.traits & barred == 0 && is_closed(snapshot, (file, facts), method);
        let target = method.wraps.as_ref().filter(|_| is_closed)?;
        let how = How::FIELD | How::STEPS | How::NO_PARAMETERS | How::DEFAULTS | How::REST;
        let (own, other) = (
            snapshot.name(file, method.name),
            snapshot.name(file, target.name),
        );
        let is_plain = target.how & How::FIELD != 0 && target.how & !how == 0;
        if !is_plain || may_be_interface && own != other && !says_the_same(own, other) {
            return None;
        }
        let (object, _) = snapshot.name(file, target.shown).rsplit_once('.')?;
        if *field.get_or_insert(object) != object {
            return None;
        }
        passing.push((method, target));
    }
    (passing.len() >= MIN_METHODS).then(|| (field.unwrap_or_default().to_owned(), passing))
}

/// Whether a method constructs its type.
fn is_constructor(snapshot: &Snapshot<'_>, file: usize, method: &Function) -> bool {
    let name = snapshot.name(file, method.name);
    method.traits & Traits::SPECIAL != 0 || matches!(name, "__init__" | "constructor" | "new")
}

/// Whether no interface prescribes a method: its class has neither bases nor subclasses.
fn is_closed(
    snapshot: &Snapshot<'_>,
    (file, facts): (usize, &FileSignals),
    method: &Function,
) -> bool {
    let class = method.class.filter(|&class| class != NO_NAME);
    let class = class.and_then(|class| facts.classes.get(class as usize));
    class.is_none_or(|class| {
        class.bases.is_empty() && !class.decorated && snapshot.subclasses(file, class.name) == 0
    })
}

fn finding(file: usize, (name, field): (&str, &str), passing: &Passing<'_>) -> SignalFinding {
    let (first, _) = passing[0];
    let count = passing.len();
    SignalFinding::new(
        file,
        Signal::TrivialWrapper,
        first.place,
        &first.callable,
        format!("All {count} methods of `{name}` only pass their parameters to `{field}`."),
        name,
    )
}
