//! Comments that silence other linters.
//!
//! The author of `# noqa: B006` has read the report of another linter and decided. A rule for the
//! same pattern lists the codes of that linter in `metadata.linters`.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use slope_rules::Hit;
use slope_syntax::SyntaxTree;

/// Lines that a directive applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The line itself.
    Line,
    /// The next line.
    Next,
    /// All lines up to the end directive, or to the end of the file.
    From(Option<&'static str>),
}

/// Directive: its text, its reach, and the separator before the codes.
type Directive = (&'static str, Reach, &'static str);

const DIRECTIVES: &[Directive] = &[
    ("noqa", Reach::Line, ":"),
    ("ruff: noqa", Reach::From(None), ":"),
    ("flake8: noqa", Reach::From(None), ":"),
    ("pylint: disable", Reach::Line, "="),
    ("pylint: disable-next", Reach::Next, "="),
    ("NOLINT", Reach::Line, "("),
    ("NOLINTNEXTLINE", Reach::Next, "("),
    ("NOLINTBEGIN", Reach::From(Some("NOLINTEND")), "("),
    ("eslint-disable-line", Reach::Line, ""),
    ("eslint-disable-next-line", Reach::Next, ""),
    ("eslint-disable", Reach::From(Some("eslint-enable")), ""),
    ("biome-ignore", Reach::Next, ""),
    ("nolint", Reach::Line, ":"),
    ("NOPMD", Reach::Line, ""),
    ("NOSONAR", Reach::Line, ""),
];

/// Linter directives of a file.
pub(crate) struct Linters<'t> {
    tree: &'t SyntaxTree,
    /// Found when first asked: most files have no hit that a linter has a code for.
    found: OnceCell<Found<'t>>,
}

struct Found<'t> {
    /// The directives that are somewhere in the file.
    present: Vec<&'static Directive>,
    /// Stretches of Rust code with the lints that an attribute allows there.
    allowed: Vec<(Range<u32>, Vec<&'t str>)>,
}

impl<'t> Found<'t> {
    fn of(tree: &'t SyntaxTree) -> Self {
        let text = tree.text();
        let present = DIRECTIVES.iter().filter(|(name, ..)| has(text, name));
        Self {
            present: present.collect(),
            allowed: if tree.language().files().allow_lints && text.contains("clippy::") {
                allowed(tree)
            } else {
                Vec::new()
            },
        }
    }
}

impl<'t> Linters<'t> {
    pub(crate) fn of(tree: &'t SyntaxTree) -> Self {
        Self {
            tree,
            found: OnceCell::new(),
        }
    }

    /// Whether one of these codes is silenced at a match.
    pub(crate) fn silence(&self, hit: &Hit, codes: &[String]) -> bool {
        if codes.is_empty() {
            return false;
        }
        let is_allowed = |(range, lints): &(Range<u32>, Vec<&str>)| {
            range.contains(&hit.start_byte) && lints.iter().any(|lint| names(lint, codes))
        };
        let found = self.found.get_or_init(|| Found::of(self.tree));
        found.allowed.iter().any(is_allowed)
            || found
                .present
                .iter()
                .any(|one| self.reaches(one, hit, codes))
    }

    fn reaches(&self, &(name, reach, opens): &Directive, hit: &Hit, codes: &[String]) -> bool {
        let says = |row: u32| is_silence(self.tree.row_text(row), name, opens, codes);
        match reach {
            Reach::Line => says(hit.first_row) || says(hit.last_row),
            Reach::Next => hit.first_row.checked_sub(1).is_some_and(says),
            Reach::From(end) => {
                let before = (0..=hit.first_row).rev();
                let ends =
                    |row: &u32| end.is_some_and(|end| self.tree.row_text(*row).contains(end));
                before.take_while(|row| !ends(row)).any(says)
            }
        }
    }
}

/// Spellings of `noqa` that are accepted. Its linters ignore case.
const NOQA: &[&str] = &["noqa", "NOQA", "NoQA", "NoQa", "Noqa"];

/// The spellings of a directive.
fn spellings(name: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let is_noqa = name.ends_with(NOQA[0]);
    let others = NOQA.iter().skip(1).filter(move |_| is_noqa);
    let others = others.map(move |noqa| Cow::Owned(name.replace(NOQA[0], noqa)));
    std::iter::once(Cow::Borrowed(name)).chain(others)
}

