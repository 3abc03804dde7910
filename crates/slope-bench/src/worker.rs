//! A trial in a process of its own: a specification in, a directory out.
//!
//! The coordinator starts `slope worker SPEC` with a socket as its standard input. The worker
//! writes the trial's folder in the run's directory and snapshots in the run's store. Everything
//! else goes through the coordinator, which keeps the journal and serves the gateway. A killed
//! worker loses only its current attempt.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use slope_agent::{Agent, Installed};
use slope_model::error_text::one_line;
use slope_model::run::Cause;
use slope_store::{Error as StoreError, atomic};

use crate::context::RunContext;
use crate::coordinator::{Active, Coordinator, Worker};
use crate::event::TrialKey;
use crate::layout::scratch;
use crate::link::{self, End, Link};
use crate::log;
use crate::machine::Machine;
use crate::plan::{self, Plan, UpstreamPlan};
use crate::trial::Trial;
use crate::{Error, WorkerError, coordinator::CoordinatorHandle};

/// Schema of a worker's specification.
const SCHEMA: &str = "slope.trial/1";
/// Maximum number of a trial's workers that may fail at startup before the run gives up.
const MAX_STARTUP_FAILURES: u32 = 3;

/// A worker's inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialSpec {
    /// `slope.trial/1`.
    pub schema: String,
    /// Directory of the run.
    pub run: PathBuf,
    /// Problem name.
    pub problem: String,
    /// Folder of the problem.
    pub folder: PathBuf,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// The agent's installation, as the coordinator found it.
    pub installed: Installed,
}

impl TrialSpec {
    /// Reads a specification.
    ///
    /// # Errors
    /// If the file cannot be read or is malformed.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let spec: Self = atomic::read_json(path)?;
        if spec.schema != SCHEMA {
            return Err(Error::OtherSchema {
                path: path.to_owned(),
                found: spec.schema,
            });
        }
        Ok(spec)
    }

    /// The run's plan, restricted to this trial's problem.
    ///
    /// # Errors
    /// As for [`plan::open`].
    pub fn plan(&self) -> Result<Plan, Error> {
        plan::open_problem(&self.run, &self.problem, &self.folder)
    }
}

/// Runs a trial for the coordinator at the other end of this process's standard input.
///
/// # Errors
/// If there is no coordinator, or the harness cannot continue; the coordinator gets that error too.
pub fn run(
    spec: &TrialSpec,
    plan: &Plan,
    machine: &Machine,
    agent: &dyn Agent,
) -> Result<(), Error> {
    let link = attach()?;
    let run = RunContext::new(plan, machine, agent, &spec.installed);
    let key = TrialKey {
        problem: spec.problem.clone(),
        trial: spec.trial,
    };
    let _span = log::trial(&key).entered();
    let problem = plan.problems.get(&key.problem);
    let outcome = problem
        .ok_or_else(|| plan::no_problem(&plan.config, &key.problem))
        .and_then(|problem| Trial::new(&run, &link, &key, problem).run());
    link.end(&outcome)?;
    outcome
}

fn attach() -> Result<Link, Error> {
    let nobody = |_| Error::NoCoordinator;
    let input = io::stdin().as_fd().try_clone_to_owned().map_err(nobody)?;
    let socket = UnixStream::from(input);
    socket.peer_addr().map_err(nobody)?;
    Link::new(socket).map_err(nobody)
}

/// Starts workers for a trial until it is over. `log_filter` is their `SLOPE_LOG`. Returns the harness's failure, if there was one.
pub(crate) fn supervise(
    coordinator: &Coordinator<'_>,
    log_filter: Option<&str>,
    key: &TrialKey,
) -> Result<(), Error> {
    let mut startup_failures = 0;
    loop {
        let (worker, socket, process) = start(&coordinator.run, log_filter, key)?;
        log::worker_started(process);
        coordinator
            .inner()
            .active
            .insert(key.clone(), Active::new(Some(worker.clone())));
        let end = link::attend(coordinator, key, &socket, &worker.sender);
        let began = coordinator
            .inner()
            .active
            .get(key)
            .is_some_and(|active| active.attempt().is_some());
        drop(socket);
        let status = wait(&worker.child);
        log::worker_ended(process, &status);
        match end {
            Ok(End::Done) => {
                return coordinator.leave(key, Cause::Harness, "the worker left it unfinished");
            }
            Ok(End::Lost) => {}
            Err(error) => {
                let why = one_line(&error);
                coordinator.leave(key, Cause::Harness, &why)?;
                return Err(error);
            }
        }
        let (cause, why) = if coordinator.cancelled() {
            (Cause::Cancelled, "the run was cancelled".to_owned())
        } else {
            (
                Cause::WorkerLost,
                format!("the trial's worker ended: {status}"),
            )
        };
        coordinator.leave(key, cause, &why)?;
        if coordinator.cancelled() || coordinator.inner().failure.is_some() {
            return Ok(());
        }
        startup_failures = if began { 0 } else { startup_failures + 1 };
        if startup_failures == MAX_STARTUP_FAILURES {
            return Err(WorkerError::Stillborn {
                count: MAX_STARTUP_FAILURES,
                trial: format!("{}/{}", key.problem, key.trial),
                status,
            }
            .into());
        }
    }
}

fn wait(child: &Mutex<Child>) -> String {
    // The worker has hung up, so this returns at once; a hanging worker is killed.
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    for _ in 0..100 {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) => std::thread::sleep(std::time::Duration::from_millis(20)),
            Err(error) => return error.to_string(),
        }
    }
    drop(child.kill());
    child
        .wait()
        .map_or_else(|e| e.to_string(), |s| s.to_string())
}

fn start(
    run: &RunContext<'_>,
    log_filter: Option<&str>,
    key: &TrialKey,
) -> Result<(Worker, UnixStream, u32), Error> {
    let plan = run.plan;
    let problem = plan.problems.get(&key.problem);
    let folder = problem
        .map(|problem| problem.root.clone())
        .unwrap_or_default();
    let spec = TrialSpec {
        schema: SCHEMA.to_owned(),
        run: absolute(plan.dir.root()),
        problem: key.problem.clone(),
        folder: absolute(&folder),
        trial: key.trial,
        installed: run.installed.clone(),
    };
    let path = scratch(plan).join(format!("worker-{}-{}.json", key.problem, key.trial));
    atomic::write_json(&path, &spec)?;
    let failed = |e| Error::from(StoreError::io("cannot start a worker for", &path)(e));
    let (ours, theirs) = UnixStream::pair().map_err(failed)?;
    // Not by its path: the file may have been replaced since.
    let mut command = Command::new("/proc/self/exe");
    command
        .arg0("slope")
        .arg("worker")
        .arg(absolute(&path))
        // A terminal's Ctrl-C is for the coordinator only; when that ends, the workers end too.
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::null());
    if let UpstreamPlan::Http {
        key_env: Some(name),
        ..
    } = &plan.options.upstream
    {
        command.env_remove(name);
    }
    if let Some(filter) = log_filter {
        command.env("SLOPE_LOG", filter);
    }
    let child = command.spawn().map_err(failed)?;
    let process = child.id();
    let worker = Worker {
        child: Arc::new(Mutex::new(child)),
        sender: Arc::new(Mutex::new(ours.try_clone().map_err(failed)?)),
    };
    Ok((worker, ours, process))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
