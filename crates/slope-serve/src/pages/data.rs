//! What a page shows, as CSV and JSON.

use slope_report::{RunCard, RunLine};

/// Runs as CSV: one row per run.
pub(super) fn runs_csv(runs: &[RunLine]) -> String {
    let head = [
        "project", "run", "label", "agent", "model", "arm", "track", "phase", "started",
        "problems", "trials", "expected", "graded", "lost", "missing", "cost_usd", "tokens",
        "agent_s",
    ];
    let rates = RunCard::RATES.iter().map(|rate| format!("{rate}_rate"));
    let slopes = RunCard::slope_names().map(|name| format!("{name}_slope"));
    let head = head.iter().map(|name| (*name).to_owned());
    let mut text = line(head.chain(rates).chain(slopes));
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for run in runs {
        let card = &run.card;
        let (problems, trials) = card.size();
        let known = [
            run.project.clone(),
            run.run.clone(),
            card.label.clone(),
            card.agent.clone(),
            card.model.clone(),
            card.arm.clone(),
            card.track.clone(),
            run.phase.name().to_owned(),
            run.started.clone().unwrap_or_default(),
            problems.to_string(),
            trials.to_string(),
            card.coverage.expected.to_string(),
            card.coverage.graded.to_string(),
            card.coverage.lost.to_string(),
            card.coverage.missing().to_string(),
            number(card.spent.cost_usd),
            number(card.spent.tokens),
            number(card.spent.agent_s),
        ];
        let values = card.rate_values().into_iter().chain(card.slope_values());
        text += &line(known.into_iter().chain(values.map(number)));
    }
    text
}

/// A row. Cells with separators are quoted, and a spreadsheet runs none as a formula.
pub(super) fn line(cells: impl Iterator<Item = String>) -> String {
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
