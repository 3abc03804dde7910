//! Resource limits that the kernel enforces per process, and the rights that a command loses.

use std::io;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::Resource;
use nix::unistd::Pid;
use rustix::thread::{CapabilitySet, CapabilitySets};

use crate::procfs::{self, Scope};
use crate::spec::Limits;
use crate::sys;

/// Maximum number of open files of one process.
pub const OPEN_FILES: u64 = 8192;

/// Sets the limits of single processes; supervision checks the sums.
///
/// The kernel counts processes by user and user namespace, so that limit is set only if `own_users`
/// says that no other sandbox shares them.
pub(crate) fn apply(limits: &Limits, scope: Scope, own_users: bool) -> io::Result<()> {
    sys::limit(Resource::RLIMIT_FSIZE, limits.file_size)?;
    sys::limit(Resource::RLIMIT_NOFILE, OPEN_FILES)?;
    // One byte rather than zero: with zero a core handler that is a pipe still runs, with one it
    // does not.
    sys::limit(Resource::RLIMIT_CORE, 1)?;
    sys::limit(Resource::RLIMIT_MEMLOCK, 64 << 10)?;
    if let Some(cpu) = limits.cpu {
        sys::limit(Resource::RLIMIT_CPU, cpu.as_secs() + 2)?;
    }
    if let Some(processors) = limits.processors {
        pin(processors as usize)?;
    }
    if !own_users {
        return Ok(());
    }
    // Outside a namespace all processes of the user count. Root has no such limit at all.
    let others = if scope == Scope::Namespace {
        0
    } else {
        procfs::threads_of_user()?
    };
    sys::limit(Resource::RLIMIT_NPROC, limits.processes + others)
}

/// Stays on some of the processors that this process may use, chosen by chance, so that sandboxes spread.
fn pin(processors: usize) -> io::Result<()> {
    let own = Pid::from_raw(0);
    let allowed = sched_getaffinity(own)?;
    let known = (0..CpuSet::count()).filter(|cpu| allowed.is_set(*cpu).unwrap_or(false));
    let known: Vec<usize> = known.collect();
    let first = std::time::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.subsec_nanos() as usize / 1000);
    let mut chosen = CpuSet::new();
    for cpu in known
        .iter()
        .cycle()
        .skip(first % known.len().max(1))
        .take(processors.min(known.len()))
    {
        chosen.set(*cpu)?;
    }
    Ok(sched_setaffinity(own, &chosen)?)
}

/// Drops every capability, for this process and all programs that it executes later.
pub(crate) fn drop_capabilities() -> io::Result<()> {
    drop_bounding_set()?;
    drop_own_capabilities()
}

/// Drops what programs that are executed later could gain. Needs a capability itself.
pub(crate) fn drop_bounding_set() -> io::Result<()> {
    for bit in 0..=63 {
        let one = CapabilitySet::from_bits_retain(1 << bit);
        // A process without capabilities may not drop any either.
        match rustix::thread::capability_is_in_bounding_set(one) {
            Ok(true) => rustix::thread::remove_capability_from_bounding_set(one)?,
            Ok(false) => {}
            Err(rustix::io::Errno::INVAL) => break, // beyond the kernel's last one
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// Drops the capabilities of this process, which need none for that.
pub(crate) fn drop_own_capabilities() -> io::Result<()> {
    let none = CapabilitySet::empty();
    rustix::thread::clear_ambient_capability_set()?;
    let sets = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    Ok(rustix::thread::set_capabilities(None, sets)?)
}
