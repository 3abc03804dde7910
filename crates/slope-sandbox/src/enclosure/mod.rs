//! The launcher that graders use to start programs under test.
//!
//! Called as `slope-enter ARGV…` it stays outside as the program's stand-in (signals, outputs, exit
//! status), while a nested first process covers forbidden paths and supervises the program.

mod cover;
mod names;
mod outputs;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::process::DumpableBehavior;
use serde::{Deserialize, Serialize};

use self::outputs::Outputs;
use crate::ids::Outer;
use crate::outcome::{CASE_VARIABLE, Exit, LimitHit, Outcome, ProgramNote};
use crate::procfs::Scope;
use crate::pump;
use crate::seccomp::Filter;
use crate::space::Space;
use crate::spec::Enclosure;
use crate::supervise::{Order, Watched, supervise};
use crate::sys::{self, Fork};
use crate::wire::{self, Told};
use crate::{command, init};

/// File name of the launcher.
pub(crate) const NAME: &str = "slope-enter";
/// File name of its configuration, in the same folder.
pub(crate) const CONFIG: &str = "slope-enter.json";
/// Exit code when the launcher itself fails.
const FAILED: i32 = 125;

/// Namespaces of a program. Not the network: tests talk to programs over loopback.
const NAMESPACES: libc::c_int =
    libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID | libc::CLONE_NEWIPC;

/// Signals that are passed on to the program.
const FORWARDED: &[Signal] = &[
    Signal::SIGTERM,
    Signal::SIGINT,
    Signal::SIGHUP,
    Signal::SIGQUIT,
    Signal::SIGUSR1,
    Signal::SIGUSR2,
    Signal::SIGALRM,
    Signal::SIGWINCH,
    Signal::SIGCONT,
];

/// The launcher's input.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Config {
    confined: bool,
    enclosure: Enclosure,
}

impl Config {
    /// For use inside a sandbox.
    pub(crate) fn confined(enclosure: &Enclosure) -> Self {
        Self {
            confined: true,
            enclosure: enclosure.clone(),
        }
    }

    /// For use without namespaces.
    pub(crate) fn unconfined(enclosure: &Enclosure) -> Self {
        Self {
            confined: false,
            enclosure: enclosure.clone(),
        }
    }
}

/// Whether this process was started as the launcher.
pub(crate) fn is_launcher(own_name: &OsStr) -> bool {
    Path::new(own_name).file_name() == Some(OsStr::new(NAME)) || own_folder().is_some()
}

/// Folder of the launcher, if the running executable has its name.
fn own_folder() -> Option<PathBuf> {
    let exe = fs::read_link("/proc/self/exe").ok()?;
    if exe.file_name()? == NAME {
        Some(exe.parent()?.to_owned())
    } else {
        None
    }
}

/// Runs as the launcher.
pub(crate) fn main(own_name: &OsStr, argv: Vec<OsString>) -> i32 {
    match Launch::prepare(own_name, argv).and_then(|launch| launch.run()) {
        Ok(exit) => leave(exit),
        Err(e) => {
            complain(&e.to_string());
            FAILED
        }
    }
}

fn complain(why: &str) {
    // Without standard error no report is possible.
    let _ = writeln!(io::stderr(), "{NAME}: {why}");
}

/// Exits in the same way as the program.
fn leave(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => {
            sys::reset_signals();
            let _ = sys::kill(std::process::id().cast_signed(), signal);
            128 + signal
        }
    }
}

/// One program to start.
struct Launch {
    config: Config,
    argv: Vec<OsString>,
    env: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
    folder: PathBuf,
}

