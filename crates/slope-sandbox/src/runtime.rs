//! The interface of all runtimes, and the handle of a started command.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::arguments::INIT_ARGUMENT;
use crate::hosted::{ContainerHandle, Death};
use crate::init::{Partial, Request};
use crate::outcome::{LimitHit, Outcome};
use crate::probe::Capabilities;
use crate::pump::{self, OnError, Pump};
use crate::spec::Spec;
use crate::supervise::Order;
use crate::wire::{self, Told};
use crate::{Error, events};

/// A way to run sandboxed commands.
pub trait Runtime: Send + Sync {
    /// Name as recorded in runs: `local`, `docker` or `unconfined`.
    fn name(&self) -> &'static str;

    /// Distinguishes results built in this runtime from those of another: the name, and the image
    /// if there is one.
    fn identity(&self) -> String {
        self.name().to_owned()
    }

    /// Probes this machine's features; takes some milliseconds.
    fn probe(&self) -> Capabilities;

    /// Builds the sandbox and starts the command; returns once it runs.
    ///
    /// # Errors
    /// [`Error::Refused`] where the kernel forbids it, [`Error::Exec`] when the executable is missing
    /// inside, [`Error::HostFile`] for unusable files of the specification.
    fn start(&self, spec: &Spec) -> Result<Running, Error>;

    /// Starts the command and waits for its end.
    ///
    /// # Errors
    /// As [`start`](Runtime::start) and [`Running::wait`].
    fn run(&self, spec: &Spec) -> Result<Outcome, Error> {
        self.start(spec)?.wait()
    }
}

/// A started command. Dropping it kills everything.
#[derive(Debug)]
pub struct Running {
    host: Host,
    control: Arc<UnixStream>,
    listeners: VecDeque<TcpListener>,
    pumps: Option<[Pump; 2]>,
    started: Instant,
    /// The program, for the log.
    program: String,
}

/// Longest wait for an engine's report that a first process has ended.
const DEATH_NOTICE: Duration = Duration::from_secs(10);

/// The host side of a sandbox's first process.
#[derive(Debug)]
pub(crate) enum Host {
    /// A child of this process, which also renames collected volumes into place.
    Child(Child),
    /// A container engine; collected volumes are renamed into place here.
    ContainerHandle(Box<dyn ContainerHandle>, Vec<Partial>),
}

impl Host {
    /// Waits for the first process to end. Fails if it did not exit successfully.
    fn end(&mut self, control: &UnixStream) -> Result<(), Error> {
        match self {
            Self::Child(child) => {
                let status = child.wait()?;
                if status.success() {
                    return Ok(());
                }
                match wire::receive::<Told>(control)? {
                    Some((told, _)) => Err(failure(told)),
                    None => Err(Error::Died {
                        how: format!("its first process ended with {status}"),
                    }),
                }
            }
            Self::ContainerHandle(keeper, partials) => {
                keeper.remove().map_err(|why| Error::Remains { why })?;
                std::mem::take(partials)
                    .into_iter()
                    .try_for_each(Partial::keep)
            }
        }
    }

    /// Reason that the first process ended without a report.
    fn death(&mut self) -> Death {
        let (how, memory) = match self {
            Self::Child(child) => {
                let status = child.wait().ok();
                (status.map(|status| format!(" with {status}")), false)
            }
            Self::ContainerHandle(keeper, _) => {
                let death = await_death(keeper.as_ref());
                let memory = death.as_ref().is_some_and(|death| death.memory);
                (death.map(|death| format!(": {}", death.how)), memory)
            }
        };
        let how = how.unwrap_or_default();
        Death {
            how: format!("its first process ended without a report{how}"),
            memory,
        }
    }
}

