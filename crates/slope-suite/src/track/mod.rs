//! Language tracks: how a workspace's program is prepared and run.
//!
//! A track is configuration (`tracks/python.toml` and its neighbours). Python programs run from the
//! workspace, in an environment with their requirements; those of other languages are built first.

mod build;
mod dependencies;
mod environment;
mod interpreter;
mod name;
mod requirements;
mod toolchain;
mod typescript;

pub use build::{BuildPlan, Tools};
pub use dependencies::Manager;
pub use environment::{Archive, Environments};
pub use interpreter::Interpreter;
pub use name::TrackName;
pub use toolchain::{Toolchain, ToolchainPlan};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::integrity::Sighting;
use slope_sandbox::spec::Bind;

use crate::archive::SnapshotIndex;
use crate::error::Error;
use crate::inside;
use build::Build;

/// The program's own environment inside a sandbox.
pub const PROGRAM: &str = "/opt/program";
/// The workspace inside a sandbox.
pub const WORKSPACE: &str = "/workspace";
/// Tools inside that slope brings.
pub const TOOLS: &str = "/opt/tools";
/// Packages inside that a built program needs.
pub const DEPENDENCIES: &str = "/opt/dependencies";
/// The system's own folders of `PATH`.
const SYSTEM_PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// A track's configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// Name.
    pub name: TrackName,
    /// Name of the language in prose.
    pub language: String,
    /// Name of the program's file in specs, with `{name}`.
    pub entry_file: String,
    /// The specs' command that starts the program, with `{entry_file}`.
    pub agent_command: String,
    /// Command that starts the program, with placeholders.
    pub entry: Vec<String>,
    /// Command that starts an interpreter and does nothing, to measure the machine's speed.
    pub calibration: Vec<String>,
    /// Folders of `PATH` in front of the system's, with placeholders.
    #[serde(default)]
    pub path: Vec<String>,
    /// File at the workspace's root that lists the program's requirements; empty if none are
    /// allowed.
    #[serde(default)]
    pub requirements: String,
    /// Addition to specs for this language; empty if specs are written for it.
    #[serde(default)]
    pub note: String,
    /// Reported contents of a workspace.
    #[serde(default)]
    pub notable: Notable,
    /// Search for the toolchain, if programs are built.
    #[serde(default)]
    pub toolchain: Option<ToolchainPlan>,
    /// Build of programs.
    #[serde(default)]
    pub build: Option<BuildPlan>,
    /// The toolchain found on this machine.
    #[serde(skip)]
    found: Option<Toolchain>,
    /// Python of the graders.
    #[serde(skip)]
    python: PathBuf,
}

/// Names that are reported if they are at the root of a workspace.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notable {
    /// Files or folders, by name.
    pub files: Vec<String>,
    /// Files, by suffix.
    pub suffixes: Vec<String>,
    /// Modules or packages, by name.
    pub modules: Vec<String>,
}

/// Environment of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramEnvironment {
    /// Content of [`PROGRAM`]; without a file where the program could not be built.
    pub archive: Archive,
    /// Content of [`DEPENDENCIES`], where the program needs it.
    pub dependencies: Option<Archive>,
    /// Reason that the workspace's requirements are missing, if they are.
    pub failure: Option<String>,
    /// Reason that the program could not be built, if the build failed.
    pub unbuilt: Option<String>,
}

impl Track {
    /// The configuration of a track, without looking for its toolchain.
    ///
    /// # Errors
    /// If the built-in configuration is malformed, which a test excludes.
    pub fn named(name: TrackName) -> Result<Self, Error> {
        toml::from_str(name.configuration()).map_err(|e| {
            Error::suite(
                Path::new("tracks").join(name.name()).as_path(),
                e.to_string(),
            )
        })
    }

