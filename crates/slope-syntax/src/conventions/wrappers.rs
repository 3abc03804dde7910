//! Functions that only call others, and functions that duplicate others.

/// Scope in which a second name for a function is needless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// Within the file of the function.
    File,
    /// Within its folder.
    Folder,
    /// Anywhere.
    Everywhere,
}

/// Comparison of functions with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// None.
    None,
    /// By their operations alone.
    ByDeeds,
    /// By their operations, if they have calls in common. Variants by name are left out.
    ByCalls,
}

/// Facts about functions that only call others, and about duplicates.
pub struct Wrappers {
    /// Whether the shared search for functions that only call others applies.
    pub are_known: bool,
    /// Whether passing a path, or all remaining parameters, is as simple as passing a name.
    pub pass_rest: bool,
    /// Scope in which a second name for a function is needless.
    pub near: Nearness,
    /// Whether a method becomes a value only together with its object.
    pub hold_methods: bool,
    /// Whether a call without an object may call a method of the current object.
    pub call_own: bool,
    /// Comparison of functions with others.
    pub comparison: Comparison,
    /// Whether every result has a `return` before it.
    pub return_by_keyword: bool,
}

impl Wrappers {
    pub(crate) const PLAIN: Self = Self {
        are_known: false,
        pass_rest: false,
        near: Nearness::Everywhere,
        hold_methods: false,
        call_own: false,
        comparison: Comparison::None,
        return_by_keyword: false,
    };
}
