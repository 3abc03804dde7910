//! A change applied to the files of a base.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use slope_git::patch::{FilePatch, PatchError};
use slope_model::plural;

use crate::base::{Base, MAX_FILE_BYTES};
use slope_model::grade::Fault;
use slope_model::grade_request::Change;

/// Largest edit: bytes of its files after it.
const MAX_EDIT_BYTES: u64 = 5 << 20;
/// Largest number of files that an edit changes.
const MAX_FILES: usize = 2_000;
/// Largest number of folders around the files of an edit: each takes room when tests run.
const MAX_FOLDERS: usize = 4_000;
/// Longest name of a file or folder in bytes.
const MAX_NAME: usize = 255;
/// Longest path in bytes.
const MAX_PATH: usize = 1_024;

/// A file's text; `None` for a file that is not there.
pub(crate) type Text = Option<Arc<[u8]>>;

/// Files that an edit changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edit {
    /// By path, the text before and after. They differ.
    pub(crate) files: BTreeMap<String, (Text, Text)>,
}

impl Edit {
    /// Applies a change; `field` names it in faults.
    pub(crate) fn of(base: &Base, change: &Change, field: &str) -> Result<Self, Fault> {
        let after = match change {
            Change::Diff(diff) => of_diff(base, diff, field)?,
            Change::Files(files) => of_files(files),
            Change::Tree(files) => of_tree(base, files),
        };
        let mut edit = Self::default();
        for (path, after) in after {
            if let Some(message) = bad_path(&path) {
                return Err(fault(
                    field,
                    format!("the path {path:?} {message}"),
                    "give paths relative to the top of the base, with `/` between folders",
                ));
            }
            let before = readable(base, &path, field)?;
            if before != after {
                edit.files.insert(path, (before, after));
            }
        }
        edit.check_size(field)?;
        edit.check_folders(base, field)?;
        Ok(edit)
    }

    /// Number of folders around its files.
    fn folders(&self) -> usize {
        let above = |path: &'_ String| -> Vec<String> {
            let ends = path.match_indices('/');
            ends.map(|(end, _)| path[..end].to_owned()).collect()
        };
        let all: BTreeSet<String> = self.files.keys().flat_map(above).collect();
        all.len()
    }

    /// Refuses a file where a folder is, and a folder where a file is.
    fn check_folders(&self, base: &Base, field: &str) -> Result<(), Fault> {
        let exists = |path: &str| match self.files.get(path) {
            Some((_, after)) => after.is_some(),
            None => base.has(path),
        };
        let clash = |path: &str| {
            let folder = format!("{path}/");
            let mut added = self
                .files
                .range(folder.clone()..)
                .map(|(path, _)| path.as_str());
            let mut below = added
                .by_ref()
                .take_while(|path| path.starts_with(&folder))
                .chain(base.below(&folder));
            let parents = path.match_indices('/').map(|(end, _)| &path[..end]);
            below.any(exists) || parents.into_iter().any(exists)
        };
        let new = self.files.iter();
        let mut new = new.filter(|(_, (before, after))| before.is_none() && after.is_some());
        match new.find(|(path, _)| clash(path)) {
            Some((path, _)) => Err(fault(
                field,
                format!("{path} would be a file and a folder"),
                "remove the one before you add the other, or choose another path",
            )),
            None => Ok(()),
        }
    }

    fn check_size(&self, field: &str) -> Result<(), Fault> {
        let size = |text: &Text| text.as_ref().map_or(0, |text| text.len() as u64);
        let sizes = || {
            self.files
                .iter()
                .map(|(path, (_, after))| (path, size(after)))
        };
        let (message, help) = if self.files.len() > MAX_FILES {
            let message = format!("the edit changes {}", plural(self.files.len(), "file"));
            (
                message,
                format!("an edit changes at most {MAX_FILES} files"),
            )
        } else if self.folders() > MAX_FOLDERS {
            (
                format!("the changed files are in {} folders", self.folders()),
                format!("they are in at most {MAX_FOLDERS}"),
            )
        } else if let Some((path, size)) = sizes().find(|(_, size)| *size > MAX_FILE_BYTES) {
            let message = format!("{path} has {size} bytes after the edit");
            (
                message,
                format!("a file has at most {MAX_FILE_BYTES} bytes"),
            )
        } else {
            let sum: u64 = sizes().map(|(_, size)| size).sum();
            if sum <= MAX_EDIT_BYTES {
                return Ok(());
            }
            let message = format!("the changed files have {sum} bytes after the edit");
            (
                message,
                format!("they have at most {MAX_EDIT_BYTES} bytes together"),
            )
        };
        Err(fault(field, message, &help))
    }

    /// Whether only blank lines and space at the ends of lines change. Other space can have a meaning.
    pub(crate) fn changes_nothing(&self) -> bool {
        let mut files = self.files.values();
        files.all(|files| match files {
            (Some(before), Some(after)) => code_lines(before).eq(code_lines(after)),
            (before, after) => before.is_none() && after.is_none(),
        })
    }
}

