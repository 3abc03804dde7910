//! `slope problem try`.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use slope_author::stage;
use slope_author::trial::{self, Asked, Failure, Tried, TriedCheckpoint};
use slope_bench::plan::load_options;
use slope_model::problem::Group;
use slope_report::Format;
use slope_suite::track::TrackName;

use super::setting;
use crate::args::problem::Try;
use crate::commands::output;
use crate::exit::Done;

pub(super) fn run(args: &Try, format: Format) -> anyhow::Result<Done> {
    let first = args.track.unwrap_or_else(|| first_track(args));
    let mut tried = on_track(args, first)?;
    let others = args.track.is_none() && args.solution.is_none();
    let tracks = setting::other_tracks(&args.problem).filter(|track| *track != first);
    for track in tracks.filter(|_| others) {
        match on_track(args, track) {
            Ok(other) => tried.checkpoints.extend(other.checkpoints),
            Err(why) => tried.left_out.push(setting::missing(why)?),
        }
    }
    match format {
        Format::Json => output::json(&tried)?,
        _ => output::text(&told(&tried))?,
    }
    Ok(if tried.passed() {
        Done::Fine
    } else {
        Done::Unmet
    })
}

/// Python, unless all solutions are in other languages.
fn first_track(args: &Try) -> TrackName {
    let has_python = args.problem.join(TrackName::Python.solutions()).is_dir();
    let mut others = setting::other_tracks(&args.problem).filter(|_| !has_python);
    others.next().unwrap_or_default()
}

/// Runs the solutions in one language.
fn on_track(args: &Try, track: TrackName) -> anyhow::Result<Tried> {
    let problem = stage::load_as(&args.problem, &load_options(track)?)?;
    let machine = setting::machine_for(track, &args.isolation, &args.problem)?;
    let asked = Asked {
        checkpoint: args.checkpoint,
        solution: args.solution.as_deref(),
        cases: &args.cases,
        own: args.own,
    };
    Ok(trial::run(&setting::stage(&machine), &problem, &asked)?)
}

/// A checkpoint, and the language where it is not Python.
fn name(checkpoint: &TriedCheckpoint) -> String {
    match checkpoint.track {
        TrackName::Python => checkpoint.checkpoint.clone(),
        track => format!("{} ({track})", checkpoint.checkpoint),
    }
}

fn told(tried: &Tried) -> String {
    let mut text = table(tried);
    for why in &tried.left_out {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "left out: {}", output::safe(why));
    }
    for checkpoint in &tried.checkpoints {
        if !checkpoint.failed.is_empty() {
            let _ = writeln!(
                text,
                "\n{} on {}",
                checkpoint.checkpoint,
                output::safe(&checkpoint.solution.display().to_string())
            );
        }
        for failure in &checkpoint.failed {
            text.push_str(&told_failure(failure));
        }
    }
    text
}

fn table(tried: &Tried) -> String {
    let groups = Group::ALL.map(|group| group.name().to_owned());
    let mut rows = vec![
        std::iter::once(output::safe(&tried.problem))
            .chain(groups)
            .chain(["seconds".to_owned()])
            .collect::<Vec<_>>(),
    ];
    for checkpoint in &tried.checkpoints {
        let counts = Group::ALL.map(|group| match checkpoint.counts.get(&group) {
            Some(count) => format!("{}/{}", count.passed, count.total),
            None => "-".to_owned(),
        });
        let row = std::iter::once(name(checkpoint))
            .chain(counts)
            .chain([format!("{:.1}", checkpoint.duration_s)]);
        rows.push(row.collect());
    }
    setting::columns(&rows)
}

fn told_failure(failure: &Failure) -> String {
    let (bold, red) = (
        Style::new().bold(),
        Style::new().fg_color(Some(AnsiColor::Red.into())),
    );
    let line = failure
        .line
        .map_or_else(String::new, |line| format!(":{line}"));
    let result = &failure.result;
    let mut text = format!(
        "{bold}{}{line}{bold:#}: {} ({}) {red}{}{red:#}\n",
        output::safe(&failure.path.display().to_string()),
        output::safe(&result.id),
        result.group.name(),
        result.outcome.name()
    );
    for line in result.message.iter().flat_map(|m| m.lines()) {
        let _ = writeln!(text, "    {}", output::safe(line));
    }
    text
}
