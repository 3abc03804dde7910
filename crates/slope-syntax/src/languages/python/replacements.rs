//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // Python 3.15: lazy imports.
    (r"(?m)^[ \t]*(lazy)[ \t]+(?:import|from)\b", ""),
    // Python 3.14: template strings.
    (r#"(?:^|[^\w"'])([tT])(?:"|')"#, "f"),
];
