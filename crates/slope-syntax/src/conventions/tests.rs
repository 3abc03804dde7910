//! Tests, as far as their syntax shows them.

use crate::view::View;

/// How a test is written.
#[derive(Clone, Copy)]
pub enum TestForm {
    /// Not known.
    Unknown,
    /// A call with a name and a function: `it("works", () => {})`.
    Call,
    /// A function, given with its name.
    Function(fn(&View<'_>, u32, &str) -> bool),
}

/// Facts about a language's tests.
pub struct Tests {
    /// How a test is written.
    pub form: TestForm,
    /// Whether tests are in files of the program too.
    pub are_in_products: bool,
    /// Whether frameworks look for private functions of tests by name.
    pub have_private_hooks: bool,
    /// Whether a node is in a test that compares results with what it wants by operators.
    pub compare_at: fn(&View<'_>, u32) -> bool,
    /// Whether a node is in a test, or a module of tests, inside a file of the program.
    pub hold: fn(&View<'_>, u32) -> bool,
    /// Whether a function is in a module of tests inside a file of the program.
    pub hold_function: fn(&View<'_>, u32) -> bool,
}

impl Tests {
    pub(crate) const PLAIN: Self = Self {
        form: TestForm::Unknown,
        are_in_products: false,
        have_private_hooks: true,
        compare_at: |_, _| false,
        hold: |_, _| false,
        hold_function: |_, _| false,
    };
}
