//! Agents from the npm registry: pinned, checked, installed once into a shared cache.
//!
//! Only the native executables are used, which arrive as an optional dependency of the
//! package, one for each platform. No install script runs, and nothing of the package runs
//! on the host. An installation is built beside its place and renamed into it, under a lock,
//! so that what is there is whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::agent::{AGENT_ROOT, InstallContext, Installed, InstalledBind};
use crate::evidence::tail;

/// Longest time that an installation may take.
const DEADLINE: Duration = Duration::from_secs(900);

/// Record of an installation, beside its files.
const RECORD: &str = "install.json";

/// A package and where its native files lie.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    /// Agent name.
    pub(crate) agent: &'static str,
    /// Package name in the registry.
    pub(crate) package: &'static str,
    /// Version.
    pub(crate) version: String,
    /// Known integrity strings: lock file key and integrity; empty for versions not pinned here.
    pub(crate) pins: &'static [(&'static str, &'static str)],
    /// Places of the native folder, relative to `node_modules`, the first that exists counts.
    pub(crate) native: Vec<String>,
    /// Executables that must be there, relative to the native folder; the first is the program.
    pub(crate) executables: &'static [&'static str],
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    agent: String,
    version: String,
    native: String,
    hashes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct LockFile {
    packages: BTreeMap<String, LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    version: Option<String>,
    integrity: Option<String>,
}

impl Package {
    /// Folder of the installation.
    pub(crate) fn folder(&self, cache_dir: &Path) -> PathBuf {
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        cache_dir
            .join("agents")
            .join(format!("{}-{}-{platform}", self.agent, self.version))
    }

