//! How much of an edit's code was read.

use slope_change::Contents;
use slope_measure::Content;
use slope_syntax::paths::{is_test, other_language};

use crate::base::Base;
use crate::components::Judged;
use crate::edit::Edit;
use crate::embedded;

/// Suffixes of files that hold no code: text, data, settings, pages and pictures.
const NO_CODE: &[&str] = &[
    "adoc",
    "bat",
    "bib",
    "cfg",
    "cmake",
    "cmd",
    "conf",
    "cpt",
    "crt",
    "csv",
    "css",
    "diff",
    "editorconfig",
    "ejs",
    "env",
    "erb",
    "example",
    "ftl",
    "gif",
    "gitattributes",
    "gitignore",
    "golden",
    "gradle",
    "graphql",
    "hbs",
    "htm",
    "html",
    "http",
    "ico",
    "ini",
    "ipynb",
    "j2",
    "jinja",
    "jinja2",
    "jpeg",
    "jpg",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "key",
    "less",
    "liquid",
    "lock",
    "log",
    "map",
    "markdown",
    "md",
    "mdx",
    "mod",
    "mustache",
    "ndjson",
    "njk",
    "out",
    "patch",
    "pdf",
    "pem",
    "plist",
    "png",
    "po",
    "pot",
    "pro",
    "prompt",
    "properties",
    "proto",
    "pug",
    "rst",
    "rtf",
    "sass",
    "scss",
    "snap",
    "sum",
    "svg",
    "tex",
    "toml",
    "tsv",
    "txt",
    "typed",
    "webmanifest",
    "xml",
    "xsd",
    "xsl",
    "yaml",
    "yml",
];

/// Share of the code that an edit adds and changes that could be read, by bytes of its lines. Files that were left out
/// before the edit do not count.
pub(crate) fn coverage(judged: &Judged<'_>) -> f64 {
    let (edit, after, base) = (judged.edit, judged.after, judged.base);
    let (mut read, mut all) = (0, 0);
    for (path, (before, text)) in &edit.files {
        let Some(bytes) = text else { continue };
        let is_code = is_source(base, path, bytes) || embedded::is_program(path, before, bytes);
        if !is_code || before.as_ref().is_some_and(|_| base.left_out(path)) {
            continue;
        }
        let lines = judged.lines.gained(path);
        let size: usize = lines.iter().map(|(_, line)| line.trim().len()).sum();
        all += size;
        let is_read = matches!(after.get(path), Some(Content::Code(_)));
        let is_hidden = before.is_none() && hides_in_tests(base, edit, after, path);
        if is_read && !is_hidden && !base.leaves_out(path, after.get(path)) {
            let unread = embedded::rows(path, bytes);
            let unread = lines.iter().filter(|(row, _)| unread.contains(row));
            read += size - unread.map(|(_, line)| line.trim().len()).sum::<usize>();
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "an edit has at most 5 MiB")]
    let share = |read: usize, all: usize| read as f64 / all as f64;
    if all == 0 { 1.0 } else { share(read, all) }
}

/// Whether a new file has code in a new folder that is called like one of tests, and no new file there has tests.
pub(crate) fn hides_in_tests(base: &Base, edit: &Edit, after: &Contents, path: &str) -> bool {
    let Some((folder, _)) = path.rsplit_once('/') else {
        return false;
    };
    let folder = format!("{folder}/");
    let holds_tests = |path: &str| after.get(path).is_some_and(Content::holds_tests);
    let mut beside = edit.files.keys();
    is_test(&format!("{folder}code"))
        && base.below(&folder).next().is_none()
        && !beside.any(|path| path.starts_with(&folder) && holds_tests(path))
}

/// Whether a file holds code, in any language: programs run files of any name that is not known to hold something else.
fn is_source(base: &Base, path: &str, text: &[u8]) -> bool {
    base.measurer.is_code(path, text) || other_language(path).is_some() || has_odd_name(path)
}

/// Whether a file has a suffix that no kind of text or data has. Data of tests may have any.
fn has_odd_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let suffix = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    let is_odd = |suffix: &str| !NO_CODE.contains(&suffix.to_ascii_lowercase().as_str());
    suffix.is_some_and(|(_, suffix)| is_odd(suffix)) && !is_test(path)
}

#[cfg(test)]
mod tests {
    use super::has_odd_name;

    #[test]
    fn odd_names_may_hold_code() {
        for path in [
            "app.wsgi",
            "src/x.py~",
            "a.py.in",
            "b.tpl",
            "c.bzl",
            "d.java.vm",
            "e.s",
        ] {
            assert!(has_odd_name(path), "{path}");
        }
        for path in [
            "README.md",
            "LICENSE",
            ".gitignore",
            "a/data.JSON",
            "tests/data/a.in",
            "Makefile",
        ] {
            assert!(!has_odd_name(path), "{path}");
        }
    }
}
