//! Applies unified diffs, such as those of `git diff`, to a base.
//!
//! A hunk fits only at its stated position, or at the nearest place with exactly its lines; there
//! is no fuzzy matching. The prefix of the paths (`a/`, `i/`, nothing) is taken from the diff
//! itself, and if that is ambiguous, from the paths in the base.

mod names;

use std::borrow::Cow;

use names::{git_names, path, unquoted, without_prefixes};

/// Reason that a patch cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The text contains no diff.
    #[error(
        "this text contains no diff\nhelp: give the output of `git diff` as UTF-8, without options such as --stat or --name-only"
    )]
    Nothing,
    /// A merge against all of its parents at once.
    #[error(
        "line {line} of the diff: a combined diff of a merge has more than one base\nhelp: give the diff against one parent: git diff MERGE^1 MERGE"
    )]
    Combined {
        /// Line of the diff, from 1.
        line: usize,
    },
    /// Invalid unified diff.
    #[error("line {line} of the diff: {message}\nhelp: give the output of `git diff`")]
    Syntax {
        /// Line of the diff, from 1.
        line: usize,
        /// Error message.
        message: String,
    },
    /// A change of a binary file.
    #[error(
        "the diff changes the binary file {path}, and slope applies only changes of text\nhelp: leave the file out of the diff"
    )]
    Binary {
        /// The file.
        path: String,
    },
    /// A hunk does not fit.
    #[error(
        "the hunk at line {line} of the diff does not fit {path} at line {at}\nhelp: name the commit that the diff was made against with --base"
    )]
    Hunk {
        /// The file.
        path: String,
        /// Line of the diff, from 1.
        line: usize,
        /// Line of the base that the hunk names.
        at: usize,
    },
}

/// A diff's changes to a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    /// Path in the base; `None` for a new file.
    pub old: Option<String>,
    /// Path afterwards; `None` for a file that is deleted.
    pub new: Option<String>,
    /// Whether the base also keeps its file.
    pub is_copy: bool,
    is_binary: bool,
    /// Whether git's header names the file beyond doubt.
    is_named: bool,
    hunks: Vec<Hunk>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    /// Line of the diff, from 1.
    line: usize,
    /// First line of the base, from 1; 0 for a new file.
    start: usize,
    /// Lines of the base that are replaced.
    old: Vec<Vec<u8>>,
    /// Lines that are there afterwards.
    new: Vec<Vec<u8>>,
}

/// Places tried for the hunks of a file, in addition to one for each of its lines: one hunk far
/// from its stated position may be searched in the whole file, many may not.
const MAX_LOOKS: usize = 1 << 20;

impl FilePatch {
    /// The path of the change: the new one, else the old one.
    #[must_use]
    pub fn path(&self) -> &str {
        let path = self.new.as_deref().or(self.old.as_deref());
        path.unwrap_or_default()
    }

    /// Whether the content is binary, so that the diff lacks it.
    #[must_use]
    pub fn is_binary(&self) -> bool {
        self.is_binary
    }

    /// The content after the change.
    ///
    /// # Errors
    /// If a hunk does not fit, or the file is binary.
    pub fn apply(&self, base: &[u8]) -> Result<Vec<u8>, PatchError> {
        if self.is_binary {
            return Err(PatchError::Binary {
                path: self.path().to_owned(),
            });
        }
        let lines: Vec<&[u8]> = base.split_inclusive(|&b| b == b'\n').collect();
        let mut result = Vec::with_capacity(base.len());
        let mut done = 0;
        let mut looks = MAX_LOOKS + lines.len();
        for hunk in &self.hunks {
            let wanted = hunk.start.saturating_sub(usize::from(!hunk.old.is_empty()));
            let Some(at) = hunk.place(&lines, done, wanted, &mut looks) else {
                return Err(PatchError::Hunk {
                    path: self.path().to_owned(),
                    line: hunk.line,
                    at: hunk.start,
                });
            };
            result.extend(lines[done..at].concat());
            result.extend(hunk.new.concat());
            done = at + hunk.old.len();
        }
        result.extend(lines[done..].concat());
        Ok(result)
    }
}

