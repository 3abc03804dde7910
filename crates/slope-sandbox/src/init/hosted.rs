//! The first process of a sandbox that an engine for containers has built.
//!
//! Namespaces, root, mounts and rights are the engine's work; they are compared with the request
//! here before any part of the specification is used. What remains is the same as elsewhere: fill
//! the volumes, start the command, supervise it, pack the volumes.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::DumpableBehavior;

use super::inner::{self, LiveVolume};
use super::root::{self, Built};
use super::{Job, Request, setup, tell};
use crate::arguments::Builtin;
use crate::defaults::default_volumes;
use crate::enclosure::{Config, NAME as LAUNCHER};
use crate::hosted::{HostMessage, SOCKET};
use crate::space::Space;
use crate::spec::{Enclosure, Spec};
use crate::wire;
use crate::{Error, cgroup, command, sys};

/// Inputs from the host besides the specification.
struct Hands {
    fill: Vec<Option<File>>,
    collect: Vec<Option<File>>,
}

/// Runs as the first process; `folder` contains the control socket.
pub(crate) fn main(folder: &Path, builtins: &[(&str, Builtin)]) -> i32 {
    rustix::process::umask(Mode::from_raw_mode(0o022));
    let Ok(control) = UnixStream::connect(folder.join(SOCKET)) else {
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
        own_users: false,
    };
    match run(&job) {
        Ok(()) => 0,
        Err(error) => {
            let _ = tell(&job.control, error);
            1
        }
    }
}

fn run(job: &Job<'_>) -> Result<(), Error> {
    let hands = setup("taking over the host's files", hands(job))?;
    check_rights(&setup(
        "reading /proc/self/status",
        fs::read_to_string("/proc/self/status"),
    )?)?;
    let spec = &job.spec;
    // An engine may have made a session already, which is as good.
    let _ = rustix::process::setsid();
    let alone = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
    setup("shutting the first process off", alone.map_err(Into::into))?;
    let _ = rustix::thread::set_name(c"init");
    let listeners = inner::listen(spec.network)?;
    let Hands { fill, collect } = hands;
    let built = volumes(spec, fill)?;
    if let Some(enclosure) = &spec.enclosure {
        let what = format!("the launcher {}", enclosure.launcher.display());
        setup(what, launcher(enclosure))?;
    }
    let outs: Vec<Option<&File>> = collect.iter().map(Option::as_ref).collect();
    inner::run_command(job, listeners, &outs, built, &memory_kills)
}

/// Receives the host's descriptors, in any order, until the host ends the list.
fn hands(job: &Job<'_>) -> io::Result<Hands> {
    let none = || job.spec.volumes.iter().map(|_| None).collect();
    let mut hands = Hands {
        fill: none(),
        collect: none(),
    };
    let gone = || io::Error::new(io::ErrorKind::UnexpectedEof, "the host process is gone");
    command::silence(0)?;
    loop {
        let (what, fd) = wire::receive::<HostMessage>(&job.control)?.ok_or_else(gone)?;
        let missing = || io::Error::other("a descriptor is missing");
        let place = match what {
            HostMessage::All => return Ok(hands),
            HostMessage::Output(number) => {
                let fd: OwnedFd = fd.ok_or_else(missing)?;
                sys::copy_fd(fd.as_fd(), if number == 1 { 1 } else { 2 })?;
                continue;
            }
            HostMessage::Fill(i) => hands.fill.get_mut(i),
            HostMessage::Collect(i) => hands.collect.get_mut(i),
        };
        *place.ok_or_else(missing)? = Some(fd.ok_or_else(missing)?.into());
    }
}

