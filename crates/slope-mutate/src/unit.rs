//! A file with the facts that edits need.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use slope_syntax::text::identifiers_of;
use slope_syntax::view::View;
use slope_syntax::{Construct, Language, Limits, Profile, SyntaxTree, callables, parse};

use crate::function::{Function, functions};
use crate::style::{Style, style_of};

/// Maximum size of a file to edit, in bytes.
const MAX_BYTES: usize = 400_000;

/// A file that can be edited. Its text has `\n` as line ends.
pub struct Unit {
    /// Path from the top of the tree.
    pub path: String,
    /// Habits of its language.
    pub style: &'static Style,
    /// Its callables in order of position.
    pub functions: Vec<Function>,
    /// One step of indentation.
    pub step: String,
    /// Rows that the change touches, from 0.
    pub touched: BTreeSet<usize>,
    /// Whether its line ends are `\r\n`.
    pub has_returns: bool,
    /// Rows that begin inside a text.
    pub inside: Vec<bool>,
    tree: SyntaxTree,
    kinds: Vec<Construct>,
}

impl Unit {
    /// The file, if its language can be edited. Syntax errors are allowed.
    #[must_use]
    pub fn read(path: &str, text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES || text.starts_with('\u{feff}') {
            return None;
        }
        let language = Language::of_file(Path::new(path), text.as_bytes())?;
        let style = style_of(language.id())?;
        let has_returns = text.contains("\r\n");
        if text.matches('\r').count() != text.matches("\r\n").count()
            || has_returns && text.matches('\n').count() != text.matches("\r\n").count()
        {
            return None;
        }
        let text = text.replace("\r\n", "\n");
        let tree = parse(language, text.as_bytes(), &Limits::default()).ok()?;
        if tree.text() != text || (language.files().generated)(&text).is_some() {
            return None;
        }
        let source = tree.source_lines(Profile::Slope);
        let facts = callables(&tree, Profile::Slope, &source);
        let view = View::new(&tree, &facts, &source)?;
        let kinds = view.all().map(|(_, kind)| kind).collect();
        let functions = functions(&view, style);
        Some(Self {
            path: path.to_owned(),
            style,
            functions,
            step: step(&text, style),
            touched: BTreeSet::new(),
            has_returns,
            inside: inside(&tree, &view),
            kinds,
            tree,
        })
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.tree.text()
    }

