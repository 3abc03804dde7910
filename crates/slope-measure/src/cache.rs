//! Cache of facts between runs.
//!
//! The key is a hash of content, language and definitions. The facts of a large tree are also
//! stored together in a pack, in which an unchanged file is found by its stamp. Cache errors are
//! ignored: they cost time and never change a measurement.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use slope_clones::Memo;
use slope_rules::{RuleError, RuleSet};
use slope_store::facts::{FactsCache, Key, Stamp};
use slope_store::pack::{Held, Name, Pack, Packed};
use slope_syntax::Language;

use crate::definitions::{facts_hash, half};
use crate::depth::Depth;
use crate::discover::FoundFile;
use crate::discover::folders::Folders;
use crate::events;
use crate::facts::FileFacts;
use crate::options::Options;
use crate::refused::Refused;

/// Cache for one set of definitions.
pub(crate) struct Cache {
    store: FactsCache,
    definitions: [u8; 16],
    /// Facts of contents that are not files of a folder, not written yet.
    contents: Mutex<Vec<(Key, Vec<u8>)>>,
    /// Number of compiled programs of embedded rules at the last write.
    rules: Mutex<usize>,
}

/// Opens the cache that the options select. `None` without a usable cache.
pub(crate) fn open(options: &Options) -> Option<FactsCache> {
    FactsCache::open(options.cache.as_ref()?).ok()
}

/// Embedded rules, with compiled programs from the cache where available.
///
/// # Errors
/// As for [`RuleSet::embedded`].
pub(crate) fn embedded_rules(store: Option<&FactsCache>) -> Result<RuleSet, RuleError> {
    let Some(store) = store else {
        return RuleSet::embedded();
    };
    RuleSet::embedded_cached(|key| store.named(&name_of_rules(key)).ok().flatten())
}

/// Name of the cache entry of the embedded rules.
fn name_of_rules(key: &str) -> Name {
    half(&blake3::hash(key.as_bytes()))
}

/// Minimum number of files of a tree with a pack. For smaller trees the store alone is fast.
const MIN_PACKED: usize = 64;

/// A pack is rewritten if more than one in this many files is missing from it.
const STALE: usize = 16;

/// Key of the outline of the content whose complete facts have the key `whole`.
fn outline_key(whole: &Key) -> Key {
    *blake3::keyed_hash(whole, b"outline").as_bytes()
}

impl Cache {
    /// Cache for the facts that these options and rules give.
    pub(crate) fn new(store: FactsCache, options: &Options, rules: &RuleSet) -> Self {
        Self {
            store,
            definitions: facts_hash(options, rules),
            contents: Mutex::default(),
            rules: Mutex::default(),
        }
    }

    /// Writes the compiled programs of embedded rules. Write errors are ignored: the programs are
    /// compiled again in the next run.
    pub(crate) fn keep_rules(&self, rules: &RuleSet) {
        let fresh = rules.fresh_programs();
        let Ok(mut kept) = self.rules.lock() else {
            return;
        };
        if fresh > std::mem::replace(&mut *kept, fresh)
            && let Ok(bytes) = rules.embedded_bytes()
        {
            let name = name_of_rules(&RuleSet::embedded_key());
            drop(self.store.keep_named(&name, bytes));
        }
    }

    /// Facts of a content that is not a file of a folder, and their key. Uses cached facts if the
    /// content is known, else the result of `analyse`. For an outline, complete facts are used as
    /// well.
    pub(crate) fn content(
        &self,
        language: Language,
        bytes: &[u8],
        depth: Depth,
        analyse: impl FnOnce() -> Result<FileFacts, Refused>,
    ) -> Result<(FileFacts, Key), Refused> {
        let mut keys = vec![self.key(language, bytes)];
        if depth == Depth::Outline {
            keys.push(outline_key(&keys[0]));
        }
        let kept = self.store.values(&keys).unwrap_or_default();
        for (key, value) in keys.iter().zip(kept) {
            if let Some(facts) = value.and_then(|value| postcard::from_bytes(&value).ok()) {
                events::content(language.id(), bytes.len(), true);
                return Ok((facts, *key));
            }
        }
        events::content(language.id(), bytes.len(), false);
        let key = keys[keys.len() - 1];
        let facts = analyse()?;
        if let (Ok(value), Ok(mut contents)) = (postcard::to_stdvec(&facts), self.contents.lock()) {
            contents.push((key, value));
        }
        Ok((facts, key))
    }

