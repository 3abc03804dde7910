//! Log events of a measurement.

use std::path::Path;
use std::time::Instant;

use tracing::{debug, trace};

use crate::discover::Found;

/// Target of all lines of this crate.
const TARGET: &str = "slope_measure";

/// Logs the number of files found.
pub(crate) fn discovered(root: &Path, found: &Found, ahead: usize) {
    debug!(
        target: TARGET,
        ?root,
        files = found.files.len() + ahead,
        skipped = found.skipped.len(),
        unreadable = found.unreadable.len(),
        "files discovered"
    );
}

/// Logs how many files the cache knew, and how many were analysed.
pub(crate) fn looked_up(hits: usize, analysed: usize) {
    debug!(target: TARGET, hits, analysed, "files analysed");
}

/// Logs the end of a measurement.
pub(crate) fn measured(began: Instant, files: usize) {
    let duration_s = began.elapsed().as_secs_f64();
    debug!(target: TARGET, files, duration_s, "directory measured");
}

/// Logs whether a content is in the cache.
pub(crate) fn content(language: &str, bytes: usize, hit: bool) {
    trace!(target: TARGET, language, bytes, hit, "content read");
}
