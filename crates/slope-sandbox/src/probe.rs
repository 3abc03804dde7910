//! Probes the features of this machine by trying them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Stdio;

use serde::{Deserialize, Serialize};
use slope_model::error_text::ErrorText;

use crate::arguments::PROBE_ARGUMENT;
use crate::cgroup::Parent;
use crate::ids::{self, Outer};
use crate::seccomp::{self, Filter};
use crate::sys::{self, Fork};
use crate::{Error, limits, mounts, pump, space};

/// Something that a kernel may permit or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Feature {
    /// User namespaces, made by the present user.
    UserNamespaces,
    /// Mount namespaces inside them, and cloning parts of the system into them.
    Mounts,
    /// Memory file systems inside them.
    Tmpfs,
    /// Process namespaces with a fresh `/proc`.
    Processes,
    /// Network namespaces with a loopback interface.
    Network,
    /// A sandbox within the sandbox, which graders use for programs under test.
    Nesting,
    /// System call filters.
    Seccomp,
    /// Landlock. The sandbox does not use it at present; the state is only recorded.
    Landlock,
    /// Files of a sandbox on disk rather than in memory.
    Disk,
    /// A control group for each sandbox, so that the kernel counts and limits its memory.
    Cgroup,
    /// An engine for containers, with its version.
    Engine,
    /// The base image of containers, with its id.
    Image,
}

impl Feature {
    /// Whether the local runtime cannot work without it.
    #[must_use]
    pub fn required(self) -> bool {
        !matches!(self, Self::Landlock | Self::Disk | Self::Cgroup)
    }
}

/// Whether it works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Works; with a detail such as a version, if there is one.
    Works(Option<String>),
    /// Tried, refused.
    Refused {
        /// Kernel error.
        why: String,
        /// Remedy.
        remedy: String,
    },
    /// Could not be tried because something before it was refused.
    Untried,
}

/// A machine's features, in a fixed order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capabilities {
    /// Features and their states.
    pub features: Vec<(Feature, State)>,
}

impl Capabilities {
    /// State of one feature.
    #[must_use]
    pub fn state(&self, feature: Feature) -> Option<&State> {
        self.features
            .iter()
            .find(|(f, _)| *f == feature)
            .map(|(_, state)| state)
    }

    /// Fails with the first required feature that does not work.
    ///
    /// # Errors
    /// [`Error::Refused`] with the remedy.
    pub fn require(&self) -> Result<(), Error> {
        for (feature, state) in &self.features {
            if !feature.required() {
                continue;
            }
            if let State::Refused { why, remedy } = state {
                return Err(Error::Refused {
                    feature: feature_words(*feature).to_owned(),
                    why: why.clone(),
                    remedy: remedy.clone(),
                });
            }
        }
        Ok(())
    }
}

fn feature_words(feature: Feature) -> &'static str {
    match feature {
        Feature::UserNamespaces => "user namespaces",
        Feature::Mounts => "mounts in a user namespace",
        Feature::Tmpfs => "memory file systems in a user namespace",
        Feature::Processes => "a fresh /proc in a process namespace",
        Feature::Network => "network namespaces",
        Feature::Nesting => "nested user namespaces",
        Feature::Seccomp => "system call filters",
        Feature::Landlock => "Landlock",
        Feature::Disk => "files on disk",
        Feature::Cgroup => "a control group for each sandbox",
        Feature::Engine => "an engine for containers",
        Feature::Image => "the base image of containers",
    }
}

/// Tries everything in a child process.
pub(crate) fn probe() -> Capabilities {
    let child = std::process::Command::new("/proc/self/exe")
        .arg(PROBE_ARGUMENT)
        .env_clear()
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let answer = child.and_then(|output| {
        serde_json::from_slice::<Capabilities>(&output.stdout).map_err(io::Error::from)
    });
    answer.unwrap_or_else(|e| Capabilities {
        features: vec![(
            Feature::UserNamespaces,
            State::Refused {
                why: format!("the probing process gave no answer: {e}"),
                remedy: "call slope_sandbox::dispatch first in `main`".to_owned(),
            },
        )],
    })
}

