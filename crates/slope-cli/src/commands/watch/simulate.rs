//! `slope watch simulate`: false alarms, and days until a drop raises an alarm.

use std::fmt::Write;

use anyhow::anyhow;
use slope_report::Format;
use slope_watch::simulate::{self, Design, Simulated, YEAR};

use crate::args::WatchSimulate;
use crate::commands::output;
use crate::exit::Done;

pub(crate) fn run(args: &WatchSimulate, format: Format) -> anyhow::Result<Done> {
    let mut design = Design {
        tasks: args.tasks,
        baseline_runs: args.baseline_runs,
        within_variance: args.within_variance,
        day_variance: (args.day_deviation / 100.0).powi(2),
        replicates: args.replicates,
        two_sided: args.two_sided,
        ..Design::default()
    };
    design.threshold = args.threshold.unwrap_or(design.threshold);
    let impossible = || anyhow!("this design cannot be simulated\nhelp: choose other numbers");
    if let Some(rate) = args.false_alarms {
        // With other random numbers than the simulation that checks it.
        let seed = args.seed ^ 0xCA11;
        design.threshold =
            simulate::threshold(&design, YEAR, rate, args.paths, seed).ok_or_else(impossible)?;
    }
    let found =
        simulate::simulate(&design, args.drop, args.paths, args.seed).ok_or_else(impossible)?;
    output::json_or_text(format, &serde_json::to_value(&found)?, &words(&found))?;
    Ok(Done::Fine)
}

fn words(found: &Simulated) -> String {
    let design = &found.design;
    let mut text = format!(
        "{} tasks, {} runs of each behind the baseline, threshold {:.2}\n",
        design.tasks, design.baseline_runs, design.threshold
    );
    let _ = writeln!(
        text,
        "false alarms: {:.1} % of quiet years (± {:.1})",
        found.false_alarms_per_year * 100.0,
        found.false_alarms_se * 100.0
    );
    let _ = writeln!(text, "runs on a quiet day: {:.0}", found.runs_per_day);
    let days = |days: Option<f64>| match days {
        Some(days) => format!("{days:.0} days"),
        None => "more than 300 days".to_owned(),
    };
    if found.drop_points == 0.0 {
        return text.trim_end().to_owned();
    }
    let change = if found.drop_points > 0.0 {
        "drop"
    } else {
        "rise"
    };
    let _ = writeln!(
        text,
        "a {change} of {} points raises an alarm after {} in half of all cases",
        found.drop_points.abs(),
        days(found.median_days_to_alarm)
    );
    for quantile in &found.quantiles {
        let _ = writeln!(
            text,
            "  {:>2.0} % of cases: within {}",
            quantile.level * 100.0,
            days(quantile.days)
        );
    }
    text.trim_end().to_owned()
}
