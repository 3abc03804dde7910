//! The last steps of a child before it becomes the command.

use std::collections::BTreeMap;
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::process::DumpableBehavior;
use serde::{Deserialize, Serialize};

use crate::arguments::Builtin;
use crate::procfs::Scope;
use crate::seccomp::{self, Filter};
use crate::spec::Limits;
use crate::sys::{self, Fork};
use crate::{limits, pump};

/// Searched when the environment has no `PATH`.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The program that the child becomes.
pub(crate) enum Program<'a> {
    /// An executable with its arguments.
    Exec(&'a [OsString]),
    /// A function of this binary.
    Builtin(Builtin, &'a str),
}

/// Everything a child needs.
pub(crate) struct Start<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) workdir: &'a Path,
    pub(crate) env: &'a BTreeMap<OsString, OsString>,
    pub(crate) limits: &'a Limits,
    pub(crate) scope: Scope,
    pub(crate) filter: Option<Filter>,
    /// Whether the sandbox has users of its own, see [`limits::apply`].
    pub(crate) own_users: bool,
}

/// Reason that a child could not become the command.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// In words.
    pub(crate) why: String,
    /// The exit code of a shell in this case: 127 for a missing executable, 126 for one that does
    /// not run.
    pub(crate) shell_code: i32,
}

/// Starts the child; the caller sets up the standard streams. `Ok(Err(_))` if it did not become the
/// command.
pub(crate) fn start(start: &Start<'_>) -> io::Result<Result<i32, Failure>> {
    let (mut reader, writer) = pump::pipe()?;
    match sys::fork_into(0)? {
        Fork::Child => {
            drop(reader);
            let code = become_command(start, &writer);
            sys::exit_now(code)
        }
        Fork::Parent(pid) => {
            drop(writer);
            let mut told = Vec::new();
            reader.read_to_end(&mut told)?;
            if told.is_empty() {
                Ok(Ok(pid))
            } else {
                Ok(Err(serde_json::from_slice(&told)?))
            }
        }
    }
}

/// Runs in the child. Returns only on failure, or with a builtin's exit code.
fn become_command(start: &Start<'_>, report: &File) -> i32 {
    let failed = |why: String, shell_code: i32| {
        let failure = Failure { why, shell_code };
        let _ = serde_json::to_vec(&failure).map(|text| (&mut &*report).write_all(&text));
        shell_code
    };
    if let Err(e) = std::env::set_current_dir(start.workdir) {
        return failed(
            format!("working directory {}: {e}", start.workdir.display()),
            126,
        );
    }
    if let Err(e) = confine(start) {
        return failed(format!("cannot give up rights: {e}"), 126);
    }
    match start.program {
        Program::Exec(argv) => {
            if let Err(e) = install(start) {
                return failed(format!("cannot install the system call filter: {e}"), 126);
            }
            let _ = sys::close_from(3, false);
            let error = execute(argv, start.env);
            let code = if error.kind() == io::ErrorKind::NotFound {
                127
            } else {
                126
            };
            failed(error.to_string(), code)
        }
        Program::Builtin(function, payload) => {
            sys::set_environment(start.env);
            sys::survive_broken_pipes();
            if let Err(e) = install(start) {
                return failed(format!("cannot install the system call filter: {e}"), 126);
            }
            // This also closes the report, which signals success to the parent.
            let _ = sys::close_from(3, true);
            // A panic must not unwind into the forked copy of the parent's code.
            let code = std::panic::catch_unwind(|| function(payload)).unwrap_or(101);
            // The process ends without exit handlers; a closed output is the builtin's own affair.
            let _ = io::stdout().flush();
            code
        }
    }
}

/// Leaves the session, the signals, the rights and the secrets of the parent behind.
fn confine(start: &Start<'_>) -> io::Result<()> {
    rustix::process::setsid()?;
    sys::reset_signals();
    limits::apply(start.limits, start.scope, start.own_users)?;
    if start.scope == Scope::Namespace {
        limits::drop_capabilities()?;
    }
    rustix::thread::set_no_new_privs(true)?;
    // After the last change of credentials, which would reset it. An exec makes the process
    // dumpable again.
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

fn install(start: &Start<'_>) -> io::Result<()> {
    let pinned = start.limits.processors.is_some();
    start
        .filter
        .map_or(Ok(()), |filter| seccomp::install(filter, pinned))
}

/// Replaces this process; like a shell's search, but a file without a `#!` line is an error.
fn execute(argv: &[OsString], env: &BTreeMap<OsString, OsString>) -> io::Error {
    let c_string = |bytes: Vec<u8>| CString::new(bytes).unwrap_or_default();
    let Some(name) = argv.first() else {
        return io::Error::other("no command given");
    };
    let args: Vec<CString> = argv
        .iter()
        .map(|a| c_string(a.as_bytes().to_vec()))
        .collect();
    let vars: Vec<CString> = env
        .iter()
        .map(|(key, value)| c_string([key.as_bytes(), b"=", value.as_bytes()].concat()))
        .collect();
    let mut answer = io::Error::from_raw_os_error(libc::ENOENT);
    for path in candidates(name, env) {
        let error = sys::exec(&c_string(path.into_os_string().into_vec()), &args, &vars);
        if !matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR)) {
            answer = error;
            if answer.raw_os_error() != Some(libc::EACCES) {
                break;
            }
        }
    }
    answer
}

fn candidates(name: &OsString, env: &BTreeMap<OsString, OsString>) -> Vec<PathBuf> {
    if name.is_empty() || name.as_bytes().contains(&b'/') {
        return vec![PathBuf::from(name)];
    }
    let default = OsString::from(DEFAULT_PATH);
    let path = env.get(std::ffi::OsStr::new("PATH")).unwrap_or(&default);
    std::env::split_paths(path)
        .map(|dir| dir.join(name))
        .collect()
}

/// Replaces the standard streams from `first` on by `/dev/null`.
pub(crate) fn silence(first: i32) -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    for target in first..=2 {
        sys::copy_fd(null.as_fd(), target)?;
    }
    Ok(())
}
