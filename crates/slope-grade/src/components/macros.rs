//! Bodies of macros, which grammars keep as text.

use std::sync::LazyLock;

use regex::Regex;
use slope_measure::FileView;

use super::judged::Judged;
use super::units::{Unit, lines_per_statement};

/// The beginning of a macro with its name.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\s*(?:#\s*define\s+(\w+)\(|macro_rules!\s*(\w+)|(?:pub\s+)?macro\s+(\w+))")
});

/// Structures, and what joins conditions.
static DECISION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:if|for|while|case|catch|loop|match|goto)\b|&&|\|\||\s\?\s"));

/// Longest body that is read, in lines.
const MAX_LINES: usize = 400;

fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The macros of one side of a file that the edit changes.
pub(super) fn units<'a>(judged: &Judged<'_>, view: &'a FileView, is_before: bool) -> Vec<Unit<'a>> {
    let has_macros = matches!(view.language().id(), "c" | "cpp" | "rust");
    let Some((before, after)) = judged.edit.files.get(view.path()).filter(|_| has_macros) else {
        return Vec::new();
    };
    let text = if is_before { before } else { after };
    let text = String::from_utf8_lossy(text.as_deref().unwrap_or_default());
    let per_statement = lines_per_statement(judged);
    let rows: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let Some(head) = HEAD.find(row) else { continue };
        let is_define = head.as_str().contains('#');
        let last = last_row(&rows, at, is_define);
        found.extend(unit(&rows[at..=last], head.end(), at, per_statement));
    }
    found
}

/// The last row of a macro: lines of `#define` end in a backslash, others close their brackets.
fn last_row(rows: &[&str], first: usize, is_define: bool) -> usize {
    let end = rows.len().min(first + MAX_LINES);
    let mut depth = 0_i64;
    for (at, row) in rows.iter().enumerate().take(end).skip(first) {
        let count = |open: bool| row.chars().filter(|c| is_bracket(*c, open)).count();
        depth += count(true).cast_signed() as i64 - count(false).cast_signed() as i64;
        let is_last = if is_define {
            !row.trim_end().ends_with('\\')
        } else {
            depth <= 0 && row.contains(['}', ')'])
        };
        if is_last {
            return at;
        }
    }
    end - 1
}

fn is_bracket(char: char, open: bool) -> bool {
    if open { char == '{' } else { char == '}' }
}

/// A macro as a function; `None` if it decides nothing.
fn unit<'a>(rows: &[&str], head: usize, at: usize, per_statement: f64) -> Option<Unit<'a>> {
    let (mut decisions, mut cognitive, mut statements) = (0.0, 0.0, 1.0);
    let (mut depth, mut outer) = (0_u32, 0_u32);
    let mut nesting = 0_u32;
    for (number, row) in rows.iter().enumerate() {
        let code = if number == 0 { &row[head..] } else { row };
        let code = code.split("//").next().unwrap_or(code);
        statements += f64::from(u32::try_from(code.matches(';').count()).unwrap_or(0));
        let mut signs = DECISION.find_iter(code).peekable();
        for (byte, char) in code.char_indices() {
            while let Some(sign) = signs.next_if(|sign| sign.start() <= byte) {
                decisions += 1.0;
                let is_structure = sign.as_str().starts_with(|c: char| c.is_ascii_lowercase());
                let level = depth.saturating_sub(outer);
                cognitive += 1.0 + if is_structure { f64::from(level) } else { 0.0 };
                nesting = nesting.max(level);
            }
            match char {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // The brackets around the first statement are those of the macro.
        if decisions == 0.0 {
            outer = depth;
        }
    }
    let first = u32::try_from(at + 1).unwrap_or(u32::MAX);
    let last = first.saturating_add(u32::try_from(rows.len()).unwrap_or(1) - 1);
    (decisions > 0.0).then_some(Unit {
        name: "<macro>",
        lines: (first, last),
        complexity: 1.0 + decisions,
        cognitive,
        nesting: f64::from(nesting.saturating_sub(3)),
        length: per_statement * statements,
    })
}
