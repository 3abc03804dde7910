//! Position of a measured tree relative to the working directory.

use std::path::{Path, PathBuf};

use anyhow::bail;

/// Path named on the command line: a directory, a file, or a line of a file.
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) line: Option<u32>,
}

impl Target {
    /// Parses `PATH` or `FILE:LINE`. An existing file whose name has the second form is a file.
    pub(super) fn parse(typed: &Path) -> anyhow::Result<Self> {
        if typed.exists() {
            refuse_special(typed)?;
            return Ok(Self {
                path: typed.to_owned(),
                line: None,
            });
        }
        let text = typed.to_string_lossy();
        let mut colons = text.match_indices(':').map(|(at, _)| text.split_at(at));
        // A name may contain a colon, so the longest existing file is used.
        let Some((file, place)) = colons.rfind(|(file, _)| Path::new(file).is_file()) else {
            bail!(
                "{} does not exist\nhelp: name a folder or a file, or a line as FILE:LINE",
                typed.display()
            );
        };
        Ok(Self {
            path: PathBuf::from(file),
            line: Some(line(file, &place[1..])?),
        })
    }
}

/// Refuses a path that is neither a folder nor a plain file. A read from a pipe would block.
fn refuse_special(path: &Path) -> anyhow::Result<()> {
    let metadata = std::fs::metadata(path);
    let is_special = metadata.is_ok_and(|found| !found.is_dir() && !found.is_file());
    if is_special {
        bail!("{} is neither a folder nor a plain file", path.display());
    }
    Ok(())
}

/// The line of `LINE` or `LINE:COLUMN`, as other tools print places.
fn line(file: &str, place: &str) -> anyhow::Result<u32> {
    let (line, column) = match place.split_once(':') {
        Some((line, column)) => (line, Some(column)),
        None => (place, None),
    };
    let column = column.map(str::parse::<u32>).transpose();
    match (line.parse::<u32>(), column) {
        (Ok(0), _) => bail!("{file}:{place}: lines count from 1"),
        (Ok(line), Ok(_)) => Ok(line),
        _ => bail!("`{place}` is not a line of {file}\nhelp: name one line, for example {file}:10"),
    }
}

/// A measured root.
pub(in crate::commands) struct Place {
    /// The folder that the measurement's paths are relative to.
    root: PathBuf,
    /// Title of the tree in reports.
    pub(super) title: String,
    /// Path from the working directory to the root: empty or ending in `/`.
    pub(in crate::commands) prefix: String,
    /// Paths for code hosts, if the root is not below the working directory.
    pub(super) elsewhere: Option<Elsewhere>,
}

/// Position of a root that is not below the working directory.
pub(super) struct Elsewhere {
    /// Top of its repository, or the root itself without one.
    pub(super) base: PathBuf,
    /// Path from `base` to the root: empty or ending in `/`.
    pub(super) prefix: String,
}

impl Place {
    pub(in crate::commands) fn of(path: &Path) -> Self {
        let true_path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = match true_path.parent() {
            Some(parent) if !true_path.is_dir() => parent.to_owned(),
            _ => true_path.clone(),
        };
        let name = true_path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        let below = below_here(&root);
        Self {
            elsewhere: below.is_none().then(|| Elsewhere::of(&root)),
            prefix: below.unwrap_or_default(),
            title: name.unwrap_or_else(|| path.display().to_string()),
            root,
        }
    }

    /// Text of a measured file. Columns count bytes of UTF-8, so other encodings are no use.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(path)).ok()
    }
}

impl Elsewhere {
    fn of(root: &Path) -> Self {
        let top = root.ancestors().find(|folder| folder.join(".git").exists());
        let base = top.unwrap_or(root);
        Self {
            prefix: root.strip_prefix(base).map(prefix).unwrap_or_default(),
            base: base.to_owned(),
        }
    }
}

/// Path of `root` from the working directory. `None` if it is not below it.
fn below_here(root: &Path) -> Option<String> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    Some(prefix(root.strip_prefix(here.ok()?).ok()?))
}

fn prefix(below: &Path) -> String {
    match slope_model::path::slashed(below) {
        below if below.is_empty() => below,
        below => below + "/",
    }
}
