//! Repositories of every kind, made by git itself.

use std::path::Path;
use std::process::Command;

use slope_git::{Content, Error, Kind, Line, Reader, Repo};
use slope_testkit::git::{commit_as, git};
use slope_testkit::write;
use tempfile::TempDir;

fn commit(dir: &Path, path: &str, text: &str) -> String {
    commit_as(dir, "A", &[(path, text)], &format!("Write {path}"))
}

/// A repository with three commits on `main`.
fn three(format: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(
        dir.path(),
        &["init", "-q", &format!("--object-format={format}")],
    );
    commit(dir.path(), "a.py", "a = 1\n");
    commit(dir.path(), "b/c.py", "c = 1\n");
    commit(dir.path(), "a.py", "a = 2\n");
    dir
}

fn reader(dir: &Path) -> Reader {
    Repo::open(dir).unwrap().reader()
}

fn subjects(reader: &Reader, line: Line) -> Vec<String> {
    let walk = reader.walk(reader.head().unwrap(), line, None).unwrap();
    let subjects = walk.commits.iter().map(|c| c.subject().to_owned());
    subjects.collect()
}

fn all(_: &str) -> bool {
    true
}

#[test]
fn history_reads_with_both_hash_formats() {
    for format in ["sha1", "sha256"] {
        let dir = three(format);
        let reader = reader(dir.path());
        let newest = reader.resolve("HEAD").unwrap();
        assert_eq!(newest, reader.resolve("main").unwrap());
        let walk = reader.walk(newest, Line::FirstParent, None).unwrap();
        assert_eq!(walk.commits.len(), 3);
        let trees: Vec<_> = walk.commits.iter().map(|c| c.tree).collect();
        let changes = reader.changes(Some(trees[0]), trees[2], &all).unwrap();
        let paths: Vec<_> = changes.iter().map(|c| c.path.as_str()).collect();
        assert_eq!(paths, ["a.py", "b/c.py"]);
        assert!(changes[0].old.is_some() && changes[1].old.is_none());
        let (_, id) = changes[0].new.unwrap();
        assert_eq!(reader.blob(id, "a.py").unwrap(), b"a = 2\n");
        assert!(reader.is_content(id, b"a = 2\n"));
        assert!(!reader.is_content(id, b"a = 3\n"));
        let entry = |path: &str| reader.entry(trees[2], path).unwrap();
        let (kind, id) = entry("b/c.py").unwrap();
        assert_eq!(kind, Kind::File);
        assert_eq!(reader.blob(id, "b/c.py").unwrap(), b"c = 1\n");
        for nothing in ["b", "c.py", "b/c.py/d", "", "/a.py"] {
            assert_eq!(entry(nothing), None, "{nothing}");
        }
        let files = reader.files(trees[2], &|folder| folder != "b").unwrap();
        assert_eq!(files.len(), 1, "{format}");
        assert_eq!(reader.default_branch().unwrap().0, "main");
    }
}

/// Runs git with a clock that always shows the same second.
fn git_at(dir: &Path, second: u32, args: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(args)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env(
            "GIT_COMMITTER_DATE",
            format!("2026-11-01T00:00:{second:02}Z"),
        )
        .status()
        .unwrap();
    assert!(status.success(), "git {args:?}");
}

