//! Selection of the files of a folder that are measured, with reasons for the others.
//!
//! | module | contents |
//! |---|---|
//! | [`folders`] | folder listings, cached between runs |
//! | [`globs`] | glob patterns of excluded paths |
//! | [`ignores`] | `.gitignore` and `.slopeignore`, with git's semantics |
//! | [`kinds`] | generated and vendored files; virtual environments |
//! | [`minified`] | minified scripts |
//! | [`parts`] | tests versus production code |
//! | [`remarks`] | comments in the first lines of a file |
//! | [`signs`] | signs at the head of a file |
//!
//! Files left out on purpose are listed in the measurement, so that ignore files and file names
//! cannot hide code.

mod directives;
pub(crate) mod folders;
mod globs;
mod ignores;
pub(crate) mod kinds;
mod minified;
mod parts;
mod remarks;
mod signs;

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_model::measurement::{Part, Skipped, Unmeasured};
use slope_model::path::shown;
use slope_store::facts::Stamp;
use slope_syntax::{Language, ParseError, paths};

use crate::Error;
use crate::config::{NOT_USED, has_table};
use crate::options::{Options, Profile, Tests};
use crate::refused::{Refused, reason_of};
use folders::{Entry, Folders, Kind};
pub(crate) use globs::Globs;
pub use globs::check_glob;
pub(crate) use ignores::Ignores;
pub(crate) use parts::part_of;

/// Bytes at the start of a file from which its language is detected if its name does not tell.
pub(crate) const HEAD_BYTES: usize = 8192;

/// A file to be measured.
pub(crate) struct FoundFile {
    /// Relative to the root, `/`-separated.
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) absolute: PathBuf,
    /// Stamp by which an unchanged file is recognized, if facts are cached.
    pub(crate) stamp: Option<Stamp>,
}

/// Called for each file as soon as it is found, from several threads. Returns the file if it is to
/// be listed.
pub(crate) type Take<'a> = &'a (dyn Fn(FoundFile) -> Option<FoundFile> + Sync);

/// Settings of a walk besides the options.
#[derive(Clone, Copy)]
pub(crate) struct WalkOptions<'a> {
    pub(crate) take: Take<'a>,
    /// Facts about its folders.
    pub(crate) folders: Option<&'a Folders>,
}

impl WalkOptions<'_> {
    /// All folders are read and all files listed.
    pub(crate) const PLAIN: WalkOptions<'static> = WalkOptions {
        take: &Some,
        folders: None,
    };
}

/// Results of a walk.
#[derive(Default)]
pub(crate) struct Found {
    /// In path order.
    pub(crate) files: Vec<FoundFile>,
    /// Folders and files that could not be read.
    pub(crate) unreadable: Vec<Unmeasured>,
    /// Folders and files that are left out on purpose.
    pub(crate) skipped: Vec<Skipped>,
    /// Files in unsupported languages, in path order.
    pub(crate) others: Vec<String>,
}

/// Folder to be read.
struct Pending {
    absolute: PathBuf,
    /// Relative to the root, `/`-separated, empty for the root.
    path: String,
    ignores: Ignores,
}

/// Options for every folder.
struct Asked<'a> {
    options: &'a Options,
    /// Whether the root is in a repository. Repositories below it are then not its code.
    in_repository: bool,
    globs: Globs,
    manner: WalkOptions<'a>,
}

/// Contents of a folder, filled while it is read.
struct Walk<'a> {
    asked: &'a Asked<'a>,
    found: Found,
    /// Folders below it that are still to be read.
    below: Vec<Pending>,
}

