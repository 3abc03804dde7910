//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // C# 13: type arguments that may be `ref struct`.
    (r"(,\s*allows\s+ref\s+struct)\b", ""),
    (r"\b(where\s+\w+\s*:\s*allows\s+ref\s+struct)\b", ""),
    // C# 9: a type pattern before `and` or `or`.
    (
        r#"\b([A-Za-z_][\w.]*)\s+(?:and|or)\s+(?:[<>\[{(\d"'-]|not\b|null\b|[A-Z])"#,
        "_",
    ),
    // C# 11: a list pattern before `when`, rewritten to a positional pattern.
    (r"(\[)[^\[\]\n]*\]\s*when\b", "("),
    (r"\([^\[\]()\n]*(\])\s*when\b", ")"),
    // C# 11: slices in list patterns.
    (r"[\[,]\s*(\.\.)\s*[,\]]", "_"),
    (r"[\[,]\s*(\.\.)\s*(?:[\w{\[(<>])", ""),
    // C# 11: checked operators; 14: compound operators.
    (r"\boperator\s+(checked)\b", ""),
    (
        r"\boperator\s+(?:checked\s+)?(?:>>>|<<|>>|[-+*/%&|^])(=)\s*\(",
        "",
    ),
    // C# 14: assignment after `?.`.
    (
        r#"(\?)(?:\.\w+|\[[\w"]+\])(?:\.\w+|\[[\w"]+\])*\s*(?:\?\?|<<|>>|[-+*/%&|^])?=[^=>]"#,
        "",
    ),
    // C# 14: parameters of a lambda with a modifier and without a type.
    (
        r"[(,]\s*((?:ref\s+readonly|scoped|out|ref|in|params))\s+\w+\s*[,)]",
        "",
    ),
    // C# 14: directives of programs of one file.
    (r"(?m)^(#[!:].*)$", ""),
];