#[test]
fn commits_of_one_second_have_sequence() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    git(at, &["init", "-q"]);
    let commit = |second, message| {
        git_at(
            at,
            second,
            &["commit", "-q", "--allow-empty", "-m", message],
        );
    };
    commit(1, "earlier");
    commit(2, "one");
    git(at, &["checkout", "-q", "-b", "side"]);
    commit(2, "side two");
    commit(2, "side three");
    git(at, &["checkout", "-q", "main"]);
    commit(2, "two");
    git_at(at, 2, &["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    commit(3, "later");
    let reader = reader(at);
    let sequence = |revision: &str| {
        let id = reader.resolve(revision).unwrap();
        reader.sequence(&reader.commit(id).unwrap())
    };
    // The longest line to the merge goes over the side branch.
    let found = ["main", "main~1", "main~2", "side", "side~2", "main~4"].map(sequence);
    assert_eq!(found, [0, 3, 1, 2, 0, 0]);
}

#[test]
fn bare_and_linked_repositories_open() {
    let dir = three("sha1");
    let folder = tempfile::tempdir().unwrap();
    let bare = folder.path().join("bare.git");
    git(
        dir.path(),
        &["clone", "-q", "--bare", ".", bare.to_str().unwrap()],
    );
    let repo = Repo::open(&bare).unwrap();
    assert_eq!(repo.workdir(), None);
    assert_eq!(subjects(&repo.reader(), Line::FirstParent).len(), 3);
    assert!(matches!(repo.reader().worktree(), Err(Error::Bare { .. })));
    let linked = folder.path().join("linked");
    git(
        dir.path(),
        &["worktree", "add", "-q", linked.to_str().unwrap(), "HEAD~1"],
    );
    let repo = Repo::open(&linked.join("b")).unwrap();
    assert_eq!(repo.workdir().unwrap(), linked.canonicalize().unwrap());
    assert_eq!(subjects(&repo.reader(), Line::FirstParent).len(), 2);
}

#[test]
fn unknown_repository_or_revision_is_explained() {
    let dir = tempfile::tempdir().unwrap();
    let error = Repo::open(dir.path()).err().unwrap().to_string();
    assert!(error.contains("git init"), "{error}");
    let nowhere = Repo::open(&dir.path().join("nowhere")).err();
    assert!(matches!(nowhere, Some(Error::NoPath { .. })));
    git(dir.path(), &["init", "-q"]);
    let empty = reader(dir.path()).head().unwrap_err().to_string();
    assert!(empty.contains("has no commits"), "{empty}");
    commit(dir.path(), "a.py", "a = 1\n");
    let reader = reader(dir.path());
    for (revision, words) in [
        ("nowhere", "no such revision"),
        ("", "its name is empty"),
        ("HEAD~5", "`HEAD` has no `~5`"),
        ("HEAD:none.py", "`HEAD` has no `:none.py`"),
        ("HEAD:a.py", "it is a file or folder"),
        ("HEAD..main", "it is a range"),
    ] {
        let error = reader.resolve(revision).unwrap_err();
        assert!(
            matches!(error, Error::Revision { .. }),
            "{revision}: {error}"
        );
        assert!(error.to_string().contains(words), "{revision}: {error}");
    }
}

#[test]
fn shallow_clone_is_cut_with_remedy() {
    let dir = three("sha1");
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().display());
    git(folder.path(), &["clone", "-q", "--depth=1", &url, "s"]);
    let reader = reader(&folder.path().join("s"));
    assert!(reader.is_shallow());
    let head = reader.head().unwrap();
    for line in [Line::FirstParent, Line::All] {
        let walk = reader.walk(head, line, None).unwrap();
        assert_eq!((walk.commits.len(), walk.is_cut_off), (1, true));
    }
    let error = reader.resolve("HEAD~1").unwrap_err().to_string();
    assert!(error.contains("--unshallow"), "{error}");
}

#[test]
fn unrelated_histories_have_no_merge_base() {
    let dir = three("sha1");
    let at = dir.path();
    git(at, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    let side = commit(at, "s.py", "s = 1\n");
    git(at, &["checkout", "-q", "--orphan", "other"]);
    let other = commit(at, "o.py", "o = 1\n");
    let reader = reader(at);
    let id = |text: &str| reader.resolve(text).unwrap();
    let base = reader.merge_base(id("main"), id(&side)).unwrap();
    assert_eq!(base, id("main~1"));
    let error = reader.merge_base(id("main"), id(&other)).unwrap_err();
    assert!(error.to_string().contains("unrelated"), "{error}");
}

#[test]
fn merges_are_one_first_parent_step() {
    let dir = three("sha1");
    let at = dir.path();
    for name in ["x", "y", "z"] {
        git(at, &["checkout", "-q", "-b", name, "main"]);
        commit(at, &format!("{name}.py"), "v = 1\n");
    }
    git(at, &["checkout", "-q", "main"]);
    git(
        at,
        &["merge", "-q", "--no-ff", "-m", "Octopus", "x", "y", "z"],
    );
    let reader = reader(at);
    let first = subjects(&reader, Line::FirstParent);
    assert_eq!(
        first,
        ["Write a.py", "Write b/c.py", "Write a.py", "Octopus"]
    );
    let every = subjects(&reader, Line::All);
    assert_eq!(every.len(), 7);
    assert_eq!(every.last().unwrap(), "Octopus");
    let octopus = reader.commit(reader.head().unwrap()).unwrap();
    assert_eq!(octopus.parents.len(), 4);
}

#[test]
fn merge_brings_only_its_side_commits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    git(path, &["init", "-q"]);
    commit(path, "a", "a");
    git(path, &["checkout", "-q", "-b", "side"]);
    commit(path, "b", "b");
    git(path, &["checkout", "-q", "main"]);
    git(path, &["merge", "-q", "--no-ff", "-m", "One", "side"]);
    commit(path, "c", "c");
    git(path, &["checkout", "-q", "side"]);
    commit(path, "d", "d");
    git(path, &["merge", "-q", "--no-ff", "-m", "Update", "main"]);
    git(path, &["checkout", "-q", "main"]);
    git(path, &["merge", "-q", "--no-ff", "-m", "Two", "side"]);
    let reader = reader(path);
    let walk = reader
        .walk(reader.head().unwrap(), Line::FirstParent, None)
        .unwrap();
    let brought = |line: &[slope_git::Commit]| {
        let mut found = Vec::new();
        let told = reader.merged(line, |merge, commit| {
            found.push(format!("{}: {}", line[merge].subject(), commit.subject()));
        });
        told.unwrap();
        found.sort();
        found
    };
    let two = ["Two: Update", "Two: Write d"];
    assert_eq!(
        brought(&walk.commits),
        [&["One: Write b"][..], &two].concat()
    );
    // Where the line is cut off, what led to it was there before it all the same.
    assert_eq!(brought(&walk.commits[2..]), two);
}

