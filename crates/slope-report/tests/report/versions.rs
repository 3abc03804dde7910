//! The same configuration under several versions of the agent and of the harness.

use crate::common::{self, run, solved, trial};
use serde_json::json;
use slope_model::run::{RunReport, TrialReport};
use slope_model::verdict::State;
use slope_report::{
    Metric, RowForm, Study, StudyOptions, render_study_markdown, study, study_tables,
};
use slope_stats::Bootstrap;

fn told(reports: &[RunReport]) -> Study {
    let bootstrap = Bootstrap {
        resamples: 400,
        ..Bootstrap::default()
    };
    let options = StudyOptions {
        bootstrap,
        ..StudyOptions::default()
    };
    study(reports, &options)
}

/// A run of six problems of five checkpoints by a version; the last `failing` of each fail.
fn by(version: &str, growth: f64, failing: u32) -> RunReport {
    let trials = (0..6).map(|problem| {
        let checkpoints = (1..=5).map(|index| {
            let mut checkpoint = solved(index, growth * f64::from(problem));
            if index > 5 - failing {
                checkpoint.state = State::Failed;
            }
            checkpoint
        });
        TrialReport {
            problem: format!("p{problem}"),
            ..trial(1, checkpoints.collect())
        }
    });
    let mut report = run(&format!("v{version}"), trials.collect());
    report.config.agent_version = version.to_owned();
    for trial in &report.trials {
        let problem = report.config.problems["line_stats"].clone();
        report
            .config
            .problems
            .insert(trial.problem.clone(), problem);
    }
    report
}

/// A run with an option that is a JSON value.
fn with(mut report: RunReport, name: &str, value: &serde_json::Value) -> RunReport {
    let options = &mut report.config.options;
    options.insert(name.to_owned(), value.clone());
    report
}

#[test]
fn each_version_is_compared_with_lowest() {
    let study = told(&[by("2.0.51", 0.1, 2), by("2.0.9", 0.0, 1)]);
    assert_eq!(study.versions.missing, None);
    let [configuration] = study.versions.configurations.as_slice() else {
        panic!("{:?}", study.versions);
    };
    // 9 comes before 51.
    let names = configuration.versions.iter().map(|v| v.version.as_str());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["2.0.9 · slope 0.1.0", "2.0.51 · slope 0.1.0"]);
    let [reference, later] = configuration.versions.as_slice() else {
        panic!("{names:?}");
    };
    assert_eq!(reference.against, None);
    let strict = &reference.rates[0];
    assert_eq!(strict.rate, "strict");
    let counted = &strict.value.rate.graded;
    assert_eq!((counted.count, counted.of), (24, 30));
    let against = later.against.as_ref().unwrap();
    assert_eq!(against.problems, 6);
    let rate = &against.rates[0];
    assert!((rate.difference.unwrap() + 0.2).abs() < 1e-12);
    // 18 of 30 less 24 of 30, by Newcombe's tenth method (computed independently).
    let interval = rate.newcombe.unwrap();
    assert!((interval.low + 0.405_60).abs() < 1e-4, "{interval:?}");
    assert!((interval.high - 0.031_72).abs() < 1e-4, "{interval:?}");
    // Every problem loses one of its five checkpoints: resampling them changes nothing.
    let by_problem = rate.by_problem.unwrap();
    assert!((by_problem.high - by_problem.low).abs() < 1e-12);
}

#[test]
fn slopes_are_compared_per_problem() {
    let study = told(&[by("1", 0.0, 1), by("2", 0.1, 1)]);
    let versions = &study.versions.configurations[0].versions;
    let metrics: Vec<Metric> = versions[0].slopes.iter().map(|s| s.metric).collect();
    assert_eq!(metrics, [Metric::EROSION, Metric::VERBOSITY]);
    let shift = &versions[1].against.as_ref().unwrap().slopes[0];
    let (first, second) = (&versions[0].slopes[0], &versions[1].slopes[0]);
    assert_eq!((first.problems, shift.pairs), (6, 6));
    let difference = second.mean.unwrap() - first.mean.unwrap();
    assert!((shift.difference.unwrap() - difference).abs() < 1e-12);
}

