//! Copies trees into and out of a sandbox as tar files.
//!
//! Both ends are hostile: a tar file may come from an earlier workspace, a tree from the command
//! that just ran. All access is through directory descriptors, one component at a time, and never
//! follows a symlink.

mod collect;
mod fill;

pub(crate) use collect::collect;
pub use collect::header;
pub(crate) use fill::fill;

/// Longest path kept, in bytes: the limit of system calls.
const MAX_PATH: usize = 4095;
/// Maximum number of entries of one tree.
const MAX_ENTRIES: u64 = 200_000;

/// Notes on omitted entries, limited in number.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    list: Vec<String>,
    more: u64,
}

impl Notes {
    /// Maximum number of notes kept verbatim.
    const MAX: usize = 100;

    pub(crate) fn add(&mut self, path: &[u8], why: &str) {
        if self.list.len() >= Self::MAX {
            self.more += 1;
            return;
        }
        let shown: String = String::from_utf8_lossy(path).chars().take(300).collect();
        self.list.push(format!("{shown}: {why}"));
    }

    pub(crate) fn into_lines(mut self) -> Vec<String> {
        if self.more > 0 {
            self.list.push(slope_model::plural(self.more, "more entry"));
        }
        self.list
    }
}
