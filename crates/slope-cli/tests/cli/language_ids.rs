//! Code outside a language's folder asks for its properties, not for its id.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of languages, each of which is called by its id.
const FOLDERS: &str = "slope-syntax/src/languages";

/// Files that name an id for a reason. A folder ends in `/`.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "slope-agent/src/own/wire.rs",
        "the name of a tool of the agent",
    ),
    ("slope-author/src/mutate/site.rs", "mutates Python only"),
    (
        "slope-cli/src/commands/doctor.rs",
        "programs that it looks for",
    ),
    (
        "slope-published/src/stored.rs",
        "the name of an image of the published harness",
    ),
    (
        "slope-compat/src/runs/measured.rs",
        "the published harness measures Python only",
    ),
    (
        "slope-compat/src/scb/",
        "the frozen definitions of the published tool",
    ),
    (
        "slope-gateway/src/conduct/calls.rs",
        "the name of a tool of agents",
    ),
    ("slope-gateway/src/dialect/", "the name of a tool of agents"),
    (
        "slope-git/src/patch/names.rs",
        "prefixes of paths in a patch",
    ),
    (
        "slope-mutate/src/",
        "edits the code of each language in its own way",
    ),
    (
        "slope-measure/src/definitions.rs",
        "the published definitions are of Python",
    ),
    ("slope-model/src/run.rs", "the default track of a benchmark"),
    ("slope-model/src/words.rs", "names of languages for readers"),
    (
        "slope-problem/src/next_edit/mod.rs",
        "languages of a published task format",
    ),
    (
        "slope-refusals/src/parsers.rs",
        "the table of the parsers that this crate has",
    ),
    (
        "slope-report/src/study/versions/key.rs",
        "the name of an option of runs",
    ),
    (
        "slope-signals/src/catalogue/languages.rs",
        "where the precision of signals was measured",
    ),
    (
        "slope-signals/src/deviations/imports.rs",
        "suffixes of imported files",
    ),
    ("slope-signals/src/restating.rs", "English words"),
    (
        "slope-suite/src/",
        "toolchains and package registries of the benchmark",
    ),
    (
        "slope-syntax/src/hosts/",
        "kinds of files name the languages of their code",
    ),
    ("slope-syntax/src/lost.rs", "keywords of all languages"),
];

#[test]
fn language_ids_stay_in_their_folders() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let ids = ids(&crates.join(FOLDERS));
    assert!(ids.contains("python"), "{ids:?}");
    let mut sources = Vec::new();
    for package in fs::read_dir(&crates).unwrap() {
        collect(&package.unwrap().path().join("src"), &mut sources);
    }
    let mut excused = BTreeSet::new();
    let mut found = Vec::new();
    for source in sources {
        let path = source.strip_prefix(&crates).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let Some(row) = first_id(&fs::read_to_string(&source).unwrap(), &ids) else {
            continue;
        };
        let is_excused = |one: &&str| path == *one || one.ends_with('/') && path.starts_with(*one);
        match EXCEPTIONS.iter().map(|(path, _)| *path).find(is_excused) {
            Some(one) => drop(excused.insert(one)),
            None if path.starts_with(FOLDERS) => {}
            None => found.push(format!("{path}:{row}")),
        }
    }
    assert_eq!(
        found, [""; 0],
        "these name the id of a language: ask for a property of it, which its folder states"
    );
    let all: BTreeSet<&str> = EXCEPTIONS.iter().map(|(path, _)| *path).collect();
    assert_eq!(excused, all, "every exception is needed");
}

/// The ids of languages.
fn ids(folders: &Path) -> BTreeSet<String> {
    let all = fs::read_dir(folders)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let folders = all.filter(|path| path.is_dir());
    folders
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// Adds the Rust files below a folder, except those with tests.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            collect(&path, found);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The line of the first text that is an id, unit tests and comments aside.
fn first_id(source: &str, ids: &BTreeSet<String>) -> Option<usize> {
    let lines = source
        .lines()
        .take_while(|line| line.trim() != "#[cfg(test)]");
    let mut lines = (1..).zip(lines);
    let found = lines.find(|(_, line)| {
        let code = line.trim_start();
        let mut texts = code.split('"').skip(1).step_by(2);
        !code.starts_with("//") && texts.any(|text| ids.contains(text))
    });
    found.map(|(row, _)| row)
}
