//! Parsing with limits, and the flat tree.
//!
//! | module | contents |
//! |---|---|
//! | `arena` | memory for the grammar library |
//! | `decode` | bytes to text: size, encodings, line ends |
//! | `flatten` | the grammar's tree to an array in pre-order |
//! | `items` | items in macros of Rust |
//! | `limits` | what a file may cost, and why it has no tree |
//! | `reuse` | what a tree has of another version of its text |
//! | `runs` | long runs of comments, which the grammar is not shown in full |
//! | `separate` | scripts and cells, each parsed alone |
//! | `shown` | what the grammar sees of a text |
//! | `source` | the code of a file |
//!
//! The grammar's own tree is dropped as soon as it is flattened. A flat tree takes 34 bytes per
//! node and 4 per line, plus the text.

mod arena;
mod decode;
mod flatten;
mod grammar;
mod items;
mod limits;
mod reuse;
mod rows;
mod runs;
mod separate;
mod shown;
mod source;

use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use slope_model::time_limit;

use crate::hosts::Embedding;
use crate::language::{KindInfo, Language};
use crate::lines::LineSet;
use crate::profile::Profile;

pub use arena::install as install_memory;
pub use decode::EncodingNote;
use flatten::Flat;
use limits::step_budget;
pub use limits::{Limits, ParseError};
use shown::{Shown, parse_best};
use source::Source;

/// Places where the parser found errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Number of errors.
    pub count: u32,
    /// Line of the first, from 1.
    pub first_line: u32,
}

/// One node of a [`SyntaxTree`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// First byte.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// Row of the first byte, from 0.
    pub start_row: u32,
    /// Row of the end, from 0.
    pub end_row: u32,
    /// Index of its parent; the root is its own.
    pub parent: u32,
    /// Index after its last descendant.
    pub end: u32,
    /// Kind id of the grammar.
    pub kind: u16,
    /// Id of its field in its parent, 0 for none.
    pub field: u16,
    /// Whether the node is named, that is more than a keyword or punctuation.
    pub named: bool,
    flags: u8,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    const EXTRA: u8 = 1;
    const MISSING: u8 = 2;
    const HAS_NAMED_CHILD: u8 = 4;

    /// Whether the node may be anywhere, as comments may.
    #[must_use]
    #[inline]
    pub const fn is_extra(&self) -> bool {
        self.flags & Self::EXTRA != 0
    }

    /// Whether the parser made the node up because the language wants it there.
    #[must_use]
    #[inline]
    pub const fn is_missing(&self) -> bool {
        self.flags & Self::MISSING != 0
    }

    /// Whether the node covers text that is not of the language.
    #[must_use]
    #[inline]
    pub const fn is_error(&self) -> bool {
        self.kind == flatten::ERROR_KIND
    }

    /// Whether any of its children is named.
    #[must_use]
    #[inline]
    pub const fn has_named_child(&self) -> bool {
        self.flags & Self::HAS_NAMED_CHILD != 0
    }
}

/// Nodes that were taken over from the tree of another version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenOver {
    /// The nodes, whole subtrees.
    pub nodes: std::ops::Range<u32>,
    /// The first of them in the other tree, where they are also in a row.
    pub was: u32,
}

/// A parsed file: its text and its nodes in pre-order.
pub struct SyntaxTree {
    language: Language,
    text: String,
    nodes: Vec<Node>,
    kinds: Vec<u16>,
    infos: &'static [KindInfo],
    /// For each kind, its position among those that the language looks for by id.
    positions: &'static [u8],
    line_starts: Vec<u32>,
    errors: Option<SyntaxError>,
    /// Upper bound of the deepest node depth.
    deepest: u32,
    taken: Vec<TakenOver>,
    is_whole: bool,
    error_rows: LineSet,
    encoding_note: Option<EncodingNote>,
    embedding: Option<Embedding>,
    /// Kept because each profile asks for them.
    token_rows: OnceLock<LineSet>,
}