    /// A track with this machine's toolchain for it.
    ///
    /// # Errors
    /// If there is no such toolchain, or it cannot be made visible in sandboxes.
    pub fn ready(name: TrackName, interpreter: &Interpreter) -> Result<Self, Error> {
        let mut track = Self::named(name)?;
        let plan = track.toolchain.as_ref();
        track.found = plan.map(|plan| plan.discover(name)).transpose()?;
        track.python.clone_from(&interpreter.executable);
        Ok(track)
    }

    /// The toolchain found on this machine, if the track has one.
    #[must_use]
    pub fn toolchain(&self) -> Option<&Toolchain> {
        self.found.as_ref()
    }

    /// Addition to every spec, if specs are written for another language.
    #[must_use]
    pub fn spec_note(&self) -> Option<String> {
        let language = &self.language;
        let note = self.note.trim();
        (!note.is_empty()).then(|| {
            format!(
                "## Language\n\nHere the program is written in {language}: where the text above names another \
                 language, its versions, its modules or its standard library, read {language} and its own. {note}\n"
            )
        })
    }

    /// The command that starts `entry_file`, each part an absolute path inside.
    #[must_use]
    pub fn entry_command(&self, entry_file: &str) -> Vec<String> {
        self.filled(&self.entry, entry_file)
    }

    /// The command that starts the interpreter and does nothing.
    #[must_use]
    pub fn calibration_command(&self) -> Vec<String> {
        self.filled(&self.calibration, "")
    }

    /// The value of `PATH` for programs.
    #[must_use]
    pub fn path_variable(&self) -> String {
        self.path_of(&self.path)
    }

    /// Binds of sandboxes for a program to run.
    #[must_use]
    pub fn program_binds(&self) -> Vec<Bind> {
        let found = self.found.as_ref().filter(|_| self.runs_programs());
        found.map(|t| t.binds.clone()).unwrap_or_default()
    }

    /// The environment of builds.
    pub(crate) fn toolchain_env(&self) -> BTreeMap<String, String> {
        let mut env = inside::environment(self.path_of(&self.toolchain_path()));
        env.extend(self.toolchain.iter().flat_map(|t| t.env.clone()));
        env
    }

    /// Folders of `PATH` that the toolchain adds to the system's.
    #[must_use]
    pub fn toolchain_path(&self) -> Vec<String> {
        let folders = self.toolchain.iter().flat_map(|t| &t.path);
        let folders = folders.map(|part| self.fill(part, ""));
        folders
            .filter(|folder| !SYSTEM_PATH.contains(&folder.as_str()))
            .collect()
    }

    /// Variables that the toolchain wants.
    #[must_use]
    pub fn toolchain_variables(&self) -> BTreeMap<String, String> {
        self.toolchain.iter().flat_map(|t| t.env.clone()).collect()
    }

    /// The tools that slope brings for the track, at [`TOOLS`]; `None` for most.
    ///
    /// # Errors
    /// If they are not in the cache and cannot be fetched.
    pub fn tools(&self, cache_dir: &Path, offline: bool) -> Result<Option<Archive>, Error> {
        let tools = self.build.as_ref().and_then(|b| b.tools);
        tools.map(|t| t.ensure(cache_dir, offline)).transpose()
    }

    fn path_of(&self, folders: &[String]) -> String {
        let own = folders.iter().map(|part| self.fill(part, ""));
        own.chain(SYSTEM_PATH.map(String::from))
            .collect::<Vec<_>>()
            .join(":")
    }

    fn filled(&self, parts: &[String], entry_file: &str) -> Vec<String> {
        parts
            .iter()
            .map(|part| self.fill(part, entry_file))
            .collect()
    }

    fn fill(&self, part: &str, entry_file: &str) -> String {
        let name = Path::new(entry_file).file_stem().unwrap_or_default();
        let home = self.found.as_ref().map(|t| t.home.to_string_lossy());
        part.replace("{program}", PROGRAM)
            .replace("{workspace}", WORKSPACE)
            .replace("{tools}", TOOLS)
            .replace("{dependencies}", DEPENDENCIES)
            .replace("{toolchain}", &home.unwrap_or_default())
            .replace("{python}", &self.python.to_string_lossy())
            .replace("{name}", &name.to_string_lossy())
            .replace("{entry_file}", entry_file)
    }

