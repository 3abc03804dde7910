//! Edits that game the reward earn less than the honest edit of the same task.
//!
//! `tests/fixtures/gaming/LANGUAGE` has a code base, the honest edit, and attacks. An attack changes what the honest edit
//! changes, apart from its own files; `ABSENT` lists files of the honest edit that it lacks, `DELETED` those of
//! the base that it removes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_grade::{Engine, Grader, Pack};
use slope_model::grade::Grade;
use slope_model::grade_request::Change;

use crate::common::{flags, of};

/// Files of a folder by path, with their text.
fn files(folder: &Path) -> BTreeMap<String, Option<String>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            found.insert(name, Some(std::fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

/// The lines of a list among the files, which is taken out.
fn list(files: &mut BTreeMap<String, Option<String>>, name: &str) -> Vec<String> {
    let text = files.remove(name).flatten().unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn attack(honest: &BTreeMap<String, Option<String>>, folder: &Path) -> Change {
    let mut own = files(folder);
    let (absent, deleted) = (list(&mut own, "ABSENT"), list(&mut own, "DELETED"));
    let mut all = honest.clone();
    all.extend(own);
    all.retain(|path, _| !absent.contains(path));
    all.extend(deleted.into_iter().map(|path| (path, None)));
    Change::Files(all)
}

/// Attacks with at least the reward of the honest edit.
fn successful(language: &str) -> Vec<String> {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/gaming")
        .join(language);
    let base = Engine::new(0)
        .unwrap()
        .open(top.join("base").to_str().unwrap(), 0)
        .unwrap();
    let grader = Grader::new(base, Pack::default());
    let honest = files(&top.join("honest"));
    let grade = |change: Change| -> Grade { grader.grade(&of(change)) };
    let limit = grade(Change::Files(honest.clone())).reward.unwrap();
    assert!(limit >= 0.9, "the honest edit has {limit}");
    let mut attacks: Vec<PathBuf> = std::fs::read_dir(top.join("attacks"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    attacks.sort();
    assert!(attacks.len() >= 12, "{} attacks", attacks.len());
    let won = attacks.iter().filter_map(|folder| {
        let grade = grade(attack(&honest, folder));
        let reward = grade.reward.unwrap();
        let name = folder.file_name().unwrap().to_string_lossy();
        (reward >= limit).then(|| format!("{name} has {reward} {:?}", flags(&grade)))
    });
    won.collect()
}

#[test]
fn python_attacks_earn_less() {
    assert_eq!(successful("python"), [] as [String; 0]);
}

#[test]
fn typescript_attacks_earn_less() {
    assert_eq!(successful("typescript"), [] as [String; 0]);
}

#[test]
fn rust_attacks_earn_less() {
    assert_eq!(successful("rust"), [] as [String; 0]);
}

#[test]
fn go_attacks_earn_less() {
    assert_eq!(successful("go"), [] as [String; 0]);
}
