//! Comparisons of cohorts: arms, pairs, repeats, failures, panels, definitions.

use crate::common::{self, bare, run, solved, trial};
use slope_model::detail::{CheckpointDetail, FunctionFact, RunDetail, TrialDetail};
use slope_model::measurement::Totals;
use slope_model::problem::Group;
use slope_model::run::{CheckpointReport, RunReport, TrialReport};
use slope_model::verdict::{Outcome, State, TestResult};
use slope_report::{
    Aspect, Material, Metric, Next, Panel, ReadSource, RowForm, RunDigest, SizeWeight, Study,
    StudyOptions, TerminalOptions, digest, render_study_latex, render_study_markdown,
    render_study_terminal, run_tables, study, study_of, study_tables,
};
use slope_stats::Bootstrap;

fn options() -> StudyOptions {
    StudyOptions {
        bootstrap: Bootstrap {
            resamples: 400,
            ..Bootstrap::default()
        },
        ..StudyOptions::default()
    }
}

fn of(problem: &str, checkpoints: Vec<CheckpointReport>) -> TrialReport {
    TrialReport {
        problem: problem.to_owned(),
        ..trial(1, checkpoints)
    }
}

fn failed(index: u32, growth: f64) -> CheckpointReport {
    let mut checkpoint = solved(index, growth);
    checkpoint.state = State::Failed;
    checkpoint
}

/// Six problems of five checkpoints; `growth` by problem, and every `fails`th checkpoint fails.
fn six(label: &str, arm: &str, growth: f64, fails: u32) -> RunReport {
    let trials = (0..6).map(|problem| {
        let growth = growth + 0.05 * f64::from(problem);
        let checkpoints = (1..=5).map(|i| match (i + problem) % fails {
            0 => failed(i, growth),
            _ => solved(i, growth),
        });
        of(&format!("p{problem}"), checkpoints.collect())
    });
    let mut report = run(label, trials.collect());
    let arm = serde_json::Value::from(arm);
    report.config.options.insert("intervention".to_owned(), arm);
    report
}

fn arms() -> Study {
    let reports = [six("base", "none", 0.8, 3), six("tidy", "hooks", 0.2, 4)];
    study(&reports, &options())
}

#[test]
fn arm_is_compared_by_problem() {
    let study = arms();
    assert_eq!(study.contrasts.len(), 1);
    let contrast = &study.contrasts[0];
    let arm = &study.cohorts[contrast.arm];
    assert_eq!((arm.arm.as_deref(), contrast.problems), (Some("hooks"), 6));
    let shift = |metric, aspect| {
        let mut all = contrast.shifts.iter();
        all.find(|s| s.metric == metric && s.aspect == aspect)
            .unwrap()
    };
    let slope = shift(Metric::MASS, Aspect::Slope);
    // Mass grows by 30 + 55·growth a checkpoint, which is a phase here; growth differs by 0.6.
    assert!((slope.difference.unwrap() + 33.0).abs() < 1e-9);
    assert!((slope.baseline.unwrap() - (30.0 + 55.0 * 0.925)).abs() < 1e-9);
    // All six differences have one sign: two of 2^6 signings.
    let p = slope.test.as_ref().unwrap().p().unwrap();
    assert!((p - 2.0 / 64.0).abs() < 1e-12);
    assert!(slope.holm.unwrap() >= p);
    let start = shift(Metric::MASS, Aspect::Start);
    assert!(start.test.is_none() && start.holm.is_none());
    // Start is the line at the first phase: 40 + 30 + 55·growth.
    assert!((start.baseline.unwrap() - (70.0 + 55.0 * 0.925)).abs() < 1e-9);
}

