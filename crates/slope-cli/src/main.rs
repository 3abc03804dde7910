//! The `slope` command: parses arguments and prints results. Decisions are in the libraries.

use std::process::ExitCode;

use slope_model::error_text::one_line;

mod args;
mod caps;
mod commands;
mod display;
mod exit;
mod folders;
mod huge_pages;
mod logging;
mod setup;
mod shipped;
mod table;

/// Parsing makes many small allocations. This allocator also serves the grammar libraries, which
/// call `malloc`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Starts the log. To an agent, exit code 2 of a hook is a verdict, so hooks run without a log if the filter is
/// invalid.
fn start_log(cli: &args::Cli) -> anyhow::Result<()> {
    let started = logging::start(cli.log.as_deref());
    match (&cli.command, started) {
        (args::Command::Hook(_), Err(error)) if cli.log.is_none() => {
            anstream::eprintln!("warning: {}", one_line(error.as_ref()));
            Ok(())
        }
        (_, started) => started,
    }
}

fn main() -> ExitCode {
    // Sandboxes re-execute this binary. This must be detected first, while there is one thread.
    // So are workers of the server, which confine themselves.
    let code = slope_sandbox::dispatch(&setup::builtins()).or_else(slope_serve::dispatch);
    if let Some(code) = code {
        return ExitCode::from(u8::try_from(code & 0xff).unwrap_or(u8::MAX));
    }
    let cli = args::parse();
    display::choose_color(cli.color);
    setup::stop_on_signals();
    exit::report(start_log(&cli).and_then(|()| commands::dispatch(&cli)))
}
