//! Sandboxes built by a container engine, for crates that speak to one.
//!
//! The engine creates namespaces, mounts, rights and limits, and starts this same binary, under the
//! name [`INIT`], as the container's first process. That process connects to a socket in the folder
//! it was started from and gets everything else there: the specification, the outputs, the volumes'
//! tar files. So an engine has to run on the same kernel as this process, and neither the workspace
//! nor a log passes through it.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde::{Deserialize, Serialize};

use crate::Error;
pub use crate::archive::header as tar_header;
use crate::init::{self, Partial, Request};
use crate::pump::{self, OnError, Pump};
use crate::runtime::{self, Host, Running};
use crate::spec::Spec;
use crate::wire;

pub use crate::defaults::{SHARED_MEMORY, default_volumes};

/// File name under which the running binary is a container's first process.
pub const INIT: &str = "slope-init";
/// Name of the socket there.
pub const SOCKET: &str = "control";
/// User and group id of the sandbox, as in its `/etc`. All sandboxes of an engine share it, and it
/// should own nothing on the host.
pub const USER: u32 = 59_777;
/// Time between two checks of a container that has not called back.
const LOOK: Duration = Duration::from_millis(50);

/// The host's items for a container's first process, each with a descriptor but the last.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HostMessage {
    /// Standard output (1) or standard error (2).
    Output(u8),
    /// The tar file that fills the volume at this place of the specification.
    Fill(usize),
    /// The file that receives it.
    Collect(usize),
    /// End of the list.
    All,
}

/// The end of a container's first process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    /// The event, in words.
    pub how: String,
    /// Whether the kernel killed it because the container reached its memory limit.
    pub memory: bool,
}

/// Handle of a container, as needed by this crate.
pub trait ContainerHandle: Send + Sync + std::fmt::Debug {
    /// End of the container's first process. `None` while it runs or has not started.
    fn ended(&self) -> Option<Death>;

    /// Called when the first process has connected; resources only needed for its start may be
    /// removed.
    fn called_back(&self);

    /// Kills all remaining processes and removes the container; may be called again.
    ///
    /// # Errors
    /// A message, if a part of it may still exist.
    fn remove(&self) -> Result<(), String>;
}

/// Bytes of files in memory that do not count as memory of the sandbox.
pub const FREE_IN_MEMORY: u64 = crate::space::FREE_IN_MEMORY;

/// Inodes that a volume of this many bytes has.
#[must_use]
pub fn inodes(size: u64) -> u64 {
    crate::mounts::inodes(size)
}

/// Files of `/etc` with the sandbox's user and without facts about the host: name, content.
#[must_use]
pub fn etc() -> Vec<(&'static str, String)> {
    let own = init::ETC.iter().filter(|(name, _)| {
        // The engine writes these itself.
        !["hosts", "hostname", "resolv.conf"].contains(name)
    });
    own.map(|(name, text)| {
        let user = format!(":{USER}:{USER}:");
        let text = text
            .replace(":1000:1000:", &user)
            .replace("user:x:1000:", &format!("user:x:{USER}:"));
        (*name, text)
    })
    .collect()
}

/// Finds mistakes in a specification before anything is started.
///
/// # Errors
/// [`Error::Spec`].
pub fn check(spec: &Spec) -> Result<(), Error> {
    Ok(crate::check::check(spec)?)
}

