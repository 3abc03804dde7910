//! The quality numbers of a checkpoint, recomputed from its symbols and files.

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::error_text::one_line;
use slope_model::measurement::Totals;
use slope_model::metrics::{EROSION, FLAGGED_LINES, VERBOSITY};

use super::check::held;
use super::checkpoint::Place;
use super::files::{self, MeasuredFile, Row, Symbol};
use super::recount;
use super::remark::{Remark, remark};

/// Complexity above which a function is of high complexity, and of extreme.
const HIGH: u32 = 10;
const EXTREME: u32 = 30;

/// Folder name below which code is third-party.
const INSTALLED: &str = "site-packages";

/// Sums of a snapshot's symbols.
#[derive(Debug, Default)]
struct Sums {
    callables: u32,
    high: u32,
    extreme: u32,
    most: u32,
    mass: f64,
    high_mass: f64,
}

impl Sums {
    fn of<'a>(symbols: impl Iterator<Item = &'a Symbol>) -> Self {
        let mut sums = Self::default();
        for symbol in symbols.filter(|s| s.is_function()) {
            let complexity = symbol.complexity.unwrap_or(0);
            let is_high = complexity > HIGH;
            sums.callables += 1;
            sums.high += u32::from(is_high);
            sums.extreme += u32::from(complexity > EXTREME);
            sums.most = sums.most.max(complexity);
            let mass = symbol.mass();
            sums.mass += mass;
            sums.high_mass += if is_high { mass } else { 0.0 };
        }
        sums
    }

    fn erosion(&self) -> f64 {
        if self.mass > 0.0 {
            self.high_mass / self.mass
        } else {
            0.0
        }
    }
}

/// Totals with their functions, or the reason that they are missing.
type Measured = Result<(Totals, Vec<Symbol>), String>;

/// Measurements of the checkpoint in `folder`, and their differences from `row`.
pub(crate) fn totals(folder: &Path, row: Option<&Row>, place: &Place) -> (Measured, Vec<Remark>) {
    let quality = folder.join("quality_analysis");
    let measured = files::lines::<MeasuredFile>(&quality.join("files.jsonl"));
    let symbols = files::lines::<Symbol>(&quality.join("symbols.jsonl"));
    let measured = match measured {
        Ok(measured) => measured,
        Err(error) => return (Err(one_line(&error)), Vec::new()),
    };
    let own_file = |path: &str| !path.split('/').any(|part| part == INSTALLED);
    let installed = measured.iter().filter(|f| !own_file(&f.file_path)).count();
    let mut remarks = Vec::new();
    if installed > 0 {
        let text = format!(
            "{installed} of {} measured files lie below {INSTALLED}; the stored numbers count \
             them, those here do not",
            measured.len()
        );
        remarks.push(remark("nested-virtual-environment", place.name(), text));
    }
    let symbols = match symbols {
        Ok(symbols) => symbols,
        Err(error) => return (Err(one_line(&error)), remarks),
    };
    if let Some(row) = row {
        let sums = Sums::of(symbols.iter());
        remarks.extend(differences(&sums, &measured, row, place));
        if recount::is_newer(row) {
            let mut computed = recount::of_code(&symbols, &measured, row);
            computed.extend(recount::of_diff(folder, &measured));
            remarks.extend(held(row, &computed, 1e-9, place));
        }
    }
    let own: Vec<&MeasuredFile> = measured.iter().filter(|f| own_file(&f.file_path)).collect();
    if own.is_empty() {
        let text = "the snapshot has no source file; the stored numbers are zeros".to_owned();
        remarks.push(remark("empty-snapshot", place.name(), text.clone()));
        return (Err(text), remarks);
    }
    let mut functions = symbols;
    functions.retain(|s| s.is_function() && own_file(&s.file_path));
    let sums = Sums::of(functions.iter());
    (Ok((assembled(&own, &sums, row), functions)), remarks)
}

fn assembled(own: &[&MeasuredFile], sums: &Sums, row: Option<&Row>) -> Totals {
    let stored = |key: &str| row.and_then(|row| row.number(key));
    let mut missing = BTreeMap::new();
    let verbosity = stored("verbosity");
    if verbosity.is_none() {
        let why = "the run has none, because the harness's scorer failed";
        missing.insert(VERBOSITY.id.to_owned(), why.to_owned());
    }
    let rules = "the harness's rule engine is not known to have run";
    missing.insert(FLAGGED_LINES.id.to_owned(), rules.to_owned());
    if sums.mass <= 0.0 {
        let why = "no function has source lines".to_owned();
        missing.insert(EROSION.id.to_owned(), why);
    }
    Totals {
        files: u32::try_from(own.len()).unwrap_or(u32::MAX),
        lines: own.iter().map(|f| f.total_lines).sum(),
        sloc: own.iter().map(|f| f.loc).sum(),
        callables: sums.callables,
        high_complexity_callables: sums.high,
        max_complexity: Some(sums.most),
        mass: Some(sums.mass),
        high_complexity_mass: Some(sums.high_mass),
        erosion: (sums.mass > 0.0).then(|| sums.erosion()),
        clone_lines: Some(own.iter().map(|f| f.clone_lines).sum()),
        verbosity,
        missing,
        ..Totals::default()
    }
}

/// Differences of the row from its symbols and files.
fn differences(sums: &Sums, measured: &[MeasuredFile], row: &Row, place: &Place) -> Vec<Remark> {
    let lines = |of: fn(&MeasuredFile) -> u64| {
        let sum: u64 = measured.iter().map(of).sum();
        super::check::float(sum)
    };
    let computed = [
        ("cc_max", f64::from(sums.most)),
        ("cc_high_count", f64::from(sums.high)),
        ("cc_extreme_count", f64::from(sums.extreme)),
        // Stored with two decimals.
        ("mass.cc", (sums.mass * 100.0).round() / 100.0),
        ("mass.high_cc_pct", sums.erosion()),
        ("files", super::check::float(measured.len() as u64)),
        ("sloc", lines(|f| f.loc)),
        ("total_lines", lines(|f| f.total_lines)),
        ("clone_lines", lines(|f| f.clone_lines)),
    ];
    held(row, &computed, 1e-9, place)
}
