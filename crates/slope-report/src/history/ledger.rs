//! A ledger for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use slope_model::ledger::{Amounts, EntryKind, Ledger, LedgerEntry, LedgerPlace};
use slope_model::metrics::Metric;

use super::ListDetail;
use crate::format::{clean, clean_path, decimals, number, plural, signed};
use crate::measurement::table::{Cell, Side, TextTable, paint};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Mass, clone lines, flagged lines and dead code, each with its sign.
pub(super) fn amounts(change: &Amounts) -> [String; 4] {
    change.listed().map(|(metric, value)| amount(metric, value))
}

/// The names of [`amounts`].
pub(super) fn amount_names() -> [&'static str; 4] {
    let each = Amounts::default().listed();
    each.map(|(metric, _)| metric.short())
}

/// The columns of [`amounts`].
pub(super) fn amount_columns() -> Vec<(&'static str, Side)> {
    let names = amount_names().into_iter();
    names.map(|name| (name, Side::Right)).collect()
}

/// An amount with its sign.
pub(super) fn amount(metric: &Metric, value: f64) -> String {
    signed(value, decimals(metric.kind, value))
}

pub(super) fn render(ledger: &Ledger, detail: &ListDetail) -> String {
    let mut out = String::new();
    let title = format!("{} → {}", clean(&ledger.base), clean(&ledger.head));
    let _ = writeln!(out, "{}", paint(&title, BOLD, detail.color));
    balance(&mut out, ledger, detail);
    if ledger.entries.is_empty() {
        out.push_str(
            "\nNo function changed in complexity mass, clones, flagged lines or dead code.\n",
        );
    } else {
        entries(&mut out, ledger, detail);
    }
    if !ledger.layout.is_empty() {
        let places = ledger.layout.len();
        let text = format!(
            "The layout column shows what only reformatting adds, in {}.",
            plural(places, "place"),
        );
        let _ = writeln!(out, "\n{}", paint(&text, DIM, detail.color));
    }
    out
}

/// The rows of a balance.
fn rows(amounts: &Amounts) -> impl Iterator<Item = (&'static Metric, f64)> {
    let listed = amounts.listed().into_iter();
    listed.chain([amounts.source_lines()])
}

fn balance(out: &mut String, ledger: &Ledger, detail: &ListDetail) {
    let has_layout = !ledger.layout.is_empty();
    let mut columns = vec![
        ("", Side::Left),
        ("before", Side::Right),
        ("after", Side::Right),
        ("change", Side::Right),
    ];
    columns.extend(has_layout.then_some(("layout", Side::Right)));
    let mut table = TextTable::new(&columns, None);
    let balance = &ledger.balance;
    let code = balance.change - balance.layout;
    let (before, after) = (rows(&balance.before), rows(&balance.after));
    let changes = rows(&code).zip(rows(&balance.layout));
    for (((metric, before), (_, after)), ((_, change), (_, layout))) in
        before.zip(after).zip(changes)
    {
        let digits = decimals(metric.kind, after);
        let mut cells = vec![
            Cell::new(metric.title),
            Cell::new(number(before, digits)),
            Cell::new(number(after, digits)),
            Cell::styled(amount(metric, change), shade(change)),
        ];
        let layout = || Cell::new(amount(metric, layout));
        cells.extend(has_layout.then(layout));
        table.push(cells);
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
}

/// Red for more, green for less: less is better for all of these. Source lines are not judged, but
/// get the same colours.
fn shade(change: f64) -> Style {
    let color = match change {
        change if change > 0.0 => AnsiColor::Red,
        change if change < 0.0 => AnsiColor::Green,
        _ => return Style::new(),
    };
    Style::new().fg_color(Some(color.into()))
}

fn entries(out: &mut String, ledger: &Ledger, detail: &ListDetail) {
    out.push('\n');
    let mut columns = amount_columns();
    columns.extend([("", Side::Left), ("", Side::Left)]);
    let mut table = TextTable::new(&columns, None);
    let told = detail.cut(&ledger.entries);
    for entry in told {
        let mut cells: Vec<Cell> = Vec::with_capacity(columns.len());
        let values = amounts(&entry.change);
        let mut styled = values.into_iter();
        let mass = styled.next().unwrap_or_default();
        cells.push(Cell::styled(mass, shade(entry.change.mass)));
        cells.extend(styled.map(Cell::new));
        cells.push(Cell::new(kind(entry.kind)));
        cells.push(Cell::new(what(entry)));
        table.push(cells);
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    let more = ledger.entries.len() - told.len();
    if more > 0 {
        let text = format!("{more} more; --top 0 shows all");
        let _ = writeln!(out, "  {}", paint(&text, DIM, detail.color));
    }
}

pub(super) fn kind(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Added => "added",
        EntryKind::Removed => "removed",
        EntryKind::Changed => "changed",
        EntryKind::Split => "split",
        EntryKind::Merged => "merged",
        EntryKind::Outside => "outside",
        EntryKind::Affected => "affected",
        EntryKind::Layout => "layout",
    }
}

/// An entry's place and other facts about it.
fn what(entry: &LedgerEntry) -> String {
    let mut text = place(&entry.path, entry.line, entry.function.as_deref());
    let moved = entry.from.first().filter(|from| is_elsewhere(from, entry));
    if let Some(from) = moved.filter(|_| !entry.to.is_empty()) {
        let _ = write!(
            text,
            ", was {}",
            place(&from.path, from.start_line, from.function.as_deref())
        );
    }
    let complexity = |places: &[LedgerPlace]| places.first().and_then(|place| place.complexity);
    match (complexity(&entry.from), complexity(&entry.to)) {
        (Some(a), Some(b)) if a != b => {
            let _ = write!(text, ", complexity {a} → {b}");
        }
        (None, Some(b)) if entry.kind == EntryKind::Added => {
            let _ = write!(text, ", complexity {b}");
        }
        _ => {}
    }
    if let Some(copied) = &entry.copied {
        let of = place(&copied.path, copied.line, copied.function.as_deref());
        let _ = write!(text, ", copy of {of}");
    }
    for dead in &entry.dead_code {
        let _ = write!(text, "; {}", clean(&dead.message));
    }
    text
}

fn is_elsewhere(from: &LedgerPlace, entry: &LedgerEntry) -> bool {
    from.path != entry.path || from.function != entry.function
}

fn place(path: &str, line: u32, function: Option<&str>) -> String {
    match function {
        Some(function) => format!("{}:{line} {}", clean_path(path), clean(function)),
        None => clean_path(path),
    }
}
