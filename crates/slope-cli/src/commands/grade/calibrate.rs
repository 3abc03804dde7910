//! `slope grade calibrate`: weights of a pack, fitted to pairs.

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;

use anyhow::Context;
use slope_evaluate::accuracy::Outcome;
use slope_evaluate::calibrate::{Fit, fit};
use slope_evaluate::pair;
use slope_report::Format;

use crate::args::Calibrate;
use crate::commands::output;

pub(super) fn run(args: &Calibrate, format: Format) -> anyhow::Result<()> {
    let pack = super::pack(args.pack.as_deref())?;
    let mut pairs = Vec::new();
    for path in &args.pairs {
        let file =
            File::open(path).with_context(|| format!("could not read {}", path.display()))?;
        pairs.extend(pair::read(BufReader::new(file), path)?);
    }
    let fit = fit(&pairs, &pack)?;
    if let Some(path) = &args.out {
        slope_store::atomic::write(path, fit.pack_text(&pack, &args.name).as_bytes())
            .with_context(|| format!("could not write {}", path.display()))?;
    }
    match format {
        Format::Json => output::json(&fit),
        _ => output::text(&described(&fit)?),
    }
}

fn described(fit: &Fit) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "{} pairs of {} groups\n", fit.pairs, fit.groups)?;
    writeln!(text, "component    weight  fitted  moved   right")?;
    for one in &fit.components {
        writeln!(
            text,
            "{:<12} {:>6.3}  {:>6.3}  {:>5}  {:>6}",
            one.key,
            one.before,
            one.after,
            one.alone.right + one.alone.wrong,
            percent(one.alone.of_decided()),
        )?;
    }
    writeln!(
        text,
        "\naccuracy                           right  wrong  equal"
    )?;
    for (name, outcome) in [
        ("weights of the pack", &fit.before),
        ("fitted, on groups not seen", &fit.cross_validated),
        ("fewer lines", &fit.fewer_lines),
        ("smaller diff", &fit.smaller_diff),
    ] {
        writeln!(text, "{}", row(name, outcome))?;
    }
    Ok(text)
}

/// A line of a table: a name, a share and counts.
pub(crate) fn row(name: &str, outcome: &Outcome) -> String {
    format!(
        "{name:<26} {:>7} {:>6} {:>6} {:>6}",
        percent(outcome.fair()),
        outcome.right,
        outcome.wrong,
        outcome.equal
    )
}

pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
