//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(in crate::languages) const REPLACEMENTS: &[Replacement] = &[
    // 4.9: accessors.
    (
        r"(?m)(?:^|[{;}]|\b(?:static|public|private|protected|override|readonly|declare|abstract))\s*\b(accessor)\s+[#\w\[]",
        "",
    ),
    // 5.2: explicit resources.
    (r"\b(await\s+using)\s+[\w$]+\s*(?:=|:|of\b)", "const"),
    (r"\b(using)\s+[\w$]+\s*(?:=|:|of\b)", "const"),
    // 5.9: deferred imports; source phase imports.
    (r"\bimport\s+(defer|source)\s+(?:\*|\{|[\w$]+\s+from\b)", ""),
    (r"\bimport(\.(?:defer|source))\s*\(", ""),
    // Attributes of elements that are called like keywords: `<i class="a">`.
    (r#"\s(class|for)\s*=\s*[{"']"#, "k"),
    // ES2025: attributes of re-exports.
    (
        r#"\bfrom\s*(?:"[^"\n]*"|'[^'\n]*')\s*((?:with|assert)\s*\{[^{}]*\})"#,
        "",
    ),
];
