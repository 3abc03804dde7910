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
//! A compiler sees one of the branches. If the branches are not balanced, the grammar sees one of them too: the longest,
//! so that an unbalanced brace hides as little code as possible.

use std::ops::Range;

use super::Rewriter;
use crate::directive::directive;

/// A branch of a conditional.
struct Branch {
    /// Bytes of the directive that starts it.
    directive: Range<usize>,
    /// Opening minus closing braces, and parentheses.
    open: [i32; 2],
}

pub(super) fn rewrite(out: &mut Rewriter<'_>) {
    let mut blanks = Vec::new();
    // For each open conditional, its branches so far.
    let mut open: Vec<Vec<Branch>> = Vec::new();
    let mut start = 0;
    for line in out.text().split_inclusive('\n') {
        let end = start + line.len();
        let branch = || Branch {
            directive: start..end,
            open: [0; 2],
        };
        match directive(line).map(|(name, _)| name) {
            Some("if" | "ifdef" | "ifndef") => open.push(vec![branch()]),
            Some("elif" | "else" | "elifdef" | "elifndef") => {
                if let Some(branches) = open.last_mut() {
                    branches.push(branch());
                }
            }
            Some("endif") => {
                if let Some(branches) = open.pop() {
                    close(&branches, start..end, &mut open, &mut blanks);
                }
            }
            Some(_) => {}
            None => count(line, open.last_mut().and_then(|all| all.last_mut())),
        }
        start = end;
    }
    out.blank(blanks);
}

/// Ends a conditional. The code after it continues what its shown branch opens.
fn close(
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
    let is_split = branches.len() > 1 && branches.iter().any(|branch| branch.open != [0; 2]);
    if is_split {
        blanks.push(branches[0].directive.start..code[shown].start);
        blanks.push(code[shown].end..end.end);
    }
    if let Some(branch) = outer.last_mut().and_then(|all| all.last_mut()) {
        branch.open[0] += branches[shown].open[0];
        branch.open[1] += branches[shown].open[1];
    }
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
