//! Choice of the commit that a change is compared with.

use slope_git::{Id, Reader, Repo};
use slope_model::gate::Side;

use super::git::side;
use crate::Error;

/// A base commit and the reason for the choice.
struct Base {
    name: String,
    id: Id,
    chosen: String,
    /// Whether it is the last commit only because the default branch is unknown.
    is_stopgap: bool,
}

/// The commit to compare with.
fn base_commit(reader: &Reader, named_base: Option<&str>, head: Id) -> Result<Base, Error> {
    if let Some(name) = named_base {
        let (named, is_exact) = named(reader, name)?;
        if is_exact {
            return Ok(Base {
                name: name.to_owned(),
                id: named,
                chosen: format!("--base {name}"),
                is_stopgap: false,
            });
        }
        // Later commits of the base are not part of the change.
        let id = reader.merge_base(named, head)?;
        let chosen = match id == named {
            true if id == head => "the last commit".to_owned(),
            true => format!("--base {name}"),
            false => format!("where the change left {name}"),
        };
        return Ok(Base {
            name: name.to_owned(),
            id,
            chosen,
            is_stopgap: false,
        });
    }
    let Some((name, newest)) = reader.named_default_branch() else {
        return Ok(last_commit(reader, head));
    };
    let id = reader.merge_base(newest, head)?;
    let chosen = match id == head {
        true => "the last commit".to_owned(),
        false => format!("where the branch left {name}"),
    };
    Ok(Base {
        name,
        id,
        chosen,
        is_stopgap: false,
    })
}

/// Git's suffix for the files of a commit, regardless of history.
const TREE_OF: &str = "^{tree}";

/// The commit that a revision names, and whether to use its files as they are.
fn named(reader: &Reader, name: &str) -> Result<(Id, bool), Error> {
    let revision = name.strip_suffix(TREE_OF);
    let id = reader.resolve(revision.unwrap_or(name))?;
    Ok((id, revision.is_some()))
}

/// The judged commit itself, if there is no default branch. The only branch of a repository is its
/// default branch.
fn last_commit(reader: &Reader, head: Id) -> Base {
    Base {
        name: reader.branch().unwrap_or_else(|| "HEAD".to_owned()),
        id: head,
        chosen: "the last commit".to_owned(),
        is_stopgap: reader.is_shallow() || !reader.is_only_branch(),
    }
}

/// Notes if the default branch is unknown. In a shallow clone, as in CI for a pull request, a
/// committed change would pass unchecked, so that is an error.
pub(super) fn stopgap_notes(
    reader: &Reader,
    repo: &Repo,
    (base, head): (&Against, &str),
    is_nothing: bool,
) -> Result<Vec<String>, Error> {
    if !base.is_stopgap {
        return Ok(Vec::new());
    }
    if is_nothing && reader.is_shallow() {
        return Err(Error::NoDefaultBranch {
            path: repo.path().to_owned(),
            head: head.to_owned(),
        });
    }
    Ok(vec![
        "no default branch was found (origin/HEAD, main, master, trunk or develop), so only what \
         is not committed is judged; name what to compare with by --base, or by `base` in [check] \
         of slope.toml"
            .to_owned(),
    ])
}

/// The base of the checkout, with its tree; nothing if there is no commit yet.
pub(super) fn checked_out(
    reader: &Reader,
    named_base: Option<&str>,
) -> Result<(Option<Id>, Against), Error> {
    if named_base.is_some_and(is_empty_tree) {
        return Ok((None, Against::nothing("as named")));
    }
    let base = match (reader.head(), named_base) {
        (Ok(head), _) => return base_of(reader, named_base, head),
        (Err(slope_git::Error::Empty { .. }), None) => {
            return Ok((None, Against::nothing("there is no commit yet")));
        }
        // A branch without commits has no base.
        (Err(slope_git::Error::Empty { .. }), Some(name)) => Base {
            name: name.to_owned(),
            id: named(reader, name)?.0,
            chosen: format!("--base {name}, as this branch has no commit yet"),
            is_stopgap: false,
        },
        (Err(error), _) => return Err(error.into()),
    };
    against(reader, base)
}

/// The base of a commit, with its tree.
pub(super) fn base_of(
    reader: &Reader,
    named_base: Option<&str>,
    head: Id,
) -> Result<(Option<Id>, Against), Error> {
    if named_base.is_some_and(is_empty_tree) {
        return Ok((None, Against::nothing("as named")));
    }
    against(reader, base_commit(reader, named_base, head)?)
}

fn against(reader: &Reader, base: Base) -> Result<(Option<Id>, Against), Error> {
    let against = Against {
        id: Some(base.id),
        side: side(&base.name, Some(base.id)),
        chosen: base.chosen,
        is_stopgap: base.is_stopgap,
    };
    Ok((Some(reader.commit(base.id)?.tree), against))
}

/// Git's name for the empty tree, as a base that makes everything new.
pub const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// The same in a repository with SHA-256 names.
const EMPTY_TREE_OF_SHA256: &str =
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

fn is_empty_tree(named_base: &str) -> bool {
    named_base == EMPTY_TREE || named_base == EMPTY_TREE_OF_SHA256
}

/// The earlier side, and the reason for its choice.
pub(super) struct Against {
    pub(super) id: Option<Id>,
    pub(super) side: Side,
    pub(super) chosen: String,
    is_stopgap: bool,
}

impl Against {
    /// No earlier side: everything is new.
    fn nothing(chosen: &str) -> Self {
        Self {
            id: None,
            side: side("nothing", None),
            chosen: chosen.to_owned(),
            is_stopgap: false,
        }
    }
}

/// The commit that a diff is applied to; `None` for the empty tree, or before the first commit.
pub(super) fn diff_base(reader: &Reader, base: Option<&str>) -> Result<Option<Id>, Error> {
    match base {
        Some(name) if is_empty_tree(name) => Ok(None),
        Some(name) => Ok(Some(named(reader, name)?.0)),
        None => match reader.head() {
            Ok(head) => Ok(Some(head)),
            Err(slope_git::Error::Empty { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        },
    }
}
