//! Table of the progress of a run.

use std::fmt::Write;

use slope_bench::admission::WaitReason;
use slope_bench::control::{RunPhase, Status, TrialStatus, Trouble};
use slope_bench::event::Phase;
use slope_bench::retry;
use slope_model::plural;

use crate::commands::safe;

/// Maximum number of failed attempts shown.
const MAX_TROUBLE: usize = 5;

/// Table of the progress, with at most `most` trials.
pub(crate) fn status(status: &Status, most: usize) -> String {
    let mut lines = vec![progress(status), used(status)];
    lines.extend(admission(status));
    if !status.running.is_empty() {
        lines.push(format!(
            "{:<28} {:>10}  {:<16} {:>8} {:>12} {:>9} {:>12}",
            "trial", "checkpoint", "phase", "since", "tokens", "requests", "cost"
        ));
        lines.extend(status.running.iter().take(most).map(trial));
        if status.running.len() > most {
            lines.push(format!("and {} more", status.running.len() - most));
        }
    }
    let hidden = status.trouble.len().saturating_sub(MAX_TROUBLE);
    lines.extend(status.trouble.iter().skip(hidden).map(trouble));
    lines.join("\n")
}

fn progress(status: &Status) -> String {
    let doing = match status.doing {
        RunPhase::Running => "running",
        RunPhase::Pausing => "pausing: running attempts end first",
        RunPhase::Paused => "paused",
        RunPhase::Cancelling => "being cancelled",
        RunPhase::Cancelled => "cancelled",
        RunPhase::Interrupted => "interrupted; `slope resume` continues it",
        RunPhase::Finished => "finished",
    };
    let mut line = format!(
        "{}: {doing}; {} of {} and {} of {} done",
        safe(&status.label),
        status.trials_done,
        plural(status.trials, "trial"),
        status.checkpoints_done,
        plural(status.checkpoints, "checkpoint")
    );
    if let Some(elapsed) = status.elapsed_s {
        _ = write!(line, "; {} so far", time(elapsed));
    }
    if let Some(left) = status.estimate_s {
        _ = write!(line, ", about {} left", time(left));
    }
    line
}

fn used(status: &Status) -> String {
    let tokens = &status.usage.tokens;
    let sum = tokens.input + tokens.cache_read + tokens.cache_write + tokens.output;
    let of = |cap: Option<String>| cap.map_or_else(String::new, |cap| format!(" of {cap}"));
    let caps = &status.caps;
    format!(
        "{}{} tokens, {}{} requests, {}{}",
        count(sum),
        of(caps.tokens.map(count)),
        count(status.usage.requests),
        of(caps.requests.map(count)),
        cost(status.usage.cost_usd),
        of(caps.usd.map(|usd| format!("{usd} USD")))
    )
}

fn admission(status: &Status) -> Option<String> {
    let admission = status.admission.as_ref()?;
    let mut line = format!(
        "{} trials run, {} at most ({})",
        status.running.len(),
        admission.most,
        admission.by
    );
    let held = match status.held {
        None | Some(WaitReason::Workers) => None,
        Some(WaitReason::Memory) => Some("no memory for another"),
        Some(WaitReason::Upstream) => Some("none is added while the model's server is in trouble"),
        Some(WaitReason::Paused) => Some("none is added while the run is paused"),
        Some(WaitReason::Ending) => Some("none is added any more"),
    };
    if let Some(held) = held {
        _ = write!(line, "; {held}");
    }
    if let Some(quiet) = status.upstream_quiet_s {
        _ = write!(
            line,
            "; the model's server is left alone for {}",
            time(quiet)
        );
    }
    Some(line)
}

fn trial(trial: &TrialStatus) -> String {
    let phase = match trial.phase {
        None => "starts",
        Some(Phase::Agent) => "agent works",
        Some(Phase::Grade) => "hidden tests run",
        Some(Phase::Measure) => "measuring",
    };
    format!(
        "{:<28} {:>10}  {:<16} {:>8} {:>12} {:>9} {:>12}",
        format!("{}/{}", safe(&trial.key.problem), trial.key.trial),
        match trial.checkpoint {
            0 => "-".to_owned(),
            number => format!("{number} of {}", trial.of),
        },
        phase,
        time(trial.phase_s),
        count(trial.tokens),
        count(trial.requests),
        cost(trial.cost_usd)
    )
}

fn trouble(trouble: &Trouble) -> String {
    format!(
        "{}/{} {}, attempt {}: {}: {}",
        safe(&trouble.key.problem),
        trouble.key.trial,
        safe(&trouble.checkpoint),
        trouble.number,
        retry::name(trouble.cause),
        safe(trouble.reason.as_deref().unwrap_or("no reason given"))
    )
}

fn cost(usd: Option<f64>) -> String {
    usd.map_or_else(|| "cost unknown".to_owned(), |usd| format!("{usd:.2} USD"))
}

/// Number with thousands separators.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time in its two largest units.
fn time(seconds: f64) -> String {
    let seconds = std::time::Duration::try_from_secs_f64(seconds).unwrap_or_default();
    match seconds.as_secs() {
        s @ 0..60 => format!("{s}s"),
        s @ 60..3600 => format!("{}m {:02}s", s / 60, s % 60),
        s => format!("{}h {:02}m", s / 3600, s / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_format_compactly() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!(time(59.9), "59s");
        assert_eq!(time(61.0), "1m 01s");
        assert_eq!(time(7_260.0), "2h 01m");
        assert_eq!(time(-1.0), "0s");
    }
}
