//! Finds the paths below passable folders that arguments and environment name.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// More than this many paths are not passed.
const MAX_PASSED: usize = 256;
/// Maximum number of ends tried for one mention.
const MAX_ENDS: usize = 64;

/// Rules for passing paths.
pub(super) struct Policy<'a> {
    /// Hidden folders and files.
    pub(super) hidden: &'a [PathBuf],
    /// Folders that may be passed in part.
    pub(super) passable: &'a [PathBuf],
    /// Name patterns that are never passed.
    pub(super) never: &'a [String],
}

impl Policy<'_> {
    /// Real paths of all existing files and folders that the texts name, and that may be passed.
    ///
    /// A passed folder may contain files that are not; see [`Policy::forbidden`].
    pub(super) fn passed<'t>(
        &self,
        texts: impl Iterator<Item = &'t OsStr>,
        cwd: &Path,
    ) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let cwd_hidden = self.hidden.iter().any(|h| cwd.starts_with(h));
        self.take(cwd, &mut found);
        for text in texts {
            let bytes = text.as_bytes();
            self.mentions(bytes, &mut found);
            if cwd_hidden {
                let value = bytes.split(|b| *b == b'=').next_back().unwrap_or_default();
                for relative in [bytes, value] {
                    self.take(&cwd.join(OsStr::from_bytes(relative)), &mut found);
                }
            }
        }
        found
    }

    /// Paths that begin with a passable folder, anywhere in the text; of each the longest that exists.
    fn mentions(&self, text: &[u8], found: &mut BTreeSet<PathBuf>) {
        for folder in self.passable {
            let folder = folder.as_os_str().as_bytes();
            let mut from = 0;
            while let Some(at) = find(&text[from..], folder).map(|at| at + from) {
                from = at + folder.len();
                let rest = &text[at..];
                let ends = std::iter::once(rest.len()).chain(
                    (folder.len()..rest.len())
                        .rev()
                        .filter(|i| is_delimiter(rest[*i])),
                );
                let taken = ends
                    .take(MAX_ENDS)
                    .find(|end| self.take(Path::new(OsStr::from_bytes(&rest[..*end])), found));
                from += taken.map_or(0, |end| end.saturating_sub(folder.len()));
            }
        }
    }

    /// Notes the path if it exists and may be passed.
    fn take(&self, path: &Path, found: &mut BTreeSet<PathBuf>) -> bool {
        let Ok(real) = fs::canonicalize(path) else {
            return false;
        };
        if found.len() < MAX_PASSED && self.allowed(&real) {
            found.insert(real);
        }
        true
    }

    fn allowed(&self, real: &Path) -> bool {
        self.passable.iter().any(|folder| {
            // A hidden folder itself is not passed as a whole, only its entries.
            let whole = real == folder && self.hidden.contains(folder);
            !whole
                && real
                    .strip_prefix(folder)
                    .is_ok_and(|below| !below.components().any(|c| self.forbidden(c.as_os_str())))
        })
    }

    /// Whether a file or folder of this name is never passed.
    pub(super) fn forbidden(&self, name: &OsStr) -> bool {
        self.never
            .iter()
            .any(|pattern| matches(pattern.as_bytes(), name.as_bytes()))
    }
}

fn is_delimiter(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b":,;='\"`()[]{}<>|&".contains(&byte)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    if what.is_empty() {
        return None;
    }
    text.windows(what.len()).position(|window| window == what)
}

/// Whether `name` matches `pattern`, where `*` matches anything and `?` one byte.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, eaten)) => {
                    star = Some((at, eaten + 1));
                    p = at + 1;
                    n = eaten + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, name, expected) in [
            ("*.py", "a.py", true),
            ("*.py", "a.pyc", false),
            ("*.py*", "a.pyc", true),
            ("conftest.?y", "conftest.py", true),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("", "a", false),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn finds_paths_in_options_lists_and_texts() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        for name in [
            "data/a b.json",
            "data/c.txt",
            "data/d.txt",
            "data/sol.py",
            "test_x.py",
            "e.txt",
        ] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        let hidden = [root.clone()];
        let never = ["*.py".to_owned()];
        let policy = Policy {
            hidden: &hidden,
            passable: &hidden,
            never: &never,
        };
        let shown = root.display();
        let texts = [
            format!("{shown}/data/a b.json"),
            format!("--in={shown}/data/c.txt:{shown}/data/d.txt"),
            format!("{shown}/data/sol.py"),
            format!("{{\"x\": \"{shown}/e.txt\"}}"),
            format!("{shown}/test_x.py"),
            format!("{shown}"),
            "data/c.txt".to_owned(),
        ];
        let found = policy.passed(texts.iter().map(OsStr::new), Path::new("/"));
        let expected = ["data/a b.json", "data/c.txt", "data/d.txt", "e.txt"].map(|n| root.join(n));
        assert_eq!(found, expected.into_iter().collect());
    }
}
