//! An index in memory as values by key, to write them into a file and to work on that file.
//!
//! The facts that signals need are in memory then. The other facts of a file are read from the index when a change
//! concerns it.

use std::collections::BTreeMap;
use std::sync::Arc;

use slope_store::facts::Key;
use slope_store::pack::Pack;
use slope_syntax::Language;

use super::{
    BaseIndex, FactsOfFiles, HEAD, Head, IndexedFile, Memory, SIGNALS, Store, VERSION, key,
};
use crate::Measurer;
use crate::contents::{Content, Facts};
use crate::definitions::facts_hash;
use crate::facts::FileFacts;
use crate::others::file_of;

/// Key of the definitions behind an index.
const DEFINITIONS: &str = "\0definitions";

/// Why a pack is no index that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadIndex {
    /// Another version of slope wrote it, or one with other options.
    #[error("another version of slope wrote it")]
    OtherDefinitions,
    /// It is cut off or was changed.
    #[error("it is damaged")]
    Damaged,
}

impl BaseIndex {
    /// The index as values by key, with data of the caller. `None` for an index in the cache.
    #[must_use]
    pub fn values(&self, measurer: &Measurer, extra: Vec<u8>) -> Option<BTreeMap<Key, Vec<u8>>> {
        let Store::Memory(memory) = &self.store else {
            return None;
        };
        let mut files = self.head.files.clone();
        let mut values = BTreeMap::new();
        let mut of_signals = Vec::new();
        for (number, file) in (0_u32..).zip(&mut files) {
            file.found
                .clone_from(self.found(&self.head.files[number as usize]));
            let Content::Code(facts) = self.content_of(number)? else {
                continue;
            };
            values.insert(key(&file.path), postcard::to_stdvec(&*facts.facts).ok()?);
            let is_held = file_of(&memory.signals, &file.path).is_some();
            of_signals.extend(is_held.then_some((number, facts.facts)));
        }
        let of_signals: Vec<_> = of_signals
            .iter()
            .filter_map(|(number, facts)| Some((*number, facts.signals.as_ref()?)))
            .collect();
        let head = Head {
            version: VERSION,
            files,
            forms: self.head.forms.clone(),
            holders: self.head.holders.clone(),
            extra,
        };
        values.insert(key(HEAD), postcard::to_stdvec(&head).ok()?);
        values.insert(key(SIGNALS), postcard::to_stdvec(&of_signals).ok()?);
        values.insert(key(DEFINITIONS), definitions(measurer));
        Some(values)
    }

    /// The index whose values a pack has.
    ///
    /// # Errors
    /// If the pack has no index, or one of other definitions.
    pub fn of_pack(measurer: &Measurer, pack: Arc<Pack>) -> Result<Self, BadIndex> {
        let read = |name: &str| {
            let value = pack.of_key(&key(name)).and_then(|held| pack.read(held));
            value.ok_or(BadIndex::Damaged)
        };
        if read(DEFINITIONS)? != definitions(measurer) {
            return Err(BadIndex::OtherDefinitions);
        }
        let decoded = postcard::from_bytes::<Head>(&read(HEAD)?);
        let mut head = decoded.map_err(|_| BadIndex::Damaged)?;
        if head.version != VERSION {
            return Err(BadIndex::OtherDefinitions);
        }
        let signals = super::stored_signals(&pack, &mut head.files).ok_or(BadIndex::Damaged)?;
        let memory = Memory::new(&measurer.options, FactsOfFiles::Packed(pack), signals);
        Ok(Self {
            head,
            store: Store::Memory(memory),
        })
    }

    /// The content of a path; `None` if the tree does not have it, or the index is damaged or in the cache.
    #[must_use]
    pub fn content(&self, path: &str) -> Option<Content> {
        self.content_of(self.number(path)?)
    }

    /// The contents of all files in order of path; `None` as for [`Self::content`].
    #[must_use]
    pub fn contents(&self) -> Option<Vec<(String, Content)>> {
        let files = (0_u32..).zip(&self.head.files);
        files
            .map(|(number, file)| Some((file.path.clone(), self.content_of(number)?)))
            .collect()
    }

    fn content_of(&self, number: u32) -> Option<Content> {
        let Store::Memory(memory) = &self.store else {
            return None;
        };
        let file = self.file(number);
        Some(match memory.facts.of(number, file)? {
            Some(facts) => Content::Code(facts),
            None => file
                .unmeasured
                .clone()
                .map_or(Content::Nothing, Content::Unmeasured),
        })
    }
}

impl FactsOfFiles {
    /// The facts of a file, if it has any; `None` if the index is damaged.
    pub(super) fn of(&self, number: u32, file: &IndexedFile) -> Option<Option<Facts>> {
        match self {
            Self::Kept(all) => all.get(number as usize).cloned(),
            Self::Packed(_) if file.language.is_empty() => Some(None),
            Self::Packed(pack) => {
                let value = pack.read(pack.of_key(&key(&file.path))?)?;
                let facts: FileFacts = postcard::from_bytes(&value).ok()?;
                Some(Some(Facts {
                    language: Language::by_id(&file.language)?,
                    facts: Arc::new(facts),
                    key: None,
                }))
            }
        }
    }
}

/// What the facts and findings of an index depend on.
fn definitions(measurer: &Measurer) -> Vec<u8> {
    let hash = facts_hash(&measurer.options, &measurer.rules);
    [&hash[..], super::said(&measurer.options).as_bytes()].concat()
}
