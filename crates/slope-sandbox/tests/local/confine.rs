//! Tests of confined workers.

use std::io::ErrorKind::{OutOfMemory, PermissionDenied};
use std::net::UdpSocket;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use slope_sandbox::Confinement;

use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[(
    "confined_workers_reach_nothing",
    confined_workers_reach_nothing,
)];

/// First argument of this binary when it confines itself.
pub(crate) const CONFINED_ARGUMENT: &str = "__play-confined";

/// Confines this process, and tries what it may and may not do. Panics at the first difference.
pub(crate) fn play_confined(folder: &Path, parent: &str) -> i32 {
    let (open, closed) = (folder.join("open"), folder.join("closed"));
    let own = Confinement {
        memory: 4 << 30,
        file_size: 1 << 20,
        folder: &open,
        readable: &[&folder.join("readable")],
    };
    own.apply().unwrap();

    std::fs::write(open.join("file"), "text").unwrap();
    assert_eq!(std::fs::read(open.join("file")).unwrap(), b"text");
    assert_eq!(std::fs::read(folder.join("readable")).unwrap(), b"text");
    let worked = std::thread::spawn(|| 7).join();
    assert_eq!(worked.unwrap(), 7);

    let refused = |what: &str, result: std::io::Result<()>| {
        let kind = result.expect_err(what).kind();
        assert_eq!(kind, PermissionDenied, "{what}");
    };
    refused("read", std::fs::read(closed.join("file")).map(drop));
    refused("write", std::fs::write(folder.join("readable"), "x"));
    refused("list", std::fs::read_dir("/").map(drop));
    let environment = format!("/proc/{parent}/environ");
    refused("environment", std::fs::read(environment).map(drop));
    refused("UDP", UdpSocket::bind("127.0.0.1:0").map(drop));
    let socket = UnixStream::connect(folder.join("socket"));
    refused("UNIX socket", socket.map(drop));
    refused("program", Command::new("/bin/true").status().map(drop));
    let thread = || refused("thread", std::fs::read(closed.join("file")).map(drop));
    std::thread::scope(|scope| scope.spawn(thread).join()).unwrap();
    let parent = rustix::process::Pid::from_raw(parent.parse().unwrap()).unwrap();
    let signal = rustix::process::kill_process(parent, rustix::process::Signal::TERM);
    refused("signal", signal.map_err(Into::into));
    let mut large = Vec::<u8>::new();
    let reserved = large.try_reserve_exact(8 << 30);
    assert!(reserved.is_err(), "{OutOfMemory:?}");
    0
}

fn confined_workers_reach_nothing() -> Outcome {
    let folder = tempfile::tempdir()?;
    for name in ["open", "closed"] {
        std::fs::create_dir(folder.path().join(name))?;
    }
    for name in ["closed/file", "readable"] {
        std::fs::write(folder.path().join(name), "text")?;
    }
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket"))?;
    let played = Command::new(std::env::current_exe()?)
        .arg(CONFINED_ARGUMENT)
        .arg(folder.path())
        .arg(std::process::id().to_string())
        .stdin(Stdio::null())
        .output()?;
    let said = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{said}");
    Ok(())
}
