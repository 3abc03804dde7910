//! Static assets: their sources and targets, which must not be outside the problem and the
//! workspace.

use std::path::{Component, Path};

use slope_model::problem::StaticAsset;

use crate::config::{RawAsset, RawProblem};
use crate::{Error, hash, yaml};

/// Whether `path` is relative, not empty, and never leaves where it is joined to.
pub(crate) fn stays_inside(path: &Path) -> bool {
    let normal = |c: Component<'_>| matches!(c, Component::Normal(_) | Component::CurDir);
    path.components().next().is_some() && path.components().all(normal)
}

/// Checks and resolves every asset of `raw`.
pub(crate) fn resolve(
    root: &Path,
    config: &Path,
    text: &str,
    raw: &RawProblem,
) -> Result<Vec<StaticAsset>, Error> {
    let mut assets: Vec<StaticAsset> = Vec::new();
    for (name, asset) in &raw.static_assets {
        let line = yaml::line_where(text, |l| l.trim_start().starts_with(&format!("{name}:")));
        let asset = one(root, config, line, name, asset)?;
        if let Some(other) = assets.iter().find(|a| a.save_path == asset.save_path) {
            let what = format!(
                "assets {} and {name} land at the same place, {}",
                other.name,
                asset.save_path.display()
            );
            return Err(Error::malformed(
                config,
                line,
                what,
                "give one of them another save_path",
            ));
        }
        assets.push(asset);
    }
    Ok(assets)
}

fn one(
    root: &Path,
    config: &Path,
    line: Option<u64>,
    name: &str,
    raw: &RawAsset,
) -> Result<StaticAsset, Error> {
    let save_path = raw.save_path.clone().unwrap_or_else(|| raw.path.clone());
    for (key, path) in [("path", &raw.path), ("save_path", &save_path)] {
        if !stays_inside(path) {
            let what = format!(
                "the {key} of asset {name}, {}, points outside",
                path.display()
            );
            return Err(Error::malformed(
                config,
                line,
                what,
                "use a relative path without ..",
            ));
        }
    }
    if !raw
        .path
        .components()
        .any(|c| matches!(c, Component::Normal(_)))
    {
        let what = format!("the path of asset {name} is the problem's whole folder");
        let remedy = "name a file or folder in it: tests and solutions are not for agents";
        return Err(Error::malformed(config, line, what, remedy));
    }
    let source = root.join(&raw.path);
    if !source.exists() {
        let remedy = "add the file or folder, or take the asset out of config.yaml";
        return Err(Error::missing(&source, &format!("asset {name}"), remedy));
    }
    let what = format!("asset {name}");
    check_links(root, &what, &raw.path)?;
    // A parent folder of the asset may be a link too.
    check_link(root, &what, &raw.path)?;
    Ok(StaticAsset {
        name: name.to_owned(),
        source,
        save_path,
    })
}

/// Refuses links at and below `relative` that lead out of the problem's folder; a missing path is
/// fine. Messages call it `what`.
pub(crate) fn check_links(root: &Path, what: &str, relative: &Path) -> Result<(), Error> {
    if root.join(relative).symlink_metadata().is_err() {
        return Ok(());
    }
    for entry in hash::walk(root, relative)?.iter().filter(|e| e.is_link) {
        check_link(root, what, &entry.relative)?;
    }
    Ok(())
}

/// Refuses a link that leads out of the problem's folder: reading it would expose files of the
/// host.
pub(crate) fn check_link(root: &Path, what: &str, relative: &Path) -> Result<(), Error> {
    let path = root.join(relative);
    match path.canonicalize() {
        Ok(target) if target.starts_with(root) => Ok(()),
        Ok(_) => {
            let what = format!("{what} is a link that points outside the problem's folder");
            Err(Error::malformed(
                &path,
                None,
                what,
                "copy the data into the folder",
            ))
        }
        Err(e) => Err(Error::io(&path, "cannot follow a link")(e)),
    }
}
