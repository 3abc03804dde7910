//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(in crate::languages) const C23: &[Replacement] = &[
    // C23: inferred types, `typeof_unqual`, types of enumerations, embedded files.
    (r"\b(auto)\s+\w+\s*=", "int"),
    (r"\b(typeof_unqual)\b", "typeof"),
    (r"\benum(?:\s+\w+)?\s*(:\s*\w[\w \t]*)\{", ""),
];

pub(in crate::languages) const MACROS: &[Replacement] = &[
    // C23: a label at the end of a block. `default`, `public` and their like may be there anyway.
    (
        r"[;{}]\s*(?:[A-Zace-oq-z_]\w*|d[^e\W]\w*|p[^ru\W]\w*)\s*(:)\s*\}",
        ";",
    ),
    // Labels as values.
    (r"\bgoto\s+(\*)\s*[\w(]", ""),
    (r"(?m)^[ \t]*(#[ \t]*embed\b.*)$", "0"),
    // A type as an argument of a macro.
    (r"\bva_arg\s*\([^,()]*(?:\([^()]*\)[^,()]*)?(,[^()]*)\)", ""),
    // The calling convention of a function pointer.
    (r"\(\s*((?:[A-Z][A-Z_]{2,}|__\w+))\s*\*\s*\w+\s*\)\s*\(", ""),
    // Attributes behind the parameters.
    (r"\)\s*([A-Z][A-Z0-9_]{2,}\s*\(\([^;{}]*?\)\))\s*[;{]", ""),
    // A macro between texts.
    (r#"["]\s*(PRI\w+|SCN\w+|[A-Z][A-Z0-9_]{2,})\s*[",);]"#, ""),
    (r#"[(,]\s*([A-Z][A-Z0-9_]{2,})\s+["]"#, ""),
    // A macro on a separate line, between statements or members.
    (
        r"[;{}][ \t]*\n\s*([A-Z][A-Z0-9_]{2,}(?:\([^;{}\n]*\))?)[ \t]*\n\s*[^{\s:.,;)]",
        "",
    ),
    (
        r"[;{}][ \t]*\n\s*([A-Z][A-Z0-9_]{2,}(?:\([^;{}\n]*\))?)[ \t]*\n\s*[^{\s:.,;)]",
        "",
    ),
];

pub(in crate::languages) const LOOPS: &[Replacement] = &[
    // A macro that is the head of a loop.
    (
        r"[;{})]\s*(\w*foreach\w*\s*\([^;{}()\n]*\))\s*[A-Za-z_]",
        "for (;;)",
    ),
];

pub(in crate::languages) const ARGUMENTS: &[Replacement] = &[
    // Arguments of a macro that are empty; two in a row take two turns.
    (r"(,)\s*[,)]", ""),
    (r"(,)\s*[,)]", ""),
    (r"\w\(\s*(,)", ""),
    // C++17 and C23: a header as an operand.
    (
        r#"\b(__has_include(?:_next)?\s*\(\s*(?:<[^>\n]*>|"[^"\n]*")\s*\))"#,
        "1",
    ),
];
