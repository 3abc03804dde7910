//! Parsing with limits, and the flat tree.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use slope_model::finding::Span;

use crate::language::{KindInfo, Language};
use crate::lines::LineSet;
use crate::profile::Profile;

/// What a file may cost before it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest file, in bytes.
    pub max_bytes: usize,
    /// Deepest tree, in nodes from root to leaf.
    pub max_depth: u32,
}

impl Default for Limits {
    /// 4 MiB, and 5,000 levels: more than the interpreters themselves accept.
    fn default() -> Self {
        Self {
            max_bytes: 4 << 20,
            max_depth: 5_000,
        }
    }
}

/// Why there is no tree for a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The file is above the size limit.
    #[error("larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// The bytes are no UTF-8 text.
    #[error("not UTF-8 text: invalid byte in line {line}")]
    NotUtf8 {
        /// Line of the first invalid byte, from 1.
        line: usize,
    },
    /// The text holds a NUL byte, which no source file may.
    #[error("not a text file: NUL byte in line {line}")]
    NulByte {
        /// Line of the first NUL byte, from 1.
        line: usize,
    },
    /// The tree is above the depth limit.
    #[error("nested deeper than the limit of {limit} levels")]
    TooDeep {
        /// The limit.
        limit: u32,
    },
    /// The parser gave up: the text is so far from the language that recovery costs too much.
    #[error("the parser gave up after too many steps: the text is far from valid {language}")]
    TooCostly {
        /// Language id.
        language: &'static str,
    },
}

/// Where the parser met something that is not of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// How many places there are.
    pub count: u32,
    /// Line of the first, from 1.
    pub first_line: u32,
}

/// One node of a [`SyntaxTree`].
#[derive(Debug, Clone, Copy)]
pub struct Node {
    /// Kind id of the grammar.
    pub kind: u16,
    /// Whether the node is named, that is more than a keyword or punctuation.
    pub named: bool,
    /// Index of its parent; the root is its own.
    pub parent: u32,
    /// Index after its last descendant.
    pub end: u32,
    /// First byte.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// Row of the first byte, from 0.
    pub start_row: u32,
    /// Row of the end, from 0.
    pub end_row: u32,
}

/// A parsed file: its text and its nodes in pre-order.
pub struct SyntaxTree {
    language: Language,
    text: String,
    nodes: Vec<Node>,
    line_starts: Vec<u32>,
    errors: Option<SyntaxError>,
    tree: tree_sitter::Tree,
}

thread_local! {
    static PARSERS: RefCell<HashMap<&'static str, tree_sitter::Parser>> =
        RefCell::new(HashMap::new());
}

/// Parses a file.
///
/// A byte-order mark is dropped and line ends are made `\n` before parsing, so
/// that rows mean the same whatever system wrote the file. A tree with syntax
/// errors is returned with [`SyntaxTree::errors`] set.
///
/// # Errors
/// If the bytes are no text, or above one of the limits.
pub fn parse(language: Language, bytes: &[u8], limits: &Limits) -> Result<SyntaxTree, ParseError> {
    let text = decode(bytes, limits)?;
    let tree = parse_text(language, &text)?;
    let line_starts = line_starts(&text);
    let (nodes, errors) = flatten(&tree, limits)?;
    Ok(SyntaxTree {
        language,
        text,
        nodes,
        line_starts,
        errors,
        tree,
    })
}

