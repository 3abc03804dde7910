//! Code as callers have it: a path, or texts by path.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use slope_model::measurement::Definitions;
use tempfile::TempDir;

use crate::{Error, ErrorKind};

/// Code to work on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// A folder or a file.
    Path(PathBuf),
    /// Texts by path, relative to their top, with slashes. A `slope.toml` among them is their configuration.
    Files(BTreeMap<String, Vec<u8>>),
}

/// Code on disk.
///
/// Texts are written into a folder of their own, because a measurement of a folder also honours ignore files,
/// configurations and versions of languages. So both have the same result.
pub(crate) struct Tree {
    /// Name for documents and messages.
    pub(crate) name: String,
    /// The argument, for errors.
    pub(crate) field: &'static str,
    path: PathBuf,
    /// Deletes the folder of texts at the end.
    own: Option<TempDir>,
}

impl Tree {
    /// Code of the argument `field`, which is also the name of texts.
    pub(crate) fn of(code: &Code, field: &'static str) -> Result<Self, Error> {
        match code {
            Code::Path(path) => Ok(Self {
                name: path.display().to_string(),
                field,
                path: path.clone(),
                own: None,
            }),
            Code::Files(files) => {
                let own = write_all(files, field)?;
                Ok(Self {
                    name: field.to_owned(),
                    field,
                    path: own.path().to_owned(),
                    own: Some(own),
                })
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is texts of the caller, which may read no other file.
    pub(crate) fn is_texts(&self) -> bool {
        self.own.is_some()
    }

    /// Refuses a path that does not exist.
    pub(crate) fn existing(self) -> Result<Self, Error> {
        if self.path.exists() {
            return Ok(self);
        }
        let message = format!("{} does not exist", self.name);
        let help = "name a folder or a file, or give texts by path";
        Err(Error::new(ErrorKind::Unreadable, self.field, message, help))
    }

    /// Names rule packs among texts by their path there.
    pub(crate) fn name_rules(&self, definitions: &mut Definitions) {
        if self.own.is_some() {
            let packs = std::mem::take(&mut definitions.rules).into_iter();
            let named = packs.map(|(path, hash)| (self.without_folder(&path), hash));
            definitions.rules = named.collect();
        }
    }

    /// An error of another crate in the caller's words: paths are relative to the texts.
    pub(crate) fn error(&self, kind: ErrorKind, error: &dyn std::error::Error) -> Error {
        let mut error = Error::of(kind, self.field, error);
        if self.own.is_some() {
            for text in [&mut error.message, &mut error.help] {
                *text = self.without_folder(text);
            }
        }
        error
    }

    fn without_folder(&self, text: &str) -> String {
        let folder = self.path.display().to_string();
        let text = text.replace(&format!("{folder}/"), "");
        text.replace(&folder, &self.name)
    }
}

/// Writes texts into a new folder.
fn write_all(files: &BTreeMap<String, Vec<u8>>, field: &'static str) -> Result<TempDir, Error> {
    let failed = |error: io::Error| Error::of(ErrorKind::Internal, field, &error);
    let own = tempfile::tempdir().map_err(failed)?;
    // Searches for settings and ignore files end at the top of a repository.
    fs::create_dir(own.path().join(".git")).map_err(failed)?;
    for (path, text) in files {
        if let Some(fault) = bad_path(path) {
            return Err(Error::new(
                ErrorKind::Argument,
                field,
                format!("the path {path:?} {fault}"),
                "give paths relative to the top of the code, with `/` between folders",
            ));
        }
        write(&own.path().join(path), text).map_err(|error| unwritten(path, field, &error))?;
    }
    Ok(own)
}

/// The error of a text that cannot be a file. Only some of them are faults of its path.
fn unwritten(path: &str, field: &str, error: &io::Error) -> Error {
    use io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};
    let is_of_path = matches!(
        error.kind(),
        AlreadyExists | InvalidFilename | IsADirectory | NotADirectory
    );
    let message = format!("the path {path:?} cannot be a file: {error}");
    if is_of_path {
        let help = "a path is either a file or a folder, and each file has a name of its own";
        Error::new(ErrorKind::Argument, field, message, help)
    } else {
        let help =
            "see that the folder for temporary files has space, and that you may write there";
        Error::new(ErrorKind::Internal, field, message, help)
    }
}

fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::File::create_new(path)?.write_all(text)
}

/// Why a path cannot be that of a text; `None` if it can.
fn bad_path(path: &str) -> Option<&'static str> {
    let mut parts = Path::new(path).components();
    let is_plain = parts.all(|part| matches!(part, Component::Normal(_)));
    let mut names = path.split('/');
    if path.is_empty() {
        Some("is empty")
    } else if path.contains(['\0', '\\']) {
        Some("has a character that paths may not have")
    } else if !is_plain || names.any(|name| name.is_empty() || name == ".") {
        Some("is not a plain path below the top")
    } else if path
        .split('/')
        .any(|name| name.eq_ignore_ascii_case(".git"))
    {
        Some("is in the folder of a repository, which has no code")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::bad_path;

    #[test]
    fn paths_stay_below_the_top() {
        for path in ["a.py", "src/a b.py", "..a/b", "é/ü.py", "a/.gitignore"] {
            assert_eq!(bad_path(path), None, "{path}");
        }
        let bad = [
            "",
            "/a",
            "../a",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "a\\b",
            "a\0b",
            ".git/config",
            "a/.GIT/x",
        ];
        for path in bad {
            assert!(bad_path(path).is_some(), "{path}");
        }
    }
}