#[test]
fn rates_and_costs_differ_with_intervals() {
    let study = arms();
    let contrast = &study.contrasts[0];
    let strict = &contrast.rates[0];
    assert_eq!((strict.baseline.count, strict.baseline.of), (20, 30));
    assert_eq!((strict.arm.count, strict.arm.of), (23, 30));
    assert!((strict.difference.unwrap() - 0.1).abs() < 1e-12);
    let newcombe = strict.newcombe.unwrap();
    assert!(newcombe.low < 0.0 && newcombe.high > 0.1);
    let cost = &contrast.ratios[0];
    assert_eq!((cost.metric, cost.pairs), (Metric::COST, 6));
    assert!(cost.ratio.is_some() && cost.interval.is_some());
}

#[test]
fn two_cohorts_are_compared() {
    let study = arms();
    let pair = &study.pairs[0];
    let strict = &pair.agreements[0];
    let sum = strict.both + strict.only_first + strict.only_second + strict.neither;
    assert_eq!((sum, strict.unpaired), (30, 0));
    assert_eq!(pair.only_first.len() as u32, strict.only_first);
    let first = study.cohorts[pair.first].strict.rate.graded.count;
    assert_eq!(strict.both + strict.only_first, first);
    let test = strict.test.unwrap();
    let expected = slope_stats::mcnemar(strict.only_first.into(), strict.only_second.into());
    assert_eq!(Some(test), expected);
    // What the harness lost is in no number.
    let mut broken = six("base", "none", 0.8, 3);
    broken.trials[0].checkpoints[4] = bare(5, State::Infrastructure, Some("no space left"));
    let reports = [broken, six("tidy", "hooks", 0.2, 4)];
    let study = slope_report::study(&reports, &options());
    assert_eq!(study.pairs[0].agreements[0].unpaired, 1);
}

#[test]
fn repeats_give_the_rate_variance() {
    let mut second = six("two", "none", 0.8, 4);
    second.config.label = "again".to_owned();
    let study = study(&[six("one", "none", 0.8, 3), second], &options());
    assert!(study.pairs.is_empty() && study.contrasts.is_empty());
    let repeats = &study.repeats[0];
    assert_eq!((repeats.trials, repeats.problems), (2, 6));
    let strict = &repeats.rates[0];
    assert_eq!(strict.values.len(), 2);
    assert!((strict.mean.unwrap() - (20.0 + 23.0) / 60.0).abs() < 1e-12);
    let told = render_study_markdown(&study);
    assert!(told.contains("## Rates between repeats") && told.contains("| pass^k<br>all, % |"));
    let (one, two) = (&repeats.checkpoints[0], &repeats.checkpoints[1]);
    assert!((one.some.unwrap() - strict.mean.unwrap()).abs() < 1e-12);
    assert!(two.some.unwrap() > one.some.unwrap() && two.all.unwrap() < one.all.unwrap());
    // Half of what differs between two trials: (some − all) / 2.
    let variance = (two.some.unwrap() - two.all.unwrap()) / 2.0;
    assert!((repeats.variance.unwrap() - variance).abs() < 1e-12);
}

fn function(name: &str, complexity: u32, sloc: u32) -> FunctionFact {
    FunctionFact {
        path: "main.py".to_owned(),
        name: name.to_owned(),
        line: 2,
        end_line: 1 + sloc,
        complexity,
        sloc,
    }
}

fn not_passed(checkpoint: &str, message: &str) -> TestResult {
    TestResult {
        id: "test_a".to_owned(),
        checkpoint: checkpoint.to_owned(),
        group: Group::Core,
        outcome: Outcome::Failed,
        repeats: Vec::new(),
        duration_s: 0.1,
        message: Some(message.to_owned()),
    }
}

/// Details of a run: `main` grows at every checkpoint, `other` does not, and tests fail with
/// `message`.
fn details(report: &RunReport, message: &str) -> RunDetail {
    let checkpoint = |place: usize| {
        let place = u32::try_from(place).unwrap();
        CheckpointDetail {
            not_passed: Some(vec![not_passed("checkpoint_1", message)]),
            functions: Some(vec![
                function("main", 6 + 4 * place, 16),
                function("other", 3, 9),
            ]),
            published: Some(Totals {
                erosion: Some(0.2 + 0.1 * f64::from(place)),
                verbosity: None,
                ..Totals::default()
            }),
            ..CheckpointDetail::default()
        }
    };
    let trials = report.trials.iter().map(|trial| TrialDetail {
        checkpoints: (0..trial.checkpoints.len()).map(checkpoint).collect(),
    });
    RunDetail {
        trials: trials.collect(),
    }
}

