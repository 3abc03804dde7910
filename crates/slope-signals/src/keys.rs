//! Keys of what the findings of a file can depend on in other files.

use std::hash::{BuildHasher, Hash};

use foldhash::fast::FixedState;

/// What a key names. Names are numbers across files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// How files mention a name.
    Mentions,
    /// The same for a name by its text, which no file may have.
    MentionsOfText,
    /// How many functions have a name.
    Definitions,
    /// How many classes have a name.
    Classes,
    /// How many classes name it as their base.
    Subclasses,
    /// Whether it is the stem of a file.
    Module,
    /// Whether a file takes a name from a module.
    Taken,
    /// Whether a module of this stem has effects when it is imported.
    Acts,
    /// Whether a text is the beginning of names that are made at run time.
    Prefix,
    /// How many functions have a list of parameters.
    Parameters,
    /// How many files of Rust take a name from their crate.
    HandedDown,
    /// How many files that take all names of another mention it.
    HandedToAll,
    /// Whether a file at or below a folder takes names from its crate.
    HandedFolder,
    /// Whether a folder has code that slope does not see.
    Opaque,
    /// Top-level functions by module and name.
    TopLevel,
    /// Top-level functions by name.
    Function,
    /// Methods by name.
    Method,
    /// Top-level functions by package and name.
    Package,
    /// Classes by name.
    Class,
    /// Classes by the name of a base.
    Implementers,
    /// Calls by name.
    Calls,
    /// Private functions by name, in languages whose private names other files see.
    Private,
    /// Mentions of a name in such languages.
    Mentioners,
    /// Files of a folder.
    Files,
    /// Styles of a habit in a folder.
    Styles,
    /// Functions by a statement.
    Line,
    /// Functions by evidence.
    Evidence,
    /// Functions by the beginning of a word of their name.
    Word,
    /// Tables by their content.
    Table,
    /// Tables by one of their values.
    Value,
}

impl Kind {
    pub(crate) const DEFINITIONS: u8 = Self::Definitions as u8;
    pub(crate) const CLASSES: u8 = Self::Classes as u8;
    pub(crate) const SUBCLASSES: u8 = Self::Subclasses as u8;
    const PARAMETERS: u8 = Self::Parameters as u8;
    const HANDED_DOWN: u8 = Self::HandedDown as u8;
    /// Kinds of which the first one counts.
    pub(crate) const FIRST: &[Self] = &[
        Self::TopLevel,
        Self::Function,
        Self::Method,
        Self::Package,
        Self::Class,
    ];
}

/// A key: a kind in the highest byte, and one or two numbers, or a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(u64);

impl Key {
    /// The key of a name.
    pub(crate) fn of(kind: Kind, number: u32) -> Self {
        Self((kind as u64) << 56 | u64::from(number))
    }

    /// The key of two names, below 2^28 each.
    pub(crate) fn of_two(kind: Kind, one: u32, other: u32) -> Self {
        debug_assert!(one >> 28 == 0 && other >> 28 == 0);
        Self((kind as u64) << 56 | u64::from(one) << 28 | u64::from(other))
    }

    /// The key of a text, or of another value by its hash.
    pub(crate) fn of_hash(kind: Kind, value: impl Hash) -> Self {
        Self((kind as u64) << 56 | FixedState::default().hash_one(value) >> 8)
    }

    /// The number of a key of this kind.
    pub(crate) fn number_of(self, kind: Kind) -> Option<u32> {
        self.is_of(&[kind]).then_some(self.0 as u32)
    }

    /// Its kind and number.
    pub(crate) fn kind_and_number(self) -> (u8, u32) {
        ((self.0 >> 56) as u8, self.0 as u32)
    }

    /// The count from which on a larger one makes no difference to any finding.
    pub(crate) fn limit(self) -> u32 {
        match self.kind_and_number().0 {
            Kind::DEFINITIONS => 3,
            Kind::CLASSES | Kind::PARAMETERS | Kind::HANDED_DOWN => 2,
            _ => 1,
        }
    }

    /// Whether it is of one of these kinds.
    pub(crate) fn is_of(self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|&kind| kind as u64 == self.0 >> 56)
    }
}

/// The files whose findings depend on each key.
#[derive(Debug, Default)]
pub(crate) struct Dependents {
    /// Ascending.
    keys: Vec<Key>,
    /// The file of each key.
    files: Vec<u32>,
}

impl Dependents {
    /// From each key and a file that depends on it.
    pub(crate) fn of(mut reads: Vec<(Key, u32)>) -> Self {
        reads.sort_unstable();
        Self {
            keys: reads.iter().map(|(key, _)| *key).collect(),
            files: reads.iter().map(|(_, file)| *file).collect(),
        }
    }

    /// The files that depend on a key.
    pub(crate) fn of_key(&self, key: Key) -> &[u32] {
        let start = self.keys.partition_point(|other| *other < key);
        let count = self.keys[start..]
            .iter()
            .take_while(|own| **own == key)
            .count();
        &self.files[start..start + count]
    }
}
