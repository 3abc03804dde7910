//! Edits of Python whose effect on a ledger is known.
//!
//! | module | contents |
//! |---|---|
//! | `code` | Python files as rows |
//! | `neutral` | edits that change nothing: shifts, renames, moves, splits, reformatting, comments |
//! | `slop` | edits that make one function worse in a known way |

mod code;
mod neutral;
mod slop;

use slope_model::ledger::Amounts;

use crate::Pick;
use code::Code;

/// Language of the code that is edited.
const LANGUAGE: &str = "python";

/// An edit: paths with their new content, `None` for removed ones.
pub type Edit = Vec<(String, Option<String>)>;

/// Makes an edit, if the files have a place for it.
pub type Make<T> = fn(&Files, &Pick) -> Option<T>;

/// Kinds of edits that change nothing, by name.
pub const NEUTRAL: &[(&str, Make<Edit>)] = neutral::KINDS;

/// Kinds of edits that make one function worse, by name.
pub const SLOP: &[(&str, Make<Slop>)] = slop::KINDS;

/// Place of inserted slop, and its expected effect there.
pub struct Slop {
    /// The edit.
    pub edit: Edit,
    /// Path of the function.
    pub path: String,
    /// Dotted name of the function.
    pub function: String,
    /// Whether a ledger entry of the function has the expected amounts.
    pub added: fn(&Amounts) -> bool,
}

/// The Python files of a commit.
#[derive(Default)]
pub struct Files {
    codes: Vec<Code>,
    /// Texts of files that cannot be edited.
    others: Vec<String>,
}

impl Files {
    /// Adds a file: one to edit if it is Python and can be edited by rows, else one to search.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        match Code::read(path, bytes).filter(|_| path.ends_with(".py")) {
            Some(code) => self.codes.push(code),
            None => self
                .others
                .push(String::from_utf8_lossy(bytes).into_owned()),
        }
    }
}
