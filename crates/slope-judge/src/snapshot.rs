//! Code to judge: a folder, a file, or a revision.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_change::{folder_within, is_below};
use slope_git::{Id, Kind, Repo};
use slope_measure::{Choice, Measurer};
use slope_model::measurement::Measurement;

use crate::Error;

/// Code with its measurement.
pub struct Snapshot {
    /// Name for messages: a path or a revision.
    pub name: String,
    /// The measurement.
    pub measurement: Measurement,
    texts: Texts,
}

#[derive(Clone)]
enum Texts {
    Below(PathBuf),
    Read(BTreeMap<String, Vec<u8>>),
}

impl Snapshot {
    /// The code below a folder, or of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_path(measurer: &Measurer, path: &Path) -> Result<Self, Error> {
        let measurement = measurer.measure_dir(path)?;
        let is_file = path.is_file();
        let root = if is_file { path.parent() } else { Some(path) };
        Ok(Self {
            name: path.display().to_string(),
            measurement,
            texts: Texts::Below(root.unwrap_or(path).to_owned()),
        })
    }

    /// The code of a commit at a path in the repository, or below it.
    ///
    /// # Errors
    /// If the repository cannot be read.
    pub fn of_commit(
        measurer: &Measurer,
        repo: &Repo,
        (commit, name): (Id, &str),
        path: &Path,
    ) -> Result<Self, Error> {
        let below = folder_within(repo, path);
        let reader = repo.reader();
        let tree = reader.commit(commit)?.tree;
        let entries = reader.files(tree, &|_| true)?;
        let blobs: BTreeMap<String, Id> = entries
            .into_iter()
            .filter(|entry| entry.kind == Kind::File && is_below(&below, &entry.path))
            .map(|entry| (entry.path, entry.id))
            .collect();
        let read = |path: &str| reader.blob(*blobs.get(path)?, path).ok();
        let selection = measurer.selection(blobs.keys().map(String::as_str), &read)?;
        let mut files = BTreeMap::new();
        for (path, id) in &blobs {
            if selection.choice(path) == Choice::Measured {
                files.insert(path.clone(), reader.blob(*id, path)?);
            }
        }
        Ok(Self::of_files(measurer, files, name))
    }

    /// The code of a stored tree, of which `read` returns the content of a path.
    ///
    /// # Errors
    /// If a glob of the measurer's options is invalid.
    pub fn of_tree<'p>(
        measurer: &Measurer,
        paths: impl Iterator<Item = &'p str>,
        read: &dyn Fn(&str) -> Option<Vec<u8>>,
        name: &str,
    ) -> Result<Self, Error> {
        let paths: Vec<&str> = paths.collect();
        let selection = measurer.selection(paths.iter().copied(), read)?;
        let measured = paths.into_iter();
        let measured = measured.filter(|path| selection.choice(path) == Choice::Measured);
        let files = measured.filter_map(|path| Some((path.to_owned(), read(path)?)));
        Ok(Self::of_files(measurer, files.collect(), name))
    }

    /// The code of files in memory.
    #[must_use]
    pub fn of_files(measurer: &Measurer, files: BTreeMap<String, Vec<u8>>, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            measurement: measurer.measure_files(files.iter()),
            texts: Texts::Read(files),
        }
    }

    /// Both sides of a change with only the files that differ, for judges that see nothing else.
    #[must_use]
    pub fn differing(base: &Self, head: &Self) -> (Self, Self) {
        (base.without_those_of(head), head.without_those_of(base))
    }

    fn without_those_of(&self, other: &Self) -> Self {
        let mut measurement = self.measurement.clone();
        let is_changed = |path: &str| self.text(path) != other.text(path);
        measurement.files.retain(|file| is_changed(&file.path));
        Self {
            name: self.name.clone(),
            measurement,
            texts: self.texts.clone(),
        }
    }

    /// The content of a file; `None` if it cannot be read.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<Vec<u8>> {
        match &self.texts {
            Texts::Below(root) => std::fs::read(root.join(path)).ok(),
            Texts::Read(files) => files.get(path).cloned(),
        }
    }
}