/// Walks a folder, in the current thread pool. Symbolic links below it are never followed. A root
/// that is a file is always measured, regardless of the options.
pub(crate) fn discover(
    root: &Path,
    options: &Options,
    manner: WalkOptions<'_>,
) -> Result<Found, Error> {
    let failed = |source| Error::Root {
        path: root.to_owned(),
        source,
    };
    let metadata = std::fs::metadata(root).map_err(failed)?;
    let asked = Asked {
        options,
        in_repository: is_in_repository(root),
        globs: Globs::of_folder(options, root)?,
        manner,
    };
    if !metadata.is_dir() && !metadata.is_file() {
        // A read from a pipe would block.
        let reason = "it is neither a folder nor a plain file";
        return Err(failed(io::Error::other(reason)));
    }
    if !metadata.is_dir() {
        let mut walk = asked.walk();
        let name = root.file_name().unwrap_or(root.as_os_str());
        let path = shown(name).into_owned();
        if let Some(language) = language_of(root) {
            walk.add_file(path, root.to_owned(), language, Some(metadata));
        }
        return Ok(walk.found);
    }
    std::fs::read_dir(root).map_err(failed)?;
    let ignores = if options.ignore_files {
        Ignores::above(root)
    } else {
        Ignores::default()
    };
    let mut found = asked.walk_all(Pending {
        // Ignore files above the root know it by its true path.
        absolute: root.canonicalize().unwrap_or_else(|_| root.to_owned()),
        path: String::new(),
        ignores,
    });
    let Found {
        files,
        unreadable,
        skipped,
        others,
    } = &mut found;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    unreadable.sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
    skipped.sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
    others.sort();
    Ok(found)
}

/// Whether a folder is in a repository, or its top.
fn is_in_repository(root: &Path) -> bool {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    root.ancestors().any(|folder| folder.join(".git").exists())
}

