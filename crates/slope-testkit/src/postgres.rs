//! A real PostgreSQL server for tests.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longest time until a server accepts connections.
const START: Duration = Duration::from_secs(60);

/// A new and empty database of a server that ends with this process. `None` without PostgreSQL on this machine: the
/// test then says that it is skipped.
#[must_use]
pub fn new_database() -> Option<String> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = SERVER.get_or_init(Server::start).as_ref()?;
    let name = format!("slope_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    server.run("createdb", &[&name]);
    Some(format!(
        "postgres://postgres@127.0.0.1:{}/{name}",
        server.port
    ))
}

struct Server {
    programs: PathBuf,
    port: u16,
    folder: TempDir,
}

impl Server {
    fn start() -> Option<Self> {
        let programs = programs()?;
        let folder = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let server = Self {
            programs,
            port,
            folder,
        };
        if is_root() {
            let path = server.folder.path();
            succeed(Command::new("chown").arg("postgres").arg(path));
        }
        let data = server.data();
        let initdb = server
            .command("initdb")
            .arg("-D")
            .arg(&data)
            .args(["-A", "trust", "-U", "postgres"])
            .arg("--no-sync")
            .stdout(Stdio::null())
            .status();
        assert!(initdb.unwrap().success(), "initdb failed");
        server.serve();
        Some(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts the server from a thread that lives as long as this process: the signal at its end goes by thread.
    fn serve(&self) {
        let mut command = self.command("postgres");
        command
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.folder.path())
            .args(["-p", &self.port.to_string()])
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"])
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        std::thread::spawn(move || {
            let mut child = command.spawn().unwrap();
            drop(child.wait());
        });
        let start = Instant::now();
        while !self.is_ready() {
            assert!(start.elapsed() < START, "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn is_ready(&self) -> bool {
        let ask = self.client("pg_isready").stdout(Stdio::null()).status();
        ask.unwrap().success()
    }

    fn run(&self, program: &str, args: &[&str]) {
        succeed(self.client(program).args(args));
    }

    fn client(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.args([
            "-h",
            "127.0.0.1",
            "-U",
            "postgres",
            "-p",
            &self.port.to_string(),
        ]);
        command
    }

    /// A program of the server, which refuses to run as root and ends with this process.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).current_dir("/");
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.arg(self.programs.join(program));
        command
    }
}

/// The folder of the newest version's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.flatten().map(|version| version.path().join("bin"));
    folders
        .filter(|folder| folder.join("initdb").exists())
        .max()
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(Path::new("/proc/self")).is_ok_and(|of| of.uid() == 0)
}

#[track_caller]
fn succeed(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}
