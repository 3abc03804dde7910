//! `slope research panel`: share of repositories in which verbosity and erosion rise.

use std::fmt::Write as _;

use slope_history::{
    PanelHistory, PanelRow, PanelSummary, RisingShare, Travelled, panel, read_list,
};
use slope_measure::{Measurer, Options};
use slope_report::Format;

use crate::args::ResearchPanel;
use crate::commands::measure::progress::Progress;
use crate::commands::output;
use crate::exit::Done;
use crate::folders;

/// Values printed in the paper: version and number of repositories, share that rises, median
/// growth. First version: arXiv 2603.24755v1; second: v2, which counts 256 of 378 and 103 of 196.
const PUBLISHED: [(&str, &str, &str); 3] = [
    (
        "verbosity",
        "v1, 20 repositories",
        "67 % rise, median growth +25 %",
    ),
    (
        "verbosity",
        "v2, 378 repositories",
        "68 % rise, median growth +36 %",
    ),
    ("erosion", "v2, 196 repositories", "53 % rise"),
];

pub(crate) fn run(args: &ResearchPanel, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let members = read_list(&args.list)?;
    let mut options = Options::panel();
    options.threads = args.work.threads();
    options.cache = match args.work.no_cache {
        true => None,
        false => folders::cache(),
    };
    if !args.rules.is_empty() {
        options.own_rules = false;
        options.rule_paths.clone_from(&args.rules);
    }
    let measurer = Measurer::new(options)?;
    let progress = Progress::new(quiet);
    let panel_history = panel(
        &members,
        &measurer,
        args.sample as usize,
        &|what, done, all| {
            progress.stage(what, done, all);
        },
    );
    progress.finish();
    match format {
        Format::Json => output::json(&panel_history)?,
        _ => output::text(&markdown(&panel_history)?)?,
    }
    Ok(match panel_history.left_out.is_empty() {
        true => Done::Fine,
        false => Done::Unmet,
    })
}

/// Panel as a Markdown table, which is readable on a terminal too.
fn markdown(panel_history: &PanelHistory) -> anyhow::Result<String> {
    let mut out = String::from(
        "| repository | from | to | snapshots | lines | verbosity | growth | erosion | growth |\n\
         | --- | --- | --- | ---: | --- | --- | ---: | --- | ---: |\n",
    );
    for row in &panel_history.rows {
        out.push_str(&line(row));
    }
    out.push('\n');
    for (name, summary) in [
        ("verbosity", &panel_history.verbosity),
        ("erosion", &panel_history.erosion),
    ] {
        writeln!(out, "* {name}: {}", sentence(summary))?;
        for (_, what, text) in PUBLISHED.iter().filter(|row| row.0 == name) {
            writeln!(out, "  * the paper ({what}): {text}")?;
        }
    }
    for (name, why) in &panel_history.left_out {
        writeln!(out, "* left out: {name}: {why}")?;
    }
    writeln!(
        out,
        "\nUp to {} snapshots each, by definitions {}.",
        panel_history.sample, panel_history.definitions.version
    )?;
    Ok(out)
}

fn sentence(summary: &PanelSummary) -> String {
    let mut text = format!("rises in {}", share(&summary.all));
    let above = &summary.from_above_zero;
    if above.repositories < summary.all.repositories {
        let _ = write!(
            text,
            "; among those that begin above 0, in {}",
            share(above)
        );
    }
    if let Some(growth) = summary.median_growth {
        let _ = write!(text, "; median growth {:+.0} %", growth * 100.0);
    }
    if let Some(slope) = summary.median_slope {
        let _ = write!(text, "; median slope per snapshot {slope:+.5}");
    }
    text
}

fn share(share: &RisingShare) -> String {
    let mut text = format!("{} of {} repositories", share.rising, share.repositories);
    if let (Some(of), Some((low, high))) = (share.share, share.interval) {
        let [of, low, high] = [of, low, high].map(|share| share * 100.0);
        let _ = write!(text, ", {of:.0} % (95 %: {low:.0} to {high:.0} %)");
    }
    text
}

fn line(row: &PanelRow) -> String {
    let travelled = |travelled: &Option<Travelled>| match travelled {
        Some(t) => format!("{:.3} → {:.3}", t.first, t.last),
        None => "–".to_owned(),
    };
    let growth = |travelled: &Option<Travelled>| {
        let growth = travelled.and_then(|travelled| travelled.growth);
        growth.map_or_else(
            || "–".to_owned(),
            |growth| format!("{:+.0} %", growth * 100.0),
        )
    };
    format!(
        "| {} | {} | {} | {} of {} | {} → {} | {} | {} | {} | {} |\n",
        row.repository,
        row.first.1,
        row.last.1,
        row.snapshots,
        row.touching,
        row.lines.0,
        row.lines.1,
        travelled(&row.verbosity),
        growth(&row.verbosity),
        travelled(&row.erosion),
        growth(&row.erosion),
    )
}