/// Runs as the probing process.
pub(crate) fn main() -> i32 {
    let mut features = inside();
    features.push((Feature::Seccomp, seccomp_state()));
    features.push((Feature::Landlock, landlock_state()));
    features.push((Feature::Disk, disk_state()));
    features.push((Feature::Cgroup, cgroup_state()));
    let written = serde_json::to_vec(&Capabilities { features })
        .map_err(io::Error::from)
        .and_then(|text| io::stdout().write_all(&text));
    i32::from(written.is_err())
}

/// Features that can only be probed inside new namespaces, in order.
const INSIDE: [Feature; 5] = [
    Feature::Mounts,
    Feature::Tmpfs,
    Feature::Processes,
    Feature::Network,
    Feature::Nesting,
];

fn inside() -> Vec<(Feature, State)> {
    let (first, rest) = match try_inside() {
        Ok(rest) => (State::Works(None), rest),
        Err(Error::Refused { why, remedy, .. }) => (State::Refused { why, remedy }, Vec::new()),
        Err(other) => {
            let text = ErrorText::of(&other);
            let remedy = match text.help.as_slice() {
                [] => "fix the cause".to_owned(),
                help => help.join("; "),
            };
            (
                State::Refused {
                    why: text.message,
                    remedy,
                },
                Vec::new(),
            )
        }
    };
    let mut features = vec![(Feature::UserNamespaces, first)];
    let mut rest = rest.into_iter();
    features.extend(
        INSIDE
            .iter()
            .map(|f| (*f, rest.next().unwrap_or(State::Untried))),
    );
    features
}

/// Creates the namespaces and lets their first process probe the rest.
fn try_inside() -> Result<Vec<State>, Error> {
    let (mut gate, mut open_gate) = pump::pipe()?;
    let (answers, mut answer) = pump::pipe()?;
    ids::drop_groups()?;
    match sys::fork_into(crate::defaults::NAMESPACES).map_err(|e| explain_namespaces(&e))? {
        Fork::Child => {
            drop((open_gate, answers));
            let mapped = io::Read::read_exact(&mut gate, &mut [0]).is_ok();
            let states = if mapped { try_each() } else { Vec::new() };
            let told = serde_json::to_vec(&states).map(|text| answer.write_all(&text));
            sys::exit_now(i32::from(told.is_err()))
        }
        Fork::Parent(pid) => {
            drop((gate, answer));
            Outer::choose().map(pid).map_err(|e| explain_maps(&e))?;
            open_gate.write_all(&[1])?;
            let text = io::read_to_string(answers)?;
            let states = serde_json::from_str(&text).map_err(io::Error::from)?;
            let _ = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(pid), None);
            Ok(states)
        }
    }
}

fn try_each() -> Vec<State> {
    let mounted = mounts::make_private().and_then(|()| mounts::clone_tree(Path::new("/usr")));
    let mut states = vec![state(
        mounted.map(drop),
        "use Linux 5.12 or later and allow mounting in user namespaces",
    )];
    let tmpfs = ids::become_inner().and_then(|()| mounts::tmpfs(1 << 20, 0o755));
    states.push(state(
        tmpfs.map(drop),
        "allow memory file systems in user namespaces",
    ));
    let proc = mounts::new_file_system("proc", &[], true);
    states.push(state(proc.map(drop), PROC_REMEDY));
    states.push(state(sys::loopback_up(), "allow network namespaces"));
    states.push(state(
        try_nesting(),
        "allow nested user namespaces (user.max_user_namespaces)",
    ));
    states
}

/// Creates a user namespace within the present one, as the launcher does.
fn try_nesting() -> io::Result<()> {
    limits::drop_capabilities()?;
    match sys::fork_into(libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID)? {
        Fork::Child => sys::exit_now(0),
        Fork::Parent(pid) => {
            nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(pid), None)?;
            Ok(())
        }
    }
}

fn state(result: io::Result<()>, remedy: &str) -> State {
    match result {
        Ok(()) => State::Works(None),
        Err(e) => State::Refused {
            why: e.to_string(),
            remedy: remedy.to_owned(),
        },
    }
}

/// Installs the filter permanently in a child that exits immediately.
fn seccomp_state() -> State {
    let tried = sys::fork_into(0).and_then(|fork| match fork {
        Fork::Child => {
            let done = rustix::thread::set_no_new_privs(true)
                .map_err(io::Error::from)
                .and_then(|()| seccomp::install(Filter::Strict, false));
            sys::exit_now(i32::from(done.is_err()))
        }
        Fork::Parent(pid) => {
            let status = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(pid), None)?;
            match status {
                nix::sys::wait::WaitStatus::Exited(_, 0) => Ok(()),
                _ => Err(io::Error::other("the filter could not be installed")),
            }
        }
    });
    state(tried, "use a kernel with CONFIG_SECCOMP_FILTER")
}

