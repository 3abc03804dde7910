//! Dependencies of programs besides their language.
//!
//! The package manager runs on the host, in an empty folder with manifests that slope writes: only
//! names, versions and hashes are copied from the workspace. So the graded program can choose no
//! index, name no path and run nothing there.

mod cargo;
mod go;
mod npm;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::environment::{Archive, Built, bounded, kept, tail};
use super::{Environments, Toolchain};
use crate::archive::{Packer, root_texts};
use crate::error::Error;

/// Version of the fetching procedure; increase it when the same manifests would give a different
/// result.
const RECIPE: &str = "slope dependencies 1";

/// A package manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Manager {
    /// Rust's.
    Cargo,
    /// Go's modules.
    Go,
    /// Node.js's.
    Npm,
}

/// Texts of a workspace's manifests, by name.
type Texts = BTreeMap<String, String>;

/// A fetch request.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    /// Manifests.
    files: Vec<(&'static str, String)>,
    /// Arguments of the package manager.
    args: Vec<&'static str>,
    /// Parts of the package manager's output that are kept.
    results: &'static [&'static str],
    /// Names with versions, as far as the manifests give them.
    packages: Vec<String>,
}

/// Result of a fetch.
pub(super) struct Fetched {
    /// The packages; `None` if none are requested or they are unavailable.
    pub(super) archive: Option<Archive>,
    /// Reason that requested packages are missing.
    pub(super) failure: Option<String>,
}

impl Manager {
    fn manifests(self) -> [&'static str; 2] {
        match self {
            Self::Cargo => ["Cargo.toml", "Cargo.lock"],
            Self::Go => ["go.mod", "go.sum"],
            Self::Npm => ["package.json", "package-lock.json"],
        }
    }

    /// The packages that a workspace requests. The error says why they are unavailable.
    fn order(self, texts: &Texts) -> Result<Option<Order>, String> {
        let [manifest, lock] = self.manifests();
        let Some(text) = texts.get(manifest) else {
            return Ok(None);
        };
        let locked = texts.get(lock).map(String::as_str);
        let order = match self {
            Self::Cargo => cargo::order(text, locked),
            Self::Go => go::order(text, locked),
            Self::Npm => npm::order(text, locked),
        };
        order.map_err(|why| format!("{manifest}: {why}"))
    }

    fn command(self, toolchain: &Toolchain, folder: &Path) -> Command {
        let own = |name: &str| toolchain.host.join("bin").join(name);
        match self {
            Self::Cargo => {
                let mut command = Command::new(own("cargo"));
                command.env("RUSTC", own("rustc"));
                command
            }
            Self::Go => go::command(&own("go"), folder),
            Self::Npm => Command::new("npm"),
        }
    }

    /// Whether its output is about the network rather than the request.
    fn is_network_trouble(self, said: &str) -> bool {
        said.lines().any(|line| match self {
            Self::Cargo => line.starts_with("warning: spurious network error"),
            Self::Go => line.contains(": dial tcp"),
            Self::Npm => ["EAI_AGAIN", "ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT"]
                .iter()
                .any(|code| line.ends_with(&format!("error code {code}"))),
        })
    }
}

/// Fetches the packages of a workspace's manifests, unless they are cached.
///
/// # Errors
/// If the network is needed and fails or is disabled. Refused requests of a workspace are in the
/// result.
pub(super) fn ensure(
    manager: Manager,
    toolchain: &Toolchain,
    environments: &Environments<'_>,
    workspace_tar: &Path,
) -> Result<Fetched, Error> {
    let none = |failure| Fetched {
        archive: None,
        failure,
    };
    let texts = root_texts(workspace_tar, &manager.manifests())?;
    let order = match manager.order(&texts) {
        Ok(Some(order)) => order,
        Ok(None) => return Ok(none(None)),
        Err(why) => return Ok(none(Some(why))),
    };
    let key = key(&order, toolchain);
    let made = kept(environments.cache_dir, key, |scratch| {
        if environments.offline {
            return Err(Error::Offline {
                packages: order.packages.join(", "),
                cache: environments.cache_dir.to_owned(),
            });
        }
        fetch(manager, &order, toolchain, scratch)
    });
    match made {
        Ok(archive) => Ok(Fetched {
            archive: Some(archive),
            failure: None,
        }),
        Err(Error::Install { packages, why }) if !manager.is_network_trouble(&why) => Ok(none(
            Some(format!("cannot fetch {packages}: {}", tail(&why))),
        )),
        Err(other) => Err(other),
    }
}

fn key(order: &Order, toolchain: &Toolchain) -> String {
    let files = order.files.iter();
    let files = files.flat_map(|(name, text)| [*name, text.as_str()]);
    let fixed = [RECIPE, toolchain.version.as_str()];
    let mut hasher = blake3::Hasher::new();
    for part in fixed
        .into_iter()
        .chain(order.args.iter().copied())
        .chain(files)
    {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn fetch(
    manager: Manager,
    order: &Order,
    toolchain: &Toolchain,
    scratch: &Path,
) -> Result<Built, Error> {
    let folder = scratch.join("project");
    for (name, text) in &order.files {
        let path = folder.join(name);
        let above = path.parent().unwrap_or(&folder);
        fs::create_dir_all(above).map_err(Error::io("create", above))?;
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let mut command = manager.command(toolchain, &folder);
    command.args(&order.args).current_dir(&folder);
    bounded(&mut command, scratch, |why| Error::Install {
        packages: order.packages.join(", "),
        why: why.to_owned(),
    })?;
    let mut packer = Packer::create(&scratch.join("environment.tar"))?;
    for name in order.results {
        if folder.join(name).exists() {
            packer.tree(Path::new(name), &folder.join(name))?;
        }
    }
    packer.finish()?;
    Ok(Built {
        packages: order.packages.clone(),
    })
}

/// Whether `text` is not empty and consists of letters, digits and `others` only.
fn plain(text: &str, others: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || others.contains(c))
}
