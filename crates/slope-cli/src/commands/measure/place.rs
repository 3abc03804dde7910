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
            prefix: prefix(&root),
            title: name.unwrap_or_else(|| path.display().to_string()),
            root,
        }
    }

    /// Text of a measured file. Columns count bytes of UTF-8, so other encodings are no use.
    pub(super) fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root.join(path)).ok()
    }
}

/// Where `root` lies from the working directory; empty if it is not below, because code hosts
/// only know paths below the top of the repository, where tools are run.
fn prefix(root: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let Some(below) = here
        .ok()
        .and_then(|here| root.strip_prefix(here).ok().map(Path::to_owned))
    else {
        return String::new();
    };
    let names: Vec<_> = below.iter().map(|name| name.to_string_lossy()).collect();
    names.iter().map(|name| format!("{name}/")).collect()
}
