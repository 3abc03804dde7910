//! The Markdown report.

use crate::common;
use slope_model::run::CheckpointReport;
use slope_model::verdict::State;
use slope_report::render_markdown;

#[test]
fn two_runs_match_snapshot() {
    insta::assert_snapshot!(render_markdown(&[common::tidy(), common::sloppy()]));
}

#[test]
fn trouble_and_empty_run_match_snapshot() {
    insta::assert_snapshot!(render_markdown(&[common::trouble(), common::empty()]));
}

#[test]
fn refactoring_passes_show_rows_and_rate() {
    let mut report = common::sloppy();
    let checkpoint = &mut report.trials[0].checkpoints[1];
    let mut after = CheckpointReport {
        state: State::Failed,
        ..checkpoint.clone()
    };
    after.totals.as_mut().unwrap().clone_lines = Some(4_321);
    checkpoint.after_pass = Some(Box::new(after));
    let text = render_markdown(&[report]);
    let of = |line: &&str, name: &str| line.trim_matches(['|', ' ']).starts_with(name);
    let row = |name: &str| text.lines().find(|line| of(line, name)).unwrap();
    assert!(row("after the pass").contains("4,321"), "{text}");
    assert!(row("strict |").contains("| 4/4 |"), "{text}");
    assert!(row("strict, after the pass").contains("| 3/4 |"), "{text}");
}

#[test]
fn missing_runs_are_reported() {
    assert!(render_markdown(&[]).contains("No runs to report."));
}

#[test]
fn hostile_text_is_escaped() {
    let text = render_markdown(&[common::hostile()]);
    assert!(!text.contains("<script"));
    // The cells of a table stay as many as its columns: an unescaped bar would add one.
    for table in text.split("\n\n").filter(|part| part.starts_with('|')) {
        let cells = |line: &str| line.replace("\\|", "").matches('|').count();
        let rows: Vec<&str> = table.lines().collect();
        for row in &rows {
            assert_eq!(cells(row), cells(rows[0]), "{row}");
        }
    }
}