/// Whether a text has a directive.
fn has(text: &str, name: &str) -> bool {
    spellings(name).any(|name| text.contains(&*name))
}

/// The text before and after a directive.
fn split<'a>(line: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    spellings(name).find_map(|name| line.split_once(&*name))
}

/// Whether a line has a directive that silences one of the codes, or everything.
fn is_silence(line: &str, name: &str, opens: &str, codes: &[String]) -> bool {
    let Some((before, after)) = split(line, name) else {
        return false;
    };
    let is_comment = ["#", "//", "/*"].iter().any(|mark| before.contains(mark));
    let is_word = after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_'));
    if !is_comment || is_word {
        return false;
    }
    let is_open = after.trim_start().starts_with(opens);
    let said = after.trim_start().trim_start_matches(|c| opens.contains(c));
    let said = said.split("--").next().unwrap_or_default();
    let mut said = said.split([',', ' ', '\t']).filter(|code| !code.is_empty());
    let is_code = |c: char| c.is_alphanumeric() || "-_/@.*:".contains(c);
    let trimmed = |code: &'_ str| code.trim_end_matches([')', ':']).to_owned();
    let listed: Vec<String> = said
        .by_ref()
        .take_while(|code| code.starts_with(|c: char| c.is_alphanumeric() || c == '@' || c == '*'))
        .map(trimmed)
        .filter(|code| code.chars().all(is_code))
        .collect();
    match is_open && !listed.is_empty() {
        true => listed.iter().any(|code| names(code, codes)),
        false => !matches!(opens, "="),
    }
}

/// Whether a code of a directive matches one of a rule's codes: it is equal, a prefix such as `B`,
/// or equal without the plug-in name.
fn names(said: &str, codes: &[String]) -> bool {
    let last = |code: &str| code.rsplit('/').next().unwrap_or(code).to_owned();
    let is_family = said
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    codes.iter().any(|code| match said.strip_suffix('*') {
        Some(begin) => code.starts_with(begin),
        None => last(code) == last(said) || is_family && code.starts_with(said),
    })
}

/// The stretches for which attributes allow lints of clippy.
fn allowed(tree: &SyntaxTree) -> Vec<(Range<u32>, Vec<&str>)> {
    let mut found = Vec::new();
    for (index, node) in (0u32..).zip(tree.nodes()) {
        let kind = tree.language().kind_name(node.kind);
        let of = match kind {
            "attribute_item" => item_behind(tree, index),
            "inner_attribute_item" => Some(node.parent),
            _ => None,
        };
        let text = tree.node_text(index);
        let is_allowed = text.contains("allow(") || text.contains("expect(");
        if let Some(of) = of.filter(|_| is_allowed) {
            let lints = text.split("clippy::").skip(1);
            let end = |c: char| !c.is_alphanumeric() && c != '_';
            let lints = lints.map(|lint| lint.split(end).next().unwrap_or(lint));
            let of = tree.node(of);
            found.push((of.start_byte..of.end_byte, lints.collect()));
        }
    }
    found
}

