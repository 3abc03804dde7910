//! Exit codes and the output of errors.

use std::process::ExitCode;

use anstream::eprintln;
use anstyle::{AnsiColor, Style};

/// Outcome of a command without an error.
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

/// Prints an error to standard error and returns the exit code.
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

/// Error with its causes on one line. A cause that the text already contains is not repeated.
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
    // A full disk is not a harness failure: the user can free space.
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

/// Whether the reader of standard output has closed it, which is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<std::io::Error>())
        .any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
