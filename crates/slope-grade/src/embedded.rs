//! Code where the measurement does not see it: in texts, in comments that compilers read, and in files of data.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use slope_syntax::paths::is_test;

use crate::edit::Text;
use crate::regex::regex;

/// A row that decides, repeats or returns, as programs have and data has not.
static PROGRAM: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^\s*(\}\s*)?(if|for|while|return|elif|else if|switch|throw|raise|try|catch|match|bail!)\b.*[:;{})]\s*$|^\s*(def|func|fn|function)\s+\w+\s*\(|^\s+return\b",
    )
});

/// The beginning of a text of several rows: raw texts of Rust, back quotes, and three quotes after something.
static OPEN: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"r(?<hash>\#+)"|(?<tick>`)|\S[^\S\n]*(?<three>"""|\'\'\')"#));

/// Fewest rows of a program that count as code.
const MIN_ROWS: usize = 4;

/// Files in which examples and templates are usual.
const SHOWING: &[&str] = &[
    "adoc", "bat", "cmake", "cmd", "diff", "ejs", "erb", "ftl", "gradle", "graphql", "hbs", "htm",
    "html", "ipynb", "j2", "jinja", "jinja2", "liquid", "markdown", "md", "mdx", "mustache", "njk",
    "patch", "po", "pot", "prompt", "pug", "rst", "snap", "svg", "tex", "xsl", "yaml", "yml",
];

/// Whether a file of data that an edit adds has a program in it.
pub(crate) fn is_program(path: &str, before: &Text, text: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    let shows = SHOWING.contains(&suffix.to_ascii_lowercase().as_str());
    let is_known = suffix.is_empty() && name.starts_with(|c: char| c.is_ascii_uppercase());
    if before.is_some() || shows || is_known || is_test(path) {
        return false;
    }
    let text = String::from_utf8_lossy(text);
    let rows: Vec<&str> = text.lines().filter(|row| !row.trim().is_empty()).collect();
    has_program(&rows)
}

fn has_program(rows: &[&str]) -> bool {
    let count = rows.iter().filter(|row| PROGRAM.is_match(row)).count();
    count >= MIN_ROWS && count * 8 >= rows.len()
}

/// Rows of a file, from 1, that are programs in texts, or in the comment that a compiler of Go reads as C.
pub(crate) fn rows(path: &str, text: &[u8]) -> BTreeSet<u32> {
    if is_test(path) {
        return BTreeSet::new();
    }
    let text = String::from_utf8_lossy(text);
    let rows: Vec<&str> = text.lines().collect();
    let mut found = BTreeSet::new();
    let mut add = |first: usize, last: usize| {
        found.extend((first..=last).filter_map(|row| u32::try_from(row + 1).ok()));
    };
    if path.ends_with(".go")
        && let Some((first, last)) = preamble(&rows)
    {
        add(first, last);
    }
    let mut at = 0;
    while at < rows.len() {
        let Some(last) = end_of_text(&rows, at) else {
            at += 1;
            continue;
        };
        if has_program(&rows[at + 1..last]) {
            add(at + 1, last.saturating_sub(1));
        }
        at = last + 1;
    }
    found
}

/// The comment above `import "C"`.
fn preamble(rows: &[&str]) -> Option<(usize, usize)> {
    let import = rows.iter().position(|row| row.trim() == r#"import "C""#)?;
    let above = &rows[..import];
    let is_comment = |row: &&str| row.trim_start().starts_with("//");
    let first = if above.last()?.trim_end().ends_with("*/") {
        above
            .iter()
            .rposition(|row| row.trim_start().starts_with("/*"))?
    } else {
        import - above.iter().rev().take_while(|row| is_comment(row)).count()
    };
    (first < import).then(|| (first, import - 1))
}

/// The last row of the text that begins in a row and has several; `None` if none does.
fn end_of_text(rows: &[&str], at: usize) -> Option<usize> {
    let row = rows[at];
    let open = OPEN.captures_iter(row).last()?;
    let mark = if let Some(hash) = open.name("hash") {
        format!("\"{}", hash.as_str())
    } else {
        let mark = open.name("tick").or_else(|| open.name("three"))?.as_str();
        // An even number opens and closes.
        if row.matches(mark).count() % 2 == 0 {
            return None;
        }
        mark.to_owned()
    };
    let begin = open.get(0)?.end();
    if row[begin..].contains(&mark) {
        return None;
    }
    let rest = rows.iter().skip(at + 1);
    let found = rest.take(2_000).position(|row| row.contains(&mark))?;
    Some(at + 1 + found)
}

#[cfg(test)]
mod tests {
    use super::{is_program, rows};

    const PROGRAM: &str =
        "def f(x):\n    if x:\n        return 1\n    for y in x:\n        return y\n";

    #[test]
    fn programs_in_data_are_found() {
        for path in ["a/x.proto", "rules.txt", "include/a/duration", "x.dat"] {
            assert!(is_program(path, &None, PROGRAM.as_bytes()), "{path}");
        }
        for path in ["README.md", "tests/data/a.txt", "Makefile"] {
            assert!(!is_program(path, &None, PROGRAM.as_bytes()), "{path}");
        }
        let prose = "If you read this:\nfor example, data\nreturns nothing;\nis prose\n".repeat(3);
        assert!(!is_program("a.txt", &None, prose.as_bytes()));
        let proto = "message A {\n  string a = 1;\n  int32 b = 2;\n}\n".repeat(5);
        assert!(!is_program("a.proto", &None, proto.as_bytes()));
    }

    #[test]
    fn programs_in_texts_are_found() {
        let c = "if (a) {\n  return 1;\n}\nfor (;;) {\n  return 2;\n}\n";
        for (path, text) in [
            (
                "build.rs",
                format!("const A: &str = r#\"\n{c}\"#;\nfn main() {{}}\n"),
            ),
            ("a.ts", format!("const code = `\n{c}`\nrun(code)\n")),
            ("a.py", format!("CODE = \"\"\"\n{PROGRAM}\"\"\"\n")),
            ("a.go", format!("package a\n\n/*\n{c}*/\nimport \"C\"\n")),
        ] {
            assert!(rows(path, text.as_bytes()).len() >= 5, "{path}");
        }
        for (path, text) in [
            (
                "a.py",
                format!("def f():\n    \"\"\"Example.\n{PROGRAM}\"\"\"\n"),
            ),
            ("a.ts", "const page = `\n<p>\n if you\n</p>`\n".to_owned()),
            ("a.go", "package a\n\nimport \"fmt\"\n".to_owned()),
        ] {
            assert!(rows(path, text.as_bytes()).is_empty(), "{path}");
        }
    }
}
