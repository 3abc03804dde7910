//! The worker's side.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use slope_sandbox::{Confinement, UsedMemory};

use super::job::{Job, KeptBase};
use super::wire::{Kind, MAX_BYTES, Message};

/// The only argument of a worker.
pub const WORKER_ARGUMENT: &str = "__serve-worker";

/// The variable with the memory that a worker may use, in bytes.
pub(crate) const MEMORY: &str = "SLOPE_WORKER_MEMORY";

/// The variable with the folder of a worker.
pub(crate) const FOLDER: &str = "TMPDIR";

/// Start of the name of that folder.
pub(crate) const FOLDER_PREFIX: &str = "slope-worker-";

/// What a worker reads besides its own folder: time zones, because the date of today ends waivers.
const READABLE: [&str; 2] = ["/etc/localtime", "/usr/share/zoneinfo"];

/// Largest file that it writes, in bytes.
const FILE_SIZE: u64 = 64 << 20;

/// Address space that a worker may reserve beyond its memory, in bytes: for stacks, and for the allocator.
const RESERVED: u64 = 8 << 30;

/// How often a worker looks how much memory it uses.
const LOOK: Duration = Duration::from_millis(50);

/// Memory in kilobytes with which a worker ends after its answer, so that it does not keep what one request needed.
const MAX_KEPT_KB: u64 = 512 << 10;

/// Jobs of a worker. Then another one takes its place, so that nothing can gather in it.
const MAX_JOBS: u32 = 500;

/// Stack of the thread that works, in bytes. It counts as memory only where it is used.
const STACK: usize = 64 << 20;

/// Works for a server, if this process was started for that. Must be called first in `main`, before any thread exists.
/// `Some(code)` means that the process should exit with that code.
#[must_use]
pub fn dispatch() -> Option<i32> {
    let is_worker = std::env::args_os().nth(1)? == WORKER_ARGUMENT;
    is_worker.then(|| i32::from(serve().is_err()))
}

/// Confines this process, and works for the server at the other end of standard input until that closes it.
///
/// # Errors
/// If standard input is not a socket, the process cannot be confined, or the server goes away.
pub fn serve() -> io::Result<()> {
    let missing = |_| io::Error::from(io::ErrorKind::InvalidInput);
    let memory = std::env::var(MEMORY).map_err(missing)?;
    let memory: u64 = memory.parse().map_err(io::Error::other)?;
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap_or_default());
    let confined = Confinement {
        memory: memory.saturating_add(RESERVED),
        file_size: FILE_SIZE,
        folder: &folder,
        readable: &READABLE.map(Path::new),
    };
    let used = confined.apply()?;
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    socket.peer_addr()?;
    let watched = socket.try_clone()?;
    thread::Builder::new().spawn(move || end_with_server(&watched, &folder))?;
    let work = thread::Builder::new().stack_size(STACK);
    let work = work.spawn(move || work_for(socket, memory >> 10, &used))?;
    work.join()
        .unwrap_or_else(|_| Err(io::Error::other("panic")))
}

/// Ends this process when the server's end of the socket closes, also in the middle of work.
fn end_with_server(socket: &UnixStream, folder: &Path) {
    let mut watched = [PollFd::new(socket.as_fd(), PollFlags::empty())];
    while poll(&mut watched, PollTimeout::NONE).is_err() {}
    // A server that was killed cannot remove it.
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    if name.starts_with(FOLDER_PREFIX) {
        drop(std::fs::remove_dir_all(folder));
    }
    std::process::exit(0);
}

/// Works, and ends this process if it uses more memory than that meanwhile.
fn within_memory<T>(most_kb: u64, used: &UsedMemory, work: impl FnOnce() -> T) -> T {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !is_done.load(Ordering::Acquire) {
                if used.most_kb() > most_kb {
                    std::process::exit(1);
                }
                thread::park_timeout(LOOK);
            }
        });
        let result = work();
        is_done.store(true, Ordering::Release);
        watch.thread().unpark();
        result
    })
}

fn work_for(mut socket: UnixStream, most_kb: u64, used: &UsedMemory) -> io::Result<()> {
    let mut kept = KeptBase::default();
    for _ in 0..MAX_JOBS {
        Message::new(Kind::Ready, "").write(&mut socket)?;
        let message = Message::read(&mut socket)?;
        let answer = within_memory(most_kb, used, || answer(&message, &mut kept));
        answer.write(&mut socket)?;
        if used.most_kb() > MAX_KEPT_KB || answer.kind == Kind::Panic {
            break;
        }
    }
    Ok(())
}

fn answer(message: &Message, kept: &mut KeptBase) -> Message {
    let job: Job = match serde_json::from_slice(&message.bytes) {
        Ok(job) => job,
        Err(_) => return Message::new(Kind::Panic, ""),
    };
    let result = catch_unwind(AssertUnwindSafe(|| job.run(kept)));
    match result {
        Ok(Ok(document)) if document.len() > MAX_BYTES => Message::new(Kind::TooLarge, ""),
        Ok(Ok(document)) => Message::new(Kind::Document, document),
        Ok(Err(error)) => {
            let text = serde_json::to_vec(&error).unwrap_or_default();
            Message::new(Kind::Error, text)
        }
        Err(_) => Message::new(Kind::Panic, ""),
    }
}
