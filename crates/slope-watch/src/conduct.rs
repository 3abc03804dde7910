//! How the assistant worked, from the folders of its attempts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use slope_model::watch::{Conduct, Requests};

/// Requests of an arm: each hash with the number of its runs, and the models that answered.
#[derive(Debug, Default)]
pub(crate) struct Common {
    hashes: [BTreeMap<Option<String>, usize>; 3],
    served: BTreeSet<String>,
}

/// How the assistant worked in the attempt with this folder. Notes what its requests have in common with others.
pub(crate) fn of_attempt(folder: &Path, common: &mut Common) -> Conduct {
    let mut found = Conduct {
        unparsable_files: unparsable(folder),
        ..Conduct::default()
    };
    // A log that is not there, or is damaged, says nothing.
    let log = slope_gateway::conduct(&folder.join("requests.jsonl")).ok();
    let Some(log) = log.filter(|log| log.answers > 0) else {
        return found;
    };
    found.tool_s = Some(log.tool_s);
    found.reads_before_edit = log.reads_before_edit;
    found.malformed_calls = Some(log.malformed_calls);
    found.cut_answers = Some(log.cut_answers);
    found.refusals = Some(log.refusals);
    found.foreign_characters = Some(log.foreign_characters);
    let hashes = [log.hashes.system, log.hashes.tools, log.hashes.parameters];
    for (counts, hash) in common.hashes.iter_mut().zip(hashes) {
        *counts.entry(hash).or_default() += 1;
    }
    common.served.extend(log.served);
    found
}

/// Files with syntax errors, by the measurement of an attempt.
fn unparsable(folder: &Path) -> Option<u64> {
    #[derive(Deserialize)]
    struct Measured {
        files: Vec<File>,
    }
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        syntax_errors: Option<IgnoredAny>,
    }
    let measured: Measured =
        slope_store::atomic::read_json(&folder.join("measurement.json")).ok()?;
    let files = measured.files.iter();
    let broken = files.filter(|file| file.syntax_errors.is_some());
    Some(broken.count() as u64)
}

impl Common {
    /// What more than half of the runs have in common; `None` without any request.
    pub(crate) fn requests(self) -> Option<Requests> {
        let runs: usize = self.hashes[0].values().sum();
        if runs == 0 {
            return None;
        }
        let most = |counts: BTreeMap<Option<String>, usize>| {
            let most = counts.into_iter().max_by_key(|(_, count)| *count);
            most.filter(|(_, count)| count * 2 > runs)?.0
        };
        let [system, tools, parameters] = self.hashes.map(most);
        Some(Requests {
            system,
            tools,
            parameters,
            served: self.served.into_iter().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_of_most_runs_counts() {
        let mut common = Common::default();
        let hash = |text: &str| Some(text.to_owned());
        common.hashes[0] = BTreeMap::from([(hash("a"), 3), (hash("b"), 1)]);
        common.hashes[1] = BTreeMap::from([(hash("a"), 2), (hash("b"), 2)]);
        common.hashes[2] = BTreeMap::from([(None, 4)]);
        let found = common.requests().unwrap();
        assert_eq!(found.system, hash("a"));
        assert_eq!((found.tools, found.parameters), (None, None));
        assert!(Common::default().requests().is_none());
    }

    #[test]
    fn folder_without_files_says_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut common = Common::default();
        assert_eq!(of_attempt(dir.path(), &mut common), Conduct::default());
        assert!(common.requests().is_none());
    }
}
