//! The shipped problems' variants: rendered, loaded and linted. Their solutions are tried by
//! `slope problem gate --all --sample --variants 2`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use slope_author::stage;
use slope_author::variants::{FILE, render};
use slope_author::workspace::Workspace;
use slope_problem::Level;

/// The shipped problems, each of which is its own template. Refactorings have no variants.
fn shipped() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let mut folders: Vec<PathBuf> = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("config.yaml").is_file())
        .filter(|path| !stage::load(path).unwrap().is_refactoring())
        .collect();
    folders.sort();
    folders
}

/// The texts of the files for whose path `is_meant`, one after another.
fn texts(of: &Workspace, is_meant: impl Fn(&str) -> bool) -> String {
    let meant = of
        .files
        .iter()
        .filter(|(path, _)| is_meant(&path.to_string_lossy()));
    meant
        .map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned())
        .collect()
}

fn specs(of: &Workspace) -> String {
    texts(of, |path| {
        path.starts_with("checkpoint_") && path.ends_with(".md")
    })
}

fn suites(of: &Workspace) -> String {
    texts(of, |path| path.starts_with("suite/"))
}

/// Clauses that the specs mark, and cases: a clause that a variant lacks takes its cases along.
fn clauses_and_cases(of: &Workspace) -> usize {
    specs(of).matches("<!--#").count() + suites(of).matches("- id: ").count()
}

#[test]
fn shipped_variants_omit_some_clauses() {
    for folder in shipped() {
        let count = |seed| clauses_and_cases(&render(&folder, seed).unwrap());
        let (published, others) = (count(0), (1..=7).map(count));
        let counts: BTreeSet<usize> = others.collect();
        // What a variant lacks is drawn: not all lack the same.
        let told = folder.display();
        assert!(counts.len() > 1, "{told}: {counts:?}");
        assert!(*counts.first().unwrap() < published, "{told}: {counts:?}");
    }
}

#[test]
fn shipped_variants_are_valid_and_differ() {
    let folders = shipped();
    assert!(!folders.is_empty());
    for folder in folders {
        let told = folder.display();
        assert!(folder.join(FILE).is_file(), "{told} has no variants");
        let mut published = Workspace::read(&folder).unwrap();
        published.files.remove(Path::new(FILE));
        let zero = render(&folder, 0).unwrap();
        assert!(zero == published, "{told}: seed 0");
        let first = render(&folder, 1).unwrap();
        let second = render(&folder, 2).unwrap();
        // Neither specs nor suites hold the seed, so they differ by what it chooses alone.
        for part in [specs, suites] {
            let parts = BTreeSet::from([&zero, &first, &second].map(part));
            assert_eq!(parts.len(), 3, "{told}");
            assert!(!parts.contains(""), "{told}");
        }

        let dir = tempfile::tempdir().unwrap();
        let laid = dir.path().join("variant");
        first.create(&laid).unwrap();
        stage::load(&laid).unwrap();
        let lints = slope_problem::lint(&laid).unwrap();
        let errors = lints.iter().filter(|lint| lint.level == Level::Error);
        assert_eq!(errors.count(), 0, "{told}: {lints:#?}");
    }
}
