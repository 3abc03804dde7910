//! Finds mistakes in a specification before anything is started.

use std::path::{Component, Path};

use crate::SpecError;
use crate::spec::{Command, Spec};

/// Checks the parts of a specification that need no sandbox.
pub(crate) fn check(spec: &Spec) -> Result<(), SpecError> {
    if let Command::Exec(argv) = &spec.command {
        match argv.first() {
            None => return Err(SpecError::NoCommand),
            Some(program) if program.is_empty() => {
                return Err(SpecError::NoExecutable);
            }
            Some(_) => {}
        }
        if argv.iter().any(|a| a.contains('\0')) {
            return Err(SpecError::Nul);
        }
    }
    for (key, value) in &spec.env {
        if key.is_empty() || key.contains(['=', '\0']) || value.contains('\0') {
            return Err(SpecError::Variable(key.clone()));
        }
    }
    inside("working directory", &spec.workdir)?;
    for volume in &spec.volumes {
        inside("volume", &volume.target)?;
    }
    for bind in &spec.binds {
        inside("bind", &bind.target)?;
    }
    each_once(spec)?;
    if let Some(enclosure) = &spec.enclosure {
        inside("launcher", &enclosure.launcher)?;
        for path in enclosure.hidden.iter().chain(&enclosure.passable) {
            inside("hidden or passable path", path)?;
        }
    }
    Ok(())
}

/// No two trees go to the same place.
fn each_once(spec: &Spec) -> Result<(), SpecError> {
    let volumes = spec.volumes.iter().map(|v| &v.target);
    let mut targets: Vec<_> = volumes
        .chain(spec.binds.iter().map(|b| &b.target))
        .collect();
    targets.sort();
    if let Some(twice) = targets.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(SpecError::Twice(twice[0].clone()));
    }
    Ok(())
}

/// Paths inside are absolute and plain.
fn inside(what: &'static str, path: &Path) -> Result<(), SpecError> {
    let plain = path
        .components()
        .all(|c| matches!(c, Component::RootDir | Component::Normal(_)));
    if path.is_absolute() && plain {
        return Ok(());
    }
    Err(SpecError::Path {
        what,
        path: path.to_owned(),
    })
}
