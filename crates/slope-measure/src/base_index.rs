//! An index of a tree that was analysed before, in the cache or in memory. With it a change is analysed
//! without reading the whole tree.
//!
//! It has the forms of repeated code of each file, its clones and signals, and the key of its facts in the
//! cache. A change then needs the facts of the files that it touches, and of those whose clones may come or
//! go with it. Of the other files it needs only the facts of signals.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slope_clones::Cover;
use slope_model::finding::Finding;
use slope_model::time_limit;
use slope_signals::{Background, FileSignals, Likenesses};
use slope_store::facts::Key;
use slope_store::pack::{Name, Pack, Packed};
use slope_syntax::Language;

mod stored;

use crate::contents::{Content, Facts};
use crate::others::{OtherFile, Others, SignalFacts, file_of, files_of};
use crate::track::Tracker;
use crate::{Measurer, Options, signals};

pub use stored::BadIndex;

/// Version of the stored format.
const VERSION: u32 = 3;

/// Key of the head; no path is like it.
const HEAD: &str = "\0head";
/// Key of the facts of signals.
const SIGNALS: &str = "\0signals";

/// A file of an index.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct IndexedFile {
    path: String,
    /// The caller's id of the content.
    id: String,
    /// Language id; empty for a file that could not be measured or is left out.
    language: String,
    /// The key of its facts.
    facts: Option<Key>,
    /// Reason that it could not be measured.
    unmeasured: Option<String>,
    covers: Vec<Cover>,
    found: Vec<Finding>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    files: Vec<IndexedFile>,
    /// Forms in ascending order, and for each the file that holds it, by number.
    forms: Vec<u64>,
    holders: Vec<u32>,
    /// The caller's own data.
    extra: Vec<u8>,
}

/// An index of a tree.
pub struct BaseIndex {
    head: Head,
    store: Store,
}

/// Where an index has the facts of its files.
enum Store {
    /// In the cache.
    Cache(Pack),
    /// In memory.
    Memory(Memory),
}

/// The facts of a tree in memory.
struct Memory {
    facts: FactsOfFiles,
    signals: Arc<[OtherFile]>,
    /// Tables of the files with signals, unless functions are compared for them.
    background: Option<Arc<(Background, Likenesses)>>,
}

/// Where the facts of files are that signals do not need.
enum FactsOfFiles {
    /// In memory, by number.
    Kept(Vec<Option<Facts>>),
    /// In a file, by the keys of their paths.
    Packed(Arc<Pack>),
}

impl Memory {
    fn new(options: &Options, facts: FactsOfFiles, signals: Arc<[OtherFile]>) -> Self {
        let wanted = signals::wanted(options);
        let background = (!wanted.compares_functions()).then(|| {
            let files = files_of(&signals);
            let background = Background::for_changes(&files, &wanted);
            let likenesses = Likenesses::new(&background, &files);
            Arc::new((background, likenesses))
        });
        Self {
            facts,
            signals,
            background,
        }
    }
}

/// An index that is not written yet.
pub struct PendingBaseIndex<'c> {
    folder: PathBuf,
    name: Name,
    contents: &'c [(String, Content)],
    files: Vec<IndexedFile>,
    /// For each file whether it is measured.
    held: Vec<bool>,
    extra: Vec<u8>,
}

impl Measurer {
    /// The index that was written last for a place, if it has exactly these files: paths in order, each with
    /// the id of its content.
    #[must_use]
    pub fn base_index<'a>(
        &self,
        place: &Path,
        files: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
    ) -> Option<BaseIndex> {
        let (folder, name) = self.place_of_index(place)?;
        let pack = Pack::open(&folder, &name)?;
        let head = pack.read(pack.of_key(&key(HEAD))?)?;
        let head: Head = postcard::from_bytes(&head).ok()?;
        let same = head.version == VERSION
            && head.files.len() == files.len()
            && head
                .files
                .iter()
                .zip(files)
                .all(|(known, (path, id))| known.path == path && known.id == id);
        same.then_some(BaseIndex {
            head,
            store: Store::Cache(pack),
        })
    }
}

