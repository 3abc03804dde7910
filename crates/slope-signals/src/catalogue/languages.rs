//! In which languages signals are reported.

pub(super) const PYTHON: &[&str] = &["python"];
/// Languages whose imports are looked at in changes.
pub(super) const IMPORTED_IN_CHANGES: &[&str] =
    &["python", "javascript", "typescript", "tsx", "java", "rust"];
/// Languages in which unused imports were judged precise in whole trees.
pub(super) const IMPORTED: &[&str] = &["python", "java"];
/// Languages in which a statement after one that leaves is unreachable, whatever stands on it; Java's
/// compilers refuse it.
pub(super) const FLOW: &[&str] = &["python", "javascript", "typescript", "tsx", "go"];
pub(super) const CSHARP: &[&str] = &["csharp"];
/// Every language that signals know.
pub(super) const ALL: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "java",
];

/// Languages in which unused locals are told of a change: not Python, where types that strings refer
/// to are stored so; Rust's compiler reports them, and Go's refuses them.
pub(super) const DECLARED: &[&str] = &[
    "javascript",
    "typescript",
    "tsx",
    "java",
    "c",
    "cpp",
    "csharp",
    "ruby",
];

/// Languages in which what a module or class keeps to itself cannot be used unseen.
pub(super) const PRIVATE: &[&str] = &["python", "javascript", "typescript", "tsx", "csharp"];
/// [`PRIVATE`] and the languages in which that was judged of changes only.
pub(super) const PRIVATE_IN_CHANGES: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "csharp",
    "go",
    "java",
    "rust",
];
/// Languages in which parameters that nothing reads are told of a change.
pub(super) const TAKEN: &[&str] = &["javascript", "typescript", "tsx", "go", "rust"];
/// Languages in which long lists of parameters were judged twice.
pub(super) const LISTED: &[&str] = &["javascript", "typescript", "tsx", "rust", "go"];
/// [`ALL`] and the languages that only comments are looked at in, without Ruby, where comments
/// explain by an expression.
pub(super) const COMMENTED: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "rust",
    "go",
    "java",
    "c",
    "cpp",
    "csharp",
];
/// Languages in which code in comments was judged precise.
pub(super) const EXPLAINED: &[&str] = ALL;
/// Languages with handlers for errors that were judged.
pub(super) const HANDLERS: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "java",
    "csharp",
    "ruby",
];
/// Languages with classes.
pub(super) const CLASSED: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "java",
    "cpp",
    "csharp",
    "ruby",
];
/// Languages in which texts are compared by `==`.
pub(super) const COMPARED: &[&str] = &[
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "rust",
    "csharp",
];
/// Languages whose habits are known.
pub(super) const HABITUAL: &[&str] = &["python", "javascript", "typescript", "tsx", "go", "rust"];
/// Languages with `try` in which an assignment cannot fail.
pub(super) const SCRIPTS: &[&str] = &["python", "javascript", "typescript", "tsx"];
/// Languages in which a value is checked right after it was made.
pub(super) const CHECKED: &[&str] = &["javascript", "typescript", "tsx", "go", "rust"];
