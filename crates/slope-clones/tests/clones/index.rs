//! Clones kept up to date are those found anew.

use std::collections::BTreeMap;

use crate::support::facts;
use proptest::prelude::*;
use slope_clones::{FileClones, Index, Options, classes};
use slope_syntax::Profile;

/// Statements of which short programs share many runs.
const STATEMENTS: &[&str] = &[
    "    a = b + c * 2\n",
    "    if a > b:\n        c = a.next(b)\n        b = c\n",
    "    for a in b.rows:\n        c(a, 'x', b)\n        b.c[a] = 1\n",
    "    a.put(b, c, key=a)\n",
    "    b, c = c.split(a, 1)\n",
    "    try:\n        a = b[c]\n    except KeyError:\n        a = None\n",
];

fn program() -> impl Strategy<Value = String> {
    let body = prop::collection::vec(0..STATEMENTS.len(), 4..16);
    prop::collection::vec(body, 1..4).prop_map(|functions| {
        functions
            .iter()
            .map(|body| {
                let text: String = body.iter().map(|&s| STATEMENTS[s]).collect();
                format!("def f(b, c):\n{text}")
            })
            .collect()
    })
}

/// A change: which of a few files, and what it becomes.
fn steps() -> impl Strategy<Value = Vec<Vec<(u32, Option<String>)>>> {
    let change = (0u32..5, prop::option::weighted(0.8, program()));
    prop::collection::vec(prop::collection::vec(change, 1..4), 1..8)
}

fn check(steps: Vec<Vec<(u32, Option<String>)>>, profile: Profile) {
    let mut index = Index::new(profile);
    let mut files: BTreeMap<u32, FileClones> = BTreeMap::new();
    for step in steps {
        let step: BTreeMap<u32, Option<String>> = step.into_iter().collect();
        let mut changes = Vec::new();
        for (file, text) in step {
            let clones = text.map(|text| facts("python", &text, profile));
            match &clones {
                Some(clones) => files.insert(file, clones.clone()),
                None => files.remove(&file),
            };
            changes.push((file, clones));
        }
        let before: BTreeMap<u32, Vec<u32>> = rows(&index, files.keys());
        let touched: Vec<u32> = changes.iter().map(|(file, _)| *file).collect();
        let update = index.update(changes);
        let all: Vec<&FileClones> = files.values().collect();
        let mut options = Options::of(profile);
        options.similarity = None;
        let anew = classes(&all, &options);
        for ((file, _), lines) in files.iter().zip(&anew.clone_lines) {
            let kept: Vec<u32> = index.rows(*file).unwrap().rows().collect();
            assert_eq!(kept, lines.rows().collect::<Vec<_>>(), "file {file}");
            let told = update.changed.contains(file);
            let differs = !touched.contains(file) && before.get(file) != Some(&kept);
            assert_eq!(told, differs, "file {file}");
        }
    }
}

fn rows<'a>(
    index: &Index<FileClones>,
    files: impl Iterator<Item = &'a u32>,
) -> BTreeMap<u32, Vec<u32>> {
    let rows = |file: &u32| Some((*file, index.rows(*file)?.rows().collect()));
    files.filter_map(rows).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn index_matches_full_search_in_slope(steps in steps()) {
        check(steps, Profile::Slope);
    }

    #[test]
    fn index_matches_full_search_in_paper(steps in steps()) {
        check(steps, Profile::Paper);
    }
}
