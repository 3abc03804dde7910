//! Rows that are computed from the lots, and the ways to print them.

use std::collections::BTreeMap;

use crate::formats::table;
use crate::json::Json;
use crate::stock::{Lot, Stock};
use crate::values::BASE_UNITS;

/// What can be printed.
pub struct Report {
    columns: Vec<&'static str>,
    rows: Vec<Vec<Json>>,
    /// The rows as text.
    lines: Vec<String>,
    /// What is said if there is none.
    nothing: &'static str,
}

fn number(amount: u64) -> Json {
    Json::Number(amount.to_string())
}

fn key_of(lot: &Lot, by: &str) -> String {
    match by {
        "name" => lot.name.clone(),
        "place" => lot.place.clone(),
        _ => lot.best_before.as_ref().map_or("none".to_owned(), |date| date[..7].to_owned()),
    }
}

/// One group for each key, in order; `none` sorts behind every month by itself.
pub fn groups(lots: &[Lot], by: &str) -> Report {
    let mut members: BTreeMap<String, Vec<&Lot>> = BTreeMap::new();
    for lot in lots {
        members.entry(key_of(lot, by)).or_default().push(lot);
    }
    let mut columns = vec!["key", "lots"];
    columns.extend(BASE_UNITS);
    let mut report = Report { columns, rows: Vec::new(), lines: Vec::new(), nothing: "no lots found" };
    for (key, lots) in members {
        let sums = BASE_UNITS.map(|unit| {
            let kept = lots.iter().filter(|lot| lot.quantity.unit == unit);
            kept.map(|lot| lot.quantity.amount).sum::<u64>()
        });
        let told = sums.iter().zip(BASE_UNITS).filter(|(sum, _)| **sum > 0);
        let told: String = told.map(|(sum, unit)| format!(", {sum} {unit}")).collect();
        report.lines.push(format!("{key}: {} lots{told}", lots.len()));
        let mut row = vec![Json::Text(key), number(lots.len() as u64)];
        row.extend(sums.map(number));
        report.rows.push(row);
    }
    report
}

/// What is missing to the minimums, by name.
pub fn needs(stock: &Stock) -> Report {
    let in_stock = stock.totals();
    let columns = vec!["name", "amount", "unit"];
    let mut report = Report { columns, rows: Vec::new(), lines: Vec::new(), nothing: "nothing to buy" };
    for (name, minimum) in &stock.minimums {
        let held = in_stock.get(name).map_or(0, |sum| sum.amount);
        if held < minimum.amount {
            let missing = minimum.amount - held;
            report.lines.push(format!("{name}: buy {missing} {}", minimum.unit));
            report.rows.push(vec![Json::text(name), number(missing), Json::text(&minimum.unit)]);
        }
    }
    report
}

impl Report {
    pub fn print(&self, format: &str) -> String {
        match format {
            "csv" => self.csv(),
            "json" => Json::List(self.rows.iter().map(|row| self.object(row)).collect()).write(),
            _ if self.lines.is_empty() => self.nothing.to_owned(),
            _ => self.lines.join("\n"),
        }
    }

    fn csv(&self) -> String {
        let cell = |value: &Json| value.as_text().map_or_else(|| value.write(), str::to_owned);
        let mut rows = vec![self.columns.iter().map(|column| (*column).to_owned()).collect()];
        rows.extend(self.rows.iter().map(|row| row.iter().map(cell).collect()));
        table(&rows).trim_end().to_owned()
    }

    fn object(&self, row: &[Json]) -> Json {
        let columns = self.columns.iter().map(|column| (*column).to_owned());
        Json::Object(columns.zip(row.iter().cloned()).collect())
    }
}
