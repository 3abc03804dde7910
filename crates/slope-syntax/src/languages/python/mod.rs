//! Python.

mod conventions;
mod files;
mod handlers;
mod kinds;
mod prose;
mod replacements;
mod type_parameters;
mod values;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Part, Roles};
use crate::lines::LineSet;
use crate::profile::Profile;
use crate::spec::Runners;
use crate::tree::SyntaxTree;
use replacements::REPLACEMENTS;

const PARTS: &[Part] = &[
    part("function_definition", &["def _():", " pass"]),
    part("class_definition", &["class _:", " pass"]),
    part("decorated_definition", &["@_", "def _():", " pass"]),
    part("if_statement", &["if _:", " pass"]),
    part("for_statement", &["for _ in _:", " pass"]),
    part("while_statement", &["while _:", " pass"]),
    part("with_statement", &["with _:", " pass"]),
    part("try_statement", &["try:", " pass", "finally:", " pass"]),
    part("expression_statement", &["_()"]),
    part("return_statement", &["return"]),
    part("raise_statement", &["raise"]),
    part("assert_statement", &["assert _"]),
    part("delete_statement", &["del _"]),
    part("global_statement", &["global _"]),
    part("nonlocal_statement", &["nonlocal _"]),
    part("import_statement", &["import _"]),
    part("import_from_statement", &["from _ import _"]),
    part("pass_statement", &["pass"]),
    part("break_statement", &["break"]),
    part("continue_statement", &["continue"]),
];

const fn part(kind: &'static str, stand_in: &'static [&'static str]) -> Part {
    Part { kind, stand_in }
}

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["py", "pyw", "pyi"],
    file_names: &["SConstruct", "SConscript"],
    interpreters: &["python", "pypy"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    source_lines,
    is_documentation,
    is_catch_all,
    is_exempt_unit,
    named_kinds: NAMED,
    parts: PARTS,
    goes_on: &["elif", "else", "except", "finally"],
    leads_on: &["@"],
    bodies: Bodies::Indented,
    conventions: Some(&conventions::CONVENTIONS),
    runners: Some(Runners {
        names: &["uv", "pipx", "pdm", "hatch", "rye"],
        // First line of inline metadata (PEP 723).
        mark: b"\n# /// script",
    }),
    condition_at: 1,
    repairs: &[type_parameters::rewrite],
    replacements: &[REPLACEMENTS],
    rereads_comments: true,
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "python",
        Grammar {
            name: "tree-sitter-python",
            version: "0.25.0",
            load: || tree_sitter_python::LANGUAGE.into(),
        },
    )
};

/// Kinds that this file looks for by id; the constants below are positions in it.
const NAMED: &[&str] = &[
    "string",
    "interpolation",
    "escape_interpolation",
    "expression_statement",
    "concatenated_string",
    "parenthesized_expression",
    "if_clause",
    "case_pattern",
    "if_statement",
    "comment",
    "line_continuation",
    "format_specifier",
];
const STRING: usize = 0;
const INTERPOLATION: usize = 1;
const ESCAPE_INTERPOLATION: usize = 2;
const EXPRESSION_STATEMENT: usize = 3;
const CONCATENATED_STRING: usize = 4;
const PARENTHESIZED: usize = 5;
const IF_CLAUSE: usize = 6;
const CASE_PATTERN: usize = 7;
const IF_STATEMENT: usize = 8;
const COMMENT: usize = 9;
const LINE_CONTINUATION: usize = 10;
const FORMAT_SPECIFIER: usize = 11;

/// The letters before a string's first quote, in lower case.
fn prefix(tree: &SyntaxTree, string: u32) -> String {
    let text = tree.node_text(string);
    let quote = text.find(['"', '\'']).unwrap_or(0);
    text[..quote].to_ascii_lowercase()
}

/// A row counts when a token starts on it, other than comments and layout; then
/// documentation is taken out.
fn source_lines(tree: &SyntaxTree, profile: Profile) -> LineSet {
    let mut rows = tree.token_rows_or(token_rows).clone();
    match profile {
        Profile::Slope => remove_standalone_strings(tree, &mut rows),
        Profile::Paper => remove_first_strings(tree, &mut rows),
    }
    rows
}

