//! Histories and ledgers: the committed schemas are current, and forms tell what they must.

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::history::{CommitInfo, History, HistoryLedger, HistoryPoint, Share};
use slope_model::ledger::{
    Amounts, Balance, Copied, EntryKind, Ledger, LedgerEntry, LedgerPlace, Likeness,
};
use slope_model::measurement::{Definitions, Part, Totals};
use slope_model::schema;
use slope_report::{Format, ListDetail, render_history, render_ledger};

/// Compares a schema with the committed one; `SLOPE_UPDATE_SCHEMAS=1` writes it instead.
fn is_current(name: &str, schema: &schemars::Schema) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/schemas")
        .join(name);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("SLOPE_UPDATE_SCHEMAS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        committed, text,
        "{name} is old; run with SLOPE_UPDATE_SCHEMAS=1"
    );
}

#[test]
fn committed_schemas_are_current() {
    is_current("history.schema.json", &slope_report::history_schema());
    is_current("ledger.schema.json", &slope_report::ledger_schema());
    is_current("judgement.schema.json", &slope_report::judgement_schema());
    is_current("replay.schema.json", &slope_report::replay_schema());
    is_current("point.schema.json", &slope_report::point_schema());
    is_current("series.schema.json", &slope_report::series_schema());
    is_current(
        "track-status.schema.json",
        &slope_report::track_status_schema(),
    );
    is_current(
        "watch-status.schema.json",
        &slope_report::watch_status_schema(),
    );
    is_current("watch-day.schema.json", &slope_report::watch_day_schema());
    is_current("grade.schema.json", &slope_report::grade_schema());
    is_current("assessment.schema.json", &slope_report::assessment_schema());
    is_current(
        "run-assessment.schema.json",
        &slope_report::run_assessment_schema(),
    );
    is_current(
        "calibration.schema.json",
        &slope_report::calibration_schema(),
    );
    is_current(
        "grade-request.schema.json",
        &slope_report::grade_request_schema(),
    );
}

const PLAIN: ListDetail = ListDetail {
    top: 10,
    color: false,
    width: None,
};

fn amounts(mass: f64, lines: i64) -> Amounts {
    Amounts {
        mass,
        clone_lines: lines,
        ..Amounts::default()
    }
}

fn ledger() -> Ledger {
    let place = |path: &str, name: &str, complexity| LedgerPlace {
        path: path.to_owned(),
        function: Some(name.to_owned()),
        start_line: 3,
        end_line: 9,
        complexity: Some(complexity),
        amounts: amounts(9.0, 0),
    };
    let entry = LedgerEntry {
        kind: EntryKind::Changed,
        part: Part::Product,
        path: "b.py".to_owned(),
        function: Some("g\u{1b}[31m".to_owned()),
        line: 3,
        change: amounts(3.5, 16),
        from: vec![place("a.py", "f", 4)],
        to: vec![place("b.py", "g", 6)],
        elsewhere: Vec::new(),
        copied: Some(Copied {
            path: "c.py".to_owned(),
            function: Some("h".to_owned()),
            line: 1,
            end_line: 6,
            lines: 6,
            likeness: Likeness::Same,
            is_whole: true,
        }),
        twin: None,
        dead_code: Vec::new(),
    };
    Ledger {
        schema: schema::LEDGER.to_owned(),
        definitions: Definitions::default(),
        base: "main".to_owned(),
        head: "HEAD".to_owned(),
        balance: Balance {
            before: amounts(100.0, 0),
            after: amounts(103.5, 16),
            change: amounts(3.5, 16),
            layout: amounts(0.0, 0),
        },
        parts: BTreeMap::from([(Part::Product, amounts(3.5, 16))]),
        entries: vec![entry],
        layout: Vec::new(),
        sloc_alone: 0,
    }
}

