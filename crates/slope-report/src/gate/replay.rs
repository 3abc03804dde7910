//! A replay for a terminal: how often each rule would have fired, and on which changes.

use std::fmt::Write;

use anstyle::Style;
use schemars::Schema;
use slope_model::gate::Level;
use slope_model::replay::{Replay, ReplayedCommit};

use crate::ListDetail;
use crate::format::{clean, plural};
use crate::measurement::schema_of;
use crate::measurement::table::{Cell, Side, TextTable, paint};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The JSON schema of a replay.
#[must_use]
pub fn replay_schema() -> Schema {
    schema_of::<Replay>()
}

/// A replay for a terminal.
#[must_use]
pub fn render_replay(replay: &Replay, detail: &ListDetail) -> String {
    let mut out = String::new();
    let title = format!(
        "the last {} of {}, {} of which change code",
        plural(replay.changes, "commit"),
        clean(&replay.revision),
        replay.touching
    );
    let _ = writeln!(out, "{}", paint(&title, BOLD, detail.color));
    for note in &replay.notes {
        let note = format!("note: {}", clean(note));
        let _ = writeln!(out, "{}", paint(&note, DIM, detail.color));
    }
    out.push('\n');
    let columns = [
        ("rule", Side::Left),
        ("changes with errors", Side::Right),
        ("with warnings only", Side::Right),
        ("violations", Side::Right),
    ];
    let mut table = TextTable::new(&columns, None);
    for row in &replay.rules {
        table.push(vec![
            Cell::new(row.rule.id()),
            Cell::new(row.errors.to_string()),
            Cell::new(row.warnings.to_string()),
            Cell::new(row.violations.to_string()),
        ]);
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    let failed: Vec<&ReplayedCommit> = replay.commits.iter().filter(|it| !it.passes).collect();
    let _ = writeln!(
        out,
        "\n{} of {} would not have passed",
        replay.failed,
        plural(replay.changes, "change")
    );
    for commit in detail.cut(&failed) {
        let id = commit.id.get(..10).unwrap_or(&commit.id);
        let errors = commit
            .violations
            .iter()
            .filter(|it| it.level == Level::Error);
        let mut rules: Vec<&str> = errors.map(|it| it.rule.id()).collect();
        rules.dedup();
        let _ = writeln!(
            out,
            "  {id} {} [{}]",
            clean(&commit.subject),
            rules.join(", ")
        );
    }
    let more = failed.len() - detail.cut(&failed).len();
    if more > 0 {
        let text = format!("  {more} more; --format json has all");
        let _ = writeln!(out, "{}", paint(&text, DIM, detail.color));
    }
    out
}
