//! Functions of this binary that run inside sandboxes.

use std::io::Write;
use std::process::Command;

use slope_sandbox::Builtin;

/// Everything that [`slope_sandbox::dispatch`] is told.
pub(crate) const ALL: &[(&str, Builtin)] = &[("say", say), ("shell", shell)];

/// Writes its payload and ends with code 7.
fn say(payload: &str) -> i32 {
    writeln!(std::io::stdout(), "{payload}").unwrap();
    7
}

/// Keeps a secret in memory and runs its payload as a shell script.
fn shell(payload: &str) -> i32 {
    let secret = std::hint::black_box(["top", "secret", "value"].join("-"));
    let status = Command::new("sh").arg("-c").arg(payload).status().unwrap();
    drop(secret);
    status.code().unwrap_or(99)
}
