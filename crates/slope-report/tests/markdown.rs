//! The Markdown report.

mod common;

use slope_report::render_markdown;

#[test]
fn two_runs() {
    insta::assert_snapshot!(render_markdown(&[common::tidy(), common::sloppy()]));
}

#[test]
fn trouble_and_an_empty_run() {
    insta::assert_snapshot!(render_markdown(&[common::trouble(), common::empty()]));
}

#[test]
fn no_run() {
    assert!(render_markdown(&[]).contains("No runs to report."));
}

#[test]
fn foreign_text_is_literal() {
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