/// The rows that carry tokens, standalone strings included.
fn token_rows(tree: &SyntaxTree) -> LineSet {
    let mut rows = LineSet::with_rows(tree.physical_lines());
    let count = tree.node(0).end;
    let mut index = 0;
    while index < count {
        let node = tree.node(index);
        if tree.is_named_kind(index, COMMENT) || tree.is_named_kind(index, LINE_CONTINUATION) {
            index = node.end;
        } else if tree.is_named_kind(index, STRING) {
            rows.insert(node.start_row);
            if prefix(tree, index).contains('f') {
                interpolated_rows(tree, index, &mut rows);
            }
            index = node.end;
        } else {
            if node.end == index + 1 && node.end_byte > node.start_byte {
                rows.insert(node.start_row);
            }
            index += 1;
        }
    }
    rows
}

/// Inside an interpolated string: its closing quote, the tokens of its
/// interpolations and format specifications, and its doubled braces.
fn interpolated_rows(tree: &SyntaxTree, string: u32, rows: &mut LineSet) {
    rows.insert(tree.node(string).end_row);
    let end = tree.node(string).end;
    // Everything before this index is in an interpolation.
    let mut inside = string;
    let mut index = string + 1;
    while index < end {
        let node = tree.node(index);
        if tree.is_named_kind(index, ESCAPE_INTERPOLATION) {
            rows.insert(node.start_row);
        } else if tree.is_named_kind(index, INTERPOLATION)
            || tree.is_named_kind(index, FORMAT_SPECIFIER)
        {
            inside = inside.max(node.end);
        } else if index < inside && tree.is_named_kind(index, STRING) {
            rows.insert(node.start_row);
            if !prefix(tree, index).contains('f') {
                index = node.end;
                continue;
            }
            rows.insert(node.end_row);
        } else if tree.is_named_kind(index, COMMENT) {
            index = node.end;
            continue;
        }
        if index < inside && node.end == index + 1 && node.end_byte > node.start_byte {
            rows.insert(node.start_row);
        }
        index += 1;
    }
}

/// Whether a statement is nothing but one plain string.
fn is_documentation(tree: &SyntaxTree, index: u32) -> bool {
    if !tree.is_named_kind(index, EXPRESSION_STATEMENT) {
        return false;
    }
    let mut named = tree.children(index).filter(|&c| tree.node(c).named);
    let (Some(only), None) = (named.next(), named.next()) else {
        return false;
    };
    tree.is_named_kind(only, STRING) && !prefix(tree, only).contains(['b', 'f'])
}

/// Removes every plain string that is alone on its lines.
fn remove_standalone_strings(tree: &SyntaxTree, rows: &mut LineSet) {
    for (index, node) in (0u32..).zip(tree.nodes()) {
        if !is_documentation(tree, index) {
            continue;
        }
        let span = tree.node_span(index);
        let before = tree.row_text(node.start_row);
        let after = tree.row_text(node.end_row);
        let alone = before[..span.start_column as usize - 1].trim().is_empty()
            && after[span.end_column as usize - 1..].trim().is_empty();
        if alone {
            rows.remove_range(node.start_row, node.end_row);
        }
    }
}

/// Removes every string that is the first statement of a body, even if its lines have other code.
fn remove_first_strings(tree: &SyntaxTree, rows: &mut LineSet) {
    for index in 0..tree.node(0).end {
        if !tree.info(index).roles.any(Roles::BLOCK) {
            continue;
        }
        let Some(first) = tree.parts(index).next() else {
            continue;
        };
        if tree.is_named_kind(first, EXPRESSION_STATEMENT) && is_text(tree, first) {
            let node = tree.node(first);
            rows.remove_range(node.start_row, node.end_row);
        }
    }
}

/// Whether a statement's expression is a text constant, looking through brackets.
fn is_text(tree: &SyntaxTree, statement: u32) -> bool {
    let mut here = statement;
    loop {
        let mut parts = tree.parts(here);
        let (Some(only), None) = (parts.next(), parts.next()) else {
            return false;
        };
        let plain = |string: u32| !prefix(tree, string).contains(['b', 'f']);
        if tree.is_named_kind(only, STRING) {
            return plain(only);
        }
        if tree.is_named_kind(only, CONCATENATED_STRING) {
            return tree.parts(only).all(plain);
        }
        if !tree.is_named_kind(only, PARENTHESIZED) {
            return false;
        }
        here = only;
    }
}

