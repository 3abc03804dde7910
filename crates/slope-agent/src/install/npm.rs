//! Packages of the npm registry, according to a lock file that slope ships.
//!
//! No install script runs. The optional packages in the lock's root are one for each platform, and
//! only the fitting one is installed; optional dependencies of packages are omitted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use super::{FILES, Failure, Hashes, Place};
use crate::Error;
use crate::evidence::one_line;

/// Packages and where their needed files are.
#[derive(Debug)]
pub(crate) struct Npm {
    /// Name of the installation, and of its folder inside.
    pub(crate) name: &'static str,
    /// Version that the lock file pins.
    pub(crate) version: &'static str,
    /// npm's lock file, written by `npm install --package-lock-only`.
    pub(crate) lock: &'static str,
    /// Candidates for the folder that sandboxes see; the first existing one is used. `{arch}` is
    /// the processor in npm's spelling, `{machine}` in the system's.
    pub(crate) folders: &'static [&'static str],
    /// Files that must be in it.
    pub(crate) files: &'static [&'static str],
}

/// Node.js, which the host need not have.
pub(crate) static NODE: Npm = Npm {
    name: "node",
    version: "24.21.0",
    lock: include_str!("../locks/node.json"),
    folders: &["node_modules/node-linux-{arch}/bin"],
    files: &["node"],
};

#[derive(Deserialize)]
struct LockFile {
    packages: BTreeMap<String, LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    version: Option<String>,
    integrity: Option<String>,
}

/// System and processor.
pub(super) fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Processor name as the npm registry writes it.
fn arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}

impl Npm {
    /// The package: the first dependency of the lock file, or what it is another name for.
    pub(crate) fn package(&self) -> Option<String> {
        let lock: Value = serde_json::from_str(self.lock).ok()?;
        let root = &lock["packages"][""];
        let lists = ["dependencies", "optionalDependencies"];
        let mut lists = lists.iter().filter_map(|list| root[*list].as_object());
        let (name, version) = lists.find_map(|list| list.iter().next())?;
        // `npm:@scope/name@version`
        let other = version.as_str()?.strip_prefix("npm:");
        let other = other.and_then(|other| Some(other.rsplit_once('@')?.0));
        Some(other.unwrap_or(name).to_owned())
    }

    /// The folder that sandboxes see, if it is complete.
    pub(super) fn shown(&self, files: &Path) -> Option<PathBuf> {
        let folders = self.folders.iter().map(|folder| {
            let folder = folder.replace("{arch}", arch());
            files.join(folder.replace("{machine}", std::env::consts::ARCH))
        });
        folders
            .into_iter()
            .find(|folder| self.files.iter().all(|file| folder.join(file).is_file()))
    }

    /// Makes npm install the locked packages, or another version of the same packages.
    pub(super) fn build(&self, place: &Place<'_>, building: &Path) -> Result<Hashes, Error> {
        let files = building.join(FILES);
        let manifest = self
            .manifest(place.version)
            .map_err(|why| place.failed(format!("the lock file is malformed: {why}")))?;
        let pinned = place.version == self.version;
        write(&files.join("package.json"), &manifest.to_string())?;
        if pinned {
            write(&files.join("package-lock.json"), self.lock)?;
        }
        let optional = if manifest.get("optionalDependencies").is_some() {
            "--include=optional"
        } else {
            "--omit=optional"
        };
        let mut npm = Command::new("npm");
        // Not `npm ci`, which refuses lock files without the packages of every platform there is.
        npm.args(["install", "--prefix"])
            .arg(&files)
            .args([
                "--ignore-scripts",
                optional,
                "--package-lock=true",
                "--engine-strict=false",
            ])
            .args(["--no-audit", "--no-fund", "--no-update-notifier"])
            .args(["--lockfile-version=3", "--loglevel=http"])
            .current_dir(&files);
        let said = place
            .run(&mut npm, &building.join("installer.log"))
            .map_err(|failure| match failure {
                Failure::Missing => Error::NpmMissing {
                    agent: place.name.to_owned(),
                    version: place.version.to_owned(),
                    folder: place.within(building.parent().unwrap_or(building)),
                },
                Failure::Other(error) => error,
            })?;
        if self.shown(&files).is_none() {
            return Err(place.failed(format!(
                "{} did not arrive: {}",
                self.files.join(", "),
                why_missing(&said)
            )));
        }
        let arrived = installed(place, &files.join("node_modules/.package-lock.json"))?;
        if pinned {
            self.check(place, &arrived, building)?;
        }
        Ok(arrived)
    }

    /// Compares the installed packages with the lock file.
    fn check(&self, place: &Place<'_>, arrived: &Hashes, building: &Path) -> Result<(), Error> {
        let lock: LockFile = serde_json::from_str(self.lock)
            .map_err(|error| place.failed(format!("the lock file is malformed: {error}")))?;
        let pinned = hashes(place, lock)?;
        for (package, found) in arrived {
            let expected = pinned.get(package).cloned();
            if expected.as_ref() != Some(found) {
                return Err(Error::Integrity {
                    what: package.clone(),
                    found: found.clone(),
                    expected: expected
                        .unwrap_or_else(|| "none, as nothing asked for it".to_owned()),
                    folder: place.within(building.parent().unwrap_or(building)),
                });
            }
        }
        Ok(())
    }

