//! `slope track push --run`: runs of the benchmark for a server.

use std::path::PathBuf;

use anstream::eprintln;
use serde::Serialize;
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

/// A run that was sent.
#[derive(Serialize)]
struct SentOne<'r> {
    run: &'r str,
    label: &'r str,
    page: String,
    checkpoints: u32,
}

impl<'r> SentOne<'r> {
    fn send(
        run: &'r OutgoingRun,
        server: &Server,
        sender: &RunSender<'_>,
    ) -> Result<Self, ServerError> {
        let (checkpoints, _) = send(run, sender)?;
        Ok(Self {
            run: &run.key,
            label: &run.report.config.label,
            page: page(server, run),
            checkpoints,
        })
    }

    fn tell(&self) -> anyhow::Result<()> {
        let details = plural(self.checkpoints, "checkpoint");
        let (label, page) = (clean(self.label), clean(&self.page));
        output::text(&format!("{label}: {details} sent, {page}\n"))
    }
}

/// Sends all runs of the arguments.
pub(super) fn push(
    args: &TrackPush,
    server: &Server,
    format: Format,
    quiet: bool,
) -> anyhow::Result<Done> {
    let Outgoing { runs, left_out } = outgoing(&args.run)?;
    tell_left_out(&left_out);
    let is_json = format == Format::Json;
    let sender = RunSender::new(server);
    let mut sent = Vec::with_capacity(runs.len());
    let mut failures = Vec::new();
    for (at, run) in runs.iter().enumerate() {
        if is_json && !quiet {
            progress(at + 1, runs.len(), run);
        }
        match SentOne::send(run, server, &sender) {
            Ok(one) if is_json => sent.push(one),
            Ok(one) => {
                one.tell()?;
                sent.push(one);
            }
            Err(error) => {
                let is_over = !error.is_about_contents();
                report(run, &error);
                failures.push(error);
                if is_over {
                    break;
                }
            }
        }
    }
    let unsent = runs.len() - sent.len();
    if is_json {
        let errors: Vec<String> = failures.iter().map(|error| one_line(error)).collect();
        output::json(&json!({"runs": sent, "unsent": unsent, "errors": errors}))?;
    }
    if unsent == 0 {
        return Ok(Done::Fine);
    }
    let unsent = u32::try_from(unsent).unwrap_or(u32::MAX);
    eprintln!("{} not sent", plural(unsent, "run"));
    Ok(Done::NotSent)
}

fn tell_left_out(left_out: &[(PathBuf, String)]) {
    for (path, reason) in left_out {
        eprintln!("left out: {}: {reason}", path.display());
    }
}

fn progress(number: usize, all: usize, run: &OutgoingRun) {
    let label = clean(&run.report.config.label);
    eprintln!("sending {number} of {all}: {label}");
}

/// Reports that a run was not sent.
fn report(run: &OutgoingRun, error: &ServerError) {
    eprintln!("{} was not sent", clean(&run.report.config.label));
    exit::print(&ErrorText::of(error));
}