impl BaseIndex {
    /// An index in memory of a tree: of the contents of its files in order of path, and a tracker of
    /// exactly these.
    #[must_use]
    pub fn in_memory(contents: &[(String, Content)], tracker: Tracker<'_>) -> Self {
        let (mut files, held) = indexed_files(contents, &BTreeMap::new(), &tracker);
        let options = tracker.options().clone();
        // Its clones take as much memory as the tables below.
        drop(tracker);
        let (forms, holders) = forms(contents);
        let facts = |(_, content): &(String, Content)| match content {
            Content::Code(facts) => Some(facts.clone()),
            Content::Unmeasured(_) | Content::Nothing => None,
        };
        let kept: Vec<Option<Facts>> = contents.iter().map(facts).collect();
        let of_signals = kept.iter().zip(&mut files).zip(held);
        let of_signals = of_signals.filter_map(|((facts, file), is_held)| {
            let facts = facts.as_ref().filter(|_| is_held)?;
            facts.facts.signals.as_ref()?;
            Some(OtherFile {
                path: file.path.clone(),
                facts: SignalFacts::Shared(facts.facts.clone()),
                found: std::mem::take(&mut file.found),
            })
        });
        let signals: Arc<[OtherFile]> = of_signals.collect();
        BaseIndex {
            head: Head {
                version: VERSION,
                files,
                forms,
                holders,
                extra: Vec::new(),
            },
            store: Store::Memory(Memory::new(&options, FactsOfFiles::Kept(kept), signals)),
        }
    }
}

impl Measurer {
    /// An index of a tree: of its files in order, the ids of their contents, and a tracker of exactly these.
    /// [`PendingBaseIndex::write`] writes it, and does not need the tracker. `None` without a cache.
    #[must_use]
    pub fn pending_base_index<'c>(
        &self,
        place: &Path,
        ids: &BTreeMap<String, String>,
        contents: &'c [(String, Content)],
        tracker: &Tracker<'_>,
        extra: Vec<u8>,
    ) -> Option<PendingBaseIndex<'c>> {
        let (folder, name) = self.place_of_index(place)?;
        let (files, held) = indexed_files(contents, ids, tracker);
        Some(PendingBaseIndex {
            folder,
            name,
            contents,
            files,
            held,
            extra,
        })
    }

    /// Where the index of a place is under these definitions.
    fn place_of_index(&self, place: &Path) -> Option<(PathBuf, Name)> {
        let said = said(&self.options);
        let place = place.canonicalize().ok()?;
        let of = [place.as_os_str().as_encoded_bytes(), said.as_bytes()].concat();
        let cache = self.cache.as_ref()?;
        Some((cache.packs(), cache.name("known tree", &of)))
    }
}

/// The options that findings of a tree depend on.
fn said(options: &Options) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {}",
        options.profile,
        options.enabled,
        options.disabled,
        options.suppressions,
        options.leave_out,
        options.signals,
    )
}

/// The files of a tree with their clones and signals, and whether each is measured.
fn indexed_files(
    contents: &[(String, Content)],
    ids: &BTreeMap<String, String>,
    tracker: &Tracker<'_>,
) -> (Vec<IndexedFile>, Vec<bool>) {
    let file = |(path, content): &(String, Content)| {
        let mut file = IndexedFile {
            path: path.clone(),
            id: ids.get(path).cloned().unwrap_or_default(),
            language: String::new(),
            facts: None,
            unmeasured: None,
            covers: Vec::new(),
            found: Vec::new(),
        };
        match content {
            Content::Code(facts) => {
                file.language = facts.language.id().to_owned();
                file.facts = facts.key;
                (file.covers, file.found) = tracker.told(path);
            }
            Content::Unmeasured(reason) => file.unmeasured = Some(reason.clone()),
            Content::Nothing => {}
        }
        (file, tracker.holds(path))
    };
    contents.iter().map(file).unzip()
}

/// Forms in ascending order, and for each the file that holds it, by number.
fn forms(contents: &[(String, Content)]) -> (Vec<u64>, Vec<u32>) {
    let mut forms: Vec<(u64, u32)> = Vec::new();
    for (number, (_, content)) in (0_u32..).zip(contents) {
        if let Content::Code(facts) = content {
            let of_file = facts.facts.clones.forms().into_iter();
            forms.extend(of_file.map(|form| (form, number)));
        }
    }
    forms.sort_unstable();
    forms.into_iter().unzip()
}

