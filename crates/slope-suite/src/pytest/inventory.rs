//! Expected tests, collected before the program is added.

use std::fs;

use serde::{Deserialize, Serialize};

use super::report::{Collected, Report};
use super::session::Session;
use super::{Grading, stage};
use crate::error::Error;

/// Raised when the same tests would be collected differently.
const RECIPE: &str = "slope inventory 1";

#[derive(Serialize, Deserialize)]
struct Inventory {
    tests: Vec<Collected>,
}

/// Collects the tests in a sandbox of their own, with an empty workspace, once for each set of tests.
pub(super) fn collect(grading: &Grading<'_>) -> Result<Vec<Collected>, Error> {
    let folder = grading.request.options.cache_dir.join("inventories");
    fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
    let path = folder.join(format!("{}.json", key(grading)));
    if let Some(known) = fs::read(&path)
        .ok()
        .and_then(|b| serde_json::from_slice::<Inventory>(&b).ok())
    {
        return Ok(known.tests);
    }
    let inventory = Inventory {
        tests: collect_now(grading)?,
    };
    let bytes = serde_json::to_vec(&inventory).map_err(|e| Error::suite(&path, e.to_string()))?;
    let mut file =
        tempfile::NamedTempFile::new_in(&folder).map_err(Error::io("create a file in", &folder))?;
    std::io::Write::write_all(&mut file, &bytes).map_err(Error::io("write", &path))?;
    file.persist(&path)
        .map_err(|e| Error::io("create", &path)(e.error))?;
    Ok(inventory.tests)
}

fn key(grading: &Grading<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    let env = format!("{:?}", grading.current.env);
    let parts = [
        RECIPE,
        stage::RUNNER_SOURCE,
        &grading.tests.hash,
        &grading.environment.key,
        &grading.current.name,
        &grading.request.problem.entry_file,
        &env,
    ];
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

fn collect_now(grading: &Grading<'_>) -> Result<Vec<Collected>, Error> {
    let session = Session::collect(grading)?;
    let report = Report::read(&session.stdout)?;
    let problem = format!("{}, {}", grading.request.problem.name, grading.current.name);
    let failed = |why: String| {
        Err(Error::Collect {
            problem: problem.clone(),
            why,
        })
    };
    if let Some((key, message)) = report.collect_errors.first() {
        return failed(format!("{key}: {message}"));
    }
    let Some(end) = report.end else {
        return failed(format!(
            "the runner ended early ({}): {}",
            session.exit,
            session.last_words()
        ));
    };
    match report.collected {
        Some(tests) if end.status == 0 && !tests.is_empty() => Ok(tests),
        _ => failed(format!(
            "pytest ended with status {}: {}",
            end.status,
            session.last_words()
        )),
    }
}
