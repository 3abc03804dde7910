//! Handlers of errors.

use crate::construct::Construct;
use crate::text::identifiers;
use crate::view::View;

/// Facts about a language's error handlers.
pub struct Handlers {
    /// Whether an empty handler has no body node.
    pub may_lack_body: bool,
    /// Whether the head of a handler catches any error.
    pub is_broad: fn(&str) -> bool,
    /// Whether a handler, given with its head, ends with a statement that raises the caught error.
    pub raises_same: fn(&View<'_>, &str, u32) -> bool,
    /// Name of the caught error in the head.
    pub caught: for<'a> fn(&'a str) -> Option<&'a str>,
    /// Whether a handler, given with its head and the calls that log, logs and raises the same error on purpose.
    pub logs_on_purpose: fn(&View<'_>, u32, &str, &[u32]) -> bool,
    /// Whether assigning a constant or a local can never raise.
    pub has_safe_assignments: bool,
}

impl Handlers {
    pub(crate) const PLAIN: Self = Self {
        may_lack_body: false,
        is_broad,
        raises_same,
        caught: last_name,
        logs_on_purpose: |_, _, _, _| false,
        has_safe_assignments: false,
    };
}

/// Whether a head names no error, or the base of all errors.
fn is_broad(head: &str) -> bool {
    let words: Vec<&str> = identifiers(head).collect();
    let named = |word: &&str| {
        matches!(
            *word,
            "Exception" | "BaseException" | "Throwable" | "StandardError"
        )
    };
    match words.first().copied() {
        Some("except" | "rescue") => words.len() == 1 || words.iter().any(named),
        _ => words.len() <= 2 || head.contains("...") || words.iter().any(named),
    }
}

/// Whether a statement is `raise`, `throw;`, or raises the caught name.
fn raises_same(view: &View<'_>, head: &str, statement: u32) -> bool {
    if view.k(statement) != Construct::Raise {
        return false;
    }
    let parts: Vec<u32> = view.parts(statement).collect();
    match parts[..] {
        [] => true,
        [one] => {
            let caught = view.conventions.handlers.caught;
            view.k(one) == Construct::Identifier && caught(head) == Some(view.text(one))
        }
        _ => false,
    }
}

/// The last name of a head.
pub(crate) fn last_name(head: &str) -> Option<&str> {
    identifiers(head).next_back()
}
