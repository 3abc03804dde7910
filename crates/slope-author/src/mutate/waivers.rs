//! Mutants that no case can kill, because they do the same as the original.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;
use slope_model::data_words::yaml_in_words;

use crate::Error;

/// Name of the file in a problem's folder.
pub const FILE: &str = "mutants.yaml";
/// Version of the file's form.
pub const SCHEMA: &str = "slope.mutants/1";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    waived: Vec<Waiver>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waiver {
    fingerprint: String,
    reason: String,
}

/// Waived fingerprints with their reasons; empty if the problem has no such file.
///
/// # Errors
/// If the file is malformed, or a waiver has no reason.
pub fn read(problem: &Path) -> Result<BTreeMap<String, String>, Error> {
    let path = problem.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(why) => return Err(Error::io("read", &path)(why)),
    };
    let bad = |why: String| Error::Request(format!("{}: {why}", path.display()));
    let file: File =
        serde_saphyr::from_str(&text).map_err(|e| bad(yaml_in_words(&e.to_string())))?;
    if file.schema != SCHEMA {
        return Err(bad(format!(
            "schema is `{}`, expected `{SCHEMA}`",
            file.schema
        )));
    }
    let mut waived = BTreeMap::new();
    for waiver in file.waived {
        if waiver.reason.trim().is_empty() {
            return Err(bad(format!(
                "the waiver of {} gives no reason\nhelp: explain why no case can tell it from the original",
                waiver.fingerprint
            )));
        }
        waived.insert(waiver.fingerprint, waiver.reason);
    }
    Ok(waived)
}
