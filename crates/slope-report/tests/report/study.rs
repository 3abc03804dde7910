//! Runs put together: cohorts, phases, and what is left out.

use crate::common::{self, bare, run, sloppy, solved, tidy, trial, trouble};
use slope_model::run::{RunReport, TrialReport};
use slope_model::verdict::State;
use slope_report::{
    Binning, Cohort, Field, LeftOut, Metric, PhaseQuantity, Remark, RowForm, RowTable, RowWriter,
    StudyOptions, TerminalOptions, render_study_latex, render_study_markdown,
    render_study_terminal, run_tables, study, study_tables,
};
use slope_stats::Bootstrap;

fn options(binning: Binning) -> StudyOptions {
    let bootstrap = Bootstrap {
        resamples: 500,
        ..Bootstrap::default()
    };
    StudyOptions { binning, bootstrap }
}

fn of(problem: &str, trial: TrialReport) -> TrialReport {
    TrialReport {
        problem: problem.to_owned(),
        ..trial
    }
}

/// A model's run over two problems: `good` is solved to the end, `bad` at its first checkpoint.
fn model(name: &str, growth: f64) -> RunReport {
    let good = trial(1, (1..=5).map(|i| solved(i, growth)).collect());
    let failed = |i| {
        let mut checkpoint = solved(i, growth / 2.0);
        checkpoint.state = State::Failed;
        checkpoint
    };
    let mut bad = vec![solved(1, growth)];
    bad.extend((2..=3).map(failed));
    let mut report = run(name, vec![of("good", good), of("bad", trial(1, bad))]);
    report.config.model = name.to_owned();
    report
}

fn phase(cohort: &Cohort, quantity: PhaseQuantity) -> Vec<Option<f64>> {
    let row = cohort.phases.iter().find(|row| row.quantity == quantity);
    row.unwrap().values.iter().map(|v| v.mean).collect()
}

#[test]
fn cohorts_exist_per_model_and_overall() {
    let study = study(
        &[model("m1", 0.2), model("m2", 1.0)],
        &options(Binning::Paper),
    );
    let models: Vec<_> = study.cohorts.iter().map(|c| c.model.as_deref()).collect();
    assert_eq!(models, [Some("m1"), Some("m2"), None]);
    let all = &study.cohorts[2];
    assert_eq!((all.runs, all.trials, all.problems), (2, 4, 2));
    assert_eq!(
        (all.strict.rate.graded.count, all.strict.rate.graded.of),
        (12, 16)
    );
    let by_problem = all.strict.by_problem.unwrap();
    // Only "bad" drawn, or only "good".
    assert!((by_problem.low - 1.0 / 3.0).abs() < 1e-12 && by_problem.high == 1.0);
    assert_eq!((all.partial.known.count, all.solved.known.count), (4, 2));
}

#[test]
fn phases_average_problems_empty_are_missing() {
    let study = study(&[model("m1", 0.2)], &options(Binning::Paper));
    let strict = phase(&study.cohorts[0], PhaseQuantity::Strict);
    // "bad" has three checkpoints: start, early, final.
    assert_eq!(
        strict,
        [Some(1.0), Some(0.5), Some(1.0), Some(1.0), Some(0.5)]
    );
    let mass = study.cohorts[0].phases.iter();
    let mass = mass
        .clone()
        .find(|r| r.quantity == PhaseQuantity::Metric(Metric::MASS));
    let mass = mass.unwrap();
    assert_eq!(mass.slope_problems, 2);
    assert_eq!(mass.values[2].problems, 1);
    assert_eq!(mass.values[2].interval, None);
}

#[test]
fn dashboard_phases_use_last_checkpoint() {
    let six = trial(1, (1..=6).map(|i| solved(i, 0.5)).collect());
    let study = study(&[run("six", vec![six])], &options(Binning::Dashboard));
    let mass = phase(&study.cohorts[0], PhaseQuantity::Metric(Metric::MASS));
    let of_checkpoint = |i: u32| 40.0 + 30.0 * f64::from(i) + 0.5 * 55.0 * f64::from(i);
    for (phase, checkpoint) in [(0, 1), (3, 4), (4, 6)] {
        assert!((mass[phase].unwrap() - of_checkpoint(checkpoint)).abs() < 1e-9);
    }
}

#[test]
fn rates_exclude_only_harness_losses() {
    let lost = "the agent ended the trial at checkpoint_1";
    let dead = trial(
        1,
        vec![
            bare(1, State::AgentError, Some("exit 137")),
            bare(2, State::Ungraded, Some(lost)),
        ],
    );
    let broken = trial(
        1,
        vec![
            solved(1, 0.2),
            bare(2, State::Infrastructure, Some("no space left")),
        ],
    );
    let report = run("r", vec![of("dead", dead), of("broken", broken)]);
    let study = study(&[report], &options(Binning::Paper));
    let cohort = &study.cohorts[0];
    assert_eq!(
        (
            cohort.strict.rate.graded.count,
            cohort.strict.rate.graded.of
        ),
        (1, 2)
    );
    assert_eq!(cohort.strict.rate.conservative.of, 3);
    assert_eq!(
        (cohort.coverage.lost, cohort.coverage.infrastructure),
        (1, 1)
    );
    let strict = phase(cohort, PhaseQuantity::Strict);
    assert_eq!((strict[0], strict[4]), (Some(0.5), Some(0.0)));
    let erosion = &cohort.per_checkpoint[3];
    assert_eq!(
        (erosion.metric, erosion.n, erosion.missing),
        (Metric::EROSION, 1, 3)
    );
}

