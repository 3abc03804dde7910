//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use super::prose::PROSE;
use crate::conventions::{Comments, Conventions, Handlers, Naming, PLAIN, Semicolons};
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    naming: Naming {
        assignments_declare: true,
        calls_hold_receivers: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        semicolons: Semicolons::None,
        has_bare_expressions: true,
        ..Comments::PLAIN
    },
    handlers: Handlers {
        may_lack_body: true,
        is_broad,
        raises_same,
        ..Handlers::PLAIN
    },
    ..PLAIN
};

/// `rescue`, `rescue => e` and those that name a class that every error has.
fn is_broad(head: &str) -> bool {
    let named = head.trim_start_matches("rescue").split("=>").next();
    let named = named.unwrap_or_default().trim();
    let broad = [
        "StandardError",
        "Exception",
        "::StandardError",
        "::Exception",
    ];
    named.is_empty() || named.split(',').any(|kind| broad.contains(&kind.trim()))
}

/// `raise` alone, or with the caught name.
fn raises_same(view: &View<'_>, head: &str, statement: u32) -> bool {
    let name = head.rsplit("=>").next().unwrap_or_default().trim();
    let raised = view.text(statement).strip_prefix("raise").map(str::trim);
    raised.is_some_and(|raised| raised.is_empty() || head.contains("=>") && raised == name)
}
