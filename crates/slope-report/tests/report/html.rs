//! The HTML report: its structure, and that nothing in it runs, fetches or breaks out.

use crate::common;
use sha2::Digest;
use slope_model::exhibit::{
    Actor, Call, ChangeKind, Changes, CheckpointExhibit, Excerpt, FileChange, FindingLine, Hunk,
    Listed, Step, TestLine, TrialExhibit,
};
use slope_model::problem::Group;
use slope_model::run::RunReport;
use slope_model::verdict::Outcome;

/// Renders a page and leaves it where people can open it, `target/tmp`.
fn page(name: &str, reports: &[RunReport]) -> String {
    page_with(name, reports, &[])
}

fn page_with(name: &str, reports: &[RunReport], details: &[TrialExhibit]) -> String {
    let html = common::page(reports, details);
    let at = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&at, &html).expect("a writable target folder");
    html
}

fn pages() -> Vec<String> {
    vec![
        page("two.html", &[common::tidy(), common::sloppy()]),
        page("all.html", &common::all()),
        page_with(
            "hostile.html",
            &[common::hostile()],
            &details(&common::hostile(), common::HOSTILE),
        ),
        page("empty.html", &[common::empty()]),
        page("none.html", &[]),
    ]
}

/// Details of the run's first trial in which every text is `text`.
fn details(report: &RunReport, text: &str) -> Vec<TrialExhibit> {
    let excerpt = || Excerpt::of(text, 10_000);
    let test = TestLine {
        id: text.to_owned(),
        group: Group::Core,
        outcome: Outcome::Failed,
        message: Some(text.to_owned()),
    };
    let file = FileChange {
        path: text.to_owned(),
        kind: ChangeKind::Changed,
        added: 1,
        removed: 0,
        hunks: vec![Hunk {
            old: 1,
            new: 1,
            lines: vec![format!("+{text}")],
        }],
        left_out: 3,
        note: None,
    };
    let found = FindingLine {
        rule: "a-rule".to_owned(),
        severity: None,
        path: text.to_owned(),
        line: 7,
        message: text.to_owned(),
    };
    let step = Step {
        actor: Actor::Agent,
        message: excerpt(),
        calls: vec![Call::new(text, &text.into(), 2000)],
        results: vec![excerpt()],
        took_s: None,
    };
    let first = CheckpointExhibit {
        spec: Ok(excerpt()),
        changes: Ok(Changes {
            files: vec![file],
            added: 1,
            removed: 0,
        }),
        tests: Ok(Listed::within([test], 10_000, |_| 1)),
        findings: Ok(Listed::within([found], 10_000, |_| 1)),
        steps: Ok(Listed::within([step], 10_000, |_| 1)),
    };
    let trial = &report.trials[0];
    let others = trial.checkpoints.iter().skip(1);
    let others = others.map(|_| CheckpointExhibit::missing("the journal ends before"));
    vec![TrialExhibit {
        run: report.run.clone(),
        problem: trial.problem.clone(),
        trial: trial.trial,
        checkpoints: std::iter::once(first).chain(others).collect(),
    }]
}

/// The JSON of a script element.
fn data(html: &str, id: &str) -> serde_json::Value {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let (_, after) = html.split_once(&start).expect("its element");
    let (json, _) = after.split_once('<').expect("its end");
    serde_json::from_str(json).expect("JSON")
}

/// An element's start: its name and its attributes.
#[derive(Debug)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

/// Reads the page as strictly as XML would be (void elements aside): every element closed in
/// order, every attribute quoted. Panics where it is not, and returns the starts.
fn parse(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once('<') {
        let end = tag_end(after);
        let (inside, after) = after.split_at(end);
        rest = &after[1..];
        if inside.starts_with('!') {
            continue;
        }
        if let Some(name) = inside.strip_prefix('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name),
                "near {}",
                &rest[..rest.len().min(80)]
            );
            continue;
        }
        let tag = tag(inside.trim_end_matches('/'));
        let void = ["meta", "link", "br", "hr", "img", "input"].contains(&tag.name.as_str());
        if tag.name == "style" || tag.name == "script" {
            let end = format!("</{}>", tag.name);
            rest = rest.split_once(&end).expect("it ends").1;
        } else if !void && !inside.ends_with('/') {
            open.push(tag.name.clone());
        }
        tags.push(tag);
    }
    assert!(open.is_empty(), "left open: {open:?}");
    tags
}