    /// Finds the installation, or makes it.
    pub(crate) fn install(&self, context: &InstallContext<'_>) -> Result<Installed, Error> {
        let folder = self.folder(context.cache_dir);
        if folder.join(RECORD).is_file() {
            return self.check(&folder);
        }
        if context.offline {
            return Err(Error::Offline {
                agent: self.agent.to_owned(),
                version: self.version.clone(),
                folder,
            });
        }
        let parent = context.cache_dir.join("agents");
        std::fs::create_dir_all(&parent).map_err(Error::io("create", &parent))?;
        // Appended, since `with_extension` would cut the name at the version's last dot.
        let lock_path = PathBuf::from(format!("{}.lock", folder.display()));
        let lock = File::create(&lock_path).map_err(Error::io("create", &lock_path))?;
        lock.lock().map_err(Error::io("lock", &lock_path))?;
        if folder.join(RECORD).is_file() {
            return self.check(&folder);
        }
        (context.progress)(&format!(
            "installing {} {} from npm",
            self.agent, self.version
        ));
        let prefix = self.building_prefix(&folder);
        remove_leftovers(&parent, &prefix);
        let building = tempfile::Builder::new()
            .prefix(&prefix)
            .tempdir_in(&parent)
            .map_err(Error::io("create a folder in", &parent))?;
        self.run_npm(building.path(), &folder)?;
        self.record(building.path(), &folder)?;
        if folder.exists() {
            // Without a record it is the rest of something that was never finished.
            std::fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))?;
        }
        std::fs::rename(building.path(), &folder).map_err(Error::io("create", &folder))?;
        self.check(&folder)
    }

    /// How the name of an installation in the making begins.
    fn building_prefix(&self, folder: &Path) -> String {
        format!(
            ".building-{}.",
            folder.file_name().unwrap_or_default().to_string_lossy()
        )
    }

    fn failed(&self, message: impl Into<String>) -> Error {
        Error::Install {
            agent: self.agent.to_owned(),
            version: self.version.clone(),
            message: message.into(),
        }
    }

    fn run_npm(&self, building: &Path, folder: &Path) -> Result<(), Error> {
        let log = building.join("npm.log");
        let output = File::create(&log).map_err(Error::io("create", &log))?;
        let errors = output.try_clone().map_err(Error::io("open", &log))?;
        let manifest = building.join("package.json");
        std::fs::write(&manifest, "{\"private\":true}\n").map_err(Error::io("write", &manifest))?;
        let started = Command::new("npm")
            .arg("install")
            .arg("--prefix")
            .arg(building)
            .args([
                "--ignore-scripts",
                "--include=optional",
                "--package-lock=true",
            ])
            .args([
                "--save-exact",
                "--no-audit",
                "--no-fund",
                "--no-update-notifier",
            ])
            .args(["--lockfile-version=3", "--loglevel=error"])
            .arg(format!("{}@{}", self.package, self.version))
            .current_dir(building)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NpmMissing {
                    agent: self.agent.to_owned(),
                    version: self.version.clone(),
                    folder: folder.to_owned(),
                });
            }
            Err(error) => return Err(self.failed(format!("npm could not be started: {error}"))),
        };
        let deadline = Instant::now() + DEADLINE;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => break,
                Ok(Some(status)) => {
                    let words = tail(&log, 600).unwrap_or_else(|| "no output".to_owned());
                    return Err(self.failed(format!("npm ended with {status}: {words}")));
                }
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Ok(None) => {
                    drop(child.kill());
                    drop(child.wait());
                    return Err(self.failed("npm did not end within 15 minutes"));
                }
                Err(error) => return Err(self.failed(format!("npm was lost: {error}"))),
            }
        }
        std::fs::remove_file(&log).map_err(Error::io("remove", &log))
    }

    /// Reads the lock file that npm wrote, checks the pins and writes the record.
    fn record(&self, building: &Path, folder: &Path) -> Result<(), Error> {
        let path = building.join("package-lock.json");
        let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        let lock: LockFile = serde_json::from_str(&text)
            .map_err(|error| self.failed(format!("npm's lock file is not as expected: {error}")))?;
        let modules = building.join("node_modules");
        let Some(native) = self
            .native
            .iter()
            .find(|native| modules.join(native).is_dir())
        else {
            return Err(self.failed(format!(
                "the native package did not arrive (looked for {}); this platform may not be \
                 supported, or npm is configured to omit optional dependencies",
                self.native.join(", ")
            )));
        };
        let mut hashes = self.check_lock(&lock, native, folder)?;
        for executable in self.executables {
            let file = modules.join(native).join(executable);
            hashes.insert((*executable).to_owned(), hash_file(&file)?);
        }
        let record = Record {
            agent: self.agent.to_owned(),
            version: self.version.clone(),
            native: native.clone(),
            hashes,
        };
        let text = serde_json::to_string_pretty(&record)
            .map_err(|error| self.failed(error.to_string()))?;
        let path = building.join(RECORD);
        std::fs::write(&path, text + "\n").map_err(Error::io("write", &path))?;
        set_readable(building)
    }

    /// Integrity strings of the packages that were installed, checked against the pins.
    fn check_lock(
        &self,
        lock: &LockFile,
        native: &str,
        folder: &Path,
    ) -> Result<BTreeMap<String, String>, Error> {
        let mut hashes = BTreeMap::new();
        for (key, package) in &lock.packages {
            let Some(name) = key.strip_prefix("node_modules/") else {
                continue;
            };
            // The lock file lists the packages of all platforms; only two are laid down.
            let laid_down = native
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with('-'));
            if name != self.package && !laid_down {
                continue;
            }
            let version = package.version.as_deref().unwrap_or("unknown");
            let found = package.integrity.clone().ok_or_else(|| {
                self.failed(format!(
                    "the registry gave no integrity for {name} {version}"
                ))
            })?;
            let pin = self.pins.iter().find(|(pinned, _)| *pinned == name);
            if let Some((_, expected)) = pin
                && *expected != found
            {
                return Err(Error::Integrity {
                    what: format!("{name} {version}"),
                    found,
                    expected: (*expected).to_owned(),
                    folder: folder.to_owned(),
                });
            }
            hashes.insert(format!("{name}@{version}"), found);
        }
        if hashes.len() < 2 {
            return Err(self.failed("npm's lock file lacks the package or its native part"));
        }
        Ok(hashes)
    }

    /// Checks a finished installation against its record and describes it.
    fn check(&self, folder: &Path) -> Result<Installed, Error> {
        let path = folder.join(RECORD);
        let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        let record: Record = serde_json::from_str(&text).map_err(|error| Error::Config {
            path: path.clone(),
            line: error.line(),
            message: format!("{error}; delete {} and install again", folder.display()),
        })?;
        let native = folder.join("node_modules").join(&record.native);
        for executable in self.executables {
            let found = hash_file(&native.join(executable))?;
            let expected = record.hashes.get(*executable).cloned().unwrap_or_default();
            if found != expected {
                return Err(Error::Integrity {
                    what: (*executable).to_owned(),
                    found,
                    expected,
                    folder: folder.to_owned(),
                });
            }
        }
        let target = Path::new(AGENT_ROOT).join(self.agent);
        Ok(Installed {
            version: record.version,
            program: self.executables.first().map(|program| target.join(program)),
            binds: vec![InstalledBind {
                source: native,
                target,
            }],
            hashes: record.hashes,
            notes: vec![format!("npm package {}", self.package)],
        })
    }
}

/// Removes what installations that were killed have left. Called under the lock, so that nobody
/// is at work there; what cannot be removed does no harm but take space.
fn remove_leftovers(parent: &Path, prefix: &str) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// `blake3:…` of a file.
pub(crate) fn hash_file(path: &Path) -> Result<String, Error> {
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0_u8; 1 << 20];
    loop {
        match file.read(&mut buffer).map_err(Error::io("read", path))? {
            0 => return Ok(format!("blake3:{}", hasher.finalize().to_hex())),
            count => hasher.update(&buffer[..count]),
        };
    }
}

