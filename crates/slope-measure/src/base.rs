//! Base of a tree: a folder, or a revision of its git repository.
//!
//! Only names and contents are read from git. The repository may be untrusted, so nothing is
//! fetched and no code of it is run.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Reason that there is no base.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    /// The name is not a folder, and no repository could have a revision.
    #[error("{name} is not a directory, and {} is not in a git repository that could have such a revision\nhelp: use a directory as the base", path.display())]
    NoRepository {
        /// Given name.
        name: String,
        /// Measured path.
        path: PathBuf,
    },
    /// The revision does not exist in the repository.
    #[error("{name} is neither a directory nor a revision of the git repository {}\nhelp: list revisions with `git log --oneline`", top.display())]
    Unknown {
        /// Given name.
        name: String,
        /// The repository.
        top: PathBuf,
    },
    /// The repository is a shallow clone.
    #[error("the git repository {} is a shallow clone and does not have {name}\nhelp: get the rest of the history with `git fetch --unshallow`", top.display())]
    Shallow {
        /// Given name.
        name: String,
        /// The repository.
        top: PathBuf,
    },
    /// Git could not be started.
    #[error("cannot run git to read the base\nhelp: install git, or use a directory as the base")]
    Start(#[source] std::io::Error),
    /// Git could not read the revision.
    #[error("git cannot read {name}: {message}")]
    Read {
        /// Given name.
        name: String,
        /// Git's message.
        message: String,
    },
    /// The files of the revision could not be written to a temporary folder.
    #[error(
        "cannot write the files of {name} to a temporary folder\nhelp: free space in the folder for temporary files"
    )]
    PutDown {
        /// Given name.
        name: String,
        /// System error.
        source: std::io::Error,
    },
}

/// Base of a tree.
#[derive(Debug)]
pub struct Base {
    name: String,
    commit: Option<String>,
    root: PathBuf,
    /// Folder of a revision's files until this is dropped.
    _files: Option<TempDir>,
}

/// A file of a revision.
struct Blob {
    id: String,
    path: PathBuf,
}

impl Base {
    /// A folder, or a file.
    #[must_use]
    pub fn folder(path: &Path) -> Self {
        Self {
            name: path.to_string_lossy().into_owned(),
            commit: None,
            root: path.to_owned(),
            _files: None,
        }
    }

    /// Resolves a name relative to `measured`: the folder of that name if there is one, else the
    /// revision of the git repository that contains `measured`.
    ///
    /// Files of the revision larger than `largest` bytes are left out.
    ///
    /// # Errors
    /// If the name is neither, or git cannot read the revision.
    pub fn find(name: &str, measured: &Path, largest: usize) -> Result<Self, BaseError> {
        if Path::new(name).is_dir() {
            return Ok(Self::folder(Path::new(name)));
        }
        Self::revision(name, measured, largest)
    }

    /// Revision of the git repository that contains `measured`, at the same path in it. A path that
    /// does not exist in the revision is an empty folder.
    ///
    /// # Errors
    /// If there is no repository or no such revision, or git cannot read it.
    pub fn revision(name: &str, measured: &Path, largest: usize) -> Result<Self, BaseError> {
        let measured = measured
            .canonicalize()
            .unwrap_or_else(|_| measured.to_owned());
        let no_repository = || BaseError::NoRepository {
            name: name.to_owned(),
            path: measured.clone(),
        };
        let folder = if measured.is_dir() {
            measured.as_path()
        } else {
            measured.parent().unwrap_or(Path::new("/"))
        };
        let top = asked(folder, &["rev-parse", "--show-toplevel"])?.ok_or_else(no_repository)?;
        let top = PathBuf::from(top);
        let commit = commit(name, &top)?;
        let within = measured.strip_prefix(&top).map_err(|_| no_repository())?;
        let blobs = blobs(name, &top, &commit, within, largest)?;
        let files = put_down(name, &top, &blobs)?;
        let file = !measured.is_dir();
        let root = match measured.file_name().filter(|_| file) {
            Some(file) if files.path().join(file).exists() => files.path().join(file),
            _ => files.path().to_owned(),
        };
        Ok(Self {
            name: name.to_owned(),
            commit: Some(commit),
            root,
            _files: Some(files),
        })
    }

    /// Its name: the revision or the folder, as it was named.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The commit of a revision; `None` for a folder.
    #[must_use]
    pub fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }

    /// Folder of its files.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Git command in a folder, without network access and prompts.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder);
    git.args(["--literal-pathspecs", "-c", "protocol.allow=never"]);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(variable);
    }
    git.env("GIT_NO_LAZY_FETCH", "1");
    git.env("GIT_OPTIONAL_LOCKS", "0");
    git.env("GIT_TERMINAL_PROMPT", "0");
    git.stdin(Stdio::null());
    git
}

