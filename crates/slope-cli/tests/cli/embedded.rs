//! Code in components and notebooks, in every command.

use std::path::Path;
use std::process::Output;

use crate::common::{run_json, slope, stderr, stdout};
use serde_json::Value;
use slope_testkit::git::{commit, repository};
use slope_testkit::write;

fn run_in(dir: &Path, args: &[&str]) -> Output {
    slope().args(args).current_dir(dir).output().unwrap()
}

fn json_in(dir: &Path, args: &[&str]) -> Value {
    let output = run_in(dir, args);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{args:?}: {}", stderr(&output)))
}

/// A function of some complexity.
fn branches(n: usize) -> String {
    let branch = |i: usize| {
        format!("  if (value === {i} * other.a{i}) {{\n    total += other.b{i}({i})\n  }}\n")
    };
    let body: String = (1..n).map(branch).collect();
    format!("function big(value, other) {{\n  let total = 0\n{body}  return total\n}}\n")
}

/// The same in Python.
fn python_branches(n: usize) -> String {
    let branch =
        |i: usize| format!("    if value == {i} * other.a{i}:\n        total += other.b{i}({i})\n");
    let body: String = (1..n).map(branch).collect();
    format!("def big(value, other):\n    total = 0\n{body}    return total\n")
}

fn component(suffix: &str, code: &str) -> String {
    let markup = "<p class=\"a\">{{ big(1, {}) }}</p>\n";
    match suffix {
        "vue" => format!("<template>\n{markup}</template>\n<script setup>\n{code}</script>\n"),
        "svelte" => format!("{markup}<script>\n{code}</script>\n"),
        _ => format!("---\n{code}---\n{markup}"),
    }
}

/// A notebook with one cell of code below one of text.
fn notebook(code: &str) -> String {
    let lines: Vec<Value> = code.split_inclusive('\n').map(Value::from).collect();
    let cells = serde_json::json!([
        { "cell_type": "markdown", "metadata": {}, "source": ["# Title"] },
        { "cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [], "source": lines },
    ]);
    let notebook = serde_json::json!({ "cells": cells, "metadata": { "kernelspec": { "language": "python" } }, "nbformat": 4, "nbformat_minor": 5 });
    serde_json::to_string_pretty(&notebook).unwrap() + "\n"
}

fn file(suffix: &str, complexity: usize) -> (String, String) {
    let text = match suffix {
        "ipynb" => notebook(&python_branches(complexity)),
        _ => component(suffix, &branches(complexity)),
    };
    (format!("a.{suffix}"), text)
}

const SUFFIXES: [&str; 4] = ["vue", "svelte", "astro", "ipynb"];

/// The line of a text in another, from 1.
fn line_of(text: &str, part: &str) -> u64 {
    text.lines().position(|line| line.contains(part)).unwrap() as u64 + 1
}

#[test]
fn measure_finds_functions_at_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<_> = SUFFIXES.map(|suffix| file(suffix, 12)).into();
    write(dir.path(), &files);
    let cold = json_in(dir.path(), &["measure", ".", "--format", "json"]);
    let warm = json_in(dir.path(), &["measure", ".", "--format", "json"]);
    let without = json_in(
        dir.path(),
        &["measure", ".", "--format", "json", "--no-cache"],
    );
    assert_eq!(cold, warm);
    assert_eq!(cold, without);
    for (path, text) in &files {
        let measured = cold["files"]
            .as_array()
            .unwrap()
            .iter()
            .find(|file| file["path"] == **path)
            .unwrap();
        let language = match path.as_str() {
            "a.ipynb" => "python",
            "a.astro" => "typescript",
            _ => "javascript",
        };
        assert_eq!(measured["language"], language, "{path}");
        let big = &measured["callables"][0];
        assert_eq!(
            (&big["name"], &big["complexity"]),
            (&"big".into(), &12.into()),
            "{path}"
        );
        assert_eq!(
            big["span"]["start_line"],
            line_of(text, "big(value"),
            "{path}"
        );
    }
}

