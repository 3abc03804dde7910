//! `slope research table7`: new measurement of the published table of human repositories.

use std::fmt::Write;

use slope_measure::table7::{self, Row, Table7};
use slope_report::Format;

use crate::args::ResearchTable7;
use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(
    args: &ResearchTable7,
    format: Format,
    display: &Display,
) -> anyhow::Result<Done> {
    let mut panel = table7::read_panel(&args.panel)?;
    if !args.only.is_empty() {
        panel.retain(|row| args.only.contains(&row.repo));
    }
    let watch = |repo: &str| display.note(&format!("measuring {repo}"));
    let table = table7::measure(&panel, &args.repos, &args.rules, args.threads, &watch)?;
    display.finish();
    if let Some(path) = &args.panel_out {
        let shipped = serde_json::to_string_pretty(&table.shipped(&args.panel_name))?;
        slope_store::atomic::write(path, format!("{shipped}\n").as_bytes())?;
    }
    match format {
        Format::Json => output::json(&table)?,
        _ => output::text(&markdown(&table))?,
    }
    let conforms = table.equal == table.rows.len() && !table.rows.is_empty();
    Ok(if conforms { Done::Fine } else { Done::Unmet })
}

/// Table in Markdown, which is readable on a terminal too.
fn markdown(table: &Table7) -> String {
    let mut out = String::from(
        "| repository | commit | LOC | callables | violation | clone | verbosity | erosion | equal | own precision | own recall | own verbosity |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |\n",
    );
    for row in &table.rows {
        out.push_str(&line(row));
    }
    let _ = writeln!(
        out,
        "\n{} of {} repositories are equal to the panel, by definitions {}.",
        table.equal,
        table.rows.len(),
        table.definitions
    );
    for row in table.rows.iter().filter(|r| !r.differences.is_empty()) {
        let _ = writeln!(out, "* {}: {}", row.repo, row.differences.join("; "));
    }
    if !table.absent.is_empty() {
        let _ = writeln!(out, "* not in the folder: {}", table.absent.join(", "));
    }
    let _ = writeln!(
        out,
        "\nslope's own Python rules against these: precision {}, recall {} of flagged source lines; \
         median absolute difference of verbosity {}.",
        ratio(table.precision),
        ratio(table.recall),
        ratio(table.median_difference)
    );
    out
}

fn line(row: &Row) -> String {
    let commit = row.commit.get(..10).unwrap_or(&row.commit);
    let ratios = [row.violation, row.clone, row.verbosity, row.erosion].map(ratio);
    let own = [row.own.precision(), row.own.recall(), row.own.verbosity].map(ratio);
    format!(
        "| {} | {commit} | {} | {} | {} | {} | {} |\n",
        row.repo,
        row.loc,
        row.callables,
        ratios.join(" | "),
        if row.differences.is_empty() {
            "yes"
        } else {
            "no"
        },
        own.join(" | "),
    )
}

fn ratio(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}
