//! Security findings that an attempt added: those of its code that the code before it does not have.

use std::collections::BTreeMap;

use slope_measure::Measurer;
use slope_model::detail::NewSecurity;
use slope_model::finding::Finding;
use slope_model::measurement::{FileMeasurement, Measurement, Part};
use slope_store::snapshot::Snapshots;

use crate::Error;
use crate::grading::measure;

/// File with the findings, next to an attempt's measurement.
pub(crate) const FILE: &str = "security.json";

/// Findings in the production code of `snapshot` that `start` does not have; without a start, all of them. `None` if
/// no rule is for the languages of the snapshot.
pub(crate) fn added(
    measurer: &Measurer,
    snapshots: &Snapshots,
    start: Option<&str>,
    snapshot: &str,
) -> Result<Option<NewSecurity>, Error> {
    let after = measure(measurer, snapshots, snapshot)?;
    let has_rules = |file: &FileMeasurement| measurer.rules().has_security_rules(&file.language);
    if !after.files.iter().any(has_rules) {
        return Ok(None);
    }
    let before = match start {
        Some(start) => in_production(&measure(measurer, snapshots, start)?),
        None => Vec::new(),
    };
    Ok(Some(NewSecurity {
        findings: new_in(&before, in_production(&after)),
        definitions: after.definitions.hash,
    }))
}

/// The security findings of a measurement, without those in tests.
fn in_production(measurement: &Measurement) -> Vec<Finding> {
    let files: BTreeMap<&str, &FileMeasurement> = measurement
        .files
        .iter()
        .map(|file| (file.path.as_str(), file))
        .collect();
    let is_production = |finding: &&Finding| {
        let file = files.get(finding.path.as_str());
        file.is_some_and(|file| file.part_at(finding.span.start_line) == Part::Product)
    };
    let security = measurement.findings.iter();
    let security = security.filter(|finding| finding.category == slope_measure::SECURITY);
    security.filter(is_production).cloned().collect()
}

/// The findings of `after` beyond those of `before`. A finding of a function that was renamed or rewritten has another
/// fingerprint. So of each rule, as many unknown findings are old as known ones are gone.
fn new_in(before: &[Finding], after: Vec<Finding>) -> Vec<Finding> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let mut gone: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in before {
        *known.entry(&finding.fingerprint).or_default() += 1;
        *gone.entry(&finding.rule).or_default() += 1;
    }
    let (old, mut new): (Vec<_>, Vec<_>) = after
        .into_iter()
        .partition(|finding| took_one(&mut known, &finding.fingerprint));
    for finding in &old {
        took_one(&mut gone, &finding.rule);
    }
    new.retain(|finding| !took_one(&mut gone, &finding.rule));
    new
}

/// Takes one of a kind, if there is one.
fn took_one(counts: &mut BTreeMap<&str, usize>, key: &str) -> bool {
    match counts.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use slope_measure::{Measurer, Options};
    use slope_store::ignore::Ignore;
    use slope_store::snapshot::Snapshots;

    use super::added;

    /// Files of a workspace, by path.
    type Files<'a> = &'a [(&'a str, &'a str)];

    const SHELL: &str = "import os\n\ndef show(name):\n    os.system('ls ' + name)\n";

    fn snapshot(snapshots: &Snapshots, files: Files<'_>) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let imported = snapshots.import_dir(folder.path(), &Ignore::default());
        imported.unwrap().id
    }

    /// Places of the findings that the second state adds to the first; `None` without any.
    fn places(before: Option<Files<'_>>, after: Files<'_>) -> Option<Vec<String>> {
        let store = tempfile::tempdir().unwrap();
        let snapshots = Snapshots::at(store.path());
        let start = before.map(|files| snapshot(&snapshots, files));
        let end = snapshot(&snapshots, after);
        let measurer = Measurer::new(Options::only_security()).unwrap();
        let found = added(&measurer, &snapshots, start.as_deref(), &end).unwrap()?;
        let place = |f: &slope_model::finding::Finding| format!("{}:{}", f.path, f.span.start_line);
        Some(found.findings.iter().map(place).collect())
    }

    #[test]
    fn only_findings_of_the_attempt_are_new() {
        let old = ("a.py", SHELL);
        let shifted = format!("import sys\n{SHELL}");
        let more = format!("{SHELL}\ndef pack(name):\n    os.system('tar c ' + name)\n");
        let renamed = SHELL.replace("show", "list_all");
        let places = |after: Files<'_>| places(Some(&[old]), after).unwrap();
        assert_eq!(places(&[("a.py", &shifted)]), [""; 0]);
        assert_eq!(places(&[("b.py", &renamed)]), [""; 0]);
        assert_eq!(places(&[("a.py", &more)]), ["a.py:7"]);
        assert_eq!(places(&[old, ("b.py", SHELL)]), ["b.py:4"]);
        assert_eq!(places(&[("a.py", "x = 1\n")]), [""; 0]);
    }

    #[test]
    fn everything_is_new_without_start() {
        assert_eq!(places(None, &[("a.py", SHELL)]).unwrap(), ["a.py:4"]);
    }

    #[test]
    fn tests_and_other_rules_do_not_count() {
        let compared = "def f(a):\n    return a == None\n";
        let after = [("tests/test_a.py", SHELL), ("b.py", compared)];
        assert_eq!(places(None, &after).unwrap(), [""; 0]);
    }

    #[test]
    fn languages_without_rules_are_missing() {
        assert_eq!(places(None, &[("a.rb", "puts 1\n")]), None);
        assert_eq!(places(None, &[("README.md", "text\n")]), None);
        assert_eq!(places(None, &[("a.go", "package a\n")]), Some(Vec::new()));
    }
}
