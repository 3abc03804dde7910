//! Language tracks: what a workspace needs before its program can run.
//!
//! A track is configuration (`tracks/python.toml`); the only one is Python's.

mod environment;
mod interpreter;
mod requirements;

pub use environment::{Archive, Environments};
pub use interpreter::Interpreter;

use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::integrity::Sighting;

use crate::archive::SnapshotIndex;
use crate::error::Error;

/// Where the program's own environment lies inside a sandbox.
pub const PROGRAM: &str = "/opt/program";
/// Where the workspace lies inside a sandbox.
pub const WORKSPACE: &str = "/workspace";

/// A track's configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Name.
    pub name: String,
    /// Command that starts the program, with placeholders.
    pub entry: Vec<String>,
    /// Command that starts the interpreter and does nothing, for seeing how fast the machine is.
    pub calibration: Vec<String>,
    /// Folders of `PATH` in front of the system's, with placeholders.
    pub path: Vec<String>,
    /// File at the workspace's root that names what the program needs.
    pub requirements: String,
    /// What is reported when a workspace holds it.
    pub notable: Notable,
}

/// Names that are reported when a workspace has them at its root.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notable {
    /// Files or folders, by name.
    pub files: Vec<String>,
    /// Files, by suffix.
    pub suffixes: Vec<String>,
    /// Modules or packages, by name.
    pub modules: Vec<String>,
}

/// What a program runs in.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramEnvironment {
    /// Content of [`PROGRAM`].
    pub archive: Archive,
    /// Why the workspace's requirements are not in it, where they are not.
    pub failure: Option<String>,
}

impl Track {
    /// The Python track.
    ///
    /// # Errors
    /// If the built-in configuration is malformed, which a test excludes.
    pub fn python() -> Result<Self, Error> {
        toml::from_str(include_str!("../../tracks/python.toml"))
            .map_err(|e| Error::suite(Path::new("tracks/python.toml"), e.to_string()))
    }

    /// The command that starts `entry_file`, each part an absolute path inside.
    #[must_use]
    pub fn entry_command(&self, entry_file: &str) -> Vec<String> {
        self.entry
            .iter()
            .map(|part| fill(part, entry_file))
            .collect()
    }

    /// The command that starts the interpreter and does nothing.
    #[must_use]
    pub fn calibration_command(&self) -> Vec<String> {
        self.calibration.iter().map(|part| fill(part, "")).collect()
    }

    /// The value of `PATH` for programs.
    #[must_use]
    pub fn path_variable(&self) -> String {
        let own = self.path.iter().map(|part| fill(part, ""));
        own.chain(["/usr/local/bin", "/usr/bin", "/bin"].map(String::from))
            .collect::<Vec<_>>()
            .join(":")
    }

    /// The environment that the snapshot's program runs in.
    ///
    /// A requirements file that cannot be honoured is not an error: the plain
    /// environment is given, with the reason, and the program fares as it fares.
    pub(crate) fn program(
        &self,
        environments: &Environments<'_>,
        snapshot: &SnapshotIndex,
    ) -> Result<ProgramEnvironment, Error> {
        let plain = || environments.ensure(Path::new(PROGRAM), &[], None);
        let text = snapshot.requirements.as_deref().unwrap_or("");
        let wanted = match requirements::parse(text) {
            Ok(wanted) => wanted,
            Err(why) => {
                let failure = Some(format!("{}: {why}", self.requirements));
                return Ok(ProgramEnvironment {
                    archive: plain()?,
                    failure,
                });
            }
        };
        match environments.ensure(Path::new(PROGRAM), &wanted, None) {
            Ok(archive) => Ok(ProgramEnvironment {
                archive,
                failure: None,
            }),
            Err(Error::Install { packages, why }) if !environment::is_network_trouble(&why) => {
                let failure = Some(format!(
                    "{}: cannot install {packages}: {why}",
                    self.requirements
                ));
                Ok(ProgramEnvironment {
                    archive: plain()?,
                    failure,
                })
            }
            Err(other) => Err(other),
        }
    }

    /// What a snapshot holds that only matters to somebody who hopes the grader runs there.
    pub(crate) fn notes(&self, snapshot: &SnapshotIndex) -> Vec<Sighting> {
        let roots: std::collections::BTreeSet<PathBuf> = snapshot
            .paths
            .iter()
            .chain(snapshot.symlinks.iter().map(|(p, _)| p))
            .filter_map(|p| root_of(p))
            .collect();
        let name = |root: &PathBuf| root.to_string_lossy().into_owned();
        let mut notes = Vec::new();
        for root in roots.iter().map(name) {
            let module = root.strip_suffix(".py").unwrap_or(&root);
            if self.notable.files.contains(&root) {
                let text =
                    format!("the workspace has `{root}` at its root; graders do not read it");
                notes.push(Sighting::noted("test-configuration", text));
            } else if self.notable.suffixes.iter().any(|s| root.ends_with(s)) {
                let text = format!("the workspace has `{root}`; graders do not read it");
                notes.push(Sighting::noted("test-configuration", text));
            } else if self.notable.modules.iter().any(|m| m == module) {
                let text = format!(
                    "`{root}` in the workspace shadows a module of the grader's language; graders do not import it"
                );
                notes.push(Sighting::noted("shadowing-module", text));
            }
        }
        notes
    }
}

fn root_of(path: &Path) -> Option<PathBuf> {
    path.components()
        .next()
        .map(|first| PathBuf::from(first.as_os_str()))
}

fn fill(part: &str, entry_file: &str) -> String {
    part.replace("{program}", PROGRAM)
        .replace("{workspace}", WORKSPACE)
        .replace("{entry_file}", entry_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_python_track_starts_absolute_paths() {
        let track = Track::python().unwrap();
        assert_eq!(
            track.entry_command("tool.py"),
            ["/opt/program/bin/python", "/workspace/tool.py"]
        );
        assert_eq!(
            track.path_variable(),
            "/opt/program/bin:/usr/local/bin:/usr/bin:/bin"
        );
    }

    #[test]
    fn notes_name_what_lies_at_the_root_only() {
        let track = Track::python().unwrap();
        let mut index = SnapshotIndex::default();
        for path in [
            "tool.py",
            "json.py",
            "pkg/json.py",
            "conftest.py",
            "tests/conftest.py",
            "x.pth",
            "re/__init__.py",
        ] {
            index.paths.insert(PathBuf::from(path));
        }
        let notes = track.notes(&index);
        assert_eq!(notes.len(), 4, "{notes:?}");
        assert!(
            notes
                .iter()
                .all(|n| !["pkg", "tests/", "tool"].iter().any(|t| n.text.contains(t)))
        );
    }
}
