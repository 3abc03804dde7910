//! Commands of kernels in cells: those of IPython, and those before the code of other languages.

use crate::language::Language;

/// Commands of a whole cell after which the cell is in the language of the notebook.
const SAME_LANGUAGE: &[&str] = &[
    "",
    "capture",
    "chime",
    "cudf.pandas.line_profile",
    "cudf.pandas.profile",
    "debug",
    "heat",
    "ipytest",
    "lprun",
    "manim",
    "memit",
    "memray_flamegraph",
    "mprun",
    "mypy",
    "notify",
    "opts",
    "output",
    "prun",
    "px",
    "pyinstrument",
    "pypy",
    "python",
    "python3",
    "run_pytest",
    "run_pytest[clean]",
    "scalene",
    "snakeviz",
    "time",
    "timeit",
    "viztracer",
    "wandb",
    "with_timing",
];

/// Commands of Databricks for a whole cell, which begin with one `%`.
const OTHER_CELLS: &[&str] = &["md", "md-sandbox", "sh", "scala", "r", "fs"];

/// Languages of cells in notebooks of .NET, which begin with `#!`.
const OTHER_DOTNET: &[&str] = &[
    "f#",
    "fsharp",
    "html",
    "javascript",
    "js",
    "kql",
    "markdown",
    "mermaid",
    "powershell",
    "pwsh",
    "sql",
    "value",
];

/// Maximum number of lines of a command after its first line.
const MAX_LINES: usize = 200;

/// Lines of a cell as Python, and the text of commands among them.
#[derive(Default)]
pub(super) struct Plain {
    /// As many as the cell has. Lines with commands are blank.
    pub(super) lines: Vec<String>,
    pub(super) commands: String,
}

/// Takes commands out of a cell.
pub(super) fn without_commands(lines: &[String]) -> Plain {
    let mut plain = Plain::default();
    let python = super::known("python");
    // Commands of the cell may follow each other.
    let code = lines.iter().position(|line| {
        let line = line.trim_start();
        !line.is_empty() && (!line.starts_with("%%") || is_other_cell(python, line))
    });
    let code = code.unwrap_or(lines.len());
    if lines
        .get(code)
        .is_some_and(|line| is_other_cell(python, line.trim_start()))
    {
        return Plain::of_commands(lines);
    }
    let mut state = State::default();
    let mut index = 0;
    while let Some(line) = lines.get(index) {
        let is_head = index < code;
        let at = command_at(line).filter(|_| state.is_at_statement());
        let Some(at) = at.filter(|_| !is_head) else {
            if is_head {
                plain.command(line, String::new());
            } else {
                state.read(line);
                plain.lines.push(line.clone());
            }
            index += 1;
            continue;
        };
        // A block may have nothing else in it, and a target needs a value.
        let before = &line[..at];
        let left = if before.is_empty() {
            String::new()
        } else {
            format!("{before}get_ipython()")
        };
        plain.command(&line[at..], left);
        for line in &lines[index + 1..][..lines_after(&lines[index..], at)] {
            plain.command(line, String::new());
            index += 1;
        }
        index += 1;
    }
    plain
}

/// Number of further lines of a command that begins at a byte of the first line.
fn lines_after(lines: &[String], at: usize) -> usize {
    let is_open = |line: &String| line.ends_with('\\');
    let continued = lines.iter().take_while(|line| is_open(line)).count();
    let rest = (lines.len() - 1).min(continued);
    if !lines[0][at..].starts_with('%') {
        return rest;
    }
    // The brackets of Python in a command may close in a later line.
    let mut state = State::default();
    state.read(&lines[0][at..]);
    if state.is_at_statement() {
        return rest;
    }
    let mut later = lines[1..].iter().take(MAX_LINES);
    let closing = later.position(|line| {
        state.read(line);
        state.is_at_statement()
    });
    closing.map_or(rest, |closing| rest.max(closing + 1))
}

/// Takes commands out of the beginning of a cell of another language than Python.
pub(super) fn without_first_commands(language: Language, lines: &[String]) -> Plain {
    let mut plain = Plain::default();
    let mark = match language.id() {
        "csharp" => "#!",
        "rust" => ":",
        _ => "%",
    };
    let is_command = |line: &str| line.starts_with('%') || line.starts_with(mark);
    for line in lines {
        let code = line.trim_start();
        if is_other_cell(language, code) {
            return Plain::of_commands(lines);
        }
        if !code.is_empty() && !is_command(code) {
            break;
        }
        plain.command(line, String::new());
    }
    let rest = &lines[plain.lines.len()..];
    plain.lines.extend_from_slice(rest);
    plain
}

impl Plain {
    /// A cell without code of the language.
    fn of_commands(lines: &[String]) -> Self {
        Self {
            lines: vec![String::new(); lines.len()],
            commands: lines.join("\n"),
        }
    }

    /// Adds the line of a command with its remaining code.
    fn command(&mut self, text: &str, left: String) {
        self.commands.push_str(text);
        self.commands.push('\n');
        self.lines.push(left);
    }
}

/// Whether a cell with this line before its code is not in the language of the notebook.
fn is_other_cell(language: Language, line: &str) -> bool {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let name = line[..end].to_lowercase();
    if let Some(name) = name.strip_prefix("%%") {
        return !SAME_LANGUAGE.contains(&name) && !is_same(language, name);
    }
    if let Some(name) = name.strip_prefix("#!") {
        return language.id() == "csharp" && OTHER_DOTNET.contains(&name);
    }
    let Some(name) = name.strip_prefix('%') else {
        return false;
    };
    let is_alone = line[end..].trim().is_empty();
    let is_other = OTHER_CELLS.contains(&name)
        || is_alone && (name == "sql" || Language::by_name(name).is_some());
    is_other && !is_same(language, name)
}

