//! Code that slope does not see, or that other programs run.

use crate::construct::Construct;
use crate::view::View;

/// Facts about code outside the tree.
pub struct Flow {
    /// Whether compilers report unreachable code, or remove statements before they check them.
    pub hides_statements: bool,
    /// Whether directives may remove code from a block.
    pub has_conditional_code: bool,
    /// Whether a file requests generated code, or includes other files.
    pub asks_a_generator: fn(&View<'_>) -> bool,
    /// Whether functions without a body are in assembly, which may call any function.
    pub has_foreign_bodies: bool,
    /// Whether comparing with several texts is the usual way to look one up.
    pub matches_texts: bool,
}

impl Flow {
    pub(crate) const PLAIN: Self = Self {
        hides_statements: false,
        has_conditional_code: false,
        asks_a_generator: orders_code,
        has_foreign_bodies: false,
        matches_texts: false,
    };
}

/// Programs that generate Go from other files, which call functions of the package.
const GENERATORS: &[&str] = &["yacc", "ragel", "peg", "pigeon", "antlr", "nex"];

/// Whether a comment requests code that is generated from a grammar, which calls given functions.
fn orders_code(view: &View<'_>) -> bool {
    let comments = view.of_kind(Construct::Comment).iter();
    let mut orders = comments.filter_map(|&c| view.text(c).strip_prefix("//go:generate "));
    orders.any(|order| GENERATORS.iter().any(|name| order.contains(name)))
}