impl PendingBaseIndex<'_> {
    /// Writes the index. If that fails, the next change is analysed without one.
    pub fn write(self) {
        let mut facts_of_signals: Vec<(u32, &FileSignals)> = Vec::new();
        for (number, ((_, content), is_held)) in (0_u32..).zip(self.contents.iter().zip(self.held))
        {
            let Content::Code(facts) = content else {
                continue;
            };
            let signals = facts.facts.signals.as_ref().filter(|_| is_held);
            facts_of_signals.extend(signals.map(|signals| (number, signals)));
        }
        let (forms, holders) = forms(self.contents);
        let head = Head {
            version: VERSION,
            files: self.files,
            forms,
            holders,
            extra: self.extra,
        };
        let (Ok(head), Ok(of_signals)) = (
            postcard::to_stdvec(&head),
            postcard::to_stdvec(&facts_of_signals),
        ) else {
            return;
        };
        let mut values = BTreeMap::from([(key(HEAD), head), (key(SIGNALS), of_signals)]);
        let packed: Vec<Packed> = values
            .keys()
            .map(|&key| Packed { stamp: None, key })
            .collect();
        drop(Pack::write(&self.folder, &self.name, &packed, |key| {
            values.remove(key)
        }));
    }
}

fn key(path: &str) -> Key {
    *blake3::hash(path.as_bytes()).as_bytes()
}

impl BaseIndex {
    /// The caller's own data.
    #[must_use]
    pub fn extra(&self) -> &[u8] {
        &self.head.extra
    }

    /// Names of its functions and classes, for the reuse of them.
    #[must_use]
    pub fn vocabulary(&self) -> slope_signals::Vocabulary {
        let files = self.signals().unwrap_or_default();
        slope_signals::Vocabulary::new(&files_of(&files))
    }

    /// Styles of its code.
    #[must_use]
    pub fn styles(&self) -> slope_signals::Styles {
        let files = self.signals().unwrap_or_default();
        slope_signals::Styles::new(&files_of(&files))
    }

