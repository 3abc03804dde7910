//! A cheap test whether a comment is prose, so that only possible code is parsed.
//!
//! No language allows arbitrarily many plain words in a row: two names in a row are a syntax error
//! in Python, JavaScript and Rust, three in Java, Go and the C family. Words that are keywords
//! anywhere in the grammar do not count, and the code after a text, where anything may follow, is
//! skipped. So the parser would refuse everything that this test calls prose.

use slope_syntax::conventions::Prose;

/// Whether lines of comment text have so many names in a row that no parser accepts them.
pub(crate) fn is_prose(rule: Option<&Prose>, lines: &[&str]) -> bool {
    let Some(rule) = rule else {
        return false;
    };
    if rule.names_settings && lines.last().is_some_and(|line| line.ends_with('=')) {
        return true;
    }
    for line in lines {
        let (mut row, mut gap) = (0, false);
        let mut rest = *line;
        let mut before = "";
        while let Some(first) = rest.bytes().next() {
            if rule.stops.contains(&first) {
                // An apostrophe. A string cannot begin inside a name, except after a prefix.
                return first == b'\'' && row > 0 && !gap && !is_prefix(before);
            }
            let length = word(rest);
            if length == 0 {
                // Non-letters outside ASCII may be part of anything.
                if !first.is_ascii() {
                    return false;
                }
                if rule.comment == Some(first) {
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

/// Whether a word may precede the quote of a text, such as `rb`.
fn is_prefix(word: &str) -> bool {
    word.len() <= 2 && word.bytes().all(|b| b"rbufcRBUFCtTL".contains(&b))
}

/// Bytes of the word that a text begins with; letters outside ASCII count.
fn word(text: &str) -> usize {
    let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$' || c == '@');
    text.find(ends).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use slope_syntax::conventions::of_id;

    fn is_prose(language: &str, lines: &[&str]) -> bool {
        super::is_prose(of_id(language).comments.prose, lines)
    }

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
