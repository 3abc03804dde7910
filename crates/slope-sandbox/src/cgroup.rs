//! A control group for one sandbox, if this user may create one: the kernel then counts all memory
//! and kills at the limit.
//!
//! Version 2 allows no processes in a group with children that have limits. So a sandbox's group is
//! a sibling of this process's own, in a folder that systemd has delegated to the user or that
//! belongs to root. In version 1 it is a child. Processes in the sandbox see no control group file
//! system, and its files belong to another user.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use crate::space::FREE_IN_MEMORY;
use crate::spec::Spec;

/// Mount point of control groups.
const MOUNTS: &str = "/sys/fs/cgroup";
/// Name prefix of sandboxes' groups.
const PREFIX: &str = "slope-sandbox-";
/// Attempts to create a group, since another process may remove one that is not locked yet.
const ATTEMPTS: u32 = 5;
/// Memory of slope's first processes and the sandbox's own small files.
const OWN_MEMORY: u64 = 128 << 20;
/// Time in which the kernel forgets the last process of a group.
const SETTLE: Duration = Duration::from_secs(2);

/// Version of the control groups that have a memory controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

impl Version {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::One => "version 1",
            Self::Two => "version 2",
        }
    }

    /// File with the limit in bytes.
    fn limit(self) -> &'static str {
        match self {
            Self::One => "memory.limit_in_bytes",
            Self::Two => "memory.max",
        }
    }

    /// File that keeps memory from being swapped out, and its value for a limit.
    fn swap(self, memory: u64) -> (&'static str, u64) {
        match self {
            Self::One => ("memory.memsw.limit_in_bytes", memory),
            Self::Two => ("memory.swap.max", 0),
        }
    }

    /// File that counts the processes killed for memory.
    fn events(self) -> &'static str {
        match self {
            Self::One => "memory.oom_control",
            Self::Two => "memory.events",
        }
    }
}

/// Folder in which groups of sandboxes are created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parent {
    folder: PathBuf,
    version: Version,
}

impl Parent {
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// The folder for groups of this process.
    pub(crate) fn find() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        Self::below(Path::new(MOUNTS), &groups)
    }

    /// The folder below `mounts`, for a process whose `/proc/self/cgroup` is `groups`.
    fn below(mounts: &Path, groups: &str) -> Option<Self> {
        groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, own) = (fields.next()?, fields.next()?);
            let own = Path::new(own.trim_start_matches('/'));
            if controllers.is_empty() {
                let roots = [mounts.to_owned(), mounts.join("unified")];
                return roots.iter().find_map(|root| second_version(root, own));
            }
            let memory = controllers.split(',').any(|name| name == "memory");
            let folder = mounts.join(controllers).join(own);
            let folder = if memory && !folder.is_dir() {
                mounts.join("memory").join(own)
            } else {
                folder
            };
            let version = Version::One;
            let has = memory && folder.join(version.limit()).exists();
            has.then_some(Self { folder, version })
        })
    }

    /// A group with a limit in bytes. Groups without any process that uses them are removed first.
    pub(crate) fn create(&self, memory: u64) -> io::Result<Group> {
        self.sweep();
        let mut last = io::Error::other("no free name");
        for attempt in 0..ATTEMPTS {
            let name = format!("{PREFIX}{}-{attempt}", std::process::id());
            match Group::create(self.folder.join(name), self.version, memory) {
                Ok(group) => return Ok(group),
                Err(e) => last = e,
            }
        }
        Err(last)
    }

    /// Removes the groups of sandboxes that are gone. Returns their number. Groups in use are
    /// locked.
    fn sweep(&self) -> usize {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let groups = entries.filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX));
        let removed = groups.filter(|entry| {
            File::open(entry.path()).is_ok_and(|folder| {
                flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()
                    && fs::remove_dir(entry.path()).is_ok()
            })
        });
        removed.count()
    }
}

/// The nearest group around `own` whose children may have memory limits.
fn second_version(root: &Path, own: &Path) -> Option<Parent> {
    let group = own.ancestors().map(|path| root.join(path)).find(|folder| {
        let passed_on = fs::read_to_string(folder.join("cgroup.subtree_control"));
        passed_on.is_ok_and(|names| names.split_whitespace().any(|name| name == "memory"))
    });
    group.map(|folder| Parent {
        folder,
        version: Version::Two,
    })
}

/// A sandbox's group. Dropping it removes it, when no process is left in it.
#[derive(Debug)]
pub(crate) struct Group {
    folder: PathBuf,
    /// Counts kills; open, because the sandbox has no control group file system.
    events: File,
    /// Locked as long as a process of the sandbox lives.
    _lock: File,
}

impl Group {
    fn create(folder: PathBuf, version: Version, memory: u64) -> io::Result<Self> {
        fs::create_dir(&folder)?;
        let made = Self::limited(&folder, version, memory);
        if made.is_err() {
            drop(fs::remove_dir(&folder));
        }
        made
    }

    fn limited(folder: &Path, version: Version, memory: u64) -> io::Result<Self> {
        let lock = File::open(folder)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs::write(folder.join(version.limit()), memory.to_string())?;
        // Not every kernel counts swapped memory.
        let (swap, value) = version.swap(memory);
        drop(fs::write(folder.join(swap), value.to_string()));
        Ok(Self {
            events: File::open(folder.join(version.events()))?,
            folder: folder.to_owned(),
            _lock: lock,
        })
    }

