//! Environments of programs, built once in a sandbox and kept as tar files; most are virtual
//! environments.
//!
//! An environment is one file in the cache, named by the hash of its inputs. It is made under a
//! lock and appears by a rename, so two processes never build the same one and a failure leaves
//! nothing behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command as HostCommand, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use slope_sandbox::Runtime;
use slope_sandbox::outcome::Exit;
use slope_sandbox::spec::{Bind, Command, Limits, Spec, Volume};

use super::Interpreter;
use crate::archive::{Packer, sorted_names};
use crate::error::Error;
use crate::inside;

/// Version of the build procedure; increase it when the same inputs would give a different
/// environment.
const RECIPE: &str = "slope environment 2";
/// Builds the environment inside the sandbox.
const BUILD: &str = include_str!("build_env.py");
/// Wheels and lists inside while an environment is built.
const SCRATCH: &str = "/opt/scratch";
/// The installer's packages inside while an environment is built.
const INSTALLER: &str = "/opt/installer";
/// Largest environment.
const ENVIRONMENT_SIZE: u64 = 2 << 30;
/// Maximum number of bytes fetched for one environment.
const FETCHED_SIZE: u64 = 4 << 30;
/// Longest time to fetch packages, and to install them.
const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// A finished environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// Tar file with its content.
    pub tar: PathBuf,
    /// Hash of its inputs.
    pub key: String,
    /// Installed packages, `name==version`.
    pub packages: Vec<String>,
}

impl Archive {
    /// The volume that shows it at `target`, read-only and shared.
    pub(crate) fn volume(&self, target: &str) -> Volume {
        Volume {
            target: target.into(),
            fill: Some(self.tar.clone()),
            collect: None,
            size: inside::volume_size(&self.tar),
            writable: false,
            shared: true,
        }
    }

    /// No file at all.
    pub(super) fn none() -> Self {
        Self {
            tar: PathBuf::new(),
            key: String::new(),
            packages: Vec::new(),
        }
    }
}

/// Metadata of an environment.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Built {
    pub(super) packages: Vec<String>,
}

/// The environments of one interpreter in one cache.
#[derive(Clone, Copy)]
pub struct Environments<'a> {
    /// Interpreter.
    pub interpreter: &'a Interpreter,
    /// Cache folder.
    pub cache_dir: &'a Path,
    /// Folder with wheels, in place of the index.
    pub wheel_dir: Option<&'a Path>,
    /// Whether the package index may not be contacted.
    pub offline: bool,
    /// Runtime of installers.
    pub runtime: &'a dyn Runtime,
}