#[test]
fn commits_between_leave_base_out() {
    let dir = three("sha1");
    let reader = reader(dir.path());
    let id = |name: &str| reader.resolve(name).unwrap();
    let ids = |base: &str, head: &str| -> Vec<_> {
        let commits = reader.between(id(base), id(head)).unwrap();
        commits.into_iter().map(|commit| commit.id).collect()
    };
    assert_eq!(ids("HEAD~1", "HEAD"), [id("HEAD")]);
    assert_eq!(ids("HEAD~2", "HEAD").len(), 2);
    assert_eq!(ids("HEAD", "HEAD~1"), []);
}

#[test]
fn newest_known_ancestor_is_found() {
    let dir = three("sha1");
    git(dir.path(), &["checkout", "-q", "-b", "side", "HEAD~1"]);
    commit(dir.path(), "s", "s");
    let reader = reader(dir.path());
    let id = |name: &str| reader.resolve(name).unwrap();
    let newest = |names: &[&str], head: &str| {
        let known = names.iter().map(|name| id(name)).collect();
        reader.newest_of(&known, id(head)).unwrap()
    };
    assert_eq!(
        newest(&["main~2", "main~1", "side"], "main"),
        Some(id("main~1"))
    );
    assert_eq!(newest(&["main"], "main"), Some(id("main")));
    assert_eq!(newest(&["side"], "main"), None);
    assert_eq!(newest(&[], "main"), None);
}

#[test]
fn history_is_cut_at_a_time() {
    let dir = three("sha1");
    let reader = reader(dir.path());
    let head = reader.head().unwrap();
    let now = reader.commit(head).unwrap().committer.seconds;
    let none = reader
        .walk(head, Line::FirstParent, Some(now + 10))
        .unwrap();
    assert!(none.commits.is_empty());
    let every = reader.walk(head, Line::All, Some(now - 1000)).unwrap();
    assert_eq!(every.commits.len(), 3);
}

#[test]
fn submodules_and_links_are_not_files() {
    let dir = three("sha1");
    let inner = three("sha1");
    let at = dir.path();
    let url = format!("file://{}", inner.path().display());
    git(at, &["submodule", "--quiet", "add", &url, "inner"]);
    std::os::unix::fs::symlink("a.py", at.join("l.py")).unwrap();
    git(at, &["add", "l.py"]);
    git(at, &["commit", "-qm", "more"]);
    let reader = reader(at);
    let tree = reader.commit(reader.head().unwrap()).unwrap().tree;
    let files = reader.files(tree, &all).unwrap();
    let of = |path: &str| files.iter().find(|f| f.path == path).unwrap();
    assert_eq!(of("inner").kind, Kind::Submodule);
    assert_eq!(of("l.py").kind, Kind::Link);
}

#[test]
fn partial_clone_error_names_missing_file() {
    let dir = three("sha1");
    git(dir.path(), &["config", "uploadpack.allowFilter", "true"]);
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", dir.path().display());
    let args = ["clone", "-q", "--bare", "--filter=blob:none", &url, "p"];
    git(folder.path(), &args);
    let reader = reader(&folder.path().join("p"));
    assert!(reader.is_partial());
    let tree = reader.commit(reader.head().unwrap()).unwrap().tree;
    let files = reader.files(tree, &all).unwrap();
    let error = reader.blob(files[0].id, &files[0].path).unwrap_err();
    assert!(error.to_string().contains("a.py"), "{error}");
    assert!(error.to_string().contains("--refetch"), "{error}");
}

