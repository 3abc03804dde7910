//! What is kept from run to run changes no byte of a result, whatever happened to the
//! tree or to what is kept.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_measure::{Measurer, Options};
use slope_testkit::write_file;

/// Enough files for a tree to be packed.
const FILES: u32 = 80;

/// Numbers that look random and are the same in every run.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % end
    }
}

/// A function: one of a few shapes, so that there are clones of every type, dead code
/// and functions that use each other.
fn function(numbers: &mut Numbers) -> String {
    let (name, shape) = (numbers.below(400), numbers.below(4));
    let mut text =
        format!("def _step_{name}(items, limit):\n    import os\n    result = {shape}\n");
    for line in 0..6 + shape {
        let operator = ["+", "-", "*"][numbers.below(3) as usize];
        let _ = writeln!(
            text,
            "    result = result {operator} items[{line}].price_{shape}"
        );
        if numbers.below(8) == 0 {
            let _ = writeln!(
                text,
                "    if result == None:\n        return _step_{}(items, 1)",
                name + 1
            );
        }
    }
    text.push_str("    return result\n\n\n");
    text
}

fn file(numbers: &mut Numbers) -> String {
    let mut text = String::from("import json\nfrom a import thing\n\n\n");
    for _ in 0..1 + numbers.below(4) {
        text.push_str(&function(numbers));
    }
    text
}

/// Enough folders, too, for what they hold to be kept.
fn path(root: &Path, number: u32) -> PathBuf {
    root.join(format!("part_{}/file_{number}.py", number % 70))
}

fn measurer(cache: Option<&Path>, threads: usize) -> Measurer {
    let options = Options {
        cache: cache.map(Path::to_owned),
        threads,
        ..Options::trusting("2026-11-22".parse().unwrap())
    };
    Measurer::new(options).unwrap()
}

fn json(measurer: &Measurer, root: &Path) -> String {
    let measurement = measurer.measure_dir(root).unwrap();
    assert!(measurement.clones.len() > 10 && measurement.findings.len() > 100);
    serde_json::to_string(&measurement).unwrap()
}

/// Changes some files: longer, gone, new, under another name, written as it was.
fn edit(root: &Path, numbers: &mut Numbers) {
    for _ in 0..1 + numbers.below(6) {
        let (kind, at) = (numbers.below(5), path(root, numbers.below(FILES)));
        let text = std::fs::read_to_string(&at).unwrap_or_default();
        match kind {
            0 => write_file(&at, &format!("{text}{}", function(numbers))),
            1 => drop(std::fs::remove_file(&at)),
            2 => write_file(&path(root, FILES + numbers.below(20)), &file(numbers)),
            3 => {
                let to = at.with_extension(format!("{}.py", numbers.below(100)));
                drop(std::fs::rename(&at, to));
            }
            _ => write_file(&at, &text),
        }
    }
}

fn packs(cache: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(cache.join("trees")).unwrap();
    let mut packs: Vec<_> = listed.map(|entry| entry.unwrap().path()).collect();
    packs.sort();
    packs
}

/// A tree, with a cache that knows it.
fn tree(cache: &Path, root: &Path, seed: u32) -> String {
    let mut numbers = Numbers(seed);
    for number in 0..FILES {
        write_file(&path(root, number), &file(&mut numbers));
    }
    // Old enough for the stamps of files to be trusted.
    std::thread::sleep(Duration::from_millis(2_100));
    let first = json(&measurer(Some(cache), 2), root);
    assert_eq!(packs(cache).len(), 1, "the tree is packed");
    first
}

#[test]
fn warm_matches_cold_after_each_edit() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = tree(cache.path(), folder.path(), 1);
    let warm = [
        measurer(Some(cache.path()), 1),
        measurer(Some(cache.path()), 2),
    ];
    let cold = measurer(None, 2);
    assert_eq!(first, json(&cold, folder.path()));
    let mut numbers = Numbers(2);
    let mut before = first;
    let mut changes = 0;
    for round in 0..8 {
        let expected = json(&cold, folder.path());
        changes += u32::from(expected != before);
        for one in &warm {
            assert_eq!(json(one, folder.path()), expected, "round {round}");
        }
        before = expected;
        edit(folder.path(), &mut numbers);
    }
    assert!(changes >= 4, "the edits change the result");
}

#[test]
fn damaged_or_foreign_cache_is_harmless() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = tree(cache.path(), folder.path(), 3);
    let warm = measurer(Some(cache.path()), 2);
    let pack = packs(cache.path()).remove(0);
    let whole = std::fs::read(&pack).unwrap();
    let mut numbers = Numbers(4);
    for _ in 0..12 {
        let mut damaged = whole.clone();
        for _ in 0..3 {
            let at = numbers.below(u32::try_from(damaged.len()).unwrap()) as usize;
            damaged[at] ^= 1 << numbers.below(8);
        }
        std::fs::write(&pack, &damaged).unwrap();
        assert_eq!(json(&warm, folder.path()), expected);
    }
    std::fs::write(&pack, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(json(&warm, folder.path()), expected);
    // The pack of another tree, with other content under the same names.
    let (other, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    tree(others.path(), other.path(), 5);
    std::fs::copy(&packs(others.path())[0], &pack).unwrap();
    assert_eq!(json(&warm, folder.path()), expected);
}

#[test]
fn damaged_store_is_harmless() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = tree(cache.path(), folder.path(), 6);
    let store = cache.path().join("facts.sqlite");
    let whole = std::fs::read(&store).unwrap();
    let mut numbers = Numbers(7);
    for _ in 0..3 {
        let damaged_at = tempfile::tempdir().unwrap();
        let mut damaged = whole.clone();
        for _ in 0..200 {
            let at = numbers.below(u32::try_from(damaged.len()).unwrap()) as usize;
            damaged[at] ^= 1 << numbers.below(8);
        }
        std::fs::write(damaged_at.path().join("facts.sqlite"), &damaged).unwrap();
        let measurement = json(&measurer(Some(damaged_at.path()), 2), folder.path());
        assert_eq!(measurement, expected);
    }
}
