//! Where a measured tree lies, from where the user stands.

use std::path::{Path, PathBuf};

use anyhow::bail;

/// What was named on the command line: a directory, a file, or a line of one.
pub(super) struct Target {
    pub(super) path: PathBuf,
    pub(super) line: Option<u32>,
}

impl Target {
    /// Reads `PATH` or `FILE:LINE`; a file whose name looks like the latter is a file.
    pub(super) fn parse(typed: &Path) -> anyhow::Result<Self> {
        if typed.exists() {
            return Ok(Self {
                path: typed.to_owned(),
                line: None,
            });
        }
        let text = typed.to_string_lossy();
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse::<u32>()
            && Path::new(file).is_file()
        {
            if line == 0 {
                bail!("{text}: lines count from 1");
            }
            return Ok(Self {
                path: PathBuf::from(file),
                line: Some(line),
            });
        }
        bail!("{}: no such file or directory", typed.display())
    }
}

/// A measured root.
pub(super) struct Place {
    /// The folder that the measurement's paths are relative to.
    root: PathBuf,
    /// What to call it.
    pub(super) title: String,
    /// From the working directory to the root: empty or ending in `/`.
    pub(super) prefix: String,
}

impl Place {
    pub(super) fn of(path: &Path) -> Self {
        let true_path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let root = match true_path.parent() {
            Some(parent) if !true_path.is_dir() => parent.to_owned(),
            _ => true_path.clone(),
        };
        let name = true_path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        Self {
            elsewhere: below.is_none().then(|| Elsewhere::of(&root)),
            prefix: below.unwrap_or_default(),
            title: name.unwrap_or_else(|| path.display().to_string()),
            root,
        }
    }

    /// Text of a measured file. Columns count bytes of UTF-8, so other encodings are no use.
    pub(super) fn text(&self, path: &str) -> Option<String> {
    /// For a root that is not below the working directory, what code hosts know paths by.
    pub(super) elsewhere: Option<Elsewhere>,
}

/// Where a root lies that is not below the working directory.
pub(super) struct Elsewhere {
    /// The top of its repository; without one the root itself.
    pub(super) base: PathBuf,
    /// From there to the root: empty or ending in `/`.
    pub(super) prefix: String,
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

/// Where `root` lies from the working directory, if it is below.
fn below_here(root: &Path) -> Option<String> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let Some(below) = here
        .ok()
        .and_then(|here| root.strip_prefix(here).ok().map(Path::to_owned))
    else {
        let below = below_here(&root);
        return String::new();
    };
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    names.iter().map(|name| format!("{name}/")).collect()
}
