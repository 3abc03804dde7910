//! What every sandbox has besides its specification.

use std::path::Path;

use crate::spec::Spec;

/// Namespaces of a sandbox.
pub(crate) const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWCGROUP;

/// Folders that every sandbox has: path, mode.
pub(crate) const DEFAULTS: [(&str, u32); 2] = [("/tmp", 0o1777), ("/home/user", 0o755)];

/// Bytes of `/dev/shm`.
pub const SHARED_MEMORY: u64 = 256 << 20;

/// Volumes of a sandbox in addition to its specification: path, bytes, mode.
#[must_use]
pub fn default_volumes(spec: &Spec) -> Vec<(&'static str, u64, u32)> {
    let taken = |path: &str| {
        let path = Path::new(path);
        spec.volumes.iter().any(|v| v.target == path) || spec.binds.iter().any(|b| b.target == path)
    };
    let defaults = DEFAULTS.into_iter();
    let size = spec.limits.disk;
    let defaults = defaults.map(|(path, mode)| (path, size, mode));
    defaults.filter(|(path, ..)| !taken(path)).collect()
}