impl Launch {
    fn prepare(own_name: &OsStr, argv: Vec<OsString>) -> io::Result<Self> {
        if argv.is_empty() {
            return Err(io::Error::other(format!(
                "usage: {NAME} PROGRAM [ARGUMENT…]"
            )));
        }
        let beside = || {
            Path::new(own_name)
                .parent()
                .map(Path::to_owned)
                .unwrap_or_default()
        };
        let folder = own_folder().unwrap_or_else(beside);
        let text = fs::read(folder.join(CONFIG))
            .map_err(|e| io::Error::new(e.kind(), format!("{CONFIG}: {e}")))?;
        let config: Config = serde_json::from_slice(&text)?;
        let stripped = &config.enclosure.strip_env;
        let mut env: BTreeMap<OsString, OsString> = std::env::vars_os()
            .filter(|(key, _)| stripped.iter().all(|name| key != OsStr::new(name)))
            .collect();
        env.extend(
            config
                .enclosure
                .env
                .iter()
                .map(|(k, v)| (k.into(), v.into())),
        );
        // A deleted folder cannot be resolved; the program then starts at the root.
        let cwd = std::env::current_dir().unwrap_or_else(|_| "/".into());
        Ok(Self {
            config,
            argv,
            env,
            cwd,
            folder,
        })
    }

    fn scope(&self) -> Scope {
        if self.config.confined {
            Scope::Namespace
        } else {
            Scope::Descendants
        }
    }

    /// The outer side: starts the nested first process and represents the program.
    fn run(&self) -> io::Result<Exit> {
        let signals: SigSet = FORWARDED.iter().copied().collect();
        signals.thread_block()?;
        let signals = SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC)?;
        let outputs = Outputs::new()?;
        let (control, theirs) = UnixStream::pair()?;
        let (mut gate, mut open_gate) = pump::pipe()?;
        let namespaces = if self.config.confined { NAMESPACES } else { 0 };
        match sys::fork_into(namespaces)? {
            Fork::Child => {
                drop((open_gate, control, signals));
                let mapped = gate.read_exact(&mut [0]).is_ok();
                drop(gate);
                sys::exit_now(if mapped {
                    self.nested(&theirs, outputs)
                } else {
                    1
                })
            }
            Fork::Parent(pid) => {
                drop((gate, theirs));
                if self.config.confined {
                    Outer::choose().map(pid)?;
                }
                open_gate.write_all(&[1])?;
                let limit = self.config.enclosure.limits.output;
                let copied = outputs.start(limit)?;
                let ended = stand_in(&control, &signals);
                let _ = nix::sys::wait::waitpid(nix::unistd::Pid::from_raw(pid), None);
                let cut = copied.wait();
                ended.map(|ended| {
                    self.note(&ended, cut);
                    ended.exit
                })
            }
        }
    }

    /// Appends to the log of programs, if there is one. A failed write does not fail the program.
    fn note(&self, ended: &Ending, cut: bool) {
        let mut limits = ended.limits.clone();
        limits.extend(cut.then_some(LimitHit::Output));
        limits.extend((ended.exit == Exit::Signal(libc::SIGXFSZ)).then_some(LimitHit::Disk));
        let Some(log) = &self.config.enclosure.limit_log else {
            return;
        };
        let case = std::env::var(CASE_VARIABLE).ok();
        if limits.is_empty() && case.is_none() {
            return;
        }
        let note = ProgramNote {
            limits,
            test: std::env::var("PYTEST_CURRENT_TEST").ok(),
            case,
            cpu_s: ended.cpu_s,
            peak_memory: ended.peak_memory,
        };
        let _ = serde_json::to_string(&note).map(|line| {
            let log = fs::File::options().append(true).create(true).open(log);
            log.and_then(|mut log| log.write_all(format!("{line}\n").as_bytes()))
        });
    }

    /// The nested first process.
    fn nested(&self, control: &UnixStream, outputs: Outputs) -> i32 {
        let told = match self.enter_and_supervise(control, outputs) {
            Ok(told) => told,
            Err(e) => Told::Setup(e.to_string()),
        };
        i32::from(wire::send(control, &told, None).is_err())
    }

    fn enter_and_supervise(&self, control: &UnixStream, outputs: Outputs) -> io::Result<Told> {
        rustix::process::setsid()?;
        rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        for (writer, target) in outputs.writers.iter().zip([1, 2]) {
            if let Some(writer) = writer {
                sys::copy_fd(writer.as_fd(), target)?;
            }
        }
        drop(outputs);
        if self.config.confined {
            cover::cover(
                &self.config.enclosure,
                &self.folder,
                &self.argv,
                &self.env,
                &self.cwd,
            )?;
        } else {
            rustix::process::set_child_subreaper(rustix::process::Pid::from_raw(1))?;
        }
        let limits = &self.config.enclosure.limits;
        let start = command::Start {
            program: command::Program::Exec(&self.argv),
            workdir: &self.cwd,
            env: &self.env,
            limits,
            scope: self.scope(),
            filter: self.config.confined.then_some(Filter::Strict),
            own_users: true,
        };
        let started = Instant::now();
        let child = match command::start(&start)? {
            Ok(child) => child,
            Err(failure) => {
                let program = self.argv.first().map(|p| p.to_string_lossy().into_owned());
                let why = format!("{}: {}", program.unwrap_or_default(), failure.why);
                return Ok(Told::Exec {
                    program: failure.shell_code.to_string(),
                    why,
                });
            }
        };
        wire::send(control, &Told::Running, None)?;
        command::silence(0)?;
        let space = if self.config.confined {
            let [tmp, home] = crate::defaults::DEFAULTS.map(|(folder, ..)| Path::new(folder));
            Space::of_program(&[tmp, home, &self.cwd])
        } else {
            Space::default()
        };
        let watched = Watched {
            limits,
            scope: self.scope(),
            space: &space,
        };
        let ended = supervise(child, started, control, watched)?;
        Ok(Told::Ended(init::outcome(ended, Vec::new())))
    }
}

