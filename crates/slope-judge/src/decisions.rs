//! What the code of a file decides on, and what it calls.
//!
//! A *decision* compares a value with one of several kinds: `kind == "circle"`, `case Kind.CIRCLE`, `isinstance(x, Circle)`.

use std::collections::BTreeSet;

use slope_syntax::view::View;
use slope_syntax::{Construct, Language, Limits, Profile, file_callables};

/// Longest text of a compared value.
const MAX_TEXT: usize = 80;

/// What a file decides.
#[derive(Debug, Default)]
pub(crate) struct FileDecisions {
    /// Comparisons with kinds.
    pub(crate) decisions: Vec<Decision>,
    /// Names that each function calls.
    pub(crate) calls: BTreeSet<(String, String)>,
}

/// A comparison with a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The name of what is compared; empty if the kind says it.
    pub(crate) subject: String,
    /// The kind.
    pub(crate) kind: String,
    /// Function, dotted; empty at the top of a file.
    pub(crate) callable: String,
    /// First line of the comparison, from 1.
    pub(crate) line: u32,
    /// Whether it is a branch of a chain of `if`, rather than of a `switch`.
    pub(crate) is_branch: bool,
}

/// The decisions of a file; none in a language that signals do not know.
pub(crate) fn of_file(language: Language, bytes: &[u8]) -> FileDecisions {
    let Ok(tree) = slope_syntax::parse(language, bytes, &Limits::default()) else {
        return FileDecisions::default();
    };
    let source = tree.source_lines(Profile::Slope);
    let callables = file_callables(&tree, Profile::Slope, &source).callables;
    let mut found = FileDecisions::default();
    if let Some(view) = View::new(&tree, &callables, &source) {
        let mut reader = Reader {
            view: &view,
            found: &mut found,
        };
        reader.comparisons();
        reader.switches();
        reader.calls();
    }
    found
}

struct Reader<'v, 'f> {
    view: &'v View<'v>,
    found: &'f mut FileDecisions,
}

impl Reader<'_, '_> {
    fn note(&mut self, node: u32, subject: &str, kinds: Vec<String>, is_branch: bool) {
        let callable = self.view.callable(node);
        let line = self.view.place(node).span.start_line;
        for kind in kinds {
            // A qualified name says which set of kinds it is of.
            let is_qualified = kind.contains(['.', ':']);
            let subject = if is_qualified { "" } else { last_name(subject) };
            self.found.decisions.push(Decision {
                subject: subject.to_owned(),
                kind,
                callable: callable.to_owned(),
                line,
                is_branch,
            });
        }
    }

    /// `kind == "circle"`, `kind in ("circle", "square")`, `x instanceof Circle`.
    fn comparisons(&mut self) {
        let view = self.view;
        let compared = view.of_kind(Construct::Compare).iter();
        let nodes = compared.chain(view.of_kind(Construct::BinaryOp));
        for &node in nodes {
            if let Some((subject, value, sign)) = sides(view, node) {
                let kinds = kinds_in(view.text(value), sign == Sign::Type);
                self.note(node, view.text(subject), kinds, true);
            }
        }
    }

    fn switches(&mut self) {
        let view = self.view;
        for &switch in view.of_kind(Construct::Switch) {
            let cases = cases(view, switch);
            let first = view.first(switch);
            // A switch without a value has conditions in its cases.
            let Some(subject) = first.filter(|node| !cases.contains(node)) else {
                continue;
            };
            let subject = view.text(subject);
            for case in cases {
                for label in labels(view.text(case)) {
                    self.note(case, subject, kinds_in(label, true), false);
                }
            }
        }
    }

    fn calls(&mut self) {
        let view = self.view;
        for &call in view.of_kind(Construct::Call) {
            let callee = view.first(call).map_or("", |node| view.text(node));
            if callee == "isinstance" {
                self.type_check(call);
            }
            let callee = last_name(callee);
            if !callee.is_empty() {
                let caller = view.callable(call).to_owned();
                self.found.calls.insert((callee.to_owned(), caller));
            }
        }
    }

    fn type_check(&mut self, call: u32) {
        let view = self.view;
        let Some(list) = view.child(call, Construct::Arguments) else {
            return;
        };
        let given: Vec<u32> = view.parts(list).collect();
        if let [subject, types] = given[..] {
            let kinds = kinds_in(view.text(types), true);
            self.note(call, view.text(subject), kinds, true);
        }
    }
}