fn decode(bytes: &[u8], limits: &Limits) -> Result<String, ParseError> {
    let limit = limits.max_bytes.min(u32::MAX as usize / 2);
    if bytes.len() > limit {
        return Err(ParseError::TooLarge { limit });
    }
    let line_of = |offset: usize| 1 + bytes[..offset].iter().filter(|&&b| b == b'\n').count();
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        return Err(ParseError::NulByte {
            line: line_of(offset),
        });
    }
    let text = std::str::from_utf8(bytes).map_err(|error| ParseError::NotUtf8 {
        line: line_of(error.valid_up_to()),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.contains('\r') {
        Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Ok(text.to_owned())
    }
}

/// How many progress reports of the parser (one per hundred steps) a file of
/// this size may use. Ordinary files need about one step per two bytes; only
/// endless error recovery needs more than this. Counting steps instead of time
/// keeps the answer the same on every machine.
fn step_budget(bytes: usize) -> usize {
    10_000 + bytes
}

fn parse_text(language: Language, text: &str) -> Result<tree_sitter::Tree, ParseError> {
    let refused = ParseError::TooCostly {
        language: language.id(),
    };
    PARSERS.with_borrow_mut(|parsers| {
        let parser = match parsers.entry(language.id()) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                let mut parser = tree_sitter::Parser::new();
                if parser.set_language(&language.kinds().grammar).is_err() {
                    return Err(refused);
                }
                entry.insert(parser)
            }
        };
        parser.reset();
        let mut reports = 0;
        let budget = step_budget(text.len());
        let mut progress = |_: &tree_sitter::ParseState| {
            reports += 1;
            if reports > budget {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        parser
            .parse_with_options(
                &mut |offset, _| bytes.get(offset..).unwrap_or_default(),
                None,
                Some(options),
            )
            .ok_or(refused)
    })
}

fn line_starts(text: &str) -> Vec<u32> {
    let ends = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
    std::iter::once(0)
        .chain(ends.map(|(offset, _)| narrow(offset + 1)))
        .collect()
}

/// Offsets fit: `decode` refuses texts above half of `u32`.
fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Writes the tree as an array in pre-order, noting errors on the way.
fn flatten(
    tree: &tree_sitter::Tree,
    limits: &Limits,
) -> Result<(Vec<Node>, Option<SyntaxError>), ParseError> {
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.root_node().descendant_count());
    let mut errors: Option<SyntaxError> = None;
    let mut open: Vec<u32> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let index = narrow(nodes.len());
        nodes.push(Node {
            kind: node.kind_id(),
            named: node.is_named(),
            parent: open.last().copied().unwrap_or(index),
            end: index + 1,
            start_byte: narrow(node.start_byte()),
            end_byte: narrow(node.end_byte()),
            start_row: narrow(node.start_position().row),
            end_row: narrow(node.end_position().row),
        });
        if node.is_error() || node.is_missing() {
            let line = narrow(node.start_position().row + 1);
            let entry = errors.get_or_insert(SyntaxError {
                count: 0,
                first_line: line,
            });
            entry.count += 1;
        }
        if cursor.goto_first_child() {
            open.push(index);
            if open.len() >= limits.max_depth as usize {
                return Err(ParseError::TooDeep {
                    limit: limits.max_depth,
                });
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok((nodes, errors));
            }
            if let Some(parent) = open.pop() {
                nodes[parent as usize].end = narrow(nodes.len());
            }
        }
    }
}

impl SyntaxTree {
    /// The language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text that was parsed: without byte-order mark, lines ended by `\n`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The nodes in pre-order; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at an index.
    #[must_use]
    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Syntax errors, if any.
    #[must_use]
    pub fn errors(&self) -> Option<SyntaxError> {
        self.errors
    }

    /// What is known of a node's kind.
    #[must_use]
    pub fn info(&self, index: u32) -> KindInfo {
        self.language.kind(self.node(index).kind)
    }

    /// A node's text.
    #[must_use]
    pub fn node_text(&self, index: u32) -> &str {
        let node = self.node(index);
        self.text
            .get(node.start_byte as usize..node.end_byte as usize)
            .unwrap_or_default()
    }

