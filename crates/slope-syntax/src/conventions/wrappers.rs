//! Functions that pass on to others, and functions that do the same as others.

/// Where a second name for a function is needless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// In the file of the function.
    File,
    /// In its folder.
    Folder,
    /// Anywhere.
    Everywhere,
}

/// How functions are compared with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Not at all.
    None,
    /// By what they do alone.
    ByDeeds,
    /// By what they do, with calls in common, and variants by name left out.
    ByCalls,
}

/// Facts about functions that only call others, and about functions that do the same.
pub struct Wrappers {
    /// Whether functions that pass on are looked for by the rules that most languages share.
    pub are_known: bool,
    /// Whether passing on by a path, or all further parameters, is as plain as by a name.
    pub pass_rest: bool,
    /// Where a second name for a function is needless.
    pub near: Nearness,
    /// Whether a method can only be taken as a value by its object.
    pub hold_methods: bool,
    /// Whether a call without an object may be one of the object's own methods.
    pub call_own: bool,
    /// How functions are compared with others.
    pub comparison: Comparison,
    /// Whether what a function gives back always has a `return` before it.
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