fn landlock_state() -> State {
    match sys::landlock_version() {
        Ok(version) => State::Works(Some(format!("version {version}"))),
        Err(e) => State::Refused {
            why: e.to_string(),
            remedy: "not needed; kernels from 5.13 on have it".to_owned(),
        },
    }
}

fn disk_state() -> State {
    let made = space::on_disk(&std::env::temp_dir(), 16 << 20, Outer::choose());
    state(
        made.map(drop),
        "not needed, because files are kept in memory. Files on disk need root, a loop device and mkfs.ext4",
    )
}

/// Creates a group with a limit, as a sandbox does.
fn cgroup_state() -> State {
    let made = Parent::find()
        .ok_or_else(|| io::Error::other("no memory controller is passed on to this user"))
        .and_then(|parent| parent.create(1 << 30).map(|_| parent));
    match made {
        Ok(parent) => State::Works(Some(format!(
            "{}: the kernel limits a sandbox's memory",
            parent.version().name()
        ))),
        Err(e) => State::Refused {
            why: e.to_string(),
            remedy: CGROUP_REMEDY.to_owned(),
        },
    }
}

const CGROUP_REMEDY: &str = "not needed; memory is sampled every 50 ms. With systemd: \
    `systemd-run --user --scope slope …`";

const PROC_REMEDY: &str = "in a container, leave /proc unmasked \
    (Docker: `--security-opt systempaths=unconfined`; Kubernetes: `procMount: Unmasked`), \
    or run with --no-sandbox";

/// Explains why namespaces cannot be created, with a remedy.
pub(crate) fn explain_namespaces(error: &io::Error) -> Error {
    let knob = |path: &str| fs::read_to_string(path).ok().map(|v| v.trim().to_owned());
    let remedy = if knob("/proc/sys/user/max_user_namespaces").as_deref() == Some("0") {
        "set user.max_user_namespaces, which is 0: `sysctl user.max_user_namespaces=10000`"
    } else if knob("/proc/sys/kernel/unprivileged_userns_clone").as_deref() == Some("0") {
        "set kernel.unprivileged_userns_clone, which is 0, to 1"
    } else if restricted_by_apparmor() {
        APPARMOR_REMEDY
    } else if error.raw_os_error() == Some(libc::ENOSPC) {
        "raise user.max_user_namespaces and the other user.max_*_namespaces, one of which is used up, \
         or nest containers less deeply"
    } else if error.raw_os_error() == Some(libc::EPERM) {
        "in a container, allow `clone` with namespaces in its system call filter \
         (Docker: `--security-opt seccomp=unconfined`)"
    } else {
        "use a kernel with user, pid, network, ipc, uts and cgroup namespaces"
    };
    refused(
        "user namespaces",
        error,
        &format!("{remedy}, or run with --no-sandbox"),
    )
}

const APPARMOR_REMEDY: &str = "lift AppArmor's restriction of user namespaces: set \
    kernel.apparmor_restrict_unprivileged_userns to 0, or give this binary a profile with `userns,`";

fn restricted_by_apparmor() -> bool {
    fs::read_to_string("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        .is_ok_and(|v| v.trim() == "1")
}

/// Explains why the user map of a new namespace cannot be written.
pub(crate) fn explain_maps(error: &io::Error) -> Error {
    let remedy = if restricted_by_apparmor() {
        APPARMOR_REMEDY
    } else {
        "run as an ordinary user, or as root with CAP_SETUID and CAP_SETGID"
    };
    refused("mapping a user into a user namespace", error, remedy)
}

/// Explains why `/proc` cannot be mounted.
pub(crate) fn explain_proc(error: &io::Error) -> Error {
    refused(feature_words(Feature::Processes), error, PROC_REMEDY)
}

fn refused(feature: &str, error: &io::Error, remedy: &str) -> Error {
    Error::Refused {
        feature: feature.to_owned(),
        why: error.to_string(),
        remedy: remedy.to_owned(),
    }
}
