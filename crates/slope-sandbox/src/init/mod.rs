//! The hidden first processes of a sandbox.
//!
//! The *outer* one is a child of the host process, stays in the host's namespaces, and watches the
//! host process: when that ends, it kills the inner one. The *inner* one is process 1 of the new
//! namespaces: it builds the file system, starts the command, supervises it, and packs the volumes
//! when everything else is dead. When process 1 dies, the kernel kills the rest and unmounts
//! everything.

mod etc;
pub(crate) mod hosted;
mod inner;
mod outer;
mod pool;
mod root;
mod unconfined;

pub(crate) use etc::OWN as ETC;
pub(crate) use inner::outcome;
pub(crate) use outer::{Partial, open_volumes};

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::fs::Mode;
use serde::{Deserialize, Serialize};
use slope_model::error_text::ErrorText;

use crate::arguments::Builtin;
use crate::spec::{Command, Spec};
use crate::wire::{self, Told};
use crate::{Error, SpecError, command, sys};

/// The host process's request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// Whether namespaces are used.
    pub(crate) confined: bool,
    /// Command.
    pub(crate) spec: Spec,
    /// The host's folder for temporary files.
    pub(crate) temporary: PathBuf,
}

/// Data for both kinds of first process.
struct Job<'a> {
    spec: Spec,
    /// The host's folder for temporary files.
    temporary: PathBuf,
    control: UnixStream,
    builtins: &'a [(&'a str, Builtin)],
    /// Whether no other sandbox has the same user, as the kernel counts them.
    own_users: bool,
}

/// Runs as a sandbox's first process. The control socket is standard input, the command's outputs are the others.
pub(crate) fn main(builtins: &[(&str, Builtin)]) -> i32 {
    let Ok(control) = take_control() else {
        return 1;
    };
    let Ok(Some((request, _))) = wire::receive::<Request>(&control) else {
        return 1;
    };
    let job = Job {
        spec: request.spec,
        temporary: request.temporary,
        control,
        builtins,
        own_users: true,
    };
    let done = if request.confined {
        outer::run(&job)
    } else {
        unconfined::run(&job)
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            let _ = tell(&job.control, error);
            1
        }
    }
}

fn take_control() -> io::Result<UnixStream> {
    rustix::process::umask(Mode::from_raw_mode(0o022));
    let standard = sys::inherited(0);
    let control: OwnedFd = standard.try_clone()?;
    let null = std::fs::File::open("/dev/null")?;
    sys::copy_fd(null.as_fd(), 0)?;
    std::mem::forget(standard); // descriptor 0 is /dev/null from now on and stays open
    let _ = rustix::thread::set_name(c"init");
    Ok(UnixStream::from(control))
}

/// Reports an error to the host process.
fn tell(control: &UnixStream, error: Error) -> io::Result<()> {
    let told = match error {
        Error::Refused {
            feature,
            why,
            remedy,
        } => Told::Refused {
            feature,
            why,
            remedy,
        },
        Error::Exec { program, why } => Told::Exec { program, why },
        other => Told::Setup(ErrorText::of(&other).to_string()),
    };
    wire::send(control, &told, None)
}

/// Adds the failed step to a system error.
fn setup<T>(step: impl std::fmt::Display, result: io::Result<T>) -> Result<T, Error> {
    result.map_err(|source| Error::Step {
        step: step.to_string(),
        source,
    })
}

impl Job<'_> {
    /// Sends the listening sockets, and reports that the command runs.
    fn report_running(&self, listeners: Vec<TcpListener>) -> Result<(), Error> {
        let tell = |told: &Told, fd| {
            let sent = wire::send(&self.control, told, fd);
            setup("reporting the start", sent)
        };
        for listener in &listeners {
            tell(&Told::Listening, Some(listener.as_fd()))?;
        }
        tell(&Told::Running, None)
    }

    /// Starts the command in the present surroundings.
    fn start_command(
        &self,
        scope: crate::procfs::Scope,
        filter: Option<crate::seccomp::Filter>,
    ) -> Result<i32, Error> {
        let spec = &self.spec;
        let env = spec.env.iter().map(|(k, v)| (k.into(), v.into())).collect();
        let argv: Vec<std::ffi::OsString>;
        let (program, name) = match &spec.command {
            Command::Exec(args) => {
                argv = args.iter().map(Into::into).collect();
                (
                    command::Program::Exec(&argv),
                    args.first().cloned().unwrap_or_default(),
                )
            }
            Command::Builtin { name, payload } => {
                let found = self.builtins.iter().find(|(known, _)| known == name);
                let (_, function) = found.ok_or_else(|| SpecError::UnknownBuiltin(name.clone()))?;
                (command::Program::Builtin(*function, payload), name.clone())
            }
        };
        let start = command::Start {
            program,
            workdir: &spec.workdir,
            env: &env,
            limits: &spec.limits,
            scope,
            filter,
            own_users: self.own_users,
        };
        let pid = setup("starting the command", command::start(&start))?.map_err(|failure| {
            Error::Exec {
                program: name,
                why: failure.why,
            }
        })?;
        setup("letting go of the outputs", command::silence(1))?;
        Ok(pid)
    }
}