/// Lines that are not blank, without space at their ends.
fn code_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&byte| byte == b'\n');
    lines
        .map(<[u8]>::trim_ascii_end)
        .filter(|line| !line.is_empty())
}

pub(crate) fn fault(field: &str, message: impl Into<String>, help: &str) -> Fault {
    Fault {
        field: field.to_owned(),
        message: message.into(),
        help: help.to_owned(),
    }
}

fn of_diff(base: &Base, diff: &str, field: &str) -> Result<BTreeMap<String, Text>, Fault> {
    if diff.trim().is_empty() {
        return Ok(BTreeMap::new());
    }
    // Git ends its own lines by `\n`. Where they end by `\r\n`, something on the way has changed all line ends.
    let is_converted = |line: &str| line.starts_with("@@ ") && line.ends_with('\r');
    if diff.split('\n').any(is_converted) {
        let plain = of_git_diff(base, &diff.replace("\r\n", "\n"), field);
        return plain.or_else(|error| of_git_diff(base, diff, field).map_err(|_| error));
    }
    of_git_diff(base, diff, field)
}

fn of_git_diff(base: &Base, diff: &str, field: &str) -> Result<BTreeMap<String, Text>, Fault> {
    let wrong = |error: PatchError| of_patch(&error, field);
    if let Some(line) = diff.lines().find(|line| is_link(line)) {
        return Err(fault(
            field,
            format!("the diff makes a link or a submodule: {line:?}"),
            "leave links and submodules out of the diff",
        ));
    }
    let has = |path: &str| base.has(path);
    let patches = slope_git::patch::parse(diff.as_bytes(), &has).map_err(wrong)?;
    let mut after: BTreeMap<String, Text> = BTreeMap::new();
    for patch in patches {
        if patch.is_binary() {
            return Err(fault(
                field,
                format!("the diff changes the binary file {}", patch.path()),
                "leave binary files out of the diff",
            ));
        }
        let before = text_before(base, &after, &patch, field)?;
        let Some(before) = before else {
            let path = patch.old.as_deref().unwrap_or_default();
            return Err(fault(
                field,
                format!("the diff changes {path}, which the base does not have"),
                "name the base that the diff was made against",
            ));
        };
        let text = patch.apply(&before).map_err(wrong)?;
        if let Some(path) = patch.old.as_ref().filter(|_| !patch.is_copy) {
            after.insert(path.clone(), None);
        }
        if let Some(path) = patch.new {
            after.insert(path, Some(text.into()));
        }
    }
    Ok(after)
}

