//! What moved a history most, with diffs: of the function alone, through renames and moves.

use std::path::Path;

use slope_history::{Options, Repo, evidence, trajectory};
use slope_measure::Measurer;
use slope_model::history::{DiffSide, EntryDiff, HistoryEvidence, HistoryLedger};
use slope_testkit::git::{commit, git};

const SCAN: &str = "def scan(rows, limit):\n    total = 0\n    for row in rows:\n        \
                    if row.size > limit:\n            total += row.size\n    return total\n";

/// A function that grows while its file is renamed, code outside of functions that changes with
/// it, a remark, and another function.
fn repository(dir: &Path) {
    git(dir, &["init", "-q"]);
    commit(dir, &[("a.py", &format!("import os\n\n\n{SCAN}"))]);
    git(dir, &["mv", "a.py", "b.py"]);
    let grown = SCAN.replace(
        "            total += row.size\n",
        "            total += row.size\n        elif row.name:\n            total -= limit\n",
    );
    let grown = format!("import os, sys\n\n\n{grown}");
    commit(dir, &[("b.py", &grown)]);
    // A remark alone: a snapshot without an entry.
    let remark = format!("{grown}\n\n# Remark.\n");
    commit(dir, &[("b.py", &remark)]);
    let more = "\n\ndef more(a):\n    return [b for b in a if b]\n";
    commit(dir, &[("b.py", &format!("{remark}{more}"))]);
}

fn told(dir: &Path, sample: usize) -> (HistoryLedger, HistoryEvidence) {
    let repo = Repo::open(dir).unwrap();
    let options = slope_measure::Options::trusting("2026-11-22".parse().unwrap());
    let measurer = Measurer::new(slope_measure::Options {
        threads: 1,
        ..options.comparing()
    })
    .unwrap();
    let asked = Options {
        sample: Some(sample),
        ledger: true,
        ..Options::default()
    };
    let history = trajectory(&repo, &measurer, &asked, &|_, _, _| {}).unwrap();
    let found = evidence(&repo, &history, 5).unwrap();
    (history.ledger.unwrap(), found)
}

fn lines(diff: &EntryDiff, side: DiffSide) -> Vec<&str> {
    let all = diff.hunks.iter().flatten();
    all.filter(|line| line.side == side)
        .map(|line| line.text.trim())
        .collect()
}

#[test]
fn function_diff_follows_a_rename() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let (ledger, found) = told(dir.path(), 2);
    let mass = found.movers.iter().find(|m| m.metric.id == "mass").unwrap();
    assert_eq!((mass.raised.len(), mass.lowered.len()), (3, 0));
    let diff = |function: &str| {
        let is_of = |diff: &&EntryDiff| {
            let commit = &ledger.commits[diff.at.commit as usize];
            commit.entries[diff.at.entry as usize].function.as_deref() == Some(function)
        };
        found.diffs.iter().filter(is_of).collect::<Vec<_>>()
    };
    // The first commit has no base.
    let [first, scan] = diff("scan")[..] else {
        panic!("{:?}", found.diffs)
    };
    assert_eq!(ledger.commits[0].base, "");
    assert!(
        first
            .hunks
            .iter()
            .flatten()
            .all(|line| line.side == DiffSide::After)
    );
    assert_eq!(
        lines(scan, DiffSide::After),
        ["elif row.name:", "total -= limit"]
    );
    assert_eq!(lines(scan, DiffSide::Before), Vec::<&str>::new());
    assert!(lines(scan, DiffSide::Both).contains(&"for row in rows:"));
    let all: Vec<_> = scan.hunks.iter().flatten().collect();
    assert!(all.iter().all(|line| !line.text.contains("import")));
    let more = diff("more")[0];
    assert_eq!(
        lines(more, DiffSide::After),
        ["def more(a):", "return [b for b in a if b]"]
    );
}

#[test]
fn ledger_covers_all_commits_when_sampled() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let all = told(dir.path(), 3).0;
    assert_eq!(all.commits.len(), 3);
    assert_eq!(told(dir.path(), 1).0, all);
    assert_eq!(told(dir.path(), 2).0, all);
}