    /// Facts of these keys. `None` if one of them is not cached.
    pub(crate) fn of_keys(&self, keys: &[Key]) -> Option<Vec<FileFacts>> {
        let values = self.store.values(keys).ok()?;
        values
            .into_par_iter()
            .with_max_len(2)
            .map(|value| postcard::from_bytes(&value?).ok())
            .collect()
    }

    /// Writes the facts of contents. Write errors are ignored: the facts are computed again in the
    /// next run.
    pub(crate) fn write(&self) {
        if let Ok(mut contents) = self.contents.lock() {
            drop(
                self.store
                    .keep(&self.definitions, &std::mem::take(&mut *contents), &[]),
            );
        }
    }

    /// Cache of the facts of the files of a tree.
    pub(crate) fn tree(&self, root: &Path) -> TreeCache<'_> {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let name = self.name_of_tree(&root);
        TreeCache {
            cache: self,
            pack: Pack::open(&self.packs(), &name),
            name,
            root,
            folders: OnceLock::new(),
            fresh: Mutex::default(),
        }
    }

    /// Size of the pack of a tree in bytes, 0 if it has none.
    pub(crate) fn packed_bytes(&self, root: &Path) -> u64 {
        let name = root.canonicalize().map(|root| self.name_of_tree(&root));
        name.map_or(0, |name| Pack::size(&self.packs(), &name))
    }

    fn name_of_tree(&self, root: &Path) -> Name {
        self.name("tree", root.as_os_str().as_encoded_bytes())
    }

    pub(crate) fn packs(&self) -> PathBuf {
        self.store.folder().join("trees")
    }

    pub(crate) fn name(&self, what: &str, of: &[u8]) -> Name {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.definitions);
        hasher.update(what.as_bytes());
        hasher.update(&[0]);
        hasher.update(of);
        half(&hasher.finalize())
    }

    fn key(&self, language: Language, bytes: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.definitions);
        hasher.update(language.file_kind().as_bytes());
        hasher.update(&[0]);
        hasher.update(bytes);
        *hasher.finalize().as_bytes()
    }
}

/// Cache of one tree, with the additions of this run.
pub(crate) struct TreeCache<'c> {
    cache: &'c Cache,
    pack: Option<Pack>,
    name: Name,
    root: PathBuf,
    folders: OnceLock<Option<Folders>>,
    fresh: Mutex<Fresh>,
}

/// Additions of this run.
#[derive(Default)]
struct Fresh {
    values: Vec<(Key, Vec<u8>)>,
    stamps: Vec<(Stamp, Key)>,
    /// Files found in the pack; `unpacked` has those that are missing from it or changed.
    packed: Vec<Packed>,
    unpacked: Vec<Packed>,
}

/// Facts of an unchanged file.
pub(crate) enum Kept {
    /// In the pack.
    Packed(Held),
    /// In the store, still to be decoded.
    Stored(Packed, Vec<u8>),
}

/// Facts in the pack of a tree, decoded before it is known which are needed. In most runs nearly
/// all of them are needed.
pub(crate) struct Ahead {
    facts: Vec<Mutex<Option<FileFacts>>>,
}