fn digests(reports: &[RunReport], details: &[RunDetail]) -> Vec<RunDigest> {
    let both = reports.iter().zip(details);
    both.map(|(report, detail)| digest(report, detail))
        .collect()
}

fn detailed(source: Option<&ReadSource>) -> (Vec<RunReport>, Vec<RunDetail>, Study) {
    let reports = vec![six("base", "none", 0.8, 3), six("tidy", "hooks", 0.2, 4)];
    let details: Vec<RunDetail> = reports
        .iter()
        .map(|report| details(report, "AssertionError: 1 != 2\nexpected 2"))
        .collect();
    let people = "stars,erosion,verbosity\n5,0.1,0.1\n700,0.3,\n2000,0.5,0.2\n,0.7,\n";
    let panels = [Panel::from_csv("people", people).unwrap()];
    let material = Material {
        reports: &reports,
        digests: &digests(&reports, &details),
        panels: &panels,
        source,
        ..Material::default()
    };
    let study = study_of(&material, &options());
    (reports, details, study)
}

#[test]
fn failures_have_classes_with_evidence() {
    let (.., study) = detailed(None);
    // Ten and seven failed checkpoints; the others are not in it.
    assert_eq!(study.failures.checkpoints.len(), 17);
    let failure = &study.failures.checkpoints[0];
    let class = &failure.classes[0];
    assert_eq!((class.class.as_str(), class.tests), ("logic", 1));
    assert_eq!(class.evidence.test.as_deref(), Some("checkpoint_1::test_a"));
    assert_eq!(
        (class.evidence.line, class.evidence.span),
        (Some(1), Some((0, 14)))
    );
    let counts: u32 = study.failures.counts.iter().map(|c| c.first.count).sum();
    assert_eq!(counts, 17);
    assert!(
        study
            .failures
            .undecided
            .iter()
            .any(|u| u.class == "security")
    );
}

#[test]
fn attempt_outcome_classes_come_before_tests() {
    let mut report = six("base", "none", 0.8, 3);
    let reason = Some("exit 137".to_owned());
    let ended = &mut report.trials[0].checkpoints[4];
    (ended.state, ended.reason) = (State::AgentError, reason);
    // An unchanged snapshot is no answer.
    report.trials[1].checkpoints[0].snapshot = Some("s".to_owned());
    let same = &mut report.trials[1].checkpoints[1];
    (same.state, same.snapshot) = (State::Failed, Some("s".to_owned()));
    let details = [details(&report, "AssertionError: 1 != 2")];
    let reports = [report];
    let material = Material {
        reports: &reports,
        digests: &digests(&reports, &details),
        ..Material::default()
    };
    let failures = study_of(&material, &options()).failures;
    let class = |problem: &str, checkpoint: &str| {
        let mut all = failures.checkpoints.iter();
        let own =
            all.find(|f| (f.problem.as_str(), f.checkpoint.as_str()) == (problem, checkpoint));
        let classes = own.unwrap().classes.iter();
        classes.map(|c| c.class.clone()).collect::<Vec<_>>()
    };
    assert_eq!(class("p0", "checkpoint_5"), ["cut-short", "logic"]);
    assert_eq!(class("p1", "checkpoint_2"), ["no-answer", "logic"]);
}

#[test]
fn missing_details_leave_failures_unclassified() {
    let study = arms();
    let class = &study.failures.checkpoints[0].classes[0];
    assert_eq!(class.class, "unclassified");
    assert!(class.evidence.text.contains("not stored"));
    assert!(study.sensitivity.is_empty() && study.functions.is_empty());
    assert!(study.calibration.is_empty() && study.courses.is_empty());
}

