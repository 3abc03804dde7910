//! Turns a measurement into the tool's report.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use slope_model::finding::Finding;
use slope_model::measurement::Measurement;
use slope_report::{clean, clean_path};

use crate::answers::{Complex, Found, Measured, Place};

/// The report on a file or folder, its path relative to the root: with `top` of the functions above the
/// cut-off and of the findings.
pub(crate) fn tell(
    measured: &Measurement,
    path: String,
    is_dir: bool,
    (cut_off, top): (u32, usize),
) -> Measured {
    let prefix = prefix(&path, is_dir);
    let mut categories = BTreeMap::new();
    for finding in &measured.findings {
        *categories.entry(finding.category.clone()).or_insert(0) += 1;
    }
    let totals = &measured.totals;
    Measured {
        files: totals.files,
        sloc: totals.sloc,
        functions: totals.callables,
        high_complexity_functions: totals.high_complexity_callables,
        complexity_mass: totals.mass,
        erosion: totals.erosion,
        clone_lines: totals.clone_lines,
        flagged_lines: totals.flagged_lines,
        verbosity: totals.verbosity,
        findings_by_category: categories,
        most_complex: most_complex(measured, &prefix, cut_off, top),
        findings: findings(measured, &prefix, top),
        unmeasured: measured.unmeasured.len(),
        path: match path.as_str() {
            "" => ".".to_owned(),
            _ => path,
        },
    }
}

/// Prefix of the paths of a measurement, which are relative to the measured root.
fn prefix(path: &str, is_dir: bool) -> String {
    match (is_dir, path) {
        (_, "") => String::new(),
        (true, path) => format!("{path}/"),
        (false, path) => match path.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/"),
            None => String::new(),
        },
    }
}

fn most_complex(measured: &Measurement, prefix: &str, cut_off: u32, top: usize) -> Vec<Complex> {
    let mut found = Vec::new();
    for file in &measured.files {
        for callable in file.callables.iter().filter(|c| c.complexity > cut_off) {
            let place = Place {
                path: clean_path(&format!("{prefix}{}", file.path)),
                line: callable.span.start_line,
                end_line: callable.span.end_line,
                name: clean(&callable.name),
            };
            let complex = Complex {
                place,
                complexity: callable.complexity,
                sloc: callable.sloc,
            };
            found.push((callable.mass, complex));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
        .into_iter()
        .take(top)
        .map(|(_, complex)| complex)
        .collect()
}

fn findings(measured: &Measurement, prefix: &str, top: usize) -> Vec<Found> {
    let mut all: Vec<&Finding> = measured.findings.iter().collect();
    all.sort_by_key(|finding| Reverse(finding.severity));
    let first = all.into_iter().take(top);
    first
        .map(|finding| Found {
            rule: finding.rule.clone(),
            path: clean_path(&format!("{prefix}{}", finding.path)),
            line: finding.span.start_line,
            message: clean(&named(finding, prefix)),
        })
        .collect()
}

/// The message of a finding, with the other file's path in the same form as its own.
fn named(finding: &Finding, prefix: &str) -> String {
    let before = match finding.rule.as_str() {
        "clone" | "near-clone" => " places, also at ",
        "reimplementation" => "` already (",
        _ => return finding.message.clone(),
    };
    let with = format!("{before}{prefix}");
    finding.message.replacen(before, &with, 1)
}