/// Passes signals on until the program has ended.
fn stand_in(control: &UnixStream, signals: &SignalFd) -> io::Result<Ending> {
    loop {
        let mut fds = [
            PollFd::new(signals.as_fd(), PollFlags::POLLIN),
            PollFd::new(control.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut fds, PollTimeout::NONE) {
            Ok(_) => {}
            Err(nix::errno::Errno::EINTR) => continue,
            Err(e) => return Err(e.into()),
        }
        if fds[1].any().unwrap_or(true) {
            if let Some(ending) = hear(control)? {
                return Ok(ending);
            }
        } else if let Some(info) = signals.read_signal()? {
            let signal = i32::try_from(info.ssi_signo).unwrap_or(libc::SIGTERM);
            // If the nested process has just ended, its last message is next.
            let _ = wire::send(control, &Order::Signal(signal), None);
        }
    }
}

/// Result of a program.
struct Ending {
    exit: Exit,
    limits: Vec<LimitHit>,
    cpu_s: Option<f64>,
    peak_memory: Option<u64>,
}

/// Handles a message of the nested first process. Returns the program's end if the message reports it.
fn hear(control: &UnixStream) -> io::Result<Option<Ending>> {
    match wire::receive::<Told>(control)?.map(|(told, _)| told) {
        // This process must not keep the program's standard streams open, or their readers never see the end.
        Some(Told::Running) => command::silence(0).map(|()| None),
        // The nested process never listens.
        Some(Told::Listening) => Ok(None),
        Some(Told::Ended(Outcome {
            exit,
            limits,
            cpu_s,
            peak_memory,
            ..
        })) => Ok(Some(Ending {
            exit,
            limits,
            cpu_s,
            peak_memory,
        })),
        Some(Told::Exec { program, why }) => {
            complain(&why);
            Ok(Some(Ending {
                exit: Exit::Code(program.parse().unwrap_or(126)),
                limits: Vec::new(),
                cpu_s: None,
                peak_memory: None,
            }))
        }
        Some(Told::Setup(why) | Told::Refused { why, .. }) => Err(io::Error::other(why)),
        None => Err(io::Error::other("the nested sandbox was lost")),
    }
}
