//! The TypeScript compiler, which slope brings: Node.js has none, and older ones cannot leave types out.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::environment::{Archive, Built, kept, tail};
use crate::archive::Packer;
use crate::error::Error;

/// Raised when the same lock would give other tools.
const RECIPE: &str = "slope typescript 1";
/// npm's lock file, as `npm install --package-lock-only` wrote it.
const LOCK: &str = include_str!("package-lock.json");
/// What the lock is for.
const MANIFEST: &str = include_str!("package.json");
/// Turns a workspace into JavaScript.
const TRANSPILE: &str = include_str!("transpile.js");
/// Runs a program of the workspace unchanged, for agents.
const RUN: &str = include_str!("run-ts");
/// The compiler, in what npm installs.
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

/// Has npm fetch the locked packages, and check their hashes. No script of a package runs.
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