impl Asked<'_> {
    /// Whether virtual environments and nested repositories are left out. In an untrusted workspace, adding a
    /// file must not hide code.
    fn trusts(&self) -> bool {
        self.options.ignore_files || self.options.leave_out
    }

    fn walk(&self) -> Walk<'_> {
        Walk {
            asked: self,
            found: Found::default(),
            below: Vec::new(),
        }
    }

    /// Walks a root, all folders of one depth at a time.
    fn walk_all(&self, root: Pending) -> Found {
        let mut found = Found::default();
        let mut level = vec![root];
        while !level.is_empty() {
            let walks: Vec<Walk<'_>> = level
                .par_iter()
                .map(|folder| {
                    let mut walk = self.walk();
                    walk.folder(folder);
                    walk
                })
                .collect();
            level.clear();
            for walk in walks {
                found.files.extend(walk.found.files);
                found.unreadable.extend(walk.found.unreadable);
                found.skipped.extend(walk.found.skipped);
                found.others.extend(walk.found.others);
                level.extend(walk.below);
            }
        }
        found
    }
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Pending) {
        let listed = match self.asked.manner.folders {
            Some(folders) => folders.entries(&folder.absolute),
            None => folders::read(&folder.absolute),
        };
        let entries = match listed {
            Ok(entries) => entries,
            Err(error) => return self.unreadable(&folder.path, &error),
        };
        // The names show without a system call which files are worth a lookup.
        let holds = |name: &str| entries.iter().any(|entry| entry.name == name);
        let options = self.asked.options;
        if let Some(reason) = self.reason_to_leave(folder, &holds) {
            return self.skip(format!("{}/", folder.path), reason.to_owned());
        }
        let mut ignores = folder.ignores.clone();
        if options.ignore_files {
            for trouble in ignores.enter(&folder.absolute, holds) {
                self.found.unreadable.push(Unmeasured {
                    path: join(&folder.path, trouble.file),
                    reason: trouble.message,
                });
            }
        }
        for entry in entries {
            self.entry(folder, entry, &ignores);
        }
    }

    /// Reason that a folder below the root is excluded because of its contents.
    fn reason_to_leave(
        &self,
        folder: &Pending,
        holds: &dyn Fn(&str) -> bool,
    ) -> Option<&'static str> {
        if folder.path.is_empty() || !self.asked.trusts() {
            return None;
        }
        if holds(kinds::VIRTUAL_ENVIRONMENT) && kinds::is_virtual_environment(&folder.absolute) {
            return Some("virtual environment");
        }
        let is_nested = holds(".git") && self.asked.in_repository;
        is_nested.then_some("a submodule or a separate repository")
    }

    fn entry(&mut self, folder: &Pending, entry: Entry, ignores: &Ignores) {
        let name = shown(&entry.name);
        let path = join(&folder.path, &name);
        let kind = match entry.kind {
            Ok(kind) => kind,
            // An entry that cannot be read has no name, so the folder is reported.
            Err(error) => return self.unreadable(path.trim_end_matches('/'), &error),
        };
        let absolute = folder.absolute.join(&entry.name);
        if kind == Kind::File && !folder.path.is_empty() && is_config(&absolute) {
            return self.skip(path, NOT_USED.to_owned());
        }
        if kind == Kind::Folder {
            match self.reason_not_to_enter(folder, &name, &path, &absolute, ignores) {
                Some(Reason::Silent) => {}
                Some(Reason::Told(reason)) => self.skip(format!("{path}/"), reason),
                None => self.below.push(Pending {
                    absolute,
                    path,
                    ignores: ignores.clone(),
                }),
            }
        } else if let Some(language) = (kind == Kind::File)
            .then(|| language_of(&absolute))
            .flatten()
        {
            if let Some(reason) = self.reason_to_skip(&path, &absolute, ignores) {
                self.skip(path, reason);
            } else {
                let metadata = std::fs::symlink_metadata(&absolute).ok();
                self.add_file(path, absolute, language, metadata);
            }
        } else if kind == Kind::File
            && is_of_other_language(&path, &absolute)
            && self.reason_to_skip(&path, &absolute, ignores).is_none()
        {
            self.found.others.push(path);
        }
    }

    fn reason_not_to_enter(
        &self,
        folder: &Pending,
        name: &str,
        path: &str,
        absolute: &Path,
        ignores: &Ignores,
    ) -> Option<Reason> {
        let options = self.asked.options;
        if options.excluded.iter().any(|e| e == name) {
            return Some(Reason::Silent);
        }
        if folder.path.is_empty() && options.excluded_at_top.iter().any(|e| e == name) {
            return Some(Reason::Told("excluded at the top level".to_owned()));
        }
        if self.asked.globs.is_match(path, true) {
            return Some(Reason::Told("excluded by the configuration".to_owned()));
        }
        let reason = if let Some(file) = ignores.ignored_by(absolute, true) {
            format!("ignored by {file}")
        } else {
            let is_top = || folder.path.is_empty() && folder.absolute.join(".git").exists();
            kinds::folder_by_name(path, is_top()).filter(|_| options.leave_out)?
        };
        // Reported now, because the folder will not be read.
        if self.asked.trusts() && kinds::is_virtual_environment(absolute) {
            return Some(Reason::Told("virtual environment".to_owned()));
        }
        Some(Reason::Told(reason))
    }

    fn reason_to_skip(&self, path: &str, absolute: &Path, ignores: &Ignores) -> Option<String> {
        if self.asked.globs.is_match(path, false) {
            return Some("excluded by the configuration".to_owned());
        }
        if let Some(file) = ignores.ignored_by(absolute, false) {
            return Some(format!("ignored by {file}"));
        }
        if !self.asked.options.leave_out {
            return None;
        }
        kinds::by_name(path)
    }

    fn add_file(
        &mut self,
        path: String,
        absolute: PathBuf,
        language: Language,
        metadata: Option<Metadata>,
    ) {
        // The published definitions cover only these files.
        if self.asked.options.profile == Profile::Paper && !path.ends_with(".py") {
            return;
        }
        let part = self.asked.options.part_of(&path, language.id(), false);
        if self.asked.options.tests == Tests::Exclude && part == Part::Tests {
            let reason = "tests are excluded".to_owned();
            return self.skip(path, reason);
        }
        let is_kept = self.asked.options.cache.is_some();
        let metadata = metadata.filter(|_| is_kept);
        let stamp = metadata.and_then(|metadata| Stamp::of(&absolute, &metadata));
        self.found.files.extend((self.asked.manner.take)(FoundFile {
            path,
            language,
            absolute,
            stamp,
        }));
    }

    fn skip(&mut self, path: String, reason: String) {
        self.found.skipped.push(Skipped { path, reason });
    }

    fn unreadable(&mut self, path: &str, error: &io::Error) {
        let path = if path.is_empty() { "." } else { path };
        self.found.unreadable.push(Unmeasured {
            path: path.to_owned(),
            reason: format!("cannot be read: {error}"),
        });
    }
}

