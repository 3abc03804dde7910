//! Exit codes and printed errors.

use std::process::ExitCode;

use anstream::eprintln;
use anstyle::{AnsiColor, Style};
use slope_model::error_text::ErrorText;

/// Outcome of a command without an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Everything as expected: exit code 0.
    Fine,
    /// An expectation did not hold: exit code 1.
    Unmet,
    /// Results are kept, but could not be sent to a server: exit code 4.
    NotSent,
    /// There is nothing to compare with, or too little: exit code 5.
    Incomparable,
    /// Interrupted, with a result for what was done: exit code 130.
    Interrupted,
}

impl Done {
    /// Outcome of sending something to a server, which failed, or met other contents there.
    pub(crate) fn sending(has_failed: bool, has_conflict: bool) -> Self {
        match (has_failed, has_conflict) {
            (true, _) => Self::NotSent,
            (false, true) => Self::Unmet,
            (false, false) => Self::Fine,
        }
    }
}

/// A failure of the harness rather than of the input: exit code 3 instead of 2.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct HarnessFailed(pub(crate) anyhow::Error);

/// Prints an error on standard error and gives the exit code.
pub(crate) fn report(result: anyhow::Result<Done>) -> ExitCode {
    match result {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::Unmet) => ExitCode::from(1),
        Ok(Done::NotSent) => ExitCode::from(4),
        Ok(Done::Incomparable) => ExitCode::from(5),
        Ok(Done::Interrupted) => ExitCode::from(130),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print(&ErrorText::of(error.as_ref()));
            ExitCode::from(match error.downcast_ref() {
                Some(slope_bench::Error::Cancelled(_)) => 130,
                _ if is_harness(&error) => 3,
                _ if is_incomparable(&error) => 5,
                _ => 2,
            })
        }
    }
}

/// Prints `error: MESSAGE: CAUSE`, then a line `help: REMEDY` for each remedy.
pub(crate) fn print(text: &ErrorText) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let cyan = Style::new().bold().fg_color(Some(AnsiColor::Cyan.into()));
    eprintln!("{red}error{red:#}: {}", text.message);
    for remedy in &text.help {
        eprintln!("{cyan}help{cyan:#}: {remedy}");
    }
}

/// Failures that better input would not have prevented.
fn is_harness(error: &anyhow::Error) -> bool {
    use slope_bench::Error as Bench;
    if error.is::<HarnessFailed>() || error.is::<slope_sandbox::Error>() {
        return true;
    }
    // A full disk is not a failure of the harness: free space would have prevented it.
    matches!(
        error.downcast_ref::<Bench>(),
        Some(
            Bench::Sandbox(_)
                | Bench::Gateway(_)
                | Bench::Worker(_)
                | Bench::Store(slope_store::Error::Io { .. })
        )
    )
}

/// There is nothing to compare with: no base, or no point.
fn is_incomparable(error: &anyhow::Error) -> bool {
    if matches!(error.downcast_ref(), Some(slope_watch::Error::NoResults(_))) {
        return true;
    }
    if let Some(error) = error.downcast_ref::<slope_track::Error>() {
        return matches!(error, slope_track::Error::NoPoints { .. });
    }
    error
        .downcast_ref::<slope_gate::Error>()
        .is_some_and(slope_gate::Error::is_without_base)
}

/// The reader of the output closed it, which is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref());
    !error.is::<HarnessFailed>() && causes.any(is_broken)
}
