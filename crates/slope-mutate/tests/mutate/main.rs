//! Mutations of small changes in each language.

mod samples;

use std::collections::BTreeMap;

use samples::{Sample, diff, sample};
use slope_mutate::{KINDS, Kind, Mutation, Severity, Subject, mutate, mutations, style};

/// Languages with a sample of their own, by suffix.
const SUFFIXES: &[(&str, &str)] = &[
    ("python", "py"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("rust", "rs"),
    ("go", "go"),
    ("java", "java"),
    ("c", "c"),
    ("cpp", "cpp"),
];

fn all(sample: &Sample, seed: u64) -> Vec<Mutation> {
    let subject = Subject::new(&sample.base, sample.change.clone());
    mutations(&subject, &|_, _| true, seed)
}

fn kinds() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().copied().flatten()
}

/// All mutations of a language's sample as diffs from the honest change.
fn shown(suffix: &str) -> String {
    let sample = sample(suffix);
    let subject = Subject::new(&sample.base, sample.change.clone());
    let diffs = all(&sample, 3).into_iter().map(|mutation| {
        let severity = mutation.severity.name();
        let head = format!("## {} {severity}: {}", mutation.kind, mutation.message);
        format!("{head}\n{}\n", diff(&subject, &mutation))
    });
    diffs.collect()
}

#[test]
fn python_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("py"));
}

#[test]
fn javascript_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("js"));
}

#[test]
fn typescript_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("ts"));
}

#[test]
fn rust_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("rs"));
}

#[test]
fn go_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("go"));
}

#[test]
fn java_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("java"));
}

#[test]
fn c_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("c"));
}

#[test]
fn cpp_mutations_look_written_by_hand() {
    insta::assert_snapshot!(shown("cpp"));
}

#[test]
fn same_seed_gives_same_mutations() {
    for suffix in ["py", "go"] {
        let sample = sample(suffix);
        assert_eq!(all(&sample, 9), all(&sample, 9), "{suffix}");
        assert_ne!(all(&sample, 9), all(&sample, 10), "{suffix}");
    }
}

#[test]
fn mutated_files_parse_and_differ() {
    for (_, suffix) in SUFFIXES {
        let sample = sample(suffix);
        for seed in 0..2 {
            for mutation in all(&sample, seed) {
                assert_ne!(mutation.files, sample.change, "{} {suffix}", mutation.kind);
                for (path, text) in &mutation.files {
                    let Some(text) = text else { continue };
                    assert_eq!(
                        samples::errors(path, text),
                        0,
                        "{} {path}\n{text}",
                        mutation.kind
                    );
                }
            }
        }
    }
}

#[test]
fn kinds_find_no_place_without_functions() {
    let base = BTreeMap::new();
    let change = BTreeMap::from([("a.py".to_owned(), Some("LIMIT = 3\n".to_owned()))]);
    let subject = Subject::new(&base, change);
    assert!(!subject.is_editable());
    let needs_function = [
        "copy-helper-exact",
        "unused-local",
        "deep-nesting",
        "flag-argument",
        "broad-handler-log",
    ];
    for kind in kinds().filter(|kind| needs_function.contains(&kind.id)) {
        for severity in Severity::ALL {
            assert_eq!(mutate(&subject, kind, severity, 1), None, "{}", kind.id);
        }
    }
}

#[test]
fn tests_and_foreign_code_stay_untouched() {
    let base = BTreeMap::new();
    let text = "def load(path):\n    value = path.read()\n    return value\n".to_owned();
    for path in ["tests/test_load.py", "vendor/load.py", "load.txt"] {
        let change = BTreeMap::from([(path.to_owned(), Some(text.clone()))]);
        let subject = Subject::new(&base, change);
        assert!(!subject.is_editable(), "{path}");
        assert_eq!(mutations(&subject, &|_, _| true, 1), [], "{path}");
    }
}

#[test]
fn most_kinds_find_places_in_samples() {
    let mut missing = Vec::new();
    for (language, suffix) in SUFFIXES {
        let sample = sample(suffix);
        let mut found = Vec::new();
        for seed in 0..2 {
            found.extend(all(&sample, seed).into_iter().map(|m| m.kind));
        }
        let claimed = kinds().filter(|kind| kind.languages().any(|id| id == *language));
        let absent = claimed.filter(|kind| !found.contains(&kind.id));
        missing.extend(absent.map(|kind| format!("{language} {}", kind.id)));
    }
    insta::assert_snapshot!(missing.join("\n"));
}

#[test]
fn line_ends_of_files_stay() {
    let sample = sample("py");
    let returns = |text: &String| text.replace('\n', "\r\n");
    let base = sample
        .base
        .iter()
        .map(|(path, text)| (path.clone(), returns(text)))
        .collect();
    let change: BTreeMap<_, _> = sample
        .change
        .iter()
        .map(|(path, text)| (path.clone(), text.as_ref().map(returns)))
        .collect();
    let subject = Subject::new(&base, change);
    let found = mutations(&subject, &|kind, _| kind.id == "unused-local", 1);
    let text = found[0].files["shop/orders.py"].as_ref().unwrap();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn every_language_has_a_sample() {
    let ids: Vec<_> = style::styles().iter().map(|style| style.id()).collect();
    let samples: Vec<_> = SUFFIXES.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, samples);
}