/// Where a tag ends: the first `>` outside quotes.
fn tag_end(text: &str) -> usize {
    let mut quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '>' if !quoted => return at,
            _ => {}
        }
    }
    panic!("a tag without an end: {}", &text[..text.len().min(80)]);
}

fn tag(inside: &str) -> Tag {
    let (name, mut rest) = inside
        .split_once(char::is_whitespace)
        .unwrap_or((inside, ""));
    assert!(
        name.chars().all(|c| c.is_ascii_alphanumeric()),
        "odd tag {name:?}"
    );
    let mut attributes = Vec::new();
    while let Some((key, after)) = rest.trim_start().split_once('=') {
        let value = after
            .strip_prefix('"')
            .unwrap_or_else(|| panic!("unquoted {key} in <{inside}>"));
        let (value, after) = value.split_once('"').expect("a closing quote");
        attributes.push((key.trim().to_owned(), value.to_owned()));
        rest = after;
    }
    assert!(
        rest.trim().is_empty(),
        "odd attributes {rest:?} in <{inside}>"
    );
    Tag {
        name: name.to_owned(),
        attributes,
    }
}

#[test]
fn pages_are_well_formed() {
    for html in pages() {
        assert!(html.trim_start().starts_with("<!doctype html>"));
        let tags = parse(&html);
        for name in ["html", "head", "title", "style", "body", "main", "h1"] {
            assert!(tags.iter().any(|t| t.name == name), "no {name}");
        }
        let mut ids: Vec<&str> = Vec::new();
        for (key, value) in tags.iter().flat_map(|t| &t.attributes) {
            if key == "id" {
                assert!(!ids.contains(&value.as_str()), "{value} twice");
                ids.push(value);
            }
        }
        for (key, value) in tags.iter().flat_map(|t| &t.attributes) {
            if key == "href" {
                let target = value.strip_prefix('#').expect("only links within the page");
                // The view of two trials is made by the script; that of one has its data's address.
                assert!(ids.contains(&target) || target == "compare", "no {target}");
            }
        }
    }
}

/// Everything between `<script>` and its end, of scripts that run.
fn scripts(html: &str) -> Vec<&str> {
    let after = html.split("<script>").skip(1);
    after
        .map(|text| text.split_once("</script>").expect("it ends").0)
        .collect()
}

#[test]
fn page_runs_only_its_scripts() {
    for html in pages() {
        for tag in parse(&html) {
            let forbidden = ["iframe", "object", "embed", "link", "img", "base", "form"];
            assert!(!forbidden.contains(&tag.name.as_str()), "{tag:?}");
            for (key, _) in &tag.attributes {
                assert!(
                    !key.starts_with("on") && key != "src" && key != "xlink:href",
                    "{tag:?}"
                );
            }
        }
        let scripts = scripts(&html);
        assert!(
            scripts.len() == 2 || !html.contains("<article"),
            "{}",
            scripts.len()
        );
        for script in &scripts {
            let hash = data_encoding::BASE64.encode(&sha2::Sha256::digest(script.as_bytes()));
            let named = html.contains(&format!("'sha256-{hash}'"));
            assert!(
                named,
                "templates/report.js.sha256 or that of the library must hold {hash}"
            );
            for maker in ["eval(", "new Function", "innerHTML =", "document.write"] {
                assert!(!script.contains(maker) || script.len() > 100_000, "{maker}");
            }
        }
        let library = scripts.iter().find(|script| script.len() > 100_000);
        let lower = html
            .replace(library.copied().unwrap_or("\0"), "")
            .to_lowercase();
        for word in ["http://", "https://", "url(", "@import", "javascript:"] {
            assert!(!lower.contains(word), "{word}");
        }
        assert!(html.contains("default-src 'none'"));
    }
}

