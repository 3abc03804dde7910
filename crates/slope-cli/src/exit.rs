//! Exit codes, and how an error is told, in one place.

use std::process::ExitCode;

use anstream::eprintln;
use anstyle::{AnsiColor, Style};

/// How a command ended, where it did what it was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Everything as expected: exit code 0.
    Fine,
    /// An expectation did not hold: exit code 1.
    Unmet,
    /// Interrupted, with a result for what was done: exit code 130.
    Interrupted,
}

/// A failure of the harness rather than of the input: exit code 3 instead of 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct HarnessFailed(pub(crate) String);

/// Tells an error on standard error and gives the exit code.
pub(crate) fn report(result: anyhow::Result<Done>) -> ExitCode {
    match result {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::Unmet) => ExitCode::from(1),
        Ok(Done::Interrupted) => ExitCode::from(130),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
            eprintln!("{red}error{red:#}: {}", told(&error));
            ExitCode::from(match error.downcast_ref() {
                Some(slope_bench::Error::Cancelled(_)) => 130,
                _ if is_harness(&error) => 3,
                _ => 2,
            })
        }
    }
}

/// The error and what caused it, on one line; many errors quote their cause, which is said once.
fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Failures that better input would not have prevented.
fn is_harness(error: &anyhow::Error) -> bool {
    use slope_bench::Error as Bench;
    if error.is::<HarnessFailed>() || error.is::<slope_sandbox::Error>() {
        return true;
    }
    // A full disk is no failure of ours: whoever makes room has prevented it.
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

/// Whoever read our output has closed it; that is no failure of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<std::io::Error>())
        .any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
