//! Forms that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // The empty tuple as a value.
    (r"[(,:=]\s*(\(\))\s*[),\]}]", "vv"),
    (r"(?m)\b(?:return|in)\s+(\(\))\s*(?:[,)}]|//|$)", "vv"),
    (r"(?m)(?:\?\?|[^-]=)\s*(\(\))\s*(?://|$)", "vv"),
    (r"(?m)(?:^|:|\{)\s*(\(\))\s*(?:\}|//|$)", "vv"),
    // Messages of the compiler, and conditions for the compiler.
    (r"(?m)^\s*(#(?:error|warning)\([^\n]*\))", ""),
    (r"(?m)^[ \t]*#(?:else)?if[ \t]+([^\n]*[(<][^\n]*)$", "X"),
    // Attributes with more than names.
    (r"(@_\w+\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\))", ""),
    (r"(@available\((?:Android|OpenBSD|FreeBSD)[^()\n]*\))", ""),
    (r"\b(nonisolated\(unsafe\))", ""),
    // Swift 6: `sending` results.
    (r"->\s*(sending)\s", ""),
    // Conditions of aliases and handlers.
    (r"(?m)\btypealias\b[^\n=]*=[^\n]*?\s(where\b[^\n]*)$", ""),
    (r"\bcatch\s+let\s[^{}\n]*?\s(where\s[^{}\n]*)\{", ""),
    // `for x in try y`.
    (r"\bfor\s[^{}\n]*\bin\s+(try\s+await|try|await)\s", ""),
    // Swift 5.7: regular expressions.
    (r"(?m)(?:^|[=(,])\s*(/[\^(\\][^\n]*/)", "\"\""),
];
