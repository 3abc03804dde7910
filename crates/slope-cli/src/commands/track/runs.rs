//! `slope track push --run`: runs of the benchmark for a server.

use anstream::eprintln;
use serde_json::json;
use slope_bench::exhibit::send_details;
use slope_bench::outgoing::{Outgoing, OutgoingRun, outgoing};
use slope_model::error_text::{ErrorText, one_line};
use slope_model::plural;
use slope_model::sent_run::RunRequest;
use slope_report::{Format, clean, run_address};
use slope_track::{RunSender, Server, ServerError};

use crate::args::TrackPush;
use crate::commands::output;
use crate::exit::{self, Done};

/// Sends the report of a run, and what the server lacks of its details. Returns the number of checkpoints whose details
/// were sent, and what a visitor asks of the run.
pub(crate) fn send(
    run: &OutgoingRun,
    sender: &RunSender<'_>,
) -> Result<(u32, Option<RunRequest>), ServerError> {
    let answer = sender.report(&run.key, &run.sent)?;
    let mut sent = 0;
    send_details(
        &run.report,
        |place, digest| answer.lacks(place, digest),
        |one| {
            sent += 1;
            sender.details(&run.key, one.place, one.digest, one.details, one.steps)
        },
    )?;
    Ok((sent, answer.request))
}

/// Address of a run's page.
pub(crate) fn page(server: &Server, run: &OutgoingRun) -> String {
    format!("{}{}", server.url, run_address(&server.project, &run.key))
}

/// Sends all runs of the arguments.
pub(super) fn push(
    args: &TrackPush,
    server: &Server,
    format: Format,
    quiet: bool,
) -> anyhow::Result<Done> {
    let Outgoing { runs, left_out } = outgoing(&args.run)?;
    for (path, reason) in &left_out {
        eprintln!("left out: {}: {reason}", path.display());
    }
    let sender = RunSender::new(server);
    let mut results = Vec::with_capacity(runs.len());
    let mut failure = None;
    for (at, run) in runs.iter().enumerate() {
        let label = clean(&run.report.config.label);
        if !quiet && format == Format::Json {
            eprintln!("sending {} of {}: {label}", at + 1, runs.len());
        }
        match send(run, &sender) {
            Ok((sent, _)) => {
                let page = page(server, run);
                if format != Format::Json {
                    let details = plural(sent, "checkpoint");
                    output::text(&format!("{label}: {details} sent, {}\n", clean(&page)))?;
                }
                results.push(json!({"run": run.key, "label": run.report.config.label, "page": page, "checkpoints": sent}));
            }
            Err(error) => {
                let goes_on = error.is_about_contents();
                if goes_on {
                    eprintln!("{label} was not sent");
                    exit::print(&ErrorText::of(&error));
                }
                failure = Some(error);
                if !goes_on {
                    break;
                }
            }
        }
    }
    if format == Format::Json {
        output::json(&json!({
            "runs": results,
            "unsent": runs.len() - results.len(),
            "error": failure.as_ref().map(|error| one_line(error)),
        }))?;
    }
    let Some(failure) = failure else {
        return Ok(Done::Fine);
    };
    if !failure.is_about_contents() {
        exit::print(&ErrorText::of(&failure));
    }
    let unsent = u32::try_from(runs.len() - results.len()).unwrap_or(u32::MAX);
    eprintln!("{} not sent", plural(unsent, "run"));
    Ok(Done::NotSent)
}
