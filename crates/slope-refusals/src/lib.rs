//! Code that a language's own parser refuses although the grammar of the tree takes it.
//!
//! The grammars of the trees are lenient: they take Python without indentation, `const a;` and a Go file without a
//! package. A compiler does not. Each refusal is certain: it holds in every version of the language and in every form
//! that the file may have.
//!
//! | module | what it holds |
//! |---|---|
//! | `compiled` | Java, C#, Rust and Go: code in places where it is not allowed |
//! | `parsers` | which language has which parser or checks |
//! | `python` | Python, by a parser of its own |
//! | `scopes` | rules of Python on scopes and loops |
//! | `tabs` | indentation of Python with tabs |
//! | `script` | JavaScript and TypeScript, by a parser of their own |

mod compiled;
mod parsers;
mod python;
mod scopes;
mod script;
mod tabs;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};
use slope_syntax::{EncodingNote, Language, SyntaxTree};

/// A place that the language's own parser refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Its line, from 1.
    pub line: u32,
    /// The fault, in the words of the parser.
    pub message: String,
}

/// Most places of a file. One mistake may make the rest of a file wrong, and the line of each place takes a look at
/// the text before it.
const MAX_PLACES: usize = 100;

/// Deepest tree that the parsers get: they use the stack, and real code is not deeper.
const MAX_DEPTH: u32 = 1000;

/// Trees below this depth need no stack of their own.
const SHALLOW: u32 = 60;

/// Stack for a deep tree, in bytes.
const STACK: usize = 256 << 20;

/// Whether all of a language is judged by its own parser, so that a file without refusals is surely right.
#[must_use]
pub fn decides(language: Language) -> bool {
    parsers::of(language).is_some_and(|parser| parser.decides())
}

/// The places in order. No places for a language without such a parser, and for a tree that is too deep.
#[must_use]
pub fn refusals(tree: &SyntaxTree) -> Vec<Refusal> {
    if tree.depth() > MAX_DEPTH || tokens_in_errors(tree) > MAX_DEPTH as usize {
        return Vec::new();
    }
    let mut found = if tree.depth() < SHALLOW && tree.errors().is_none() {
        guarded(tree)
    } else {
        std::thread::scope(|scope| {
            let deep = std::thread::Builder::new().stack_size(STACK);
            let looked = deep.spawn_scoped(scope, || guarded(tree));
            let found = looked.ok().and_then(|thread| thread.join().ok());
            found.unwrap_or_default()
        })
    };
    found.sort_by_key(|refusal| refusal.line);
    found.truncate(MAX_PLACES);
    found
}

/// Tokens that the tree has no place for. They lie side by side in it, and another parser may nest each in the one
/// before: `[[[[`.
fn tokens_in_errors(tree: &SyntaxTree) -> usize {
    if tree.errors().is_none() {
        return 0;
    }
    let count = u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX);
    let errors = (0..count).filter(|&node| tree.node(node).is_error());
    errors.map(|node| tree.children(node).count()).sum()
}

/// A fault of a parser must not end a measurement.
fn guarded(tree: &SyntaxTree) -> Vec<Refusal> {
    catch_unwind(AssertUnwindSafe(|| of_language(tree))).unwrap_or_default()
}

fn of_language(tree: &SyntaxTree) -> Vec<Refusal> {
    let parser = parsers::of(tree.language());
    let mut found = parser.map_or_else(Vec::new, |parser| parser.refusals(tree));
    if is_template(tree, &found) {
        return Vec::new();
    }
    if tree.language().files().are_utf8
        && let Some(EncodingNote::Replaced { first_line, .. }) = tree.encoding_note()
    {
        found.push(Refusal {
            line: *first_line,
            message: "The text is not UTF-8.".to_owned(),
        });
    }
    found
}

/// Whether a file is a template for code: the first place that is refused has marks of one, outside of texts.
fn is_template(tree: &SyntaxTree, found: &[Refusal]) -> bool {
    // In these the other marks are code.
    let is_braced = !tree.language().files().have_template_marks;
    let first = found.iter().map(|refusal| refusal.line).min();
    first.is_some_and(|line| {
        let row = tree.row_text(line - 1);
        let is_marked = |marks: &[&str]| marks.iter().any(|mark| has_outside_of_texts(row, mark));
        is_marked(&["{%", "<%"]) || is_braced && is_marked(&["{{", "${"])
    })
}

/// Whether a row has a mark with as many quotes before it as close each other.
fn has_outside_of_texts(row: &str, mark: &str) -> bool {
    row.match_indices(mark).any(|(at, _)| {
        let quotes = |quote: char| row[..at].matches(quote).count();
        quotes('"') % 2 == 0 && quotes('\'') % 2 == 0
    })
}

/// The line of a byte, from 1.
fn line_of(text: &str, offset: u32) -> u32 {
    let before = text
        .as_bytes()
        .get(..offset as usize)
        .unwrap_or(text.as_bytes());
    let ends = before.iter().filter(|&&byte| byte == b'\n').count();
    u32::try_from(ends + 1).unwrap_or(u32::MAX)
}
