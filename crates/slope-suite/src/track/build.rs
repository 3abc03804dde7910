//! Programs that are built before they run.
//!
//! A build executes the snapshot's own code: it runs in a sandbox of its own that contains the
//! workspace and the toolchain but nothing of the suite, has no network, and writes its result to
//! [`PROGRAM`](super::PROGRAM). A failed build gives a program that fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use slope_sandbox::Runtime;
use slope_sandbox::outcome::{Exit, Outcome};
use slope_sandbox::spec::{Command, Limits, Network, Spec, Volume};

use super::dependencies::{self, Fetched, Manager};
use super::environment::{Archive, Built, kept, tail};
use super::{
    DEPENDENCIES, Environments, PROGRAM, ProgramEnvironment, TOOLS, Toolchain, Track, WORKSPACE,
    typescript,
};
use crate::archive::tree_hash;
use crate::error::Error;
use crate::inside;

/// Version of the build recipe. Raise it when the same build would give another result.
const RECIPE: &str = "slope build 1";
/// Longest build.
const LIMIT: Duration = Duration::from_secs(600);
/// Maximum size in bytes of the result of a build, and of its other files.
const PROGRAM_SIZE: u64 = 1 << 30;
const SCRATCH_SIZE: u64 = 4 << 30;
/// Memory limit of a build in bytes, enough to compile a big program.
const MEMORY: u64 = 6 << 30;

/// Build settings of a track's programs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildPlan {
    /// Command, with placeholders.
    command: Vec<String>,
    /// Tools that slope brings for it.
    #[serde(default)]
    pub(super) tools: Option<Tools>,
    /// Fetches the packages that manifests name.
    #[serde(default)]
    dependencies: Option<Manager>,
}

/// Tools that a toolchain lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tools {
    /// The TypeScript compiler.
    TypeScript,
}

impl Tools {
    /// The tools for [`TOOLS`].
    pub(super) fn ensure(self, cache_dir: &Path, offline: bool) -> Result<Archive, Error> {
        match self {
            Self::TypeScript => typescript::ensure(cache_dir, offline),
        }
    }
}

/// A path next to a workspace that is built, and its archive.
type Beside<'a> = (&'static str, &'a Archive);

/// One program to be built.
pub(super) struct Build<'a> {
    pub(super) track: &'a Track,
    pub(super) plan: &'a BuildPlan,
    pub(super) toolchain: &'a Toolchain,
    pub(super) environments: &'a Environments<'a>,
    /// The snapshot, with the problem's assets.
    pub(super) workspace_tar: &'a Path,
    pub(super) entry_file: &'a str,
}

