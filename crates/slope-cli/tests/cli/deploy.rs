//! Files for running a server as a service.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::{stderr, stdout};
use crate::engine::{self, TestEngine};

/// A file of the folder `deploy`.
fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../deploy")
        .join(name)
}

#[test]
fn systemd_accepts_the_units() {
    if Command::new("systemd-analyze")
        .arg("--version")
        .output()
        .is_err()
    {
        println!("skipped: systemd is not installed");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let units = ["slope.service", "slope-watch.service", "slope-watch.timer"];
    for name in units {
        let text = std::fs::read_to_string(shipped(name)).unwrap();
        let text = text.replace("/usr/local/bin/slope", env!("CARGO_BIN_EXE_slope"));
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let mut verify = Command::new("systemd-analyze");
    verify.arg("verify");
    verify.args(units.map(|name| dir.path().join(name)));
    let verified = verify.output().unwrap();
    assert!(verified.status.success(), "{}", stderr(&verified));
    for name in units {
        assert!(!stderr(&verified).contains(name), "{}", stderr(&verified));
    }
}

/// Asks a server in a container, with the Python that the base image has.
const ASK: &str = r#"
import json, sys, urllib.request
body = json.dumps({"files": {"app.py": "def f(x):\n    return x\n"}}).encode()
headers = {"Content-Type": "application/json", "Authorization": f"Bearer {sys.argv[1]}"}
url = "http://127.0.0.1:8750/api/v1/measure"
print(json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers)))["totals"]["callables"])
"#;

/// A container of the shipped file, on an engine of its own.
struct Container {
    engine: TestEngine,
}

impl Container {
    fn docker(&self, args: &[&str]) -> Output {
        let mut docker = Command::new("docker");
        docker.env("DOCKER_HOST", self.engine.address());
        docker.env("DOCKER_BUILDKIT", "0").args(args);
        docker.output().unwrap()
    }

    #[track_caller]
    fn succeeds(&self, args: &[&str]) -> String {
        let output = self.docker(args);
        let (out, err) = (stdout(&output), stderr(&output));
        assert!(output.status.success(), "{args:?}: {out}{err}");
        out.trim().to_owned()
    }

    /// Starts it with the volume `data`, as users do: without capabilities, and with its root read-only.
    fn start(&self) {
        let hardened = [
            "--cap-drop=ALL",
            "--security-opt=no-new-privileges",
            "--read-only",
            "--tmpfs=/tmp",
        ];
        let run = [
            "run",
            "-d",
            "--name=server",
            "--network=none",
            "--health-interval=1s",
            "-v=data:/var/lib/slope",
        ];
        self.succeeds(&[&run[..], &hardened, &["slope"]].concat());
        let begun = Instant::now();
        while !self
            .docker(&["exec", "server", "slope", "serve", "health"])
            .status
            .success()
        {
            let logs = stderr(&self.docker(&["logs", "server"]));
            assert!(begun.elapsed() < Duration::from_secs(60), "{logs}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Number of functions that the server finds in a text.
    fn measured(&self, token: &str) -> String {
        self.succeeds(&["exec", "server", "python3", "-c", ASK, token])
    }
}

#[test]
fn containers_keep_data_and_are_healthy() {
    let container = match TestEngine::start() {
        Ok(engine) => Container { engine },
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let image = tempfile::tempdir().unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_slope"), image.path().join("slope")).unwrap();
    let (file, folder) = (shipped("Containerfile"), image.path().to_str().unwrap());
    let base = format!("BASE={}", engine::IMAGE);
    let (file, network) = (file.to_str().unwrap(), "--network=none");
    container.succeeds(&[
        "build",
        network,
        "--build-arg",
        &base,
        "-t",
        "slope",
        "-f",
        file,
        folder,
    ]);
    container.start();
    let add = [
        "exec",
        "server",
        "slope",
        "serve",
        "token",
        "add",
        "--all-projects",
        "--scope=read",
    ];
    let token = container.succeeds(&[&add[..], &["--data", "/var/lib/slope"]].concat());
    assert_eq!(container.measured(&token), "1");
    let refused = container.docker(&["exec", "server", "python3", "-c", ASK, "wrong"]);
    assert!(stderr(&refused).contains("401"), "{}", stderr(&refused));
    assert_eq!(container.succeeds(&["exec", "server", "id", "-u"]), "10001");
    let begun = Instant::now();
    while container.succeeds(&["inspect", "--format={{.State.Health.Status}}", "server"])
        != "healthy"
    {
        assert!(begun.elapsed() < Duration::from_secs(60), "not healthy");
        std::thread::sleep(Duration::from_millis(200));
    }
    container.succeeds(&["stop", "server"]);
    let code = container.succeeds(&["inspect", "--format={{.State.ExitCode}}", "server"]);
    assert_eq!(code, "0", "the server ends by itself");
    container.succeeds(&["rm", "server"]);
    container.start();
    assert_eq!(
        container.measured(&token),
        "1",
        "the token is in the volume"
    );
    container.succeeds(&["rm", "-f", "server"]);
}
