//! Minified scripts.
//!
//! Minified code has long lines *and* few spaces, and hardly any other lines. Only characters of code count, so long strings, comments and
//! alphabets with several bytes a character do not make a file minified.

/// Mean characters of code on a line that minified scripts exceed.
const MEAN: usize = 110;
/// Minimum number of characters of code in a minified file.
const MIN_CODE: usize = 4 * MEAN;
/// Percentage of spaces in code that minified scripts stay below. Hand-written code has 12 % or more.
const SPACES_PERCENT: usize = 10;

/// Reason that a script counts as minified.
pub(super) fn reason(text: &str) -> Option<String> {
    // A character takes at least one byte, so most files are ruled out without a scan.
    if text.len() < MIN_CODE || text.len() / text.lines().count().max(1) <= MEAN {
        return None;
    }
    let code = Code::of(text);
    let mean = code.characters / code.lines.max(1);
    let is_dense = code.spaces * 100 < code.characters * SPACES_PERCENT;
    // A long line between handwritten lines is data, or was added to hide them.
    let is_all = code.long_lines * 2 >= code.lines;
    let is_minified = code.characters > MIN_CODE && mean > MEAN && is_dense && is_all;
    is_minified.then(|| format!("minified: {mean} characters of code a line and few spaces"))
}

/// Statistics of a script's code outside of strings and comments.
#[derive(Default)]
struct Code {
    characters: usize,
    spaces: usize,
    /// Lines with code.
    lines: usize,
    /// Lines with more characters than [`MEAN`].
    long_lines: usize,
}

/// The lexical state at a character.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Code,
    /// In a string that ends with this character.
    Text(char),
    LineComment,
    BlockComment,
}

impl Code {
    fn of(text: &str) -> Self {
        let mut code = Self::default();
        for line in text_of_code(text).split('\n') {
            let spaces = line.chars().filter(|c| c.is_whitespace()).count();
            let characters = line.chars().count();
            code.characters += characters;
            code.spaces += spaces;
            code.lines += usize::from(characters > spaces);
            code.long_lines += usize::from(characters > MEAN);
        }
        code
    }
}

/// A script without its strings and comments. Line ends stay.
fn text_of_code(text: &str) -> String {
    let mut code = String::new();
    let mut state = State::Code;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        let before = state;
        state = before.after(c, next);
        let is_escape = c == '\\' && matches!(before, State::Text(_));
        let ends_block = before == State::BlockComment && state == State::Code;
        if is_escape || ends_block {
            characters.next();
        }
        let is_code = before == State::Code && state == State::Code;
        let ends_line = c == '\n' || is_escape && next == Some('\n');
        if ends_line {
            code.push('\n');
        } else if is_code {
            code.push(c);
        }
    }
    code
}

impl State {
    /// State after a character, given the next one.
    fn after(self, c: char, next: Option<char>) -> Self {
        match self {
            Self::Code => opened(c, next),
            Self::Text(end) if c == end || c == '\n' && end != '`' => Self::Code,
            Self::LineComment if c == '\n' => Self::Code,
            Self::BlockComment if (c, next) == ('*', Some('/')) => Self::Code,
            within => within,
        }
    }
}

/// The state after a character of code.
fn opened(c: char, next: Option<char>) -> State {
    match (c, next) {
        ('"' | '\'' | '`', _) => State::Text(c),
        ('/', Some('/')) => State::LineComment,
        ('/', Some('*')) => State::BlockComment,
        _ => State::Code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_code_is_minified() {
        let function =
            "function e(t){var n=t.length;for(var r=0;r<n;r++)if(t[r])return r;return-1}";
        for text in [
            "f();".repeat(400),
            function.repeat(20),
            format!("/*! licence */\n{}", function.repeat(20)),
            format!(
                "const m = {{a:\"{}\"}};{}",
                "text ".repeat(9),
                function.repeat(20)
            ),
        ] {
            assert!(reason(&text).is_some(), "{text}");
        }
    }

    #[test]
    fn handwritten_long_lines_are_not_minified() {
        let call =
            "const total = items.filter((item) => item.price > limit).map((item) => item.price);";
        let texts = [
            // Other alphabets take two and three bytes a character.
            format!(
                "export const a = \"{}\";\n",
                "Неверный тип данных ".repeat(9)
            )
            .repeat(30),
            format!("export const a = \"{}\";\n", "잘못된 형식입니다 ".repeat(9)).repeat(30),
            format!("// {}\nf();\n", "Почему так устроено ".repeat(9)).repeat(30),
            format!("/* {} */\nf();\n", "why this is so ".repeat(30)).repeat(30),
            // Data in texts.
            format!("const image = `{}`;\nf();\n", "iVBORw0KGgo".repeat(500)),
            format!("<path d=\"{}\" />\n", "M12 2C6.48 2 ".repeat(50)).repeat(20),
            format!("{}\n", call.repeat(2)).repeat(30),
        ];
        for text in texts {
            assert_eq!(reason(&text), None, "{text}");
        }
    }

    #[test]
    fn long_data_lines_hide_no_code() {
        let data: Vec<String> = (0..4000).map(|n| n.to_string()).collect();
        let data = format!("const table = [{}];\n", data.join(","));
        let function = "function f(a) {\n  if (a) {\n    g();\n  }\n}\n";
        assert_eq!(reason(&format!("{function}{data}")), None);
        assert!(reason(&format!("f();\n{data}")).is_some());
    }

    #[test]
    fn identifiers_count_in_characters() {
        let line = "const значениеПоля = проверить(значениеПоля, границаПоля) || границаПоля;\n";
        assert!(line.len() > MEAN);
        assert_eq!(reason(&line.repeat(30)), None);
    }
}
