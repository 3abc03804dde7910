//! Observations of an agent for a report's integrity column.

use slope_gateway::AttemptRecord;
use slope_model::integrity::Sighting;
use slope_model::plural;
use slope_sandbox::outcome::Outcome;

/// Maximum number of evidence lines of one kind.
const MOST: usize = 50;

/// Observations of an agent while it ran and when its workspace was copied out.
pub(crate) fn of_attempt(
    outcome: &Outcome,
    record: &AttemptRecord,
    egress: Option<&slope_egress::Record>,
    left: &[String],
) -> Vec<Sighting> {
    let processes = (outcome.leftover_processes > 0).then(|| {
        let text = format!(
            "killed {} that the agent had left when it ended",
            plural(outcome.leftover_processes, "process")
        );
        Sighting::noted("left-processes", text)
    });
    processes
        .into_iter()
        .chain(left_out(left))
        .chain(refused(record))
        .chain(egress.into_iter().flat_map(unlisted))
        .collect()
}

/// Note on workspace entries that were left out of the snapshot.
pub(crate) fn left_out(left: &[String]) -> Option<Sighting> {
    let text = match left {
        [] => return None,
        [one] => format!("left out of the snapshot: {one}"),
        many => format!("{} entries were left out of the snapshot", many.len()),
    };
    Some(Sighting::noted("left-out", text).showing(some(left)))
}

/// Requests at the gateway without the attempt's token.
fn refused(record: &AttemptRecord) -> Option<Sighting> {
    let wrong = record.errors.iter();
    let count = wrong.filter(|e| *e == slope_gateway::WRONG_TOKEN).count();
    (count > 0).then(|| {
        let text = format!(
            "{} at the gateway did not carry the attempt's token",
            plural(count, "request")
        );
        Sighting::noted("refused-request", text)
    })
}

/// Requests at the egress proxy for unlisted hosts. Many tools check for updates; only requests
/// that lead to this machine, a private network or a metadata service are suspicious.
fn unlisted(record: &slope_egress::Record) -> Vec<Sighting> {
    let of = |inward: bool| -> Vec<String> {
        let refusals = record.refusals.iter().filter(|r| r.inward == inward);
        refusals
            .map(|r| format!("{}: {}", r.target, r.why))
            .collect()
    };
    let (outward, inward) = (of(false), of(true));
    let mut seen = Vec::new();
    if !outward.is_empty() {
        let count = outward.len() as u64 + record.more_refusals;
        let text = format!(
            "refused {} to hosts that are not listed",
            plural(count, "connection")
        );
        seen.push(Sighting::noted("refused-connection", text).showing(some(&outward)));
    }
    if !inward.is_empty() {
        let count = inward.len();
        let text = format!(
            "refused {} to addresses that are not public",
            plural(count, "connection")
        );
        seen.push(Sighting::violation("refused-connection", text).showing(some(&inward)));
    }
    seen
}

/// First lines, and the number of the others.
pub(crate) fn some(lines: &[String]) -> impl Iterator<Item = String> {
    let more = lines.len().saturating_sub(MOST);
    let more = (more > 0).then(|| format!("… and {more} more"));
    lines.iter().take(MOST).cloned().chain(more)
}
