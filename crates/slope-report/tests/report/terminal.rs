//! The terminal report, as people see it.

use crate::common;
use slope_report::{TerminalOptions, render_terminal};

fn plain(width: u16) -> TerminalOptions {
    TerminalOptions {
        color: false,
        width,
    }
}

/// Columns of a line without its escape sequences.
fn columns(line: &str) -> usize {
    line.chars().count()
}

#[test]
fn two_runs_at_120_columns() {
    let text = render_terminal(&[common::tidy(), common::sloppy()], &plain(120));
    insta::assert_snapshot!(text);
}

#[test]
fn two_runs_at_80_columns() {
    let text = render_terminal(&[common::tidy(), common::sloppy()], &plain(80));
    insta::assert_snapshot!(text);
}

#[test]
fn trouble_at_120_columns() {
    insta::assert_snapshot!(render_terminal(&[common::trouble()], &plain(120)));
}

#[test]
fn one_run_at_40_columns() {
    insta::assert_snapshot!(render_terminal(&[common::sloppy()], &plain(40)));
}

#[test]
fn empty_and_missing_runs_match_snapshot() {
    insta::assert_snapshot!(render_terminal(&[common::empty()], &plain(80)));
    assert_eq!(render_terminal(&[], &plain(80)), "No runs to report.\n");
}

#[test]
fn lines_fit_the_width() {
    for width in [48, 60, 80, 100, 132, 200] {
        let text = render_terminal(&common::all(), &plain(width));
        for line in text.lines() {
            assert!(columns(line) <= usize::from(width), "{width}: {line}");
        }
    }
}

#[test]
fn colour_adds_only_escape_codes() {
    let color = TerminalOptions {
        color: true,
        width: 120,
    };
    let coloured = render_terminal(&common::all(), &color);
    assert!(coloured.contains('\u{1b}'));
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        stripped.push_str(before);
        rest = after
            .split_once('m')
            .expect("an escape sequence ends in m")
            .1;
    }
    stripped.push_str(rest);
    let stripped: Vec<&str> = stripped.lines().map(str::trim_end).collect();
    let plain = render_terminal(&common::all(), &plain(120));
    assert_eq!(stripped, plain.lines().collect::<Vec<_>>());
}

#[test]
fn hostile_text_emits_no_escape_sequences() {
    let text = render_terminal(&[common::hostile()], &plain(120));
    assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
    assert!(text.contains("\\u{1b}[31m"));
}

#[test]
fn comparing_different_problems_warns() {
    let mut other = common::sloppy();
    other
        .config
        .problems
        .values_mut()
        .for_each(|p| p.hash = "b3:99".into());
    let warning = "have different problems";
    assert!(render_terminal(&[common::tidy(), other.clone()], &plain(100)).contains(warning));
    assert!(!render_terminal(&[common::tidy(), common::sloppy()], &plain(100)).contains(warning));
    assert!(slope_report::render_markdown(&[common::tidy(), other.clone()]).contains(warning));
    assert!(common::page(&[common::tidy(), other], &[]).contains(warning));
}
