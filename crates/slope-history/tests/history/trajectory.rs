//! A trajectory holds what measuring each commit's checkout gives.

use std::path::Path;

use slope_history::{Options, Repo, trajectory, verify};
use slope_measure::Measurer;
use slope_model::history::HistoryLedger;
use slope_model::ledger::Amounts;
use slope_testkit::git::git;
use slope_testkit::write;

/// Writes files (`None` takes one away) and commits them.
fn commit(dir: &Path, files: &[(&str, Option<String>)]) {
    for (path, text) in files {
        let file = dir.join(path);
        match text {
            Some(text) => {
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, text).unwrap();
            }
            None => std::fs::remove_file(file).unwrap(),
        }
    }
    git(dir, &["add", "-A", "-f"]);
    git(dir, &["commit", "-q", "-m", "Step"]);
}

fn scan(name: &str) -> Option<String> {
    Some(format!(
        "import os\n\n\ndef {name}(rows, limit):\n    total = 0\n    for row in rows:\n        \
         if row.size == None:\n            total += row.size * 2\n        elif row.name == 'x':\n            \
         total -= limit\n    return total\n"
    ))
}

fn repository(dir: &Path) {
    git(dir, &["init", "-q"]);
    commit(
        dir,
        &[
            ("a.py", scan("scan")),
            ("README.md", Some("Text.\n".to_owned())),
        ],
    );
    commit(
        dir,
        &[
            ("lib/b.py", scan("scan_again")),
            ("vendor/v.py", scan("vendored")),
        ],
    );
    commit(
        dir,
        &[
            ("tests/test_c.py", scan("test_scan")),
            ("skip/s.py", scan("skipped")),
        ],
    );
    commit(
        dir,
        &[
            ("a.py", None),
            (
                "script",
                Some("#!/usr/bin/env python3\nprint(1)\n".to_owned()),
            ),
        ],
    );
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    commit(dir, &[("big.py", Some(pointer.to_owned()))]);
    commit(
        dir,
        &[
            ("README.md", Some("More.\n".to_owned())),
            ("broken.py", Some("def (\n".to_owned())),
        ],
    );
    commit(dir, &[(".slopeignore", Some("skip/\nbig.py\n".to_owned()))]);
}

fn measurer() -> Measurer {
    let options = slope_measure::Options::trusting("2026-11-22".parse().unwrap());
    let mut options = options.comparing();
    options.threads = 2;
    Measurer::new(options).unwrap()
}

#[test]
fn each_point_matches_its_checkout() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let measurer = measurer();
    let repo = Repo::open(dir.path()).unwrap();
    let options = Options {
        sample: None,
        ledger: true,
        ..Options::default()
    };
    let told = trajectory(&repo, &measurer, &options, &|_, _, _| {}).unwrap();
    assert_eq!((told.commits, told.points.len()), (7, 5));
    let out = tempfile::tempdir().unwrap();
    let ignore = std::fs::read(dir.path().join(".slopeignore")).unwrap();
    for point in &told.points {
        let checkout = out.path().join(&point.commit.id);
        git(
            dir.path(),
            &[
                "worktree",
                "add",
                "-q",
                checkout.to_str().unwrap(),
                &point.commit.id,
            ],
        );
        // The newest commit's ignore files apply to all.
        std::fs::write(checkout.join(".slopeignore"), &ignore).unwrap();
        let anew = measurer.measure_dir(&checkout).unwrap();
        assert_eq!(point.totals, anew.totals, "{}", point.position);
        assert_eq!(point.parts, anew.parts, "{}", point.position);
        assert_eq!(
            point.published.as_ref(),
            anew.published.as_ref().map(|p| &p.totals)
        );
    }
    let clones: Vec<_> = told.points.iter().map(|p| p.totals.clone_lines).collect();
    assert_eq!(clones, [Some(0), Some(16), Some(24), Some(16), Some(16)]);
    let verified = verify(&repo, &measurer, &|_, _, _| {}).unwrap();
    assert_eq!((verified.commits, verified.touching), (7, 5));
}