/// Parses a file.
///
/// slope removes a byte order mark and normalises line endings to `\n` before parsing, so that rows
/// mean the same on all systems. Text in another declared encoding is decoded, see
/// [`SyntaxTree::encoding_note`]. In a file with code among other text, only the code is parsed,
/// see [`SyntaxTree::embedding`]. A tree with syntax errors is returned with [`SyntaxTree::errors`]
/// set.
///
/// # Errors
/// If the bytes are not text, or above a limit.
pub fn parse(language: Language, bytes: &[u8], limits: &Limits) -> Result<SyntaxTree, ParseError> {
    parse_after(language, bytes, limits, None)
}

/// As [`parse`], but the grammar sees the text as written. [`parse`] hides code that the grammar cannot read or reads
/// repeatedly: export macros of C++, and long runs of comments in Python. Other tools report on this tree.
///
/// # Errors
/// As [`parse`].
pub fn parse_as_written(
    language: Language,
    bytes: &[u8],
    limits: &Limits,
) -> Result<SyntaxTree, ParseError> {
    let source = Source::of(language, bytes, limits)?;
    let line_starts = line_starts(&source.text);
    let (flat, is_whole) = separate::parse_as_written(&source, &line_starts, limits)?;
    Ok(SyntaxTree::new(source, line_starts, flat, is_whole))
}

/// As [`parse`], with the tree of another version of the file. The result is the same; what both
/// versions have is not parsed again where that is known to be sound, which is so in Python.
///
/// # Errors
/// As [`parse`].
pub fn parse_after(
    language: Language,
    bytes: &[u8],
    limits: &Limits,
    before: Option<&SyntaxTree>,
) -> Result<SyntaxTree, ParseError> {
    let source = Source::of(language, bytes, limits)?;
    let (language, text) = (source.language, source.text.as_str());
    let line_starts = line_starts(text);
    let before = before.filter(|_| source.embedding.is_none());
    let reused =
        before.and_then(|before| reuse::parse(before, language, text, &line_starts, limits));
    let (mut flat, is_whole) = match reused {
        Some(flat) => {
            debug_assert!(is_afresh(&flat, language, text, &line_starts, limits));
            (flat, true)
        }
        None => separate::parse(&source, &line_starts, limits)?,
    };
    let spec = language.spec();
    if spec.has_macro_items {
        items::graft(&mut flat, language, text, &line_starts, limits);
    }
    if let Some(unseen_rows) = spec.unseen_rows.filter(|_| flat.errors.is_some()) {
        flat.forgive(language, &unseen_rows(text));
    }
    Ok(SyntaxTree::new(source, line_starts, flat, is_whole))
}

impl SyntaxTree {
    fn new(source: Source, line_starts: Vec<u32>, flat: Flat, is_whole: bool) -> Self {
        let table = source.language.kinds();
        Self {
            language: source.language,
            text: source.text,
            kinds: flat.kinds,
            nodes: flat.nodes,
            infos: &table.infos,
            positions: &table.positions,
            line_starts,
            errors: flat.errors,
            deepest: flat.deepest,
            taken: flat.taken,
            is_whole,
            error_rows: flat.error_rows,
            encoding_note: source.encoding_note,
            embedding: source.embedding,
            token_rows: OnceLock::new(),
        }
    }
}

/// Whether parsing afresh gives these nodes.
fn is_afresh(
    flat: &Flat,
    language: Language,
    text: &str,
    line_starts: &[u32],
    limits: &Limits,
) -> bool {
    let afresh = parse_best(language, text, line_starts, limits);
    afresh.is_ok_and(|(afresh, is_whole)| {
        is_whole
            && afresh.errors.is_none()
            && afresh.nodes == flat.nodes
            && afresh.kinds == flat.kinds
            && afresh.deepest <= flat.deepest
    })
}