    /// The environment of a snapshot's program, built from `workspace_tar` if the track builds.
    pub(crate) fn program(
        &self,
        environments: &Environments<'_>,
        snapshot: &SnapshotIndex,
        workspace_tar: &Path,
        entry_file: &str,
    ) -> Result<ProgramEnvironment, Error> {
        let (Some(plan), Some(toolchain)) = (&self.build, &self.found) else {
            return self.environment(environments, snapshot);
        };
        let build = Build {
            track: self,
            plan,
            toolchain,
            environments,
            workspace_tar,
            entry_file,
        };
        build.program()
    }

    /// Whether programs need the toolchain at run time.
    fn runs_programs(&self) -> bool {
        self.toolchain.as_ref().is_some_and(|t| t.runs_programs)
    }

    /// The environment that the snapshot's program runs in.
    ///
    /// A requirements file that cannot be honoured is not an error: the plain
    /// environment is given, with the reason, and the program fares as it fares.
    pub(crate) fn environment(
        &self,
        environments: &Environments<'_>,
        snapshot: &SnapshotIndex,
    ) -> Result<ProgramEnvironment, Error> {
        let plain = |why: String| {
            let archive = environments.ensure(Path::new(PROGRAM), &[], None)?;
            Ok(ProgramEnvironment {
                failure: Some(format!("{}: {why}", self.requirements)),
                ..ProgramEnvironment::sound(archive)
            })
        };
        let text = snapshot.requirements.as_deref().unwrap_or("");
        let wanted = match requirements::parse(text) {
            Ok(wanted) => wanted,
            Err(why) => return plain(why),
        };
        match environments.ensure(Path::new(PROGRAM), &wanted, None) {
            Ok(archive) => Ok(ProgramEnvironment::sound(archive)),
            Err(Error::Install { packages, why }) if !environment::is_network_trouble(&why) => {
                plain(format!("cannot install {packages}: {why}"))
            }
            Err(other) => Err(other),
        }
    }

    /// Files of a snapshot that only make sense in the hope that the grader runs there.
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

impl ProgramEnvironment {
    /// An environment without failures.
    fn sound(archive: Archive) -> Self {
        Self {
            archive,
            dependencies: None,
            failure: None,
            unbuilt: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_track_uses_absolute_paths() {
        let track = Track::named(TrackName::Python).unwrap();
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
    fn every_track_is_well_formed() {
        for name in TrackName::ALL {
            let mut track = Track::named(name).unwrap();
            assert_eq!((track.name, name.name().parse()), (name, Ok(name)));
            assert_eq!(track.build.is_some(), name != TrackName::Python);
            assert_eq!(track.spec_note().is_some(), name != TrackName::Python);
            track.found = Some(Toolchain {
                host: "/home/user/toolchain".into(),
                home: "/opt/toolchain".into(),
                version: "1".to_owned(),
                binds: Vec::new(),
            });
            track.python = "/usr/bin/python3".into();
            for command in [track.entry_command("tool.ts"), track.calibration_command()] {
                assert!(command[0].starts_with('/'), "{command:?}");
                assert!(
                    !command.iter().any(|part| part.contains('{')),
                    "{command:?}"
                );
            }
        }
        let mut system = Track::named(TrackName::TypeScript).unwrap();
        system.found = Some(Toolchain {
            host: "/usr".into(),
            home: "/usr".into(),
            version: "1".to_owned(),
            binds: Vec::new(),
        });
        assert_eq!(system.toolchain_path(), ["/opt/tools/bin"]);
        assert!(
            "cobol"
                .parse::<TrackName>()
                .unwrap_err()
                .contains("typescript")
        );
    }

    #[test]
    fn notes_name_root_files_only() {
        let track = Track::named(TrackName::Python).unwrap();
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
