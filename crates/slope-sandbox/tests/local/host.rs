//! The host process's side: its death, kernels that refuse, users without rights.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use slope_sandbox::{Error, Feature, LocalRuntime, Runtime, State};

use crate::bench::Bench;
use crate::{Outcome, Test};

pub(crate) const TESTS: &[Test] = &[
    (
        "a_killed_host_process_leaves_nothing",
        a_killed_host_process_leaves_nothing,
    ),
    (
        "refused_namespaces_are_explained",
        refused_namespaces_are_explained,
    ),
    (
        "an_ordinary_user_can_do_all_this",
        an_ordinary_user_can_do_all_this,
    ),
    ("the_probe_tells_what_works", the_probe_tells_what_works),
];

/// First argument of this binary when it plays the host process.
pub(crate) const HOST_ARGUMENT: &str = "__play-host";

/// Starts a sandbox that would run for long, says so, and waits for its own death.
pub(crate) fn play_host(unconfined: bool) -> i32 {
    let bench = Bench::script("setsid sh -c 'exec sleep 98765' & exec sleep 98765");
    let runtime: &dyn Runtime = if unconfined {
        &slope_sandbox::UnconfinedRuntime
    } else {
        &LocalRuntime
    };
    let running = runtime.start(&bench.spec).unwrap();
    while sleepers().len() < 2 {
        std::thread::sleep(Duration::from_millis(10));
    }
    println!("{}", bench.dir.path().display());
    i32::from(running.wait().is_ok())
}

/// Process ids of everything that sleeps for our odd time.
fn sleepers() -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let cmdline = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if cmdline == b"sleep\x0098765\0" {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

/// Folders of the sandboxes' control groups that these processes are in.
fn groups(processes: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for process in processes {
        let text = std::fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default();
        let own = text.lines().filter_map(|line| line.split(":/").nth(1));
        for own in own.filter(|own| own.contains("slope-sandbox-")) {
            let mounts = ["", "memory", "unified"];
            let places = mounts.map(|mount| Path::new("/sys/fs/cgroup").join(mount).join(own));
            found.extend(places.into_iter().filter(|place| place.exists()));
        }
    }
    found
}

fn works(state: &State) -> bool {
    matches!(state, State::Works(_))
}

fn a_killed_host_process_leaves_nothing() -> Outcome {
    for kind in ["confined", "unconfined"] {
        let mut host = Command::new("/proc/self/exe")
            .args([HOST_ARGUMENT, kind])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(host.stdout.as_mut().unwrap()).read_line(&mut line)?;
        let inside = sleepers();
        assert!(!inside.is_empty());
        let groups = groups(&inside);
        let limited = LocalRuntime
            .probe()
            .state(Feature::Cgroup)
            .is_some_and(works);
        assert_eq!(!groups.is_empty(), limited && kind == "confined");
        host.kill()?;
        host.wait()?;
        let patience = Instant::now() + Duration::from_secs(20);
        while !sleepers().is_empty() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(sleepers(), [""; 0], "{kind}");
        let dir = Path::new(line.trim());
        while dir.join("workspace.tar.partial").exists() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!dir.join("workspace.tar.partial").exists(), "{kind}");
        while groups.iter().any(|group| group.exists()) && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!groups.iter().any(|group| group.exists()), "{groups:?}");
        std::fs::remove_dir_all(dir)?;
    }
    Ok(())
}

/// First argument of this binary when it only starts a sandbox and prints how that failed.
pub(crate) const TRY_ARGUMENT: &str = "__try";

/// Prints the probe's verdict and the error of a start.
pub(crate) fn try_start() -> i32 {
    let required = LocalRuntime.probe().require().map_err(|e| e.to_string());
    let started = LocalRuntime
        .run(&Bench::script("echo").spec)
        .map_err(|e| e.to_string());
    println!("{required:?}\n{:?}", started.map(|o| o.exit));
    0
}

fn refused_namespaces_are_explained() -> Outcome {
    let exe = std::env::current_exe()?;
    let script = format!(
        "echo 0 > /proc/sys/user/max_user_namespaces && exec {} {TRY_ARGUMENT}",
        exe.display()
    );
    if !installed("unshare") {
        return Ok(());
    }
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script])
        .output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines.len(),
        2,
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for line in lines {
        assert!(line.starts_with("Err("), "{line}");
        assert!(
            line.contains("the kernel refuses user namespaces"),
            "{line}"
        );
        assert!(
            line.contains("user.max_user_namespaces, which is 0"),
            "{line}"
        );
        assert!(line.contains("--no-sandbox"), "{line}");
    }
    Ok(())
}

/// Whether a tool of util-linux is there; says so if not.
fn installed(tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

/// Environment variable that keeps the run as an ordinary user from starting another.
const AS_USER: &str = "SLOPE_TEST_AS_USER";
/// An id that is unused on common systems.
const ORDINARY: &str = "54321";

fn an_ordinary_user_can_do_all_this() -> Outcome {
    if !nix::unistd::geteuid().is_root() || std::env::var_os(AS_USER).is_some() {
        println!("skipped: already running as an ordinary user");
        return Ok(());
    }
    if !installed("setpriv") {
        return Ok(());
    }
    // A copy, because the build folder may be closed to others.
    let dir = tempfile::tempdir()?;
    std::fs::set_permissions(
        dir.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o777),
    )?;
    let binary = dir.path().join("tests");
    std::fs::copy("/proc/self/exe", &binary)?;
    let output = Command::new("setpriv")
        .args([
            "--reuid",
            ORDINARY,
            "--regid",
            ORDINARY,
            "--clear-groups",
            "--",
        ])
        .arg(&binary)
        .args(["--test-threads", "2"])
        .env(AS_USER, "1")
        .env("TMPDIR", dir.path())
        .current_dir("/")
        .output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    if told.contains("skipped: tests of the local runtime") {
        println!("skipped: ordinary users may not make namespaces here");
        return Ok(());
    }
    assert!(
        output.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

fn the_probe_tells_what_works() -> Outcome {
    let capabilities = LocalRuntime.probe();
    for feature in [
        Feature::UserNamespaces,
        Feature::Mounts,
        Feature::Tmpfs,
        Feature::Processes,
        Feature::Network,
        Feature::Nesting,
        Feature::Seccomp,
    ] {
        assert_eq!(
            capabilities.state(feature),
            Some(&State::Works(None)),
            "{capabilities:#?}"
        );
    }
    assert!(capabilities.state(Feature::Landlock).is_some());
    assert!(capabilities.state(Feature::Cgroup).is_some());
    let refused = Error::Refused {
        feature: "a".into(),
        why: "b".into(),
        remedy: "c".into(),
    };
    assert_eq!(refused.to_string(), "the kernel refuses a: b\nhelp: c");
    Ok(())
}
