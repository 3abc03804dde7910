//! The TypeScript compiler, which slope installs: Node.js has none, and older versions cannot strip
//! types.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::environment::{Archive, Built, kept, tail};
use crate::archive::Packer;
use crate::error::Error;

/// Version of the installation; increase it when the same lock file would give other tools.
const RECIPE: &str = "slope typescript 1";
/// npm's lock file, written by `npm install --package-lock-only`.
const LOCK: &str = include_str!("package-lock.json");
/// The manifest of the lock file.
const MANIFEST: &str = include_str!("package.json");
/// Turns a workspace into JavaScript.
const TRANSPILE: &str = include_str!("transpile.js");
/// Runs a program of the workspace unchanged, for agents.
const RUN: &str = include_str!("run-ts");
/// Path of the compiler in npm's installation.
const COMPILER: &str = "node_modules/typescript/lib/typescript.js";

/// The tools, installed by npm once.
pub(super) fn ensure(cache_dir: &Path, offline: bool) -> Result<Archive, Error> {
    let mut hasher = blake3::Hasher::new();
    for part in [RECIPE, LOCK, MANIFEST, TRANSPILE, RUN] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let key = hasher.finalize().to_hex()[..32].to_owned();
    kept(cache_dir, key, |scratch| {
        if offline {
            return Err(Error::Offline {
                packages: "typescript".to_owned(),
                cache: cache_dir.to_owned(),
            });
        }
        install(scratch)?;
        let mut packer = Packer::create(&scratch.join("environment.tar"))?;
        packer.bytes(Path::new("transpile.js"), TRANSPILE.as_bytes(), false)?;
        packer.bytes(Path::new("bin/run-ts"), RUN.as_bytes(), true)?;
        packer.tree(Path::new("typescript.js"), &scratch.join(COMPILER))?;
        packer.finish()?;
        Ok(Built::default())
    })
}

/// Makes npm fetch the locked packages and check their hashes. No script of a package runs.
fn install(scratch: &Path) -> Result<(), Error> {
    for (name, text) in [("package.json", MANIFEST), ("package-lock.json", LOCK)] {
        let path = scratch.join(name);
        fs::write(&path, text).map_err(Error::io("write", &path))?;
    }
    let failed = |why: String| Error::Install {
        packages: "typescript".to_owned(),
        why,
    };
    let output = Command::new("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args(["--no-update-notifier", "--loglevel=error"])
        .current_dir(scratch)
        .stdin(Stdio::null())
        .output()
        .map_err(|why| {
            failed(format!(
                "npm cannot be started: {why}\nhelp: run `apt-get install npm`"
            ))
        })?;
    if output.status.success() {
        return Ok(());
    }
    Err(failed(tail(&String::from_utf8_lossy(&output.stderr))))
}