    /// Tracker of the files that changes affect: the touched paths, which will get one of
    /// `contents`, and the files whose clones may appear or disappear with them. `None` if the
    /// stored data is damaged.
    #[must_use]
    pub fn tracker<'m>(
        &self,
        measurer: &'m Measurer,
        touched: &BTreeSet<&str>,
        contents: &[&Content],
    ) -> Option<Tracker<'m>> {
        let until = time_limit::current();
        let signals = || time_limit::carry(until, || self.signals());
        let load = || time_limit::carry(until, || self.load(measurer, touched, contents));
        let (files, loaded) = measurer.install(|| rayon::join(signals, load));
        let (files, loaded) = (files?, loaded?);
        let mut tracker = measurer.tracker();
        let mut known = Vec::with_capacity(loaded.len());
        for (number, facts) in loaded {
            let file = self.file(number);
            let content = match facts {
                Some(facts) => Content::Code(facts),
                None => file
                    .unmeasured
                    .clone()
                    .map_or(Content::Nothing, Content::Unmeasured),
            };
            known.push((
                file.path.clone(),
                content,
                &file.covers[..],
                self.found(file),
            ));
        }
        tracker.take_known(known);
        tracker.others = Others {
            inside: tracker.paths().map(str::to_owned).collect(),
            files,
            background: match &self.store {
                Store::Memory(memory) => memory.background.clone(),
                Store::Cache(_) => None,
            },
        };
        Some(tracker)
    }

    /// The signal findings of a file.
    fn found<'i>(&'i self, file: &'i IndexedFile) -> &'i Vec<Finding> {
        let Store::Memory(memory) = &self.store else {
            return &file.found;
        };
        let other = file_of(&memory.signals, &file.path);
        other.map_or(&file.found, |other| &other.found)
    }

    /// The number of a path.
    fn number(&self, path: &str) -> Option<u32> {
        let files = &self.head.files;
        let found = files.binary_search_by(|file| file.path.as_str().cmp(path));
        u32::try_from(found.ok()?).ok()
    }

    fn file(&self, number: u32) -> &IndexedFile {
        &self.head.files[number as usize]
    }

    /// The files with the facts that signals need, in order of path.
    fn signals(&self) -> Option<Arc<[OtherFile]>> {
        let pack = match &self.store {
            Store::Memory(memory) => return Some(memory.signals.clone()),
            Store::Cache(pack) => pack,
        };
        stored_signals(pack, &mut self.head.files.clone())
    }

    /// The facts of the files that a change concerns, by number.
    fn load(
        &self,
        measurer: &Measurer,
        touched: &BTreeSet<&str>,
        contents: &[&Content],
    ) -> Option<BTreeMap<u32, Option<Facts>>> {
        let first = touched.iter().filter_map(|path| self.number(path));
        let first: Vec<u32> = first.collect();
        let mut loaded: BTreeMap<u32, Option<Facts>> = BTreeMap::new();
        self.add(measurer, &mut loaded, first)?;
        let code = contents.iter().filter_map(|content| match content {
            Content::Code(facts) => Some(facts),
            _ => None,
        });
        let old = loaded.values().flatten();
        let forms = old.chain(code).flat_map(|facts| facts.facts.clones.forms());
        let forms: HashSet<u64> = forms.collect();
        let near = self.holders(&forms);
        self.add(measurer, &mut loaded, near)?;
        let all = loaded.values().flatten();
        let beside = all.flat_map(|facts| facts.facts.clones.forms_beside(&forms));
        let beside: HashSet<u64> = beside.filter(|form| !forms.contains(form)).collect();
        let around = self.holders(&beside);
        self.add(measurer, &mut loaded, around)?;
        Some(loaded)
    }

    /// Indices of the files that contain one of these forms.
    fn holders(&self, forms: &HashSet<u64>) -> Vec<u32> {
        let mut found = BTreeSet::new();
        for form in forms {
            let first = self.head.forms.partition_point(|other| other < form);
            let here = self.head.forms[first..].iter().take_while(|f| *f == form);
            let end = first + here.count();
            // Forms that occur in one file only are not stored: no other file repeats them.
            found.extend(self.head.holders.get(first..end).unwrap_or_default());
        }
        found.into_iter().collect()
    }

    /// Reads the facts of files that are not loaded yet.
    fn add(
        &self,
        measurer: &Measurer,
        loaded: &mut BTreeMap<u32, Option<Facts>>,
        numbers: Vec<u32>,
    ) -> Option<()> {
        let mut wanted = Vec::new();
        for number in numbers {
            if loaded.contains_key(&number) {
                continue;
            }
            let file = self.head.files.get(number as usize)?;
            match &self.store {
                Store::Memory(memory) => {
                    loaded.insert(number, memory.facts.of(number, file)?);
                }
                Store::Cache(_) if file.language.is_empty() => {
                    loaded.insert(number, None);
                }
                Store::Cache(_) => {
                    let language = Language::by_id(&file.language)?;
                    wanted.push((number, language, file.facts?));
                }
            }
        }
        if wanted.is_empty() {
            return Some(());
        }
        let keys: Vec<Key> = wanted.iter().map(|(_, _, key)| *key).collect();
        let kept = measurer.cache.as_ref()?.of_keys(&keys)?;
        for ((number, language, key), facts) in wanted.into_iter().zip(kept) {
            let facts = Facts {
                language,
                facts: Arc::new(facts),
                key: Some(key),
            };
            loaded.insert(number, Some(facts));
        }
        Some(())
    }
}

/// The files with signals as a pack has them, in order of path. They take over the findings of the files.
fn stored_signals(pack: &Pack, files: &mut [IndexedFile]) -> Option<Arc<[OtherFile]>> {
    let value = pack.read(pack.of_key(&key(SIGNALS))?)?;
    let found: Vec<(u32, FileSignals)> = postcard::from_bytes(&value).ok()?;
    let mut other = |(number, facts): (u32, FileSignals)| {
        let file = files.get_mut(number as usize)?;
        Some(OtherFile {
            path: file.path.clone(),
            facts: SignalFacts::Stored(Box::new(facts)),
            found: std::mem::take(&mut file.found),
        })
    };
    found.into_iter().map(&mut other).collect()
}
