//! Code that slope does not see, or that others run.

use crate::construct::Construct;
use crate::view::View;

/// Facts about code outside the tree.
pub struct Flow {
    /// Whether compilers report what nothing reaches, or take statements out before they see them.
    pub hides_statements: bool,
    /// Whether directives may take code out of a block.
    pub has_conditional_code: bool,
    /// Whether a file asks a generator for code, or takes in code from elsewhere.
    pub asks_a_generator: fn(&View<'_>) -> bool,
    /// Whether a function without a body is written in assembly, which may call any other.
    pub has_foreign_bodies: bool,
    /// Whether a choice between texts is the usual way to look them up.
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

/// Programs that write Go from files of their own, in which they call functions of the package.
const GENERATORS: &[&str] = &["yacc", "ragel", "peg", "pigeon", "antlr", "nex"];

/// Whether a comment asks for code that is made from a grammar, which calls what it is given.
fn orders_code(view: &View<'_>) -> bool {
    let comments = view.of_kind(Construct::Comment).iter();
    let mut orders = comments.filter_map(|&c| view.text(c).strip_prefix("//go:generate "));
    orders.any(|order| GENERATORS.iter().any(|name| order.contains(name)))
}
