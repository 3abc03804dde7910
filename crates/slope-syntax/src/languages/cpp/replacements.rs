//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const LOOPS: &[Replacement] = &[
    // Loops of Qt and Boost.
    (
        r"[;{})]\s*((?:foreach|Q_FOREACH|BOOST_FOREACH)\s*\([^;{}\n]*\))\s*\{",
        "for (;;)",
    ),
    (r"[;{})]\s*(forever)\s*\{", "for(;;)"),
];

pub(super) const COMMAS: &[Replacement] = &[
    // The comma operator in a type.
    (
        r"\bdecltype\([^\n]*(,)\s*std::true_type\s*(?:\(\)|\{\})\s*\)",
        "+",
    ),
];

pub(super) const NEWER: &[Replacement] = &[
    // C++20: modules.
    (r"(?m)^\s*((?:export\s+)?module\b[^;{}\n]*;)", ""),
    (
        r#"(?m)^\s*((?:export\s+)?import\s+(?:[\w.:]+|<[^>\n]*>|"[^"\n]*")\s*;)"#,
        "",
    ),
    (r"(?m)^\s*(export)\s+[\w\[:]", ""),
    // C++17: `using` in attributes.
    (r"\[\[\s*(using\s+\w+\s*:)", ""),
    // C++11: attributes of enumerators; 23: attributes of lambdas, and lambdas without parameters.
    (r"[{,]\s*\w+\s*(\[\[[^\[\]\n]*\]\])\s*[=,}]", ""),
    (
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*(\[\[[^\[\]\n]*\]\])",
        "",
    ),
    (
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*((?:(?:static|mutable|constexpr|consteval|noexcept)\b\s*)+(?:->\s*[^{};()\n]*)?)\{",
        "()",
    ),
    (
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*(->\s*[^{};()\n]*)\{",
        "",
    ),
    // C++26: contracts, expansions, and packs in structured bindings.
    (
        r"\)\s*((?:const\s*|noexcept\s*)?(?:(?:pre|post)\s*\([^(){};]*\)\s*)+)\{",
        "",
    ),
    (r"\b(template\s+for)\s*\(", "for"),
    (r"\bauto\s*&{0,2}\s*\[[^\[\]\n]*(\.\.\.)", ""),
    // C++23: explicit objects, if consteval, static lambdas.
    (r"\(\s*(this)\s+[A-Za-z_:]", ""),
    (r"\b(if\s*!?\s*consteval)\b", "if (1)"),
    (r"\)\s*(static)\s*(?:noexcept|mutable|constexpr|->|\{)", ""),
];
