//! Branches of `#if` that each open the same block:
//!
//! ```c
//! #ifdef WIN
//!     if (x == 1) {
//! #else
//!     if (x == 2) {
//! #endif
//! ```
//!
//! A compiler sees one of the branches. If the branches are not balanced, are heads of one function, are in the
//! middle of a statement, or are between parentheses, the grammar sees one of them too: the longest, so that an
//! unbalanced brace hides as little code as possible.

use std::ops::Range;

use super::Rewriter;
use crate::directive::directive;

/// Deepest conditional that is rewritten. Each level reads the code inside again.
const MAX_OPEN: usize = 100;
/// Bytes before a conditional in which the statement around it is looked for.
const MAX_STATEMENT: usize = 8 << 10;

/// A branch of a conditional.
struct Branch {
    /// Bytes of the directive that starts it.
    directive: Range<usize>,
    /// Opening minus closing braces, and parentheses.
    open: [i32; 2],
    /// Whether it is between parentheses.
    is_inside: bool,
}

pub(crate) fn rewrite(out: &mut Rewriter<'_>) {
    let mut blanks = Vec::new();
    let mut reading = Reading::default();
    let mut start = 0;
    for line in out.text().split_inclusive('\n') {
        let end = start + line.len();
        reading.line(out.text(), line, start..end, &mut blanks);
        start = end;
    }
    out.blank(blanks);
}

/// Facts about the text up to a line.
#[derive(Default)]
struct Reading {
    /// For each open conditional, its branches so far; none if it is too deep.
    open: Vec<Vec<Branch>>,
    /// Open parentheses outside of conditionals.
    parentheses: i32,
    /// Whether the line continues a directive.
    in_directive: bool,
}

impl Reading {
    fn line(
        &mut self,
        text: &str,
        line: &str,
        range: Range<usize>,
        blanks: &mut Vec<Range<usize>>,
    ) {
        let was_in_directive = self.in_directive;
        let found = directive(line).map(|(name, _)| name);
        self.in_directive =
            line.trim_end().ends_with('\\') && (was_in_directive || found.is_some());
        if was_in_directive {
            return;
        }
        let is_inside = self.parentheses + self.open_inside() > 0;
        let branch = || Branch {
            directive: range.clone(),
            open: [0; 2],
            is_inside,
        };
        match found {
            Some("if" | "ifdef" | "ifndef") => {
                let is_shallow = self.open.len() < MAX_OPEN;
                self.open
                    .push(is_shallow.then(branch).into_iter().collect());
            }
            Some("elif" | "else" | "elifdef" | "elifndef") => {
                let open = self.open.last_mut();
                if let Some(branches) = open.filter(|branches| !branches.is_empty()) {
                    branches.push(branch());
                }
            }
            Some("endif") => {
                let closed = self.open.pop();
                if let Some(branches) = closed.filter(|branches| !branches.is_empty()) {
                    close(text, &branches, range, &mut self.open, blanks);
                }
            }
            Some(_) => {}
            None if self.open.is_empty() => self.count_outside(line),
            None => count(line, self.open.last_mut().and_then(|all| all.last_mut())),
        }
    }

    /// Open parentheses inside of open conditionals.
    fn open_inside(&self) -> i32 {
        let branches = self.open.iter().take(MAX_OPEN);
        let branches = branches.filter_map(|all| all.last());
        branches.map(|branch| branch.open[1]).sum()
    }

    /// Counts parentheses. A brace at the beginning of a line ends what was read wrongly before.
    fn count_outside(&mut self, line: &str) {
        let mut read = Branch {
            directive: 0..0,
            open: [0; 2],
            is_inside: false,
        };
        count(line, Some(&mut read));
        let is_new = line.starts_with(['{', '}']);
        self.parentheses = if is_new {
            0
        } else {
            (self.parentheses + read.open[1]).max(0)
        };
    }
}