#[test]
fn duplicate_run_counts_once_and_listed() {
    let mut copy = tidy();
    copy.run = "elsewhere/tidy".into();
    let study = study(&[tidy(), copy], &options(Binning::Paper));
    assert_eq!(study.cohorts.len(), 1);
    assert_eq!(study.cohorts[0].runs, 1);
    assert_eq!(study.left_out[0].path.to_str(), Some("elsewhere/tidy"));
    assert_eq!(study.left_out[0].reason, "the same run as runs/tidy");
}

#[test]
fn rising_share_needs_two_values() {
    let mut falls = trial(2, vec![solved(2, 0.5), solved(1, 0.5)]);
    falls.checkpoints[0].index = 1;
    falls.checkpoints[1].index = 2;
    let alone = trial(3, vec![solved(1, 0.5)]);
    let rises = trial(1, vec![solved(1, 0.5), solved(2, 0.5)]);
    let study = study(
        &[run("r", vec![rises, falls, alone])],
        &options(Binning::Paper),
    );
    let mass = &study.cohorts[0].rising[0];
    assert_eq!(
        (mass.metric, mass.share.count, mass.share.of, mass.missing),
        (Metric::MASS, 1, 2, 1)
    );
}

fn everything() -> slope_report::Study {
    let reports = [model("m1", 0.2), model("m2", 1.0), trouble(), sloppy()];
    let mut study = study(&reports, &options(Binning::Paper));
    study.left_out.push(LeftOut {
        path: "runs/torn".into(),
        reason: "run.json is cut off".to_owned(),
    });
    study.remarks.push(Remark {
        run: "runs/published".into(),
        kind: "quality-missing".to_owned(),
        place: Some("p/checkpoint_1".to_owned()),
        text: "verbosity and erosion are null".to_owned(),
    });
    study
}

#[test]
fn study_terminal_output_matches_snapshots() {
    for (width, name) in [(120, "at_120_columns"), (60, "at_60_columns")] {
        let text = render_study_terminal(
            &everything(),
            &TerminalOptions {
                color: false,
                width,
            },
        );
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn study_markdown_matches_snapshot() {
    insta::assert_snapshot!(render_study_markdown(&everything()));
}

#[test]
fn study_latex_matches_snapshot() {
    insta::assert_snapshot!(render_study_latex(&study(
        &[model("m_1", 0.2), model("m2", 1.0)],
        &options(Binning::Paper)
    )));
}

#[test]
fn csv_and_parquet_rows_are_equal() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reports = [model("m1", 0.2), trouble(), common::hostile()];
    let study = study(&reports, &options(Binning::Paper));
    let mut tables = run_tables(&reports, &[]);
    tables.extend(study_tables(&study));
    for table in &tables {
        let has_rows = ["checkpoints", "groups", "tests", "phases"];
        let may_be_empty = !has_rows.contains(&table.name);
        assert!(may_be_empty || !table.rows.is_empty(), "{}", table.name);
        let csv = common::rows(table, RowForm::Csv);
        let mut csv = csv::Reader::from_reader(csv.as_slice());
        let records: Vec<csv::StringRecord> = csv.records().map(|r| r.unwrap()).collect();
        let file = bytes::Bytes::from(common::rows(table, RowForm::Parquet));
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<_> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|r| r.unwrap())
            .collect();
        assert_eq!(
            (records.len(), rows.len()),
            (table.rows.len(), table.rows.len())
        );
        for (record, row) in records.iter().zip(&rows) {
            for ((name, value), text) in row.get_column_iter().zip(record) {
                use parquet::record::Field;
                let told = match value {
                    Field::Null => String::new(),
                    Field::Str(text) if text.chars().any(char::is_control) => continue,
                    Field::Str(text) => text.clone(),
                    Field::Long(number) => number.to_string(),
                    Field::Double(number) => number.to_string(),
                    Field::Bool(flag) => flag.to_string(),
                    other => panic!("{name}: {other:?}"),
                };
                if !told.contains('\u{202e}') {
                    assert_eq!(told, text, "{}: {name}", table.name);
                }
            }
        }
    }
}

#[test]
fn agent_without_model_has_a_name() {
    let study = study(&[model("", 0.2)], &options(Binning::Paper));
    let agent = study.cohorts[0].agent.clone().unwrap();
    let told = render_study_markdown(&study);
    assert!(told.contains(&agent), "{agent} is missing in {told}");
}

#[test]
fn rows_written_in_parts_are_equal() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let columns = vec![("name".into(), slope_report::ColumnKind::Text)];
    let table = |numbers: std::ops::Range<u32>| RowTable {
        name: "parts",
        columns: columns.clone(),
        rows: numbers
            .map(|n| vec![Field::Text(format!("n{n}").into())])
            .collect(),
    };
    let all = 70_000;
    for form in [RowForm::Csv, RowForm::Parquet] {
        let mut writer = RowWriter::new(Vec::new(), form, &table(0..0)).unwrap();
        for part in [0..1, 1..1, 1..69_999, 69_999..all] {
            writer.put(form.encode(table(part)).unwrap()).unwrap();
        }
        let (file, count) = writer.finish().unwrap();
        assert_eq!(count, u64::from(all));
        assert!(file == common::rows(&table(0..all), form), "{form:?}");
        if form == RowForm::Parquet {
            let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
            let groups = reader.metadata().row_groups().iter();
            let sizes: Vec<i64> = groups.map(|group| group.num_rows()).collect();
            assert_eq!(sizes, [65_536, 4_464]);
        }
    }
    // Rows made ready for one form are not put into a file of the other.
    let mut writer = RowWriter::new(Vec::new(), RowForm::Csv, &table(0..0)).unwrap();
    let other = RowForm::Parquet.encode(table(0..1)).unwrap();
    assert!(writer.put(other).is_err());
}