#[test]
fn unreadable_notebooks_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let julia = notebook("x").replace("\"python\"", "\"R\"");
    write(
        dir.path(),
        &[
            ("a.py", "a = 1\n"),
            ("b.ipynb", "{"),
            ("c.ipynb", &julia),
            (".ipynb_checkpoints/d.ipynb", "{"),
        ],
    );
    let measured = json_in(dir.path(), &["measure", ".", "--format", "json"]);
    let unmeasured = measured["unmeasured"].as_array().unwrap();
    let reasons: Vec<&str> = unmeasured
        .iter()
        .filter_map(|one| one["reason"].as_str())
        .collect();
    assert_eq!(reasons.len(), 2, "{unmeasured:?}");
    assert!(reasons[0].starts_with("not a notebook"), "{reasons:?}");
    assert!(reasons[1].contains("`R`"), "{reasons:?}");
}

#[test]
fn check_judges_changes_of_embedded_code() {
    for suffix in SUFFIXES {
        let (path, text) = file(suffix, 12);
        let dir = repository(&[(&*path, &*text)]);
        write(dir.path(), &[file(suffix, 18)]);
        let judgement = json_in(dir.path(), &["check", "--format", "json"]);
        let violations = judgement["violations"].as_array().unwrap();
        let grown = violations.iter().find(|v| v["rule"] == "complexity-growth");
        let grown = grown.unwrap_or_else(|| panic!("{suffix}: {judgement}"));
        assert_eq!(
            (&grown["path"], &grown["function"]),
            (&path.clone().into(), &"big".into())
        );
        let line = line_of(&file(suffix, 18).1, "big(value");
        assert_eq!(grown["line"], line, "{suffix}");
    }
}

#[test]
fn check_ignores_markup_and_outputs() {
    for suffix in SUFFIXES {
        let (path, text) = file(suffix, 12);
        let dir = repository(&[(&*path, &*text)]);
        let changed = text
            .replace("\"outputs\": []", "\"outputs\": [{\"data\": {\n\n}}]")
            .replace("class=\"a\"", "class=\"b\"\n");
        assert_ne!(changed, text);
        write(dir.path(), &[(&path, &changed)]);
        let output = run_in(dir.path(), &["check"]);
        assert!(output.status.success(), "{suffix}: {}", stdout(&output));
    }
}

#[test]
fn check_reports_broken_scripts() {
    for suffix in SUFFIXES {
        let (path, text) = file(suffix, 3);
        let dir = repository(&[(&*path, &*text)]);
        write(
            dir.path(),
            &[(&path, text.replace("total = 0", "total = = 0"))],
        );
        let judgement = json_in(dir.path(), &["check", "--format", "json"]);
        let rules = judgement["violations"].to_string();
        assert!(rules.contains("syntax"), "{suffix}: {judgement}");
    }
}

#[test]
fn template_uses_keep_imports_and_functions() {
    let script = "import { shown } from './a'\nimport { hidden } from './b'\nfunction used() {\n  return 1\n}\n";
    for (path, text) in [
        (
            "a.vue",
            format!(
                "<script setup>\n{script}</script>\n<template><p @click=\"used\">{{{{ shown }}}}</p></template>\n"
            ),
        ),
        (
            "a.svelte",
            format!("<script>\n{script}</script>\n<p on:click={{used}}>{{$shown}}</p>\n"),
        ),
        (
            "a.astro",
            format!("---\n{script}---\n<p title={{used()}}>{{shown}}</p>\n"),
        ),
    ] {
        let dir = repository(&[("b.js", "const a = 1\n")]);
        write(dir.path(), &[(path, text)]);
        let judgement = json_in(dir.path(), &["check", "--format", "json"]);
        let found: Vec<&str> = judgement["violations"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|v| v["message"].as_str())
            .collect();
        assert_eq!(found.len(), 1, "{path}: {judgement}");
        assert!(found[0].contains("`hidden`"), "{path}: {found:?}");
    }
}

#[test]
fn comments_silence_findings_in_embedded_code() {
    let dir = tempfile::tempdir().unwrap();
    let script = component(
        "vue",
        &branches(12).replace(
            "function big",
            "// slope: ignore[high-complexity] tried\nfunction big",
        ),
    );
    let cell = notebook(&format!(
        "# slope: ignore[high-complexity] tried\n{}",
        python_branches(12)
    ));
    write(dir.path(), &[("a.vue", script), ("a.ipynb", cell)]);
    let measured = json_in(dir.path(), &["measure", ".", "--format", "json"]);
    assert!(
        !measured["findings"].to_string().contains("high-complexity"),
        "{}",
        measured["findings"]
    );
    assert_eq!(
        measured["suppressed"].as_array().unwrap().len(),
        2,
        "{}",
        measured["suppressed"]
    );
}