impl Hunk {
    /// The position where the hunk fits: the wanted line or the nearest one, not before `first`.
    /// Each place tried counts against `looks`.
    fn place(
        &self,
        lines: &[&[u8]],
        first: usize,
        wanted: usize,
        looks: &mut usize,
    ) -> Option<usize> {
        let fits = |at: usize| {
            let here = lines.get(at..at.checked_add(self.old.len())?);
            let is_here = at >= first
                && here.is_some_and(|here| here.iter().zip(&self.old).all(|(a, b)| a == b));
            is_here.then_some(at)
        };
        if self.old.is_empty() {
            return (wanted >= first && wanted <= lines.len()).then_some(wanted);
        }
        let distances = (0..=lines.len()).take_while(|_| {
            *looks = looks.saturating_sub(1);
            *looks > 0
        });
        let mut places = distances.flat_map(|d| [wanted.checked_sub(d), wanted.checked_add(d)]);
        places.find_map(|at| at.and_then(fits))
    }
}

/// Reads a diff of any number of files; text around them is skipped, and so are terminal colours.
/// `has` reports whether the base has a path.
///
/// # Errors
/// If a header or hunk is cut off or invalid, if it is a combined diff of a merge, or if there is
/// text and no diff in it.
pub fn parse(diff: &[u8], has: &dyn Fn(&str) -> bool) -> Result<Vec<FilePatch>, PatchError> {
    let diff = plain(diff);
    let mut parser = Parser {
        lines: diff.split_inclusive(|&b| b == b'\n').collect(),
        next: 0,
        files: Vec::new(),
        is_git: false,
        has,
    };
    while let Some(&line) = parser.lines.get(parser.next) {
        parser.next += 1;
        parser.line(line)?;
    }
    if parser.files.is_empty() && !diff.trim_ascii().is_empty() {
        return Err(PatchError::Nothing);
    }
    Ok(parser.files)
}

/// The diff without git's terminal colours. They are removed only if the diff's headers are
/// coloured: code may contain such bytes itself.
fn plain(diff: &[u8]) -> Cow<'_, [u8]> {
    let is_header = |line: &[u8]| {
        let starts = [&b"diff --"[..], b"--- ", b"@@ "];
        line.starts_with(b"\x1b[") && {
            let line = uncoloured(line);
            starts.iter().any(|start| line.starts_with(start))
        }
    };
    if diff.split(|&b| b == b'\n').any(is_header) {
        return Cow::Owned(uncoloured(diff));
    }
    Cow::Borrowed(diff)
}

/// Text without sequences that set colours (`ESC [ NUMBERS m`) and clear the rest of a line (`ESC [
/// K`).
fn uncoloured(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = match colour(rest) {
            Some(length) => &rest[length..],
            None => {
                out.push(byte);
                after
            }
        };
    }
    out
}

/// The length of a colour sequence at the beginning of the text, if there is one.
fn colour(text: &[u8]) -> Option<usize> {
    let numbers = text.strip_prefix(b"\x1b[")?;
    let is_number = |b: &u8| b.is_ascii_digit() || *b == b';';
    let end = numbers.iter().position(|b| !is_number(b))?;
    matches!(numbers[end], b'm' | b'K').then_some(end + 3)
}

struct Parser<'a> {
    lines: Vec<&'a [u8]>,
    next: usize,
    files: Vec<FilePatch>,
    /// Whether the base has a path.
    has: &'a dyn Fn(&str) -> bool,
    /// Whether the current file began with `diff --git`, whose header may name it without hunks.
    is_git: bool,
}