#[test]
fn only_versions_may_differ_in_configuration() {
    for change in [
        |report: &mut RunReport| report.config.model = "other".to_owned(),
        |report: &mut RunReport| report.config.prompt_hash = "other".to_owned(),
        |report: &mut RunReport| report.config.agent = "other".to_owned(),
        |report: &mut RunReport| report.config.isolation = "none".to_owned(),
    ] {
        let mut other = by("2", 0.1, 1);
        change(&mut other);
        let study = told(&[by("1", 0.0, 1), other]);
        assert!(study.versions.configurations.is_empty());
        let why = study.versions.missing.unwrap();
        assert!(why.starts_with("each of 2 configurations"), "{why}");
    }
    for (name, value) in [
        ("effort", json!("high")),
        ("track", json!("typescript")),
        ("checkpoints", json!(3)),
        ("caps", json!({"tokens": 1000, "usd": null})),
        (
            "environment",
            json!({"network": {"allow": ["example.org"]}}),
        ),
        ("intervention", json!("hooks")),
    ] {
        let study = told(&[by("1", 0.0, 1), with(by("2", 0.1, 1), name, &value)]);
        assert!(study.versions.configurations.is_empty(), "{name}");
    }
    // What is not set is as good as absent, names have no order, and some bear on nothing.
    for (name, one, other) in [
        ("caps", json!({"tokens": null}), json!(null)),
        (
            "caps",
            json!({"tokens": 1, "usd": 2}),
            json!({"usd": 2, "tokens": 1}),
        ),
        ("track", json!("python"), json!(null)),
        ("trials", json!(1), json!(2)),
    ] {
        let one = with(by("1", 0.0, 1), name, &one);
        let study = told(&[one, with(by("2", 0.1, 1), name, &other)]);
        assert_eq!(study.versions.configurations.len(), 1, "{name}");
    }
    // The version of the harness is one, too.
    let mut other = by("1", 0.1, 1);
    other.config.slope_version = "0.2.0".to_owned();
    let study = told(&[by("1", 0.0, 1), other]);
    assert_eq!(study.versions.configurations[0].versions.len(), 2);
}

#[test]
fn changed_problems_are_left_out() {
    let mut other = by("2", 0.1, 2);
    let problems = &mut other.config.problems;
    problems.get_mut("p0").unwrap().hash = "b3:other".to_owned();
    problems.remove("p1");
    let study = told(&[by("1", 0.0, 1), other]);
    let later = &study.versions.configurations[0].versions[1];
    let against = later.against.as_ref().unwrap();
    assert_eq!((later.problems, against.problems), (6, 4));
    assert_eq!((against.left_out, against.slopes[0].pairs), (2, 4));
    assert_eq!(against.rates[0].baseline.of, 20);
    let markdown = render_study_markdown(&study);
    assert!(markdown.contains("| 4, 2 left out |"), "{markdown}");
}

#[test]
fn same_named_configurations_are_distinguished() {
    let mut reports = Vec::new();
    for hash in ["b3:11223344556677", "b3:aabbccddeeff00"] {
        for (version, growth) in [("1", 0.0), ("2", 0.1)] {
            let mut report = by(version, growth, 1);
            report.config.prompt_hash = hash.to_owned();
            reports.push(report);
        }
    }
    let markdown = render_study_markdown(&told(&reports));
    for name in [
        "just-solve · 11223344 · none",
        "just-solve · aabbccdd · none",
    ] {
        assert!(markdown.contains(name), "{markdown}");
    }
    for report in reports.iter_mut().skip(2) {
        report.config.prompt_hash = "b3:11223344556677".to_owned();
        report
            .config
            .options
            .insert("effort".to_owned(), json!("low"));
    }
    let study = told(&reports);
    let markdown = render_study_markdown(&study);
    for name in ["none · options 1", "none · options 2"] {
        assert!(markdown.contains(name), "{markdown}");
    }
    let options = study.versions.configurations.iter().map(|c| &c.options);
    assert!(options.ne([&String::new(), &String::new()]));
}

#[test]
fn single_version_reports_no_comparison() {
    let study = told(&[by("1", 0.0, 1)]);
    let table = study_tables(&study).pop().unwrap();
    assert_eq!((table.name, table.rows.len()), ("versions", 0));
    let markdown = render_study_markdown(&study);
    assert!(
        markdown.contains("all runs have the same version"),
        "{markdown}"
    );
    assert!(!markdown.contains("by version:"));
}

#[test]
fn version_tables_match_snapshot() {
    let study = told(&[by("1.2", 0.0, 1), by("1.10", 0.1, 2)]);
    let markdown = render_study_markdown(&study);
    let parts = markdown.split("\n## ");
    let own: Vec<&str> = parts.filter(|p| p.contains("by version:")).collect();
    let table = study_tables(&study).pop().unwrap();
    let rows = String::from_utf8(common::rows(&table, RowForm::Csv)).unwrap();
    insta::assert_snapshot!(format!("{}\n\n{rows}", own.join("\n")));
}
