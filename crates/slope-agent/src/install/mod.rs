//! Installations in the cache: made once, under a lock, pinned, checked at each use.
//!
//! An installation is built in a neighbouring folder and renamed, so it is always complete. No
//! installed code ever runs on the host.

pub(crate) mod npm;
pub(crate) mod pypi;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::agent::{InstallContext, InstalledBind};
use crate::evidence::tail;
use crate::inside::AGENT_ROOT;

/// Longest time that an installation may take.
const DEADLINE: Duration = Duration::from_secs(900);

/// Largest part of an installer's output that is read, in bytes: packages of a registry may make it
/// longer.
const MAX_LOG: u64 = 1 << 20;

/// Record of an installation, in its folder.
const RECORD: &str = "installation.json";

/// Folder of an installation that sandboxes see.
const FILES: &str = "files";

/// Results of an installer: hashes by their packages, as its registry writes them.
pub(crate) type Hashes = BTreeMap<String, String>;

/// The parts of an agent, or of the program that runs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// Packages of the npm registry.
    Npm(&'static npm::Npm),
    /// Packages of the Python Package Index.
    Pypi(&'static pypi::Pypi),
}

/// A part that is ready.
#[derive(Debug)]
pub(crate) struct Laid {
    /// Visible bind inside.
    pub(crate) bind: InstalledBind,
    /// Hashes of packages and files.
    pub(crate) hashes: Hashes,
}

impl Part {
    /// Name, which is that of its folder inside too.
    fn name(&self) -> &'static str {
        match self {
            Self::Npm(part) => part.name,
            Self::Pypi(part) => part.name,
        }
    }

    /// The version that is pinned.
    pub(crate) fn version(&self) -> &'static str {
        match self {
            Self::Npm(part) => part.version,
            Self::Pypi(part) => part.version,
        }
    }

    /// The npm package that it comes from.
    pub(crate) fn npm_package(&self) -> Option<String> {
        match self {
            Self::Npm(part) => part.package(),
            Self::Pypi(_) => None,
        }
    }

    /// Finds or builds the installation of a version.
    pub(crate) fn lay(&self, version: &str, context: &InstallContext<'_>) -> Result<Laid, Error> {
        let place = Place {
            name: self.name(),
            version,
            platform: match self {
                Self::Npm(_) => npm::platform(),
                Self::Pypi(part) => part.platform(version, context)?,
            },
        };
        let (folder, hashes) = place.ensure(context, |building| match self {
            Self::Npm(part) => part.build(&place, building),
            Self::Pypi(part) => part.build(&place, building, context),
        })?;
        let source = match self {
            Self::Npm(part) => part.shown(&folder.join(FILES)),
            Self::Pypi(_) => Some(folder.join(FILES)),
        };
        let source = source.ok_or_else(|| place.failed("it lacks its program"))?;
        Ok(Laid {
            bind: InstalledBind {
                source,
                target: Path::new(AGENT_ROOT).join(self.name()),
            },
            hashes,
        })
    }
}

/// Name, version and platform of an installation, which determine its folder.
pub(crate) struct Place<'a> {
    name: &'static str,
    version: &'a str,
    platform: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    name: String,
    version: String,
    hashes: Hashes,
}

