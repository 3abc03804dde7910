//! A cheap test whether a comment is prose, so that only what may be code is parsed.
//!
//! No language lets plain words follow each other without end: two names in a row are a syntax
//! error in Python, JavaScript and Rust, three in Java, Go and the C family. Words that a grammar
//! reads as keywords, at some place at least, do not count, and the code after a text, where
//! anything may be, is skipped. So the parser would refuse all that this calls prose.

/// How a language tells prose by words in a row.
struct Rule {
    /// Names in a row that no code has.
    names: u32,
    /// Words that may be next to a name.
    keywords: &'static [&'static str],
    /// Characters before which anything may be.
    stops: &'static [u8],
}

/// Whether lines of comment text hold so many names in a row that no parser takes them.
pub(crate) fn is_prose(language: &str, lines: &[&str]) -> bool {
    let Some(rule) = rule(language) else {
        return false;
    };
    // `NAME =` on a line of its own names a setting and gives it nothing.
    if language == "python" && lines.last().is_some_and(|line| line.ends_with('=')) {
        return true;
    }
    for line in lines {
        let (mut row, mut gap) = (0, false);
        let mut rest = *line;
        let mut before = "";
        while let Some(first) = rest.bytes().next() {
            if rule.stops.contains(&first) {
                // An apostrophe: no text begins within a name, but for its prefix.
                return first == b'\'' && row > 0 && !gap && !is_prefix(before);
            }
            let length = word(rest);
            if length == 0 {
                // Non-letters outside ASCII may be part of anything.
                if !first.is_ascii() {
                    return false;
                }
                if language == "python" && first == b'#' {
                    break;
                }
                gap = first == b' ' || first == b'\t';
                if !gap {
                    row = 0;
                }
                rest = &rest[1..];
                continue;
            }
            let text = &rest[..length];
            let is_name = !first.is_ascii_digit() && !rule.keywords.contains(&text);
            row = match (is_name, gap || row == 0) {
                (true, true) => row + 1,
                (true, false) => 1,
                (false, _) => 0,
            };
            if row >= rule.names {
                return true;
            }
            gap = false;
            before = text;
            rest = &rest[length..];
        }
    }
    false
}

/// Whether a word may be before the quote of a text, such as `rb`.
fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|b| b"rbufcRBUFCtTL".contains(&b))
}

/// Bytes of the word that a text begins with; letters outside ASCII count.
fn word(text: &str) -> usize {
    let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '@');
    text.find(ends).unwrap_or(text.len())
}

fn rule(language: &str) -> Option<Rule> {
    let (names, keywords, stops): (u32, &'static [&'static str], &'static [u8]) = match language {
        "python" => (2, PYTHON, b"\"'\\`"),
        "javascript" | "typescript" | "tsx" => (2, JAVASCRIPT, b"\"'\\`#</"),
        "rust" => (2, RUST, b"\"'\\`#!/"),
        "go" => (3, GO, b"\"'\\`/"),
        "java" | "c" | "cpp" | "csharp" => (3, JAVA, b"\"'\\`#/"),
        "ruby" => (3, RUBY, b"\"'\\`#/%<?|"),
        _ => return None,
    };
    Some(Rule {
        names,
        keywords,
        stops,
    })
}

const PYTHON: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global",
    "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "print",
    "raise", "return", "try", "type", "while", "with", "yield", "_",
];

const JAVASCRIPT: &[&str] = &[
    "abstract",
    "accessor",
    "any",
    "as",
    "assert",
    "asserts",
    "async",
    "await",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "constructor",
    "continue",
    "debugger",
    "declare",
    "default",
    "defer",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "get",
    "global",
    "if",
    "implements",
    "import",
    "in",
    "infer",
    "instanceof",
    "interface",
    "intrinsic",
    "is",
    "keyof",
    "let",
    "meta",
    "module",
    "namespace",
    "never",
    "new",
    "null",
    "number",
    "object",
    "of",
    "out",
    "override",
    "package",
    "private",
    "protected",
    "public",
    "readonly",
    "require",
    "return",
    "satisfies",
    "set",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "target",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unique",
    "unknown",
    "using",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

const RUST: &[&str] = &[
    "Self",
    "abstract",
    "as",
    "async",
    "auto",
    "await",
    "become",
    "block",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "default",
    "do",
    "dyn",
    "else",
    "enum",
    "expr",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "ident",
    "impl",
    "in",
    "item",
    "let",
    "lifetime",
    "literal",
    "loop",
    "macro",
    "macro_rules",
    "match",
    "meta",
    "mod",
    "move",
    "mut",
    "override",
    "pat",
    "path",
    "priv",
    "pub",
    "raw",
    "ref",
    "return",
    "safe",
    "self",
    "static",
    "stmt",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "tt",
    "ty",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "vis",
    "where",
    "while",
    "yield",
];

const GO: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "false",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "iota",
    "make",
    "map",
    "new",
    "nil",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "true",
    "type",
    "var",
];

const JAVA: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "exports",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "module",
    "native",
    "new",
    "non",
    "null",
    "open",
    "opens",
    "package",
    "permits",
    "private",
    "protected",
    "provides",
    "public",
    "record",
    "requires",
    "return",
    "sealed",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "to",
    "transient",
    "transitive",
    "true",
    "try",
    "uses",
    "var",
    "void",
    "volatile",
    "when",
    "while",
    "with",
    "yield",
    "_",
];

const RUBY: &[&str] = &[
    "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined", "do",
    "else", "elsif", "end", "ensure", "false", "for", "if", "in", "module", "next", "nil", "not",
    "or", "redo", "rescue", "retry", "return", "self", "super", "then", "true", "undef", "unless",
    "until", "when", "while", "yield",
];

#[cfg(test)]
mod tests {
    use super::is_prose;

    #[test]
    fn consecutive_words_are_prose() {
        for (language, text) in [
            ("python", "the value (if any) is kept"),
            ("python", "x = first thing"),
            ("python", "DATE_FORMAT ="),
            ("python", "there's one (at least)"),
            ("javascript", "returns the value (if any);"),
            ("rust", "see foo(x) for more details"),
            ("go", "closes all open files (again)"),
            ("java", "callers must not do that = so"),
        ] {
            assert!(is_prose(language, &[text]), "{language}: {text}");
        }
    }

    #[test]
    fn code_is_not_prose() {
        for (language, text) in [
            ("python", "for x in f(y): print x"),
            ("python", "x = 'two words here' # and more words"),
            ("python", "x = 1  # and more words"),
            ("python", "x = rb'a' in'b'"),
            ("python", "match x: pass"),
            ("javascript", "const x = await f(<a>some text here</a>)"),
            ("javascript", "for (const a of b) { async function f() {} }"),
            ("rust", "select! { some words here }"),
            ("rust", "pub(crate) fn f(x: &'a str) -> u8 { return y }"),
            ("go", "func f(a int, b string) error { return nil }"),
            ("java", "public static final Map values = new Map();"),
        ] {
            assert!(!is_prose(language, &[text]), "{language}: {text}");
        }
        assert!(!is_prose("python", &["x = '''", "many words here", "'''"]));
    }
}
