//! git's mailmap, which unifies the names and addresses of a person.

use gix::bstr::ByteSlice;

use crate::{Person, Reader};

/// Maps the names and addresses of a person to one of each.
#[derive(Clone, Default)]
pub struct Mailmap(gix::mailmap::Snapshot);

impl Mailmap {
    /// The person's canonical name and address.
    #[must_use]
    pub fn resolve(&self, person: &Person) -> (String, String) {
        let signature = gix::actor::SignatureRef {
            name: person.name.as_bytes().as_bstr(),
            email: person.email.as_bytes().as_bstr(),
            time: "",
        };
        let known = self.0.resolve_cow(signature);
        (known.name.to_string(), known.email.to_string())
    }
}

impl Reader {
    /// The mailmap that `git log` uses: `.mailmap` of the worktree, or of the newest commit if the repository is bare,
    /// then `mailmap.blob` and `mailmap.file` of the configuration. Unreadable entries are ignored, as in git.
    #[must_use]
    pub fn mailmap(&self) -> Mailmap {
        Mailmap(self.repo.open_mailmap())
    }
}
