//! Standard output and error of a program under test.
//!
//! Output to a pipe is copied, with a limit that protects the reader's memory. Any other output is passed on directly.
//!
//! A reader that sees the end of the output expects to be able to reap the program. The launcher exits a few
//! milliseconds after the program, so a helper process keeps each output open until the launcher has exited.

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

/// Time for which a closed output is kept open. The launcher exits a few milliseconds after its
/// program, so a program that runs longer has closed its output on purpose.
const LINGER: Duration = Duration::from_secs(1);

/// The outputs before the program starts.
pub(super) struct Outputs {
    /// The program's standard output and error, if they are copied.
    pub(super) writers: [Option<File>; 2],
    /// Source and target of each copy.
    pumps: Vec<(File, File)>,
    /// Outputs that are passed on directly and kept open.
    direct: Vec<OwnedFd>,
}

impl Outputs {
    /// The outputs of this process.
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
            // One pipe for both keeps the order of their lines.
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

    /// Duplicates an output whose reader can see its end: a socket or a terminal.
    fn hold(&mut self, output: BorrowedFd<'_>) -> Option<File> {
        let socket = rustix::fs::fstat(output)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Socket);
        if socket || output.is_terminal() {
            self.direct.extend(output.try_clone_to_owned().ok());
        }
        None
    }

    /// Starts the helper processes. Each copies at most `limit` bytes.
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

/// One pipe for each copy. It ends when everything is copied.
pub(super) struct Copied(Vec<File>);

impl Copied {
    /// Waits until the reader can read all output of the program. Returns whether output was cut
    /// off.
    pub(super) fn wait(self) -> bool {
        let mut cut = false;
        for mut end in self.0 {
            cut |= end.read(&mut [0]).is_ok_and(|bytes| bytes > 0);
        }
        cut
    }
}

/// Runs `job` in a child process that has only `kept` open, as descriptors 0, 1 and so on.
fn beside(kept: &[BorrowedFd<'_>], job: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match sys::fork_into(0)? {
        Fork::Parent(_) => Ok(()),
        Fork::Child => sys::exit_now(i32::from(
            sys::keep_only(kept).and_then(|()| job()).is_err(),
        )),
    }
}

/// Copies descriptor 0 to 1, closes 3 when that is done, and waits for the end of the launcher (2). A byte in 3 means
/// that output was cut off.
fn copy_and_hold(limit: u64) -> io::Result<()> {
    let [from, to, launcher, report] = [0, 1, 2, 3].map(sys::inherited);
    let (from, to) = (File::from(from), File::from(to));
    let cut = AtomicBool::new(false);
    let copied = pump::copy(&from, &to, limit, OnError::Close, &cut);
    // Processes that still write get a broken pipe.
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

/// Keeps descriptor 0 open until the end of the launcher (1).
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