#[test]
fn history_follows_embedded_code() {
    let dir = repository(&SUFFIXES.map(|suffix| file(suffix, 3)));
    commit(dir.path(), &SUFFIXES.map(|suffix| file(suffix, 12)));
    let history = json_in(dir.path(), &["history", ".", "--format", "json"]);
    let text = history.to_string();
    assert!(text.contains("high_complexity_callables"), "{text}");
    let head = json_in(dir.path(), &["measure", ".", "--format", "json"]);
    assert_eq!(head["totals"]["high_complexity_callables"], 4);
}

#[test]
fn values_of_cells_are_not_thrown_away() {
    let dir = tempfile::tempdir().unwrap();
    let shown = "x = f()\n[print(y) for y in x]";
    let lost = "[print(y) for y in f()]\nz = 1";
    write(
        dir.path(),
        &[("a.ipynb", notebook(shown)), ("b.ipynb", notebook(lost))],
    );
    let measured = run_json(&["measure", dir.path().to_str().unwrap(), "--format", "json"]);
    let findings = measured["findings"].as_array().unwrap();
    let paths: Vec<&str> = findings
        .iter()
        .filter(|f| f["rule"] == "comprehension-for-effect")
        .filter_map(|f| f["path"].as_str())
        .collect();
    assert_eq!(paths, ["b.ipynb"]);
}

#[test]
fn messages_name_cells_of_notebooks() {
    let (path, text) = file("ipynb", 12);
    let dir = repository(&[(&*path, &*text)]);
    let measured = stdout(&run_in(dir.path(), &["measure", ".", "--findings"]));
    let line = line_of(&text, "big(value");
    assert!(
        measured.contains(&format!("a.ipynb:{line} (cell 2, line 1)")),
        "{measured}"
    );
    assert!(
        measured.contains("warning: cell 2, line 1: `big`"),
        "{measured}"
    );
    write(dir.path(), &[file("ipynb", 18)]);
    let judged = stdout(&run_in(dir.path(), &["check"]));
    assert!(judged.contains("cell 2, line 1: `big`"), "{judged}");
}

#[test]
fn valid_cells_are_not_refused() {
    let code = "import json\nfrom __future__ import annotations\nx = await json.f()\nasync with x as y:\n    y\n";
    let dir = repository(&[("b.py", "a = 1\n")]);
    write(dir.path(), &[("a.ipynb", notebook(code))]);
    let judgement = json_in(dir.path(), &["check", "--format", "json"]);
    assert_eq!(
        judgement["violations"],
        serde_json::json!([]),
        "{judgement}"
    );
    write(
        dir.path(),
        &[("a.ipynb", notebook("def f():\n    await x\n"))],
    );
    let judgement = json_in(dir.path(), &["check", "--format", "json"]);
    assert_eq!(
        judgement["violations"][0]["rule"], "broken-syntax",
        "{judgement}"
    );
}

/// The lines that a format names of a notebook on one line.
fn lines_on_one(args: &[&str], start: &str) -> Vec<u64> {
    let dir = repository(&[("a.py", "a = 1\n")]);
    let value: Value = serde_json::from_str(&notebook(&python_branches(20))).unwrap();
    write(dir.path(), &[("a.ipynb", value.to_string() + "\n")]);
    let text = stdout(&run_in(dir.path(), args));
    let places = text
        .match_indices(start)
        .map(|(at, _)| &text[at + start.len()..]);
    let number = |rest: &str| {
        rest.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    places.filter_map(number).collect()
}

#[test]
fn notebook_on_one_line_has_no_others() {
    for (args, start) in [
        (&["measure", ".", "--findings"][..], "a.ipynb:"),
        (&["measure", ".", "--format", "github"], "a.ipynb,line="),
        (&["measure", ".", "--format", "sarif"], "\"startLine\": "),
        (&["measure", ".", "--format", "gitlab"], "\"begin\": "),
        (&["check"], "a.ipynb:"),
        (&["check", "--format", "github"], "a.ipynb,line="),
    ] {
        let lines = lines_on_one(args, start);
        assert!(
            !lines.is_empty() && lines.iter().all(|&line| line == 1),
            "{args:?}: {lines:?}"
        );
    }
}
