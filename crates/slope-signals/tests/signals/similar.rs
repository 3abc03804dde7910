//! The nearest functions to a snippet and to a description.

use slope_signals::similar::{Form, Index, forms};
use slope_syntax::{Language, Limits, Profile, callables, parse};

const DATES: &str = "\
import re


def parse_iso_date(text, strict=False):
    \"\"\"Reads a calendar date such as 2026-01-31.\"\"\"
    match = re.fullmatch(r'(\\d+)-(\\d+)-(\\d+)', text.strip())
    if match is None:
        if strict:
            raise ValueError('not a date: ' + text)
        return None
    year, month, day = (int(part) for part in match.groups())
    return Date(year, month, day)


def clamp(value, low, high):
    return max(low, min(value, high))


class Store:
    def load(self, path):
        with open(path) as handle:
            return json.load(handle)
";

const OTHER: &str = "\
def send_mail(server, to, subject):
    connection = server.connect()
    connection.login()
    for name in to:
        connection.deliver(name, subject)
    connection.quit()
";

/// The same as `parse_iso_date`, in other words and with one guard less.
const REWRITTEN: &str = "\
def read_day(raw):
    found = re.fullmatch(r'(\\d+)-(\\d+)-(\\d+)', raw.strip())
    if not found:
        return None
    y, m, d = (int(piece) for piece in found.groups())
    return Date(y, m, d)
";

fn forms_of(language: &str, text: &str) -> Vec<Form> {
    let language = Language::all().find(|l| l.id() == language).unwrap();
    let tree = parse(language, text.as_bytes(), &Limits::default()).unwrap();
    let source = tree.source_lines(Profile::Slope);
    let callables = callables(&tree, Profile::Slope, &source);
    forms(&tree, &callables, &source)
}

fn index() -> Index {
    let file = |path: &str, text| {
        let forms = forms_of("python", text);
        (path.to_owned(), "python".to_owned(), forms)
    };
    Index::new([
        file("app/dates.py", DATES),
        file("app/mail.py", OTHER),
        file("tests/test_dates.py", REWRITTEN),
    ])
}

#[test]
fn rewritten_function_finds_its_original() {
    let index = index();
    let wanted = &forms_of("python", REWRITTEN)[0];
    let found = index.like(wanted, "python", false, 3);
    assert_eq!(found[0].form.callable, "parse_iso_date");
    assert_eq!(found[0].path, "app/dates.py");
    assert_eq!(found[0].form.span.start_line, 4);
    assert!(found[0].similarity > 0.5, "{}", found[0].similarity);
    assert!(
        found[0].why.iter().any(|why| why.contains("call `Date`")),
        "{:?}",
        found[0].why
    );
    assert!(found.iter().all(|like| like.form.name != "send_mail"));
}

#[test]
fn tests_are_searched_only_on_request() {
    let index = index();
    let wanted = &forms_of("python", REWRITTEN)[0];
    let found = index.like(wanted, "python", true, 1);
    assert_eq!(found[0].path, "tests/test_dates.py");
    assert!((found[0].similarity - 1.0).abs() < f64::EPSILON);
}

#[test]
fn small_functions_match_by_structure() {
    let wanted = &forms_of(
        "python",
        "def limit(x, lo, hi):\n    return max(lo, min(x, hi))\n",
    )[0];
    let index = index();
    let found = index.like(wanted, "python", false, 3);
    assert_eq!(found[0].form.name, "clamp");
    assert!((found[0].similarity - 1.0).abs() < f64::EPSILON);
}

#[test]
fn similarity_stays_within_one_language() {
    let index = index();
    let wanted = &forms_of(
        "typescript",
        "function clamp(v, lo, hi) { return Math.max(lo, v); }",
    )[0];
    assert!(index.like(wanted, "typescript", true, 5).is_empty());
}

#[test]
fn description_matches_name_and_documentation() {
    let index = index();
    let found = index.described("read a calendar date from text", None, false, 3);
    assert_eq!(found[0].form.name, "parse_iso_date");
    assert!(!found[0].why.is_empty());
    let found = index.described("deliver mails to a server", Some("python"), false, 3);
    assert_eq!(found[0].form.name, "send_mail");
    assert!(
        index
            .described("quantum chromodynamics", None, false, 3)
            .is_empty()
    );
    assert!(index.described("the of and", None, false, 3).is_empty());
}

#[test]
fn every_language_yields_forms() {
    for (language, text) in [
        (
            "java",
            "class A { int sum(int a, int b) { return a + b; } }",
        ),
        ("go", "package p\nfunc Sum(a, b int) int { return a + b }"),
        ("rust", "/// Adds.\nfn sum(a: u32, b: u32) -> u32 { a + b }"),
        ("javascript", "const sum = (a, b) => a + b;"),
        ("c", "int sum(int a, int b) { return a + b; }"),
        ("cpp", "int sum(int a, int b) { return a + b; }"),
        (
            "csharp",
            "class A { int sum(int a, int b) { return a + b; } }",
        ),
        ("ruby", "def sum(a, b)\n  a + b\nend"),
    ] {
        let forms = forms_of(language, text);
        let form = forms.first().unwrap_or_else(|| panic!("{language}"));
        assert_eq!(form.name.to_lowercase(), "sum", "{language}");
        assert_eq!(form.parameters, ["a", "b"], "{language}");
    }
}
