//! What runs the tests of edits, as the arguments say.

use std::sync::Arc;

use anyhow::{Context, bail};
use slope_bench::environment::Environment;
use slope_bench::runtimes;
use slope_grade::{OwnTests, TestRules, TestService};
use slope_grade_tests::{RunLimits, SandboxRunner};
use slope_model::grade_request::TestCommand;
use slope_sandbox::Bind;

use crate::args::TestArgs;
use crate::setup::open_error;

/// What runs tests; `None` if none are to be run.
pub(super) fn service(args: &TestArgs) -> anyhow::Result<Option<Arc<TestService>>> {
    if !args.run_tests && args.test_command.is_none() {
        return Ok(None);
    }
    let environment = args.test_environment.as_deref().map(Environment::load);
    let environment = environment.transpose()?.unwrap_or_default();
    let runtime = runtimes::open_environment(&environment, "grade-tests", true)
        .map_err(open_error)
        .context("could not prepare runs of tests")?;
    let (limits, known) = (&environment.limits, RunLimits::default());
    let limits = RunLimits {
        memory: limits.memory.unwrap_or(known.memory),
        disk: limits.disk.unwrap_or(known.disk),
        processes: limits.processes.unwrap_or(known.processes),
    };
    let env = args.test_env.iter().cloned().collect();
    let runner = SandboxRunner::new(runtime, limits, binds(args)?, env)?;
    let own = args.test_command.as_ref().map(|line| OwnTests {
        command: TestCommand::Line(line.clone()),
        report: args.test_report,
    });
    if own.as_ref().is_some_and(|own| own.lacks_report_place()) {
        bail!(
            "--test-command does not say where the report goes\n\
             help: use {{report}} for the file: --test-command 'pytest --junit-xml {{report}}'"
        );
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let rules = TestRules {
        from_requests: args.run_tests,
        own,
        jobs: args.test_jobs.map_or((processors / 2).max(1), usize::from),
        timeout_s: f64::from(args.test_timeout),
    };
    Ok(Some(Arc::new(TestService::new(Box::new(runner), rules))))
}

fn binds(args: &TestArgs) -> anyhow::Result<Vec<Bind>> {
    let bind = |folder: &std::path::PathBuf| {
        let path = std::path::absolute(folder)?;
        let of_system = ["/proc", "/sys", "/dev"];
        if path.parent().is_none() || of_system.iter().any(|system| path.starts_with(system)) {
            bail!(
                "--test-mount {}: tests have their own\nhelp: mount the folder of the programs that they need",
                folder.display()
            );
        }
        if !path.is_dir() {
            bail!("--test-mount {}: no such directory", folder.display());
        }
        Ok(Bind {
            source: path.clone(),
            target: path,
        })
    };
    args.test_mount.iter().map(bind).collect()
}
