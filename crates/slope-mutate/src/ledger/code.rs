//! Python files as rows, with the facts that edits need.

use slope_syntax::{Language, Limits, Profile, Roles, SyntaxTree, callables, parse};

/// A Python file that parses.
pub(super) struct Code {
    pub(super) path: String,
    pub(super) rows: Vec<String>,
    pub(super) functions: Vec<Function>,
    /// Rows of imports at the top level: first and last row.
    pub(super) imports: Vec<(usize, usize)>,
    /// First rows of the code at the top level, decorators included.
    pub(super) tops: Vec<usize>,
    /// Rows with only a comment.
    pub(super) comments: Vec<usize>,
    /// Rows that begin inside a string.
    pub(super) inside: Vec<bool>,
    /// Lists of two or more arguments in one row: row, and column after the bracket.
    pub(super) arguments: Vec<(usize, usize)>,
}

/// A function or method.
#[derive(Clone)]
pub(super) struct Function {
    /// Dotted name.
    pub(super) name: String,
    /// The last part of it.
    pub(super) own: String,
    /// Row of `def`.
    pub(super) first: usize,
    /// Last row.
    pub(super) last: usize,
    pub(super) top_level: bool,
    pub(super) decorated: bool,
    /// First and last rows of the statements of its body, documentation left out.
    pub(super) body: Vec<(usize, usize)>,
}

impl Code {
    /// The file, if it can be edited line by line.
    pub(super) fn read(path: &str, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let whole = text.ends_with('\n') && !text.contains(['\r', '\t', '\u{c}']);
        let language = Language::by_id(super::LANGUAGE).filter(|_| whole)?;
        let tree = parse(language, bytes, &Limits::default()).ok()?;
        if tree.errors().is_some() {
            return None;
        }
        let mut code = Self {
            path: path.to_owned(),
            rows: text.lines().map(str::to_owned).collect(),
            functions: functions(&tree),
            imports: Vec::new(),
            tops: Vec::new(),
            comments: Vec::new(),
            inside: vec![false; text.lines().count() + 1],
            arguments: Vec::new(),
        };
        for top in tree.children(0) {
            let node = tree.node(top);
            let rows = (node.start_row as usize, node.end_row as usize);
            match kind(&tree, top) {
                "import_statement" | "import_from_statement" | "future_import_statement" => {
                    code.imports.push(rows);
                }
                "comment" => {}
                _ => code.tops.push(rows.0),
            }
        }
        code.note_texts(&tree);
        Some(code)
    }

    fn note_texts(&mut self, tree: &SyntaxTree) {
        let mut string_until = 0;
        for index in 0..u32::try_from(tree.nodes().len()).unwrap_or(0) {
            let node = tree.node(index);
            let row = node.start_row as usize;
            match kind(tree, index) {
                "string" => {
                    string_until = node.end.max(string_until);
                    self.inside[row + 1..=node.end_row as usize].fill(true);
                }
                "comment" if self.rows[row].trim_start().starts_with('#') => {
                    self.comments.push(row);
                }
                "argument_list" if index >= string_until && node.start_row == node.end_row => {
                    let named = tree.children(index).filter(|&c| tree.node(c).named);
                    if named.count() > 1 && self.rows[row].is_ascii() {
                        let start = tree.line_starts()[row];
                        self.arguments
                            .push((row, (node.start_byte + 1 - start) as usize));
                    }
                }
                _ => {}
            }
        }
    }

    /// The rows as a text.
    pub(super) fn text(&self) -> String {
        text(&self.rows)
    }

    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(super) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.strip_suffix(".py").unwrap_or(name)
    }

    /// Whether it contains a word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.rows.iter().any(|row| has_word(row, word))
    }
}

fn functions(tree: &SyntaxTree) -> Vec<Function> {
    let source = tree.source_lines(Profile::Slope);
    let all = callables(tree, Profile::Slope, &source).into_iter();
    let defined = all.filter(|found| kind(tree, found.node) == "function_definition");
    let function = |found: slope_syntax::CallableFacts| {
        let node = tree.node(found.node);
        let decorated = kind(tree, node.parent) == "decorated_definition";
        let block = tree
            .children(found.node)
            .find(|&c| kind(tree, c) == "block")?;
        let statements = tree
            .children(block)
            .filter(|&c| !tree.info(c).roles.any(Roles::COMMENT) && !tree.is_documentation(c));
        let rows = |c: u32| {
            (
                tree.node(c).start_row as usize,
                tree.node(c).end_row as usize,
            )
        };
        let body: Vec<_> = statements.map(rows).collect();
        // Code in the row of its head cannot be edited row by row.
        let apart = body.first().is_some_and(|b| b.0 > node.start_row as usize);
        let own = found.name.rsplit('.').next().unwrap_or_default().to_owned();
        apart.then_some(Function {
            own,
            first: node.start_row as usize,
            last: node.end_row as usize,
            top_level: node.parent == 0 && !decorated,
            decorated,
            body,
            name: found.name,
        })
    };
    defined.filter_map(function).collect()
}

fn kind(tree: &SyntaxTree, index: u32) -> &'static str {
    tree.language().kind_name(tree.node(index).kind)
}

/// Rows as a text.
pub(super) fn text(rows: &[String]) -> String {
    rows.iter().flat_map(|row| [row.as_str(), "\n"]).collect()
}

/// White space at the start of a row.
pub(super) fn indentation(row: &str) -> &str {
    &row[..row.len() - row.trim_start().len()]
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words of a row.
pub(super) fn words(row: &str) -> impl Iterator<Item = &str> {
    row.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

pub(super) fn has_word(row: &str, word: &str) -> bool {
    row.contains(word) && words(row).any(|found| found == word)
}

/// A row with one word replaced by another.
pub(super) fn replaced(row: &str, word: &str, by: &str) -> String {
    let mut out = String::with_capacity(row.len());
    let mut rest = row;
    while let Some(at) = rest.find(word) {
        let (before, found) = rest.split_at(at);
        let after = &found[word.len()..];
        let alone = !out
            .chars()
            .chain(before.chars())
            .next_back()
            .is_some_and(is_word)
            && !after.starts_with(is_word);
        out.push_str(before);
        out.push_str(if alone { by } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}