impl Parser<'_> {
    fn line(&mut self, line: &[u8]) -> Result<(), PatchError> {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let value = |prefix: &str| text.strip_prefix(prefix.as_bytes());
        if let Some(names) = value("diff --git ") {
            self.is_git = true;
            let (old, new) = git_names(names).unzip();
            self.files.push(FilePatch {
                is_named: old.is_some(),
                old,
                new,
                ..FilePatch::default()
            });
        } else if is_combined(text) {
            return Err(PatchError::Combined { line: self.next });
        } else if let Some(name) = value("--- ") {
            let next = self.lines.get(self.next).copied().unwrap_or_default();
            let Some(new) = next.strip_prefix(b"+++ ") else {
                return Ok(());
            };
            self.next += 1;
            self.names(name, new)?;
        } else if text.starts_with(b"@@ ") {
            self.hunk(text)?;
        } else if self.is_git
            && let Some(file) = self.files.last_mut()
        {
            header(file, text);
        }
        Ok(())
    }

    fn names(&mut self, old: &[u8], new: &[u8]) -> Result<(), PatchError> {
        if !std::mem::take(&mut self.is_git) {
            self.files.push(FilePatch::default());
        }
        let (old, new) = (path(old), path(new));
        let at = self.next;
        let Some(file) = self.files.last_mut() else {
            return Ok(());
        };
        if !file.is_named {
            (file.old, file.new) = without_prefixes(old, new, self.has);
            return Ok(());
        }
        // Programs that apply the patch may use either path.
        if !are_of_one(file.old.as_deref(), old.as_deref())
            || !are_of_one(file.new.as_deref(), new.as_deref())
        {
            return Err(syntax(
                at,
                "file names that differ from those of its `diff --git` line",
            ));
        }
        file.old = file.old.take().filter(|_| old.is_some());
        file.new = file.new.take().filter(|_| new.is_some());
        Ok(())
    }

    fn hunk(&mut self, header: &[u8]) -> Result<(), PatchError> {
        let at = self.next;
        let header = String::from_utf8_lossy(header);
        let ranges = ranges(&header);
        let ranges = ranges.ok_or_else(|| syntax(at, "a hunk without its ranges"))?;
        let (start, mut old_left, mut new_left) = ranges;
        let mut hunk = Hunk {
            line: at,
            start,
            old: Vec::new(),
            new: Vec::new(),
        };
        let mut last = b' ';
        while old_left > 0 || new_left > 0 {
            let Some(&line) = self.lines.get(self.next) else {
                return Err(syntax(self.next, "the diff ends inside a hunk"));
            };
            self.next += 1;
            // A line that is empty on both sides, whose space an editor has removed.
            let (mark, rest) = match line.split_first() {
                Some((b'\n', _)) | None => (b' ', &b"\n"[..]),
                Some((&mark, rest)) => (mark, rest),
            };
            if mark == b'\\' {
                hunk.no_newline(last);
                continue;
            }
            if !matches!(mark, b' ' | b'-' | b'+') {
                return Err(syntax(
                    self.next,
                    "a line of a hunk starts with something other than ` `, `+` or `-`",
                ));
            }
            let (from_old, to_new) = (mark != b'+', mark != b'-');
            if (from_old && old_left == 0) || (to_new && new_left == 0) {
                return Err(syntax(
                    self.next,
                    "a hunk has more lines than its header says",
                ));
            }
            if from_old {
                hunk.old.push(rest.to_vec());
                old_left -= 1;
            }
            if to_new {
                hunk.new.push(rest.to_vec());
                new_left -= 1;
            }
            last = mark;
        }
        // This line follows the last line of a hunk and is not in its header's counts.
        let after = self.lines.get(self.next);
        if after.is_some_and(|line| line.starts_with(b"\\")) {
            self.next += 1;
            hunk.no_newline(last);
        }
        match self.files.last_mut() {
            Some(file) => file.hunks.push(hunk),
            None => return Err(syntax(at, "a hunk before any file")),
        }
        Ok(())
    }
}

fn syntax(line: usize, message: &str) -> PatchError {
    PatchError::Syntax {
        line,
        message: message.to_owned(),
    }
}

impl Hunk {
    /// Removes the line end of the previous line: it is the last of its file, on the sides it
    /// belongs to.
    fn no_newline(&mut self, mark: u8) {
        let old = (mark != b'+').then_some(&mut self.old);
        let new = (mark != b'-').then_some(&mut self.new);
        for last in [old, new]
            .into_iter()
            .flatten()
            .filter_map(|side| side.last_mut())
        {
            if last.ends_with(b"\n") {
                last.pop();
            }
        }
    }
}

