//! Labels with the owner and the lease of a container, an image or a volume.

use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// The run that it belongs to; `-` if many runs share it.
pub(crate) const RUN: &str = "slope.run";
/// The process that created it, see [`Owner`]; `-` for objects that outlive it.
pub(crate) const OWNER: &str = "slope.owner";
/// Until when it is needed at the latest, RFC 3339.
pub(crate) const LEASE: &str = "slope.lease-until";
/// The owner of shared objects.
pub(crate) const SHARED: &str = "-";

/// Time that an image is kept after its build. A rebuild takes seconds.
pub(crate) const IMAGE_LEASE: Duration = Duration::from_secs(30 * 86_400);
/// A container's time beyond its command's wall clock: filling, packing, removal.
pub(crate) const CONTAINER_GRACE: Duration = Duration::from_secs(1800);

/// Identity of a process, distinct from all others with the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    boot: String,
    namespace: String,
    pid: u32,
    started: u64,
}

impl Owner {
    /// This process.
    pub(crate) fn here() -> Option<Self> {
        let pid = std::process::id();
        Some(Self {
            boot: boot()?,
            namespace: namespace()?,
            pid,
            started: started(pid)?,
        })
    }

    /// Formats the owner as a label.
    pub(crate) fn label(&self) -> String {
        format!(
            "{}/{}/{}/{}",
            self.boot, self.namespace, self.pid, self.started
        )
    }

    /// Reads a label.
    pub(crate) fn parse(label: &str) -> Option<Self> {
        let mut parts = label.split('/');
        let owner = Self {
            boot: parts.next()?.to_owned(),
            namespace: parts.next()?.to_owned(),
            pid: parts.next()?.parse().ok()?,
            started: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(owner)
    }

    /// Process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether it is alive; `None` if that is unknown here, because it belongs to another machine
    /// or another container.
    pub(crate) fn lives(&self) -> Option<bool> {
        if boot()? != self.boot || namespace()? != self.namespace {
            return None;
        }
        Some(started(self.pid) == Some(self.started))
    }
}

/// Identity of this boot of this machine.
fn boot() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned())
}

/// Identity of the process namespace that ids here belong to.
fn namespace() -> Option<String> {
    let link = std::fs::read_link("/proc/self/ns/pid").ok()?;
    let digits: String = link
        .to_string_lossy()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    Some(digits)
}

/// Clock ticks after boot at which a process began.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19)?.parse().ok()
}

/// Labels for something that `owner` needs for `time`.
pub(crate) fn labels(run: &str, owner: Option<&Owner>, time: Duration) -> HashMap<String, String> {
    let time = SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX);
    let until = Timestamp::now()
        .saturating_add(time)
        .unwrap_or(Timestamp::MAX);
    let owner = owner.map_or_else(|| SHARED.to_owned(), Owner::label);
    HashMap::from([
        (RUN.to_owned(), run.to_owned()),
        (OWNER.to_owned(), owner),
        (
            LEASE.to_owned(),
            until.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owner_identifies_process_beyond_pid() {
        let own = Owner::here().expect("Linux");
        assert_eq!(Owner::parse(&own.label()).as_ref(), Some(&own));
        assert_eq!(own.lives(), Some(true));
        let earlier = Owner {
            started: own.started - 1,
            ..own.clone()
        };
        assert_eq!(earlier.lives(), Some(false));
        let elsewhere = Owner {
            boot: "other".to_owned(),
            ..own
        };
        assert_eq!(elsewhere.lives(), None);
        for bad in ["-", "", "a/b/c/d", "a/b/1/2/3"] {
            assert_eq!(Owner::parse(bad), None, "{bad}");
        }
    }
}
