//! The sandbox against real and hostile commands.
//!
//! This binary is started again as first process of each sandbox, hence the `main` of its own.

mod bench;
mod builtins;
mod files;
mod limits;
mod network;

use libtest_mimic::{Arguments, Trial};
use slope_sandbox::{LocalRuntime, Runtime, State};

/// What a test returns.
type Outcome = Result<(), libtest_mimic::Failed>;
/// A test.
type Test = (&'static str, fn() -> Outcome);

fn main() {
    if let Some(code) = slope_sandbox::dispatch(builtins::ALL) {
        std::process::exit(code);
    }
    let mut args = Arguments::from_args();
    // Two cores or two hundred: fork bombs and memory hogs do not need company.
    args.test_threads.get_or_insert(2);
    let mut tests: Vec<Test> = Vec::new();
    match LocalRuntime.probe().require() {
        Ok(()) => {
            for group in [files::TESTS, limits::TESTS, network::TESTS, builtins::TESTS] {
                tests.extend(group);
            }
        }
        Err(e) => println!("skipped: tests of the local runtime: {e}"),
    }
    let trials = tests
        .into_iter()
        .map(|(name, test)| Trial::test(name, test))
        .collect();
    libtest_mimic::run(&args, trials).exit();
}

/// Compile-time reminder that the probe's states are public.
const _: fn(&State) -> bool = |state| matches!(state, State::Works(_));
