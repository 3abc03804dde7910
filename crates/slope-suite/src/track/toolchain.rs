//! Compilers and runtimes of this machine, and their binds in a sandbox.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use slope_sandbox::spec::Bind;

use super::TrackName;
use crate::error::Error;

/// Inner path of an installation that is not the system's.
const INSIDE: &str = "/opt/toolchain";

/// Commands that find a track's toolchain on this machine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolchainPlan {
    /// Command that prints the folder of the installation.
    home: Vec<String>,
    /// Command that prints its version on the first line, with `{toolchain}`.
    version: Vec<String>,
    /// Files that the folder must contain.
    needs: Vec<PathBuf>,
    /// Commands of the system that it uses, and the package of Debian that has each.
    #[serde(default)]
    beside: BTreeMap<String, String>,
    /// File in it that may be a link to settings below `/etc`.
    #[serde(default)]
    settings: Option<PathBuf>,
    /// Instructions for installing it.
    install: String,
    /// Whether programs need it at run time; otherwise only their build does.
    pub(super) runs_programs: bool,
    /// Folders of `PATH` for builds and for agents, in front of the system's, with placeholders.
    pub(super) path: Vec<String>,
    /// Environment of builds and of agents.
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
}

/// A toolchain of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toolchain {
    /// Its folder on the host.
    pub host: PathBuf,
    /// Its folder inside.
    pub home: PathBuf,
    /// Its version text.
    pub version: String,
    /// Additional binds of a sandbox.
    pub binds: Vec<Bind>,
}

impl ToolchainPlan {
    /// Finds the toolchain, resolving `PATH` and shims.
    pub(super) fn discover(&self, track: TrackName) -> Result<Toolchain, Error> {
        let failed = |what: String| Error::Toolchain {
            track: track.name(),
            what,
            install: self.install.clone(),
        };
        let home = PathBuf::from(said(&self.home).map_err(failed)?);
        let home = home
            .canonicalize()
            .map_err(|why| failed(format!("{}: {why}", home.display())))?;
        self.check(&home, std::env::home_dir().as_deref())
            .map_err(failed)?;
        let ask: Vec<_> = self.version.iter().map(|part| at(part, &home)).collect();
        let version = said(&ask).map_err(failed)?;
        let inside = if home.starts_with("/usr") {
            home.clone()
        } else {
            INSIDE.into()
        };
        let own = (inside != home).then(|| Bind {
            source: home.clone(),
            target: inside.clone(),
        });
        Ok(Toolchain {
            binds: own.into_iter().chain(self.settings_of(&home)).collect(),
            host: home,
            home: inside,
            version,
        })
    }

    /// Fails if the installation at `home` is unusable.
    fn check(&self, home: &Path, user: Option<&Path>) -> Result<(), String> {
        if user.is_some_and(|user| user.starts_with(home)) && !home.starts_with("/usr") {
            return Err(format!(
                "it is installed at {}, which a sandbox cannot be shown without your whole home folder",
                home.display()
            ));
        }
        if let Some(missing) = self.needs.iter().find(|n| !home.join(n).is_file()) {
            return Err(format!("{} has no {}", home.display(), missing.display()));
        }
        let on_path = |name: &str| {
            let folders = ["/usr/local/bin", "/usr/bin", "/bin"];
            folders.iter().any(|f| Path::new(f).join(name).is_file())
        };
        match self.beside.iter().find(|(name, _)| !on_path(name)) {
            Some((name, package)) => Err(format!(
                "it needs the command `{name}` of the system\nhelp: run `apt-get install {package}`"
            )),
            None => Ok(()),
        }
    }

    /// The folder below `/etc` with the installation's settings.
    fn settings_of(&self, home: &Path) -> Option<Bind> {
        let real = home.join(self.settings.as_ref()?).canonicalize().ok()?;
        let own = real.strip_prefix("/etc").ok()?.components().next()?;
        let folder = Path::new("/etc").join(own);
        Some(Bind {
            source: folder.clone(),
            target: folder,
        })
    }
}

/// The first line that a command prints, which runs where no project's settings can reach it.
fn said(command: &[String]) -> Result<String, String> {
    let (program, rest) = command.split_first().ok_or("the command is empty")?;
    let output = Command::new(program)
        .args(rest)
        .current_dir("/")
        .env("GOTOOLCHAIN", "local")
        .stdin(Stdio::null())
        .output()
        .map_err(|why| format!("`{program}` cannot be started: {why}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().map(str::trim).find(|line| !line.is_empty()) {
        Some(line) if output.status.success() => Ok(line.to_owned()),
        _ => Err(format!("`{program}` does not print its folder or version")),
    }
}

fn at(part: &str, home: &Path) -> String {
    part.replace("{toolchain}", &home.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(home: &str) -> ToolchainPlan {
        let text = format!(
            "home = ['/bin/sh', '-c', 'echo {home}']\nversion = ['/bin/sh', '-c', 'echo v1 in {{toolchain}}']\n\
             needs = ['bin/tool']\ninstall = '`apt-get install tool`'\nruns_programs = true\npath = []\n\
             settings = 'conf'\n"
        );
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn installation_is_mounted_at_neutral_path() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        std::fs::create_dir(home.join("bin")).unwrap();
        let why = plan(&home.to_string_lossy())
            .discover(TrackName::Go)
            .unwrap_err()
            .to_string();
        assert!(
            why.contains("bin/tool") && why.contains("apt-get install tool"),
            "{why}"
        );
        std::fs::write(home.join("bin/tool"), "").unwrap();
        std::os::unix::fs::symlink("/etc/ssl/certs", home.join("conf")).unwrap();
        let found = plan(&home.to_string_lossy())
            .discover(TrackName::Go)
            .unwrap();
        assert_eq!(found.home, Path::new(INSIDE));
        assert_eq!(found.version, format!("v1 in {}", home.display()));
        assert_eq!(found.binds[0].source, home);
    }

    #[test]
    fn missing_toolchain_names_its_remedy() {
        let mut missing = plan("x");
        missing.home = vec!["no-such-compiler".to_owned()];
        let why = missing.discover(TrackName::Rust).unwrap_err().to_string();
        assert!(
            why.starts_with("the track rust") && why.contains("no-such-compiler"),
            "{why}"
        );
        assert!(why.contains("apt-get install tool"), "{why}");
        let home = Path::new("/home/ann");
        assert!(
            plan("x")
                .check(home, Some(home))
                .unwrap_err()
                .contains("home folder")
        );
    }
}
