//! The page of a history: what it shows, and that nothing in it runs, fetches or breaks out.

use std::collections::BTreeMap;

use slope_model::history::{
    AxisTrend, ChangePoint, CommitInfo, CommitLedger, DiffLine, DiffSide, EntryAt, EntryDiff,
    History, HistoryEvidence, HistoryLedger, HistoryPoint, MetricMovers, MetricTrend, Share,
    SlopeEstimate,
};
use slope_model::ledger::{Amounts, Copied, EntryKind, LedgerEntry, LedgerPlace, Likeness};
use slope_model::measurement::{Definitions, Part, Totals};
use slope_model::schema;
use slope_report::render_history_page;

/// What everybody who writes to a repository can choose: it must be shown and do nothing.
const HOSTILE: &str =
    "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}\u{1b}[31m\u{202e}";

fn commit(number: u32) -> CommitInfo {
    CommitInfo {
        id: format!("{number:040x}"),
        time: format!("2026-01-{:02}T12:00:00Z", number + 1),
        author: format!("Ann {HOSTILE}"),
        email: "a@example.com".to_owned(),
        agents: vec![format!("claude {HOSTILE}")],
        subject: format!("Grow {HOSTILE}"),
        is_merge: false,
    }
}

fn point(number: u32) -> HistoryPoint {
    let totals = |mass: f64| Totals {
        sloc: 100 + u64::from(number),
        mass: Some(mass),
        verbosity: Some(0.25),
        ..Totals::default()
    };
    HistoryPoint {
        position: number,
        commit: commit(number),
        months: f64::from(number) / 30.0,
        changed_files: 1,
        totals: totals(90.0),
        parts: BTreeMap::from([
            (Part::Product, totals(50.0 + f64::from(number))),
            (Part::Tests, totals(40.0)),
        ]),
        published: None,
        findings: BTreeMap::new(),
    }
}

fn trend(metric: &str, part: Option<Part>) -> MetricTrend {
    let slope = SlopeEstimate {
        slope: 30.0,
        low: Some(20.0),
        high: Some(40.0),
    };
    let axis = AxisTrend {
        ols: Some(slope),
        theil_sen: Some(slope),
    };
    MetricTrend {
        metric: metric.to_owned(),
        part,
        is_relative: false,
        points: 3,
        first: 50.0,
        last: 52.0,
        growth: Some(0.04),
        rising_share: Some(1.0),
        per_commit: axis,
        per_month: axis,
        per_kloc: AxisTrend::default(),
        change_points: vec![ChangePoint {
            point: 1,
            commit: commit(1).id,
            before: 1.0,
            after: 2.0,
        }],
    }
}

fn entry() -> LedgerEntry {
    let place = |complexity| LedgerPlace {
        path: format!("a/{HOSTILE}.py"),
        function: Some(format!("f{HOSTILE}")),
        start_line: 3,
        end_line: 9,
        complexity: Some(complexity),
        amounts: Amounts::default(),
    };
    LedgerEntry {
        kind: EntryKind::Changed,
        part: Part::Product,
        path: format!("a/{HOSTILE}.py"),
        function: Some(format!("f{HOSTILE}")),
        line: 3,
        change: Amounts {
            mass: 12.5,
            clone_lines: 16,
            ..Amounts::default()
        },
        from: vec![place(4)],
        to: vec![place(9)],
        elsewhere: Vec::new(),
        copied: Some(Copied {
            path: format!("c{HOSTILE}.py"),
            function: None,
            line: 1,
            end_line: 6,
            lines: 6,
            likeness: Likeness::Same,
            is_whole: true,
        }),
        twin: None,
        dead_code: Vec::new(),
    }
}

fn history() -> History {
    let share = || Share {
        name: HOSTILE.to_owned(),
        commits: 2,
        entries: 3,
        change: Amounts {
            mass: 1.0,
            ..Amounts::default()
        },
    };
    let told = CommitLedger {
        commit: commit(1),
        base: commit(0).id,
        change: entry().change,
        layout: Amounts::default(),
        sloc_alone: 0,
        entries: vec![entry()],
    };
    History {
        schema: schema::HISTORY.to_owned(),
        definitions: Definitions::default(),
        repository: format!("repo {HOSTILE}"),
        revision: format!("main {HOSTILE}"),
        commits: 9,
        touching: 3,
        points: (0..3).map(point).collect(),
        trends: vec![
            trend("mass", Some(Part::Product)),
            trend("mass", None),
            trend("verbosity", Some(Part::Product)),
        ],
        notes: vec![HOSTILE.to_owned()],
        ledger: Some(HistoryLedger {
            opening: Amounts::default(),
            commits: vec![told],
            authors: vec![share()],
            agents: vec![share()],
            files: vec![share()],
            functions: vec![share()],
            layout: Amounts::default(),
            sloc_alone: 0,
        }),
    }
}

