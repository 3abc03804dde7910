//! The help of every command, as users read it.

use crate::common::{run, stdout};

const COMMANDS: &[&[&str]] = &[
    &[],
    &["quickstart"],
    &["run"],
    &["eval"],
    &["measure"],
    &["history"],
    &["diff"],
    &["check"],
    &["track"],
    &["track", "add"],
    &["track", "status"],
    &["track", "plot"],
    &["track", "push"],
    &["grade"],
    &["grade", "calibrate"],
    &["grade", "explain"],
    &["grade", "group"],
    &["grade", "index"],
    &["grade", "pack"],
    &["grade", "schema"],
    &["grade", "serve"],
    &["hook"],
    &["hook", "install"],
    &["hook", "claude-code"],
    &["mcp"],
    &["rules"],
    &["explain"],
    &["report"],
    &["research"],
    &["research", "problems"],
    &["research", "ledger"],
    &["research", "metamorphic"],
    &["research", "panel"],
    &["research", "replay"],
    &["research", "rewards"],
    &["problem"],
    &["problem", "lint"],
    &["problem", "new"],
    &["problem", "try"],
    &["problem", "mutate"],
    &["problem", "gate"],
    &["problem", "render"],
    &["problem", "variants"],
    &["problem", "export"],
    &["problem", "next-edit"],
    &["problem", "next-edit", "cut"],
    &["problem", "next-edit", "render"],
    &["problem", "next-edit", "score"],
    &["problem", "next-edit", "verify"],
    &["completions"],
    &["man"],
    &["doctor"],
    &["gc"],
    &["status"],
    &["resume"],
];

#[test]
fn shells_get_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success());
        assert!(stdout(&output).contains("next-edit"), "{shell}");
    }
}

#[test]
fn man_pages_exist_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert!(run(&["man", pages.to_str().unwrap()]).status.success());
    for page in ["slope.1", "slope-check.1", "slope-problem-gate.1"] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap();
        assert!(text.contains("SYNOPSIS"), "{page}");
    }
    let page = pages.join("slope.1");
    let refused = run(&["man", page.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8_lossy(&refused.stderr);
    assert!(message.contains("name a folder"), "{message}");
}

#[test]
fn help_of_every_command_matches_snapshots() {
    for &command in COMMANDS {
        let output = run(&[command, &["--help"]].concat());
        assert!(output.status.success());
        let help = stdout(&output);
        assert!(
            help.contains("Examples:\n  slope "),
            "slope {command:?} has no examples"
        );
        let name = ["slope", &command.join("-")].join("-");
        insta::assert_snapshot!(name.trim_end_matches('-'), help);
    }
}
