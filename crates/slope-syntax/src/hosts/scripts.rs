//! Scripts of a component as one text.

use std::ops::Range;

use super::markup::Tag;
use super::words::{Words, mentioned};
use super::{Embedding, Taken, known};

/// A script element.
pub(super) struct Script<'t> {
    pub(super) tag: Tag<'t>,
    /// The bytes between its tags.
    pub(super) content: Range<usize>,
}

/// Code of a component.
pub(super) struct Block {
    pub(super) range: Range<usize>,
    /// Id of its language.
    pub(super) language: &'static str,
}

/// The code of scripts.
///
/// # Errors
/// If the language of a script is not measured.
pub(super) fn take(
    text: &str,
    scripts: Vec<Script<'_>>,
    default: &'static str,
) -> Result<Taken, String> {
    Ok(joined(text, &blocks(scripts, default)?))
}

/// The scripts with code, each with its language.
pub(super) fn blocks(
    scripts: Vec<Script<'_>>,
    default: &'static str,
) -> Result<Vec<Block>, String> {
    let code = scripts.into_iter().filter(|script| {
        let has_content = !script.content.is_empty();
        has_content && is_code(&script.tag)
    });
    let block = |script: Script<'_>| {
        Ok(Block {
            language: language(&script.tag, default)?,
            range: script.content,
        })
    };
    code.map(block).collect()
}

/// Whether a script is code, and not data or a template.
fn is_code(tag: &Tag<'_>) -> bool {
    let Some(kind) = tag.attribute("type") else {
        return true;
    };
    let kind = kind.to_ascii_lowercase();
    let languages = ["javascript", "ecmascript", "typescript", "babel", "jsx"];
    kind.is_empty() || kind == "module" || languages.iter().any(|language| kind.ends_with(language))
}

/// The id of the language of a script.
fn language(tag: &Tag<'_>, default: &'static str) -> Result<&'static str, String> {
    let language = match tag.attribute("lang") {
        Some(language) => language,
        None if tag
            .attribute("type")
            .is_some_and(|t| t.ends_with("typescript")) =>
        {
            "ts"
        }
        None => return Ok(default),
    };
    match language.to_ascii_lowercase().as_str() {
        "" => Ok(default),
        "ts" | "typescript" => Ok("typescript"),
        "tsx" => Ok("tsx"),
        "js" | "jsx" | "javascript" | "babel" => Ok("javascript"),
        _ => Err(format!(
            "its script is in `{}`, which slope does not measure",
            language.escape_debug()
        )),
    }
}

/// A language in which the code of all blocks can be parsed as one text.
fn common(blocks: &[Block]) -> Option<&'static str> {
    let has = |language: &str| blocks.iter().any(|block| block.language == language);
    let ids = ["tsx", "typescript", "javascript"];
    ids.into_iter().find(|id| has(id))
}

/// The code of blocks in order, each line on its row and in its columns.
pub(super) fn joined(text: &str, blocks: &[Block]) -> Taken {
    let mut out = Rows::default();
    let mut parts = Vec::new();
    let mut at = 0;
    for block in blocks {
        out.pass(&text[at..block.range.start]);
        let start = out.text.len();
        out.add(&text[block.range.clone()]);
        // An error at the end of a script is in the row of its last code.
        parts.push(start..out.text.trim_end().len().max(start));
        at = block.range.end;
    }
    out.pass(&text[at..]);
    let mut words = Words::default();
    let mut at = 0;
    for block in blocks {
        words.add(&text[at..block.range.start]);
        at = block.range.end;
    }
    words.add(&text[at..]);
    let rows = blocks
        .iter()
        .map(|block| rows(&text[block.range.clone()]))
        .sum();
    Taken {
        language: known(common(blocks).unwrap_or("javascript")),
        embedding: Embedding {
            rows,
            mentioned: mentioned(&out.text, words),
            cells: Vec::new(),
        },
        text: out.text,
        parts,
        prefix: "",
    }
}

/// Rows of the code of a block: without those that it shares with its tags, if these have nothing else.
fn rows(code: &str) -> u32 {
    let mut lines: Vec<&str> = code.split('\n').collect();
    if lines.len() > 1 && lines[0].trim().is_empty() {
        lines.remove(0);
    }
    if lines.last().is_some_and(|last| last.trim().is_empty()) {
        lines.pop();
    }
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}

/// A text in which code is on its rows.
#[derive(Default)]
struct Rows {
    text: String,
    /// Bytes of the current row that are not in the text yet.
    pending: usize,
}

impl Rows {
    /// Leaves out a part of the file.
    fn pass(&mut self, part: &str) {
        for _ in memchr::memchr_iter(b'\n', part.as_bytes()) {
            self.text.push('\n');
        }
        let last = part.rsplit('\n').next().unwrap_or_default();
        self.pending = if last.len() < part.len() {
            last.len()
        } else {
            self.pending + last.len()
        };
    }

    fn add(&mut self, code: &str) {
        let first = code.split('\n').next().unwrap_or_default();
        if !first.trim().is_empty() {
            self.indent();
        } else if first.len() < code.len() {
            // The tag is alone on its row.
            self.pending = 0;
        }
        self.text.push_str(code);
    }

    /// Puts the columns before the code into the text.
    fn indent(&mut self) {
        let spaces = std::mem::take(&mut self.pending);
        self.text.extend(std::iter::repeat_n(' ', spaces));
    }
}