/// The fault of a diff that cannot be read or does not fit.
fn of_patch(error: &PatchError, field: &str) -> Fault {
    let text = error.to_string();
    let (message, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
    fault(
        field,
        message,
        &help.replace(" with --base", " as the base"),
    )
}

/// The text that a patch applies to: that of the base, or the result of an earlier patch of the diff.
fn text_before(
    base: &Base,
    after: &BTreeMap<String, Text>,
    patch: &FilePatch,
    field: &str,
) -> Result<Text, Fault> {
    let Some(path) = &patch.old else {
        return Ok(Some(Arc::from([])));
    };
    match after.get(path) {
        Some(text) => Ok(text.clone()),
        None => readable(base, path, field),
    }
}

/// The content of a file of the base; `None` if the base does not have it. The fault names the base if that is damaged or
/// changed on disk, and `field` if the file is too large.
fn readable(base: &Base, path: &str, field: &str) -> Result<Text, Fault> {
    match base.read(path) {
        Some(Err(error)) => {
            let text = error.to_string();
            let reason = text.lines().next().unwrap_or_default();
            Err(fault(
                "base",
                format!("{path} of the base cannot be read: {reason}"),
                "restore the base, or write its index again, and restart the grader",
            ))
        }
        Some(Ok(text)) if text.len() as u64 > MAX_FILE_BYTES => Err(fault(
            field,
            format!("{path} has more than {MAX_FILE_BYTES} bytes in the base"),
            "leave the file out of the edit",
        )),
        Some(Ok(text)) => Ok(Some(text)),
        None => Ok(None),
    }
}

/// Whether a line of a diff gives a file the mode of a link or a submodule.
fn is_link(line: &str) -> bool {
    let modes = ["new file mode ", "new mode "];
    let mode = modes.iter().find_map(|begin| line.strip_prefix(begin));
    mode.is_some_and(|mode| matches!(mode.trim_end(), "120000" | "160000"))
}

fn of_files(files: &BTreeMap<String, Option<String>>) -> BTreeMap<String, Text> {
    let text = |text: &Option<String>| text.as_ref().map(|text| Arc::from(text.as_bytes()));
    files
        .iter()
        .map(|(path, after)| (path.clone(), text(after)))
        .collect()
}

fn of_tree(base: &Base, files: &BTreeMap<String, String>) -> BTreeMap<String, Text> {
    let listed: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    let gone = base.paths().filter(|path| !listed.contains(path));
    let gone = gone.map(|path| (path.to_owned(), None));
    let there = files.iter().map(|(path, text)| {
        let text: Arc<[u8]> = Arc::from(text.as_bytes());
        (path.clone(), Some(text))
    });
    gone.chain(there).collect()
}

/// Why a path is refused.
pub(crate) fn bad_path(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.len() > MAX_PATH {
        return Some("is too long");
    }
    if path.split('/').any(|part| part.len() > MAX_NAME) {
        return Some("has a part that is too long for a file name");
    }
    if path.starts_with('/') || path.get(1..2) == Some(":") {
        return Some("is absolute");
    }
    if path.contains(['\0', '\\', '\n']) {
        return Some("has a character that is not allowed");
    }
    let mut parts = path.split('/');
    if parts.clone().any(|part| matches!(part, "" | "." | "..")) {
        return Some("has an empty part, `.` or `..`");
    }
    if parts.clone().any(|part| part.ends_with([' ', '.'])) {
        return Some("has a part that ends with a space or a dot");
    }
    parts
        .any(|part| part == ".git")
        .then_some("is in a repository's own folder")
}

#[cfg(test)]
mod tests {
    use super::bad_path;

    #[test]
    fn paths_outside_the_base_are_refused() {
        for path in [
            "",
            "/etc/passwd",
            "../a.py",
            "a/../../b",
            "a//b",
            "./a",
            "C:/a",
            "a\\b",
            ".git/config",
            "a.py ",
            "lib /a.py",
            "a.py.",
        ] {
            assert!(bad_path(path).is_some(), "{path}");
        }
        for path in ["a.py", "src/a b/c.rs", "..a/b", "a/.github/x.yml"] {
            assert!(bad_path(path).is_none(), "{path}");
        }
    }
}