impl Place<'_> {
    fn folder(&self, cache_dir: &Path) -> PathBuf {
        self.within(&cache_dir.join("agents"))
    }

    fn within(&self, agents: &Path) -> PathBuf {
        agents.join(format!("{}-{}-{}", self.name, self.version, self.platform))
    }

    /// Finds or builds the installation. Returns its folder and hashes.
    fn ensure(
        &self,
        context: &InstallContext<'_>,
        build: impl FnOnce(&Path) -> Result<Hashes, Error>,
    ) -> Result<(PathBuf, Hashes), Error> {
        let folder = self.folder(context.cache_dir);
        if folder.join(RECORD).is_file() {
            return self.check(folder);
        }
        if context.offline {
            return Err(Error::Offline {
                agent: self.name.to_owned(),
                version: self.version.to_owned(),
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
            return self.check(folder);
        }
        (context.progress)(&format!("installing {} {}", self.name, self.version));
        let prefix = building_prefix(&folder);
        remove_leftovers(&parent, &prefix);
        let building = tempfile::Builder::new()
            .prefix(&prefix)
            .tempdir_in(&parent)
            .map_err(Error::io("create a folder in", &parent))?;
        let files = building.path().join(FILES);
        std::fs::create_dir(&files).map_err(Error::io("create", &files))?;
        let mut hashes = build(building.path())?;
        set_readable(building.path())?;
        hashes.insert(self.files_key(), hash_tree(&files)?);
        self.write_record(building.path(), hashes)?;
        if folder.exists() {
            // Without a record it is an incomplete leftover.
            std::fs::remove_dir_all(&folder).map_err(Error::io("remove", &folder))?;
        }
        std::fs::rename(building.path(), &folder).map_err(Error::io("create", &folder))?;
        self.check(folder)
    }

    /// Name of the hash over all files.
    fn files_key(&self) -> String {
        format!("{} files", self.name)
    }

    pub(crate) fn failed(&self, message: impl Into<String>) -> Error {
        Error::Install {
            agent: self.name.to_owned(),
            version: self.version.to_owned(),
            message: message.into(),
        }
    }

    fn write_record(&self, building: &Path, hashes: Hashes) -> Result<(), Error> {
        let record = Record {
            name: self.name.to_owned(),
            version: self.version.to_owned(),
            hashes,
        };
        let text = serde_json::to_string_pretty(&record)
            .map_err(|error| self.failed(error.to_string()))?;
        let path = building.join(RECORD);
        std::fs::write(&path, text + "\n").map_err(Error::io("write", &path))?;
        set_readable(&path)
    }

    /// Checks a finished installation against its record.
    fn check(&self, folder: PathBuf) -> Result<(PathBuf, Hashes), Error> {
        let path = folder.join(RECORD);
        let text = std::fs::read_to_string(&path).map_err(Error::io("read", &path))?;
        let record: Record = serde_json::from_str(&text).map_err(|error| Error::Config {
            path: path.clone(),
            line: error.line(),
            message: format!(
                "{error}\nhelp: delete {} and install again",
                folder.display()
            ),
        })?;
        let key = self.files_key();
        let expected = record.hashes.get(&key).cloned().unwrap_or_default();
        let found = hash_tree(&folder.join(FILES))?;
        if found != expected {
            return Err(Error::Integrity {
                what: key,
                found,
                expected,
                folder,
            });
        }
        Ok((folder, record.hashes))
    }

    /// Runs an installer to its end. Returns its output; a failure contains the last lines.
    pub(crate) fn run(&self, command: &mut Command, log: &Path) -> Result<String, Failure> {
        let failed = |message: String| Failure::Other(self.failed(message));
        let io = |action, error| Failure::Other(Error::io(action, log)(error));
        let output = File::create(log).map_err(|error| io("create", error))?;
        let errors = output.try_clone().map_err(|error| io("open", error))?;
        let program = command.get_program().to_string_lossy().into_owned();
        let started = command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Failure::Missing);
            }
            Err(error) => return Err(failed(format!("cannot start {program}: {error}"))),
        };
        let deadline = Instant::now() + DEADLINE;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => break,
                Ok(Some(status)) => {
                    let words = tail(log, 600).unwrap_or_else(|| "no output".to_owned());
                    return Err(failed(format!("{program} ended with {status}: {words}")));
                }
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Ok(None) => {
                    drop(child.kill());
                    drop(child.wait());
                    return Err(failed(format!("{program} did not end within 15 minutes")));
                }
                Err(error) => return Err(failed(format!("{program} was lost: {error}"))),
            }
        }
        let mut said = Vec::new();
        File::open(log)
            .and_then(|file| file.take(MAX_LOG).read_to_end(&mut said))
            .map_err(|error| io("read", error))?;
        std::fs::remove_file(log).map_err(|error| io("remove", error))?;
        Ok(String::from_utf8_lossy(&said).into_owned())
    }
}

/// Reason that an installer failed.
pub(crate) enum Failure {
    /// The installer is not available.
    Missing,
    /// Another error.
    Other(Error),
}

/// Prefix of the folder name of an unfinished installation.
fn building_prefix(folder: &Path) -> String {
    format!(
        ".building-{}.",
        folder.file_name().unwrap_or_default().to_string_lossy()
    )
}

/// Removes leftovers of killed installations. Called under the lock, so no installation is running
/// there; a leftover that cannot be removed only takes space.
fn remove_leftovers(parent: &Path, prefix: &str) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// `blake3:…` of a file.
pub(crate) fn hash_file(path: &Path) -> Result<String, Error> {
    let mut hasher = blake3::Hasher::new();
    hash_into(&mut hasher, path)?;
    Ok(format!("blake3:{}", hasher.finalize().to_hex()))
}

fn hash_into(hasher: &mut blake3::Hasher, path: &Path) -> Result<(), Error> {
    let mut file = File::open(path).map_err(Error::io("open", path))?;
    let mut buffer = vec![0_u8; 1 << 20];
    loop {
        match file.read(&mut buffer).map_err(Error::io("read", path))? {
            0 => return Ok(()),
            count => hasher.update(&buffer[..count]),
        };
    }
}

/// `blake3:…` of everything below a folder: names, kinds, rights to execute, contents, links.
fn hash_tree(top: &Path) -> Result<String, Error> {
    let mut hasher = blake3::Hasher::new();
    hash_folder(&mut hasher, top)?;
    Ok(format!("blake3:{}", hasher.finalize().to_hex()))
}

