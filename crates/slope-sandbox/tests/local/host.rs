//! The host process's side: its death, kernels that refuse, users without rights, bad specifications.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use slope_sandbox::{Bind, Error, Feature, LocalRuntime, Runtime, State};

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
    ("bad_specifications_are_named", bad_specifications_are_named),
    (
        "binds_are_read_only_and_may_lie_in_closed_folders",
        binds_are_read_only,
    ),
    ("many_sandboxes_run_at_once", many_sandboxes_run_at_once),
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

fn a_killed_host_process_leaves_nothing() -> Outcome {
    for kind in ["confined", "unconfined"] {
        let mut host = Command::new("/proc/self/exe")
            .args([HOST_ARGUMENT, kind])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(host.stdout.as_mut().unwrap()).read_line(&mut line)?;
        assert!(!sleepers().is_empty());
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
        assert!(line.contains("user.max_user_namespaces is 0"), "{line}");
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
/// An id that belongs to nobody on common systems.
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

fn bad_specifications_are_named() -> Outcome {
    let check = |change: &dyn Fn(&mut Bench), expected: &str| {
        let mut bench = Bench::script("true");
        change(&mut bench);
        let error = LocalRuntime.run(&bench.spec).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!bench.tar().exists());
    };
    check(
        &|b| b.spec.workdir = "relative".into(),
        "working directory relative",
    );
    check(&|b| b.spec.workdir = "/missing".into(), "/missing");
    check(&|b| b.spec.volumes[0].target = "/a/../b".into(), "/a/../b");
    check(
        &|b| b.spec.volumes[0].target = "/usr/lib/not-there".into(),
        "/usr/lib/not-there",
    );
    check(
        &|b| b.spec.volumes[0].fill = Some("/no/such.tar".into()),
        "/no/such.tar",
    );
    check(
        &|b| b.spec.volumes[0].collect = Some("/no/such/dir.tar".into()),
        "/no/such/dir.tar",
    );
    check(
        &|b| b.spec.stdout = "/no/such/stdout".into(),
        "/no/such/stdout",
    );
    check(
        &|b| b.spec.volumes.push(b.spec.volumes[0].clone()),
        "two trees for /workspace",
    );
    let gone = Bind {
        source: "/no/such/tool".into(),
        target: "/tool".into(),
    };
    check(&|b| b.spec.binds.push(gone.clone()), "/no/such/tool");
    check(
        &|b| b.spec.command = slope_sandbox::Command::Exec(Vec::new()),
        "empty",
    );
    let missing = slope_sandbox::Command::Exec(vec!["no-such-tool".to_owned()]);
    check(&|b| b.spec.command = missing.clone(), "no-such-tool");
    let mut bench = Bench::script("true").fill(|tar| {
        crate::bench::raw_entry(
            tar,
            tar::EntryType::Regular,
            "a",
            "",
            0o644,
            &"x".repeat(100_000),
        );
    });
    bench.spec.volumes[0].size = 8192;
    let error = LocalRuntime.run(&bench.spec).unwrap_err().to_string();
    assert!(error.contains("limit is 8192 bytes"), "{error}");
    Ok(())
}

fn binds_are_read_only() -> Outcome {
    let dir = tempfile::tempdir()?;
    let closed = dir.path().join("closed");
    let tool = closed.join("tool");
    std::fs::create_dir_all(&tool)?;
    std::fs::write(tool.join("run"), "#!/bin/sh\necho tool\n")?;
    std::fs::set_permissions(
        tool.join("run"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )?;
    std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    let mut bench =
        Bench::script("/opt/tool/run; echo x > /opt/tool/new || echo sealed; cat /opt/one");
    bench.spec.binds.push(Bind {
        source: tool.clone(),
        target: "/opt/tool".into(),
    });
    bench.spec.binds.push(Bind {
        source: tool.join("run"),
        target: "/opt/one".into(),
    });
    let ran = bench.run();
    assert_eq!(
        ran.out, "tool\nsealed\n#!/bin/sh\necho tool\n",
        "{}",
        ran.err
    );
    Ok(())
}

fn many_sandboxes_run_at_once() -> Outcome {
    fn sendable<T: Send + 'static>(value: T) -> T {
        value
    }
    let threads: Vec<_> = (0..6)
        .map(|thread| {
            std::thread::spawn(move || {
                for round in 0..5 {
                    let bench = Bench::script(&format!("echo {thread}.{round} | tee file; cat"));
                    let running = sendable(LocalRuntime.start(&bench.spec).unwrap());
                    let killer = sendable(running.killer());
                    let outcome = running.wait().unwrap();
                    killer.kill();
                    assert_eq!(bench.ran(outcome).out, format!("{thread}.{round}\n"));
                    assert_eq!(bench.collected()[0].2, format!("{thread}.{round}\n"));
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
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
    assert_eq!(refused.to_string(), "the kernel refuses a: b; c");
    Ok(())
}