/// What a ledger's opening and entries sum to.
fn sum(ledger: &HistoryLedger) -> Amounts {
    let entries = ledger.agents.iter().map(|share| share.change);
    let alone = Amounts {
        sloc: ledger.sloc_alone,
        ..Amounts::default()
    };
    let all = entries.chain([ledger.opening, ledger.layout, alone]);
    all.reduce(|a, b| Amounts {
        mass: a.mass + b.mass,
        clone_lines: a.clone_lines + b.clone_lines,
        flagged_lines: a.flagged_lines + b.flagged_lines,
        verbose_lines: a.verbose_lines + b.verbose_lines,
        dead_code: a.dead_code + b.dead_code,
        sloc: a.sloc + b.sloc,
    })
    .unwrap()
}

#[test]
fn ledger_sums_to_the_final_state() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let repo = Repo::open(dir.path()).unwrap();
    let measurer = measurer();
    let told = |repo: &Repo, sample, paths: &[&str]| {
        let options = Options {
            sample,
            paths: paths.iter().map(|&path| path.to_owned()).collect(),
            ledger: true,
            ..Options::default()
        };
        trajectory(repo, &measurer, &options, &|_, _, _| {}).unwrap()
    };
    for (sample, paths) in [(None, vec![]), (Some(2), vec![]), (None, vec!["lib"])] {
        let told = told(&repo, sample, &paths);
        let ledger = told.ledger.as_ref().unwrap();
        assert_eq!(ledger.opening, Amounts::default());
        assert_eq!(ledger.commits[0].base, "");
        let last = told.points.last().unwrap();
        let sum = sum(ledger);
        assert!((sum.mass - last.totals.mass.unwrap()).abs() < 1e-6);
        assert_eq!(
            Some(sum.clone_lines.unsigned_abs()),
            last.totals.clone_lines
        );
        assert!(
            !told
                .notes
                .iter()
                .any(|note| note.contains("the ledger begins"))
        );
    }
    // Cut off it begins with the existing code, and says so.
    let out = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().display());
    git(out.path(), &["clone", "-q", "--depth", "2", &url, "cut"]);
    let repo = Repo::open(&out.path().join("cut")).unwrap();
    let told = told(&repo, None, &[]);
    let ledger = told.ledger.as_ref().unwrap();
    assert!(ledger.opening.mass > 0.0 && ledger.commits.is_empty());
    assert!(
        told.notes
            .iter()
            .any(|note| note.contains("the ledger begins after"))
    );
}

#[test]
fn threads_and_sample_keep_history_identical() {
    let dir = tempfile::tempdir().unwrap();
    repository(dir.path());
    let repo = Repo::open(dir.path()).unwrap();
    let measurer = measurer();
    let options = |sample| Options {
        sample,
        ..Options::default()
    };
    let all = trajectory(&repo, &measurer, &options(None), &|_, _, _| {}).unwrap();
    let two = trajectory(&repo, &measurer, &options(Some(2)), &|_, _, _| {}).unwrap();
    assert_eq!(two.points.len(), 2);
    for point in &two.points {
        let same = all
            .points
            .iter()
            .find(|other| other.commit.id == point.commit.id)
            .unwrap();
        assert_eq!(same.totals, point.totals);
    }
    let trend = |metric: &str| {
        all.trends
            .iter()
            .find(|t| t.metric == metric && t.part.is_none())
    };
    let mass = trend("mass").unwrap();
    assert_eq!(mass.points, 5);
    assert!(mass.per_commit.ols.is_some() && mass.growth.unwrap() > 0.0);
}

