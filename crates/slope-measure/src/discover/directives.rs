//! Directives that name the grammar from which code was generated.

use super::signs::HEAD_LINES;

/// Suffixes of files that code is generated from: Ragel, yacc and bison, lex and flex, re2c, gperf, lemon, leg,
/// Cython, and templates.
const GRAMMARS: &[&str] = &[
    "rl", "rl6", "y", "yy", "ypp", "yxx", "y++", "l", "ll", "lpp", "lxx", "lex", "re", "gperf",
    "lemon", "leg", "peg", "pyx", "g", "g4", "in", "tmpl", "erb", "jinja", "j2", "ry", "qtpl",
    "templ",
];

/// The row of a directive that names a grammar, before any code: `#line 1 "a.rl"`, `// line 1 "a.rl"`, `//line a.y:1`.
pub(super) fn line_directive(text: &str) -> Option<usize> {
    let lines = text.trim_start_matches('\u{feff}').lines();
    for (row, line) in lines.take(HEAD_LINES).enumerate() {
        let line = line.trim();
        if names_haskell_source(line) {
            return Some(row);
        }
        let directive = line
            .trim_start_matches(['#', '/', '*', ' '])
            .strip_prefix("line ")
            .filter(|_| line.starts_with(['#', '/']));
        if directive.is_some_and(names_grammar) {
            return Some(row);
        }
        let goes_on = line.starts_with(['#', '/', '*']) || line.starts_with("{-#");
        if !line.is_empty() && !goes_on {
            return None;
        }
    }
    None
}

/// Whether a line is the directive that Alex, Happy, hsc2hs and c2hs write: `{-# LINE 1 "Lexer.x" #-}`.
fn names_haskell_source(line: &str) -> bool {
    let rest = line.strip_prefix("{-# LINE ").unwrap_or_default();
    let name = rest.split('"').nth(1).unwrap_or_default();
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    matches!(suffix, "x" | "y" | "ly" | "hsc" | "chs")
}

/// Whether the rest of a line directive names a grammar: `1 "a.rl"`, `a.y:1`.
fn names_grammar(rest: &str) -> bool {
    let quoted = rest.split_once('"').filter(|(number, _)| {
        let number = number.trim();
        !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    });
    let name = match quoted {
        Some((_, rest)) => rest.split('"').next().unwrap_or_default(),
        // Go's directive consists of file and line only.
        None => rest
            .split_once(':')
            .filter(|(name, _)| !name.contains(' '))
            .map_or("", |(name, _)| name),
    };
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    GRAMMARS.contains(&suffix)
}