impl Build<'_> {
    /// The built program, with its environment. `Ok` even if the build fails.
    pub(super) fn program(&self) -> Result<ProgramEnvironment, Error> {
        let fetched = self.fetched()?;
        let mut program = match self.ensure(fetched.archive.as_ref()) {
            Ok(archive) => ProgramEnvironment::sound(archive),
            Err(Error::Build { why }) => ProgramEnvironment {
                unbuilt: Some(why),
                ..ProgramEnvironment::sound(Archive::none())
            },
            Err(other) => return Err(other),
        };
        program.failure = fetched.failure;
        if let Some(archive) = fetched.archive {
            program.archive.packages.clone_from(&archive.packages);
            program.dependencies = self.track.runs_programs().then_some(archive);
        }
        Ok(program)
    }

    fn fetched(&self) -> Result<Fetched, Error> {
        match self.plan.dependencies {
            Some(manager) => dependencies::ensure(
                manager,
                self.toolchain,
                self.environments,
                self.workspace_tar,
            ),
            None => Ok(Fetched {
                archive: None,
                failure: None,
            }),
        }
    }

    /// The built program, from the cache where the same snapshot was built before.
    fn ensure(&self, dependencies: Option<&Archive>) -> Result<Archive, Error> {
        let environments = self.environments;
        let tools = match self.plan.tools {
            Some(tools) => Some(tools.ensure(environments.cache_dir, environments.offline)?),
            None => None,
        };
        let beside = [(TOOLS, tools.as_ref()), (DEPENDENCIES, dependencies)];
        let beside: Vec<_> = beside
            .into_iter()
            .filter_map(|(at, archive)| Some((at, archive?)))
            .collect();
        let key = self.key(&beside)?;
        kept(environments.cache_dir, key, |scratch| {
            self.make(scratch, &beside)
        })
    }

    fn key(&self, beside: &[Beside<'_>]) -> Result<String, Error> {
        let runtime = self.environments.runtime.identity();
        let tree = tree_hash(self.workspace_tar)?;
        let home = self.toolchain.home.to_string_lossy();
        let fixed = [
            RECIPE,
            self.track.name.name(),
            &self.toolchain.version,
            &home,
            &runtime,
            &tree,
        ];
        let command = self.command();
        let env = self.track.toolchain_env();
        let env = env.iter().flat_map(|(name, value)| [name, value]);
        let mut hasher = blake3::Hasher::new();
        let beside = beside.iter().flat_map(|(at, archive)| [*at, &archive.key]);
        let own = command.iter().chain(env).map(String::as_str);
        let all = fixed.into_iter().chain(beside).chain(own);
        for part in all {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    }

    fn command(&self) -> Vec<String> {
        self.track.filled(&self.plan.command, self.entry_file)
    }

    fn make(&self, scratch: &Path, beside: &[Beside<'_>]) -> Result<Built, Error> {
        let spec = self.spec(scratch, beside);
        let runtime: &dyn Runtime = self.environments.runtime;
        let outcome = match runtime.run(&spec) {
            Err(slope_sandbox::Error::Exec { why, .. }) => {
                return Err(Error::Toolchain {
                    track: self.track.name.name(),
                    what: format!("it does not start in sandboxes: {why}"),
                    install: "choose an image that has it at the same place".to_owned(),
                });
            }
            ran => ran?,
        };
        match complaint(&spec, &outcome) {
            Some(why) => Err(Error::Build { why }),
            None => Ok(Built::default()),
        }
    }

    fn spec(&self, scratch: &Path, beside: &[Beside<'_>]) -> Spec {
        let volume = |target: &str, size: u64| Volume {
            target: target.into(),
            fill: None,
            collect: None,
            size,
            writable: true,
            shared: false,
        };
        let room = inside::volume_size(self.workspace_tar);
        let beside = beside.iter().map(|(at, archive)| archive.volume(at));
        let own = [
            Volume {
                fill: Some(self.workspace_tar.to_owned()),
                ..volume(WORKSPACE, room + PROGRAM_SIZE)
            },
            Volume {
                collect: Some(scratch.join("environment.tar")),
                ..volume(PROGRAM, PROGRAM_SIZE)
            },
            volume("/tmp", SCRATCH_SIZE),
        ];
        Spec {
            command: Command::Exec(self.command()),
            workdir: PathBuf::from("/tmp"),
            env: self.track.toolchain_env(),
            volumes: own.into_iter().chain(beside).collect(),
            binds: self.toolchain.binds.clone(),
            network: Network::None,
            limits: Limits {
                wall: LIMIT,
                memory: MEMORY,
                ..Limits::default()
            },
            enclosure: None,
            stdout: scratch.join("stdout"),
            stderr: scratch.join("stderr"),
        }
    }
}

/// Reason that a build failed, with the last lines of its output; `None` if it succeeded.
fn complaint(spec: &Spec, outcome: &Outcome) -> Option<String> {
    let hit = outcome.limits.first();
    if outcome.exit == Exit::Code(0) && hit.is_none() {
        return None;
    }
    let read = |path: &Path| fs::read(path).unwrap_or_default();
    let said = [read(&spec.stderr), read(&spec.stdout)];
    let said = said.iter().map(|bytes| String::from_utf8_lossy(bytes));
    let said = said.map(|text| tail(&text)).find(|text| !text.is_empty());
    let how = match (hit, outcome.exit) {
        (Some(hit), _) => format!("it ran into a limit ({hit:?})"),
        (None, Exit::Code(code)) => format!("exit code {code}"),
        (None, Exit::Signal(signal)) => format!("signal {signal}"),
    };
    Some(
        format!("{how}\n{}", said.unwrap_or_default())
            .trim_end()
            .to_owned(),
    )
}
