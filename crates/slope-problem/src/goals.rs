//! Goals of refactorings, and the legacy code that these start from.

use std::path::{Path, PathBuf};

use slope_model::cases::CaseFile;
use slope_model::problem::{Goals, SuiteKind};

use crate::Error;
use crate::config::RawProblem;

/// Folder of the legacy code in Python. Those of other languages have their name after a hyphen: `legacy-java`.
const LEGACY: &str = "legacy";

/// A fault of goals, and its remedy.
pub(crate) struct GoalFault(pub(crate) String, pub(crate) &'static str);

/// Checks the goals of a checkpoint.
pub(crate) fn check(problem: &RawProblem, goals: &Goals) -> Result<(), GoalFault> {
    if problem.suite != Some(SuiteKind::Cases) {
        let what = "goals need declarative cases".to_owned();
        return Err(GoalFault(what, "set `suite: cases` and add suite/"));
    }
    if goals.shares().next().is_none() {
        let remedy = "set complexity_mass, clone_lines or cpu_time";
        return Err(GoalFault("there is no goal".to_owned(), remedy));
    }
    let is_share = |share: f64| share > 0.0 && share < 1.0;
    if let Some((name, share)) = goals.shares().find(|(_, share)| !is_share(*share)) {
        let what = format!("{name} is {share}, not a share of the start");
        return Err(GoalFault(
            what,
            "use a number above 0 and below 1, such as 0.5",
        ));
    }
    match &goals.cpu_time {
        Some(goal) if goal.cases.is_empty() => Err(GoalFault(
            "cpu_time names no case".to_owned(),
            "name cases whose CPU time counts: `cases: [ID]`",
        )),
        _ => Ok(()),
    }
}

/// Checks that the cases of a goal exist, and that there is legacy code for the checkpoint `name`.
pub(crate) fn check_files(
    config: &Path,
    root: &Path,
    name: &str,
    goals: &Goals,
    suite: &CaseFile,
) -> Result<(), Error> {
    let has = |id: &String| suite.cases.iter().any(|case| case.id == *id);
    let mut wanted = goals.cpu_time.iter().flat_map(|goal| &goal.cases);
    if let Some(id) = wanted.find(|id| !has(id)) {
        let what = format!("cpu_time names the case {id:?}, which {name} does not have");
        let remedy = "name cases of the checkpoint's own suite";
        return Err(Error::malformed(config, None, what, remedy));
    }
    if folders(root)?
        .iter()
        .any(|folder| root.join(folder).join(name).is_dir())
    {
        return Ok(());
    }
    let missing = root.join(LEGACY).join(name);
    let remedy = "add the code that the checkpoint starts from, in legacy/ or legacy-LANGUAGE/";
    Err(Error::missing(&missing, "the legacy code", remedy))
}

/// Folders of legacy code in the problem at `root`, relative to it, in order.
pub(crate) fn folders(root: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in root.read_dir().map_err(Error::io(root, "cannot list"))? {
        let name = entry.map_err(Error::io(root, "cannot list"))?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name == LEGACY || name.starts_with("legacy-") {
            found.push(PathBuf::from(name));
        }
    }
    found.sort();
    Ok(found)
}
