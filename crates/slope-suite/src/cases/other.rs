//! Code of the problem that runs next to the answer: legacy code and reference solutions.

use std::fs;
use std::path::{Path, PathBuf};

use super::Grading;
use crate::archive::{Packer, sorted_names};
use crate::error::Error;

/// Code of the problem as a snapshot, with a folder for its sessions.
pub(super) struct OtherCode {
    pub(super) folder: PathBuf,
    pub(super) tar: PathBuf,
}

impl OtherCode {
    /// Packs the code of the graded checkpoint in the problem's folder `kind`, such as `solutions-java`.
    pub(super) fn pack(grading: &Grading<'_>, kind: &str) -> Result<Self, Error> {
        let request = grading.request;
        let code = request.problem.root.join(kind).join(&grading.current.name);
        let folder = subfolder(request.work_dir, kind)?;
        let tar = folder.join("snapshot.tar");
        let mut packer = Packer::create(&tar)?;
        for name in sorted_names(&code)? {
            packer.tree(Path::new(&name), &code.join(&name))?;
        }
        packer.finish()?;
        Ok(Self { folder, tar })
    }
}

/// A folder for the files of another grading.
pub(super) fn subfolder(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let path = folder.join(name);
    fs::create_dir_all(&path).map_err(Error::io("create", &path))?;
    Ok(path)
}