impl Environments<'_> {
    /// The environment at `target` (inside) with `requirements`, restricted by `constraints`.
    ///
    /// # Errors
    /// If it is not in the cache and cannot be made: no `ensurepip`, no network where one is
    /// needed, or packages without wheels.
    pub fn ensure(
        &self,
        target: &Path,
        requirements: &[String],
        constraints: Option<&str>,
    ) -> Result<Archive, Error> {
        let key = self.key(target, requirements, constraints);
        kept(self.cache_dir, key, |scratch| {
            let job = Job {
                environments: self,
                scratch,
                requirements,
                constraints,
            };
            job.build(target)
        })
    }

    fn key(&self, target: &Path, requirements: &[String], constraints: Option<&str>) -> String {
        let target = target.to_string_lossy();
        let runtime = self.runtime.identity();
        let mut hasher = blake3::Hasher::new();
        let fixed = [
            RECIPE,
            BUILD,
            &self.interpreter.identity,
            // Without namespaces an environment is made at another path, and in another image from
            // other parts.
            &runtime,
            &target,
            constraints.unwrap_or(""),
        ];
        for part in fixed
            .into_iter()
            .chain(requirements.iter().map(String::as_str))
        {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// The cache entry of `key`; if missing, `make` creates it as `environment.tar` in the folder that
/// it gets.
pub(super) fn kept(
    cache_dir: &Path,
    key: String,
    make: impl FnOnce(&Path) -> Result<Built, Error>,
) -> Result<Archive, Error> {
    let folder = cache_dir.join("environments");
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    if let Some(done) = finished(&folder, &key) {
        return Ok(done);
    }
    let _lock = Lock::take(&folder.join(format!("{key}.lock")))?;
    if let Some(done) = finished(&folder, &key) {
        return Ok(done);
    }
    let scratch = tempfile::Builder::new()
        .prefix("making-")
        .tempdir_in(&folder);
    let scratch = scratch.map_err(Error::io("create a folder in", &folder))?;
    let built = make(scratch.path())?;
    let listing = serde_json::to_vec(&built).expect("a list of strings is JSON");
    let (json, tar) = names(&folder, &key);
    fs::write(scratch.path().join("json"), listing).map_err(Error::io("write", scratch.path()))?;
    // The tar file comes last: its presence marks a complete environment.
    for (from, to) in [("json", &json), ("environment.tar", &tar)] {
        fs::rename(scratch.path().join(from), to).map_err(Error::io("create", to))?;
    }
    Ok(Archive {
        tar,
        key,
        packages: built.packages,
    })
}

/// Whether an installer's output is about the network rather than the requirement.
///
/// The output also quotes the requirement, which the graded program has written, so only lines
/// count that begin as the installer's own do.
pub(super) fn is_network_trouble(why: &str) -> bool {
    const BEGINNINGS: [&str; 4] = [
        "WARNING: Retrying (Retry",
        "ERROR: Could not install packages due to an OSError: HTTP",
        "pip._vendor.requests.exceptions.",
        "pip._vendor.urllib3.exceptions.",
    ];
    why.lines()
        .any(|line| BEGINNINGS.iter().any(|begin| line.starts_with(begin)))
}

fn names(folder: &Path, key: &str) -> (PathBuf, PathBuf) {
    (
        folder.join(format!("{key}.json")),
        folder.join(format!("{key}.tar")),
    )
}

fn finished(folder: &Path, key: &str) -> Option<Archive> {
    let (json, tar) = names(folder, key);
    if !tar.is_file() {
        return None;
    }
    let built: Built = serde_json::from_slice(&fs::read(json).ok()?).ok()?;
    Some(Archive {
        tar,
        key: key.to_owned(),
        packages: built.packages,
    })
}

/// An exclusive lock, released when dropped or when the process ends.
struct Lock(#[expect(dead_code, reason = "held for its lock")] File);

impl Lock {
    fn take(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::io("create", path))?;
        file.lock().map_err(Error::io("lock", path))?;
        Ok(Self(file))
    }
}

/// One environment in the making.
struct Job<'a> {
    environments: &'a Environments<'a>,
    scratch: &'a Path,
    requirements: &'a [String],
    constraints: Option<&'a str>,
}

impl Job<'_> {
    fn build(&self, target: &Path) -> Result<Built, Error> {
        let wheels = self.scratch.join("wheels");
        fs::create_dir(&wheels).map_err(Error::io("create", &wheels))?;
        let lists = [
            ("requirements.txt", self.requirements.join("\n") + "\n"),
            ("constraints.txt", self.constraints.unwrap_or("").to_owned()),
        ];
        for (name, text) in &lists {
            let path = self.scratch.join(name);
            fs::write(&path, text).map_err(Error::io("write", &path))?;
        }
        if !self.requirements.is_empty() {
            self.fetch(&wheels)?;
        }
        let fill = self.scratch.join("scratch.tar");
        let mut packer = Packer::create(&fill)?;
        packer.tree(Path::new("wheels"), &wheels)?;
        for (name, text) in &lists {
            packer.bytes(Path::new(name), text.as_bytes(), false)?;
        }
        packer.finish()?;
        self.install(target, fill)
    }

    /// Fetches wheels for the requirements on the host. Wheels only, so that no code of theirs runs
    /// here.
    fn fetch(&self, wheels: &Path) -> Result<(), Error> {
        if self.environments.offline && self.environments.wheel_dir.is_none() {
            let cache = self.environments.cache_dir.to_owned();
            return Err(Error::Offline {
                packages: self.requirements.join(", "),
                cache,
            });
        }
        let mut pip = HostCommand::new(self.installer()?.join("bin/python"));
        pip.args([
            "-I",
            "-m",
            "pip",
            "--no-input",
            "--disable-pip-version-check",
            "download",
            "--quiet",
        ])
        .args(["--only-binary", ":all:", "--dest"])
        .arg(wheels)
        .arg("--constraint")
        .arg(self.scratch.join("constraints.txt"))
        .arg("--requirement")
        .arg(self.scratch.join("requirements.txt"))
        .env("TMPDIR", self.scratch)
        .current_dir(self.scratch);
        if let Some(folder) = self.environments.wheel_dir {
            pip.arg("--no-index")
                .arg("--find-links")
                .arg(absolute(folder)?);
        }
        bounded(&mut pip, self.scratch, |said| self.failed(said))
    }

    /// An environment on the host that has pip, since the base need not have it.
    fn installer(&self) -> Result<PathBuf, Error> {
        let base = self.environments.interpreter;
        if !base.has_ensurepip {
            return Err(Error::NoEnsurepip {
                python: base.executable.clone(),
            });
        }
        let name = blake3::hash(base.identity.as_bytes()).to_hex()[..16].to_owned();
        let folder = self
            .environments
            .cache_dir
            .join(format!("installer-{name}"));
        let _lock = Lock::take(
            &self
                .environments
                .cache_dir
                .join(format!("installer-{name}.lock")),
        )?;
        if folder.exists() {
            return Ok(folder);
        }
        let making = self.scratch.join("installer");
        let mut venv = HostCommand::new(&base.executable);
        venv.args(["-I", "-m", "venv"]).arg(&making);
        bounded(&mut venv, self.scratch, |said| self.failed(said))?;
        fs::rename(&making, &folder).map_err(Error::io("create", &folder))?;
        Ok(folder)
    }

    /// Installs the fetched wheels in a sandbox without network and collects the result.
    fn install(&self, target: &Path, fill: PathBuf) -> Result<Built, Error> {
        let spec = self.installation(target, fill)?;
        let outcome = self.environments.runtime.run(&spec)?;
        if outcome.exit != Exit::Code(0) {
            let said = fs::read(&spec.stderr).unwrap_or_default();
            let said = String::from_utf8_lossy(&said);
            return Err(self.failed(&format!("{:?}: {said}", outcome.exit)));
        }
        let said = fs::read_to_string(&spec.stdout).map_err(Error::io("read", &spec.stdout))?;
        let last = said.lines().last().unwrap_or("");
        serde_json::from_str(last)
            .map_err(|e| self.failed(&format!("the builder said `{last}` ({e})")))
    }

    /// The sandbox that installs.
    fn installation(&self, target: &Path, fill: PathBuf) -> Result<Spec, Error> {
        let interpreter = self.environments.interpreter;
        let at = |name: &str| self.scratch.join(name);
        let mut spec = inside::bare_spec(interpreter.bind.as_ref(), at("stdout"), at("stderr"));
        let mut installer = "";
        if !self.requirements.is_empty() {
            installer = INSTALLER;
            spec.binds.push(self.pip()?);
        }
        spec.command = Command::Exec(vec![
            interpreter.executable.to_string_lossy().into_owned(),
            "-I".to_owned(),
            "-c".to_owned(),
            BUILD.to_owned(),
            target.to_string_lossy().into_owned(),
            SCRATCH.to_owned(),
            installer.to_owned(),
        ]);
        spec.workdir = PathBuf::from("/tmp");
        spec.env = inside::environment("/usr/local/bin:/usr/bin:/bin".to_owned());
        spec.volumes = vec![
            Volume {
                target: SCRATCH.into(),
                size: inside::volume_size(&fill),
                fill: Some(fill),
                collect: None,
                writable: false,
                shared: false,
            },
            Volume {
                target: target.to_owned(),
                fill: None,
                collect: Some(at("environment.tar")),
                size: ENVIRONMENT_SIZE,
                writable: true,
                shared: false,
            },
        ];
        spec.limits = Limits {
            wall: INSTALL_LIMIT,
            ..Limits::default()
        };
        Ok(spec)
    }

    /// The package pip without its neighbours in the installer, which would count as installed.
    fn pip(&self) -> Result<Bind, Error> {
        let lib = self.installer()?.join("lib");
        let found = sorted_names(&lib)?.into_iter().find_map(|python| {
            let pip = lib.join(python).join("site-packages/pip");
            pip.is_dir().then_some(pip)
        });
        let source = found.ok_or_else(|| self.failed("the installer has no pip"))?;
        let target = Path::new(INSTALLER).join("pip");
        Ok(Bind { source, target })
    }

    fn failed(&self, said: &str) -> Error {
        let packages = if self.requirements.is_empty() {
            "an environment".into()
        } else {
            self.requirements.join(", ")
        };
        Error::Install {
            packages,
            why: tail(said),
        }
    }
}

