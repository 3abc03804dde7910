//! Selection of scanned files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::Config;
use super::ignore::{Base, IgnoreRule, is_ignored, parse};
use super::languages::language_of;
use super::{Error, Options};

/// Folders that are never entered, at any depth.
const NEVER_ENTERED: &[&str] = &[
    ".git",
    ".venv",
    "venv",
    "env",
    ".env",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
];

/// A file to be scanned.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Parts from the root.
    pub(crate) parts: Vec<String>,
    pub(crate) absolute: PathBuf,
    /// Position in the table of languages.
    pub(crate) language: usize,
}

impl Found {
    /// Path from the root with `/` between its parts.
    pub(crate) fn path(&self) -> String {
        self.parts.join("/")
    }
}

/// The files below a root, or the root itself if it is a file, ordered by the parts of their paths.
pub(crate) fn files(root: &Path, config: &Config, options: &Options) -> Result<Vec<Found>, Error> {
    let root = root.canonicalize().map_err(|source| Error::Read {
        path: root.to_owned(),
        source,
    })?;
    if root.is_file() {
        let language = language_of(&root).ok_or_else(|| Error::Suffix { path: root.clone() })?;
        let name = root.file_name().unwrap_or(root.as_os_str());
        return Ok(vec![Found {
            parts: vec![name.to_string_lossy().into_owned()],
            language,
            absolute: root.clone(),
        }]);
    }
    let rules = if options.include_all {
        Vec::new()
    } else {
        rules_above(&root, config)?
    };
    let mut found = Vec::new();
    let mut folders = vec![(root, Vec::<String>::new(), Arc::new(rules))];
    while let Some((folder, parts, rules)) = folders.pop() {
        let rules = if options.include_all {
            rules
        } else {
            let base = Base {
                above: Vec::new(),
                below: parts.len(),
            };
            let own = read_rules(&folder, &base)?;
            if own.is_empty() {
                rules
            } else {
                Arc::new(rules.iter().cloned().chain(own).collect())
            }
        };
        for entry in entries(&folder, NEVER_ENTERED)? {
            let mut parts = parts.clone();
            parts.push(entry.name);
            if ignored(&rules, &parts, entry.is_folder) {
                continue;
            }
            if entry.is_folder {
                folders.push((entry.path, parts, Arc::clone(&rules)));
            } else if let Some(language) = language_of(&entry.path)
                && !config.excludes(&entry.path)
            {
                found.push(Found {
                    parts,
                    absolute: entry.path,
                    language,
                });
            }
        }
    }
    found.sort_by(|a, b| a.parts.cmp(&b.parts));
    Ok(found)
}

fn ignored(rules: &[IgnoreRule], parts: &[String], is_folder: bool) -> bool {
    if rules.is_empty() {
        return false;
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    is_ignored(rules, &parts, is_folder)
}

pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) is_folder: bool,
}

/// Files and folders to examine, without links and folders that are never entered.
pub(crate) fn entries(folder: &Path, never_entered: &[&str]) -> Result<Vec<Entry>, Error> {
    let failed = |source| Error::Read {
        path: folder.to_owned(),
        source,
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let wanted = if kind.is_dir() {
            !never_entered.contains(&name.as_str())
        } else {
            kind.is_file()
        };
        if wanted {
            found.push(Entry {
                name,
                path: entry.path(),
                is_folder: kind.is_dir(),
            });
        }
    }
    Ok(found)
}

/// Rules of the ignore files above the root, as far up as the repository, or the
/// configuration, reaches.
fn rules_above(root: &Path, config: &Config) -> Result<Vec<IgnoreRule>, Error> {
    let repository = root.ancestors().find(|folder| folder.join(".git").exists());
    let top = repository
        .or_else(|| config.folder.as_deref().filter(|f| root.starts_with(f)))
        .unwrap_or(root);
    let mut folders: Vec<&Path> = root
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(top))
        .collect();
    folders.reverse();
    let mut rules = Vec::new();
    for folder in folders {
        let between = root.strip_prefix(folder).unwrap_or(root);
        let base = Base {
            above: between
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect(),
            below: 0,
        };
        rules.extend(read_rules(folder, &base)?);
    }
    Ok(rules)
}

fn read_rules(folder: &Path, base: &Base) -> Result<Vec<IgnoreRule>, Error> {
    let path = folder.join(".gitignore");
    if !path.is_file() {
        return Ok(Vec::new());
    }
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(parse(&text, base)),
        Err(source) => Err(Error::Read { path, source }),
    }
}
