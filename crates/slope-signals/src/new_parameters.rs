//! Parameters that a change adds to functions.

use crate::facts::{FileSignals, Function, Traits};

/// A parameter that a function did not have before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewParameter {
    /// Name of the function, without its class.
    pub function: String,
    /// Name of the parameter.
    pub name: String,
    /// Its line, from 1.
    pub line: u32,
    /// Whether the function uses it.
    pub is_used: bool,
}

/// Parameters that functions of `new` have and the same functions of `old` have not. `pairs` are dotted names of
/// functions before and after. Functions whose parameters another one prescribes are left out.
#[must_use]
pub fn new_parameters(
    old: &FileSignals,
    new: &FileSignals,
    pairs: &[(&str, &str)],
) -> Vec<NewParameter> {
    let mut found = Vec::new();
    for (before, after) in pairs {
        let (Some(before), Some(after)) = (named(old, before), named(new, after)) else {
            continue;
        };
        let prescribed = Traits::OVERRIDE | Traits::ABSTRACT | Traits::STUB | Traits::TEST;
        if after.traits & prescribed != 0 {
            continue;
        }
        let name = |facts: &FileSignals, name: u32| {
            let text = facts.names.get(name as usize);
            text.unwrap_or_default().to_owned()
        };
        let own = before.parameters.iter();
        let own: Vec<String> = own.map(|parameter| name(old, parameter.name)).collect();
        for parameter in &after.parameters {
            let text = name(new, parameter.name);
            if parameter.rest || text.starts_with('_') || own.contains(&text) {
                continue;
            }
            found.push(NewParameter {
                function: name(new, after.name),
                name: text,
                line: parameter.place.span.start_line,
                is_used: !parameter.unread,
            });
        }
    }
    found
}

/// The only function of a dotted name.
fn named<'f>(facts: &'f FileSignals, callable: &str) -> Option<&'f Function> {
    let mut all = facts
        .functions
        .iter()
        .filter(|one| one.callable == callable);
    let first = all.next()?;
    all.next().is_none().then_some(first)
}