/// Commits a function to a file of that name, on a branch that is there or on a new one.
fn commit_on(dir: &Path, branch: &str, file: &str, message: &str) {
    let known = git(dir, &["branch", "--list", branch]);
    let new: &[&str] = if known.is_empty() { &["-b"] } else { &[] };
    git(dir, &[&["checkout", "-q"], new, &[branch]].concat());
    write(dir, &[(format!("{file}.py"), scan(file).unwrap())]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", message]);
}

fn merge(dir: &Path, branches: &[&str]) {
    git(dir, &["checkout", "-q", "main"]);
    git(
        dir,
        &[&["merge", "-q", "--no-ff", "-m", "Merge"], branches].concat(),
    );
}

#[test]
fn merge_counts_for_its_authors() {
    const CLAUDE: &str = "Step\n\nCo-authored-by: Claude <noreply@anthropic.com>";
    const CODEX: &str = "Step\n\nCo-authored-by: Codex <noreply@openai.com>";
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    git(path, &["init", "-q"]);
    commit_on(path, "main", "a", "First");
    // Octopus of one agent's commits.
    commit_on(path, "one", "b", CLAUDE);
    git(path, &["checkout", "-q", "main"]);
    commit_on(path, "two", "c", CLAUDE);
    merge(path, &["one", "two"]);
    // A branch that takes in the line itself, and commits of two agents.
    commit_on(path, "one", "d", CODEX);
    git(path, &["merge", "-q", "--no-ff", "-m", "Update", "main"]);
    commit_on(path, "one", "e", CLAUDE);
    merge(path, &["one"]);
    // Somebody and an agent, then nobody's.
    commit_on(path, "two", "f", "Step");
    commit_on(path, "two", "g", CODEX);
    merge(path, &["two"]);
    commit_on(path, "two", "h", "Step");
    merge(path, &["two"]);
    let repo = Repo::open(path).unwrap();
    let measurer = measurer();
    let options = Options {
        sample: None,
        ledger: true,
        ..Options::default()
    };
    let told = trajectory(&repo, &measurer, &options, &|_, _, _| {}).unwrap();
    let points = told
        .points
        .iter()
        .map(|point| point.commit.agents.join("+"));
    let points: Vec<String> = points.collect();
    let shares = told.ledger.unwrap().agents;
    assert_eq!(points, ["", "claude", "claude+codex", "codex+none", ""]);
    let mut shares: Vec<_> = shares.iter().map(|s| (&*s.name, s.commits)).collect();
    shares.sort_unstable();
    assert_eq!(
        shares,
        [
            ("claude", 1),
            ("claude+codex", 1),
            ("codex+none", 1),
            ("none", 2)
        ]
    );
}

#[test]
fn sums_use_current_names() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    git(dir, &["init", "-q"]);
    let alone = |name: &str| Some(scan(name).unwrap().replace("import os\n\n\n", ""));
    commit(dir, &[("a.py", scan("scan")), ("only.py", alone("one"))]);
    // Only another path.
    commit(dir, &[("a.py", None), ("lib/b.py", scan("scan"))]);
    commit(dir, &[("only.py", None), ("lib/only.py", alone("one"))]);
    // Another name, and something new under the old path.
    let more = scan("look").unwrap().replace("* 2", "* 2 if limit else 0");
    commit(
        dir,
        &[
            ("lib/b.py", Some(more)),
            ("a.py", Some("x = None\n".to_owned())),
        ],
    );
    let measurer = measurer();
    let options = Options {
        ledger: true,
        ..Options::default()
    };
    let repo = Repo::open(dir).unwrap();
    let history = trajectory(&repo, &measurer, &options, &|_, _, _| {}).unwrap();
    let ledger = history.ledger.unwrap();
    let named = |shares: &[slope_model::history::Share]| -> Vec<(String, bool)> {
        let told = shares
            .iter()
            .filter(|share| share.change != Amounts::default());
        let mut told: Vec<_> = told
            .map(|share| (share.name.clone(), share.change.mass > 0.0))
            .collect();
        told.sort();
        told
    };
    let functions = named(&ledger.functions)
        .into_iter()
        .filter(|(_, mass)| *mass);
    let functions: Vec<String> = functions.map(|(name, _)| name).collect();
    assert_eq!(functions, ["lib/b.py: look", "lib/only.py: one"]);
    let files: Vec<String> = named(&ledger.files)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(files, ["lib/b.py", "lib/only.py"]);
}