#[test]
fn hostile_text_is_escaped() {
    let report = common::hostile();
    let html = page_with(
        "hostile.html",
        std::slice::from_ref(&report),
        &details(&report, common::HOSTILE),
    );
    assert!(
        !html.contains("<script>alert") && !html.contains('\u{1b}') && !html.contains('\u{202e}')
    );
    // It is shown, as what it is.
    assert!(html.contains("&lt;script&gt;alert("));
    // It is not a template either.
    assert!(html.contains("{{ 7*7 }}") && !html.contains("49|"));
    // In the data of the script nothing begins an element, and the text is whole.
    let trial = data(&html, "trial-1");
    let detail = &trial["checkpoints"][0]["detail"];
    let shown = "<script>alert('x')</script>\"&{{ 7*7 }}|`*_\\u{1b}[31m\\u{202e}";
    assert_eq!(detail["spec"]["Ok"]["text"], shown);
    assert_eq!(
        detail["changes"]["Ok"]["files"][0]["hunks"][0]["lines"][0],
        format!("+{shown}")
    );
    assert_eq!(detail["tests"]["Ok"]["items"][0]["message"], shown);
    assert_eq!(detail["steps"]["Ok"]["items"][0]["calls"][0]["tool"], shown);
}

#[test]
fn every_plot_has_a_value_table() {
    let html = page("two.html", &[common::tidy(), common::sloppy()]);
    let shown = html.matches("<div class=\"plot\" data-plot=").count();
    assert_eq!(html.matches("<summary>Values</summary>").count(), shown);
    let plots = data(&html, "page-data")["plots"].clone();
    let plots = plots.as_object().expect("plots");
    assert!(shown >= slope_report::Metric::all().count() && shown <= plots.len());
    for plot in plots.values() {
        let length = plot["x"].as_array().map(Vec::len);
        assert_ne!(plot["y_name"], "", "{plot}");
        for series in plot["series"].as_array().expect("series") {
            for values in ["values", "low", "high"] {
                assert_eq!(
                    series[values].as_array().map(Vec::len),
                    length,
                    "{values} of {plot}"
                );
            }
        }
    }
    let erosion = plots
        .values()
        .find(|p| p["title"] == "Erosion" && p["legend"] == "trials");
    assert_eq!(erosion.expect("a plot")["series"][1]["name"], "sloppy");
    assert!(html.len() < 1_100_000, "{} bytes", html.len());
}

#[test]
fn trial_without_details_says_so() {
    let both = [common::tidy(), common::sloppy()];
    let html = page_with("details.html", &both, &details(&both[0], "said"));
    let (first, second) = (data(&html, "trial-1"), data(&html, "trial-2"));
    assert_eq!(first["note"], serde_json::Value::Null);
    assert_eq!(
        first["checkpoints"][1]["detail"]["spec"]["Err"],
        "the journal ends before"
    );
    let note = second["note"].as_str().expect("a note");
    assert!(note.contains("are not on this page"), "{note}");
    assert_eq!(second["checkpoints"][0]["detail"], serde_json::Value::Null);
}

#[test]
fn oversized_details_are_dropped_with_note() {
    let report = common::tidy();
    let long = "a long text ".repeat(300_000);
    let mut all = details(&report, "short");
    for checkpoint in &mut all[0].checkpoints {
        checkpoint.spec = Ok(Excerpt::of(&long, usize::MAX));
    }
    let html = page_with("long.html", &[report], &all);
    assert!(html.len() < 5_000_000, "{} bytes", html.len());
    assert!(data(&html, "trial-1")["note"].is_string());
}

#[test]
fn equal_reports_give_equal_pages() {
    assert_eq!(
        common::page(&common::all(), &[]),
        common::page(&common::all(), &[])
    );
}

#[test]
fn missing_data_is_explained() {
    let html = page("all.html", &common::all());
    for text in [
        "the agent exited with status 137",
        "no space left on device: snapshot of checkpoint_3",
        "line 14: the parser found no valid syntax",
        "test_timeout[slow disk]",
        "the workspace holds a conftest.py; it was not loaded",
        "This run has no trials yet.",
        "<b>2 lost</b>",
        "<b>2 missing</b>",
    ] {
        assert!(html.contains(text), "{text}");
    }
}