/// `case _:` without a guard, or a bare name, matches everything.
fn is_catch_all(tree: &SyntaxTree, arm: u32) -> bool {
    let mut patterns = Vec::new();
    for child in tree.children(arm) {
        if tree.is_named_kind(child, IF_CLAUSE) {
            return false;
        }
        if tree.is_named_kind(child, CASE_PATTERN) {
            patterns.push(child);
        }
    }
    let [only] = patterns[..] else { return false };
    let text = tree.node_text(only);
    !text.is_empty()
        && text.chars().all(|c| c == '_' || c.is_alphanumeric())
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && !matches!(text, "True" | "False" | "None")
}

/// Blocks for type checkers only are similar by convention.
fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    if !tree.is_named_kind(index, IF_STATEMENT) {
        return false;
    }
    let condition = tree.parts(index).next().map(|c| tree.node_text(c));
    matches!(condition, Some("TYPE_CHECKING" | "typing.TYPE_CHECKING"))
}

const ANONYMOUS: &[(&str, &str)] = &[("lambda", "<lambda>")];

/// `else` of `if` and of loops costs; that of `try` does not.
fn in_context(tree: &SyntaxTree, index: u32, _roles: Roles) -> Roles {
    let around = tree.info(tree.node(index).parent).roles;
    if around.any(Roles::IF.and(Roles::LOOP)) {
        Roles::HYBRID
    } else {
        Roles::NONE
    }
}

/// A lambda is called by the variable that it is assigned to.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    if !tree.is_kind(index, "lambda") {
        return plain::name(tree, index);
    }
    let parent = tree.parent(index)?;
    let target = tree.parts(parent).next()?;
    let binds = tree.is_kind(parent, "assignment") && target != index;
    binds.then(|| plain::short_text(tree, target))
}

/// A first parameter called `self`, `cls` or `mcs` is a receiver; `/` and `*` do not count.
fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let Some(list) = tree.child_with(index, Roles::PARAMETERS) else {
        return 0;
    };
    let is_one = |&part: &u32| {
        let kind = tree.kind_name(part);
        !matches!(kind, "keyword_separator" | "positional_separator")
    };
    let all = plain::count(tree.parts(list).filter(is_one));
    let first = tree.parts(list).next().map(|first| tree.node_text(first));
    let first = first.and_then(|text| text.split([':', '=']).next());
    let is_receiver = matches!(first.map(str::trim), Some("self" | "cls" | "mcs"));
    all - u32::from(is_receiver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Limits, parse};

    fn lines(code: &str, profile: Profile) -> Vec<u32> {
        let language = Language::by_id("python").unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(tree.errors(), None, "{code}");
        tree.source_lines(profile).rows().map(|r| r + 1).collect()
    }

    #[test]
    fn rows_count_where_tokens_start() {
        let code = "\
import a  # comment

# only a comment
x = [
    1,

]
y = 1 + \\
    2
z = '''one
two
three'''
";
        assert_eq!(lines(code, Profile::Slope), [1, 4, 5, 7, 8, 9, 10]);
    }

    #[test]
    fn documentation_does_not_count() {
        let code = "\
'''module
doc'''
class C:
    \"doc\"
    def f(self):
        r'''raw
        doc'''
        return 1
    'standing about'
";
        assert_eq!(lines(code, Profile::Slope), [3, 5, 8]);
        // The paper's docstrings are first statements only.
        assert_eq!(lines(code, Profile::Paper), [3, 5, 8, 9]);
    }

    #[test]
    fn docstring_sharing_line_counts_in_slope() {
        let code = "def f():\n    'doc'; x = 1\n";
        assert_eq!(lines(code, Profile::Slope), [1, 2]);
        assert_eq!(lines(code, Profile::Paper), [1]);
    }

    #[test]
    fn bytes_and_fstrings_are_not_documentation() {
        assert_eq!(lines("b'x'\n", Profile::Slope), [1]);
        assert_eq!(lines("f'x'\n", Profile::Slope), [1]);
        assert_eq!(lines("('a'\n 'b')\n", Profile::Paper), [0; 0]);
    }

    #[test]
    fn multi_line_interpolated_strings_count_their_tokens() {
        let code = "\
x = f'''one
two
{a +
 b} three

{{ four
{c:{
width}}
end'''
";
        assert_eq!(lines(code, Profile::Slope), [1, 3, 4, 6, 7, 8, 9]);
    }
}