/// What a sign compares by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equal,
    Member,
    Type,
}

fn sign_of(text: &str) -> Option<Sign> {
    match text {
        "==" | "===" | "!=" | "!==" | "is" => Some(Sign::Equal),
        "in" | "not in" => Some(Sign::Member),
        "instanceof" => Some(Sign::Type),
        _ => None,
    }
}

/// What a comparison decides on, its kinds, and its sign; `None` if it compares with no kind.
fn sides(view: &View<'_>, node: u32) -> Option<(u32, u32, Sign)> {
    let parts: Vec<u32> = view.parts(node).collect();
    let [left, right] = parts[..] else {
        return None;
    };
    let sign = view
        .children(node)
        .find_map(|sign| sign_of(view.text(sign)))?;
    let (subject, value) = match sign {
        Sign::Equal if is_kind(view, left) => (right, left),
        _ => (left, right),
    };
    let is_decision = match sign {
        Sign::Equal => is_kind(view, value),
        // `"key" in record` asks for a field.
        Sign::Member => view.text(value).starts_with(['(', '[', '{']),
        Sign::Type => true,
    };
    is_decision.then_some((subject, value, sign))
}

/// Whether an expression is a text, or a name of a constant.
fn is_kind(view: &View<'_>, node: u32) -> bool {
    let text = view.text(node);
    match view.k(node) {
        Construct::String => view.is_constant(node),
        _ => {
            let is_path = text.chars().all(is_name_part) && text.len() <= MAX_TEXT;
            is_path && !kinds_in(text, false).is_empty()
        }
    }
}

/// The cases of a switch. Grammars that have no kind for them begin their text with a keyword.
fn cases(view: &View<'_>, switch: u32) -> Vec<u32> {
    let known = view.kind_within(Construct::Case, switch, view.end(switch));
    if !known.is_empty() {
        return known.to_vec();
    }
    let begins = |node: &u32| {
        KEYWORDS
            .iter()
            .any(|word| view.text(*node).starts_with(word))
    };
    let parts = view.parts(switch);
    let below = parts.flat_map(|part| [part].into_iter().chain(view.parts(part)));
    below.filter(begins).collect()
}

const KEYWORDS: [&str; 2] = ["case ", "when "];

/// The labels of a case before its body. Several may follow each other.
fn labels(mut text: &str) -> Vec<&str> {
    let mut labels = Vec::new();
    loop {
        let ends = ["=>", "->", ":\n", ": ", ":\r", "{"];
        let end = ends.iter().filter_map(|end| text.find(end)).min();
        let end = end.unwrap_or(text.len());
        let most = text.floor_char_boundary(MAX_TEXT * 4);
        labels.push(&text[..end.min(most)]);
        let rest = text[end..].trim_start_matches([':', ' ', '\n', '\r', '\t']);
        if !KEYWORDS.iter().any(|word| rest.starts_with(word)) {
            return labels;
        }
        text = rest;
    }
}

/// The kinds that an expression names: texts, and constants. With `types`, also names of types.
fn kinds_in(text: &str, types: bool) -> Vec<String> {
    let mut kinds = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'' | '`') {
            let inner = &rest[1..];
            let end = inner.find(first).unwrap_or(inner.len());
            if (2..=MAX_TEXT).contains(&end) {
                kinds.push(inner[..end].to_owned());
            }
            rest = inner.get(end + 1..).unwrap_or_default();
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
            let name = rest[..end].trim_end_matches([':', '.']);
            if is_constant_name(name, types) {
                kinds.push(name.replace("::", "."));
            }
            rest = &rest[end..];
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    kinds
}

/// Whether a character is part of a path such as `Kind::Circle`.
fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':')
}

/// Values that are no kinds, in any language.
const PLAIN: [&str; 12] = [
    "True", "False", "None", "Some", "Ok", "Err", "NULL", "EOF", "NaN", "Infinity", "Self", "This",
];

