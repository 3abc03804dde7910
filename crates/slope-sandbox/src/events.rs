//! Log events of sandboxes. Arguments and variables may be secrets, so only programs are named.

use tracing::debug;

use crate::Error;
use crate::outcome::{LimitHit, Outcome};
use crate::spec::{Command, Spec};

/// Target of all lines of this crate.
const TARGET: &str = "slope_sandbox";

/// The program that a sandbox runs, without its arguments.
pub(crate) fn program(spec: &Spec) -> &str {
    match &spec.command {
        Command::Exec(argv) => argv.first().map_or("", String::as_str),
        Command::Builtin { name, .. } => name,
    }
}

pub(crate) fn started(program: &str) {
    debug!(target: TARGET, program, "sandbox started");
}

pub(crate) fn ended(program: &str, outcome: &Result<Outcome, Error>) {
    match outcome {
        Ok(outcome) => finished(program, outcome),
        // The caller reports the error.
        Err(_) => debug!(target: TARGET, program, "sandbox lost"),
    }
}

fn finished(program: &str, outcome: &Outcome) {
    let limits: Vec<&str> = outcome
        .limits
        .iter()
        .map(|hit| LimitHit::name(*hit))
        .collect();
    debug!(
        target: TARGET,
        program,
        exit = ?outcome.exit,
        ?limits,
        leftover_processes = outcome.leftover_processes,
        cpu_s = outcome.cpu_s,
        duration_s = outcome.wall_s,
        "sandbox ended"
    );
}
