//! Trees, and differences between two of them.

use gix::ObjectId;
use slope_model::path::shown_bytes;

use crate::{Error, Id, Reader};

/// Largest depth of folders; deeper trees are refused, since only a hostile project has them.
const MAX_DEPTH: usize = 512;

/// Kind of a tree entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file.
    File,
    /// A symbolic link; its content is the target path.
    Link,
    /// A commit of another repository.
    Submodule,
}

/// A file of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Path from the top of the tree, `/`-separated. Non-UTF-8 bytes are replaced.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
    /// Its content.
    pub id: Id,
}

/// A path whose content differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path from the top of the tree.
    pub path: String,
    /// The old entry; `None` for a new one.
    pub old: Option<(Kind, Id)>,
    /// The new entry; `None` for a removed one.
    pub new: Option<(Kind, Id)>,
}

/// One line of a tree object.
struct Line<'a> {
    name: &'a [u8],
    kind: Option<Kind>,
    is_executable: bool,
    id: Id,
}

impl Line<'_> {
    /// The name as git sorts it: a folder as if it ended in `/`.
    fn key(&self) -> impl Ord {
        let end: &[u8] = if self.kind.is_none() { b"/" } else { b"" };
        [self.name, end].concat()
    }
}

impl Reader {
    /// All files of a tree in order of path. `enter` selects the folders to read.
    ///
    /// # Errors
    /// If a tree is missing or broken.
    pub fn files(&self, tree: Id, enter: &dyn Fn(&str) -> bool) -> Result<Vec<Entry>, Error> {
        let changes = self.changes(None, tree, enter)?;
        let entry = |change: Change| {
            let (kind, id) = change.new?;
            Some(Entry {
                path: change.path,
                kind,
                id,
            })
        };
        Ok(changes.into_iter().filter_map(entry).collect())
    }

    /// Paths of the executable files of a tree, in order.
    ///
    /// # Errors
    /// If a tree is missing or broken.
    pub fn executables(&self, tree: Id) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), tree)];
        while let Some((folder, id)) = open.pop() {
            let data = self.tree(Some(id), &folder)?;
            for line in self.lines(&data, Some(id))? {
                let path = joined(&folder, line.name);
                if line.kind.is_none() && path.matches('/').count() <= MAX_DEPTH {
                    open.push((path, line.id));
                } else if line.is_executable {
                    found.push(path);
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Differences of two trees, in order of path; unchanged folders are not read. `enter` selects
    /// the folders to read. Renames are not detected.
    ///
    /// # Errors
    /// If a tree is missing or broken.
    pub fn changes(
        &self,
        old: Option<Id>,
        new: Id,
        enter: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Change>, Error> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), old, Some(new))];
        while let Some((folder, old, new)) = open.pop() {
            if old == new || (!folder.is_empty() && !enter(&folder)) {
                continue;
            }
            if folder.matches('/').count() > MAX_DEPTH {
                let id = new.or(old).unwrap_or(Id(self.repo.object_hash().null()));
                let message = format!("it has more than {MAX_DEPTH} folders in each other");
                return Err(self.broken(format!("the folder {folder}"), id, message));
            }
            let (before, after) = (self.tree(old, &folder)?, self.tree(new, &folder)?);
            let (before, after) = (self.lines(&before, old)?, self.lines(&after, new)?);
            compare(&folder, &before, &after, &mut found, &mut open);
        }
        found.sort_by(|a: &Change, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// The entry at a path of a tree; `None` for a folder or a missing path.
    ///
    /// # Errors
    /// If a tree is not there or broken.
    pub fn entry(&self, tree: Id, path: &str) -> Result<Option<(Kind, Id)>, Error> {
        let mut at = tree;
        let mut folder = String::new();
        let mut parts = path.split('/').peekable();
        while let Some(part) = parts.next() {
            let data = self.tree(Some(at), &folder)?;
            let lines = self.lines(&data, Some(at))?;
            let is_last = parts.peek().is_none();
            let named =
                |line: &&Line<'_>| line.kind.is_some() == is_last && shown_bytes(line.name) == part;
            let Some(line) = lines.iter().find(named) else {
                return Ok(None);
            };
            if let Some(kind) = line.kind {
                return Ok(Some((kind, line.id)));
            }
            at = line.id;
            folder = format!("{folder}/{part}")
                .trim_start_matches('/')
                .to_owned();
        }
        Ok(None)
    }

    fn tree(&self, id: Option<Id>, folder: &str) -> Result<Vec<u8>, Error> {
        let what = || match folder {
            "" => "a commit's tree".to_owned(),
            folder => format!("the folder {folder}"),
        };
        let Some(id) = id else { return Ok(Vec::new()) };
        // The empty tree exists in every repository, whether it was written or not.
        if id.0 == ObjectId::empty_tree(self.repo.object_hash()) {
            return Ok(Vec::new());
        }
        self.object(id, gix::object::Kind::Tree, what)
    }

    fn lines<'a>(&self, data: &'a [u8], id: Option<Id>) -> Result<Vec<Line<'a>>, Error> {
        let hash = self.repo.object_hash().len_in_bytes();
        let mut lines = Vec::new();
        let mut rest = data;
        while !rest.is_empty() {
            let Some((line, after)) = line(rest, hash) else {
                let id = id.unwrap_or(Id(self.repo.object_hash().null()));
                let message = "an entry is cut off".to_owned();
                return Err(self.broken("a folder".to_owned(), id, message));
            };
            lines.push(line);
            rest = after;
        }
        Ok(lines)
    }
}