#[test]
fn lost_object_error_names_its_path() {
    let dir = three("sha1");
    let tree = git(dir.path(), &["rev-parse", "HEAD:b"]);
    let file = format!(".git/objects/{}/{}", &tree[..2], &tree[2..]);
    std::fs::remove_file(dir.path().join(file)).unwrap();
    let reader = reader(dir.path());
    let root = reader.commit(reader.head().unwrap()).unwrap().tree;
    let error = reader.files(root, &all).unwrap_err().to_string();
    assert!(error.contains("the folder b"), "{error}");
    assert!(error.contains("git fsck"), "{error}");
}

#[test]
fn index_and_worktree_are_read_separately() {
    let dir = three("sha1");
    let at = dir.path();
    write(at, &[("a.py", "a = 3\n")]);
    git(at, &["add", "a.py"]);
    write(at, &[("a.py", "a = 4\n")]);
    write(at, &[("new.py", "n = 1\n")]);
    std::fs::remove_file(at.join("b/c.py")).unwrap();
    let reader = reader(at);
    let staged = reader.staged().unwrap();
    let paths: Vec<_> = staged.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths, ["a.py", "b/c.py"]);
    let Content::Blob(id) = staged[0].content else {
        panic!("a staged file is a blob");
    };
    assert_eq!(reader.blob(id, "a.py").unwrap(), b"a = 3\n");
    let files = reader.worktree().unwrap();
    assert_eq!(files.len(), 1);
    assert!(matches!(&files[0].content, Content::Disk(file) if file.ends_with("a.py")));
}

#[test]
fn bare_repository_has_no_index() {
    let dir = three("sha1");
    let folder = tempfile::tempdir().unwrap();
    let url = dir.path().to_str().unwrap();
    git(folder.path(), &["clone", "-q", "--bare", url, "b.git"]);
    let error = reader(&folder.path().join("b.git")).staged().unwrap_err();
    assert!(matches!(error, Error::Bare { .. }), "{error}");
}

#[test]
fn sparse_index_error_names_remedy() {
    let dir = three("sha1");
    let at = dir.path();
    commit(at, "out/x.py", "x = 1\n");
    commit(at, "in/y.py", "y = 1\n");
    git(
        at,
        &["sparse-checkout", "set", "--cone", "--sparse-index", "in"],
    );
    let error = reader(at).staged().unwrap_err().to_string();
    let remedy = "git sparse-checkout reapply --no-sparse-index";
    assert!(error.contains(remedy), "{error}");
    let words: Vec<&str> = remedy.split(' ').skip(1).collect();
    git(at, &words);
    let staged = reader(at).staged().unwrap();
    assert!(staged.iter().any(|file| file.path == "out/x.py"));
    assert!(!at.join("out").exists());
}

#[test]
fn filtered_unchanged_file_stays_unchanged() {
    let dir = three("sha1");
    let at = dir.path();
    git(at, &["config", "core.autocrlf", "true"]);
    std::fs::remove_file(at.join("a.py")).unwrap();
    git(at, &["checkout", "-q", "a.py"]);
    assert!(std::fs::read(at.join("a.py")).unwrap().ends_with(b"\r\n"));
    // Later than the file by less than a second.
    std::thread::sleep(std::time::Duration::from_millis(50));
    git(at, &["update-index", "--refresh", "--force-write-index"]);
    let files = reader(at).worktree().unwrap();
    let is_blob = |file: &slope_git::Staged| matches!(file.content, Content::Blob(_));
    assert!(
        files
            .iter()
            .any(|file| file.path == "a.py" && is_blob(file))
    );
}

#[test]
fn merge_conflicts_in_index_are_refused() {
    let dir = three("sha1");
    let at = dir.path();
    git(at, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    commit(at, "a.py", "a = 9\n");
    let merged = Command::new("git")
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@x",
            "merge",
            "-q",
            "main",
        ])
        .current_dir(at)
        .output()
        .unwrap();
    assert!(!merged.status.success());
    let error = reader(at).staged().unwrap_err().to_string();
    assert!(error.contains("a.py has a merge conflict"), "{error}");
}

#[test]
fn broken_commit_encodings_fall_back() {
    let dir = three("sha1");
    let at = dir.path();
    let message = at.join("message");
    std::fs::write(&message, b"Gr\xfc\xdfe\n").unwrap();
    write(at, &[("a.py", "a = 5\n")]);
    let args = [
        "-c",
        "i18n.commitEncoding=ISO-8859-1",
        "commit",
        "-qaF",
        "message",
    ];
    git(at, &args);
    std::fs::write(at.join("n\u{f6}.py"), "n = 1\n").unwrap();
    git(at, &["add", "."]);
    git(
        at,
        &[
            "-c",
            "i18n.commitEncoding=nonsense",
            "commit",
            "-qF",
            "message",
        ],
    );
    let reader = reader(at);
    assert_eq!(subjects(&reader, Line::All)[3..], ["Grüße", "Grüße"]);
}