fn evidence() -> HistoryEvidence {
    let at = EntryAt {
        commit: 0,
        entry: 0,
    };
    let line = |side, text: &str| DiffLine {
        side,
        line: 3,
        text: text.to_owned(),
    };
    HistoryEvidence {
        movers: vec![MetricMovers {
            metric: &slope_model::metrics::MASS,
            raised: vec![at],
            lowered: Vec::new(),
        }],
        diffs: vec![EntryDiff {
            at,
            hunks: vec![vec![
                line(DiffSide::Both, "\tdef f():"),
                line(DiffSide::Before, "    return 1"),
                line(DiffSide::After, &format!("    return {HOSTILE}")),
            ]],
            left_out: 7,
        }],
    }
}

/// Renders a page and leaves it where people can open it, `target/tmp`.
fn page(name: &str, history: &History, evidence: &HistoryEvidence) -> String {
    let html = render_history_page(history, evidence).unwrap();
    let at = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&at, &html).unwrap();
    html
}

/// Values of an attribute in the page.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let mark = format!(" {attribute}=\"");
    let parts = html.split(mark.as_str()).skip(1);
    parts.map(|part| part.split('"').next().unwrap()).collect()
}

#[test]
fn hostile_text_is_escaped() {
    let html = page("history.html", &history(), &evidence());
    assert_eq!(html.matches("<script").count(), 1, "its own");
    assert!(!html.contains("<img") && !html.contains(['\u{1b}', '\u{202e}']));
    assert!(html.contains("{{ 7*7 }}"), "it is no template either");
    assert!(
        html.contains("&lt;script&gt;alert(1)"),
        "it is shown, as what it is"
    );
    assert!(!html.contains(['⟦', '⟧']), "a mark of the plots is left");
}

#[test]
fn history_page_is_self_contained() {
    let html = page("history.html", &history(), &evidence());
    for outside in [
        "http://",
        "https://",
        " src=\"",
        "url(",
        "@import",
        "<link",
        "javascript:",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
    let (_, rest) = html.split_once("<script>").unwrap();
    let (script, _) = rest.split_once("</script>").unwrap();
    let hash = <sha2::Sha256 as sha2::Digest>::digest(script.as_bytes());
    let hash = data_encoding::BASE64.encode(&hash);
    assert!(html.contains(&format!("script-src 'sha256-{hash}'")));
    let ids = values(&html, "id");
    for (index, id) in ids.iter().enumerate() {
        assert!(!ids[..index].contains(id), "{id} twice");
    }
    for target in values(&html, "href") {
        let target = target.strip_prefix('#').unwrap();
        assert!(ids.contains(&target), "no {target}");
    }
}

#[test]
fn page_shows_slopes_movers_and_diffs() {
    let html = page("history.html", &history(), &evidence());
    for text in [
        "3 snapshots of 9 commits",
        "+30.0",
        "+20.0 to +40.0",
        "complexity 4 → 9",
        "mass +12.5",
        "clone lines +16",
        "<tr class=\"gone\"><td class=\"n\">3</td><td class=\"s\">−</td><td><code>    return 1</code>",
        "<code>    def f():</code>",
        "7 more lines of the diff are left out",
        "Raised most by",
        "Changes of pace",
        "52.0 · 2026-01-03 · 0000000000",
        "tests: 40.0",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert_eq!(
        html.matches("<svg ").count(),
        2,
        "a plot for each metric with a trend"
    );
    assert_eq!(html, page("again.html", &history(), &evidence()));
}

#[test]
fn history_page_renders_without_ledger() {
    let mut bare = history();
    bare.ledger = None;
    bare.points.truncate(1);
    bare.trends[0].change_points.clear();
    let html = page("bare.html", &bare, &HistoryEvidence::default());
    assert!(html.contains("nothing to draw") && !html.contains("What moved it"));
    bare.points.clear();
    bare.trends.clear();
    let html = page("none.html", &bare, &HistoryEvidence::default());
    assert!(html.contains("0 snapshots"));
}