/// Reads a line of git's header of a file.
fn header(file: &mut FilePatch, text: &[u8]) {
    let value = |prefix: &str| text.strip_prefix(prefix.as_bytes());
    if value("new file mode").is_some() {
        file.old = None;
    } else if value("deleted file mode").is_some() {
        file.new = None;
    } else if let Some(name) = value("rename from ").or_else(|| value("copy from ")) {
        file.is_copy = text.starts_with(b"copy");
        file.is_named = true;
        file.old = Some(unquoted(name));
    } else if let Some(name) = value("rename to ").or_else(|| value("copy to ")) {
        file.new = Some(unquoted(name));
    } else if value("GIT binary patch").is_some() || value("Binary files ").is_some() {
        file.is_binary = true;
    }
}

/// First line and count of the base's lines, and count of the new ones.
fn ranges(header: &str) -> Option<(usize, usize, usize)> {
    let mut words = header.split(' ').skip(1);
    let old = range(words.next()?.strip_prefix('-')?)?;
    let new = range(words.next()?.strip_prefix('+')?)?;
    (words.next()? == "@@").then_some((old.0, old.1, new.1))
}

fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// Whether a file's own path is the header's, apart from a prefix; a missing one always fits.
fn are_of_one(named: Option<&str>, path: Option<&str>) -> bool {
    let (Some(named), Some(path)) = (named, path) else {
        return true;
    };
    let before = path.strip_suffix(named);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Whether a line belongs to a diff of a merge against several parents.
fn is_combined(text: &[u8]) -> bool {
    let starts = [&b"diff --cc "[..], b"diff --combined ", b"@@@ "];
    starts.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &[u8] = b"one\ntwo\nthree\nfour\n";

    fn parsed(diff: &str) -> Result<Vec<FilePatch>, PatchError> {
        parse(diff.as_bytes(), &|_| true)
    }

    fn applied(diff: &str, base: &[u8]) -> Result<Vec<u8>, PatchError> {
        parsed(diff)?[0].apply(base)
    }

    #[test]
    fn hunk_search_is_bounded() {
        let lines = |of: fn(usize) -> String| (0..20_000).map(of).collect::<String>();
        let base = lines(|n| format!("line {n}\n"));
        // Each hunk fits, but far from its stated position.
        let hunks = |count: usize| {
            let hunk = |n: usize| format!("@@ -1 +1 @@\n-line {}\n+z\n", n * 10);
            let hunks: String = (0..count).map(hunk).collect();
            applied(&format!("--- a/f.py\n+++ b/f.py\n{hunks}"), base.as_bytes())
        };
        assert!(hunks(100).is_ok());
        assert!(matches!(hunks(2_000), Err(PatchError::Hunk { .. })));
        let far = format!(
            "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n-last\n+z\n@@ -{} +1 @@\n-n\n+m\n",
            usize::MAX
        );
        let base = base + "last\n";
        assert!(applied(&far, base.as_bytes()).is_err());
        let one = far.split("@@ -1844").next().unwrap();
        assert!(applied(one, base.as_bytes()).unwrap().ends_with(b"z\n"));
    }

    #[test]
    fn hunk_applies_where_it_fits() {
        let diff = "--- a/f.py\n+++ b/f.py\n@@ -2,2 +2,2 @@ def f\n two\n-three\n+3\n";
        assert_eq!(applied(diff, BASE).unwrap(), b"one\ntwo\n3\nfour\n");
        let shifted = [b"zero\n", BASE].concat();
        assert_eq!(
            applied(diff, &shifted).unwrap(),
            b"zero\none\ntwo\n3\nfour\n"
        );
        let error = applied(diff, b"one\n").unwrap_err().to_string();
        assert!(error.contains("f.py at line 2"), "{error}");
    }

    #[test]
    fn new_deleted_renamed_files_are_distinguished() {
        let diff = "diff --git a/x y.py b/x y.py\nnew file mode 100644\nindex 0..1\n--- /dev/null\n\
                    +++ b/x y.py\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n\
                    diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n\
                    +++ /dev/null\n@@ -1 +0,0 @@\n-a\n\
                    diff --git a/p.py b/q.py\nsimilarity index 100%\nrename from p.py\nrename to q.py\n";
        let files = parsed(diff).unwrap();
        let names: Vec<_> = files
            .iter()
            .map(|f| (f.old.as_deref(), f.new.as_deref()))
            .collect();
        let expected = [
            (None, Some("x y.py")),
            (Some("gone.py"), None),
            (Some("p.py"), Some("q.py")),
        ];
        assert_eq!(names, expected);
        assert_eq!(files[0].apply(b"").unwrap(), b"a\nb");
        assert_eq!(files[1].apply(b"a\n").unwrap(), b"");
        assert_eq!(files[2].apply(BASE).unwrap(), BASE);
    }

    #[test]
    fn missing_newline_belongs_to_its_side() {
        let diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n";
        assert_eq!(applied(diff, b"a").unwrap(), b"b\n");
    }

    #[test]
    fn truncated_and_binary_diffs_are_refused() {
        let cut = parsed("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n").unwrap_err();
        assert!(cut.to_string().contains("line 4 of the diff"), "{cut}");
        let binary =
            "diff --git a/i.py b/i.py\nindex 1..2\nBinary files a/i.py and b/i.py differ\n";
        let error = applied(binary, b"").unwrap_err().to_string();
        assert!(error.contains("binary file i.py"), "{error}");
    }

    #[test]
    fn invalid_and_merge_diffs_are_refused() {
        assert_eq!(parsed(" \n\n").unwrap(), []);
        let stat = " a.py | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
        assert_eq!(parsed(stat).unwrap_err(), PatchError::Nothing);
        let merge = "commit 1\n\ndiff --cc a.py\nindex 1,2..3\n--- a/a.py\n+++ b/a.py\n\
                     @@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n";
        let error = parsed(merge).unwrap_err();
        assert_eq!(error, PatchError::Combined { line: 3 });
    }

    #[test]
    fn diff_colours_are_stripped_code_kept() {
        let diff = "\x1b[1mdiff --git a/f b/f\x1b[m\n\x1b[1m--- a/f\x1b[m\n\x1b[1m+++ b/f\x1b[m\n\
                    \x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-one\x1b[m\n\x1b[32m+\x1b[m\x1b[32m1\x1b[m\n";
        assert_eq!(applied(diff, b"one\n").unwrap(), b"1\n");
        let code = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+\x1b[1m\n";
        assert_eq!(applied(code, b"one\n").unwrap(), b"\x1b[1m\n");
    }

    #[test]
    fn diff_or_base_decides_path_prefix() {
        let base = ["a/x.py", "x.py", "i/x.py", "only/x.py"];
        let names = |diff: &str| {
            let files = parse(diff.as_bytes(), &|path| base.contains(&path)).unwrap();
            (files[0].old.clone(), files[0].new.clone())
        };
        let both = |name: &str| (Some(name.to_owned()), Some(name.to_owned()));
        for (header, found) in [
            ("a/x.py b/x.py", "x.py"),
            ("i/x.py w/x.py", "x.py"),
            ("1/x.py 2/x.py", "x.py"),
            ("a/x.py a/x.py", "a/x.py"),
            ("i/x.py i/x.py", "i/x.py"),
            ("\"c/\\303\\251.py\" \"w/\\303\\251.py\"", "\u{e9}.py"),
        ] {
            let (old, new) = header.split_at(header.len() / 2);
            let lines = format!("diff --git {header}\n--- {old}\n+++ {}\n", new.trim());
            assert_eq!(names(&lines), both(found), "{header}");
        }
        let renamed = "diff --git only/x.py other/x.py\nsimilarity index 90%\n\
                       rename from only/x.py\nrename to other/x.py\n--- only/x.py\n+++ other/x.py\n";
        let paths = (Some("only/x.py".to_owned()), Some("other/x.py".to_owned()));
        assert_eq!(names(renamed), paths);
        for (old, new, found) in [
            ("a/x.py", "b/x.py", "x.py"),
            ("a/x.py", "a/x.py", "a/x.py"),
            ("only/x.py", "only/x.py", "only/x.py"),
            ("o/x.py", "w/x.py", "x.py"),
        ] {
            let lines = format!("--- {old}\n+++ {new}\n");
            assert_eq!(names(&lines), both(found), "{old}");
        }
        let new = "diff --git b/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n";
        assert_eq!(names(new), (None, Some("b/n.py".to_owned())));
    }

    #[test]
    fn quoted_names_are_unquoted() {
        assert_eq!(
            unquoted(b"\"a/\\303\\251 \\\"x\\\".py\""),
            "a/\u{e9} \"x\".py"
        );
    }
}
