//! Detection of lines with code.

use slope_syntax::{LineSet, SyntaxTree};

use super::languages::{Table, flag};
use super::text::{Lines, is_space, strip};

/// Finds the string of a node that is only a plain text; the meaning of that differs between
/// versions of the definitions.
pub(crate) type PlainText = fn(&Table, &SyntaxTree, u32) -> Option<u32>;

/// The lines, from 0, that carry code.
pub(crate) fn source_lines(table: &Table, tree: &SyntaxTree, lines: &Lines<'_>) -> LineSet {
    if table.is_python() {
        python(table, tree, lines, standalone_text)
    } else {
        generic(table, tree, lines)
    }
}

/// Characters that do not make a line a code line.
const PUNCTUATION: &[char] = &['{', '}', '[', ']', '(', ')', ';', ',', ':'];

/// Lines with something other than punctuation after comments are cut out. The
/// grammar's rows and columns are applied to lines and characters as they are.
fn generic(table: &Table, tree: &SyntaxTree, lines: &Lines<'_>) -> LineSet {
    let mut cuts: Vec<(u32, u32, u32)> = Vec::new();
    let mut node = 0_u32;
    while (node as usize) < tree.nodes().len() {
        if !table.is(tree, node, flag::COMMENT) {
            node += 1;
            continue;
        }
        let span = tree.node_span(node);
        for line in span.start_line..=span.end_line {
            let from = if line == span.start_line {
                span.start_column - 1
            } else {
                0
            };
            let to = if line == span.end_line {
                span.end_column - 1
            } else {
                u32::MAX
            };
            cuts.push((line - 1, from, to));
        }
        node = tree.node(node).end;
    }
    cuts.sort_unstable();
    let mut set = LineSet::with_rows(lines.count());
    let mut next = cuts.as_slice();
    for line in 0..lines.count() {
        let own = next.partition_point(|cut| cut.0 <= line);
        let (mine, rest) = next.split_at(own);
        next = rest;
        if carries_code(lines.line(line), mine) {
            set.insert(line);
        }
    }
    set
}

/// Whether a line carries code when the columns of `cuts` are taken out.
fn carries_code(line: &str, cuts: &[(u32, u32, u32)]) -> bool {
    let cut = |column: u32| {
        cuts.iter()
            .any(|&(_, from, to)| from <= column && column < to)
    };
    let rest: String = (0_u32..)
        .zip(line.chars())
        .filter(|&(column, _)| cuts.is_empty() || !cut(column))
        .map(|(_, c)| c)
        .collect();
    !strip(&rest).trim_start_matches(PUNCTUATION).is_empty()
}

/// Lines on which a token other than a comment starts, without those of plain texts that share
/// their lines with no other code.
pub(crate) fn python(
    table: &Table,
    tree: &SyntaxTree,
    lines: &Lines<'_>,
    plain_text: PlainText,
) -> LineSet {
    let mut set = LineSet::with_rows(lines.count());
    let mut node = 0_u32;
    while (node as usize) < tree.nodes().len() {
        let entry = tree.node(node);
        let start = entry.start_byte;
        match table.name(tree, node) {
            "comment" => {
                comment(tree, lines, node, &mut set);
                node = entry.end;
            }
            "line_continuation" => node = entry.end,
            "string" => {
                set.insert(lines.line_of(start));
                node = if prefix(tree, node).contains('f') {
                    node + 1
                } else {
                    entry.end
                };
            }
            // The text of an f-string is one token with its start, or with the preceding bracket.
            "string_content" if entry.end == node + 1 => node += 1,
            "escape_sequence" => node = entry.end,
            _ => {
                if entry.end == node + 1 && entry.end_byte > start {
                    set.insert(lines.line_of(start));
                }
                node += 1;
            }
        }
    }
    for statement in 0..u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX) {
        if let Some((first, last)) =
            plain_text(table, tree, statement).and_then(|string| owned_lines(tree, lines, string))
        {
            set.remove_range(first, last);
        }
    }
    set
}

/// If a comment contains a character that ends a line for Python but not for the grammar, the rest
/// of it counts as code.
fn comment(tree: &SyntaxTree, lines: &Lines<'_>, node: u32, set: &mut LineSet) {
    if lines.is_plain() {
        return;
    }
    let entry = tree.node(node);
    let first = lines.line_of(entry.start_byte);
    let last = lines.line_of(entry.end_byte.saturating_sub(1).max(entry.start_byte));
    for line in first + 1..=last {
        let rest = strip(lines.line(line));
        if !rest.is_empty() && !rest.starts_with('#') {
            set.insert(line);
        }
    }
}

/// The letters before the quotes of a Python string, lower case.
pub(crate) fn prefix(tree: &SyntaxTree, string: u32) -> String {
    let text = tree.node_text(string);
    let end = text.find(['"', '\'']).unwrap_or(0);
    text[..end].to_ascii_lowercase()
}

/// The string of a Python statement that is only a plain text: no bytes, no f-string, no
/// concatenation, no brackets.
pub(crate) fn standalone_text(table: &Table, tree: &SyntaxTree, statement: u32) -> Option<u32> {
    if table.name(tree, statement) != "expression_statement" {
        return None;
    }
    let mut named = tree.children(statement).filter(|&c| tree.node(c).named);
    let string = named.next()?;
    (named.next().is_none() && is_plain(table, tree, string)).then_some(string)
}

/// Whether a node is a string that is neither bytes nor interpolated.
pub(crate) fn is_plain(table: &Table, tree: &SyntaxTree, node: u32) -> bool {
    table.name(tree, node) == "string" && !prefix(tree, node).contains(['b', 'f'])
}

/// The first and last line, from 0, of a node that shares its lines with no other code.
pub(crate) fn owned_lines(tree: &SyntaxTree, lines: &Lines<'_>, node: u32) -> Option<(u32, u32)> {
    let span = tree.node_span(node);
    let (first, last) = (span.start_line - 1, span.end_line - 1);
    let mut before = lines
        .line(first)
        .chars()
        .take(span.start_column as usize - 1);
    let mut after = lines.line(last).chars().skip(span.end_column as usize - 1);
    (before.all(is_space) && after.all(is_space)).then_some((first, last))
}
