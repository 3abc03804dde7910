//! Branches of `#if` that open a block twice, as in
//!
//! ```c
//! #ifdef WIN
//!     if (x == 1) {
//! #else
//!     if (x == 2) {
//! #endif
//! ```
//!
//! Compilers see one of them. So does the grammar: the first, where a branch opens more than it closes or the other way.

use super::Rewriter;

/// A branch: its directive's first byte, its code, and what the code opens more than it closes.
struct Branch {
    directive: usize,
    code: usize,
    open: [i32; 2],
}

pub(super) fn rewrite(out: &mut Rewriter<'_>) {
    let mut blanks = Vec::new();
    // For each conditional that is open, its branches.
    let mut open: Vec<Vec<Branch>> = Vec::new();
    let mut start = 0;
    for line in out.text().split_inclusive('\n') {
        let end = start + line.len();
        let branch = || Branch {
            directive: start,
            code: end,
            open: [0; 2],
        };
        match directive(line) {
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

/// The name of the directive that a line is.
fn directive(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Ends a conditional: what its branches open is open behind it, once.
fn close(
    branches: &[Branch],
    end: std::ops::Range<usize>,
    outer: &mut [Vec<Branch>],
    blanks: &mut Vec<std::ops::Range<usize>>,
) {
    let is_split = branches.len() > 1 && branches.iter().any(|branch| branch.open != [0; 2]);
    if is_split {
        blanks.push(branches[0].directive..branches[0].code);
        blanks.push(branches[1].directive..end.end);
    }
    let first = branches.first().map_or([0; 2], |branch| branch.open);
    if let Some(branch) = outer.last_mut().and_then(|all| all.last_mut()) {
        branch.open[0] += first[0];
        branch.open[1] += first[1];
    }
}

/// Counts what a line of code opens and closes, outside of texts and comments.
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