/// Whether a name is that of a language.
fn is_same(language: Language, name: &str) -> bool {
    Language::by_name(name).is_some_and(|named| named.family() == language.family())
}

/// Position of a command in a line that begins a statement: after the indentation, or as the value of an assignment.
fn command_at(line: &str) -> Option<usize> {
    let code = line.trim();
    // No statement of Python begins with one of these.
    if code.starts_with(['%', '!', '?', ';', ',', '/']) || asks_for_help(code) {
        return Some(line.len() - line.trim_start().len());
    }
    let equals = line.find('=')?;
    let (target, value) = (&line[..equals], &line[equals + 1..]);
    let is_target = |c: char| c.is_alphanumeric() || "_., []*()".contains(c);
    let is_command = value.trim_start().starts_with(['!', '%']);
    let space = value.len() - value.trim_start().len();
    (is_command && target.chars().all(is_target)).then_some(equals + 1 + space)
}

/// Whether a line asks what a name is: `np.sum?`.
fn asks_for_help(code: &str) -> bool {
    let name = code.trim_end_matches('?');
    let is_part = |c: char| c.is_alphanumeric() || "_.*%[]".contains(c);
    name.len() < code.len() && !name.is_empty() && name.chars().all(is_part)
}

/// Whether the next line begins a statement.
#[derive(Default)]
struct State {
    /// Open brackets.
    open: usize,
    /// Quotes of a string that continues.
    quotes: Option<&'static str>,
    /// Whether the last line ends in a backslash.
    is_continued: bool,
}

impl State {
    fn is_at_statement(&self) -> bool {
        self.open == 0 && self.quotes.is_none() && !self.is_continued
    }

    /// Goes past a line of Python.
    fn read(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let mut at = 0;
        self.is_continued = false;
        while at < bytes.len() {
            if let Some(quotes) = self.quotes {
                at = self.read_text(line, at, quotes);
                continue;
            }
            match bytes[at] {
                b'#' => return,
                b'"' | b'\'' => {
                    let kinds = ["\"\"\"", "'''", "\"", "'"];
                    let rest = &bytes[at..];
                    let found = kinds.iter().find(|kind| rest.starts_with(kind.as_bytes()));
                    self.quotes = found.copied();
                    at += found.map_or(1, |kind| kind.len());
                    continue;
                }
                b'(' | b'[' | b'{' => self.open += 1,
                b')' | b']' | b'}' => self.open = self.open.saturating_sub(1),
                b'\\' if at + 1 == bytes.len() => self.is_continued = true,
                _ => {}
            }
            at += 1;
        }
        // A text in single quotes ends with its line.
        if self.quotes.is_some_and(|quotes| quotes.len() == 1) {
            self.quotes = None;
            self.is_continued = line.ends_with('\\');
        }
    }

    /// Goes past a text or its part in this line; gives the byte after it.
    fn read_text(&mut self, line: &str, mut at: usize, quotes: &str) -> usize {
        let bytes = line.as_bytes();
        while at < bytes.len() {
            if bytes[at] == b'\\' {
                at += 2;
            } else if bytes[at..].starts_with(quotes.as_bytes()) {
                self.quotes = None;
                return at + quotes.len();
            } else {
                at += 1;
            }
        }
        bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(cell: &str) -> (String, String) {
        let lines: Vec<String> = cell.split('\n').map(str::to_owned).collect();
        let plain = without_commands(&lines);
        assert_eq!(plain.lines.len(), lines.len(), "{cell}");
        (plain.lines.join("\n"), plain.commands)
    }

    #[test]
    fn commands_of_lines_are_blank() {
        for (cell, left) in [
            ("%matplotlib inline\nx = 1", "\nx = 1"),
            ("!pip install a \\\n  b\nx", "\n\nx"),
            ("if x:\n    !ls\n", "if x:\n    get_ipython()\n"),
            ("%timeit f(\n  a)\nx", "\n\nx"),
            ("%time f(\nx", "\nx"),
            ("!echo (\nx", "\nx"),
            ("np.sum?\n?np", "\n"),
            (";ls\n,f a\n/f 1", "\n\n"),
            ("a, b[0] = %timeit f()", "a, b[0] = get_ipython()"),
            ("files = !ls", "files = get_ipython()"),
            ("%%time\nf()", "\nf()"),
        ] {
            assert_eq!(plain(cell).0, left, "{cell}");
        }
    }

    #[test]
    fn cells_of_other_languages_are_blank() {
        for cell in [
            "%%bash\nls\nx",
            "\n%%html\n<p/>",
            "%md\n# Title",
            "%sql\nSELECT",
        ] {
            let (left, commands) = plain(cell);
            assert_eq!(left.trim(), "", "{cell}");
            assert!(!commands.is_empty());
        }
    }

    #[test]
    fn python_that_resembles_commands_stays() {
        for cell in [
            "x = ('%s'\n     % name)",
            "text = \"\"\"\n%matplotlib inline\n!ls\n\"\"\"\ny",
            "a = b \\\n    % c",
            "a != b",
            "a == b % c",
            "# really?",
            "f('a?')",
            "x = 'it\\'s' # (\n# %",
            "f(a='%d' % b)",
        ] {
            assert_eq!(plain(cell).0, cell);
        }
    }

    #[test]
    fn words_of_commands_are_kept() {
        assert!(
            plain("%timeit np.sum(x)\ny = !cat {path}")
                .1
                .contains("np.sum")
        );
        assert!(plain("y = !cat {path}").1.contains("path"));
    }
}