#[test]
fn git_patch_reproduces_the_change() {
    let dir = three("sha1");
    let at = dir.path();
    let long: String = (0..60).map(|n| format!("v{n} = {n}\n")).collect();
    commit(at, "long.py", &long);
    let changed = long.replace("v7 =", "w7 =").replace("v50 = 50\n", "");
    write(at, &[("long.py", changed.trim_end())]);
    git(at, &["mv", "a.py", "renamed.py"]);
    git(at, &["add", "-A"]);
    let diff = git(at, &["diff", "--cached", "-M"]) + "\n";
    let files = slope_git::patch::parse(diff.as_bytes(), &|_| true).unwrap();
    assert_eq!(files.len(), 2);
    assert_eq!(
        files[0].apply(long.as_bytes()).unwrap(),
        changed.trim_end().as_bytes()
    );
    assert_eq!(files[1].old.as_deref(), Some("a.py"));
    assert_eq!(files[1].path(), "renamed.py");
}

#[test]
fn reftable_repositories_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let init = ["init", "-q", "--ref-format=reftable"];
    git(at, &init);
    // Not every git migrates logs.
    git(at, &["config", "core.logAllRefUpdates", "false"]);
    commit(at, "a.py", "a = 1\n");
    let Err(error) = Repo::open(at) else {
        panic!("opened")
    };
    let text = error.to_string();
    assert!(
        text.contains("reftable") && text.contains("git refs migrate"),
        "{text}"
    );
    git(at, &["refs", "migrate", "--ref-format=files"]);
    assert_eq!(subjects(&reader(at), Line::All).len(), 1);
}

/// Name and address of the newest commit's author by the mailmap.
fn author(dir: &Path) -> String {
    let reader = reader(dir);
    let commit = reader.commit(reader.head().unwrap()).unwrap();
    let (name, email) = reader.mailmap().resolve(&commit.author);
    format!("{name} <{email}>")
}

#[test]
fn mailmap_joins_names_per_person() {
    let dir = three("sha1");
    let at = dir.path();
    git(at, &["config", "user.name", "nick"]);
    git(at, &["config", "user.email", "old@x.org"]);
    let map = "Real Name <new@x.org> <old@x.org>\n";
    for (how, expected) in [
        ("none", "nick <old@x.org>"),
        ("file", "Real Name <new@x.org>"),
        ("worktree", "Real Name <new@x.org>"),
    ] {
        match how {
            "file" => {
                std::fs::write(at.join("people"), map).unwrap();
                let path = at.join("people").display().to_string();
                git(at, &["config", "mailmap.file", &path]);
            }
            "worktree" => {
                git(at, &["config", "--unset", "mailmap.file"]);
                std::fs::write(at.join(".mailmap"), map).unwrap();
                git(at, &["add", ".mailmap"]);
            }
            _ => {}
        }
        let args = [
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            how,
            "--author",
            "nick <old@x.org>",
        ];
        git(at, &args);
        assert_eq!(author(at), expected, "{how}");
    }
    // A bare repository has no worktree to read it from.
    let folder = tempfile::tempdir().unwrap();
    let url = format!("file://{}", at.display());
    git(folder.path(), &["clone", "-q", "--bare", &url, "bare"]);
    assert_eq!(author(&folder.path().join("bare")), "Real Name <new@x.org>");
}

#[test]
fn head_log_lists_actions() {
    for format in ["sha1", "sha256"] {
        let dir = three(format);
        let head = reader(dir.path()).head().unwrap();
        git(dir.path(), &["checkout", "-q", "-b", "other", "HEAD~1"]);
        git(dir.path(), &["cherry-pick", "main"]);
        // Rows that git did not write are passed over.
        let log = dir.path().join(".git/logs/HEAD");
        let rows = std::fs::read_to_string(&log).unwrap();
        std::fs::write(&log, format!("no row\n{rows}")).unwrap();
        let rows = reader(dir.path()).head_log();
        let actions: Vec<&str> = rows.iter().map(|row| row.action.as_str()).collect();
        let commits = ["commit (initial)", "commit", "commit"];
        assert_eq!(actions[..3], commits);
        assert_eq!(actions[3..], ["checkout", "cherry-pick"]);
        assert_eq!(rows[2].to, head);
        assert_eq!(rows[4].to, reader(dir.path()).head().unwrap());
        std::fs::remove_file(&log).unwrap();
        assert_eq!(reader(dir.path()).head_log(), []);
    }
}
