//! Parts of a C file that only C++ compilers see.

use crate::directive::directive;
use crate::lines::LineSet;

/// The macro that C++ compilers define, and no others.
const MACRO: &str = "__cplusplus";

/// The rows between `#ifdef __cplusplus` and its end, those of the directives included. The code
/// after its `#else` is for C.
pub(crate) fn rows(text: &str) -> LineSet {
    let mut rows = LineSet::default();
    if !text.contains(MACRO) {
        return rows;
    }
    // For each open conditional, whether the current branch is for C++ only.
    let mut open: Vec<Branch> = Vec::new();
    let mut outer = 0u32;
    for (row, line) in (0u32..).zip(text.lines()) {
        let was_inside = outer > 0;
        if let Some(directive) = directive(line) {
            step(&mut open, &mut outer, directive);
        }
        if was_inside || outer > 0 {
            rows.insert(row);
        }
    }
    rows
}

/// A conditional with one branch that is read.
struct Branch {
    is_cpp: bool,
    /// Whether its `#else` is for C++ only.
    is_not_c: bool,
}

/// Follows a directive. `outer` counts the open branches that are for C++ only.
fn step(open: &mut Vec<Branch>, outer: &mut u32, (word, condition): (&str, &str)) {
    let next = match word {
        "if" | "ifdef" => Branch {
            is_cpp: asks_for_cpp(condition),
            is_not_c: word == "if" && asks_for_c(condition),
        },
        "ifndef" => Branch {
            is_cpp: false,
            is_not_c: condition.trim() == MACRO,
        },
        "elif" | "else" | "elifdef" | "elifndef" => {
            let Some(before) = open.pop() else {
                return;
            };
            *outer -= u32::from(before.is_cpp);
            Branch {
                is_cpp: before.is_not_c || word != "else" && asks_for_cpp(condition),
                is_not_c: before.is_not_c,
            }
        }
        "endif" => {
            let ended = open.pop();
            *outer -= u32::from(ended.is_some_and(|branch| branch.is_cpp));
            return;
        }
        _ => return,
    };
    *outer += u32::from(next.is_cpp);
    open.push(next);
}

/// Whether a condition is true only in C++.
fn asks_for_cpp(condition: &str) -> bool {
    let condition = condition.trim_start();
    let asked = condition.strip_prefix("defined").unwrap_or(condition);
    let asked = asked.trim_start_matches([' ', '\t', '(']);
    asked.starts_with(MACRO) && !condition.contains("||")
}

/// Whether a condition is true only in C.
fn asks_for_c(condition: &str) -> bool {
    let asked = condition.trim_start().strip_prefix('!');
    asked.is_some_and(asks_for_cpp) && !condition.contains("&&")
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn only_cpp_branches_are_found() {
        let found = |text: &str| rows(text).rows().collect::<Vec<_>>();
        assert_eq!(found("#ifdef __cplusplus\na\n#endif\nb\n"), [0, 1, 2]);
        assert_eq!(
            found("#if defined(__cplusplus) && A\na\n#if B\n#else\n#endif\n#else\nc\n#endif\n"),
            [0, 1, 2, 3, 4, 5]
        );
        assert_eq!(
            found("#ifndef __cplusplus\nc\n#else\na\n#endif\nc\n"),
            [2, 3, 4]
        );
        assert_eq!(
            found("#if !defined(__cplusplus)\nc\n#else\na\n#endif\n"),
            [2, 3, 4]
        );
        assert_eq!(
            found("#ifdef A\n#else\n#endif\n#endif\n/* __cplusplus */\n"),
            [0u32; 0]
        );
        assert_eq!(
            found("#if defined(__cplusplus) || A\nc\n#endif\n"),
            [0u32; 0]
        );
    }
}