/// Runs an installer on the host to its end, but at most for [`INSTALL_LIMIT`] or until `scratch`
/// contains [`FETCHED_SIZE`]: requirements can make it search for a very long time, and fetch very
/// much.
pub(super) fn bounded(
    command: &mut HostCommand,
    scratch: &Path,
    failed: impl Fn(&str) -> Error,
) -> Result<(), Error> {
    let log = scratch.join("installer.log");
    let file = File::create(&log).map_err(Error::io("create", &log))?;
    let started = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn();
    let mut child = started.map_err(Error::io("start the installer in", scratch))?;
    let end = Instant::now() + INSTALL_LIMIT;
    let status = loop {
        let too_much = match child
            .try_wait()
            .map_err(Error::io("wait for the installer in", scratch))?
        {
            Some(status) => break status,
            None if Instant::now() >= end => {
                format!("no end within {} s", INSTALL_LIMIT.as_secs())
            }
            None if size_of(scratch) > FETCHED_SIZE => format!("more than {FETCHED_SIZE} bytes"),
            None => {
                thread::sleep(Duration::from_millis(50));
                continue;
            }
        };
        // Killing a child that has just ended is fine.
        let _ = child.kill();
        let _ = child.wait();
        return Err(failed(&too_much));
    };
    if status.success() {
        return Ok(());
    }
    let said = fs::read(&log).unwrap_or_default();
    Err(failed(&String::from_utf8_lossy(&said)))
}

/// Total size in bytes of the files below `folder`, as far as it can be read while it changes.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => size_of(&entry.path()),
        Ok(meta) => meta.len(),
        Err(_) => 0,
    };
    entries.map(size).sum()
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(path).map_err(Error::io("find", path))
}

/// The last lines of the output of an installer or a compiler.
pub(super) fn tail(said: &str) -> String {
    let lines: Vec<_> = said.trim().lines().collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_installer_output_shows_network_trouble() {
        for own in [
            "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError(...)': /simple/a/\nERROR: No matching distribution found for a",
            "Traceback (most recent call last):\npip._vendor.urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='a', port=443): Read timed out.",
        ] {
            assert!(is_network_trouble(own), "{own}");
        }
        for written_by_the_graded in [
            "ERROR: No matching distribution found for ReadTimeout",
            "ERROR: Invalid requirement: 'a[WARNING: Retrying (Retry]': Expected\n    a[WARNING: Retrying (Retry]\n     ^",
        ] {
            assert!(!is_network_trouble(written_by_the_graded));
        }
    }
}
