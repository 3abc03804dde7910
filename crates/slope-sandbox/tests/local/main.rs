//! The sandbox against real and hostile commands.
//!
//! This binary is started again as first process of each sandbox, hence the `main` of its own.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test binary; without the usual harness the lints do not know"
)]

mod bench;
mod builtins;
mod confine;
mod enclosure;
mod files;
mod host;
mod limits;
mod network;
mod specs;
mod unconfined;

use libtest_mimic::{Arguments, Trial};
use slope_sandbox::{LocalRuntime, Runtime};

/// The runtime under test. `tests/docker` of slope-runtime-docker has another one and the same tests.
fn runtime() -> &'static dyn Runtime {
    &LocalRuntime
}

/// Id of the sandbox's user.
const USER: &str = "1000";
/// Folders that a host has and a sandbox has not.
const HOST_ONLY: &[&str] = &["root", "opt", "mnt", "sys", "boot", "srv"];
/// Whether a volume may be anywhere, also among the system's own folders.
const ANYWHERE: bool = false;
/// Command line of a sandbox's first process.
const FIRST_PROCESS: &str = "init __sandbox-init ";

/// What a test returns.
type Outcome = Result<(), libtest_mimic::Failed>;
/// A test.
type Test = (&'static str, fn() -> Outcome);

fn main() {
    if let Some(code) = slope_sandbox::dispatch(builtins::ALL) {
        std::process::exit(code);
    }
    let words: Vec<String> = std::env::args().collect();
    match words.get(1).map(String::as_str) {
        Some(host::HOST_ARGUMENT) => {
            let unconfined = words.get(2).is_some_and(|w| w == "unconfined");
            std::process::exit(host::play_host(unconfined));
        }
        Some(confine::CONFINED_ARGUMENT) => {
            let code = confine::play_confined(words[2].as_ref(), &words[3]);
            std::process::exit(code);
        }
        Some(host::TRY_ARGUMENT) => std::process::exit(host::try_start()),
        _ => {}
    }
    let mut args = Arguments::from_args();
    // Fork bombs and memory hogs do not need much company.
    args.test_threads.get_or_insert(2);
    let mut tests: Vec<&Test> = unconfined::TESTS.iter().chain(confine::TESTS).collect();
    match LocalRuntime.probe().require() {
        Ok(()) => {
            let groups = [
                files::TESTS,
                limits::TESTS,
                network::TESTS,
                builtins::TESTS,
                enclosure::TESTS,
                specs::TESTS,
                host::TESTS,
            ];
            tests.extend(groups.into_iter().flatten());
        }
        Err(e) => println!("skipped: tests of the local runtime: {e}"),
    }
    let trials = tests
        .into_iter()
        .map(|(name, test)| Trial::test(*name, test))
        .collect();
    libtest_mimic::run(&args, trials).exit();
}