    /// Indices of a node's children in order.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let last = self.node(index).end;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            (next < last).then(|| {
                let child = next;
                next = self.node(child).end;
                child
            })
        })
    }

    /// Indices of a node's named children that are no comments.
    pub fn parts(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(index).filter(|&child| {
            self.node(child).named && !self.info(child).roles.any(crate::Roles::COMMENT)
        })
    }

    /// Physical lines: line ends, and one more if text follows the last.
    #[must_use]
    pub fn physical_lines(&self) -> u32 {
        let ends = narrow(self.line_starts.len() - 1);
        let open_end = !self.text.is_empty() && !self.text.ends_with('\n');
        ends + u32::from(open_end)
    }

    /// The text of a row without its line end.
    #[must_use]
    pub fn row_text(&self, row: u32) -> &str {
        let Some(&start) = self.line_starts.get(row as usize) else {
            return "";
        };
        let end = self
            .line_starts
            .get(row as usize + 1)
            .map_or(self.text.len(), |&next| next as usize - 1);
        self.text.get(start as usize..end).unwrap_or_default()
    }

    /// The span of a range of bytes.
    #[must_use]
    pub fn span(&self, start_byte: usize, end_byte: usize) -> Span {
        let position = |offset: usize| {
            let offset = narrow(offset);
            let row = self.line_starts.partition_point(|&start| start <= offset) - 1;
            (narrow(row) + 1, offset - self.line_starts[row] + 1)
        };
        let (start_line, start_column) = position(start_byte);
        let (end_line, end_column) = position(end_byte);
        Span {
            start_line,
            start_column,
            end_line,
            end_column,
        }
    }

    /// The span of a node.
    #[must_use]
    pub fn node_span(&self, index: u32) -> Span {
        let node = self.node(index);
        self.span(node.start_byte as usize, node.end_byte as usize)
    }

    /// The rows that carry code, by the definition of the profile.
    #[must_use]
    pub fn source_lines(&self, profile: Profile) -> LineSet {
        (self.language.spec().source_lines)(self, profile)
    }

    /// Whether a node is documentation: a statement that is only a text.
    #[must_use]
    pub fn is_documentation(&self, index: u32) -> bool {
        (self.language.spec().is_documentation)(self, index)
    }

    /// Whether a clone unit is left out by convention of the language.
    #[must_use]
    pub fn is_exempt_unit(&self, index: u32) -> bool {
        (self.language.spec().is_exempt_unit)(self, index)
    }

    /// Whether an arm takes everything, and so decides nothing.
    pub(crate) fn is_catch_all(&self, index: u32) -> bool {
        (self.language.spec().is_catch_all)(self, index)
    }

    /// The grammar's own tree, for the rule engine, which so parses nothing again.
    #[must_use]
    pub fn grammar_tree(&self) -> tree_sitter::Tree {
        self.tree.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(bytes: &[u8]) -> Result<SyntaxTree, ParseError> {
        parse(
            Language::by_id("python").unwrap(),
            bytes,
            &Limits::default(),
        )
    }

    #[test]
    fn the_flat_tree_covers_the_text_in_pre_order() {
        let tree = python(b"def f(a):\n    return a + 1\n").unwrap();
        assert_eq!(tree.node(0).end as usize, tree.nodes().len());
        for (index, node) in tree.nodes().iter().enumerate().skip(1) {
            let parent = tree.node(node.parent);
            assert!((node.parent as usize) < index && node.end <= parent.end);
        }
        let top: Vec<_> = tree.children(0).map(|i| tree.node_text(i)).collect();
        assert_eq!(top, ["def f(a):\n    return a + 1"]);
    }

    #[test]
    fn line_ends_and_marks_of_other_systems_change_nothing() {
        let plain = python(b"a = 1\nb = 2\n").unwrap();
        for other in [&b"\xef\xbb\xbfa = 1\r\nb = 2\r\n"[..], b"a = 1\rb = 2\r"] {
            let tree = python(other).unwrap();
            assert_eq!(tree.text(), plain.text());
            assert_eq!(tree.physical_lines(), 2);
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_line() {
        assert_eq!(
            python(b"a\nb\0").err(),
            Some(ParseError::NulByte { line: 2 })
        );
        assert_eq!(
            python(b"a\n\xff").err(),
            Some(ParseError::NotUtf8 { line: 2 })
        );
    }

    #[test]
    fn syntax_errors_are_counted_and_located() {
        let tree = python(b"a = 1\ndef (:\n").unwrap();
        assert_eq!(tree.errors().map(|e| e.first_line), Some(2));
        assert_eq!(python(b"a = 1\n").unwrap().errors(), None);
    }

    #[test]
    fn hostile_depth_is_refused_without_recursion() {
        let deep = format!("a = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
        assert!(matches!(
            python(deep.as_bytes()).err(),
            Some(ParseError::TooDeep { .. } | ParseError::TooCostly { .. })
        ));
        let open = "(".repeat(200_000);
        let _refused_or_erroneous = python(open.as_bytes());
        let brackets = "[{(".repeat(50_000);
        let _refused_or_erroneous = python(brackets.as_bytes());
    }

    #[test]
    fn files_above_the_size_limit_are_refused() {
        let limits = Limits {
            max_bytes: 3,
            ..Limits::default()
        };
        let error = parse(Language::by_id("python").unwrap(), b"a = 1", &limits).err();
        assert_eq!(error, Some(ParseError::TooLarge { limit: 3 }));
    }

    #[test]
    fn a_form_feed_is_no_line_end() {
        let tree = python(b"a = 1\n\x0c\nb = 2\n").unwrap();
        assert_eq!(tree.physical_lines(), 3);
        assert_eq!(tree.errors(), None);
    }
}