/// Reads `MODE NAME\0HASH`.
fn line(data: &[u8], hash: usize) -> Option<(Line<'_>, &[u8])> {
    let space = data.iter().position(|&b| b == b' ')?;
    let end = space + data[space..].iter().position(|&b| b == 0)?;
    let id = data.get(end + 1..end + 1 + hash)?;
    let kind = match &data[..space] {
        b"40000" | b"040000" => None,
        b"120000" => Some(Kind::Link),
        b"160000" => Some(Kind::Submodule),
        _ => Some(Kind::File),
    };
    let line = Line {
        name: &data[space + 1..end],
        kind,
        is_executable: data[..space] == *b"100755",
        id: Id(ObjectId::try_from(id).ok()?),
    };
    Some((line, &data[end + 1 + hash..]))
}

/// The path of an entry of a folder.
fn joined(folder: &str, name: &[u8]) -> String {
    let name = shown_bytes(name);
    if folder.is_empty() {
        name.into_owned()
    } else {
        format!("{folder}/{name}")
    }
}

type Open = (String, Option<Id>, Option<Id>);

/// Compares two folders line by line; folders that differ are opened later.
fn compare(
    folder: &str,
    before: &[Line<'_>],
    after: &[Line<'_>],
    found: &mut Vec<Change>,
    open: &mut Vec<Open>,
) {
    let (mut i, mut j) = (0, 0);
    loop {
        let (a, b) = (before.get(i), after.get(j));
        let order = match (a, b) {
            (None, None) => return,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(a), Some(b)) => a.key().cmp(&b.key()),
        };
        let a = a.filter(|_| order.is_le());
        let b = b.filter(|_| order.is_ge());
        i += usize::from(a.is_some());
        j += usize::from(b.is_some());
        let Some(line) = a.or(b) else { return };
        let same = |a: &Line<'_>, b: &Line<'_>| a.id == b.id && a.kind == b.kind;
        if a.is_some_and(|a| b.is_some_and(|b| same(a, b))) {
            continue;
        }
        let path = joined(folder, line.name);
        if line.kind.is_none() {
            open.push((path, a.map(|a| a.id), b.map(|b| b.id)));
        } else {
            let side = |line: Option<&Line<'_>>| line.and_then(|l| Some((l.kind?, l.id)));
            found.push(Change {
                path,
                old: side(a),
                new: side(b),
            });
        }
    }
}