fn hash_folder(hasher: &mut blake3::Hasher, folder: &Path) -> Result<(), Error> {
    for path in entries(folder)? {
        let data = path
            .symlink_metadata()
            .map_err(Error::io("look at", &path))?;
        let mut note = |kind: &[u8], bytes: &[u8], length: u64| {
            let name = path.file_name().unwrap_or_default().as_bytes();
            // Lengths first, so that different trees never give the same bytes.
            hasher.update(kind);
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name);
            hasher.update(&length.to_le_bytes());
            hasher.update(bytes);
        };
        if data.is_symlink() {
            let target = path.read_link().map_err(Error::io("read", &path))?;
            let target = target.as_os_str().as_bytes();
            note(b"l", target, target.len() as u64);
        } else if data.is_dir() {
            note(b"d", &[], 0);
            hash_folder(hasher, &path)?;
            hasher.update(b"e");
        } else {
            let executable = data.permissions().mode() & 0o100 != 0;
            note(if executable { b"x" } else { b"f" }, &[], data.len());
            hash_into(hasher, &path)?;
        }
    }
    Ok(())
}

/// Entries of a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let listed = std::fs::read_dir(folder).map_err(Error::io("list", folder))?;
    let paths: std::io::Result<Vec<PathBuf>> =
        listed.map(|entry| entry.map(|e| e.path())).collect();
    let mut paths = paths.map_err(Error::io("list", folder))?;
    paths.sort();
    Ok(paths)
}

/// Makes the tree readable for all users. A temporary folder is private to its owner, and so are an
/// installer's files under a strict umask, but the sandbox uses another user.
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
        for entry in entries(path)? {
            set_readable(&entry)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Place<'static> {
        Place {
            name: "some",
            version: "1.2.3",
            platform: "linux-test".to_owned(),
        }
    }

    /// Builds the installation if it does not exist.
    fn ensured(
        cache: &Path,
        offline: bool,
        build: impl FnOnce(&Path) -> Result<Hashes, Error>,
    ) -> Result<(PathBuf, Hashes), Error> {
        let (python, progress) = (Path::new("python3"), &|_: &str| {});
        let context = InstallContext {
            python,
            offline,
            progress,
            cache_dir: cache,
        };
        place().ensure(&context, build)
    }

    fn build(building: &Path) -> Result<Hashes, Error> {
        let program = building.join(FILES).join("some");
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).unwrap();
        Ok(Hashes::from([(
            "some@1.2.3".to_owned(),
            "sha512-x".to_owned(),
        )]))
    }

    #[test]
    fn installation_happens_once_and_is_verified() {
        let cache = tempfile::tempdir().unwrap();
        let made = ensured(cache.path(), false, build).unwrap();
        let program = made.0.join(FILES).join("some");
        let mode = program.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o755, "everybody may read what a strict umask made");
        assert_eq!(made.1["some@1.2.3"], "sha512-x");
        assert!(made.1["some files"].starts_with("blake3:"));
        let found = ensured(cache.path(), true, |_| panic!("built again"));
        assert_eq!(found.unwrap(), made);

        for spoil in [
            (|program: &Path| std::fs::write(program, "#!/bin/sh\necho changed\n").unwrap())
                as fn(&Path),
            |program| std::fs::write(program.with_file_name("more"), "").unwrap(),
            |program| {
                let mode = std::fs::Permissions::from_mode(0o644);
                std::fs::set_permissions(program, mode).unwrap();
            },
        ] {
            let cache = tempfile::tempdir().unwrap();
            let made = ensured(cache.path(), false, build).unwrap();
            spoil(&made.0.join(FILES).join("some"));
            let checked = ensured(cache.path(), true, build);
            assert!(matches!(checked, Err(Error::Integrity { .. })));
        }
    }

    #[test]
    fn partial_installation_is_redone() {
        let cache = tempfile::tempdir().unwrap();
        let folder = place().folder(cache.path());
        std::fs::create_dir_all(folder.join("rest")).unwrap();
        let offline = ensured(cache.path(), true, build);
        let words = offline.unwrap_err().to_string();
        assert!(words.contains("run once with network access"), "{words}");
        ensured(cache.path(), false, build).unwrap();
        assert!(!folder.join("rest").exists());
    }

    #[test]
    fn leftovers_of_same_installation_are_removed() {
        let cache = tempfile::tempdir().unwrap();
        let prefix = building_prefix(&place().folder(cache.path()));
        let (ours, others) = (format!("{prefix}abc"), ".building-other-1.linux.abc");
        for name in [ours.as_str(), others] {
            std::fs::create_dir_all(cache.path().join(name).join("deep")).unwrap();
        }
        remove_leftovers(cache.path(), &prefix);
        assert!(!cache.path().join(ours).exists());
        assert!(cache.path().join(others).exists());
    }

    #[test]
    fn failing_installer_output_is_quoted() {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("log");
        let run = |command: &mut Command| place().run(command, &log);
        let Err(Failure::Other(error)) = run(Command::new("sh").args(["-c", "echo sorry; exit 3"]))
        else {
            panic!("it succeeded");
        };
        let words = error.to_string();
        assert_eq!(
            words,
            "cannot install some 1.2.3: sh ended with exit status: 3: sorry"
        );
        let missing = run(&mut Command::new("no-such-installer"));
        assert!(matches!(missing, Err(Failure::Missing)));
    }
}