thread_local! {
    /// The value that is decoded just now.
    static READ: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Number of facts of a pack that one task decodes.
const DECODED_AT_ONCE: usize = 32;

impl TreeCache<'_> {
    /// Places for the facts in the pack.
    pub(crate) fn ahead(&self) -> Ahead {
        let mut facts = Vec::new();
        facts.resize_with(self.pack.as_ref().map_or(0, Pack::len), Mutex::default);
        Ahead { facts }
    }

    /// Decodes the facts in the pack in idle threads. Each task first calls `urgent` until it
    /// returns false, which means that no urgent work is left.
    pub(crate) fn decode<'s>(
        &'s self,
        ahead: &'s Ahead,
        scope: &rayon::Scope<'s>,
        urgent: impl Fn() -> bool + Copy + Send + 's,
    ) {
        let Some(pack) = &self.pack else { return };
        let mut all = pack.all().zip(&ahead.facts);
        loop {
            let some: Vec<_> = all.by_ref().take(DECODED_AT_ONCE).collect();
            if some.is_empty() {
                return;
            }
            scope.spawn(move |_| {
                while urgent() {}
                READ.with_borrow_mut(|value| {
                    for (held, place) in some {
                        let read = pack.read_into(held, value);
                        let facts = read.and_then(|value| postcard::from_bytes(value).ok());
                        *place.lock().unwrap_or_else(PoisonError::into_inner) = facts;
                    }
                });
            });
        }
    }

    /// The facts of an unchanged file in the pack.
    fn packed(&self, file: &FoundFile) -> Option<Held> {
        self.pack.as_ref()?.of_stamp(file.stamp.as_ref()?)
    }

    /// Whether the tree has a pack without this file, so the file is new or changed.
    pub(crate) fn is_news(&self, file: &FoundFile) -> bool {
        self.pack.is_some() && self.packed(file).is_none()
    }

    /// Facts of each file whose stamp is unchanged since they were stored.
    pub(crate) fn by_stamp(&self, files: &[FoundFile]) -> Vec<Option<Kept>> {
        let packed = |file: &FoundFile| self.packed(file).map(Kept::Packed);
        let mut found: Vec<Option<Kept>> = files.iter().map(packed).collect();
        let rest: Vec<usize> = (0..files.len()).filter(|&i| found[i].is_none()).collect();
        let wanted: Vec<_> = rest.iter().map(|&index| files[index].stamp).collect();
        let store = &self.cache.store;
        let keys = store.keys(&self.cache.definitions, &wanted);
        let keys = keys.unwrap_or_default();
        let known = rest
            .iter()
            .zip(&keys)
            .filter_map(|(&i, key)| Some((i, (*key)?)));
        let (places, known): (Vec<usize>, Vec<Key>) = known.unzip();
        let values = store.values(&known).unwrap_or_default();
        for ((index, key), value) in places.into_iter().zip(known).zip(values) {
            let stamp = files[index].stamp;
            found[index] = value.map(|value| Kept::Stored(Packed { stamp, key }, value));
        }
        found
    }

    /// Facts of an unchanged file. `None` if they cannot be read.
    pub(crate) fn decoded(&self, kept: Kept, ahead: &Ahead) -> Option<FileFacts> {
        let (facts, packed, is_packed) = match kept {
            Kept::Packed(held) => {
                let pack = self.pack.as_ref()?;
                let place = ahead.facts.get(held.index())?;
                let facts = place.lock().ok()?.take()?;
                (facts, pack.packed(held), true)
            }
            Kept::Stored(packed, value) => (postcard::from_bytes(&value).ok()?, packed, false),
        };
        if let Ok(mut fresh) = self.fresh.lock() {
            let list = if is_packed {
                &mut fresh.packed
            } else {
                &mut fresh.unpacked
            };
            list.push(packed);
        }
        Some(facts)
    }

    /// Facts of a file that has been read: cached facts if its content is known, else the result of
    /// `analyse`.
    pub(crate) fn facts(
        &self,
        file: &FoundFile,
        bytes: &[u8],
        analyse: impl FnOnce() -> Result<FileFacts, Refused>,
    ) -> Result<FileFacts, Refused> {
        let key = self.cache.key(file.language, bytes);
        let (facts, value) = match self.of_content(&key) {
            Some(facts) => (facts, None),
            None => {
                let facts = analyse()?;
                let value = postcard::to_stdvec(&facts).ok();
                (facts, value)
            }
        };
        let stamp = file.stamp;
        if let Ok(mut fresh) = self.fresh.lock() {
            fresh.values.extend(value.map(|value| (key, value)));
            fresh.stamps.extend(stamp.map(|stamp| (stamp, key)));
            fresh.unpacked.push(Packed { stamp, key });
        }
        Ok(facts)
    }

    fn of_content(&self, key: &Key) -> Option<FileFacts> {
        let packed = || {
            let pack = self.pack.as_ref()?;
            postcard::from_bytes(&pack.read(pack.of_key(key)?)?).ok()
        };
        let stored = || {
            let values = self.cache.store.values(&[*key]).ok();
            postcard::from_bytes(&values?.pop()??).ok()
        };
        packed().or_else(stored)
    }

    /// Facts about the folders of the tree, if anything can be.
    pub(crate) fn folders(&self) -> Option<&Folders> {
        let open = || {
            let kept = self.cache.store.named(&self.folders_name()).ok().flatten();
            Folders::of(&self.root, kept.as_deref())
        };
        self.folders.get_or_init(open).as_ref()
    }

    fn folders_name(&self) -> Name {
        self.cache.name("folders 1", &self.name)
    }

    /// Facts about near misses.
    pub(crate) fn memo(&self) -> Memo {
        let kept = self.cache.store.named(&self.memo_name()).ok().flatten();
        Memo::from_bytes(&kept.unwrap_or_default())
    }

    /// Whether a tree has enough files for near misses to be cached.
    pub(crate) fn is_worth_a_memo(files: usize) -> bool {
        files >= MIN_PACKED
    }

    fn memo_name(&self) -> Name {
        self.cache.name("near misses 2", &self.name)
    }

    /// Writes the cached near misses if there are enough new ones.
    pub(crate) fn keep_memo(&self, memo: &Memo) {
        if let Some(bytes) = memo.to_bytes() {
            drop(self.cache.store.keep_named(&self.memo_name(), bytes));
        }
    }

    /// Writes the facts that this run adds, for files that are not those of the tree.
    pub(crate) fn keep_values(&self) {
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let values = std::mem::take(&mut fresh.values);
        let store = &self.cache.store;
        drop(store.keep(&self.cache.definitions, &values, &[]));
    }

    /// Writes the additions of this run. Write errors are ignored: the facts are computed again in
    /// the next run.
    pub(crate) fn write(&self) {
        let folders = self.folders.get().and_then(Option::as_ref);
        if let Some(folders) = folders.and_then(Folders::to_keep) {
            drop(self.cache.store.keep_named(&self.folders_name(), folders));
        }
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let Fresh {
            values,
            stamps,
            packed,
            unpacked,
        } = std::mem::take(&mut *fresh);
        drop(fresh);
        let store = &self.cache.store;
        drop(store.keep(&self.cache.definitions, &values, &stamps));
        let all = packed.len() + unpacked.len();
        events::looked_up(all.saturating_sub(values.len()), values.len());
        if all < MIN_PACKED || unpacked.len() * STALE <= all {
            return;
        }
        let values: HashMap<Key, Vec<u8>> = values.into_iter().collect();
        let mut files = packed;
        files.extend(unpacked);
        let value = |key: &Key| {
            let packed = || {
                let pack = self.pack.as_ref()?;
                pack.read(pack.of_key(key)?)
            };
            let stored = || store.values(&[*key]).ok()?.pop()?;
            values.get(key).cloned().or_else(packed).or_else(stored)
        };
        drop(Pack::write(&self.cache.packs(), &self.name, &files, value));
    }
}