/// Refuses to run anything if the engine failed to drop this process's rights.
fn check_rights(status: &str) -> Result<(), Error> {
    let value = |key: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
            .map_or("", str::trim)
    };
    let none = |text: &str| !text.is_empty() && text.chars().all(|c| c == '0');
    let kept = ["CapPrm", "CapEff", "CapBnd", "CapAmb"]
        .into_iter()
        .find(|key| !none(value(key)));
    let why = if let Some(key) = kept {
        format!("the container has capabilities ({key} {})", value(key))
    } else if value("NoNewPrivs") != "1" {
        "programs in the container may gain privileges".to_owned()
    } else if value("Uid").split_whitespace().any(|id| id == "0") {
        "the container's user is root".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::Refused {
        feature: "a container without rights".to_owned(),
        why,
        remedy: "use an engine that honours CapDrop, no-new-privileges and User".to_owned(),
    })
}

/// Fills the volumes that are written to; the others are the engine's work.
fn volumes(spec: &Spec, mut fill: Vec<Option<File>>) -> Result<Built, Error> {
    let mut order: Vec<usize> = (0..spec.volumes.len()).collect();
    order.sort_by(|a, b| spec.volumes[*a].target.cmp(&spec.volumes[*b].target));
    let mut live: Vec<Option<LiveVolume>> = spec.volumes.iter().map(|_| None).collect();
    let (mut left_out, mut space) = (Vec::new(), Space::default());
    for i in order {
        let volume = &spec.volumes[i];
        let root = setup(volume.target.display(), open_folder(&volume.target))?;
        if volume.writable {
            space.add(setup(volume.target.display(), root.try_clone())?, true);
        }
        left_out.extend(root::lay_down(volume, root.as_fd(), fill[i].take())?);
        live[i] = Some(LiveVolume {
            root,
            size: volume.size,
        });
    }
    for (default, ..) in default_volumes(spec) {
        space.add(setup(default, open_folder(Path::new(default)))?, true);
    }
    if let Ok(shared) = open_folder(Path::new("/dev/shm")) {
        space.share(shared);
    }
    Ok(Built {
        volumes: live.into_iter().flatten().collect(),
        space,
        left_out,
    })
}

fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?)
}

/// The launcher and its configuration, in a volume that the engine made for them.
fn launcher(enclosure: &Enclosure) -> io::Result<()> {
    let (Some(folder), Some(name)) = (enclosure.launcher.parent(), enclosure.launcher.file_name())
    else {
        return Err(io::Error::other("not an absolute path of a file"));
    };
    if name != LAUNCHER {
        return Err(io::Error::other(format!("must be called {LAUNCHER}")));
    }
    let config = serde_json::to_vec(&Config::confined(enclosure))?;
    // The host has removed the binary's name by then, but a running program can still be read.
    root::write_launcher(folder, &config, &mut File::open("/proc/self/exe")?)
}

/// Number of processes of this control group that the kernel has killed for memory, as far as
/// known.
fn memory_kills() -> u64 {
    let files = [
        "/sys/fs/cgroup/memory.events",
        "/sys/fs/cgroup/memory/memory.oom_control",
    ];
    files
        .iter()
        .filter_map(|file| fs::read_to_string(PathBuf::from(file)).ok())
        .find_map(|text| cgroup::kills(&text))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftover_engine_privileges_are_refused() {
        let status = |bounding: &str, privs: &str, uid: &str| {
            format!(
                "Name:\tinit\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nCapPrm:\t0000000000000000\n\
                 CapEff:\t0000000000000000\nCapBnd:\t{bounding}\nCapAmb:\t0000000000000000\n\
                 NoNewPrivs:\t{privs}\n"
            )
        };
        let none = "0000000000000000";
        check_rights(&status(none, "1", "59777")).unwrap();
        for (status, expected) in [
            (
                status("00000000a80425fb", "1", "59777"),
                "CapBnd 00000000a80425fb",
            ),
            (status(none, "0", "59777"), "gain privileges"),
            (status(none, "1", "0"), "user is root"),
            (String::new(), "CapPrm"),
        ] {
            let why = check_rights(&status).unwrap_err().to_string();
            assert!(why.contains(expected), "{why}");
        }
    }
}
