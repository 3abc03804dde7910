//! Comments of Python sources that silence findings.

use std::collections::BTreeSet;

use slope_syntax::SyntaxTree;

use super::functions::{Symbol, SymbolKind};
use super::languages::{Table, flag};
use super::text::{is_space, strip};

/// Findings silenced by the comments of one file; lines from 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Directives {
    /// Line and rule id.
    pub(crate) ignored: BTreeSet<(u32, String)>,
    /// First and last line of functions in which no rule counts.
    pub(crate) boundaries: Vec<(u32, u32)>,
    /// Line and message of invalid directives.
    pub(crate) errors: Vec<(u32, String)>,
}

/// Reads the directives of a file; `known` tests for valid rule ids.
pub(crate) fn read(
    table: &Table,
    tree: &SyntaxTree,
    symbols: &[Symbol],
    known: &dyn Fn(&str) -> bool,
) -> Directives {
    let mut found = Directives::default();
    for (node, line, text) in comments(table, tree) {
        let text = strip(text.strip_prefix('#').unwrap_or(text));
        let Some(rest) = text.strip_prefix("scbc") else {
            continue;
        };
        if !rest.starts_with(is_space) {
            continue;
        }
        let rest = strip(rest);
        if let Some((ids, _)) = rest
            .strip_prefix("ignore[")
            .and_then(|rest| rest.split_once(']'))
        {
            ignore(tree, node, line, ids, known, &mut found);
        } else if let Some(after) = rest.strip_prefix("boundary")
            && (after.is_empty() || after.starts_with(':') || after.starts_with(is_space))
        {
            boundary(tree, symbols, line, &mut found);
        }
    }
    found
}

fn comments<'t>(table: &Table, tree: &'t SyntaxTree) -> impl Iterator<Item = (u32, u32, &'t str)> {
    (0_u32..)
        .zip(tree.nodes())
        .filter(|&(index, _)| table.is(tree, index, flag::COMMENT))
        .map(|(index, node)| (index, node.start_row + 1, tree.node_text(index)))
}

fn ignore(
    tree: &SyntaxTree,
    comment: u32,
    line: u32,
    ids: &str,
    known: &dyn Fn(&str) -> bool,
    found: &mut Directives,
) {
    let ids: BTreeSet<&str> = ids
        .split(',')
        .map(strip)
        .filter(|id| !id.is_empty())
        .collect();
    if ids.is_empty() {
        let message = "an ignore directive names no rule";
        found.errors.push((line, message.to_owned()));
        return;
    }
    for id in &ids {
        if id.contains('*') {
            let message = format!("an ignore directive takes no wildcard: `{id}`");
            found.errors.push((line, message));
        } else if !known(id) {
            found
                .errors
                .push((line, format!("there is no rule `{id}`")));
        }
    }
    match target(tree, comment) {
        Some(target) => {
            let ids = ids.into_iter().map(|id| (target, id.to_owned()));
            found.ignored.extend(ids);
        }
        None => {
            let message = "an ignore directive is followed by no code";
            found.errors.push((line, message.to_owned()));
        }
    }
}

/// The line to which a directive applies: its own if code precedes it there, else the next line on
/// which code starts.
fn target(tree: &SyntaxTree, comment: u32) -> Option<u32> {
    let own = tree.node(comment);
    let row = tree.row_text(own.start_row);
    let column = tree.node_span(comment).start_column as usize - 1;
    if !row
        .get(..column)
        .is_none_or(|before| before.trim().is_empty())
    {
        return Some(own.start_row + 1);
    }
    tree.nodes()[comment as usize..]
        .iter()
        .zip(comment..)
        .filter(|(node, index)| node.end == index + 1 && node.end_byte > node.start_byte)
        .filter(|(node, index)| {
            node.start_row > own.start_row && !tree.node_text(*index).starts_with('#')
        })
        .map(|(node, _)| node.start_row + 1)
        .next()
}

/// The innermost function around a directive, strictly below its first line.
fn boundary(tree: &SyntaxTree, symbols: &[Symbol], line: u32, found: &mut Directives) {
    let around = symbols
        .iter()
        .filter(|symbol| symbol.kind != SymbolKind::Class)
        .map(|symbol| {
            let node = tree.node(symbol.node);
            (node.start_row + 1, node.end_row + 1)
        })
        .filter(|&(first, last)| first < line && line <= last)
        .min_by_key(|&(_, last)| last);
    match around {
        Some(range) => found.boundaries.push(range),
        None => {
            let message = "a boundary directive is outside of all functions";
            found.errors.push((line, message.to_owned()));
        }
    }
}

/// Lines in which the pattern engine's own comments mute rules.
#[derive(Debug, Clone, Default)]
pub(crate) struct Muted {
    /// Whether the whole file is muted.
    file: bool,
    /// Lines from 1, each with the ids muted there; an empty list mutes all.
    lines: Vec<(u32, Vec<String>)>,
}

impl Muted {
    /// Whether a hit of a rule that starts in a line is muted.
    pub(crate) fn holds(&self, line: u32, rule: &str) -> bool {
        self.file
            || self.lines.iter().any(|(muted, ids)| {
                *muted == line && (ids.is_empty() || ids.iter().any(|id| id == rule))
            })
    }
}

/// Reads the comments that the pattern engine honours.
pub(crate) fn muted(table: &Table, tree: &SyntaxTree) -> Muted {
    let mut muted = Muted::default();
    for (node, line, text) in comments(table, tree) {
        let Some((_, rest)) = text.split_once("ast-grep-ignore") else {
            continue;
        };
        let ids: Vec<String> = match rest.trim().strip_prefix(':') {
            Some(ids) => ids.split(',').map(|id| id.trim().to_owned()).collect(),
            None => Vec::new(),
        };
        let column = tree.node_span(node).start_column as usize - 1;
        let before = tree.row_text(line - 1).get(..column).unwrap_or_default();
        if !before.trim().is_empty() {
            muted.lines.push((line, ids));
        } else if line == 1 && tree.row_text(1).trim().is_empty() && ids.is_empty() {
            muted.file = true;
        } else {
            muted.lines.push((line + 1, ids));
        }
    }
    muted
}
