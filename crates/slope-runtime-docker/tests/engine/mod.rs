//! A Docker Engine of a test's own: `dockerd` as Debian's package `docker.io` brings it, with
//! everything it keeps below a temporary folder, and a base image made from this machine's own files,
//! since no registry can be asked.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Name of the base image.
pub(crate) const IMAGE: &str = "slope-test-base";
/// Content of a request for an image.
const TAR: &str = "application/x-tar";
/// Longest time that the engine may take to start, and to stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// Programs of the base image; those that this machine lacks are left out.
const PROGRAMS: &[&str] = &[
    "bash", "cat", "chmod", "chown", "chroot", "cp", "cut", "date", "dd", "env", "false", "find",
    "git", "grep", "head", "hostname", "id", "ln", "ls", "mkdir", "mkfifo", "mount", "mv", "nohup",
    "od", "pwd", "readlink", "rm", "sed", "seq", "setsid", "sh", "sleep", "sort", "stat", "tail",
    "tee", "test", "timeout", "touch", "tr", "true", "truncate", "umount", "uname", "unshare",
    "wc", "xargs", "yes",
];

/// A running engine. Dropping it stops it and leaves nothing.
#[derive(Debug)]
pub(crate) struct TestEngine {
    child: Child,
    dir: tempfile::TempDir,
}

impl TestEngine {
    /// Starts an engine with the base image in it.
    ///
    /// # Errors
    /// Why that cannot be done on this machine.
    pub(crate) fn start() -> Result<Self, String> {
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() != 0) {
            return Err("only root can start a Docker Engine".to_owned());
        }
        let dockerd = which("dockerd")
            .ok_or("dockerd is not installed (Debian: apt-get install docker.io)")?;
        let setpriv = which("setpriv").ok_or("setpriv is not installed (Debian: util-linux)")?;
        let dir = tempfile::Builder::new()
            .prefix("engine-")
            .tempdir()
            .map_err(|e| e.to_string())?;
        let log = File::create(dir.path().join("log")).map_err(|e| e.to_string())?;
        fs::write(dir.path().join("config.json"), "{}").map_err(|e| e.to_string())?;
        let at = |name: &str| dir.path().join(name);
        let child = Command::new(setpriv)
            // When this thread goes, the engine goes.
            .args(["--pdeathsig", "TERM", "--"])
            .arg(dockerd)
            .arg("--config-file")
            .arg(at("config.json"))
            .arg("--data-root")
            .arg(at("data"))
            .arg("--exec-root")
            .arg(at("exec"))
            .arg("--pidfile")
            .arg(at("pid"))
            .arg("--host")
            .arg(format!("unix://{}", at("docker.sock").display()))
            .args(["--iptables=false", "--ip6tables=false", "--bridge=none"])
            .args(["--ip-forward=false", "--ip-masq=false"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|e| format!("dockerd cannot be started: {e}"))?;
        let mut engine = Self { child, dir };
        engine.wait_until_up()?;
        engine.import_base()?;
        Ok(engine)
    }

    /// Address of the engine, as in `DOCKER_HOST`.
    pub(crate) fn address(&self) -> String {
        format!("unix://{}", self.socket().display())
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("docker.sock")
    }

