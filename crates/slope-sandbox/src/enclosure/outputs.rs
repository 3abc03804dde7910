//! Standard output and error of a program under test.
//!
//! A pipe is pumped, because its reader's memory is at stake; anything else is passed on directly.
//!
//! A reader who sees the end of the output expects that it can reap the program. The launcher ends some milliseconds
//! later than the program, so a process of its own holds each output until the launcher has ended.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use rustix::fs::FileType;
use rustix::process::{PidfdFlags, pidfd_open};

use crate::pump::{self, OnError};
use crate::sys::{self, Fork};

/// How long an output is held that the program has closed. The launcher ends a few milliseconds after its program; a
/// program that runs on has closed its output on purpose.
const LINGER: Duration = Duration::from_secs(1);

/// The outputs before the program starts.
pub(super) struct Outputs {
    /// What becomes the program's standard output and error, where it is pumped.
    pub(super) writers: [Option<File>; 2],
    /// From where to where.
    pumps: Vec<(File, File)>,
    /// Outputs that are passed on directly.
    direct: Vec<OwnedFd>,
}

impl Outputs {
    /// Of this process's own.
    pub(super) fn new() -> io::Result<Self> {
        let (out, err) = (io::stdout(), io::stderr());
        let mut outputs = Self {
            writers: [None, None],
            pumps: Vec::new(),
            direct: Vec::new(),
        };
        let first = pipe_id(out.as_fd())?;
        outputs.writers[0] = match first {
            Some(_) => Some(outputs.pumped(out.as_fd())?),
            None => outputs.hold(out.as_fd()),
        };
        let second = pipe_id(err.as_fd())?;
        outputs.writers[1] = match (second, &outputs.writers[0]) {
            // One pipe for both keeps the order of what is written to one or the other.
            (Some(_), Some(writer)) if first == second => Some(writer.try_clone()?),
            (Some(_), _) => Some(outputs.pumped(err.as_fd())?),
            (None, _) => outputs.hold(err.as_fd()),
        };
        Ok(outputs)
    }

    fn pumped(&mut self, target: BorrowedFd<'_>) -> io::Result<File> {
        let (reader, writer) = pump::pipe()?;
        self.pumps
            .push((reader, target.try_clone_to_owned()?.into()));
        Ok(writer)
    }

    /// Keeps a copy of an output whose reader can see its end: a socket or a terminal.
    fn hold(&mut self, output: BorrowedFd<'_>) -> Option<File> {
        let socket = rustix::fs::fstat(output)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket);
        if socket || output.is_terminal() {
            self.direct.extend(output.try_clone_to_owned().ok());
        }
        None
    }

    /// Starts the processes that copy and hold the outputs; each copies at most `limit` bytes.
    pub(super) fn start(self, limit: u64) -> io::Result<Copied> {
        drop(self.writers);
        let launcher = pidfd_open(rustix::process::getpid(), PidfdFlags::empty())?;
        let mut copied = Vec::new();
        for (from, to) in self.pumps {
            let (end, report) = pump::pipe()?;
            let kept = [from.as_fd(), to.as_fd(), launcher.as_fd(), report.as_fd()];
            beside(&kept, || copy_and_hold(limit))?;
            copied.push(end);
        }
        for output in self.direct {
            beside(&[output.as_fd(), launcher.as_fd()], hold)?;
        }
        Ok(Copied(copied))
    }
}

/// One pipe for each pump, which ends when the pump has copied everything.
pub(super) struct Copied(Vec<File>);

impl Copied {
    /// Waits until all that the program has written is where its reader can read it. Whether something was cut off.
    pub(super) fn wait(self) -> bool {
        let mut cut = false;
        for mut end in self.0 {
            cut |= end.read(&mut [0]).is_ok_and(|bytes| bytes > 0);
        }
        cut
    }
}

/// Runs `job` in a process of its own, which has nothing open but `kept`, as its first descriptors.
fn beside(kept: &[BorrowedFd<'_>], job: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match sys::fork_into(0)? {
        Fork::Parent(_) => Ok(()),
        Fork::Child => sys::exit_now(i32::from(
            sys::keep_only(kept).and_then(|()| job()).is_err(),
        )),
    }
}

/// Copies descriptor 0 to 1, closes 3 when that is done (with a byte in it if something was cut off), and waits for the end of the launcher (2).
fn copy_and_hold(limit: u64) -> io::Result<()> {
    let [from, to, launcher, report] = [0, 1, 2, 3].map(sys::inherited);
    let (from, to) = (File::from(from), File::from(to));
    let cut = AtomicBool::new(false);
    let copied = pump::copy(&from, &to, limit, OnError::Close, &cut);
    // Who still writes gets a broken pipe.
    drop(from);
    if cut.into_inner() {
        File::from(report).write_all(b"!")?;
    } else {
        drop(report);
    }
    copied?;
    wait_for_end(
        &launcher,
        PollTimeout::try_from(LINGER).unwrap_or(PollTimeout::ZERO),
    )
}

/// Holds descriptor 0 until the end of the launcher (1).
fn hold() -> io::Result<()> {
    wait_for_end(&sys::inherited(1), PollTimeout::NONE)
}

fn wait_for_end(process: &OwnedFd, patience: PollTimeout) -> io::Result<()> {
    poll(
        &mut [PollFd::new(process.as_fd(), PollFlags::POLLIN)],
        patience,
    )?;
    Ok(())
}

/// Identity of a pipe; `None` for anything else.
fn pipe_id(fd: BorrowedFd<'_>) -> io::Result<Option<(u64, u64)>> {
    match rustix::fs::fstat(fd) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Fifo => {
            Ok(Some((stat.st_dev, stat.st_ino)))
        }
        Ok(_) | Err(rustix::io::Errno::BADF) => Ok(None),
        Err(e) => Err(e.into()),
    }
}
