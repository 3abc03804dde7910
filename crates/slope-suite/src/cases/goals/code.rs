//! Complexity mass and clone lines of a snapshot.

use std::path::Path;

use slope_measure::{Measurer, Options};

use crate::archive;
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
    // One byte more than the limit shows that a file is above it.
    let most = measurer.largest() as u64 + 1;
    let code = archive::files(snapshot, most, |path| measurer.measures(path))?;
    let measurement = measurer.measure_files(code);
    let unmeasured = measurement.unmeasured.first();
    let clone_lines = measurement.totals.clone_lines;
    let clone_lines = clone_lines.map(|lines| u32::try_from(lines).unwrap_or(u32::MAX));
    Ok(CodeSize {
        mass: measurement.totals.mass,
        clone_lines: clone_lines.map(f64::from),
        unmeasured: unmeasured.map(|one| format!("{}: {}", one.path, one.reason)),
    })
}
