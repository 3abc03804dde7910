//! Facts kept from run to run.
//!
//! The key is a hash of content, language and definitions. A cache that fails is
//! left alone: it costs time, never a measurement.

use std::sync::Mutex;

use rayon::prelude::*;
use slope_rules::{RuleError, RuleSet};
use slope_store::facts::{FactsCache, Key, Stamp};
use slope_syntax::Language;

use crate::Refused;
use crate::definitions::facts_hash;
use crate::discover::FoundFile;
use crate::facts::FileFacts;
use crate::options::Options;

/// The cache under one set of definitions.
pub(crate) struct Cache {
    store: FactsCache,
    definitions: [u8; 16],
    fresh: Mutex<Fresh>,
}

/// The store that options ask for; `None` if they ask for none or it cannot be used.
pub(crate) fn open(options: &Options) -> Option<FactsCache> {
    FactsCache::open(options.cache.as_ref()?).ok()
}

/// The embedded rules, compiled before if the store has them.
///
/// # Errors
/// As [`RuleSet::embedded`].
pub(crate) fn embedded_rules(store: Option<&FactsCache>) -> Result<RuleSet, RuleError> {
    let Some(store) = store else {
        return RuleSet::embedded();
    };
    let hash = |key: &str| *blake3::hash(key.as_bytes()).as_bytes();
    let load = |key: &str| store.values(&[hash(key)]).ok()?.pop().flatten();
    // What cannot be kept is compiled anew next time.
    let keep = |key: &str, rules: &[u8]| {
        drop(store.keep(&[0; 16], &[(hash(key), rules.to_vec())], &[]));
    };
    RuleSet::embedded_cached(load, keep)
}

/// What this run adds.
#[derive(Default)]
struct Fresh {
    values: Vec<(Key, Vec<u8>)>,
    stamps: Vec<(Stamp, Key)>,
}

impl Cache {
    /// The cache for the facts that these options and rules give.
    pub(crate) fn new(store: FactsCache, options: &Options, rules: &RuleSet) -> Self {
        Self {
            store,
            definitions: facts_hash(options, rules),
            fresh: Mutex::default(),
        }
    }

    /// For each file, its facts if the system says that it has not changed since they were kept.
    pub(crate) fn facts_by_stamp(&self, files: &[FoundFile]) -> Vec<Option<FileFacts>> {
        let stamps: Vec<_> = files.iter().map(stamp).collect();
        let keys = self.store.keys(&self.definitions, &stamps);
        let keys = keys.unwrap_or_default();
        let known: Vec<Key> = keys.iter().flatten().copied().collect();
        let values = self.store.values(&known).unwrap_or_default();
        let mut decoded: Vec<Option<FileFacts>> = values
            .par_iter()
            .map(|value| postcard::from_bytes(value.as_ref()?).ok())
            .collect();
        let mut next = 0;
        let mut each = |key: &Option<Key>| {
            key.as_ref()?;
            next += 1;
            decoded.get_mut(next - 1)?.take()
        };
        let mut found: Vec<_> = keys.iter().map(&mut each).collect();
        found.resize_with(files.len(), || None);
        found
    }

    /// The facts of a file that has been read: kept ones if its content is
    /// known, else those that `analyse` finds.
    pub(crate) fn facts(
        &self,
        file: &FoundFile,
        bytes: &[u8],
        analyse: impl FnOnce() -> Result<FileFacts, Refused>,
    ) -> Result<FileFacts, Refused> {
        let key = self.key(file.language, bytes);
        let (facts, value) = self.facts_by_key(key, analyse)?;
        if let Ok(mut fresh) = self.fresh.lock() {
            fresh.values.extend(value.map(|value| (key, value)));
            fresh.stamps.extend(stamp(file).map(|stamp| (stamp, key)));
        }
        Ok(facts)
    }

    /// The facts of a content that is no file on disk.
    pub(crate) fn facts_by_content(
        &self,
        language: Language,
        bytes: &[u8],
        analyse: impl FnOnce() -> Result<FileFacts, Refused>,
    ) -> Result<FileFacts, Refused> {
        let key = self.key(language, bytes);
        let (facts, value) = self.facts_by_key(key, analyse)?;
        if let (Some(value), Ok(mut fresh)) = (value, self.fresh.lock()) {
            fresh.values.push((key, value));
        }
        Ok(facts)
    }

    /// Facts, and what is to be kept of them if they are new.
    fn facts_by_key(
        &self,
        key: Key,
        analyse: impl FnOnce() -> Result<FileFacts, Refused>,
    ) -> Result<(FileFacts, Option<Vec<u8>>), Refused> {
        let kept = self.store.values(&[key]).ok().and_then(|mut v| v.pop());
        let kept = kept.flatten();
        let known = kept.and_then(|value| postcard::from_bytes(&value).ok());
        if let Some(facts) = known {
            return Ok((facts, None));
        }
        let facts = analyse()?;
        let value = postcard::to_stdvec(&facts).ok();
        Ok((facts, value))
    }

    fn key(&self, language: Language, bytes: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.definitions);
        hasher.update(language.id().as_bytes());
        hasher.update(&[0]);
        hasher.update(bytes);
        *hasher.finalize().as_bytes()
    }

    /// Writes what this run adds.
    pub(crate) fn write(&self) {
        let Ok(mut fresh) = self.fresh.lock() else {
            return;
        };
        let Fresh { values, stamps } = std::mem::take(&mut *fresh);
        // What cannot be kept is found anew next time.
        let _ = self.store.keep(&self.definitions, &values, &stamps);
    }
}

fn stamp(file: &FoundFile) -> Option<Stamp> {
    Stamp::of(&file.absolute, file.metadata.as_ref()?)
}
