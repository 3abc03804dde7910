//! The request to a sandbox.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A private, size-limited file system at `target`, filled from a tar file.
///
/// It is on disk or in memory (see [`Limits::disk`]), owned by the sandbox's user. After the
/// command's whole process tree is dead its content is packed into `collect`, if given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Volume {
    /// Absolute path inside.
    pub target: PathBuf,
    /// Tar file on the host that is unpacked first.
    pub fill: Option<PathBuf>,
    /// Tar file on the host that receives the content afterwards.
    pub collect: Option<PathBuf>,
    /// Limit of the volume in bytes.
    pub size: u64,
    /// Whether the command may write to it.
    pub writable: bool,
    /// Whether many sandboxes have the same content and none of it is secret, such as an agent's
    /// installation. A runtime may then unpack it once and share it. Only for volumes that are
    /// neither written to nor collected.
    #[serde(default)]
    pub shared: bool,
}

/// A host path made visible inside, read-only.
///
/// The source's path appears in the sandbox's mount table, so this is for tool installations only.
/// Tools that find their own libraries by absolute path need a target equal to their source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bind {
    /// Path on the host.
    pub source: PathBuf,
    /// Absolute path inside.
    pub target: PathBuf,
}

/// Command of a sandbox.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// An executable found inside the sandbox.
    Exec(Vec<String>),
    /// A function of the running binary, by its registered name, with a payload.
    ///
    /// The function runs in a forked, non-dumpable child, so that no file of
    /// the binary is visible inside.
    Builtin {
        /// Registered name.
        name: String,
        /// Argument, never visible to other processes of the sandbox.
        payload: String,
    },
}

/// Network of the sandbox. There is never more than the sandbox's own loopback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Loopback only, without listeners.
    None,
    /// Loopback, and a listening socket on this port is handed to the caller.
    Listener(u16),
    /// The same with two sockets on two ports, handed over in this order.
    Listeners(u16, u16),
}

impl Network {
    /// Ports that sockets listen on.
    pub(crate) fn ports(self) -> Vec<u16> {
        match self {
            Self::None => Vec::new(),
            Self::Listener(port) => vec![port],
            Self::Listeners(first, second) => vec![first, second],
        }
    }
}

/// Limits. Each applies to the whole process tree, unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time; then the whole tree is killed.
    pub wall: Duration,
    /// CPU time of the tree.
    pub cpu: Option<Duration>,
    /// Processors that the tree may run on, some of this process's; all of them if `None` or more. It may not
    /// choose others.
    #[serde(default)]
    pub processors: Option<u32>,
    /// Anonymous and shared memory of the tree in bytes. Watched, not reserved: a fast
    /// command may exceed it for some tens of milliseconds before it is killed.
    pub memory: u64,
    /// Space for files in bytes. On disk, `/tmp`, `/home/user` and writable volumes of one GiB or
    /// more share it. In memory, each of them has this size.
    #[serde(default = "disk")]
    pub disk: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Largest file that one process may write, in bytes.
    pub file_size: u64,
    /// Bytes kept of each of standard output and standard error; the rest is read and dropped.
    pub output: u64,
    /// Grace between SIGTERM and SIGKILL when the wall clock ends.
    pub grace: Duration,
    /// Time in which processes may end by themselves after the command, before they count as left over.
    #[serde(default = "settle")]
    pub settle: Duration,
}

/// Default of [`Limits::settle`]: enough for members of a pipeline and killed children.
fn settle() -> Duration {
    Duration::from_millis(30)
}

/// Default of [`Limits::disk`].
fn disk() -> u64 {
    Limits::default().disk
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(7200),
            cpu: None,
            processors: None,
            memory: 4 << 30,
            disk: 8 << 30,
            processes: 1024,
            file_size: 8 << 30,
            output: 64 << 20,
            grace: Duration::from_secs(2),
            settle: settle(),
        }
    }
}

/// The view of programs under test, for sandboxes whose command starts them (the grader).
///
/// The running binary appears inside at `launcher`. Called as `LAUNCHER ARGV…` it starts ARGV in a
/// nested sandbox with its own process, mount and IPC namespaces. `hidden` paths are covered,
/// except those below `passable` folders that the arguments, the environment or the working
/// directory name (read-only, without files that match `never_pass`). A folder that is both hidden
/// and passable is never passed as a whole, only its entries.
///
/// The program runs as the runner's user over the same volumes: whatever the runner trusts (its
/// temporary folder, its home) has to be hidden or distrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Enclosure {
    /// Absolute path inside at which the launcher appears: `slope-enter` in a folder of its own,
    /// which is hidden from programs.
    pub launcher: PathBuf,
    /// Paths that programs must not see.
    pub hidden: Vec<PathBuf>,
    /// Hidden folders from which a test may pass data by path.
    pub passable: Vec<PathBuf>,
    /// Name patterns (`*.py`) that are never passed.
    pub never_pass: Vec<String>,
    /// Names of environment variables that programs do not get.
    pub strip_env: Vec<String>,
    /// Variables set for the program, overriding.
    pub env: BTreeMap<String, String>,
    /// Limits for one program.
    pub limits: Limits,
    /// Log file in a folder that programs cannot see. The launcher adds a line for each program that reached a limit or
    /// belongs to a case: a [`ProgramNote`](crate::outcome::ProgramNote) as JSON.
    #[serde(default)]
    pub limit_log: Option<PathBuf>,
}

/// One sandboxed command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Command.
    pub command: Command,
    /// Working directory inside.
    pub workdir: PathBuf,
    /// The complete environment; nothing is inherited.
    pub env: BTreeMap<String, String>,
    /// Volumes; `/tmp` and `/home/user` are added where they are absent.
    pub volumes: Vec<Volume>,
    /// Read-only binds in addition to the system's own (`/usr`, `/bin`, `/lib*`, parts of `/etc`).
    pub binds: Vec<Bind>,
    /// Network.
    pub network: Network,
    /// Limits.
    pub limits: Limits,
    /// View of programs under test, for graders.
    pub enclosure: Option<Enclosure>,
    /// File on the host that receives standard output.
    pub stdout: PathBuf,
    /// File on the host that receives standard error.
    pub stderr: PathBuf,
}
