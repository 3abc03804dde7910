//! What a page shows, as CSV and JSON.

use std::collections::BTreeSet;

use slope_model::series::Author;
use slope_model::summary::Summary;

/// The points of a series as CSV: one row per point, one column per value.
pub(super) fn csv(points: &[Summary]) -> String {
    let names: BTreeSet<&str> = points
        .iter()
        .flat_map(|point| point.values.keys().map(String::as_str))
        .collect();
    let mut head: Vec<&str> = vec![
        "key",
        "time",
        "iteration",
        "commit",
        "person",
        "agent",
        "agent_version",
        "model",
        "definitions",
    ];
    head.extend(&names);
    let mut text = line(head.iter().map(|name| (*name).to_owned()));
    for point in points {
        let Author {
            person,
            agent,
            agent_version,
            model,
            ..
        } = point.author.clone();
        let commit = point.commit.as_ref().map(|commit| commit.id.clone());
        let iteration = point.iteration.map(|number| number.to_string());
        let known = [
            Some(point.key.clone()),
            Some(point.time.clone()),
            iteration,
            commit,
            person,
            agent,
            agent_version,
            model,
            Some(point.definitions.clone()),
        ];
        let values = names
            .iter()
            .map(|name| point.values.get(*name).map(ToString::to_string));
        let cells = known.into_iter().chain(values);
        text += &line(cells.map(Option::unwrap_or_default));
    }
    text
}

/// A row. Cells with separators are quoted, and a spreadsheet runs none as a formula.
fn line(cells: impl Iterator<Item = String>) -> String {
    let cells = cells.map(|cell| {
        let is_formula = cell
            .trim_start()
            .starts_with(['=', '+', '@', '＝', '＋', '＠'])
            || cell.starts_with('-') && cell.parse::<f64>().is_err();
        let cell = if is_formula { format!("'{cell}") } else { cell };
        match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        }
    });
    cells.collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn cells_cannot_become_formulas() {
        let cells = ["=1+1", "-1", "-x", "a,b", "c\"d"].map(str::to_owned);
        assert_eq!(line(cells.into_iter()), "'=1+1,-1,'-x,\"a,b\",\"c\"\"d\"\n");
    }
}