/// Waits until the engine reports the end of the first process, which is shortly after its connection closes.
fn await_death(keeper: &dyn ContainerHandle) -> Option<Death> {
    let end = Instant::now() + DEATH_NOTICE;
    loop {
        let death = keeper.ended();
        if death.is_some() || Instant::now() >= end {
            return death;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Kills a running command from another thread.
#[derive(Debug, Clone)]
pub struct Killer(Arc<UnixStream>);

impl Killer {
    /// Kills the whole tree. The volumes are collected and [`Running::wait`] returns the outcome as
    /// usual.
    ///
    /// Does nothing if the command has ended already.
    pub fn kill(&self) {
        // The sandbox may be gone already.
        let _ = wire::send(&self.0, &Order::Kill, None);
    }
}

impl Running {
    /// A sandbox whose first process is at the other end of `control`.
    pub(crate) fn new(control: UnixStream, host: Host) -> Self {
        Self {
            host,
            control: Arc::new(control),
            listeners: VecDeque::new(),
            pumps: None,
            started: Instant::now(),
            program: String::new(),
        }
    }

    pub(crate) fn set_pumps(&mut self, pumps: [Pump; 2]) {
        self.pumps = Some(pumps);
    }

    pub(crate) fn control(&self) -> Arc<UnixStream> {
        Arc::clone(&self.control)
    }

    /// The next listening socket inside the sandbox's network, each once, in the order of
    /// [`Network`](crate::Network); connections from inside arrive here.
    pub fn take_listener(&mut self) -> Option<TcpListener> {
        self.listeners.pop_front()
    }

    /// A handle that can kill the tree while another thread waits.
    #[must_use]
    pub fn killer(&self) -> Killer {
        Killer(Arc::clone(&self.control))
    }

    /// Waits for the end of the command, the death of its tree and the collection of its volumes.
    ///
    /// # Errors
    /// [`Error::Died`] when the sandbox's own first process was killed, except by the kernel for memory.
    /// [`Error::Reported`] when a volume could not be collected. Nothing runs any more in either case.
    pub fn wait(mut self) -> Result<Outcome, Error> {
        let program = std::mem::take(&mut self.program);
        let outcome = self.outcome();
        events::ended(&program, &outcome);
        outcome
    }

    fn outcome(mut self) -> Result<Outcome, Error> {
        let mut outcome = match wire::receive::<Told>(&self.control)? {
            None => return self.killed(),
            Some((Told::Ended(outcome), _)) => outcome,
            Some((told, _)) => return Err(failure(told)),
        };
        if self.finish_outputs()? {
            outcome.limits.push(LimitHit::Output);
        }
        self.host.end(&self.control)?;
        Ok(outcome)
    }

    /// The outcome if the kernel killed the whole sandbox for memory: the memory limit, without any volume.
    fn killed(mut self) -> Result<Outcome, Error> {
        let death = self.host.death();
        if !death.memory {
            return Err(Error::Died { how: death.how });
        }
        let mut outcome = Outcome::killed_for_memory(self.started.elapsed(), &death.how);
        let cut = self.finish_outputs()?;
        outcome.limits.extend(cut.then_some(LimitHit::Output));
        Ok(outcome)
    }

    /// Waits until the outputs are written. Returns whether one was cut off.
    fn finish_outputs(&mut self) -> Result<bool, Error> {
        let mut cut = false;
        for pump in self.pumps.take().into_iter().flatten() {
            let pumped = pump.finish();
            cut |= pumped.cut;
            if let Some(e) = pumped.error {
                return Err(Error::Output(e));
            }
        }
        Ok(cut)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The first process kills everything when this side hangs up.
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        match &mut self.host {
            Host::Child(child) => {
                let _ = child.wait();
            }
            Host::ContainerHandle(keeper, partials) => {
                let _ = keeper.remove();
                std::mem::take(partials)
                    .into_iter()
                    .for_each(Partial::discard);
            }
        }
        for pump in self.pumps.take().into_iter().flatten() {
            pump.finish();
        }
    }
}

/// Creates a host file of the specification.
pub(crate) fn create(path: &Path) -> Result<File, Error> {
    File::create(path).map_err(|source| Error::HostFile {
        path: path.to_owned(),
        action: "create",
        source,
    })
}

/// Starts the running binary again as a sandbox's first process.
pub(crate) fn start(spec: &Spec, confined: bool) -> Result<Running, Error> {
    let (control, theirs) = UnixStream::pair()?;
    let (out, out_writer) = pump::pipe()?;
    let (err, err_writer) = pump::pipe()?;
    let (out_file, err_file) = (create(&spec.stdout)?, create(&spec.stderr)?);
    let child = std::process::Command::new("/proc/self/exe")
        // The process list shows neither the binary's path nor anything of the specification.
        .arg0("init")
        .arg(INIT_ARGUMENT)
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(out_writer)))
        .stderr(Stdio::from(OwnedFd::from(err_writer)))
        .spawn()?;
    let limit = spec.limits.output;
    let keep = |from, to| Pump::start(from, to, limit, OnError::Swallow);
    let pumps = [keep(out, out_file)?, keep(err, err_file)?];
    let mut running = Running::new(control, Host::Child(child));
    running.set_pumps(pumps);
    let request = Request {
        confined,
        spec: spec.clone(),
        temporary: std::env::temp_dir(),
    };
    wire::send(&running.control, &request, None)?;
    await_start(running, spec)
}

/// Waits until the first process reports that the command runs.
pub(crate) fn await_start(mut running: Running, spec: &Spec) -> Result<Running, Error> {
    loop {
        match wire::receive::<Told>(&running.control)? {
            Some((Told::Listening, fd)) => running.listeners.extend(fd.map(TcpListener::from)),
            Some((Told::Running, _)) => break,
            Some((told, _)) => return Err(failure(told)),
            None => {
                return Err(Error::DiedEarly {
                    how: running.host.death().how,
                });
            }
        }
    }
    if running.listeners.len() != spec.network.ports().len() {
        return Err(Error::Io(io::Error::other(
            "the sandbox did not send the listening sockets that were asked for",
        )));
    }
    events::program(spec).clone_into(&mut running.program);
    events::started(&running.program);
    Ok(running)
}

/// The error for an unexpected message.
fn failure(told: Told) -> Error {
    match told {
        Told::Refused {
            feature,
            why,
            remedy,
        } => Error::Refused {
            feature,
            why,
            remedy,
        },
        Told::Exec { program, why } => Error::Exec { program, why },
        Told::Setup(why) => Error::Reported(why),
        Told::Listening | Told::Running | Told::Ended(_) => Error::Unexpected,
    }
}
