//! Scripts and cells of a file, which are programs of their own: each is parsed alone, and their trees become one.
//!
//! So a bracket that one part leaves open is an error of this part, also if the next one closes it.

use std::ops::Range;

use super::flatten::{Errors, Flat};
use super::shown::{Shown, parse_best};
use super::source::Source;
use super::{Limits, Node, ParseError, narrow, parse_flat};
use crate::language::Language;

/// Parses a text.
type Parse = fn(Language, &str, &[u32], &Limits) -> Result<(Flat, bool), ParseError>;

/// The nodes of the code of a file, and whether the grammar accepted all of it.
pub(super) fn parse(
    source: &Source,
    line_starts: &[u32],
    limits: &Limits,
) -> Result<(Flat, bool), ParseError> {
    each(source, line_starts, limits, parse_best)
}

/// The same for the text as it is written.
pub(super) fn parse_as_written(
    source: &Source,
    line_starts: &[u32],
    limits: &Limits,
) -> Result<(Flat, bool), ParseError> {
    each(
        source,
        line_starts,
        limits,
        |language, text, line_starts, limits| {
            parse_flat(language, &Shown::as_written(text), line_starts, limits)
        },
    )
}

fn each(
    source: &Source,
    line_starts: &[u32],
    limits: &Limits,
    parse: Parse,
) -> Result<(Flat, bool), ParseError> {
    let (language, text) = (source.language, source.text.as_str());
    if source.parts.len() < 2 && !source.is_notebook() {
        return parse(language, text, line_starts, limits);
    }
    let mut joined = Joined::new(limits.max_depth);
    for range in &source.parts {
        let code = &text[range.clone()];
        if code.trim().is_empty() {
            continue;
        }
        let prefix = if code.trim_start().starts_with("<?") {
            ""
        } else {
            source.prefix
        };
        let parse_part = |end: &str| {
            let part = [prefix, code, end].concat();
            parse(language, &part, &super::line_starts(&part), limits)
        };
        let (mut flat, mut is_whole) = parse_part("")?;
        if source.is_notebook() && flat.errors.is_some() {
            // A cell may end with a value, which needs no semicolon.
            let ended = parse_part(";")
                .ok()
                .filter(|(flat, _)| flat.errors.is_none());
            (flat, is_whole) = ended.unwrap_or((flat, is_whole));
        }
        let row = line_starts.partition_point(|&start| start as usize <= range.start) - 1;
        let place = PartPlace {
            range: range.clone(),
            row: narrow(row),
            prefix: narrow(prefix.len()),
        };
        joined.add(&flat, &place)?;
        joined.is_whole &= is_whole;
    }
    if joined.nodes.is_empty() {
        return parse(language, text, line_starts, limits);
    }
    Ok(joined.finish())
}

/// Where a part is in the text.
struct PartPlace {
    range: Range<usize>,
    row: u32,
    /// Bytes before the part that are not in the text.
    prefix: u32,
}

impl PartPlace {
    /// A node of the part with its place in the text. What was added before and behind the part has no width.
    fn of(&self, node: &Node) -> Node {
        let byte = |byte: u32| {
            let byte = byte.max(self.prefix) - self.prefix + narrow(self.range.start);
            byte.min(narrow(self.range.end))
        };
        Node {
            start_byte: byte(node.start_byte),
            end_byte: byte(node.end_byte),
            start_row: node.start_row + self.row,
            end_row: node.end_row + self.row,
            ..*node
        }
    }
}

/// The trees of parts under one root.
struct Joined {
    nodes: Vec<Node>,
    deepest: u32,
    is_whole: bool,
    max_depth: u32,
}

impl Joined {
    fn new(max_depth: u32) -> Self {
        Self {
            nodes: Vec::new(),
            deepest: 0,
            is_whole: true,
            max_depth,
        }
    }

    /// Adds the tree of a part.
    fn add(&mut self, flat: &Flat, place: &PartPlace) -> Result<(), ParseError> {
        let Some(root) = flat.nodes.first() else {
            return Ok(());
        };
        if self.nodes.is_empty() {
            self.nodes.push(Node {
                parent: 0,
                ..place.of(root)
            });
        }
        // A part of which nothing is of the language has an error as its root.
        let is_lost = root.is_error() && !self.nodes[0].is_error();
        if self.nodes[0].is_error() && !root.is_error() {
            self.nest(root.kind);
        }
        self.append(flat, place, is_lost);
        let end = narrow(self.nodes.len());
        let last = place.of(root);
        let whole = &mut self.nodes[0];
        (whole.end, whole.end_byte, whole.end_row) = (end, last.end_byte, last.end_row);
        self.deepest = self.deepest.max(flat.deepest + u32::from(is_lost));
        if self.deepest >= self.max_depth {
            return Err(ParseError::TooDeep {
                limit: self.max_depth,
            });
        }
        Ok(())
    }

    /// Appends the nodes of a part below the root, with the part's own root only if that is an error.
    fn append(&mut self, flat: &Flat, place: &PartPlace, with_root: bool) {
        let first = usize::from(!with_root);
        // The nodes of the prefix are the first children.
        let is_before = |node: &&Node| place.prefix > 0 && node.end_byte <= place.prefix;
        let hidden = flat.nodes[first..].iter().take_while(is_before).count();
        let offset = narrow(self.nodes.len()).wrapping_sub(narrow(first + hidden));
        for (index, node) in flat.nodes.iter().enumerate().skip(first + hidden) {
            let is_top = node.parent == 0 && (index == 0 || !with_root);
            let parent = if is_top {
                0
            } else {
                node.parent.wrapping_add(offset)
            };
            if parent == 0 && node.named {
                self.nodes[0].flags |= Node::HAS_NAMED_CHILD;
            }
            self.nodes.push(Node {
                parent,
                end: node.end.wrapping_add(offset),
                ..place.of(node)
            });
        }
    }

    /// Puts a root of a kind above the nodes so far, whose root is an error.
    fn nest(&mut self, kind: u16) {
        let root = Node {
            kind,
            ..self.nodes[0]
        };
        for node in &mut self.nodes {
            node.parent += 1;
            node.end += 1;
        }
        self.nodes[0].parent = 0;
        self.nodes.insert(0, root);
        self.nodes[0].flags |= Node::HAS_NAMED_CHILD;
        self.deepest += 1;
    }

    fn finish(self) -> (Flat, bool) {
        let mut errors = Errors::default();
        for node in self
            .nodes
            .iter()
            .filter(|node| node.is_error() || node.is_missing())
        {
            errors.add(node);
        }
        let kinds = self.nodes.iter().map(|node| node.kind).collect();
        (
            errors.into_flat(self.nodes, kinds, self.deepest),
            self.is_whole,
        )
    }
}
