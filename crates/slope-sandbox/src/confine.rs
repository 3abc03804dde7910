//! The limits of a worker: a process that works on hostile data and has to be neither root nor in namespaces.
//!
//! A worker has no program to run and no network to use, so it gives up more than a sandbox takes from a command. It
//! needs no namespaces, which containers and hardened systems often forbid.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use nix::sys::resource::Resource;

use crate::limits::{OPEN_FILES, drop_bounding_set, drop_own_capabilities};
use crate::seccomp::{self, Filter};
use crate::sys;

/// The newest version of Landlock that the rules know. An older kernel applies those that it has.
const LANDLOCK: ABI = ABI::V6;
/// Priority of workers below that of servers.
const NICENESS: i32 = 10;
/// If memory runs out, the kernel ends workers first.
const FIRST_TO_END: &str = "1000";

/// The memory of this process. `getrusage` would include that of the server, from which the process was made.
#[derive(Debug)]
pub struct UsedMemory {
    /// Opened before the process is confined.
    status: File,
}

impl UsedMemory {
    fn open() -> io::Result<Self> {
        let status = File::open("/proc/self/status")?;
        Ok(Self { status })
    }

    /// The most memory that was used at once, in kilobytes; the largest number if it cannot be read.
    #[must_use]
    pub fn most_kb(&self) -> u64 {
        let mut text = [0; 4096];
        let read = self.status.read_at(&mut text, 0).unwrap_or(0);
        let text = String::from_utf8_lossy(&text[..read]);
        kilobytes(&text, "VmHWM:").unwrap_or(u64::MAX)
    }
}

/// The kilobytes of a line in a text of `/proc`, for example `VmHWM:` in `status` or `MemAvailable:` in `meminfo`.
#[must_use]
pub fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Limits of a worker.
#[derive(Debug, Clone, Copy)]
pub struct Confinement<'a> {
    /// Address space, in bytes.
    pub memory: u64,
    /// Largest file that it writes, in bytes.
    pub file_size: u64,
    /// The only folder that it writes to.
    pub folder: &'a Path,
    /// Files and folders that it reads.
    pub readable: &'a [&'a Path],
}

impl Confinement<'_> {
    /// Confines this process for good. It must have one thread, because others would keep their rights, and must have
    /// opened no file, because all but standard input, output and error are closed.
    ///
    /// Afterwards, the process runs no program, opens no socket, sends no signal to others and traces none. It opens
    /// only the files that are named, if the kernel has Landlock. Returns what tells how much memory it uses.
    ///
    /// # Errors
    /// If the kernel refuses a limit or the filter of system calls.
    pub fn apply(&self) -> io::Result<UsedMemory> {
        sys::close_inherited()?;
        let used = UsedMemory::open()?;
        // Not all systems let a process say this.
        drop(std::fs::write("/proc/self/oom_score_adj", FIRST_TO_END));
        let _unchanged = rustix::process::nice(NICENESS);
        sys::limit(Resource::RLIMIT_AS, self.memory)?;
        sys::limit(Resource::RLIMIT_FSIZE, self.file_size)?;
        sys::limit(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
        // One byte rather than zero: with zero a core handler that is a pipe still runs, with one it does not.
        sys::limit(Resource::RLIMIT_CORE, 1)?;
        rustix::thread::set_no_new_privs(true)?;
        match drop_bounding_set() {
            // An ordinary user may not. Without new privileges, nothing that is executed can gain any, either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
            other => other?,
        }
        drop_own_capabilities()?;
        self.restrict_files().map_err(io::Error::other)?;
        seccomp::install(Filter::Worker, false)?;
        Ok(used)
    }

    fn restrict_files(&self) -> Result<(), RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(LANDLOCK))?
            .handle_access(AccessNet::from_all(LANDLOCK))?
            .scope(Scope::from_all(LANDLOCK))?
            .create()?
            .add_rules(path_beneath_rules(
                [self.folder],
                AccessFs::from_all(LANDLOCK),
            ))?
            .add_rules(path_beneath_rules(
                self.readable,
                AccessFs::from_read(LANDLOCK),
            ))?
            .restrict_self()?;
        Ok(())
    }
}
