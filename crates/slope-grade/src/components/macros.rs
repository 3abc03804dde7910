//! Bodies of macros, which grammars keep as text.

use std::sync::LazyLock;

use regex::Regex;
use slope_measure::FileView;
use slope_syntax::conventions;

use super::judged::Judged;
use super::units::{FREE_NESTING, Unit, lines_per_statement};
use crate::regex::regex;

/// The beginning of a macro with its name.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\s*(?:#\s*define\s+(\w+)\(|macro_rules!\s*(\w+)|(?:pub\s+)?macro\s+(\w+))")
});

/// Structures, and what joins conditions.
static DECISION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b(?:if|for|while|case|catch|loop|match|goto)\b|&&|\|\||\s\?\s"));

/// Longest body that is read, in lines.
const MAX_LINES: usize = 400;

/// The macros of one side of a file that the edit changes.
pub(super) fn units<'a>(judged: &Judged<'_>, view: &'a FileView, is_before: bool) -> Vec<Unit<'a>> {
    let naming = &conventions::of_id(view.language().id()).naming;
    let has_macros = naming.macros_hold_code;
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
    let mut depth = 0_isize;
    for (at, row) in rows.iter().enumerate().take(end).skip(first) {
        let count = |bracket: char| row.matches(bracket).count().cast_signed();
        depth += count('{') - count('}');
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

/// What the rows of a macro add up to.
#[derive(Default)]
struct Body {
    decisions: f64,
    cognitive: f64,
    statements: f64,
    /// Brackets that are open, and those around the first statement, which belong to the macro.
    depth: u32,
    outer: u32,
    nesting: u32,
}

impl Body {
    /// Adds a row of code.
    fn add(&mut self, code: &str) {
        let count = code.matches(';').count();
        self.statements += f64::from(u32::try_from(count).unwrap_or(0));
        let mut from = 0;
        for sign in DECISION.find_iter(code) {
            self.open(&code[from..sign.start()]);
            self.decide(sign.as_str());
            from = sign.start();
        }
        self.open(&code[from..]);
        if self.decisions == 0.0 {
            self.outer = self.depth;
        }
    }

    /// Counts the brackets of a part of a row.
    fn open(&mut self, code: &str) {
        for char in code.chars() {
            match char {
                '{' => self.depth += 1,
                '}' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn decide(&mut self, sign: &str) {
        let level = self.depth.saturating_sub(self.outer);
        let is_structure = sign.starts_with(|c: char| c.is_ascii_lowercase());
        self.decisions += 1.0;
        self.cognitive += 1.0 + if is_structure { f64::from(level) } else { 0.0 };
        self.nesting = self.nesting.max(level);
    }
}

/// A macro as a function; `None` if it decides nothing.
fn unit<'a>(rows: &[&str], head: usize, at: usize, per_statement: f64) -> Option<Unit<'a>> {
    let mut body = Body::default();
    for (number, row) in rows.iter().enumerate() {
        let code = if number == 0 { &row[head..] } else { row };
        body.add(code.split("//").next().unwrap_or(code));
    }
    let first = u32::try_from(at + 1).unwrap_or(u32::MAX);
    let last = first.saturating_add(u32::try_from(rows.len()).unwrap_or(1) - 1);
    (body.decisions > 0.0).then(|| Unit {
        name: "<macro>",
        lines: (first, last),
        complexity: 1.0 + body.decisions,
        cognitive: body.cognitive,
        nesting: f64::from(body.nesting.saturating_sub(FREE_NESTING)),
        length: per_statement * (1.0 + body.statements),
        is_lone: true,
    })
}