/// Whether a name is that of a constant: `CIRCLE`, `Kind.Circle`; with `types`, also `Circle`.
fn is_constant_name(name: &str, types: bool) -> bool {
    let last = last_name(name);
    let is_long = last.len() >= 2 && !PLAIN.contains(&last);
    let is_upper = |text: &str| text.starts_with(|c: char| c.is_uppercase());
    let is_loud = is_long
        && last
            .chars()
            .all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
    let parent = name[..name.len() - last.len()].trim_end_matches([':', '.']);
    let is_of_type = is_upper(last_name(parent)) && is_upper(last);
    is_long && is_upper(last) && (is_loud || is_of_type || types)
}

/// The last name of a path such as `self.kind` or `event.type()`.
fn last_name(text: &str) -> &str {
    let text = text.trim_matches(['(', ')', '&', '*', '!', ' ', ']', '"', '\'']);
    let begin = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
    begin.map_or(text, |at| {
        let next = at + text[at..].chars().next().map_or(0, char::len_utf8);
        &text[next..]
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use slope_syntax::Language;

    use super::{FileDecisions, of_file};

    fn decided(path: &str, text: &str) -> FileDecisions {
        of_file(Language::of_path(Path::new(path)).unwrap(), text.as_bytes())
    }

    fn shown(found: &FileDecisions) -> Vec<String> {
        let decisions = found.decisions.iter();
        decisions
            .map(|it| {
                format!(
                    "{}: {}={} {}",
                    it.callable, it.subject, it.kind, it.is_branch
                )
            })
            .collect()
    }

    #[test]
    fn decisions_are_found_in_each_language() {
        let python = "def f(self, x):\n    if self.kind == 'ab' or x['role'] == 'gh' or x.mode in ('cd', 'ef'):\n        return isinstance(x, Circle)\n";
        assert_eq!(
            shown(&decided("a.py", python)),
            [
                "f: kind=ab true",
                "f: role=gh true",
                "f: mode=cd true",
                "f: mode=ef true",
                "f: x=Circle true"
            ]
        );
        let rust =
            "fn f(k: Kind) -> u32 { match k { Kind::Round => 1, Kind::Flat(_) => 2, _ => 3 } }";
        assert_eq!(
            shown(&decided("a.rs", rust)),
            ["f: =Kind.Round false", "f: =Kind.Flat false"]
        );
        let go = "package a\nfunc f(k string) int {\n\tswitch k {\n\tcase \"ab\", \"cd\":\n\t\treturn 1\n\t}\n\treturn 2\n}\n";
        assert_eq!(
            shown(&decided("a.go", go)),
            ["f: k=ab false", "f: k=cd false"]
        );
        let ts = "function f(s: Shape) {\n  if (s.kind === 'circle') return 1;\n  return s instanceof Square ? 2 : 3;\n}\n";
        assert_eq!(
            shown(&decided("a.ts", ts)),
            ["f: kind=circle true", "f: s=Square true"]
        );
        let java = "class A {\n  int f(Kind k) {\n    switch (k) {\n      case ROUND: case FLAT: return 1;\n      case SHARP: return 3;\n      default: return 2;\n    }\n  }\n}\n";
        assert_eq!(
            shown(&decided("A.java", java)),
            [
                "A.f: k=ROUND false",
                "A.f: k=FLAT false",
                "A.f: k=SHARP false"
            ]
        );
        let types = "package a\nfunc f(x any) int {\n\tswitch x.(type) {\n\tcase *Circle:\n\t\treturn 1\n\t}\n\treturn 2\n}\n";
        assert_eq!(shown(&decided("b.go", types)), ["f: x=Circle false"]);
        let conditions = "package a\nfunc f(k string) int {\n\tswitch {\n\tcase strings.HasPrefix(k, \"ab\"):\n\t\treturn 1\n\t}\n\treturn 2\n}\n";
        assert_eq!(shown(&decided("c.go", conditions)), [""; 0]);
        let c = "int f(int k) {\n  switch (k) {\n  case KIND_A: return 1;\n  }\n  return k == KIND_B;\n}\n";
        let mut found = shown(&decided("a.c", c));
        found.sort();
        assert_eq!(found, ["f: k=KIND_A false", "f: k=KIND_B true"]);
    }

    #[test]
    fn plain_comparisons_are_no_decisions() {
        let text = "def f(a, b, c):\n    return a == b or a == 1 or a is None or b == '' or c == 'x' or a == f(B) or 'key' in c\n";
        assert_eq!(shown(&decided("a.py", text)), [""; 0]);
    }
}