#[test]
fn ledger_shows_balance_and_sources() {
    let text = render_ledger(&ledger(), &PLAIN);
    for part in [
        "main → HEAD",
        "+3.5",
        "+16",
        "b.py:3",
        "was a.py:3 f",
        "complexity 4 → 6",
        "copy of c.py:1 h",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "a name commands the terminal");
    let mut laid_out = ledger();
    let mut entry = laid_out.entries.remove(0);
    entry.kind = EntryKind::Layout;
    laid_out.balance.layout = laid_out.balance.change;
    laid_out.layout.push(entry);
    let text = render_ledger(&laid_out, &PLAIN);
    assert!(text.contains("The layout column shows what only reformatting adds, in 1 place."));
    let mass = text.lines().find(|line| line.contains("complexity mass"));
    let words: Vec<&str> = mass.unwrap().split_whitespace().collect();
    assert_eq!(
        words,
        ["complexity", "mass", "100.0", "103.5", "0.0", "+3.5"]
    );
    let mut empty = ledger();
    empty.entries.clear();
    assert!(render_ledger(&empty, &PLAIN).contains("No function changed"));
}

fn point(position: u32, sloc: u64) -> HistoryPoint {
    HistoryPoint {
        position,
        commit: CommitInfo {
            id: format!("{position:040x}"),
            time: "2026-11-22T00:00:00Z".to_owned(),
            author: "=A, B".to_owned(),
            email: "a@x".to_owned(),
            agents: vec!["claude".to_owned()],
            subject: "Fix".to_owned(),
            is_merge: false,
        },
        months: f64::from(position),
        changed_files: 1,
        totals: Totals {
            sloc,
            verbosity: Some(0.25),
            ..Totals::default()
        },
        parts: BTreeMap::new(),
        published: None,
        findings: BTreeMap::new(),
    }
}

fn history() -> History {
    History {
        schema: schema::HISTORY.to_owned(),
        definitions: Definitions::default(),
        repository: "repo".to_owned(),
        revision: "main".to_owned(),
        commits: 9,
        touching: 3,
        points: vec![point(0, 10), point(4, 20), point(8, 40)],
        trends: Vec::new(),
        notes: vec!["the clone is shallow".to_owned()],
        ledger: Some(HistoryLedger {
            agents: vec![Share {
                name: "claude|<b>".to_owned(),
                commits: 2,
                entries: 3,
                change: amounts(1.0, 2),
            }],
            ..HistoryLedger::default()
        }),
    }
}

#[test]
fn history_formats_show_points_and_shares() {
    let human = render_history(Format::Human, &history(), &PLAIN).unwrap();
    for part in [
        "repo main",
        "3 snapshots of 9 commits",
        "By agent",
        "shallow",
        "0.250",
    ] {
        assert!(human.contains(part), "{part} in\n{human}");
    }
    let csv = render_history(Format::Csv, &history(), &PLAIN).unwrap();
    assert!(csv.contains("\"'=A, B <a@x>\""), "{csv}");
    assert_eq!(csv.lines().count(), 4);
    let markdown = render_history(Format::Markdown, &history(), &PLAIN).unwrap();
    assert!(
        markdown.contains("claude\\|&lt;b&gt; | +1.0 | +2 |"),
        "{markdown}"
    );
    let json = render_history(Format::Json, &history(), &PLAIN).unwrap();
    let back: History = serde_json::from_str(&json).unwrap();
    assert_eq!(back, history());
}

#[test]
fn history_markdown_escapes_names() {
    let mut hostile = history();
    for share in &mut hostile.ledger.as_mut().unwrap().agents {
        share.name = "[l](http://e) x\n::error::pwned\u{202e}".to_owned();
    }
    let markdown = render_history(Format::Markdown, &hostile, &PLAIN).unwrap();
    let row = "| \\[l\\](http&#58;//e) x\\\\u\\{a\\}::error::pwned\\\\u\\{202e\\} | +1.0 ";
    assert!(markdown.contains(row), "{markdown}");
    assert!(!markdown.lines().any(|line| line.starts_with("::")));
}

#[test]
fn schema_names_are_those_of_outputs() {
    let name = |file: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
        std::fs::read_to_string(folder.join(file)).unwrap()
    };
    for (file, schema) in [
        ("measurement.schema.json", slope_model::schema::MEASUREMENT),
        ("history.schema.json", slope_model::schema::HISTORY),
        ("ledger.schema.json", slope_model::schema::LEDGER),
        ("judgement.schema.json", slope_model::schema::JUDGEMENT),
    ] {
        assert!(name(file).contains(schema), "{file} does not say {schema}");
    }
}
