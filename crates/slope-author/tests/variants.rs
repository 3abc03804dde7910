//! The shipped problems' variants: rendered, loaded and linted. Their solutions are tried by
//! `slope problem gate --all --sample --variants 2`.
#![allow(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use slope_author::stage;
use slope_author::variants::{FILE, render, write};
use slope_author::workspace::Workspace;
use slope_problem::Level;

fn shipped() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems");
    let mut folders: Vec<PathBuf> = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join(FILE).is_file())
        .collect();
    folders.sort();
    folders
}

/// The specs' texts, one after another.
fn specs(of: &Workspace) -> String {
    let specs = of.files.iter().filter(|(path, _)| {
        let name = path.to_string_lossy();
        name.starts_with("checkpoint_") && name.ends_with(".md")
    });
    specs
        .map(|(_, file)| String::from_utf8_lossy(&file.bytes).into_owned())
        .collect()
}

#[test]
fn variants_of_shipped_problems_are_problems_and_differ() {
    let folders = shipped();
    assert!(folders.len() >= 6, "{folders:?}");
    for folder in folders {
        let mut published = Workspace::read(&folder).unwrap();
        published.files.remove(Path::new(FILE));
        let zero = render(&folder, 0).unwrap();
        assert!(zero == published, "{}: seed 0", folder.display());
        let first = render(&folder, 1).unwrap();
        let second = render(&folder, 2).unwrap();
        let texts = BTreeSet::from([&zero, &first, &second].map(specs));
        assert_eq!(texts.len(), 3, "{}", folder.display());

        let dir = tempfile::tempdir().unwrap();
        let laid = dir.path().join("variant");
        write(&first, &laid).unwrap();
        let problem = stage::load(&laid).unwrap();
        assert_ne!(problem.hash, stage::load(&folder).unwrap().hash);
        let lints = slope_problem::lint(&laid).unwrap();
        let errors = lints.iter().filter(|lint| lint.level == Level::Error);
        assert_eq!(errors.count(), 0, "{}: {lints:#?}", folder.display());
    }
}