/// Waits for the container's first process at `door`, sends it `spec`, and returns once the command
/// runs.
///
/// # Errors
/// [`Error::Died`] when the container ended before, [`Error::NoCall`] when it has not called back after
/// `patience`, and as [`Runtime::start`](crate::Runtime::start). The container is removed then.
pub fn start(
    spec: &Spec,
    door: UnixListener,
    keeper: Box<dyn ContainerHandle>,
    patience: Duration,
) -> Result<Running, Error> {
    let volumes = init::open_volumes(spec)?;
    let (fills, collects): (Vec<_>, Vec<_>) =
        volumes.into_iter().map(|v| (v.fill, v.collect)).unzip();
    let outs: Vec<Option<File>> = collects
        .iter()
        .map(|partial| partial.as_ref().map(|p| p.file.try_clone()).transpose())
        .collect::<io::Result<_>>()
        .inspect_err(|_| discard(&collects))?;
    let partials: Vec<Partial> = collects.into_iter().flatten().collect();
    let control = match wait_for_call(&door, keeper.as_ref(), patience) {
        Ok(control) => control,
        Err(e) => {
            partials.into_iter().for_each(Partial::discard);
            let _ = keeper.remove();
            return Err(e);
        }
    };
    drop(door);
    keeper.called_back();
    let mut running = Running::new(control, Host::ContainerHandle(keeper, partials));
    let (pumps, writers) = outputs(spec)?;
    running.set_pumps(pumps);
    hand_over(&running.control(), spec, writers, fills, outs)?;
    runtime::await_start(running, spec)
}

fn discard(partials: &[Option<Partial>]) {
    partials.iter().flatten().for_each(Partial::forget);
}

/// Accepts the connection, and checks that the container is running while it waits.
fn wait_for_call(
    door: &UnixListener,
    keeper: &dyn ContainerHandle,
    patience: Duration,
) -> Result<UnixStream, Error> {
    let end = Instant::now() + patience;
    let slice = PollTimeout::try_from(LOOK.as_millis()).unwrap_or(PollTimeout::MAX);
    loop {
        let mut fds = [PollFd::new(door.as_fd(), PollFlags::POLLIN)];
        match poll(&mut fds, slice) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(e) => return Err(Error::Io(e.into())),
        }
        if fds[0].any().unwrap_or(false) {
            return Ok(door.accept()?.0);
        }
        if let Some(death) = keeper.ended() {
            return Err(Error::Died {
                how: format!("its container ended before it called back: {}", death.how),
            });
        }
        if Instant::now() >= end {
            return Err(Error::NoCall {
                seconds: patience.as_secs(),
            });
        }
    }
}

/// Pumps into the specification's files, and their other ends.
fn outputs(spec: &Spec) -> Result<([Pump; 2], [File; 2]), Error> {
    let (out, out_writer) = pump::pipe()?;
    let (err, err_writer) = pump::pipe()?;
    let limit = spec.limits.output;
    let keep = |from, to: &PathBuf| {
        let to = runtime::create(to)?;
        Ok::<_, Error>(Pump::start(from, to, limit, OnError::Swallow)?)
    };
    let pumps = [keep(out, &spec.stdout)?, keep(err, &spec.stderr)?];
    Ok((pumps, [out_writer, err_writer]))
}

fn hand_over(
    control: &Arc<UnixStream>,
    spec: &Spec,
    writers: [File; 2],
    fills: Vec<Option<File>>,
    outs: Vec<Option<File>>,
) -> io::Result<()> {
    let request = Request {
        confined: true,
        spec: spec.clone(),
        temporary: std::env::temp_dir(),
    };
    wire::send(control, &request, None)?;
    for (number, writer) in (1..).zip(&writers) {
        wire::send(control, &HostMessage::Output(number), Some(writer.as_fd()))?;
    }
    for (i, fill) in fills.iter().enumerate() {
        // The engine has filled all read-only ones.
        if let Some(fill) = fill.as_ref().filter(|_| spec.volumes[i].writable) {
            wire::send(control, &HostMessage::Fill(i), Some(fill.as_fd()))?;
        }
    }
    for (i, out) in outs.iter().enumerate() {
        if let Some(out) = out {
            wire::send(control, &HostMessage::Collect(i), Some(out.as_fd()))?;
        }
    }
    wire::send(control, &HostMessage::All, None)
}

/// The folder of the running binary if it is a container's first process.
pub(crate) fn own_folder() -> Option<PathBuf> {
    let exe = std::fs::read_link("/proc/self/exe").ok()?;
    (exe.file_name()? == INIT).then(|| exe.parent().map(Path::to_owned))?
}