    /// The manifest for npm: the lock's root, with another version if requested.
    fn manifest(&self, version: &str) -> serde_json::Result<Value> {
        let lock: Value = serde_json::from_str(self.lock)?;
        let mut manifest = lock["packages"][""].clone();
        for kind in ["dependencies", "optionalDependencies"] {
            let asked = manifest.get_mut(kind).and_then(Value::as_object_mut);
            for asked in asked.into_iter().flat_map(|asked| asked.values_mut()) {
                let exact = asked.as_str().unwrap_or_default();
                *asked = Value::from(exact.replace(self.version, version));
            }
        }
        Ok(manifest)
    }
}

/// Reason that an optional package is missing. npm succeeds without it in any case, and reports the
/// cause only among its warnings and requests.
fn why_missing(said: &str) -> String {
    let troubles: BTreeSet<&str> = said.lines().filter(|line| is_trouble(line)).collect();
    if troubles.is_empty() {
        let platform = platform();
        return format!("the version may not exist, or not for {platform}");
    }
    let troubles: Vec<&str> = troubles.into_iter().collect();
    format!("npm said: {}", one_line(&troubles.join("; "), 600))
}

/// Whether a line of npm's is of a package that could not be unpacked or a request that failed.
fn is_trouble(line: &str) -> bool {
    line.starts_with("npm warn tar ")
        || line.starts_with("npm error ")
        || (line.starts_with("npm http fetch ") && line.contains(" failed with "))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(Error::io("write", path))
}

/// Integrity strings of the installed packages, from npm's own list of them.
fn installed(place: &Place<'_>, list: &Path) -> Result<Hashes, Error> {
    let text = std::fs::read_to_string(list).map_err(Error::io("read", list))?;
    let lock: LockFile = serde_json::from_str(&text)
        .map_err(|error| place.failed(format!("npm's list is not as expected: {error}")))?;
    hashes(place, lock)
}

/// Integrity strings of the packages of a lock.
fn hashes(place: &Place<'_>, lock: LockFile) -> Result<Hashes, Error> {
    let mut hashes = Hashes::new();
    for (key, package) in lock.packages {
        if key.is_empty() {
            continue;
        }
        let name = key.rsplit("node_modules/").next().unwrap_or(&key);
        let version = package.version.unwrap_or_default();
        let integrity = package.integrity.ok_or_else(|| {
            place.failed(format!(
                "the registry gave no integrity for {name} {version}"
            ))
        })?;
        hashes.insert(format!("{name}@{version}"), integrity);
    }
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_override_changes_package_manifest() {
        let some = Npm {
            name: "some",
            version: "1.2.3",
            lock: r#"{"packages": {"": {"optionalDependencies":
                {"a": "1.2.3", "b": "npm:@x/b@1.2.3-linux-x64"}}, "node_modules/a": {}}}"#,
            folders: &[],
            files: &[],
        };
        let manifest = some.manifest("2.0.0").unwrap();
        insta::assert_json_snapshot!(manifest, @r#"
        {
          "optionalDependencies": {
            "a": "2.0.0",
            "b": "npm:@x/b@2.0.0-linux-x64"
          }
        }
        "#);
    }

    #[test]
    fn npm_failure_behind_success_is_quoted() {
        let full = "npm warn Unknown user config\n\
            npm http fetch GET 200 https://registry.npmjs.org/some 92ms (cache miss)\n\
            npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\n\
            npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\n\nup to date in 2s\n";
        assert_eq!(
            why_missing(full),
            "npm said: npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write"
        );
        let unreached = "npm http fetch GET https://registry.npmjs.org/some attempt 1 failed with \
            ECONNREFUSED\n";
        assert!(why_missing(unreached).ends_with("attempt 1 failed with ECONNREFUSED"));
        let nothing = why_missing("npm warn Unknown user config\nup to date in 1s\n");
        assert!(nothing.starts_with("the version may not exist"));
    }

    #[test]
    fn wrong_package_or_hash_is_refused() {
        let some = Npm {
            name: "some",
            version: "1.2.3",
            lock: r#"{"packages": {"": {}, "node_modules/@a/b/node_modules/c":
                {"version": "1.0.0", "integrity": "sha512-c"}}}"#,
            folders: &[],
            files: &[],
        };
        let place = Place {
            name: "some",
            version: "1.2.3",
            platform: platform(),
        };
        let check = |package: &str, hash: &str| {
            let arrived = Hashes::from([(package.to_owned(), hash.to_owned())]);
            some.check(&place, &arrived, Path::new("/c/agents/.building"))
        };
        assert!(check("c@1.0.0", "sha512-c").is_ok());
        for (package, hash) in [("c@1.0.0", "sha512-other"), ("d@1.0.0", "sha512-c")] {
            let refused = check(package, hash);
            assert!(matches!(refused, Err(Error::Integrity { found, .. }) if found == hash));
        }
    }

    #[test]
    fn first_folder_with_files_is_chosen() {
        let dir = tempfile::tempdir().unwrap();
        let some = Npm {
            name: "some",
            version: "1.2.3",
            lock: "{}",
            folders: &["none", "a-{arch}"],
            files: &["program"],
        };
        assert_eq!(some.shown(dir.path()), None);
        let folder = dir.path().join(format!("a-{}", arch()));
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(some.shown(dir.path()), None);
        std::fs::write(folder.join("program"), "").unwrap();
        assert_eq!(some.shown(dir.path()), Some(folder));
    }
}
