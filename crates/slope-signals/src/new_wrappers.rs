//! Functions that a change adds, and that only call one that was there.

use crate::facts::{FileSignals, Function, Traits};

/// A function that passes exactly its parameters to an existing one of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWrapper {
    /// Its name.
    pub name: String,
    /// The name of the other function.
    pub of: String,
    /// Its line, from 1.
    pub line: u32,
}

/// Functions of `new` that `old` does not have, and that pass their parameters to a function that both have.
#[must_use]
pub fn new_wrappers(old: &FileSignals, new: &FileSignals) -> Vec<NewWrapper> {
    let name = |facts: &FileSignals, function: &Function| {
        let text = facts.names.get(function.name as usize);
        text.unwrap_or_default().to_owned()
    };
    let has = |facts: &FileSignals, wanted: &str| {
        let mut all = facts.functions.iter();
        all.any(|one| name(facts, one) == wanted)
    };
    let prescribed =
        Traits::OVERRIDE | Traits::DECORATED | Traits::STUB | Traits::TEST | Traits::SPECIAL;
    let mut found = Vec::new();
    for one in new
        .functions
        .iter()
        .filter(|one| one.traits & prescribed == 0)
    {
        let Some(of) = new.names.get(one.passes_to as usize) else {
            continue;
        };
        let name = name(new, one);
        // Another signature of the same function is an overload.
        if name != of && !has(old, &name) && has(new, of) {
            found.push(NewWrapper {
                name,
                of: of.to_owned(),
                line: one.place.span.start_line,
            });
        }
    }
    found
}
