//! Files of a base in a repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_git::{Id, Reader, Repo};
use slope_measure::{Content, LFS_POINTER, Measurer, is_lfs_pointer};

use crate::Error;
use crate::contents::Contents;

/// Files of a base in a repository.
pub(crate) struct BaseFiles {
    pub(crate) repo: Repo,
    pub(crate) files: Files,
}

impl BaseFiles {
    /// Root of the worktree.
    pub(crate) fn top(&self) -> &Path {
        self.repo.path()
    }

    /// Ids of the contents by path; `None` if some are outside of the repository.
    pub(crate) fn ids(&self) -> Option<BTreeMap<String, String>> {
        let id = |(path, place): (&String, &Place)| match place {
            Place::Blob(id) => Some((path.clone(), id.to_string())),
            Place::Disk(_) | Place::Bytes(_) => None,
        };
        self.files.iter().map(id).collect()
    }

    /// All contents, sorted by path: whole if `is_whole` says so, otherwise in outline.
    pub(crate) fn contents(
        &self,
        measurer: &Measurer,
        is_whole: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<(String, Content)>, Error> {
        self.read(measurer, listed(&self.files), is_whole)
    }

    /// The whole contents of some paths, without those that the base does not have.
    pub(crate) fn contents_of(
        &self,
        measurer: &Measurer,
        paths: &[String],
    ) -> Result<Vec<(String, Content)>, Error> {
        let places = paths.iter().filter_map(|path| {
            let (path, place) = self.files.get_key_value(path)?;
            Some((path.as_str(), place))
        });
        self.read(measurer, places.collect(), &|_| true)
    }

    /// The contents of changed files by path; [`Content::Nothing`] for removed ones.
    pub(crate) fn changed(
        &self,
        measurer: &Measurer,
        changes: &BTreeMap<String, Option<Place>>,
    ) -> Result<Contents, Error> {
        let there = changes
            .iter()
            .filter_map(|(path, place)| Some((path.as_str(), place.as_ref()?)));
        let found = self.read(measurer, there.collect(), &|_| true)?;
        let gone = changes.keys().map(|path| (path.clone(), Content::Nothing));
        let mut contents: Contents = gone.collect();
        contents.extend(found);
        Ok(contents)
    }

    /// The contents of places, read in parallel, in their order.
    pub(crate) fn read<'p>(
        &self,
        measurer: &Measurer,
        places: Vec<(&'p str, &'p Place)>,
        is_whole: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<(String, Content)>, Error> {
        let one = |reader: &mut Reader, (path, place): (&str, &Place)| {
            let content = match bytes(reader, path, place)? {
                bytes if is_lfs_pointer(&bytes) => Content::Unmeasured(LFS_POINTER.to_owned()),
                bytes if is_whole(path) => measurer.content(path, &bytes),
                bytes => measurer.outline(path, &bytes),
            };
            Ok((path.to_owned(), content))
        };
        measurer.install(|| {
            let each = places.into_par_iter().with_max_len(8);
            each.map_init(|| self.repo.reader(), one).collect()
        })
    }
}

pub(crate) fn bytes(reader: &Reader, path: &str, place: &Place) -> Result<Vec<u8>, Error> {
    Ok(match place {
        Place::Blob(id) => reader.blob(*id, path)?,
        Place::Disk(file) => read_file(file)?,
        Place::Bytes(bytes) => bytes.clone(),
    })
}

fn read_file(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

pub(crate) fn listed(files: &Files) -> Vec<(&str, &Place)> {
    let each = files.iter();
    each.map(|(path, place)| (path.as_str(), place)).collect()
}

/// Location of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Blob(Id),
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

/// The files of a tree by path.
pub(crate) type Files = BTreeMap<String, Place>;
