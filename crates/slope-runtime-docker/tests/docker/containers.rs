//! What only containers have: images, labels, garbage, an engine that fails.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use slope_runtime_docker::{Config, DockerRuntime, Engine, gc};
use slope_sandbox::{LimitHit, Runtime, Volume};
use tar::EntryType;

use crate::bench::{Bench, raw_entry};
use crate::{Outcome, Test, address, config, docker, engine};

pub(crate) const TESTS: &[Test] = &[
    (
        "the_kernel_keeps_the_limits_too",
        the_kernel_keeps_the_limits_too,
    ),
    (
        "shared_volumes_are_laid_down_once",
        shared_volumes_are_laid_down_once,
    ),
    (
        "a_private_read_only_volume_goes_with_its_container",
        a_private_read_only_volume_goes_with_its_container,
    ),
    (
        "the_first_process_cannot_be_started_again",
        the_first_process_cannot_be_started_again,
    ),
    (
        "a_killed_host_process_leaves_no_container",
        a_killed_host_process_leaves_no_container,
    ),
    (
        "a_container_killed_from_outside_is_lost",
        a_container_killed_from_outside_is_lost,
    ),
    (
        "full_memory_folders_are_memory_limit",
        full_memory_folders_are_memory_limit,
    ),
    ("only_garbage_is_removed", only_garbage_is_removed),
    (
        "missing_images_and_full_disks_are_told",
        missing_images_and_full_disks_are_told,
    ),
    (
        "the_probe_tells_of_the_engine",
        the_probe_tells_of_the_engine,
    ),
];

/// Held by tests that make or remove garbage.
static COLLECTING: Mutex<()> = Mutex::new(());

fn the_kernel_keeps_the_limits_too() -> Outcome {
    let bench = Bench::script(
        "cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes \
             /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null; true",
    )
    .small()
    .limits(|l| {
        l.memory = 100 << 20;
        l.processes = 77;
    });
    let ran = bench.run();
    // The command's memory, three volumes, `/dev/shm` and slope's own process.
    let memory = (100 + 64 + 1 + 1 + 256 + 128) << 20;
    assert_eq!(ran.out, format!("{memory}\n77\n"), "{}", ran.err);
    Ok(())
}

/// A volume filled with one file that holds `text`.
fn fixed(dir: &Path, target: &str, text: &str, shared: bool) -> Volume {
    let tar = dir.join(format!("{}.tar", text.len()));
    let mut builder = tar::Builder::new(std::fs::File::create(&tar).unwrap());
    raw_entry(&mut builder, EntryType::Regular, "file", "", 0o600, text);
    raw_entry(&mut builder, EntryType::Symlink, "link", "file", 0o777, "");
    builder.into_inner().unwrap();
    Volume {
        target: target.into(),
        fill: Some(tar),
        collect: None,
        size: 1 << 20,
        writable: false,
        shared,
    }
}

const READ: &str = "cat /opt/fixed/link; echo x > /opt/fixed/file || echo sealed; \
                    touch /opt/fixed/new || echo sealed; rm /opt/fixed/file || echo sealed";

fn shared_volumes_are_laid_down_once() -> Outcome {
    let images = || ask("GET", "/images/json").matches("slope-sandbox:").count();
    let before = images();
    for (text, expected) in [("one\n", 1), ("one\n", 1), ("other\n", 2)] {
        let mut bench = Bench::script(READ);
        bench
            .spec
            .volumes
            .push(fixed(bench.dir.path(), "/opt/fixed", text, true));
        let ran = bench.run();
        assert_eq!(
            ran.out,
            format!("{text}sealed\nsealed\nsealed\n"),
            "{}",
            ran.err
        );
        assert!(images() - before <= expected, "an image was built twice");
    }
    Ok(())
}

fn a_private_read_only_volume_goes_with_its_container() -> Outcome {
    let mut bench = Bench::script(READ);
    bench.spec.volumes.push(fixed(
        bench.dir.path(),
        "/opt/fixed",
        "secret test\n",
        false,
    ));
    let ran = bench.run();
    assert_eq!(
        ran.out, "secret test\nsealed\nsealed\nsealed\n",
        "{}",
        ran.err
    );
    let found = Command::new("grep")
        .args(["-rl", "secret test"])
        .arg(engine_folder().join("data"))
        .output()?;
    assert_eq!(
        String::from_utf8_lossy(&found.stdout),
        "",
        "the engine still holds it"
    );
    Ok(())
}

