//! Places of repeated code, and classes of them.

use slope_model::measurement::CloneKind;

use crate::file::{CloneUnit, FileClones};
use crate::stream::narrow;
use crate::{UnitHash, Wording};

/// One place of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the file in the caller's order.
    pub file: u32,
    /// First byte of the parsed text.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
    /// Source lines; physical ones in the paper's profile.
    pub lines: u32,
    /// Tokens, comments and documentation left out.
    pub tokens: u32,
    /// Similarity to the representative, in thousandths; 1000 for types 1 and 2.
    pub similarity: u16,
    /// The names that it calls, and its literals.
    pub wording: Wording,
}

/// A set of places with the same or nearly the same code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Similarity: that of the least similar pair.
    pub kind: CloneKind,
    /// Two or more places, in order of file and position.
    pub members: Vec<Place>,
    /// Index of the member that near misses were compared with; 0 for types 1 and 2.
    pub representative: u32,
    /// Source lines of the first member.
    pub lines: u32,
    /// Tokens of the first member.
    pub tokens: u32,
    /// Hash of the normalised form (of the representative, for near misses):
    /// 32 hexadecimal digits that survive moves, renames and shifts of lines.
    pub fingerprint: String,
}

/// A construct of a file, with its key for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// The hash, and in the paper's profile the file.
    pub(crate) key: (u128, u32),
    pub(crate) file: u32,
    pub(crate) unit: u32,
}

/// The place of a construct.
pub(crate) fn place(files: &[&FileClones], entry: &Entry, similarity: u16) -> Place {
    entry.unit(files).place(entry.file, similarity)
}

/// A class of members in order.
pub(crate) fn class(
    kind: CloneKind,
    members: Vec<Place>,
    representative: usize,
    form: UnitHash,
) -> Class {
    Class {
        kind,
        representative: narrow(representative),
        lines: members.first().map_or(0, |first| first.lines),
        tokens: members.first().map_or(0, |first| first.tokens),
        members,
        fingerprint: format!("{:032x}", u128::from_be_bytes(form.0)),
    }
}

impl Place {
    /// Whether it consists mostly of literals.
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.wording.is_table(self.tokens)
    }
}

impl Entry {
    pub(crate) fn unit<'f>(&self, files: &[&'f FileClones]) -> &'f CloneUnit {
        &files[self.file as usize].units[self.unit as usize]
    }
}
