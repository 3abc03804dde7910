//! Ledgers of edits whose effect is known, made to the solutions of our own problem.

use std::path::Path;

use slope_history::{Repo, metamorphic};
use slope_measure::{Measurer, Options};
use slope_testkit::git::git;

#[test]
fn metamorphic_changes_report_only_real_slop() {
    let solutions = "../../problems/household-stock/solutions";
    let solutions = Path::new(env!("CARGO_MANIFEST_DIR")).join(solutions);
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q", "--initial-branch=main"]);
    for checkpoint in 1..=4 {
        let folder = solutions.join(format!("checkpoint_{checkpoint}"));
        for file in std::fs::read_dir(folder).unwrap() {
            let file = file.unwrap();
            let to = dir.path().join("stock").join(file.file_name());
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(file.path(), to).unwrap();
        }
        git(dir.path(), &["add", "-A", "-f"]);
        git(dir.path(), &["commit", "-q", "-m", "Extend"]);
    }
    let options = Options::trusting("2026-11-22".parse().unwrap()).comparing();
    let measurer = Measurer::new(options).unwrap();
    let repo = Repo::open(dir.path()).unwrap();
    let found = metamorphic(&repo, &measurer, 4, &|_, _, _| {}).unwrap();
    assert_eq!(found.commits, 4);
    assert!(found.kinds.len() >= 10, "{found:#?}");
    for share in [found.precision(), found.recall(), found.silence()] {
        assert!(share.is_some_and(|share| share >= 0.95), "{found:#?}");
    }
    let again = metamorphic(&repo, &measurer, 4, &|_, _, _| {}).unwrap();
    assert_eq!(found, again);
}
