//! Comments in the first lines of a file, found without its grammar.

use slope_syntax::Language;
use slope_syntax::files::HeadComments;

/// Number of lines that are read.
const EARLY_LINES: usize = 40;

/// A line of a comment, or of the text that documents a module of Python.
pub(super) struct Comment {
    /// From 0.
    pub(super) row: usize,
    /// In lower case, without marks and ornaments at its begin.
    pub(super) said: String,
    /// Whether no code is above it.
    pub(super) is_head: bool,
    /// Whether it continues the sentence of the line above.
    pub(super) goes_on: bool,
    pub(super) is_shebang: bool,
}

/// Comment marks of a language at the head of a file.
fn marks(language: &str) -> &'static HeadComments {
    let known = Language::by_id(language).map(|language| &language.files().head);
    known.unwrap_or(&HeadComments::PLAIN)
}

/// Comments in the first lines of a file. The search ends at a multi-line string in the code, which
/// may contain comment marks as data.
pub(super) fn comments(language: &str, text: &str) -> Vec<Comment> {
    let marks = marks(language);
    let mut reader = Reader {
        marks,
        has_texts: marks.has_texts,
        open: None,
        is_head: true,
        found: Vec::new(),
    };
    let lines = text.trim_start_matches('\u{feff}').lines();
    for (row, line) in lines.take(EARLY_LINES).enumerate() {
        if !reader.read(row, line) {
            break;
        }
    }
    reader.found
}

struct Reader {
    marks: &'static HeadComments,
    /// Whether a text may be documentation here.
    has_texts: bool,
    /// End mark of the open comment of several lines.
    open: Option<&'static str>,
    is_head: bool,
    found: Vec<Comment>,
}

impl Reader {
    /// Reads a line; whether to go on.
    fn read(&mut self, row: usize, whole: &str) -> bool {
        let line = whole.trim();
        // A text that is a statement is documentation, also after imports.
        let is_statement = whole.starts_with(['"', '\'']);
        if let Some(end) = self.open {
            self.inside(row, line, end);
            return true;
        }
        if let Some((end, rest)) = self.opened(line, is_statement) {
            self.inside(row, rest, end);
            return true;
        }
        let is = |begins: &[&str]| begins.iter().any(|begin| line.starts_with(begin));
        if is(self.marks.line) {
            self.add(row, line);
        } else if !line.is_empty() && !is(self.marks.passed) {
            self.is_head = false;
            let texts = ["\"\"\"", "'''", "`", "r#\""];
            return !texts.iter().any(|text| line.contains(text));
        }
        true
    }

    /// End mark of the comment that a line opens, and the line after its start mark.
    fn opened<'a>(&self, line: &'a str, is_statement: bool) -> Option<(&'static str, &'a str)> {
        if self.has_texts && (self.is_head || is_statement) {
            let text = line.trim_start_matches(['r', 'R', 'u', 'U']);
            let marks = ["\"\"\"", "'''"].into_iter();
            return marks
                .filter_map(|m| Some((m, text.strip_prefix(m)?)))
                .next();
        }
        let (begin, end) = self.marks.block?;
        Some((end, line.strip_prefix(begin)?))
    }

    /// Reads a line inside a comment up to its end.
    fn inside(&mut self, row: usize, line: &str, end: &'static str) {
        let (said, behind) = match line.split_once(end) {
            Some((said, behind)) => (said, Some(behind.trim())),
            None => (line, None),
        };
        self.add(row, said);
        self.open = behind.is_none().then_some(end);
        // Module documentation is written once, and code may follow a comment.
        let is_code = behind.is_some_and(|b| !b.is_empty() && !b.starts_with("//"));
        self.is_head &= !is_code;
        self.has_texts &= behind.is_none() || self.marks.block.is_some();
    }

    fn add(&mut self, row: usize, line: &str) {
        let is_mark = |c: char| !c.is_alphanumeric() && c != '@' && c != '<';
        let said = line.trim_start_matches(is_mark).trim_end();
        let before = self.found.last().filter(|before| before.row + 1 == row);
        let is_open = before.is_some_and(|before| {
            let ends = before
                .said
                .ends_with(|c: char| c.is_alphanumeric() || c == ',');
            ends && !before.is_shebang
        });
        self.found.push(Comment {
            row,
            said: said.to_lowercase(),
            is_head: self.is_head,
            goes_on: is_open && said.starts_with(char::is_lowercase),
            is_shebang: line.starts_with("#!"),
        });
    }
}
