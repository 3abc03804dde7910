//! Prompt templates: the shipped ones, any file, and the errors for broken ones.

use std::fs;

use slope_problem::{DEFAULT_PROMPT, Error, Prompt, PromptContext};

fn context(is_continuation: bool) -> PromptContext {
    PromptContext {
        spec: "Write a {{ thing }} & <more>.\n".into(),
        is_continuation,
        entry_file: "secret_name.py".into(),
    }
}

/// The template `text` from a file called `mine.jinja`.
fn template(text: &str) -> Result<Prompt, Error> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.jinja");
    fs::write(&path, text).unwrap();
    Prompt::by_name_or_path(path.to_str().unwrap())
}

#[test]
fn shipped_prompts_contain_spec_without_leaks() {
    assert_eq!(Prompt::names(), ["anti-slop", "just-solve", "plan-first"]);
    assert!(Prompt::names().iter().any(|n| n == DEFAULT_PROMPT));
    for name in Prompt::names() {
        let prompt = Prompt::by_name_or_path(&name).unwrap();
        let first = prompt.render(&context(false)).unwrap();
        let later = prompt.render(&context(true)).unwrap();
        assert_ne!(first, later);
        for text in [&first, &later] {
            assert!(
                text.ends_with("# Specification\n\nWrite a {{ thing }} & <more>.\n"),
                "{text}"
            );
            assert!(!text.contains("\n\n\n"), "{text}");
            for word in [
                "secret_name",
                "slope",
                "benchmark",
                "hidden",
                "checkpoint",
                env!("CARGO_MANIFEST_DIR"),
            ] {
                assert!(
                    !text.to_lowercase().contains(word),
                    "{name} must not say {word}"
                );
            }
        }
        assert!(
            first.contains("empty") && !later.contains("empty"),
            "{first}"
        );
    }
}

#[test]
fn rendered_prompt_matches_snapshot() {
    let text = Prompt::by_name_or_path("plan-first")
        .unwrap()
        .render(&context(true))
        .unwrap();
    insta::assert_snapshot!(text);
}

#[test]
fn any_file_can_be_a_template() {
    let prompt =
        template("{{ entry_file }}:{% if is_continuation %} again{% endif %}\n{{ spec }}").unwrap();
    assert_eq!(prompt.name(), "mine");
    assert_eq!(
        prompt.render(&context(true)).unwrap(),
        "secret_name.py: again\nWrite a {{ thing }} & <more>.\n"
    );
    assert_eq!(prompt.hash().len(), 64);
    assert_ne!(prompt.hash(), template("{{ spec }}").unwrap().hash());
}

#[test]
fn template_errors_name_file_and_line() {
    let error = Prompt::by_name_or_path("no-such").unwrap_err().to_string();
    assert!(
        error.contains("no-such") && error.contains("just-solve"),
        "{error}"
    );
    for (text, line, says) in [
        ("a\n{% if spec %}\n", None, "mine.jinja"),
        ("a\n{{ spec | nofilter }}\n", Some(2), "nofilter"),
        ("a\n\n{{ model_name }} {{ spec }}\n", Some(3), "model_name"),
        (
            "a\n{% if is_continuation %}\n{{ spce }}{% endif %}{{ spec }}\n",
            Some(3),
            "spce",
        ),
    ] {
        let error = template(text).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.line().is_some(), "{error}");
        if line.is_some() {
            assert_eq!(error.line(), line, "{error}");
        }
    }
}
