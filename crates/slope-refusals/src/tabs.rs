//! Indentation of Python: a line that is indented more, less or alike must be so for every width of a tab.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::{Ranged, TextSize};

/// The first line whose indentation depends on the width of a tab.
pub(crate) fn inconsistent(text: &str, tokens: &Tokens) -> Option<TextSize> {
    if !text.contains('\t') {
        return None;
    }
    let mut open = vec![(0, 0)];
    let mut begins_line = true;
    for token in tokens {
        match token.kind() {
            TokenKind::Newline => begins_line = true,
            TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::NonLogicalNewline
            | TokenKind::Comment => {}
            _ if !begins_line => {}
            _ => {
                begins_line = false;
                let here = widths(text, token.start());
                if token.kind() != TokenKind::EndOfFile && !fits(&mut open, here) {
                    return Some(token.start());
                }
            }
        }
    }
    None
}

/// How wide the indentation before a place is with tabs of eight columns, and with tabs of one.
fn widths(text: &str, place: TextSize) -> (u32, u32) {
    let before = text.get(..place.to_usize()).unwrap_or_default();
    let row = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    row.bytes().fold((0, 0), |(wide, narrow), byte| match byte {
        b'\t' => ((wide / 8 + 1) * 8, narrow + 1),
        b'\x0c' => (0, 0),
        _ => (wide + 1, narrow + 1),
    })
}

/// Whether both widths say the same of a line; the blocks that are open are kept.
fn fits(open: &mut Vec<(u32, u32)>, here: (u32, u32)) -> bool {
    while open.len() > 1 && open.last().is_some_and(|last| here.0 < last.0) {
        open.pop();
    }
    let last = open.last().copied().unwrap_or_default();
    if here.0 == last.0 {
        return here.1 == last.1;
    }
    open.push(here);
    here.1 > last.1
}
