//! The runtime against real and hostile commands in containers of a real engine: the tests of the local
//! runtime, and what only containers have.
//!
//! This binary is started again as the first process of each container, hence the `main` of its own.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test binary that shares files with another one; without the usual harness the lints do not know"
)]

#[path = "../../../slope-sandbox/tests/local/bench.rs"]
mod bench;
#[path = "../../../slope-sandbox/tests/local/builtins.rs"]
mod builtins;
mod containers;
#[path = "../../../slope-sandbox/tests/local/enclosure.rs"]
mod enclosure;
#[path = "../engine/mod.rs"]
mod engine;
#[path = "../../../slope-sandbox/tests/local/files.rs"]
mod files;
#[path = "../../../slope-sandbox/tests/local/limits.rs"]
mod limits;
#[path = "../../../slope-sandbox/tests/local/network.rs"]
mod network;
#[path = "../../../slope-sandbox/tests/local/specs.rs"]
mod specs;

use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Trial};
use slope_runtime_docker::{Config, DockerRuntime, Engine};
use slope_sandbox::{Capabilities, Error, Running, Runtime, Spec};

/// Id of the sandbox's user.
const USER: &str = "59777";
/// Folders that a host has and a container of the base image has not.
const HOST_ONLY: &[&str] = &["root", "opt", "mnt", "boot", "srv", "work"];
/// Whether a volume may be anywhere.
const ANYWHERE: bool = true;
/// Command line of a container's first process.
const FIRST_PROCESS: &str = "/run/init/slope-init ";

/// Result of a test.
type Outcome = Result<(), libtest_mimic::Failed>;
/// A test.
type Test = (&'static str, fn() -> Outcome);

/// Set while tests run, so that it can be dropped afterwards.
static RUNTIME: Mutex<Option<Arc<DockerRuntime>>> = Mutex::new(None);

/// The runtime under test.
fn docker() -> Arc<DockerRuntime> {
    let runtime = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(runtime.as_ref().expect("set in main"))
}

/// Address of the engine.
fn address() -> String {
    docker().engine().address().to_owned()
}

/// The runtime under test, as the shared tests see it.
struct UnderTest;

impl Runtime for UnderTest {
    fn name(&self) -> &'static str {
        docker().name()
    }

    fn probe(&self) -> Capabilities {
        docker().probe()
    }

    fn start(&self, spec: &Spec) -> Result<Running, Error> {
        docker().start(spec)
    }
}

/// The same, for the tests that are shared.
fn runtime() -> &'static dyn Runtime {
    &UnderTest
}

/// How the tests' containers are made.
fn config() -> Config {
    Config {
        image: engine::IMAGE.to_owned(),
        run: "tests".to_owned(),
        cpus: None,
        memory_request: None,
    }
}

fn main() {
    if let Some(code) = slope_sandbox::dispatch(builtins::ALL) {
        std::process::exit(code);
    }
    let words: Vec<String> = std::env::args().collect();
    if words
        .get(1)
        .is_some_and(|word| word == containers::HOST_ARGUMENT)
    {
        std::process::exit(containers::play_host(&words[2]));
    }
    let mut args = Arguments::from_args();
    args.test_threads.get_or_insert(2);
    let groups = [
        files::TESTS,
        limits::TESTS,
        network::TESTS,
        builtins::TESTS,
        enclosure::TESTS,
        specs::TESTS,
        containers::TESTS,
    ];
    let tests = groups.into_iter().flatten();
    let trials: Vec<Trial> = tests.map(|(name, test)| Trial::test(*name, test)).collect();
    if args.list {
        libtest_mimic::run(&args, trials).exit();
    }
    let engine = match engine::TestEngine::start() {
        Ok(engine) => engine,
        Err(why) => {
            println!("skipped: tests of the docker runtime: {why}");
            return;
        }
    };
    let connection = Engine::connect(Some(&engine.address())).expect("the engine answers");
    let runtime = DockerRuntime::new(connection, config()).expect("the base image is there");
    let set = |value| *RUNTIME.lock().unwrap_or_else(PoisonError::into_inner) = value;
    set(Some(Arc::new(runtime)));
    let conclusion = libtest_mimic::run(&args, trials);
    let left = containers::leftovers();
    set(None);
    drop(engine);
    assert!(left.is_empty(), "left in the engine: {left:?}");
    conclusion.exit();
}
