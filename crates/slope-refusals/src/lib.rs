//! What a language's own parser refuses although the grammar of the tree takes it.
//!
//! The grammars of the trees are lenient: they take Python without indentation, `const a;` and a Go file without a
//! package. A compiler does not. What is found here is certain: code is refused in every version of the language and in
//! every form that the file may have.
//!
//! | module | what it holds |
//! |---|---|
//! | `compiled` | Java, C#, Rust and Go: what stands where it may not |
//! | `python` | Python, by a parser of its own |
//! | `scopes` | what Python allows where: scopes and loops |
//! | `tabs` | what Python takes for indentation |
//! | `script` | JavaScript and TypeScript, by a parser of their own |

mod compiled;
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
    /// What is wrong there, in the words of the parser.
    pub message: String,
}

/// Most places that are told of a file. One mistake may make the rest of a file wrong.
const MOST: usize = 100;

/// Deepest tree that is looked at: the parsers use the stack, and no person writes such code.
const DEEPEST: u32 = 1000;

/// Trees below this depth need no stack of their own.
const SHALLOW: u32 = 60;

/// Stack for a deep tree, in bytes.
const STACK: usize = 256 << 20;

/// Whether all of a language is judged by its own parser, so that a file without refusals is surely right.
#[must_use]
pub fn decides(language: Language) -> bool {
    matches!(
        language.id(),
        "python" | "javascript" | "typescript" | "tsx"
    )
}

/// The places in order. No places for a language without such a parser, and for a tree that is too deep.
#[must_use]
pub fn refusals(tree: &SyntaxTree) -> Vec<Refusal> {
    if tree.depth() > DEEPEST {
        return Vec::new();
    }
    let mut found = if tree.depth() < SHALLOW {
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
    found.truncate(MOST);
    found
}

/// A fault of a parser must not end a measurement.
fn guarded(tree: &SyntaxTree) -> Vec<Refusal> {
    catch_unwind(AssertUnwindSafe(|| of_language(tree))).unwrap_or_default()
}

fn of_language(tree: &SyntaxTree) -> Vec<Refusal> {
    let id = tree.language().id();
    let mut found = match id {
        "python" => python::refusals(tree.text()),
        "javascript" | "typescript" | "tsx" => script::refusals(tree),
        _ => compiled::refusals(tree),
    };
    if is_template(tree, &found) {
        return Vec::new();
    }
    if matches!(id, "python" | "go" | "rust")
        && let Some(EncodingNote::Replaced { first_line, .. }) = tree.encoding_note()
    {
        found.push(Refusal {
            line: *first_line,
            message: "The text is not UTF-8.".to_owned(),
        });
    }
    found
}

/// Whether a file is a template for code: the first place that is refused has marks of one.
fn is_template(tree: &SyntaxTree, found: &[Refusal]) -> bool {
    // In these the other marks are code.
    let is_braced = !matches!(
        tree.language().id(),
        "javascript" | "typescript" | "tsx" | "rust"
    );
    let first = found.iter().map(|refusal| refusal.line).min();
    first.is_some_and(|line| {
        let row = tree.row_text(line - 1);
        let is_marked = |marks: &[&str]| marks.iter().any(|mark| row.contains(mark));
        is_marked(&["{%", "<%"]) || is_braced && is_marked(&["{{", "${"])
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