/// Ends a conditional. The code after it continues what its shown branch opens.
fn close(
    text: &str,
    branches: &[Branch],
    end: Range<usize>,
    outer: &mut [Vec<Branch>],
    blanks: &mut Vec<Range<usize>>,
) {
    let ends = branches.iter().skip(1).map(|next| next.directive.start);
    let code: Vec<Range<usize>> = branches
        .iter()
        .zip(ends.chain([end.start]))
        .map(|(branch, end)| branch.directive.end..end)
        .collect();
    // Of equally long branches the first.
    let longest = (0..code.len()).rev().max_by_key(|i| code[*i].len());
    let Some(shown) = longest else {
        return;
    };
    let is_open = branches.iter().any(|branch| branch.open != [0; 2]);
    let is_split = is_open && !is_for_cpp(&text[branches[0].directive.clone()])
        || branches.len() > 1 && are_heads(text, &code, end.end)
        || is_unfinished(before(text, branches[0].directive.start))
        || code
            .iter()
            .any(|range| is_part_of_statement(&text[range.clone()]));
    // The grammar takes no directives between parameters and arguments.
    if is_split || branches[0].is_inside {
        blanks.push(branches[0].directive.start..code[shown].start);
        blanks.push(code[shown].end..end.end);
    }
    if let Some(branch) = outer.last_mut().and_then(|all| all.last_mut()) {
        branch.open[0] += branches[shown].open[0];
        branch.open[1] += branches[shown].open[1];
    }
}

/// The end of the text before an offset.
fn before(text: &str, end: usize) -> &str {
    &text[text.floor_char_boundary(end.saturating_sub(MAX_STATEMENT))..end]
}

/// Whether a directive tests for C++. The C grammar accepts `extern "C" {` only in such a conditional.
fn is_for_cpp(directive: &str) -> bool {
    directive.contains("__cplusplus")
}

/// Whether a branch continues the statement before it, or does not end its last one.
fn is_part_of_statement(code: &str) -> bool {
    let start = code.trim_start();
    start.starts_with('}') || first_word(start) == "else" || is_unfinished(code)
}

/// Whether the last statement of a text continues after it: `n =`, `if (a)`, `} else`.
fn is_unfinished(code: &str) -> bool {
    let code = without_last_comments(code);
    if code.ends_with(['=', '+', '-', '*', '&', '|', '^', '?', '(', '!', '%']) {
        return true;
    }
    let start = code.rfind([';', '{', '}']).map_or(0, |at| at + 1);
    let last = without_first_comments(&code[start..]);
    match first_word(last) {
        "if" | "while" | "for" | "switch" => last.ends_with(')'),
        "else" => last.ends_with("else") || last.ends_with(')'),
        word @ ("do" | "return") => word == last,
        _ => false,
    }
}

fn first_word(code: &str) -> &str {
    let end = code.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &code[..end.unwrap_or(code.len())]
}

/// A text from its first code on. Directives count as comments.
fn without_first_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let rest = if text.starts_with("//") || text.starts_with('#') {
            text.split_once('\n')
        } else if text.starts_with("/*") {
            text.split_once("*/")
        } else {
            None
        };
        match rest {
            Some((_, rest)) => text = rest.trim_start(),
            None => return text,
        }
    }
}

/// A text up to its last code.
fn without_last_comments(text: &str) -> &str {
    let mut text = text.trim_end();
    loop {
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        let cut = match text[line..].find("//") {
            Some(at) => Some(line + at),
            None if text.ends_with("*/") => text.rfind("/*"),
            None => None,
        };
        match cut {
            Some(at) => text = text[..at].trim_end(),
            None => return text,
        }
    }
}

/// Whether the branches are heads of one function, whose body follows.
fn are_heads(text: &str, code: &[Range<usize>], end: usize) -> bool {
    let ends_open = |range: &Range<usize>| {
        let code = text[range.clone()].trim_end();
        code.contains('(') && code.ends_with(|c: char| c == ')' || c == '_' || c.is_alphanumeric())
    };
    text[end..].trim_start().starts_with('{') && code.iter().all(ends_open)
}

/// Counts the braces and parentheses of a line of code, outside of strings and line comments.
fn count(line: &str, branch: Option<&mut Branch>) {
    let Some(branch) = branch else {
        return;
    };
    let mut quote = None;
    let mut bytes = line.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'/') if bytes.peek() == Some(&b'/') => return,
            (None, b'{') => branch.open[0] += 1,
            (None, b'}') => branch.open[0] -= 1,
            (None, b'(') => branch.open[1] += 1,
            (None, b')') => branch.open[1] -= 1,
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_that_go_on_are_found() {
        for code in [
            "n =",
            "if (a)",
            "} else",
            "x = a && /* b */",
            "return",
            "f(); // g\nwhile (a)\n",
        ] {
            assert!(is_unfinished(code), "{code}");
        }
        for code in [
            "n = 1;",
            "if (a) {",
            "int f(void)",
            "#include <a>",
            "#endif",
            "/* a = */",
            "",
        ] {
            assert!(!is_unfinished(code), "{code}");
        }
    }
}
