//! A tree that changes step by step is measured as if it were measured anew.

use std::collections::BTreeMap;

use slope_measure::{Content, Measurer, Options, Step, Tracker};

fn measurer() -> Measurer {
    let mut options = Options::trusting("2026-11-22".parse().unwrap()).comparing();
    options.threads = 1;
    Measurer::new(options).unwrap()
}

/// A function that is long enough to be a clone.
fn long(name: &str) -> String {
    format!(
        "def {name}(rows, limit):\n    total = 0\n    for row in rows:\n        if row.size > limit:\n            \
         total += row.size * 2\n        elif row.name == 'x':\n            total -= limit\n    return total\n\n"
    )
}

const DEAD: &str = "import os\n\ndef _unused(a):\n    return a + 1\n";
const USER: &str = "from a import _unused\n\nprint(_unused(1))\n";
const FLAGGED: &str = "# slope: ignore[bare-except] known\ntry:\n    a()\nexcept:\n    pass\n";

const WITH_TESTS: &str = "\
fn f(x: u8) -> u8 {
    if x > 1 { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_f() {
        assert_eq!(super::f(1), 3);
    }
}
";

struct Tree<'m> {
    measurer: &'m Measurer,
    tracker: Tracker<'m>,
    files: BTreeMap<String, String>,
}

impl Tree<'_> {
    fn step(&mut self, changes: &[(&str, Option<&str>)]) -> Step {
        let mut contents = Vec::new();
        for (path, text) in changes {
            let content = match text {
                Some(text) => self.measurer.content(path, text.as_bytes()),
                None => Content::Nothing,
            };
            contents.push(((*path).to_owned(), content));
            match text {
                Some(text) => self.files.insert((*path).to_owned(), (*text).to_owned()),
                None => self.files.remove(*path),
            };
        }
        let step = self.tracker.step(contents);
        self.check();
        step
    }

    fn check(&self) {
        let anew = self.measurer.measure_files(self.files.clone());
        let kept = self.tracker.totals();
        assert_eq!(kept.whole, anew.totals);
        assert_eq!(kept.parts, anew.parts);
        assert_eq!(kept.published, anew.published);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for finding in anew.findings.iter().filter(|f| f.category != "duplication") {
            *counts.entry(finding.category.clone()).or_default() += 1;
        }
        assert_eq!(kept.findings, counts);
    }
}

fn paths(step: &Step) -> Vec<&str> {
    let view =
        |file: &'_ slope_measure::FileStep| file.after.as_ref().or(file.before.as_ref()).is_some();
    let files = step.files.iter().filter(|f| view(f));
    files
        .map(|f| f.after.as_ref().or(f.before.as_ref()).unwrap().path())
        .collect()
}

#[test]
fn tracked_steps_match_full_measurement() {
    let measurer = measurer();
    let mut tree = Tree {
        measurer: &measurer,
        tracker: measurer.tracker(),
        files: BTreeMap::new(),
    };
    tree.step(&[("a.py", Some(DEAD)), ("lib/x.py", Some(&long("x")))]);
    let copied = tree.step(&[("tests/test_y.py", Some(&long("y")))]);
    assert_eq!(paths(&copied), ["lib/x.py", "tests/test_y.py"]);
    let before = copied.files[0].before.as_ref().unwrap();
    let after = copied.files[0].after.as_ref().unwrap();
    assert_eq!((before.cloned().count(), after.cloned().count()), (0, 8));
    assert_eq!(
        copied.added.len(),
        copied.removed.len() + copied.added.len()
    );
    // Another file's use makes code live that was dead.
    let used = tree.step(&[("b.py", Some(USER))]);
    assert_eq!(paths(&used), ["a.py", "b.py"]);
    assert_eq!(used.files[0].before.as_ref().unwrap().dead_code().len(), 2);
    assert_eq!(used.files[0].after.as_ref().unwrap().dead_code().len(), 1);
    tree.step(&[("c.py", Some(FLAGGED)), ("a.py", Some(FLAGGED))]);
    tree.step(&[("f.rs", Some(WITH_TESTS))]);
    let moved = tree.step(&[("lib/x.py", None), ("lib/z.py", Some(&long("x")))]);
    let old = moved.files[0].before.as_ref().unwrap();
    let new = moved.files[1].after.as_ref().unwrap();
    assert_eq!(old.forms(), new.forms());
    assert_eq!(old.cloned().count(), new.cloned().count());
    tree.step(&[("tests/test_y.py", None)]);
    tree.step(&[
        ("broken.py", Some("\u{0}")),
        ("gen.py", Some("# @generated\na = 1\n")),
    ]);
    tree.step(&[
        ("a.py", None),
        ("b.py", None),
        ("c.py", None),
        ("lib/z.py", None),
    ]);
}

#[test]
#[should_panic(expected = "a tracker needs `Options::follow`")]
fn tracker_without_forms_panics() {
    let mut options = Options::trusting("2026-11-22".parse().unwrap());
    options.follow = false;
    let measurer = Measurer::new(options).unwrap();
    let _never = measurer.tracker();
}