#[test]
fn cohorts_are_ranked_in_panels() {
    let (.., study) = detailed(None);
    // Verbosity is known of none.
    assert!(
        study
            .calibration
            .iter()
            .all(|c| c.metric == Metric::EROSION)
    );
    let mut ends = study.calibration.iter().filter(|c| c.mean > 0.5);
    let last = ends.next().unwrap();
    assert!((last.mean - 0.6).abs() < 1e-12 && last.standing == 0.75);
    assert!((last.ratio.unwrap() - 1.5).abs() < 1e-12);
    let tier = ends.next().unwrap();
    assert_eq!(tier.tier.as_deref(), Some("below 1,000 stars"));
    assert_eq!((tier.panel_size, tier.standing), (2, 1.0));
    assert!(study.without_tiers[0].contains("1 of its 4"));
}

#[test]
fn alternative_definitions_predict_next_checkpoint() {
    let (.., study) = detailed(None);
    let all = study.sensitivity.iter().filter(|s| s.cohort == 0);
    assert_eq!(all.clone().count(), 18);
    let cost = |cut_off, weight| {
        let mut own = all.clone();
        own.find(|s| (s.cut_off, s.weight, s.next) == (cut_off, weight, Next::Cost))
            .unwrap()
    };
    let paper = cost(10, SizeWeight::SquareRoot);
    assert_eq!((paper.pairs, paper.problems), (24, 6));
    // Functions here grow from 6 to 22: at the first two checkpoints none is above 10 or 12.
    assert!(paper.pearson.is_some());
    assert_ne!(cost(8, SizeWeight::Linear).pearson, paper.pearson);
}

#[test]
fn grown_functions_are_traced_with_source() {
    let read = |of: &slope_report::SourceOf<'_>| match of.problem {
        "p0" => Ok("one\ntwo\nthree\nfour".to_owned()),
        other => Err(format!("{other} was not kept")),
    };
    let (.., study) = detailed(Some(&read));
    assert_eq!(study.functions.len(), 12);
    let first = &study.functions[0];
    assert_eq!(
        (first.name.as_str(), first.problem.as_str()),
        ("main", "p0")
    );
    assert!((first.growth - 16.0 * 4.0).abs() < 1e-12);
    let along: Vec<u32> = first.steps.iter().map(|step| step.complexity).collect();
    assert_eq!(along, [6, 10, 14, 18, 22]);
    assert_eq!(first.source.as_deref(), Some("two\nthree\nfour"));
    let other = study.functions.iter().find(|f| f.problem == "p1").unwrap();
    assert_eq!(other.source_missing.as_deref(), Some("p1 was not kept"));
}

#[test]
fn every_table_appears_in_every_format() {
    let (reports, details, study) = detailed(None);
    let terminal = TerminalOptions {
        color: false,
        width: 200,
    };
    for told in [
        render_study_terminal(&study, &terminal),
        render_study_markdown(&study),
        render_study_latex(&study),
    ] {
        for title in [
            "Trajectories:",
            "Head to head",
            "Classes of failures",
            "Standing in panels",
            "by other definitions",
            "Functions that grew most",
        ] {
            assert!(told.contains(title), "{title} is missing in {told}");
        }
    }
    let mut tables = run_tables(&reports, &details);
    tables.extend(study_tables(&study));
    for table in &tables {
        let own = table
            .rows
            .iter()
            .all(|row| row.len() == table.columns.len());
        assert!(own, "{}", table.name);
        assert!(!common::rows(table, RowForm::Parquet).is_empty());
    }
    let rows = |name: &str| tables.iter().find(|t| t.name == name).unwrap().rows.len();
    assert_eq!(rows("functions"), 2 * 6 * 5 * 2);
    assert!(rows("failures") >= 17 && rows("contrasts") == 12 + 3 + 3);
    insta::assert_snapshot!(render_study_markdown(&study));
}
