//! Complexity mass and clone lines of a snapshot.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use slope_measure::{Measurer, Options};

use crate::archive::relative;
use crate::error::Error;

/// The size of the code in a snapshot.
pub(super) struct CodeSize {
    /// Complexity mass; `None` without code.
    pub(super) mass: Option<f64>,
    /// Source lines in clones; `None` without code.
    pub(super) clone_lines: Option<f64>,
    /// Reason that a file was not measured, if one was not: it could hide any amount of code.
    pub(super) unmeasured: Option<String>,
}

/// A measurer without rules. All files count, as in the measurements of runs.
pub(super) fn measurer() -> Result<Measurer, Error> {
    let options = Options {
        own_rules: false,
        signals: false,
        excluded: vec![".git".to_owned()],
        ..Options::default()
    };
    Measurer::new(options).map_err(|why| Error::suite(Path::new("goals"), why.to_string()))
}

/// Measures the files in the tar file `snapshot`.
pub(super) fn size_of(measurer: &Measurer, snapshot: &Path) -> Result<CodeSize, Error> {
    let measurement = measurer.measure_files(files(measurer, snapshot)?);
    let unmeasured = measurement.unmeasured.first();
    let clone_lines = measurement.totals.clone_lines;
    let clone_lines = clone_lines.map(|lines| u32::try_from(lines).unwrap_or(u32::MAX));
    Ok(CodeSize {
        mass: measurement.totals.mass,
        clone_lines: clone_lines.map(f64::from),
        unmeasured: unmeasured.map(|one| format!("{}: {}", one.path, one.reason)),
    })
}

/// Regular files that may be code. Files above the size limit are not read in full.
fn files(measurer: &Measurer, snapshot: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    let failed = |why| Error::io("read", snapshot)(why);
    let limit = measurer.largest() as u64 + 1;
    let file = File::open(snapshot).map_err(Error::io("open", snapshot))?;
    let mut archive = tar::Archive::new(BufReader::new(file));
    let mut files = Vec::new();
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let path = relative(&entry.path().map_err(failed)?);
        let path = path.filter(|path| measurer.measures(path));
        let Some(path) = path.filter(|_| entry.header().entry_type().is_file()) else {
            continue;
        };
        let mut bytes = Vec::new();
        let read = (&mut entry).take(limit).read_to_end(&mut bytes);
        read.map_err(failed)?;
        files.push((path, bytes));
    }
    Ok(files)
}
