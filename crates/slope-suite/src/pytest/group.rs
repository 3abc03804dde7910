//! Assigns tests to groups.

use std::collections::BTreeMap;

use slope_model::problem::{Checkpoint, Group, Problem};

use super::report::Collected;
use crate::stability::Expected;

/// The tests that a run must account for, with owner and group.
///
/// The owner is the checkpoint named by the test's file, or else the current one. Tests of earlier
/// checkpoints are regression tests.
pub(super) fn expected(
    problem: &Problem,
    current: &Checkpoint,
    collected: &[Collected],
) -> Vec<Expected> {
    collected
        .iter()
        .map(|test| one(problem, current, test))
        .collect()
}

fn one(problem: &Problem, current: &Checkpoint, test: &Collected) -> Expected {
    let (file, id) = test.key.split_once("::").unwrap_or(("", &test.key));
    let name = file.rsplit('/').next().unwrap_or(file);
    let named = name
        .strip_prefix("test_")
        .and_then(|n| n.strip_suffix(".py"));
    let owner = problem
        .checkpoints
        .iter()
        .find(|c| named == Some(c.name.as_str()))
        .unwrap_or(current);
    let group = if owner.name == current.name {
        by_markers(&problem.markers, &test.markers)
    } else {
        Group::Regression
    };
    Expected {
        key: test.key.clone(),
        id: id.to_owned(),
        checkpoint: owner.name.clone(),
        group,
    }
}

fn by_markers(custom: &BTreeMap<String, Group>, markers: &[String]) -> Group {
    let has = |name: &str| markers.iter().any(|m| m == name);
    if has("error") {
        return Group::Error;
    }
    if has("regression") {
        return Group::Regression;
    }
    if let Some(group) = markers.iter().find_map(|m| custom.get(m)) {
        return *group;
    }
    if has("functionality") {
        Group::Functionality
    } else {
        Group::Core
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_decide_group_in_contract_order() {
        let custom = BTreeMap::from([
            ("heavy".to_owned(), Group::Functionality),
            ("fault".to_owned(), Group::Error),
        ]);
        let cases: [(&[&str], Group); 7] = [
            (&[], Group::Core),
            (&["core"], Group::Core),
            (&["parametrize", "functionality"], Group::Functionality),
            (&["functionality", "error"], Group::Error),
            (&["functionality", "regression"], Group::Regression),
            (&["heavy"], Group::Functionality),
            (&["functionality", "fault"], Group::Error),
        ];
        for (markers, group) in cases {
            let markers: Vec<_> = markers.iter().map(|m| (*m).to_owned()).collect();
            assert_eq!(by_markers(&custom, &markers), group, "{markers:?}");
        }
    }
}
