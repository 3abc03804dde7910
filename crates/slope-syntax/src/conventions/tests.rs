//! Tests, by their syntax.

use crate::view::View;

/// Form of a test.
#[derive(Clone, Copy)]
pub enum TestForm {
    /// Unknown.
    Unknown,
    /// A call with a name and a function: `it("works", () => {})`.
    Call,
    /// A function, given with its name.
    Function(fn(&View<'_>, u32, &str) -> bool),
}

/// Facts about a language's tests.
pub struct Tests {
    /// Form of a test.
    pub form: TestForm,
    /// Whether production files may contain tests.
    pub are_in_products: bool,
    /// Whether frameworks find private functions of tests by name.
    pub have_private_hooks: bool,
    /// Whether a node is in a test that compares results by operators.
    pub compare_at: fn(&View<'_>, u32) -> bool,
    /// Whether a node is in a test or test module inside a production file.
    pub hold: fn(&View<'_>, u32) -> bool,
    /// Whether a function is in a test module inside a production file.
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
