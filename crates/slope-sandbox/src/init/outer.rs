//! The outer first process: starts the inner one and dies with the host process.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};

use super::{Job, inner, setup};
use crate::cgroup::{self, Group};
use crate::defaults::NAMESPACES;
use crate::ids::{self, Outer};
use crate::outcome::Outcome;
use crate::spec::Spec;
use crate::sys::{self, Fork};
use crate::wire::{self, Told};
use crate::{Error, command, probe, pump, space};

/// The host files of one volume, opened with the host's rights.
pub(crate) struct VolumeFiles {
    pub(crate) fill: Option<File>,
    pub(crate) collect: Option<Partial>,
}

/// A file that gets its final name only when it is complete.
#[derive(Debug)]
pub(crate) struct Partial {
    pub(crate) file: File,
    temporary: PathBuf,
    name: PathBuf,
}

/// Starts the inner process, waits for it, and renames the collected volumes into place.
pub(super) fn run(job: &Job<'_>) -> Result<(), Error> {
    let mut volumes = open_volumes(&job.spec)?;
    let done = run_inner(job, &mut volumes);
    let mut collected = volumes.into_iter().filter_map(|v| v.collect);
    if !matches!(done, Ok(true)) {
        collected.for_each(Partial::discard);
        return done.map(drop);
    }
    collected.try_for_each(Partial::keep)
}

/// Whether the inner process ended well. If not, it has reported why.
fn run_inner(job: &Job<'_>, volumes: &mut [VolumeFiles]) -> Result<bool, Error> {
    let outer = Outer::choose();
    setup("dropping the host's groups", ids::drop_groups())?;
    // When the machine runs out of memory, the sandbox is killed first. A refusal does no harm.
    let _ = std::fs::write("/proc/self/oom_score_adj", "700");
    let disk = disk(job, outer);
    let group = group(&job.spec, disk.is_some());
    let (mut gate, mut open_gate) = setup("a pipe", pump::pipe())?;
    match sys::fork_into(NAMESPACES) {
        Err(e) => Err(probe::explain_namespaces(&e)),
        Ok(Fork::Child) => {
            drop(open_gate);
            let mapped = gate.read_exact(&mut [0]).is_ok();
            drop(gate);
            let code = if mapped {
                let kills = || group.as_ref().map_or(0, Group::kills);
                inner::main(job, volumes, disk, &kills)
            } else {
                1
            };
            sys::exit_now(code)
        }
        Ok(Fork::Parent(pid)) => {
            drop((gate, disk));
            // A group that could be created may still refuse processes; then sampling does without
            // it.
            let group = group.filter(|group| group.admit(pid).is_ok());
            if let Err(e) = outer.map(pid) {
                drop(open_gate);
                let _ = end(pid);
                return Err(probe::explain_maps(&e));
            }
            setup("starting the inner process", open_gate.write_all(&[1]))?;
            setup("letting go of the outputs", command::silence(1))?;
            let started = Instant::now();
            let code = setup("watching the sandbox", watch(job, pid))?;
            let kills = group.as_ref().map_or(0, Group::kills);
            if code.is_none() && kills > 0 {
                let how = "the kernel killed its first process for memory";
                let outcome = Outcome::killed_for_memory(started.elapsed(), how);
                let told = wire::send(&job.control, &Told::Ended(outcome), None);
                setup("reporting the end", told)?;
            }
            Ok(code == Some(0))
        }
    }
}

/// A control group; `None` if this user may not create one. Supervision samples memory in any case.
fn group(spec: &Spec, on_disk: bool) -> Option<Group> {
    let limit = cgroup::kill_limit(spec, on_disk)?;
    cgroup::Parent::find()?.create(limit).ok()
}

/// A file system on disk; `None` if files have to be in memory.
fn disk(job: &Job<'_>, outer: Outer) -> Option<OwnedFd> {
    space::on_disk(&job.temporary, job.spec.limits.disk, outer).ok()
}

/// Waits for the end of the inner process or of the host process. The exit code; `None` after a signal.
fn watch(job: &Job<'_>, pid: i32) -> io::Result<Option<i32>> {
    let raw = Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
    let pidfd = pidfd_open(raw, PidfdFlags::empty())?;
    loop {
        let mut fds = [
            PollFd::new(pidfd.as_fd(), PollFlags::POLLIN),
            // The inner process reports messages; only the hang-up, which always arrives, counts
            // here.
            PollFd::new(job.control.as_fd(), PollFlags::empty()),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(e) => return Err(e.into()),
        }
        if fds[0].any().unwrap_or(true) || fds[1].any().unwrap_or(true) {
            return end(pid);
        }
    }
}

/// Kills the inner process, if it still lives. Its exit code; `None` after a signal.
fn end(pid: i32) -> io::Result<Option<i32>> {
    let raw = Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
    // If it has ended already, this has no effect until it is reaped.
    let _ = sys::kill(pid, libc::SIGKILL);
    loop {
        match waitpid(Some(raw), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok(status.exit_status()),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}

/// Opens the tar files of all volumes.
pub(crate) fn open_volumes(spec: &Spec) -> Result<Vec<VolumeFiles>, Error> {
    let open = |volume: &crate::spec::Volume| {
        let fill = volume.fill.as_ref().map(|path| {
            File::open(path).map_err(|source| Error::HostFile {
                path: path.clone(),
                action: "read",
                source,
            })
        });
        let collect = volume
            .collect
            .as_ref()
            .map(|path| Partial::create(path.clone()));
        Ok(VolumeFiles {
            fill: fill.transpose()?,
            collect: collect.transpose()?,
        })
    };
    spec.volumes.iter().map(open).collect()
}

impl Partial {
    fn create(name: PathBuf) -> Result<Self, Error> {
        let mut temporary = name.clone().into_os_string();
        temporary.push(".partial");
        let temporary = PathBuf::from(temporary);
        match File::create(&temporary) {
            Ok(file) => Ok(Self {
                file,
                temporary,
                name,
            }),
            Err(source) => Err(Error::HostFile {
                path: temporary,
                action: "create",
                source,
            }),
        }
    }

    pub(crate) fn keep(self) -> Result<(), Error> {
        std::fs::rename(&self.temporary, &self.name).map_err(|source| Error::HostFile {
            path: self.name,
            action: "write",
            source,
        })
    }

    pub(crate) fn discard(self) {
        self.forget();
    }

    /// As [`discard`](Self::discard), for a borrowed one.
    pub(crate) fn forget(&self) {
        // Best effort: the directory may be gone.
        let _ = std::fs::remove_file(&self.temporary);
    }
}
