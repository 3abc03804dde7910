//! One person's names and addresses as one, as git's mailmap has them.

use gix::bstr::ByteSlice;

use crate::{Person, Reader};

/// Which names and addresses are the same person's.
#[derive(Clone, Default)]
pub struct Mailmap(gix::mailmap::Snapshot);

impl Mailmap {
    /// The name and address by which a person is known.
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
    /// then `mailmap.blob` and `mailmap.file` of the configuration. What cannot be read of it is left out, as git does.
    #[must_use]
    pub fn mailmap(&self) -> Mailmap {
        Mailmap(self.repo.open_mailmap())
    }
}
