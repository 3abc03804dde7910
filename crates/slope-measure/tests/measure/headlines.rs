//! The numbers that the code of each language is known by.

use slope_measure::options::{SizeTerm, Tests};
use slope_measure::{Options, Profile, measure_files};
use slope_model::measurement::{LanguageHeadline, Measurement};

const RUST: &str = "pub fn sum(list: &[u32]) -> u32 {\n    list.iter().sum()\n}\n";
const PYTHON: &str = "def total(rows):\n    return sum(rows)\n";
const RUBY: &str = "def total(rows)\n  rows.sum\nend\n";

fn measured(files: &[(&str, &str)], options: &Options) -> Measurement {
    measure_files(files.iter().map(|&(path, text)| (path, text)), options).unwrap()
}

fn panels(headline: &LanguageHeadline) -> Vec<&str> {
    let mut panels: Vec<&str> = headline
        .standings
        .iter()
        .map(|standing| standing.panel.as_str())
        .collect();
    panels.dedup();
    panels.sort_unstable();
    panels.dedup();
    panels
}

#[test]
fn largest_language_comes_first() {
    let rust = RUST.repeat(60);
    let files = [
        ("a.py", PYTHON),
        ("b.rs", rust.as_str()),
        ("c.rb", RUBY),
        ("d.rb", RUBY),
    ];
    let measurement = measured(&files, &Options::default());
    let of = |i: usize| &measurement.headlines[i];
    assert_eq!(of(0).languages, ["rust"]);
    assert_eq!(panels(of(0)), ["human-rust-2022-10"]);
    assert_eq!(of(0).totals.lines, 180);
    assert_eq!(of(1).languages, ["ruby"]);
    let why = "no percentiles: there is no panel of this language";
    assert_eq!(of(1).incomparable.as_deref(), Some(why));
    assert_eq!(of(2).languages, ["python"]);
    assert_eq!(of(2).definitions, "paper/1");
    assert_eq!(panels(of(2)), ["agents-2026-06", "human-2026-03"]);
}

#[test]
fn javascript_and_typescript_count_together() {
    let files = [("a.js", "let a = 1;\n"), ("b.ts", "let b: number = 1;\n")];
    let measurement = measured(&files, &Options::default());
    assert_eq!(measurement.headlines.len(), 1);
    let headline = &measurement.headlines[0];
    assert_eq!(headline.languages, ["javascript", "typescript"]);
    assert_eq!(headline.totals.lines, 2);
}

#[test]
fn headlines_leave_out_tests() {
    let files = [("src/lib.rs", RUST), ("tests/a.rs", &RUST.repeat(4))];
    let measurement = measured(&files, &Options::default());
    assert_eq!(measurement.headlines[0].totals.lines, 3);
    let files = [("tests/a.rs", RUST)];
    let measurement = measured(&files, &Options::default());
    assert_eq!(measurement.headlines, []);
}

#[test]
fn other_definitions_have_no_ranks() {
    let strict = Options {
        profile: Profile::Strict,
        ..Options::default()
    };
    let measurement = measured(&[("a.rs", &RUST.repeat(60))], &strict);
    let headline = &measurement.headlines[0];
    assert_eq!(headline.standings, []);
    let said = headline.incomparable.as_deref().unwrap();
    assert!(said.contains("slope/"), "{said}");
}

/// Ids of the ranked metrics of code in Rust, and the reason for the others.
fn ranked(options: &Options) -> (Vec<String>, String) {
    let measurement = measured(&[("a.rs", &RUST.repeat(60))], options);
    let headline = &measurement.headlines[0];
    let ranked = headline.standings.iter().map(|one| one.metric.clone());
    (
        ranked.collect(),
        headline.incomparable.clone().unwrap_or_default(),
    )
}

#[test]
fn ranks_depend_on_what_counts() {
    let default = Options::default;
    let all = ["verbosity", "erosion", "mass_per_kloc"].as_slice();
    let cut_off = Options {
        cut_off: 5,
        ..default()
    };
    let size_term = Options {
        size_term: SizeTerm::Linear,
        ..default()
    };
    let disabled = |id: &str| Options {
        disabled: vec![id.to_owned()],
        ..default()
    };
    for (options, kept, why) in [
        (default(), all, ""),
        (
            cut_off,
            &["verbosity", "mass_per_kloc"],
            "a limit of your own",
        ),
        (size_term, &["verbosity"], "a size term of your own"),
        (
            disabled("append-loop"),
            &["erosion", "mass_per_kloc"],
            "other rules",
        ),
        (disabled("unused-import"), all, ""),
        (disabled("clone"), all, ""),
        (disabled("any-of-equality"), all, ""),
    ] {
        let (ranked, said) = ranked(&options);
        assert_eq!(ranked, kept, "{said}");
        assert!(
            said.contains(why) && said.is_empty() == why.is_empty(),
            "{said}"
        );
    }
}

#[test]
fn generated_code_has_no_ranks() {
    let rust = RUST.repeat(60);
    let files = [("a.rs", rust.as_str()), ("node_modules/b.js", "f();\n")];
    assert_ne!(
        measured(&files, &Options::default()).headlines[0].standings,
        []
    );
    for other in [
        ("b.rs", "// @generated\nfn f() {}\n"),
        ("vendor/b.rs", "fn f() {}\n"),
    ] {
        let measurement = measured(&[files[0], other], &Options::default());
        let headline = &measurement.headlines[0];
        assert_eq!(headline.standings, [], "{other:?}");
        let said = headline.incomparable.as_deref().unwrap();
        assert!(said.contains("generated code"), "{said}");
    }
}

#[test]
fn little_code_has_no_ranks() {
    let measurement = measured(&[("a.rs", RUST)], &Options::default());
    let why = "no percentiles: 2 source lines are too few";
    let headline = &measurement.headlines[0];
    assert_eq!(headline.incomparable.as_deref(), Some(why));
    assert_eq!(headline.standings, []);
}

#[test]
fn python_headline_names_unparsed_files() {
    let broken = format!("{PYTHON}def (\n");
    let files = [("a.py", PYTHON), ("b.py", &broken)];
    let measurement = measured(&files, &Options::default());
    let headline = &measurement.headlines[0];
    assert_eq!(headline.totals.files_with_syntax_errors, 1);
    assert_eq!(headline.standings, []);
    let other_rules = Options {
        own_rules: false,
        ..Options::default()
    };
    let measurement = measured(&[("a.py", PYTHON)], &other_rules);
    let standings = &measurement.headlines[0].standings;
    assert!(
        standings.iter().all(|one| one.metric != "verbosity"),
        "{standings:?}"
    );
    let tests_left_out = Options {
        tests: Tests::Exclude,
        ..Options::default()
    };
    let measurement = measured(&[("a.py", PYTHON)], &tests_left_out);
    assert_eq!(measurement.headlines[0].standings, []);
}
