//! Syntax trees of recently read contents, by path. They speed up the analysis of the next version
//! of a file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use slope_measure::Parsed;

/// Memory limit in bytes: about the Python files of a repository of 400,000 lines.
const MOST: usize = 160 << 20;

/// Trees by path.
#[derive(Default)]
pub(crate) struct Versions(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    trees: HashMap<String, Tree>,
    memory: usize,
    /// Counter that orders the versions by age.
    clock: u64,
}

struct Tree {
    parsed: Arc<Parsed>,
    memory: usize,
    since: u64,
}

impl Versions {
    /// The latest version of a path.
    pub(crate) fn of(&self, path: &str) -> Option<Arc<Parsed>> {
        let kept = self.0.lock().ok()?;
        kept.trees.get(path).map(|tree| tree.parsed.clone())
    }

    /// Stores a version, and drops the oldest ones above the memory limit.
    pub(crate) fn keep(&self, path: &str, parsed: Parsed) {
        let memory = parsed.memory();
        let parsed = Arc::new(parsed);
        let Ok(mut kept) = self.0.lock() else { return };
        kept.clock += 1;
        let since = kept.clock;
        let tree = Tree {
            parsed,
            memory,
            since,
        };
        kept.memory += memory;
        if let Some(old) = kept.trees.insert(path.to_owned(), tree) {
            kept.memory -= old.memory;
        }
        if kept.memory > MOST {
            kept.give_up(MOST / 4 * 3);
        }
    }
}

impl Kept {
    /// Drops the oldest versions until at most this much memory is used.
    fn give_up(&mut self, most: usize) {
        let mut by_age: Vec<(u64, usize)> =
            self.trees.values().map(|t| (t.since, t.memory)).collect();
        by_age.sort_unstable();
        let mut first = 0;
        for (since, memory) in by_age {
            if self.memory <= most {
                break;
            }
            self.memory -= memory;
            first = since + 1;
        }
        self.trees.retain(|_, tree| tree.since >= first);
    }
}

#[cfg(test)]
mod tests {
    use slope_measure::{Measurer, Options};

    use super::*;

    #[test]
    fn oldest_versions_are_dropped_first() {
        let measurer = Measurer::new(Options::default()).unwrap();
        let parsed = |text: &str| {
            let (_, parsed) = measurer.content_after("a.py", text.as_bytes(), None);
            parsed.expect("Python is taken over")
        };
        let versions = Versions::default();
        for path in ["a.py", "b.py", "c.py", "a.py"] {
            versions.keep(path, parsed("def f():\n    return 1\n"));
        }
        let mut kept = versions.0.lock().unwrap();
        let each = kept.memory / 3;
        assert!(each > 0);
        kept.give_up(2 * each);
        assert_eq!(kept.memory, 2 * each);
        // The first version of `a.py` was the oldest, but a newer one replaced it.
        let mut paths: Vec<&str> = kept.trees.keys().map(String::as_str).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["a.py", "c.py"]);
    }
}
