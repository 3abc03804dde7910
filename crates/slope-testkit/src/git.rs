//! Repositories made by git itself, away from the machine's own settings.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::write;

/// Who commits where nothing else is said.
const SOMEBODY: &str = "A";

/// Runs git in a folder and gives what it prints, without white space at both ends.
#[track_caller]
pub fn git<S: AsRef<OsStr>>(dir: &Path, args: &[S]) -> String {
    git_as(dir, SOMEBODY, args)
}

/// The same, with commits by `who`; everybody's address is `a@example.com`.
#[track_caller]
pub fn git_as<S: AsRef<OsStr>>(dir: &Path, who: &str, args: &[S]) -> String {
    let output = Command::new("git")
        // Submodules and clones of the tests are neighbours.
        .args(["-c", "protocol.file.allow=always"])
        .args(["-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_AUTHOR_NAME", who)
        .env("GIT_AUTHOR_EMAIL", "a@example.com")
        .env("GIT_COMMITTER_NAME", who)
        .env("GIT_COMMITTER_EMAIL", "a@example.com")
        .output()
        .unwrap();
    let shown: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    assert!(
        output.status.success(),
        "git {shown:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Writes files and commits everything that differs; gives the commit's id.
#[track_caller]
pub fn commit<P: AsRef<Path>, T: AsRef<[u8]>>(dir: &Path, files: &[(P, T)]) -> String {
    commit_as(dir, SOMEBODY, files, "Step")
}

/// The same, by `who` and with this message.
#[track_caller]
pub fn commit_as<P: AsRef<Path>, T: AsRef<[u8]>>(
    dir: &Path,
    who: &str,
    files: &[(P, T)],
    message: &str,
) -> String {
    write(dir, files);
    git(dir, &["add", "-A"]);
    git_as(dir, who, &["commit", "-q", "--allow-empty", "-m", message]);
    git(dir, &["rev-parse", "HEAD"])
}

/// A new repository whose branch `main` has one commit with these files.
#[must_use]
#[track_caller]
pub fn repository<P: AsRef<Path>, T: AsRef<[u8]>>(files: &[(P, T)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "-q"]);
    commit(dir.path(), files);
    dir
}