/// Language of a file, by its name or, if ambiguous, by its first bytes.
fn language_of(path: &Path) -> Option<Language> {
    let by_name = Language::of_path(path);
    let header = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("h"));
    if (by_name.is_some() && !header) || (by_name.is_none() && path.extension().is_some()) {
        return by_name;
    }
    let mut head = Vec::new();
    let opened = File::open(path).ok()?;
    let bytes = opened.take(HEAD_BYTES as u64).read_to_end(&mut head);
    bytes.ok().and_then(|_| Language::of_file(path, &head))
}

/// Whether a file is in an unsupported language, by its suffix or as a script.
fn is_of_other_language(path: &str, absolute: &Path) -> bool {
    let is_script = || {
        absolute.extension().is_none() && Language::is_other_script(absolute, &head_of(absolute))
    };
    paths::other_language(path).is_some() || is_script()
}

/// First bytes of a file. Empty if it cannot be read.
fn head_of(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if let Ok(opened) = File::open(path)
        && opened
            .take(HEAD_BYTES as u64)
            .read_to_end(&mut head)
            .is_err()
    {
        head.clear();
    }
    head
}

/// Whether a file is a configuration of slope.
fn is_config(path: &Path) -> bool {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("slope.toml") => true,
        Some("pyproject.toml") => std::fs::read(path).is_ok_and(|text| has_table(&text)),
        _ => false,
    }
}

/// Reason that a folder is not entered.
enum Reason {
    /// The folder contains nothing that could be project code, so it is not listed.
    Silent,
    /// Reported reason.
    Told(String),
}

pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// Whether a folder above a file is excluded.
pub(crate) fn is_below_excluded(path: &Path, options: &Options) -> bool {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders
        .map(|part| shown(part.as_os_str()))
        .any(|name| options.excluded.iter().any(|e| *e == name))
}

/// Reason that a Git LFS pointer is not measured.
pub const LFS_POINTER: &str = "a Git LFS pointer: the repository keeps the file elsewhere";

/// Whether `content` is a Git LFS pointer.
#[must_use]
pub fn is_lfs_pointer(content: &[u8]) -> bool {
    content.len() < 1024 && content.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// Reads a file. A file larger than the limit and a Git LFS pointer are refused.
pub(crate) fn read(file: &FoundFile, limit: usize) -> Result<Vec<u8>, Refused> {
    let refused = |reason: String| Refused {
        path: file.path.clone(),
        reason,
    };
    let failed = |error: io::Error| refused(format!("cannot be read: {error}"));
    let opened = File::open(&file.absolute).map_err(failed)?;
    let size = usize::try_from(opened.metadata().map_err(failed)?.len()).unwrap_or(usize::MAX);
    if size > limit {
        let error = ParseError::TooLarge { limit };
        return Err(refused(reason_of(&error).into_owned()));
    }
    let mut bytes = Vec::with_capacity(size + 1);
    // One byte over the limit, so that a file that has grown meanwhile is refused too.
    opened
        .take(limit as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if is_lfs_pointer(&bytes) {
        return Err(refused(LFS_POINTER.to_owned()));
    }
    Ok(bytes)
}

/// The beginning of a file, which may show its language.
pub(crate) fn head(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(HEAD_BYTES)]
}

/// Splits files into those with cached facts, and the others.
pub(crate) fn parted<T>(
    files: Vec<FoundFile>,
    kept: Vec<Option<T>>,
) -> (Vec<(FoundFile, T)>, Vec<FoundFile>) {
    let known = kept.iter().flatten().count();
    let mut known_files = Vec::with_capacity(known);
    let mut fresh = Vec::with_capacity(files.len() - known);
    for (file, kept) in files.into_iter().zip(kept) {
        match kept {
            Some(kept) => known_files.push((file, kept)),
            None => fresh.push(file),
        }
    }
    (known_files, fresh)
}
