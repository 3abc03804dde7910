//! A measurement built in code that has one of everything, some of it hostile.

#![allow(clippy::too_many_lines, reason = "a fixture is one long value")]

use std::collections::BTreeMap;

use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{
    Callable, CallableKind, CloneClass, CloneKind, CloneMember, Definitions, FileMeasurement,
    LanguageHeadline, Measurement, Part, PublishedTotals, Skipped, Standing, Suppressed,
    SyntaxErrors, Totals, Unmeasured,
};
use slope_report::{Origin, RuleInfo, Subject};

/// A name by somebody who wants more than to be read: markup of every form, control
/// characters, text that runs backwards, a line end, a workflow command.
pub(crate) const NAME: &str =
    "<script>alert('x')</script>\"&{{ 7*7 }}|`*_\u{1b}[31m\u{202e}\n::error::]]>%0A,:\u{7}\u{ffff}";

pub(crate) fn span(start_line: u32, end_line: u32) -> Span {
    Span {
        start_line,
        start_column: 5,
        end_line,
        end_column: 9,
    }
}

pub(crate) fn callable(name: &str, line: u32, complexity: u32, sloc: u32) -> Callable {
    Callable {
        name: name.into(),
        kind: CallableKind::Function,
        span: span(line, line + sloc + 1),
        complexity,
        cognitive: complexity + 2,
        parameters: 2,
        sloc,
        mass: f64::from(complexity) * f64::from(sloc).sqrt(),
        nesting: 3,
        lower_bound: false,
        tables: slope_model::measurement::TableRows::default(),
    }
}

pub(crate) fn finding(rule: &str, path: &str, line: u32, message: &str) -> Finding {
    Finding {
        rule: rule.into(),
        category: "boolean".into(),
        severity: Severity::Warning,
        path: path.into(),
        span: span(line, line),
        message: message.into(),
        fingerprint: format!("f-{rule}-{path}"),
    }
}

fn file(path: &str, part: Part, callables: Vec<Callable>) -> FileMeasurement {
    FileMeasurement {
        path: path.into(),
        language: "python".into(),
        part,
        lines: 1_204,
        sloc: 980,
        flagged_lines: 12,
        clone_lines: 40,
        verbose_lines: 50,
        near_clone_lines: Some(7),
        syntax_errors: None,
        maintainability: Some(61.25),
        cognitive_outside: Some(2),
        inline_tests: None,
        cells: Vec::new(),
        callables,
    }
}

fn totals(files: u32) -> Totals {
    Totals {
        files,
        unmeasured_files: 1,
        lines: 3_612,
        sloc: 2_940,
        callables: 4,
        high_complexity_callables: 1,
        max_complexity: Some(31),
        mass: Some(148.0),
        high_complexity_mass: Some(124.0),
        erosion: Some(0.837_837),
        cognitive_mass: Some(180.5),
        high_cognitive_mass: Some(130.5),
        high_cognitive_callables: Some(1),
        cognitive_erosion: Some(0.722_991),
        max_nesting: Some(3),
        files_with_syntax_errors: 1,
        maintainability: Some(61.25),
        flagged_lines: Some(36),
        clone_lines: Some(120),
        verbose_lines: Some(150),
        verbosity: Some(0.051_02),
        missing: BTreeMap::from([(
            "near_clone_lines".to_owned(),
            "near-miss clones were switched off".to_owned(),
        )]),
        ..Totals::default()
    }
}

fn standing(metric: &str, panel: &str, value: f64, percentile: f64, median: f64) -> Standing {
    Standing {
        metric: metric.into(),
        panel: panel.into(),
        value,
        percentile,
        median,
        count: 48,
    }
}

fn published() -> PublishedTotals {
    PublishedTotals {
        definitions: "paper/1".into(),
        totals: totals(2),
        clone_ratio: Some(0.04),
        violation_ratio: Some(0.01),
        standings: vec![
            standing("verbosity", "human-2026-03", 0.051, 31.25, 0.11),
            standing("erosion", "human-2026-03", 0.838, 97.0, 0.31),
            standing("mass_per_kloc", "human-2026-03", 40.97, 62.5, 38.123),
            standing("verbosity", "agents-2026-03", 0.051, 4.0, 0.32),
            standing("erosion", "agents-2026-03", 0.838, 83.0, 0.68),
        ],
    }
}

/// Python, and a language without a panel whose id is hostile.
fn headlines() -> Vec<LanguageHeadline> {
    let published = published();
    vec![
        LanguageHeadline {
            languages: vec!["python".into()],
            definitions: published.definitions,
            totals: published.totals,
            incomparable: None,
            standings: published.standings,
        },
        LanguageHeadline {
            languages: vec![NAME.into()],
            definitions: "slope/10".into(),
            totals: totals(1),
            incomparable: Some("no percentiles: there is no panel of this language".into()),
            standings: Vec::new(),
        },
    ]
}

fn clones() -> Vec<CloneClass> {
    let member = |path: &str, line, similarity| CloneMember {
        path: path.into(),
        span: span(line, line + 13),
        similarity,
    };
    vec![
        CloneClass {
            kind: CloneKind::Renamed,
            lines: 14,
            tokens: 120,
            members: vec![
                member("pantry.py", 3, 1.0),
                member("pantry.py", 300, 1.0),
                member("tests/test_pantry.py", 9, 1.0),
            ],
            fingerprint: "c-1".into(),
        },
        CloneClass {
            kind: CloneKind::NearMiss,
            lines: 22,
            tokens: 200,
            members: vec![member("pantry.py", 40, 1.0), member(NAME, 80, 0.914)],
            fingerprint: "c-2".into(),
        },
    ]
}