fn the_first_process_cannot_be_started_again() -> Outcome {
    let ran = Bench::script(
        "ls -A /run/init; /run/init/slope-init --help; /proc/1/exe --help; \
         find / -xdev -name 'slope*' 2>/dev/null; ls /var/run/docker.sock /run/docker.sock; true",
    )
    .run();
    assert_eq!(ran.out, "", "{}", ran.err);
    Ok(())
}

/// First argument of this binary when it plays the host process.
pub(crate) const HOST_ARGUMENT: &str = "__play-docker-host";
/// The run of such a process.
const DOOMED: &str = "doomed";

/// Starts a sandbox that would run for long, says so, and waits for its own death.
pub(crate) fn play_host(address: &str) -> i32 {
    let engine = Engine::connect(Some(address)).unwrap();
    let doomed = Config {
        run: DOOMED.to_owned(),
        ..config()
    };
    let runtime = DockerRuntime::new(engine, doomed).unwrap();
    let bench = Bench::script("setsid sleep 98764 & exec sleep 98764");
    let running = runtime.start(&bench.spec).unwrap();
    println!("{}", bench.dir.path().display());
    i32::from(running.wait().is_ok())
}

fn a_killed_host_process_leaves_no_container() -> Outcome {
    let _alone = COLLECTING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut host = Command::new("/proc/self/exe")
        .args([HOST_ARGUMENT, &address()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut line = String::new();
    BufReader::new(host.stdout.as_mut().unwrap()).read_line(&mut line)?;
    let doomed = || ask("GET", "/containers/json?all=1").contains(DOOMED);
    assert!(doomed(), "the container runs");
    let owner = host.id();
    host.kill()?;
    host.wait()?;
    let patience = Instant::now() + Duration::from_secs(60);
    while doomed() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!doomed(), "the container is still there");
    std::fs::remove_dir_all(line.trim())?;
    // Its folder for first processes is left, and known to be.
    let found = gc::find(docker().engine(), gc::Scope::default())?;
    let mark = format!("sandbox-{owner}-");
    let folder = found.items.iter().find(|item| item.name.contains(&mark));
    assert!(
        folder.is_some_and(|item| item.kind == gc::Kind::Folder),
        "{found:?}"
    );
    gc::sweep(docker().engine())?;
    let found = gc::find(docker().engine(), gc::Scope::default())?;
    assert!(
        !found.items.iter().any(|item| item.name.contains(&mark)),
        "{found:?}"
    );
    Ok(())
}

fn a_container_killed_from_outside_is_lost() -> Outcome {
    let lost = Config {
        run: "lost".to_owned(),
        ..config()
    };
    let runtime = DockerRuntime::new(Engine::connect(Some(&address()))?, lost)?;
    let bench = Bench::script("exec sleep 600");
    let running = runtime.start(&bench.spec)?;
    let listed = ask(
        "GET",
        "/containers/json?filters=%7B%22label%22%3A%5B%22slope.run%3Dlost%22%5D%7D",
    );
    let id = listed
        .split("\"Id\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    ask(
        "POST",
        &format!("/containers/{}/kill", id.expect("it runs")),
    );
    let error = running.wait().unwrap_err().to_string();
    assert!(error.contains("the sandbox was lost"), "{error}");
    assert!(!bench.tar().exists());
    assert!(!bench.dir.path().join("workspace.tar.partial").exists());
    Ok(())
}

/// The programs die and their files stay, so the first process has no memory left and may be killed too.
fn full_memory_folders_are_memory_limit() -> Outcome {
    let fill = "for i in 1 2 3; do \
        for folder in /dev/shm /tmp /home/user; do cat /dev/zero > $folder/$i & done; done; wait";
    for _ in 0..3 {
        let bench = Bench::script(fill).limits(|l| {
            l.memory = 32 << 20;
            l.disk = 3 << 30;
        });
        let ran = bench.run();
        let limits = &ran.outcome.limits;
        assert!(limits.contains(&LimitHit::Memory), "{:?}", ran.outcome);
    }
    Ok(())
}

/// Makes a container that never starts, with these labels; its id.
fn idle(labels: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let body = dir.path().join("body");
    let image = engine::IMAGE;
    let text = format!("{{\"Image\":\"{image}\",\"Cmd\":[\"true\"],\"Labels\":{{{labels}}}}}");
    std::fs::write(&body, text).unwrap();
    let socket = engine_folder().join("docker.sock");
    let answer = engine::request(
        &socket,
        "POST",
        "/containers/create",
        "application/json",
        Some(&body),
    );
    let answer = answer.unwrap();
    let id = answer
        .split("\"Id\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    id.unwrap().to_owned()
}

fn only_garbage_is_removed() -> Outcome {
    let _alone = COLLECTING.lock().unwrap_or_else(PoisonError::into_inner);
    let lease =
        |until: &str| format!("\"slope.run\":\"garbage\",\"slope.lease-until\":\"{until}\"");
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id")?;
    let space = std::fs::read_link("/proc/self/ns/pid")?;
    let space: String = space
        .to_string_lossy()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let dead = format!("\"slope.owner\":\"{}/{space}/1/1\"", boot.trim());
    let over = idle(&lease("2020-01-01T00:00:00Z"));
    let orphan = idle(&format!("{dead},{}", lease("2999-01-01T00:00:00Z")));
    let needed = idle(&lease("2999-01-01T00:00:00Z"));
    let foreign = idle("");
    let runtime = docker();
    let engine = runtime.engine();
    let mut found = gc::find(engine, gc::Scope::default())?;
    found.items.retain(|item| item.run == "garbage");
    let mut names: Vec<&str> = found.items.iter().map(|item| item.name.as_str()).collect();
    names.sort_unstable();
    let mut expected = [over.as_str(), orphan.as_str()];
    expected.sort_unstable();
    assert_eq!(names, expected);
    let exists = |id: &str| ask("GET", "/containers/json?all=1").contains(id);
    assert!(exists(&over) && exists(&orphan), "finding removes nothing");
    gc::remove(engine, &mut found);
    assert!(found.items.iter().all(|item| item.removed), "{found:?}");
    assert!(!exists(&over) && !exists(&orphan));
    assert!(exists(&needed) && exists(&foreign));
    for id in [needed, foreign] {
        ask("DELETE", &format!("/containers/{id}"));
    }
    Ok(())
}

fn missing_images_and_full_disks_are_told() -> Outcome {
    let runtime = docker();
    let engine = runtime.engine();
    let missing = Config {
        image: "no-such-image:1".to_owned(),
        ..config()
    };
    let error = DockerRuntime::new(engine.clone(), missing)
        .unwrap_err()
        .to_string();
    assert!(error.contains("docker pull no-such-image:1"), "{error}");
    let room = engine.room().expect("the engine is on this machine");
    assert!(room.path.ends_with("data") && room.free > 0, "{room:?}");
    engine.require_room(1)?;
    let error = engine.require_room(u64::MAX).unwrap_err().to_string();
    assert!(
        error.contains("slope gc") && error.contains("data"),
        "{error}"
    );
    Ok(())
}

fn the_probe_tells_of_the_engine() -> Outcome {
    let capabilities = docker().probe();
    capabilities.require()?;
    let said = format!("{capabilities:?}");
    assert!(said.contains(docker().engine().version()), "{said}");
    assert!(docker().identity().starts_with("docker sha256:"));
    Ok(())
}

/// Where the engine keeps everything.
fn engine_folder() -> std::path::PathBuf {
    let address = address();
    let socket = Path::new(address.trim_start_matches("unix://"));
    socket.parent().expect("in a folder").to_owned()
}

/// Asks the engine without the runtime's help; what it answers.
#[track_caller]
fn ask(method: &str, target: &str) -> String {
    let socket = engine_folder().join("docker.sock");
    engine::request(&socket, method, target, "application/json", None).unwrap()
}

/// Containers and volumes that the engine still has.
pub(crate) fn leftovers() -> Vec<String> {
    let mut found = Vec::new();
    if ask("GET", "/containers/json?all=1").contains("\"Id\"") {
        found.push("a container".to_owned());
    }
    if ask("GET", "/volumes").contains("\"Name\"") {
        found.push("a volume".to_owned());
    }
    found
}
