//! git's log of checkouts, the reflog of `HEAD`.

use crate::{Id, Reader};

/// A row: `HEAD` moved to a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadMove {
    /// The new commit.
    pub to: Id,
    /// Git's action: `commit (amend)`, `pull --rebase (pick)`; empty if unknown.
    pub action: String,
    /// The row as text, which identifies it.
    pub text: String,
}

impl Reader {
    /// The rows of the log, oldest first; empty if the repository has no readable log. Rows not in
    /// git's format are left out.
    #[must_use]
    pub fn head_log(&self) -> Vec<HeadMove> {
        let Ok(head) = self.repo.head() else {
            return Vec::new();
        };
        let mut log = head.log_iter();
        let Ok(Some(rows)) = log.all() else {
            return Vec::new();
        };
        let moves = rows.flatten().map(|row| {
            let message = row.message.to_string();
            let action = message
                .split_once(": ")
                .map_or(&*message, |(action, _)| action);
            HeadMove {
                to: Id(row.new_oid()),
                action: action.to_owned(),
                text: format!(
                    "{} {} {} {message}",
                    row.previous_oid, row.new_oid, row.signature.time
                ),
            }
        });
        moves.collect()
    }
}
