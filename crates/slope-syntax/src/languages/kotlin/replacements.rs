//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // Bodies of classes on one line: their last member must end.
    (
        r"(?m)\b(?:class|interface|object)\b[^\n{}]*\{[^\n{}]*[^\n{};\s]( )\}",
        ";",
    ),
    (r"\bfun\b[^\n{}]*\{[^\n{}]*\}( )\}", ";"),
    (
        r"(?m)\b(?:class|interface|object)\b[^\n]*\}( )\}[ \t]*$",
        ";",
    ),
    // `dynamic` of Kotlin/JS, also as a name.
    (r"\b(dynamic)\b", "dynamik"),
    // Words that are keywords only in some places, as names.
    (
        r"\b(final|open|inner|sealed|infix|inline|external|abstract|override|lateinit|internal|vararg|companion|suspend)\s*(?:[=.)\],!]|&&|\|\|)",
        "x",
    ),
    // Lambdas that suspend.
    (r"\b(suspend)\s*\{", "suspenx"),
    // Kotlin 2.2: texts with several `$`.
    (r#"(\$\$+)""#, ""),
    // Kotlin 2.2: guards of `when`.
    (r"(?m)(?:^|[{;])\s*(else\s+if)\b[^\n{}]*->", ""),
    (
        r"(?m)(?:^|[{;])\s*(?:!?is|!?in)\b[^\n{}]*?\s(if)\b[^\n{}]*->",
        ",",
    ),
];