    /// Moves a process into the group; its later children belong to it too.
    pub(crate) fn admit(&self, pid: i32) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), pid.to_string())
    }

    /// Number of processes that the kernel has killed in the group for memory.
    pub(crate) fn kills(&self) -> u64 {
        let mut text = [0; 4096];
        let read = self.events.read_at(&mut text, 0).unwrap_or(0);
        kills(&String::from_utf8_lossy(&text[..read])).unwrap_or(0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let end = std::time::Instant::now() + SETTLE;
        while fs::remove_dir(&self.folder).is_err_and(|e| e.kind() == io::ErrorKind::ResourceBusy) {
            // A group that is busy for longer is removed by the next sandbox.
            if std::time::Instant::now() >= end {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// The count in `memory.events` or `memory.oom_control`.
pub(crate) fn kills(events: &str) -> Option<u64> {
    let count = events.lines().find_map(|l| l.strip_prefix("oom_kill "))?;
    count.trim().parse().ok()
}

/// Memory at which the kernel kills in a sandbox, in bytes. Files in memory count there, so it is
/// above the limit of the supervision; `on_disk` says whether the writable folders are on disk.
/// `None` if there is no bound.
pub(crate) fn kill_limit(spec: &Spec, on_disk: bool) -> Option<u64> {
    let size = |writable: bool| {
        let volumes = spec.volumes.iter().filter(|v| v.writable == writable);
        volumes.fold(0u64, |sum, volume| sum.saturating_add(volume.size))
    };
    let written = if on_disk {
        0
    } else {
        let defaults = crate::defaults::default_volumes(spec);
        let defaults = defaults.iter().map(|(_, size, _)| *size);
        defaults
            .fold(size(true), u64::saturating_add)
            .min(FREE_IN_MEMORY)
    };
    let launcher = spec.enclosure.as_ref().map_or(0, |_| {
        fs::metadata("/proc/self/exe").map_or(0, |binary| binary.len())
    });
    let fixed = crate::defaults::SHARED_MEMORY + launcher + OWN_MEMORY;
    spec.limits
        .memory
        .checked_add(size(false))?
        .checked_add(written)?
        .checked_add(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of plain files in place of a control group file system: folder, file, text.
    fn tree(files: &[(&str, &str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (folder, file, text) in files {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join(file), text).unwrap();
        }
        dir
    }

    fn found(dir: &tempfile::TempDir, groups: &str) -> Option<(String, Version)> {
        let parent = Parent::below(dir.path(), groups)?;
        let folder = parent.folder.strip_prefix(dir.path()).unwrap();
        Some((folder.to_string_lossy().into_owned(), parent.version))
    }

    #[test]
    fn delegated_slice_is_found_for_groups() {
        let user = "user.slice/user-1000.slice/user@1000.service/app.slice";
        let scope = format!("{user}/run-1.scope");
        let dir = tree(&[
            (user, "cgroup.subtree_control", "memory pids\n"),
            (&scope, "cgroup.subtree_control", "\n"),
        ]);
        let expected = Some((user.to_owned(), Version::Two));
        assert_eq!(found(&dir, &format!("0::/{scope}\n")), expected);
        assert_eq!(found(&dir, "0::/elsewhere\n"), None);
    }

    #[test]
    fn cgroup_v1_uses_the_memory_mount() {
        let dir = tree(&[
            ("unified", "cgroup.subtree_control", "\n"),
            ("memory/own", "memory.limit_in_bytes", "1\n"),
        ]);
        let expected = Some(("memory/own".to_owned(), Version::One));
        assert_eq!(found(&dir, "4:memory:/own\n0::/\n"), expected);
        assert_eq!(found(&dir, "4:memory:/other\n0::/\n"), None);
        assert_eq!(found(&dir, "4:cpu:/own\n"), None);
    }

    #[test]
    fn oom_kills_parse_from_both_versions() {
        assert_eq!(
            kills("low 0\noom 3\noom_kill 2\noom_group_kill 1\n"),
            Some(2)
        );
        assert_eq!(
            kills("oom_kill_disable 0\nunder_oom 0\noom_kill 7\n"),
            Some(7)
        );
        assert_eq!(kills("oom_kill_disable 0\n"), None);
    }

    #[test]
    fn cgroup_v2_sets_limit_without_swap() {
        let dir = tree(&[("g", "memory.events", "oom_kill 4\n")]);
        let group = Group::limited(&dir.path().join("g"), Version::Two, 4096).unwrap();
        group.admit(17).unwrap();
        let read = |name: &str| fs::read_to_string(dir.path().join("g").join(name)).unwrap();
        let written = ["memory.max", "memory.swap.max", "cgroup.procs"].map(read);
        assert_eq!(written, ["4096", "0", "17"]);
        assert_eq!(group.kills(), 4);
    }

    #[test]
    fn unlocked_groups_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let [dead, alive, foreign] =
            ["slope-sandbox-1-0", "slope-sandbox-2-0", "other"].map(|name| dir.path().join(name));
        for folder in [&dead, &alive, &foreign] {
            fs::create_dir(folder).unwrap();
        }
        let lock = File::open(&alive).unwrap();
        flock(&lock, FlockOperation::NonBlockingLockExclusive).unwrap();
        let parent = Parent {
            folder: dir.path().to_owned(),
            version: Version::Two,
        };
        assert_eq!(parent.sweep(), 1);
        assert_eq!(
            [&dead, &alive, &foreign].map(|f| f.exists()),
            [false, true, true]
        );
    }
}