fn twice(line: u32) -> Finding {
    finding(
        "none-equality",
        "pantry.py",
        line,
        "Compared with `==` to None.",
    )
}

fn findings() -> Vec<Finding> {
    let mut hostile = finding(NAME, NAME, 5, NAME);
    hostile.severity = Severity::Error;
    let mut signal = finding(
        "unused-import",
        "pantry.py",
        1,
        "`os` is imported for nothing.",
    );
    signal.category = "dead-code".into();
    signal.severity = Severity::Hint;
    let mut clone = finding("clone", "pantry.py", 3, "The same code stands in 3 places.");
    clone.category = "duplication".into();
    clone.span = span(3, 16);
    vec![hostile, signal, clone, twice(5), twice(9)]
}

fn skipped() -> Vec<Skipped> {
    vec![
        Skipped {
            path: "gen/a_pb2.py".into(),
            reason: "generated: said in line 2".into(),
        },
        Skipped {
            path: "gen/b_pb2.py".into(),
            reason: "generated: said in line 1".into(),
        },
        Skipped {
            path: "vendor/".into(),
            reason: NAME.into(),
        },
    ]
}

/// One of everything.
pub(crate) fn measurement() -> Measurement {
    let mut broken = file(NAME, Part::Product, vec![callable(NAME, 7, 2, 9)]);
    broken.language = "c++".into();
    broken.syntax_errors = Some(SyntaxErrors {
        count: 3,
        first_line: 12,
        lines: 40,
    });
    let languages = [
        ("c++".to_owned(), totals(1)),
        ("python".to_owned(), totals(2)),
    ];
    Measurement {
        schema: slope_model::schema::MEASUREMENT.into(),
        definitions: Definitions {
            version: "slope/1".into(),
            hash: "b3e1".repeat(16),
            grammars: BTreeMap::from([("python".into(), "0.25.0".into())]),
            rules: BTreeMap::from([("slope".into(), "77".into())]),
        },
        totals: totals(3),
        parts: BTreeMap::from([(Part::Product, totals(2)), (Part::Tests, totals(1))]),
        languages: languages.into(),
        published: Some(published()),
        headlines: headlines(),
        other_languages: BTreeMap::from([(".kt".into(), 2), (".vue".into(), 12)]),
        files: vec![
            broken,
            file(
                "pantry.py",
                Part::Product,
                vec![
                    callable("small", 3, 1, 4),
                    callable("Pantry.handle_everything", 20, 31, 16),
                ],
            ),
            file(
                "tests/test_pantry.py",
                Part::Tests,
                vec![callable("test_it", 2, 4, 12)],
            ),
        ],
        unmeasured: vec![Unmeasured {
            path: format!("{NAME}.py"),
            reason: "cannot be read: permission denied".into(),
        }],
        skipped: skipped(),
        clones: clones(),
        findings: findings(),
        dead_code: None,
        suppressed: vec![Suppressed {
            finding: twice(30),
            reason: NAME.into(),
        }],
    }
}

/// A folder without a file that could be measured.
pub(crate) fn nothing() -> Measurement {
    let why = "no file could be measured".to_owned();
    let ratios = ["erosion", "verbosity", "mass"];
    let whole = measurement();
    Measurement {
        schema: whole.schema,
        definitions: whole.definitions,
        totals: Totals {
            missing: ratios.map(|name| (name.to_owned(), why.clone())).into(),
            ..Totals::default()
        },
        ..Measurement::default()
    }
}

fn rule(id: &str, language: &str, message: &str) -> RuleInfo {
    RuleInfo {
        id: id.into(),
        origin: Origin::Rule,
        languages: vec![language.into()],
        category: "boolean".into(),
        severity: Severity::Warning,
        on_by_default: true,
        in_changes: Vec::new(),
        message: message.into(),
        note: "None is a single object: `is None` says so, and cannot be overridden.".into(),
        bad: vec!["def f(x):\n    if x == None:\n        return 1\n".into()],
        good: vec!["def f(x):\n    if x is None:\n        return 1\n".into()],
        precision: None,
    }
}

/// Facts about the rules; nothing of the hostile one.
pub(crate) fn rules() -> Vec<RuleInfo> {
    let languages = ["python", "javascript", "typescript", "go", "rust"];
    vec![
        rule(
            "none-equality",
            "python",
            "Compared with == to None; use `is`.",
        ),
        rule("null-equality", "java", "Compared with equals() to null."),
        RuleInfo {
            on_by_default: false,
            ..rule(
                "length-compared",
                "python",
                "A length is compared with zero.",
            )
        },
        RuleInfo {
            origin: Origin::Signal,
            languages: languages.map(str::to_owned).to_vec(),
            category: "dead-code".into(),
            severity: Severity::Hint,
            precision: Some(0.96),
            ..rule("unused-import", "", "A name is imported for nothing.")
        },
        RuleInfo {
            origin: Origin::Metric,
            category: "duplication".into(),
            ..rule(
                "clone",
                "python",
                "The same code appears in several places.",
            )
        },
        RuleInfo {
            note: NAME.into(),
            bad: vec![format!("x = 1\n\tif x:\n        {NAME}")],
            good: vec![NAME.into()],
            ..rule("hostile-rule", "python", NAME)
        },
    ]
}

pub(crate) fn subject<'a>(measurement: &'a Measurement, rules: &'a [RuleInfo]) -> Subject<'a> {
    Subject {
        measurement,
        rules,
        title: "kitchen",
        prefix: "src/",
        base: None,
        sources: None,
    }
}
