//! A worker, as the server has it.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::wire::{Kind, Message};
use super::worker::{FOLDER, FOLDER_PREFIX, MEMORY, WORKER_ARGUMENT};

/// Longest time until a worker is ready.
const LONGEST_START: Duration = Duration::from_secs(20);

/// Threads of a worker. Each reserves much address space.
const MOST_THREADS: usize = 4;

/// The variables of the server that a worker keeps: the time zone decides which day is today.
const KEPT: [&str; 1] = ["TZ"];

/// The program that workers run. It calls [`dispatch`](super::dispatch) or [`serve`](super::serve).
#[derive(Debug, Clone)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            // It stays the same program if a newer one is installed.
            path: PathBuf::from("/proc/self/exe"),
            args: vec![WORKER_ARGUMENT.into()],
        }
    }
}

/// A worker. When this is dropped, the process is killed and its folder removed.
pub(crate) struct Worker {
    socket: UnixStream,
    /// The base that it has at hand.
    pub(crate) base: Option<String>,
    parts: Option<(Child, TempDir)>,
}

impl Worker {
    /// Starts one with `memory` bytes. It is not ready yet.
    pub(crate) fn start(program: &Program, memory: u64) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(FOLDER_PREFIX).tempdir()?;
        let (own, theirs) = std::os::unix::net::UnixStream::pair()?;
        own.set_nonblocking(true)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.min(MOST_THREADS);
        let mut command = Command::new(&program.path);
        command
            .args(&program.args)
            .env_clear()
            .env(FOLDER, folder.path())
            .env(MEMORY, memory.to_string())
            // A worker cannot ask for this itself.
            .env("RAYON_NUM_THREADS", threads.to_string())
            .current_dir(folder.path())
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C is for the server, which lets requests in flight end.
            .process_group(0)
            .kill_on_drop(true);
        for name in KEPT {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        Ok(Self {
            parts: Some((command.spawn()?, folder)),
            socket: UnixStream::from_std(own)?,
            base: None,
        })
    }

    /// Waits until it is ready for a job. Then its end is the job's doing.
    pub(crate) async fn is_ready(&mut self) -> bool {
        let first = timeout(LONGEST_START, Message::receive(&mut self.socket)).await;
        matches!(first, Ok(Ok(message)) if message.kind == Kind::Ready)
    }

    /// The answer to a message.
    pub(crate) async fn ask(&mut self, message: &Message) -> io::Result<Message> {
        message.send(&mut self.socket).await?;
        Message::receive(&mut self.socket).await
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let Some((mut child, folder)) = self.parts.take() else {
            return;
        };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move {
                // Until it is dead, it may write there.
                drop(child.kill().await);
                drop(tokio::task::spawn_blocking(move || drop(folder)).await);
            })),
            Err(_) => drop(child.start_kill()),
        }
    }
}