/// The nodes of a text, and whether the grammar accepted the whole of it.
#[expect(
    unsafe_code,
    reason = "the grammar's tree is dropped with all memory of the grammar library"
)]
fn parse_flat(
    language: Language,
    shown: &Shown<'_>,
    line_starts: &[u32],
    limits: &Limits,
) -> Result<(Flat, bool), ParseError> {
    let is_named = &language.kinds().is_named;
    // SAFETY: only the parser, the tree and the cursor are allocated here, and none of them leaves
    // this function.
    let _memory = unsafe { arena::Scope::begin() };
    let tree = ManuallyDrop::new(parse_text(language, &shown.text, &shown.ranges)?);
    let flat = flatten::flatten(&tree, line_starts, is_named, limits)?;
    Ok((flat, !tree.root_node().has_error()))
}

/// Parses bytes by the grammar and drops the tree: the least that any measuring
/// takes, for comparisons of speed. Returns how many nodes the tree had.
#[must_use]
pub fn parse_only(language: Language, bytes: &[u8]) -> usize {
    let tree = std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| parse_text(language, text, &[]).ok());
    tree.map_or(0, |tree| tree.root_node().descendant_count())
}

/// Parses a text by the grammar, or parts of it.
fn parse_text(
    language: Language,
    text: &str,
    seen: &[tree_sitter::Range],
) -> Result<tree_sitter::Tree, ParseError> {
    let refused = ParseError::TooCostly {
        language: language.id(),
    };
    let mut parser = tree_sitter::Parser::new();
    let is_set = parser.set_language(&language.kinds().grammar).is_ok();
    if !is_set || parser.set_included_ranges(seen).is_err() {
        return Err(refused);
    }
    let mut reports = 0;
    let budget = step_budget(text.len());
    let mut progress = |_: &tree_sitter::ParseState| {
        reports += 1;
        if reports > budget || time_limit::is_over() {
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
}

fn line_starts(text: &str) -> Vec<u32> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes());
    std::iter::once(0)
        .chain(ends.map(|offset| narrow(offset + 1)))
        .collect()
}