    /// Id of its language.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.style.id()
    }

    /// Number of syntax errors.
    #[must_use]
    pub fn errors(&self) -> u32 {
        self.tree.errors().map_or(0, |errors| errors.count)
    }

    /// What a node is.
    #[must_use]
    pub fn k(&self, node: u32) -> Construct {
        self.kinds[node as usize]
    }

    /// The grammar's name of a node's kind.
    #[must_use]
    pub fn kind_name(&self, node: u32) -> &'static str {
        let language = self.tree.language();
        language.kind_name(self.tree.node(node).kind)
    }

    /// Bytes of a node.
    #[must_use]
    pub fn range(&self, node: u32) -> Range<usize> {
        let node = self.tree.node(node);
        node.start_byte as usize..node.end_byte as usize
    }

    /// A node's text.
    #[must_use]
    pub fn at(&self, node: u32) -> &str {
        self.tree.node_text(node)
    }

    /// A part of the text.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> &str {
        self.text().get(range).unwrap_or_default()
    }

    /// A node's parent.
    #[must_use]
    pub fn parent(&self, node: u32) -> u32 {
        self.tree.node(node).parent
    }

    /// Named children without comments.
    pub fn parts(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.tree.parts(node)
    }

    /// A child of a kind.
    #[must_use]
    pub fn child(&self, node: u32, kind: Construct) -> Option<u32> {
        self.tree.children(node).find(|&c| self.k(c) == kind)
    }

    /// A node and all below it, in pre-order.
    pub fn below(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        node..self.tree.node(node).end
    }

    /// The nodes below one that have no children.
    #[must_use]
    pub fn leaves(&self, node: u32) -> Vec<u32> {
        self.below(node)
            .filter(|&n| self.tree.node(n).end == n + 1)
            .collect()
    }

    /// All nodes of a kind in a range of bytes.
    pub fn within(&self, range: &Range<usize>, kind: Construct) -> Vec<u32> {
        let nodes = self.tree.nodes();
        // Nodes are in pre-order, so their first bytes ascend.
        let first = nodes.partition_point(|node| (node.start_byte as usize) < range.start);
        let count = nodes[first..]
            .partition_point(|node| (node.start_byte as usize) < range.end.max(range.start + 1));
        let all = (0u32..).skip(first).take(count);
        all.filter(|&node| self.k(node) == kind && self.range(node).end <= range.end)
            .collect()
    }

    /// Statements of a block, which may be the body of a control structure.
    #[must_use]
    pub fn statements(&self, block: u32) -> Vec<u32> {
        let list = self.child(block, Construct::Statements).unwrap_or(block);
        self.parts(list)
            .filter(|&c| !self.tree.is_documentation(c))
            .collect()
    }

    /// The first row of a place.
    #[must_use]
    pub fn row(&self, byte: usize) -> usize {
        let starts = self.tree.line_starts();
        starts
            .partition_point(|&start| start as usize <= byte)
            .saturating_sub(1)
    }

    /// The first and last row of a range. A line end at its end does not count.
    #[must_use]
    pub fn rows(&self, range: &Range<usize>) -> (usize, usize) {
        let text = self.slice(range.clone()).trim_end();
        (
            self.row(range.start),
            self.row(
                (range.start + text.len())
                    .saturating_sub(1)
                    .max(range.start),
            ),
        )
    }

    /// First byte of a row; the end of the text behind the last one.
    #[must_use]
    pub fn start(&self, row: usize) -> usize {
        let start = self.tree.line_starts().get(row);
        start.map_or(self.text().len(), |&start| start as usize)
    }

    /// Text of a row, without its end.
    #[must_use]
    pub fn row_text(&self, row: usize) -> &str {
        self.slice(self.start(row)..self.start(row + 1))
            .trim_end_matches('\n')
    }

    /// Bytes of whole rows, with their ends.
    #[must_use]
    pub fn row_range(&self, (first, last): (usize, usize)) -> Range<usize> {
        self.start(first)..self.start(last + 1)
    }

    /// Lines of rows.
    #[must_use]
    pub fn lines(&self, (first, last): (usize, usize)) -> Vec<String> {
        (first..=last)
            .map(|row| self.row_text(row).to_owned())
            .collect()
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.text().lines().count()
    }

    /// Whether rows have only the text of a range, besides white space.
    #[must_use]
    pub fn is_alone(&self, range: &Range<usize>) -> bool {
        let (first, last) = self.rows(range);
        let rows = self.row_range((first, last));
        let before = self.slice(rows.start..range.start);
        let after = self.slice(range.end.min(rows.end)..rows.end);
        before.trim().is_empty()
            && after.trim().trim_start_matches(';').is_empty()
            && !self.inside[first]
    }

    /// Whether the text has a word.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        has_word(self.text(), word)
    }

    /// Names in a range that are not members of something: node of each.
    #[must_use]
    pub fn names(&self, range: &Range<usize>) -> Vec<u32> {
        let found = self.within(range, Construct::Identifier);
        found
            .into_iter()
            .filter(|&node| !self.is_member(node))
            .collect()
    }

    /// Whether a name follows a dot or path, or is the name of an argument.
    #[must_use]
    pub fn is_member(&self, node: u32) -> bool {
        let start = self.range(node).start;
        let before = self.slice(start.saturating_sub(2)..start);
        let is_path = before.ends_with("::") || before.ends_with("->") || before.ends_with("@");
        let is_dotted = before.ends_with('.') && before != "..";
        let parent = self.parent(node);
        let names =
            self.k(parent) == Construct::KeywordArg && self.parts(parent).next() == Some(node);
        is_path || is_dotted || names
    }

    /// Names of imports, and of definitions at the top level.
    #[must_use]
    pub fn imports(&self) -> Vec<u32> {
        let is_import = |&node: &u32| {
            matches!(
                self.k(node),
                Construct::Import | Construct::ImportFrom | Construct::ImportFuture
            )
        };
        self.tree.children(0).filter(is_import).collect()
    }

    /// Nodes at the top level.
    #[must_use]
    pub fn tops(&self) -> Vec<u32> {
        self.parts(0).collect()
    }

    /// Functions that the change touches, in order.
    #[must_use]
    pub fn touched_functions(&self) -> Vec<&Function> {
        let touches = |f: &&Function| self.touched.range(f.rows.0..=f.rows.1).next().is_some();
        self.functions.iter().filter(touches).collect()
    }
}

/// Whether a text has a word.
#[must_use]
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.contains(word) && identifiers_of(text, &['_', '$']).any(|found| found == word)
}

/// White space at the start of a row.
#[must_use]
pub(crate) fn indentation(row: &str) -> &str {
    &row[..row.len() - row.trim_start().len()]
}

/// The step by which most rows are indented more than the row above.
fn step(text: &str, style: &Style) -> String {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut before = "";
    for row in text.lines().filter(|row| !row.trim().is_empty()) {
        let here = indentation(row);
        if let Some(more) = here
            .strip_prefix(before)
            .filter(|m| matches!(*m, "\t" | "  " | "    " | "        "))
        {
            match found.iter_mut().find(|(step, _)| step == more) {
                Some((_, count)) => *count += 1,
                None => found.push((more.to_owned(), 1)),
            }
        }
        before = here;
    }
    let most = found.into_iter().max_by_key(|(_, count)| *count);
    most.map_or_else(|| style.step.to_owned(), |(step, _)| step)
}

fn inside(tree: &SyntaxTree, view: &View<'_>) -> Vec<bool> {
    let mut inside = vec![false; tree.line_starts().len() + 1];
    for kind in [Construct::String, Construct::Comment, Construct::Heredoc] {
        for &node in view.of_kind(kind) {
            let node = tree.node(node);
            let text = tree
                .text()
                .get(node.start_byte as usize..node.end_byte as usize)
                .unwrap_or_default();
            let more = text.trim_end_matches('\n').matches('\n').count();
            let first = node.start_row as usize;
            inside[first + 1..=first + more].fill(true);
        }
    }
    inside
}
