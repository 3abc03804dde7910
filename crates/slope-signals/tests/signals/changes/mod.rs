//! Findings of a changed tree from those of its base equal those that are computed afresh.
//!
//! Trees are generated, and those of this repository, and change at random. Names are few, so that most edits concern
//! other files.

mod generated;
mod random;

use std::collections::BTreeMap;
use std::path::Path;

use slope_signals::{
    Background, ChangedTree, FileSignals, Likenesses, Options, SignalFinding, Wanted, facts_for,
    findings, resemblances,
};
use slope_syntax::{Language, Limits, Profile, callables, parse};

use random::Random;

type Tree = BTreeMap<String, FileSignals>;

fn options() -> Options {
    Options {
        in_changes: true,
        ..Options::default()
    }
}

/// The facts of a text, which need not parse; `None` for a file in no language.
fn facts_of(path: &str, text: &str) -> Option<FileSignals> {
    let language = Language::of_path(Path::new(path))?;
    let tree = parse(language, text.as_bytes(), &Limits::default()).ok()?;
    let source = tree.source_lines(Profile::Slope);
    let callables = callables(&tree, Profile::Slope, &source);
    Some(facts_for(&tree, &callables, &source, &options()))
}

fn listed(tree: &Tree) -> Vec<(&str, &FileSignals)> {
    tree.iter()
        .map(|(path, facts)| (path.as_str(), facts))
        .collect()
}

/// Findings by path, without the indices of files.
fn by_path(tree: &Tree) -> BTreeMap<String, Vec<SignalFinding>> {
    let files = listed(tree);
    let mut found: BTreeMap<String, Vec<SignalFinding>> = BTreeMap::new();
    for finding in findings(&files, &options()) {
        let path = files[finding.file].0.to_owned();
        found.entry(path).or_default().push(plain(finding));
    }
    found
}

fn plain(mut finding: SignalFinding) -> SignalFinding {
    (finding.file, finding.related) = (0, None);
    finding
}

/// Counts of what edits did.
#[derive(Debug, Default)]
struct Seen {
    edits: usize,
    /// Files whose findings changed though they did not.
    others: usize,
    copies: usize,
    reimplementations: usize,
    tables: usize,
}

/// Compares both ways to find what a change does.
fn compare(base: &Tree, changes: &BTreeMap<String, Option<FileSignals>>, seen: &mut Seen) {
    let mut after = base.clone();
    for (path, facts) in changes {
        match facts {
            Some(facts) => drop(after.insert(path.clone(), facts.clone())),
            None => drop(after.remove(path)),
        }
    }
    let expected = by_path(&after);
    let before = by_path(base);
    let files = listed(base);
    let background = Background::for_changes(&files, &options());
    let likenesses = Likenesses::new(&background, &files);
    let edits: Vec<(&str, Option<&FileSignals>)> = changes
        .iter()
        .map(|(path, facts)| (path.as_str(), facts.as_ref()))
        .collect();
    let tree = ChangedTree::new(&background, &files, &edits);
    let mut found = before.clone();
    for path in changes.keys() {
        found.remove(path);
    }
    for (path, all) in tree.findings(&options()) {
        let all: Vec<SignalFinding> = all.into_iter().map(plain).collect();
        let is_other = !changes.contains_key(path);
        let is_different = before
            .get(path)
            .map_or(!all.is_empty(), |before| *before != all);
        seen.others += usize::from(is_other && is_different);
        found.insert(path.to_owned(), all);
    }
    found.retain(|_, all| !all.is_empty());
    let paths: Vec<&String> = changes.keys().collect();
    for path in expected.keys().chain(found.keys()) {
        assert_eq!(
            found.get(path),
            expected.get(path),
            "{path} after a change of {paths:?}"
        );
    }

    let old: Vec<&FileSignals> = changes.keys().filter_map(|path| base.get(path)).collect();
    let is_changed = |path: &str| changes.contains_key(path);
    let wanted = Wanted::of_paths(&is_changed);
    let alike = tree.resemblances(&likenesses, &old, &wanted);
    assert_eq!(
        alike,
        resemblances(&listed(&after), &old, &wanted),
        "resemblances after a change of {paths:?}"
    );
    seen.edits += 1;
    seen.copies += alike.copies.len();
    seen.reimplementations += alike.reimplementations.len();
    seen.tables += alike.tables.len();
}

/// Applies edits to a tree, each to the result of the one before, and compares.
fn check(texts: &mut BTreeMap<String, String>, edits: usize, random: &mut Random) -> Seen {
    let of = |texts: &BTreeMap<String, String>| -> Tree {
        let facts = texts.iter();
        let facts = facts.filter_map(|(path, text)| Some((path.clone(), facts_of(path, text)?)));
        facts.collect()
    };
    let mut seen = Seen::default();
    let mut tree = of(texts);
    for _ in 0..edits {
        let before = texts.clone();
        for _ in 0..=random.below(2) {
            random::edit(texts, random);
        }
        let paths = before.keys().chain(texts.keys());
        let changed = paths.filter(|path| before.get(*path) != texts.get(*path));
        let changes: BTreeMap<String, Option<FileSignals>> = changed
            .map(|path| {
                let text = texts.get(path);
                (path.clone(), text.and_then(|text| facts_of(path, text)))
            })
            .collect();
        compare(&tree, &changes, &mut seen);
        for (path, facts) in changes {
            match facts {
                Some(facts) => drop(tree.insert(path, facts)),
                None => drop(tree.remove(&path)),
            }
        }
    }
    seen
}

#[test]
fn generated_trees_change_as_computed_afresh() {
    let mut others = 0;
    let mut alike = [0, 0, 0];
    for language in generated::LANGUAGES {
        let mut random = Random::new(language.suffix.len() as u64 + 11);
        for _ in 0..4 {
            let mut texts = language.tree(&mut random);
            let seen = check(&mut texts, 30, &mut random);
            assert_eq!(seen.edits, 30);
            others += seen.others;
            alike[0] += seen.copies;
            alike[1] += seen.reimplementations;
            alike[2] += seen.tables;
        }
    }
    assert!(others > 50, "{others} findings of other files changed");
    assert!(alike.iter().all(|count| *count > 0), "{alike:?}");
}

#[test]
fn real_trees_change_as_computed_afresh() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let parts = [
        "slope-signals/src",
        "slope-grade",
        "slope-change/src",
        "slope-cheats/fixtures",
    ];
    let mut texts = BTreeMap::new();
    for part in parts {
        random::read(&crates.join(part), part, &mut texts);
    }
    assert!(texts.len() > 150, "{} files", texts.len());
    let mut random = Random::new(5);
    // The number of similar functions changes with the code of this repository.
    let seen = check(&mut texts, 12, &mut random);
    assert_eq!(seen.edits, 12, "{seen:?}");
}