/// Lets everybody read the tree. A temporary folder is its owner's alone, and a strict umask
/// makes what npm writes so too; but inside the sandbox another user is at work.
fn set_readable(path: &Path) -> Result<(), Error> {
    let data = path
        .symlink_metadata()
        .map_err(Error::io("look at", path))?;
    if data.is_symlink() {
        return Ok(());
    }
    let mode = data.permissions().mode();
    let everybody = if data.is_dir() || mode & 0o100 != 0 {
        0o555
    } else {
        0o444
    };
    if mode & everybody != everybody {
        let permissions = std::fs::Permissions::from_mode(mode | everybody);
        std::fs::set_permissions(path, permissions)
            .map_err(Error::io("change the mode of", path))?;
    }
    if data.is_dir() {
        for entry in std::fs::read_dir(path).map_err(Error::io("list", path))? {
            set_readable(&entry.map_err(Error::io("list", path))?.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package() -> Package {
        Package {
            agent: "some",
            package: "@some/cli",
            version: "1.2.3".to_owned(),
            pins: &[
                ("@some/cli", "sha512-main"),
                ("@some/cli-linux-x64", "sha512-native"),
            ],
            native: vec!["@some/cli-linux-x64/vendor/x86".to_owned()],
            executables: &["bin/some"],
        }
    }

    fn lock(native: &str) -> LockFile {
        serde_json::from_value(serde_json::json!({"packages": {
            "": {},
            "node_modules/@some/cli": {"version": "1.2.3", "integrity": "sha512-main"},
            "node_modules/@some/cli-linux-x64": {"version": "1.2.3", "integrity": native},
            "node_modules/@some/cli-win32-x64": {"version": "1.2.3", "integrity": "sha512-win"},
        }}))
        .unwrap()
    }

    #[test]
    fn the_lock_file_must_agree_with_the_pins() {
        let package = package();
        let native = package.native[0].clone();
        let hashes = package
            .check_lock(&lock("sha512-native"), &native, Path::new("/c"))
            .unwrap();
        insta::assert_json_snapshot!(hashes, @r#"
        {
          "@some/cli-linux-x64@1.2.3": "sha512-native",
          "@some/cli@1.2.3": "sha512-main"
        }
        "#);
        let error = package.check_lock(&lock("sha512-other"), &native, Path::new("/c"));
        assert!(matches!(error, Err(Error::Integrity { found, .. }) if found == "sha512-other"));
    }

    fn installed_in(cache: &Path) -> PathBuf {
        let package = package();
        let folder = package.folder(cache);
        let bin = folder
            .join("node_modules")
            .join(&package.native[0])
            .join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("some"), "#!/bin/sh\n").unwrap();
        std::fs::write(
            folder.join("package-lock.json"),
            serde_json::json!({"packages": {
                "node_modules/@some/cli": {"version": "1.2.3", "integrity": "sha512-main"},
                "node_modules/@some/cli-linux-x64":
                    {"version": "1.2.3", "integrity": "sha512-native"},
            }})
            .to_string(),
        )
        .unwrap();
        package.record(&folder, &folder).unwrap();
        bin.join("some")
    }

    #[test]
    fn an_installation_is_reused_offline_and_checked() {
        let cache = tempfile::tempdir().unwrap();
        let executable = installed_in(cache.path());
        let context = InstallContext {
            cache_dir: cache.path(),
            offline: true,
            progress: &|_| panic!(),
        };
        let installed = package().install(&context).unwrap();
        assert_eq!(installed.version, "1.2.3");
        assert_eq!(
            installed.program.unwrap(),
            Path::new("/opt/agent/some/bin/some")
        );
        assert!(installed.hashes["bin/some"].starts_with("blake3:"));

        std::fs::write(&executable, "#!/bin/sh\necho changed\n").unwrap();
        assert!(matches!(
            package().install(&context),
            Err(Error::Integrity { .. })
        ));
    }

    #[test]
    fn everybody_may_read_what_a_strict_umask_made() {
        let cache = tempfile::tempdir().unwrap();
        let executable = installed_in(cache.path());
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let chmod = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        let (bin, folder) = (executable.parent().unwrap(), package().folder(cache.path()));
        chmod(&executable, 0o700);
        chmod(&folder.join(RECORD), 0o600);
        chmod(bin, 0o700);
        set_readable(&folder).unwrap();
        assert_eq!((mode(&executable), mode(bin)), (0o755, 0o755));
        assert_eq!(mode(&folder.join(RECORD)), 0o644);
    }

    #[test]
    fn leftovers_of_the_same_installation_are_removed() {
        let cache = tempfile::tempdir().unwrap();
        let prefix = package().building_prefix(&package().folder(cache.path()));
        let (ours, others) = (format!("{prefix}abc"), ".building-other-1.linux.abc");
        for name in [ours.as_str(), others] {
            std::fs::create_dir_all(cache.path().join(name).join("deep")).unwrap();
        }
        remove_leftovers(cache.path(), &prefix);
        assert!(!cache.path().join(ours).exists());
        assert!(cache.path().join(others).exists());
    }

    #[test]
    fn offline_without_an_installation_says_what_to_do() {
        let cache = tempfile::tempdir().unwrap();
        let context = InstallContext {
            cache_dir: cache.path(),
            offline: true,
            progress: &|_| {},
        };
        let error = package().install(&context).unwrap_err();
        assert!(
            error.to_string().contains("run once with network access"),
            "{error}"
        );
    }
}