    fn wait_until_up(&mut self) -> Result<(), String> {
        let end = Instant::now() + PATIENCE;
        loop {
            if request(&self.socket(), "GET", "/_ping", TAR, None).is_ok() {
                return Ok(());
            }
            let ended = self.child.try_wait().map_err(|e| e.to_string())?;
            if ended.is_some() || Instant::now() > end {
                let log = fs::read_to_string(self.dir.path().join("log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(3).collect();
                return Err(format!("dockerd does not start here: {}", last.join(" / ")));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Imports a root file system of this machine's own files.
    fn import_base(&self) -> Result<(), String> {
        let tar = self.dir.path().join("base.tar");
        pack_root(&tar)?;
        let target = format!("/images/create?fromSrc=-&repo={IMAGE}&tag=latest");
        let said = request(&self.socket(), "POST", &target, TAR, Some(&tar))?;
        let _ = fs::remove_file(&tar);
        if said.contains("errorDetail") {
            return Err(format!("the base image cannot be imported: {said}"));
        }
        Ok(())
    }
}

/// Asks the engine at `socket` without any client, since this is also used where none is.
///
/// # Errors
/// Its whole answer if it fails.
pub(crate) fn request(
    socket: &Path,
    method: &str,
    target: &str,
    content: &str,
    body: Option<&Path>,
) -> Result<String, String> {
    let ask = || -> std::io::Result<String> {
        let mut stream = UnixStream::connect(socket)?;
        let length = body
            .map(fs::metadata)
            .transpose()?
            .map_or(0, |meta| meta.len());
        write!(
            stream,
            "{method} {target} HTTP/1.0\r\nHost: engine\r\nContent-Type: {content}\r\n\
             Content-Length: {length}\r\n\r\n"
        )?;
        if let Some(body) = body {
            std::io::copy(&mut File::open(body)?, &mut stream)?;
        }
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let answer = ask().map_err(|e| e.to_string())?;
    let status = answer.split_whitespace().nth(1).unwrap_or("");
    if status.starts_with('2') {
        Ok(answer)
    } else {
        Err(answer)
    }
}

impl Drop for TestEngine {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let below = self.dir.path().display().to_string();
        for mount in mounts
            .lines()
            .rev()
            .filter_map(|line| line.split(' ').nth(1))
        {
            if mount.starts_with(&below) {
                let _ = Command::new("umount").args(["-l", mount]).status();
            }
        }
    }
}

fn which(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let more = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(more)
        .map(|dir| dir.join(name))
        .find(|candidate| candidate.is_file())
}

/// Packs a small root: programs, the libraries they need, Python.
fn pack_root(tar: &Path) -> Result<(), String> {
    let mut root = Root::default();
    for name in PROGRAMS {
        let places = ["/usr/bin", "/bin", "/usr/sbin"].map(Path::new);
        if let Some(found) = places.iter().map(|p| p.join(name)).find(|p| p.exists()) {
            root.program(&found);
        }
    }
    // What slope's own binaries need.
    if let Ok(own) = std::env::current_exe() {
        root.libraries(&own);
    }
    for python in ["/usr/bin/python3", "python3"] {
        root.python(python);
    }
    root.c_library();
    for link in ["/bin", "/sbin", "/lib", "/lib64"] {
        root.add(Path::new(link));
    }
    let skeleton = tar.with_extension("d");
    for dir in ["tmp", "proc", "dev", "sys", "run", "home", "etc", "var"] {
        fs::create_dir_all(skeleton.join(dir)).map_err(|e| e.to_string())?;
    }
    let all_write = fs::Permissions::from_mode(0o1777);
    fs::set_permissions(skeleton.join("tmp"), all_write).map_err(|e| e.to_string())?;
    let list = tar.with_extension("list");
    let names: Vec<String> = root
        .files
        .iter()
        .filter_map(|path| Some(path.strip_prefix("/").ok()?.to_str()?.to_owned()))
        .collect();
    fs::write(&list, names.join("\n")).map_err(|e| e.to_string())?;
    let packed = Command::new("tar")
        .args(["--create", "--no-recursion", "--file"])
        .arg(tar)
        .arg("--directory=/")
        .arg("--files-from")
        .arg(&list)
        .arg("--directory")
        .arg(&skeleton)
        .args(["tmp", "proc", "dev", "sys", "run", "home", "etc", "var"])
        .output()
        .map_err(|e| format!("tar: {e}"))?;
    if packed.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&packed.stderr).into_owned())
}

/// Files that a root needs, with the links that lead to them.
#[derive(Default)]
struct Root {
    files: BTreeSet<PathBuf>,
}

impl Root {
    /// Adds a path and whatever it leads to.
    fn add(&mut self, path: &Path) {
        let mut path = path.to_owned();
        for _ in 0..16 {
            // The folder's real name; the name in it may be a link.
            let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                return;
            };
            let Ok(parent) = fs::canonicalize(parent) else {
                return;
            };
            let place = parent.join(name);
            let Ok(meta) = fs::symlink_metadata(&place) else {
                return;
            };
            self.files.insert(place.clone());
            if !meta.is_symlink() {
                return;
            }
            let Ok(target) = fs::read_link(&place) else {
                return;
            };
            path = parent.join(target);
        }
    }

    /// Adds a program or a library with all the libraries that it needs.
    fn program(&mut self, path: &Path) {
        self.add(path);
        self.libraries(path);
    }

    /// Adds the libraries that a program or a library needs.
    fn libraries(&mut self, path: &Path) {
        let Ok(needs) = Command::new("ldd").arg(path).output() else {
            return;
        };
        for word in String::from_utf8_lossy(&needs.stdout).split_whitespace() {
            if word.starts_with('/') {
                self.add(Path::new(word.trim_end_matches(':')));
            }
        }
    }

    /// Adds the parts of the C library that other programs need.
    fn c_library(&mut self) {
        let folders: BTreeSet<PathBuf> = self
            .files
            .iter()
            .filter(|file| file.ends_with("libc.so.6"))
            .filter_map(|file| Some(file.parent()?.to_owned()))
            .collect();
        for folder in folders {
            for name in [
                "libdl.so.2",
                "libm.so.6",
                "libpthread.so.0",
                "libresolv.so.2",
                "librt.so.1",
                "libstdc++.so.6",
            ] {
                self.program(&folder.join(name));
            }
        }
    }

    /// Adds an interpreter of the system; of another, which sandboxes see as a bind, only what it needs.
    fn python(&mut self, name: &str) {
        let question = "import os, sys, sysconfig\n\
                        print(os.path.realpath(sys._base_executable))\n\
                        print(os.path.realpath(sysconfig.get_path('stdlib')))";
        let Ok(answer) = Command::new(name).args(["-I", "-c", question]).output() else {
            return;
        };
        let answer = String::from_utf8_lossy(&answer.stdout).into_owned();
        let Some((executable, library)) = answer.trim().split_once('\n') else {
            return;
        };
        let system = executable.starts_with("/usr/");
        if system {
            self.program(Path::new(executable));
            self.add(Path::new("/usr/bin/python3"));
        }
        let mut open = vec![PathBuf::from(library)];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let (path, name) = (entry.path(), entry.file_name());
                let left_out = ["__pycache__", "test", "tests", "idlelib", "site-packages"];
                if left_out.iter().any(|n| name == *n) {
                    continue;
                }
                if path.is_dir() && !path.is_symlink() {
                    open.push(path);
                } else if path.extension().is_some_and(|e| e == "so") {
                    self.libraries(&path);
                    if system {
                        self.add(&path);
                    }
                } else if system {
                    self.add(&path);
                }
            }
        }
    }
}