/// The item of an attribute: the next node except attributes and comments, or the arm that it is in.
fn item_behind(tree: &SyntaxTree, attribute: u32) -> Option<u32> {
    let parent = tree.node(attribute).parent;
    if tree.language().kind_name(tree.node(parent).kind) == "match_arm" {
        return Some(parent);
    }
    let next = |&index: &u32| tree.next_sibling(index);
    std::iter::successors(Some(attribute), next).find(|&index| {
        let kind = tree.language().kind_name(tree.node(index).kind);
        kind != "attribute_item" && !kind.ends_with("comment")
    })
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Language, Limits, parse};

    use super::*;

    fn silences(language: &str, code: &str, row: u32, codes: &[&str]) -> bool {
        let language = Language::by_id(language).unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let start = tree.line_starts()[row as usize];
        let hit = Hit {
            rule: 0,
            node: 0,
            first_row: row,
            last_row: row,
            start_byte: start,
            end_byte: start + 1,
        };
        let codes: Vec<String> = codes.iter().map(|&code| code.to_owned()).collect();
        Linters::of(&tree).silence(&hit, &codes)
    }

    #[test]
    fn directives_silence_their_codes() {
        for (language, code, row, codes) in [
            (
                "python",
                "def f(a={}):  # noqa: B006\n    pass\n",
                0,
                ["B006"],
            ),
            (
                "python",
                "def f(a={}):  # noqa: E501,B\n    pass\n",
                0,
                ["B006"],
            ),
            ("python", "a == None  # noqa\n", 0, ["E711"]),
            ("python", "a == None  # NOQA\n", 0, ["E711"]),
            ("python", "a == None  # NoQA: E711\n", 0, ["E711"]),
            ("python", "# ruff: NOQA: E711\n\na == None\n", 2, ["E711"]),
            ("python", "# ruff: noqa: E711\n\na == None\n", 2, ["E711"]),
            ("python", "a = b  # pylint: disable=c,d\n", 0, ["d"]),
        ] {
            assert!(silences(language, code, row, &codes), "{code}");
        }
    }

    #[test]
    fn other_language_directives_silence_codes() {
        for (language, code, row, codes) in [
            (
                "cpp",
                "~A() {}  // NOLINT(modernize-use-equals-default)\n",
                0,
                ["modernize-use-equals-default"],
            ),
            (
                "cpp",
                "// NOLINTNEXTLINE(modernize-*)\nA a;\n",
                1,
                ["modernize-x"],
            ),
            (
                "cpp",
                "// NOLINTBEGIN(x)\nA a;\nA b;\n// NOLINTEND(x)\n",
                2,
                ["x"],
            ),
            (
                "javascript",
                "f(); // eslint-disable-line no-x -- why\n",
                0,
                ["no-x"],
            ),
            (
                "javascript",
                "/* eslint-disable no-x */\n\nf();\n",
                2,
                ["no-x"],
            ),
            (
                "typescript",
                "// eslint-disable-next-line @typescript-eslint/x\nf();\n",
                1,
                ["x"],
            ),
            (
                "go",
                "f() //nolint:gosimple,errcheck // why\n",
                0,
                ["errcheck"],
            ),
        ] {
            assert!(silences(language, code, row, &codes), "{code}");
        }
    }

    #[test]
    fn rust_attributes_silence_their_items() {
        for (code, row) in [
            ("#[allow(clippy::x)]\nfn f() {\n    g();\n}\n", 2),
            (
                "fn f() {\n    #[allow(clippy::x)]\n    match a {\n        _ => {}\n    }\n}\n",
                3,
            ),
            (
                "fn f() {\n    match a {\n        #[expect(clippy::x)]\n        B => match c {\n            _ => {}\n        },\n        D => {}\n    }\n}\n",
                3,
            ),
            ("#![expect(clippy::x, reason = \"a\")]\nfn f() {}\n", 1),
        ] {
            assert!(silences("rust", code, row, &["x"]), "{code}");
        }
    }

    #[test]
    fn directives_keep_unrelated_findings() {
        for (language, code, row, codes) in [
            (
                "python",
                "def f(a={}):  # noqa: E501\n    pass\n",
                0,
                ["B006"],
            ),
            ("python", "a = 'noqa'\n", 0, ["E711"]),
            ("python", "a = NOQA\n", 0, ["E711"]),
            (
                "rust",
                "fn f() {\n    match a {\n        #[allow(clippy::x)]\n        B => {}\n        D => g(),\n    }\n}\n",
                4,
                ["x"],
            ),
            ("python", "a = b  # pylint: disable=c\n", 0, ["d"]),
            ("python", "a = b  # noqa: X\n\nc\n", 2, ["X"]),
            ("cpp", "A a; // NOLINTNEXTLINE\n", 0, ["x"]),
            ("cpp", "// NOLINTBEGIN\n// NOLINTEND\nA a;\n", 2, ["x"]),
            (
                "javascript",
                "/* eslint-disable no-y */\nf();\n",
                1,
                ["no-x"],
            ),
            (
                "rust",
                "#[allow(clippy::x)]\nfn f() {}\nfn g() {}\n",
                2,
                ["x"],
            ),
        ] {
            assert!(!silences(language, code, row, &codes), "{code}");
        }
        assert!(!silences("python", "a  # noqa\n", 0, &[]));
    }
}
