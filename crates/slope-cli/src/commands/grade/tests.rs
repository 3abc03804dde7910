//! What runs the tests of edits, as the arguments say.

use std::sync::Arc;

use anyhow::{Context, bail};
use slope_bench::environment::Environment;
use slope_bench::{plan, runtimes};
use slope_grade::{OwnTests, TestRules, TestService};
use slope_grade_tests::{RunLimits, SandboxRunner, Suites};
use slope_model::grade_request::{TestCommand, TestSuite};
use slope_problem::Problem;
use slope_sandbox::Bind;
use slope_suite::GradeOptions;

use crate::args::TestArgs;
use crate::setup::{self, open_error};
use crate::shipped;

/// What runs tests; `None` if none are to be run.
pub(super) fn service(args: &TestArgs) -> anyhow::Result<Option<Arc<TestService>>> {
    if !args.run_tests && args.test_command.is_none() && args.test_suite.is_empty() {
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
    let problems = problems(args)?;
    let count = |problem: &Problem| u32::try_from(problem.checkpoints.len()).unwrap_or(u32::MAX);
    let known = problems.iter().map(|it| (it.name.clone(), count(it)));
    let known = known.collect();
    let own = own_tests(args, &problems)?;
    let suites = Suites::new(problems, suite_options(args, limits)?);
    let runner = SandboxRunner::new(runtime, limits, binds(args)?, env)?.with_suites(suites);
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
        problems: known,
        jobs: args.test_jobs.map_or((processors / 2).max(1), usize::from),
        timeout_s: f64::from(args.test_timeout),
    };
    Ok(Some(Arc::new(TestService::new(Box::new(runner), rules))))
}

/// The problems whose tests requests may name.
fn problems(args: &TestArgs) -> anyhow::Result<Vec<Problem>> {
    let said = plan::load_options(args.test_track)?;
    let load = |path| Ok(slope_problem::load(&shipped::folder(path)?, &said)?);
    args.test_suite.iter().map(|path| load(path)).collect()
}

fn suite_options(args: &TestArgs, limits: RunLimits) -> anyhow::Result<GradeOptions> {
    let mut options = GradeOptions::new(setup::cache_dir()?);
    options.track = args.test_track;
    options.disk = limits.disk;
    Ok(options)
}

/// The tests of requests without tests of their own.
fn own_tests(args: &TestArgs, problems: &[Problem]) -> anyhow::Result<Option<OwnTests>> {
    if let Some(line) = &args.test_command {
        let command = TestCommand::Line(line.clone());
        return Ok(Some(OwnTests::Command(command, args.test_report)));
    }
    let Some(checkpoint) = args.test_checkpoint else {
        return Ok(None);
    };
    let [problem] = problems else {
        bail!(
            "--test-checkpoint needs one problem, and --test-suite names {}\n\
             help: name one, or let requests name theirs in `tests.suite`",
            problems.len()
        );
    };
    let count = problem.checkpoints.len();
    if checkpoint as usize > count {
        bail!(
            "--test-checkpoint {checkpoint}: {} has {count} checkpoints\n\
             help: give a number from 1 to {count}",
            problem.name
        );
    }
    Ok(Some(OwnTests::Suite(TestSuite {
        problem: problem.name.clone(),
        checkpoint,
    })))
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
