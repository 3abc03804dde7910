//! Languages in which signals are reported.

/// Concatenates two lists; `N` is their total length.
const fn join<const N: usize>(
    first: &[&'static str],
    second: &[&'static str],
) -> [&'static str; N] {
    assert!(
        first.len() + second.len() == N,
        "N is the length of both lists"
    );
    let mut joined = [""; N];
    let mut at = 0;
    while at < N {
        joined[at] = if at < first.len() {
            first[at]
        } else {
            second[at - first.len()]
        };
        at += 1;
    }
    joined
}

pub(super) const PYTHON: &[&str] = &["python"];
/// Languages whose imports are checked in changes.
pub(super) const IMPORTED_IN_CHANGES: &[&str] =
    &join::<8>(SCRIPTS, &["java", "rust", "kotlin", "php"]);
/// Languages with unused imports judged precise in full scans.
pub(super) const IMPORTED: &[&str] = &["python", "java", "kotlin", "php"];
/// Languages in which a statement after a return or the like is unreachable in every case; Java's
/// compilers refuse it.
pub(super) const FLOW: &[&str] = &join::<5>(SCRIPTS, &["go"]);
pub(super) const CSHARP: &[&str] = &["csharp"];
/// Every language that signals know.
pub(super) const ALL: &[&str] = &join::<7>(SCRIPTS, &["rust", "go", "java"]);

/// Languages in which unused locals are reported in changes. Go's compiler refuses those that are not
/// collections.
pub(super) const DECLARED: &[&str] = &[
    "python",
    "go",
    "rust",
    "javascript",
    "typescript",
    "tsx",
    "java",
    "c",
    "cpp",
    "csharp",
    "ruby",
];

/// Languages in which private members of a module or class have no hidden uses.
pub(super) const PRIVATE: &[&str] = &join::<7>(SCRIPTS, &["csharp", "kotlin", "php"]);
/// [`PRIVATE`] and the languages for which that was judged in changes only.
pub(super) const PRIVATE_IN_CHANGES: &[&str] = &join::<10>(PRIVATE, &["go", "java", "rust"]);
/// Languages in which unused parameters are reported in changes.
pub(super) const TAKEN: &[&str] = &["javascript", "typescript", "tsx", "go", "rust"];
/// Languages in which long lists of parameters were judged twice.
pub(super) const LISTED: &[&str] = &["javascript", "typescript", "tsx", "rust", "go"];
/// [`ALL`] and the languages in which only comments are checked, without Ruby, where comments
/// explain by an expression.
pub(super) const COMMENTED: &[&str] = &join::<10>(ALL, &["c", "cpp", "csharp"]);
/// Languages in which code in comments was judged precise.
pub(super) const EXPLAINED: &[&str] = ALL;
/// Languages with handlers for errors that were judged.
pub(super) const HANDLERS: &[&str] = &join::<7>(SCRIPTS, &["java", "csharp", "ruby"]);
/// Languages with classes.
pub(super) const CLASSED: &[&str] = &join::<8>(SCRIPTS, &["java", "cpp", "csharp", "ruby"]);
/// Languages in which texts are compared by `==`.
pub(super) const COMPARED: &[&str] = &join::<7>(HABITUAL, CSHARP);
/// Languages whose local patterns are counted.
pub(super) const HABITUAL: &[&str] = &join::<6>(SCRIPTS, &["go", "rust"]);
/// Languages with `try` in which an assignment cannot fail.
pub(super) const SCRIPTS: &[&str] = &["python", "javascript", "typescript", "tsx"];
/// Languages in which checks of new values are reported.
pub(super) const CHECKED: &[&str] = TAKEN;
