//! The HTML report: its structure, and that nothing in it runs, fetches or breaks out.

mod common;

use slope_report::render_html;

/// Renders a page and leaves it where people can open it, `target/tmp`.
fn page(name: &str, reports: &[slope_model::run::RunReport]) -> String {
    let html = render_html(reports).expect("a page");
    let at = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&at, &html).expect("a writable target folder");
    html
}

fn pages() -> Vec<String> {
    vec![
        page("two.html", &[common::tidy(), common::sloppy()]),
        page("all.html", &common::all()),
        page("hostile.html", &[common::hostile()]),
        page("empty.html", &[common::empty()]),
        page("none.html", &[]),
    ]
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
        if tag.name == "style" {
            rest = rest.split_once("</style>").expect("a style ends").1;
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
                assert!(ids.contains(&target), "no {target}");
            }
        }
    }
}

#[test]
fn nothing_runs_and_nothing_is_fetched() {
    for html in pages() {
        for tag in parse(&html) {
            let forbidden = [
                "script", "iframe", "object", "embed", "link", "img", "base", "form",
            ];
            assert!(!forbidden.contains(&tag.name.as_str()), "{tag:?}");
            for (key, _) in &tag.attributes {
                assert!(
                    !key.starts_with("on") && key != "src" && key != "xlink:href",
                    "{tag:?}"
                );
            }
        }
        let lower = html.to_lowercase();
        for word in ["http://", "https://", "url(", "@import", "javascript:"] {
            assert!(!lower.contains(word), "{word}");
        }
        assert!(html.contains("default-src 'none'"));
    }
}

#[test]
fn hostile_text_is_only_text() {
    let html = page("hostile.html", &[common::hostile()]);
    assert!(!html.contains("<script") && !html.contains('\u{1b}') && !html.contains('\u{202e}'));
    // It is shown, as what it is.
    assert!(html.contains("&lt;script&gt;alert("));
    // It is not a template either.
    assert!(html.contains("{{ 7*7 }}") && !html.contains("49|"));
}

#[test]
fn every_chart_has_a_name_and_its_values_as_a_table() {
    let html = page("two.html", &[common::tidy(), common::sloppy()]);
    let charts = html.matches("<svg ").count();
    // One for each metric, and the tests of two trials.
    assert_eq!(charts, slope_report::Metric::ALL.len() + 2);
    assert_eq!(html.matches("role=\"img\"><title>").count(), charts);
    assert_eq!(
        html.matches("<summary>Values</summary>").count(),
        slope_report::Metric::ALL.len()
    );
    assert!(
        html.contains("<title>sloppy: 0.229</title>"),
        "points say their exact values"
    );
    assert!(!html.contains(['⟦', '⟧']));
    assert!(html.len() < 200_000, "{} bytes", html.len());
}

#[test]
fn the_same_reports_give_the_same_bytes() {
    assert_eq!(
        render_html(&common::all()).unwrap(),
        render_html(&common::all()).unwrap()
    );
}

#[test]
fn what_is_missing_is_said() {
    let html = page("all.html", &common::all());
    for text in [
        "the agent exited with status 137",
        "no space left on device: snapshot of checkpoint_3",
        "line 14: the parser found no valid syntax",
        "test_timeout[slow disk]",
        "the workspace holds a conftest.py; it was not loaded",
        "This run has no trial yet.",
        "<b>2 lost</b>",
        "<b>2 missing</b>",
    ] {
        assert!(html.contains(text), "{text}");
    }
}
