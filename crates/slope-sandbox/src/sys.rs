//! System calls that neither `rustix` nor `nix` offers safely.

#![expect(unsafe_code, reason = "raw system calls live here and nowhere else")]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::PathBuf;

/// Side of a fork.
pub(crate) enum Fork {
    /// The new process.
    Child,
    /// The parent, with the child's process id.
    Parent(i32),
}

/// Forks into new namespaces (`CLONE_NEW*` flags; none makes it a plain fork).
///
/// Only for single-threaded processes: [`crate::dispatch`] runs first in `main`.
pub(crate) fn fork_into(namespaces: libc::c_int) -> io::Result<Fork> {
    let pid = if namespaces == 0 {
        // SAFETY: this process has a single thread, so the child inherits no lock held by another.
        i64::from(unsafe { libc::fork() })
    } else {
        let flags = libc::c_long::from(namespaces | libc::SIGCHLD);
        // SAFETY: without CLONE_VM and with a null stack, clone acts as fork does; this process has a
        // single thread. The child calls only code that does not rely on glibc's cached thread id.
        unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) }
    };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Fork::Child),
        pid => Ok(Fork::Parent(i32::try_from(pid).unwrap_or(i32::MAX))),
    }
}

/// Ends this process at once, without running exit handlers that belong to the process it was forked from.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: _exit has no preconditions and does not return.
    unsafe { libc::_exit(code) }
}

/// Closes all files but standard input, output and error.
pub(crate) fn close_inherited() -> io::Result<()> {
    const FIRST: libc::c_uint = 3;
    // SAFETY: the caller says that nothing in this process owns one of these descriptors.
    check(unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, 0) }).map(drop)
}

/// The kernel's `struct mount_attr`.
#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns_fd: u64,
}

/// Flags of [`mount_setattr`].
pub(crate) const ATTR_RDONLY: u64 = 1;
pub(crate) const ATTR_NOSUID: u64 = 2;
pub(crate) const ATTR_NODEV: u64 = 4;

/// Sets mount attributes of the mount of `fd`, and of those below it if `recursive`.
pub(crate) fn mount_setattr(fd: BorrowedFd<'_>, set: u64, recursive: bool) -> io::Result<()> {
    const AT_RECURSIVE: libc::c_int = 0x8000;
    let attr = MountAttr {
        set,
        clear: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = libc::AT_EMPTY_PATH | if recursive { AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a valid C string, `attr` lives through the call and its true size is passed.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            fd.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    };
    check(done).map(drop)
}

/// Marks every descriptor from `first` on as closed at exec, or closes it now.
pub(crate) fn close_from(first: RawFd, now: bool) -> io::Result<()> {
    const CLOSE_RANGE_CLOEXEC: libc::c_uint = 4;
    let flags = if now { 0 } else { CLOSE_RANGE_CLOEXEC };
    // SAFETY: closing descriptors is memory-safe; callers do it right before exec or a builtin, when
    // no owned descriptor of this process will be used any more.
    let done = unsafe { libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, flags) };
    check(done).map(drop)
}

/// Makes copies of `kept` the first descriptors of this freshly forked process, and closes all
/// others.
pub(crate) fn keep_only(kept: &[BorrowedFd<'_>]) -> io::Result<()> {
    let count = RawFd::try_from(kept.len()).unwrap_or(RawFd::MAX);
    // Move them away first, so that no copy overwrites one that is still needed.
    let mut away = Vec::new();
    for fd in kept {
        away.push(rustix::io::fcntl_dupfd_cloexec(fd, count)?);
    }
    for (target, fd) in (0..).zip(&away) {
        copy_fd(fd.as_fd(), target)?;
    }
    // Closed below.
    away.into_iter().for_each(std::mem::forget);
    close_from(count, true)
}

/// Brings the loopback interface of this network namespace up.
pub(crate) fn loopback_up() -> io::Result<()> {
    // SAFETY: plain system calls on a descriptor that is owned right away; `ifreq` is plain data for
    // which all zeroes is valid, and it lives through both calls.
    unsafe {
        let fd = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        let socket = OwnedFd::from_raw_fd(fd);
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        check(libc::ioctl(socket.as_raw_fd(), libc::SIOCGIFFLAGS, &raw mut request).into())?;
        request.ifr_ifru.ifru_flags |= (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        check(libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw mut request).into())?;
    }
    Ok(())
}

/// Leaves the keyring of the host's session behind.
pub(crate) fn new_session_keyring() {
    const KEYCTL_JOIN_SESSION_KEYRING: libc::c_int = 1;
    // SAFETY: a null name requests an anonymous keyring. A kernel without keyrings refuses, which
    // is equally safe.
    let _ = unsafe { libc::syscall(libc::SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) };
}

/// Replaces this process by `program` with exactly this environment. Returns only the error.
pub(crate) fn exec(program: &CStr, args: &[CString], env: &[CString]) -> io::Error {
    let pointers = |list: &[CString]| {
        let mut all: Vec<*const libc::c_char> = list.iter().map(|s| s.as_ptr()).collect();
        all.push(std::ptr::null());
        all
    };
    let (argv, envp) = (pointers(args), pointers(env));
    // SAFETY: both arrays end with a null pointer and point to C strings that outlive the call.
    unsafe { libc::execve(program.as_ptr(), argv.as_ptr(), envp.as_ptr()) };
    io::Error::last_os_error()
}

/// Sets all signal dispositions to their default and unblocks all signals, as a fresh program expects.
pub(crate) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: SIG_DFL is always a valid disposition; signals that cannot be changed are refused.
        let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let _ = nix::sys::signal::SigSet::all().thread_unblock();
}

