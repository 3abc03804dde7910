//! User and group ids inside and outside.

use std::fs;
use std::io;

use nix::unistd::{Gid, Uid, getegid, geteuid, setresgid, setresuid};

/// The sandbox's only user and group.
pub(crate) const INNER: u32 = 1000;
/// Its id outside if root starts the sandbox: one that owns nothing.
const OUTER_FOR_ROOT: u32 = 231_072 + INNER;

/// Outer user and group of the inner ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outer {
    uid: u32,
    gid: u32,
}

impl std::fmt::Display for Outer {
    /// `UID:GID`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.uid, self.gid)
    }
}

impl Outer {
    /// An ordinary user maps to itself, as nothing else is permitted; root maps to an unprivileged
    /// id.
    pub(crate) fn choose() -> Self {
        let own = Self {
            uid: geteuid().as_raw(),
            gid: getegid().as_raw(),
        };
        if own.uid != 0 {
            return own;
        }
        Self {
            uid: unprivileged(&fs::read_to_string("/proc/self/uid_map").unwrap_or_default()),
            gid: unprivileged(&fs::read_to_string("/proc/self/gid_map").unwrap_or_default()),
        }
    }

    /// Writes the maps of a process that has just been started in a user namespace of its own.
    pub(crate) fn map(self, pid: i32) -> io::Result<()> {
        self.map_to(pid, INNER)
    }

    fn map_to(self, pid: i32, inner: u32) -> io::Result<()> {
        let write = |file: &str, text: String| {
            fs::write(format!("/proc/{pid}/{file}"), text)
                .map_err(|e| io::Error::new(e.kind(), format!("{file}: {e}")))
        };
        write("setgroups", "deny".to_owned())?;
        write("gid_map", format!("{inner} {} 1\n", self.gid))?;
        write("uid_map", format!("{inner} {} 1\n", self.uid))
    }
}

/// The preferred outer id, or the third highest of the current namespace (containers have few).
fn unprivileged(map: &str) -> u32 {
    let mut highest = 0;
    for line in map.lines() {
        let numbers: Vec<u32> = line
            .split_whitespace()
            .filter_map(|n| n.parse().ok())
            .collect();
        if let [first, _, count] = numbers[..] {
            let last = first.saturating_add(count.saturating_sub(1));
            if (first..=last).contains(&OUTER_FOR_ROOT) {
                return OUTER_FOR_ROOT;
            }
            highest = highest.max(last);
        }
    }
    highest.saturating_sub(2)
}

/// Drops the host user's supplementary groups if that is permitted: for root, except in some
/// containers.
pub(crate) fn drop_groups() -> io::Result<()> {
    match nix::unistd::setgroups(&[]) {
        Ok(()) | Err(nix::errno::Errno::EPERM) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

/// Switches to the inner user; capabilities in the user namespace are kept.
pub(crate) fn become_inner() -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(INNER), Gid::from_raw(INNER));
    setresgid(gid, gid, gid)?;
    Ok(setresuid(uid, uid, uid)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_root_gets_high_id() {
        assert_eq!(
            unprivileged("         0          0 4294967295\n"),
            OUTER_FOR_ROOT
        );
    }

    #[test]
    fn container_root_gets_existing_id() {
        assert_eq!(unprivileged("0 1000 1\n1 100000 65536\n"), 65534);
        assert_eq!(unprivileged("0 1000 1\n"), 0);
    }
}
