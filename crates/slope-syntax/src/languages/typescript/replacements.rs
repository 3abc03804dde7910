//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(in crate::languages) const REPLACEMENTS: &[Replacement] = &[
    // A generic function type as the first type argument.
    (r"\w<(<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>)\s*\(", ""),
    // TypeScript 5.0: export type * from.
    (r"\bexport\s+(type)\s+\*", ""),
    // 4.7: variance of type parameters.
    (r"[<,]\s*(?:const\s+)?((?:in\s+out|in|out))\s+[A-Z]\w*", ""),
    // 2.9: a generic type of an imported module.
    (
        r#"\b(import\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\))(?:\.\w+)+\s*<"#,
        "_import",
    ),
];