/// Makes a write to a closed pipe an error instead of a fatal signal, as in every Rust program.
pub(crate) fn survive_broken_pipes() {
    // SAFETY: SIG_IGN is always a valid disposition.
    let _ = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
}

/// Sets a resource limit, soft and hard, never above the present hard limit.
pub(crate) fn limit(resource: nix::sys::resource::Resource, value: u64) -> io::Result<()> {
    let (_, hard) = nix::sys::resource::getrlimit(resource)?;
    let value = value.min(hard);
    Ok(nix::sys::resource::setrlimit(resource, value, value)?)
}

/// The kernel's `struct loop_config`, with its `struct loop_info64`.
#[repr(C)]
struct LoopConfig {
    fd: u32,
    block_size: u32,
    numbers: [u64; 5],
    number: u32,
    encryption: [u32; 2],
    flags: u32,
    names: [[u8; 64]; 2],
    key: [u8; 32],
    init: [u64; 2],
    reserved: [u64; 8],
}

/// A loop device. The kernel frees it when nothing uses it.
pub(crate) struct LoopDevice {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Keeps the device until it is mounted.
    _open: File,
}

/// A free loop device, attached to `file`.
pub(crate) fn loop_device(file: BorrowedFd<'_>) -> io::Result<LoopDevice> {
    const GET_FREE: libc::Ioctl = 0x4C82;
    const CONFIGURE: libc::Ioctl = 0x4C0A;
    const AUTOCLEAR: u32 = 4;
    // Another process may take the device between the two calls.
    for _ in 0..64 {
        let control = File::options()
            .read(true)
            .write(true)
            .open("/dev/loop-control")?;
        // SAFETY: the call takes no argument and returns a number.
        let number = check(unsafe { libc::ioctl(control.as_raw_fd(), GET_FREE) }.into())?;
        let path = PathBuf::from(format!("/dev/loop{number}"));
        let device = File::options().read(true).write(true).open(&path)?;
        let config = LoopConfig {
            fd: file.as_raw_fd().cast_unsigned(),
            block_size: 0,
            numbers: [0; 5],
            number: 0,
            encryption: [0; 2],
            flags: AUTOCLEAR,
            names: [[0; 64]; 2],
            key: [0; 32],
            init: [0; 2],
            reserved: [0; 8],
        };
        // SAFETY: the structure has the kernel's layout and lives through the call.
        let done = unsafe { libc::ioctl(device.as_raw_fd(), CONFIGURE, &raw const config) };
        match check(done.into()) {
            Ok(_) => {
                return Ok(LoopDevice {
                    path,
                    _open: device,
                });
            }
            Err(e) if e.raw_os_error() == Some(libc::EBUSY) => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::other("all loop devices are taken by others"))
}

/// Sends a signal; `pid` -1 means every process that this one may signal.
pub(crate) fn kill(pid: i32, signal: i32) -> io::Result<()> {
    // SAFETY: kill has no memory effects.
    check(unsafe { libc::kill(pid, signal) }.into()).map(drop)
}

/// Takes over descriptor `fd`, which this process was started with or left by [`keep_only`].
pub(crate) fn inherited(fd: RawFd) -> OwnedFd {
    // SAFETY: called once for a descriptor, at the start of the process or of the work that a fork is for.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// Makes descriptor `target` a copy of `fd`.
pub(crate) fn copy_fd(fd: BorrowedFd<'_>, target: RawFd) -> io::Result<()> {
    // SAFETY: callers replace standard descriptors, or any in a freshly forked process that uses no other.
    check(unsafe { libc::dup2(fd.as_raw_fd(), target) }.into()).map(drop)
}

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Replaces the whole environment of this process, which must be single-threaded.
pub(crate) fn set_environment(
    env: &std::collections::BTreeMap<std::ffi::OsString, std::ffi::OsString>,
) {
    let old: Vec<_> = std::env::vars_os().map(|(key, _)| key).collect();
    // SAFETY: a freshly forked child of a single-threaded process has no other thread that could read it.
    unsafe {
        for key in old {
            std::env::remove_var(key);
        }
        for (key, value) in env {
            std::env::set_var(key, value);
        }
    }
}

/// The kernel's version of Landlock.
pub(crate) fn landlock_version() -> io::Result<i64> {
    const CREATE_RULESET_VERSION: libc::c_int = 1;
    let null = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the kernel takes a null pointer and size 0 and only returns a number.
    check(unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            null,
            0usize,
            CREATE_RULESET_VERSION,
        )
    })
}
