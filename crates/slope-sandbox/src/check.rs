//! Finds mistakes in a specification before anything is started.

use std::path::{Component, Path};

use crate::Error;
use crate::spec::{Command, Spec};

/// Checks the parts of a specification that need no sandbox.
pub(crate) fn check(spec: &Spec) -> Result<(), Error> {
    if let Command::Exec(argv) = &spec.command {
        match argv.first() {
            None => return Err(Error::Spec("the command is empty".to_owned())),
            Some(program) if program.is_empty() => {
                return Err(Error::Spec(
                    "the command's executable has no name".to_owned(),
                ));
            }
            Some(_) => {}
        }
        if argv.iter().any(|a| a.contains('\0')) {
            return Err(Error::Spec("NUL in an argument".to_owned()));
        }
    }
    for (key, value) in &spec.env {
        if key.is_empty() || key.contains(['=', '\0']) || value.contains('\0') {
            return Err(Error::Spec(format!(
                "environment variable `{key}` cannot be set"
            )));
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
fn each_once(spec: &Spec) -> Result<(), Error> {
    let volumes = spec.volumes.iter().map(|v| &v.target);
    let mut targets: Vec<_> = volumes
        .chain(spec.binds.iter().map(|b| &b.target))
        .collect();
    targets.sort();
    if let Some(twice) = targets.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::Spec(format!("two trees for {}", twice[0].display())));
    }
    Ok(())
}

/// Paths inside are absolute and plain.
fn inside(what: &str, path: &Path) -> Result<(), Error> {
    let plain = path
        .components()
        .all(|c| matches!(c, Component::RootDir | Component::Normal(_)));
    if path.is_absolute() && plain {
        return Ok(());
    }
    Err(Error::Spec(format!(
        "{what} {}: must be absolute, without `..`",
        path.display()
    )))
}
