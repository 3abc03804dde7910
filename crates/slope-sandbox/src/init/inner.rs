//! The inner first process: process 1 of the sandbox.

use std::fs::File;
use std::io::BufWriter;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use rustix::process::{DumpableBehavior, Signal};

use super::outer::VolumeFiles;
use super::root::{self, Built, Sources};
use super::{Job, setup, tell};
use crate::outcome::{LimitHit, Outcome};
use crate::procfs::Scope;
use crate::seccomp::Filter;
use crate::spec::Network;
use crate::supervise::{Ended, Watched, supervise};
use crate::wire::{self, Told};
use crate::{Error, archive, ids, mounts, sys};

/// A volume while the sandbox lives.
pub(super) struct LiveVolume {
    /// Its root, for reading.
    pub(super) root: OwnedFd,
    /// Limit in bytes.
    pub(super) size: u64,
}

/// Runs as process 1. Returns exit code 0 only if everything succeeded, including the collection.
pub(super) fn main(
    job: &Job<'_>,
    files: &mut [VolumeFiles],
    disk: Option<OwnedFd>,
    memory_kills: &dyn Fn() -> u64,
) -> i32 {
    match run(job, files, disk, memory_kills) {
        Ok(()) => 0,
        Err(error) => {
            let _ = tell(&job.control, error);
            1
        }
    }
}

fn run(
    job: &Job<'_>,
    files: &mut [VolumeFiles],
    disk: Option<OwnedFd>,
    memory_kills: &dyn Fn() -> u64,
) -> Result<(), Error> {
    let spec = &job.spec;
    setup("private mounts", mounts::make_private())?;
    // With the host user's rights on files, so that sources below closed folders are readable.
    let sources = Sources::open(spec)?;
    setup("becoming the inner user", ids::become_inner())?;
    setup(
        "a session of its own",
        rustix::process::setsid().map_err(Into::into),
    )?;
    // Changing the user has reset these, so they come after it.
    let alone = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .and_then(|()| rustix::process::set_parent_process_death_signal(Some(Signal::KILL)));
    setup("shutting the first process off", alone.map_err(Into::into))?;
    sys::new_session_keyring();
    setup(
        "host name",
        nix::unistd::sethostname("sandbox").map_err(Into::into),
    )?;
    let listeners = network(spec.network)?;
    let built = root::build(spec, sources, files, disk)?;
    let outs: Vec<Option<&File>> = files
        .iter()
        .map(|f| f.collect.as_ref().map(|partial| &partial.file))
        .collect();
    run_command(job, listeners, &outs, built, memory_kills)
}

/// Starts the command in the finished sandbox, supervises it, packs the volumes into `outs` and
/// reports the outcome. `memory_kills` counts the processes that the kernel has killed in the
/// sandbox for memory.
pub(super) fn run_command(
    job: &Job<'_>,
    listeners: Vec<TcpListener>,
    outs: &[Option<&File>],
    built: Built,
    memory_kills: &dyn Fn() -> u64,
) -> Result<(), Error> {
    let spec = &job.spec;
    let filter = if spec.enclosure.is_some() {
        Filter::MayNest
    } else {
        Filter::Strict
    };
    let started = Instant::now();
    let killed_before = memory_kills();
    let child = job.start_command(Scope::Namespace, Some(filter))?;
    job.report_running(listeners)?;

    let watched = Watched {
        limits: &spec.limits,
        scope: Scope::Namespace,
        space: &built.space,
    };
    let ended = supervise(child, started, &job.control, watched);
    let mut ended = setup("supervising", ended)?;
    if memory_kills() > killed_before && !ended.limits.contains(&LimitHit::Memory) {
        ended.limits.push(LimitHit::Memory);
    }
    let mut left_out = built.left_out;
    left_out.extend(collect(outs, &built.volumes)?);
    let outcome = outcome(ended, left_out);
    setup(
        "reporting the end",
        wire::send(&job.control, &Told::Ended(outcome), None),
    )
}

/// Loopback, and the requested listening sockets.
fn network(network: Network) -> Result<Vec<TcpListener>, Error> {
    setup("loopback interface", sys::loopback_up())?;
    listen(network)
}

/// The requested listening sockets.
pub(super) fn listen(network: Network) -> Result<Vec<TcpListener>, Error> {
    let bind = |port: u16| {
        let what = format!("listening on port {port}");
        setup(what, TcpListener::bind(("127.0.0.1", port)))
    };
    network.ports().into_iter().map(bind).collect()
}

/// Packs the volumes to keep. No other process runs in the sandbox any more.
fn collect(outs: &[Option<&File>], live: &[LiveVolume]) -> Result<Vec<String>, Error> {
    let mut left_out = Vec::new();
    for (out, volume) in outs.iter().zip(live) {
        let Some(out) = out else {
            continue;
        };
        let out = BufWriter::with_capacity(1 << 20, *out);
        let notes = archive::collect(volume.root.as_fd(), out, volume.size);
        left_out.extend(setup("collecting a volume", notes)?);
    }
    Ok(left_out)
}

/// Builds the outcome.
pub(crate) fn outcome(ended: Ended, left_out: Vec<String>) -> Outcome {
    Outcome {
        exit: ended.exit,
        limits: ended.limits,
        leftover_processes: ended.leftover,
        wall_s: ended.wall.as_secs_f64(),
        cpu_s: Some(ended.cpu.as_secs_f64()),
        peak_memory: Some(ended.peak_memory),
        left_out,
    }
}