/// Offsets fit: `decode` refuses texts above half of `u32`.
fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl SyntaxTree {
    /// The language.
    #[must_use]
    #[inline]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text that was parsed: without byte-order mark, lines ended by `\n`. Of a file with code among other text it
    /// has the code, on the same rows.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The nodes in pre-order; the first is the root.
    #[must_use]
    #[inline]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at an index.
    #[must_use]
    #[inline]
    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// Whether a node is the name of a callable, whatever its kind: in shells it is a word, as arguments are.
    #[must_use]
    pub fn names_callable(&self, index: u32) -> bool {
        let node = self.node(index);
        let field = self.language.kinds().name_field;
        field != 0
            && node.field == field
            && self.info(node.parent).roles.any(crate::Roles::CALLABLE)
    }

    /// Upper bound of the tree's depth, in nodes above a node.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.deepest
    }

    /// Syntax errors, if any.
    #[must_use]
    pub fn errors(&self) -> Option<SyntaxError> {
        self.errors
    }

    /// Whether the grammar accepted the whole text.
    ///
    /// An error in a rule that the grammar hides has no node, so a tree without
    /// [`SyntaxTree::errors`] may still not be whole (seen in Zig).
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether [`parse_after`] can take anything over from this tree.
    #[must_use]
    pub fn is_reusable(&self) -> bool {
        reuse::is_sound(self)
    }

    /// The nodes that [`parse_after`] took over from the other tree, in order.
    #[must_use]
    pub fn taken_over(&self) -> &[TakenOver] {
        &self.taken
    }

    /// The memory that the tree takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let of_node = size_of::<Node>() + size_of::<u16>();
        let rows = self.line_starts.capacity() * size_of::<u32>();
        self.nodes.capacity() * of_node + rows + self.text.capacity()
    }

    /// The kinds of the nodes in pre-order, for scans that need nothing else.
    #[must_use]
    #[inline]
    pub fn kinds(&self) -> &[u16] {
        &self.kinds
    }

    /// The rows that are covered by text that is not of the language.
    #[must_use]
    pub fn error_rows(&self) -> &LineSet {
        &self.error_rows
    }

    /// Decoding of the file, if its bytes are not plain UTF-8.
    #[must_use]
    pub fn encoding_note(&self) -> Option<&EncodingNote> {
        self.encoding_note.as_ref()
    }

    /// Data about the file that the code was taken out of; `None` if all of the file is code.
    #[must_use]
    pub fn embedding(&self) -> Option<&Embedding> {
        self.embedding.as_ref()
    }

    /// Whether a name occurs in the text around the code, as in a template that uses it.
    #[must_use]
    pub fn is_mentioned_around(&self, name: &str) -> bool {
        self.embedding.as_ref().is_some_and(|embedding| {
            let mentioned = &embedding.mentioned;
            mentioned
                .binary_search_by(|other| other.as_str().cmp(name))
                .is_ok()
        })
    }

    /// The sibling before a node.
    #[must_use]
    #[inline]
    pub fn previous_sibling(&self, index: u32) -> Option<u32> {
        let parent = self.node(index).parent;
        let mut last = index.checked_sub(1).filter(|&last| last > parent)?;
        // The node before in pre-order is the last descendant of the sibling.
        while self.node(last).parent != parent {
            last = self.node(last).parent;
        }
        Some(last)
    }

    /// The sibling after a node.
    #[must_use]
    #[inline]
    pub fn next_sibling(&self, index: u32) -> Option<u32> {
        let node = self.node(index);
        (node.parent != index && node.end < self.node(node.parent).end).then_some(node.end)
    }

    /// Facts about a node's kind.
    #[must_use]
    #[inline]
    pub fn info(&self, index: u32) -> KindInfo {
        let kind = self.kinds[index as usize];
        match self.infos.get(kind as usize) {
            Some(info) => *info,
            None => flatten::unknown_kind(kind),
        }
    }

    /// Whether a node is of the kind at this position of `LanguageSpec::named_kinds`.
    #[inline]
    pub(crate) fn is_named_kind(&self, index: u32, position: usize) -> bool {
        let found = self.positions.get(self.kinds[index as usize] as usize);
        found.is_some_and(|&found| usize::from(found) == position + 1)
    }

    /// A node's text.
    #[must_use]
    #[inline]
    pub fn node_text(&self, index: u32) -> &str {
        let node = self.node(index);
        self.text
            .get(node.start_byte as usize..node.end_byte as usize)
            .unwrap_or_default()
    }

    /// Indices of a node's children in order.
    #[inline]
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

    /// Indices of a node's named children without comments.
    #[inline]
    pub fn parts(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(index).filter(|&child| {
            self.node(child).named && !self.info(child).roles.any(crate::Roles::COMMENT)
        })
    }

    /// The rows that carry code, by the definition of the profile.
    #[must_use]
    pub fn source_lines(&self, profile: Profile) -> LineSet {
        (self.language.spec().source_lines)(self, profile)
    }

    /// The rows that carry tokens, found once for all profiles.
    pub(crate) fn token_rows_or(&self, find: fn(&Self) -> LineSet) -> &LineSet {
        self.token_rows.get_or_init(|| find(self))
    }

    /// Whether a node is documentation: a statement that is only a text.
    #[must_use]
    pub fn is_documentation(&self, index: u32) -> bool {
        (self.language.spec().is_documentation)(self, index)
    }

    /// Whether a clone unit or statement is left out by convention of the language.
    #[must_use]
    pub fn is_exempt_unit(&self, index: u32) -> bool {
        (self.language.spec().is_exempt_unit)(self, index)
    }

    /// Whether an arm takes everything, and so decides nothing.
    pub(crate) fn is_catch_all(&self, index: u32) -> bool {
        (self.language.spec().is_catch_all)(self, index)
    }
}

#[cfg(test)]
mod tests;
