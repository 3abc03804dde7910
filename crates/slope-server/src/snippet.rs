//! Converts a draft of a function to a comparable form.

use slope_signals::similar::{Form, forms};
use slope_syntax::{Language, Limits, Profile, callables, parse};

/// The largest function of a draft; `None` if there is none, even if the draft is completed to a
/// class or a body.
pub(crate) fn form(language: Language, code: &str) -> Option<Form> {
    let whole = largest(language, code);
    let wrapped = || {
        let draft = language.files().draft?;
        largest(language, &draft(code))
    };
    whole.or_else(wrapped)
}

fn largest(language: Language, code: &str) -> Option<Form> {
    let tree = parse(language, code.as_bytes(), &Limits::default()).ok()?;
    let source = tree.source_lines(Profile::Slope);
    let callables = callables(&tree, Profile::Slope, &source);
    let found = forms(&tree, &callables, &source);
    let rows = |form: &Form| form.span.end_line - form.span.start_line;
    // The outer one of two that end together, and the first of two equally long ones.
    found.into_iter().rev().max_by_key(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(language: &str, code: &str) -> Option<String> {
        let language = Language::all().find(|l| l.id() == language).unwrap();
        form(language, code).map(|form| form.name)
    }

    #[test]
    fn drafts_can_be_file_fragments() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(name("java", "int f(int a) { return a; }"), some("f"));
        assert_eq!(name("python", "x = 1\nreturn x"), some("draft"));
        assert_eq!(
            name(
                "python",
                "def a():\n    def b():\n        pass\n    return b\n"
            ),
            some("a")
        );
        assert_eq!(name("go", "x := 1\nreturn x"), some("draft"));
    }
}