fn output(git: &mut Command) -> Result<Output, BaseError> {
    git.output().map_err(BaseError::Start)
}

/// The line that git answers with; `None` if it fails.
fn asked(folder: &Path, question: &[&str]) -> Result<Option<String>, BaseError> {
    let said = output(git(folder).args(question))?;
    let line = String::from_utf8_lossy(&said.stdout).trim_end().to_owned();
    Ok(said.status.success().then_some(line))
}

fn commit(name: &str, top: &Path) -> Result<String, BaseError> {
    let revision = format!("{name}^{{commit}}");
    let question = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &revision,
    ];
    if let Some(commit) = asked(top, &question)? {
        return Ok(commit);
    }
    let shallow = asked(top, &["rev-parse", "--is-shallow-repository"])?;
    let (name, top) = (name.to_owned(), top.to_owned());
    Err(if shallow.as_deref() == Some("true") {
        BaseError::Shallow { name, top }
    } else {
        BaseError::Unknown { name, top }
    })
}

/// The files of a commit at a place, with their paths below it.
fn blobs(
    name: &str,
    top: &Path,
    commit: &str,
    within: &Path,
    largest: usize,
) -> Result<Vec<Blob>, BaseError> {
    let mut list = git(top);
    list.args(["ls-tree", "-r", "-l", "-z", "--full-tree", commit]);
    if within != Path::new("") {
        list.arg("--").arg(within);
    }
    let listed = output(&mut list)?;
    if !listed.status.success() {
        return Err(failed(name, &listed.stderr));
    }
    let entries = listed.stdout.split(|&byte| byte == 0);
    let found = entries.filter_map(|entry| blob(entry, within, largest));
    Ok(found.collect())
}

/// A line of git's listing: mode, type, id and size, a tab, the path. Links and
/// repositories inside are left out, as they are when a folder is walked.
fn blob(entry: &[u8], within: &Path, largest: usize) -> Option<Blob> {
    use std::os::unix::ffi::OsStrExt;

    let tab = entry.iter().position(|&byte| byte == b'\t')?;
    let head = std::str::from_utf8(&entry[..tab]).ok()?;
    let mut head = head.split_ascii_whitespace();
    let (mode, _, id, size) = (head.next()?, head.next()?, head.next()?, head.next()?);
    if !mode.starts_with("100") || size.parse::<usize>().ok()? > largest {
        return None;
    }
    let path = Path::new(OsStr::from_bytes(&entry[tab + 1..]));
    let below = path.strip_prefix(within).ok()?;
    // For a single measured file, the path below itself is empty.
    let below = if below == Path::new("") {
        Path::new(path.file_name()?)
    } else {
        below
    };
    let plain = below
        .components()
        .all(|c| matches!(c, Component::Normal(_)));
    plain.then(|| Blob {
        id: id.to_owned(),
        path: below.to_owned(),
    })
}

/// Writes the files of a revision into a folder of their own.
fn put_down(name: &str, top: &Path, blobs: &[Blob]) -> Result<TempDir, BaseError> {
    let failed_to_write = |source| BaseError::PutDown {
        name: name.to_owned(),
        source,
    };
    let folder = tempfile::tempdir().map_err(failed_to_write)?;
    let mut batch = git(top)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(BaseError::Start)?;
    let (Some(mut ask), Some(answers)) = (batch.stdin.take(), batch.stdout.take()) else {
        return Err(failed(name, b"no pipe"));
    };
    let ids: String = blobs.iter().map(|blob| format!("{}\n", blob.id)).collect();
    // Written from a separate thread: git stops reading while its output is not read.
    let asking = std::thread::spawn(move || ask.write_all(ids.as_bytes()));
    let mut answers = BufReader::new(answers);
    let mut result = Ok(());
    for blob in blobs {
        result = match content(&mut answers) {
            Some(bytes) => write(&folder.path().join(&blob.path), &bytes).map_err(failed_to_write),
            None => Err(failed(
                name,
                b"some of its objects are missing\nhelp: get them with `git fetch`",
            )),
        };
        if result.is_err() {
            break;
        }
    }
    drop(answers);
    // If git ended early, the missing objects have been reported already.
    drop(asking.join());
    drop(batch.wait());
    result.map(|()| folder)
}

/// The next answer: id, type and size in a line, then the content and a line end.
fn content(answers: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut head = String::new();
    answers.read_line(&mut head).ok()?;
    let size: usize = head.trim_end().rsplit(' ').next()?.parse().ok()?;
    let mut bytes = vec![0; size + 1];
    answers.read_exact(&mut bytes).ok()?;
    bytes.truncate(size);
    Some(bytes)
}

fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(path, bytes)
}

fn failed(name: &str, message: &[u8]) -> BaseError {
    BaseError::Read {
        name: name.to_owned(),
        message: String::from_utf8_lossy(message).trim_end().to_owned(),
    }
}
