//! The facts of all files together: one number per name, and its mentions.
//!
//! A snapshot is a view of a [`Background`], in which a change may replace files. It notes what is read of other
//! files, so that a change shows which findings it can affect.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;

use crate::background::{Background, package};
use crate::contributions::Numbered;
use crate::facts::{ALL, FileSignals};
use crate::file_paths::{folder, is_test, stem};
use crate::keys::{Key, Kind};
use crate::overlay::Overlay;
use crate::words::Map;

/// A file with its path.
pub(crate) type File<'a> = (&'a str, &'a FileSignals);

/// Facts of all files with names numbered across them.
pub(crate) struct Snapshot<'a> {
    /// Those of the background by index, then added ones. Gone files are still there, but no table has them.
    pub(crate) files: Cow<'a, [File<'a>]>,
    background: &'a Background,
    overlay: Overlay,
    /// Whether each file is a test file.
    pub(crate) tests: Cow<'a, [bool]>,
    /// Keys that were read, if they are noted.
    reads: Option<RefCell<Vec<Key>>>,
}

impl<'a> Snapshot<'a> {
    /// The files of a background.
    pub(crate) fn whole(background: &'a Background, files: &'a [File<'a>]) -> Self {
        Self {
            files: Cow::Borrowed(files),
            background,
            overlay: Overlay::default(),
            tests: Cow::Borrowed(&background.tests),
            reads: None,
        }
    }

    /// The files of a background after a change: paths with their new facts, `None` for files that are gone.
    pub(crate) fn changed(
        background: &'a Background,
        files: &[File<'a>],
        changes: &[(&'a str, Option<&'a FileSignals>)],
    ) -> Self {
        let mut overlay = Overlay::of(files.len());
        let mut tests = background.tests.clone();
        let mut all = files.to_vec();
        for &(path, facts) in changes {
            let known = files.binary_search_by(|(own, _)| (*own).cmp(path)).ok();
            if let Some(index) = known {
                overlay.remove(background, index, files[index]);
            }
            let Some(facts) = facts else { continue };
            let index = known.unwrap_or(all.len());
            if known.is_none() {
                all.push((path, facts));
                tests.push(false);
            }
            all[index].1 = facts;
            tests[index] = is_test(path, facts);
            overlay.add(background, index, (path, facts));
        }
        overlay.new.sort_unstable();
        Self {
            files: Cow::Owned(all),
            background,
            overlay,
            tests: Cow::Owned(tests),
            reads: None,
        }
    }

    /// As [`Self::whole`], noting what is read.
    pub(crate) fn noting(background: &'a Background, files: &'a [File<'a>]) -> Self {
        Self {
            reads: Some(RefCell::default()),
            ..Self::whole(background, files)
        }
    }

    /// Keys that were read since the last call, ascending and each once.
    pub(crate) fn take_reads(&self) -> Vec<Key> {
        let mut keys = self
            .reads
            .as_ref()
            .map_or_else(Vec::new, |reads| reads.take());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Notes that findings depend on a key.
    pub(crate) fn note(&self, key: Key) {
        if let Some(reads) = &self.reads {
            reads.borrow_mut().push(key);
        }
    }

    /// Keys of what the change makes different.
    pub(crate) fn changed_keys(&self) -> Vec<Key> {
        self.overlay.changed(self.background)
    }

    /// Files that the change adds or replaces.
    pub(crate) fn new_files(&self) -> &[usize] {
        &self.overlay.new
    }

    /// Whether the file of the background at an index is replaced or gone.
    pub(crate) fn is_replaced(&self, file: usize) -> bool {
        self.overlay.is_replaced.get(file).copied().unwrap_or(false)
    }

    /// A file that is there, with its numbers.
    pub(crate) fn numbered(&self, file: usize) -> Numbered<'_> {
        let (path, facts) = self.files[file];
        Numbered {
            path,
            facts,
            numbers: self.numbers(file),
            stem: self.known(stem(path)).unwrap_or_default(),
            package: self.known(package(path)).unwrap_or_default(),
            is_test: self.tests[file],
        }
    }

    /// Compares two places by path and position.
    pub(crate) fn order(&self, one: (usize, usize), other: (usize, usize)) -> Ordering {
        let path = |file: usize| self.files[file].0;
        let by_path = || path(one.0).cmp(path(other.0));
        match one.0 == other.0 {
            true => one.1.cmp(&other.1),
            false => by_path(),
        }
    }

    /// Names' numbers of a file.
    pub(crate) fn numbers(&self, file: usize) -> &[u32] {
        match self.background.numbers.get(file) {
            Some(numbers) if !self.is_replaced(file) => numbers,
            _ => self.overlay.numbers.get(&file).map_or(&[], |own| own),
        }
    }

    /// The number across files of a file's name.
    pub(crate) fn number(&self, file: usize, local: u32) -> Option<u32> {
        self.numbers(file).get(local as usize).copied()
    }

    /// The number of a text, if a file has it as a name.
    fn known(&self, name: &str) -> Option<u32> {
        let own = || {
            let number = self.overlay.names.get(name)?;
            Some(self.background.known.count() + number)
        };
        self.background.known.get(name).or_else(own)
    }

    /// A file's name as text.
    pub(crate) fn name(&self, file: usize, local: u32) -> &'a str {
        let names = &self.files[file].1.names;
        names.get(local as usize).unwrap_or_default()
    }

    /// Mentions of a name in all files, as bits.
    pub(crate) fn mentions(&self, file: usize, local: u32) -> u8 {
        self.number(file, local).map_or(u8::MAX, |number| {
            self.note(Key::of(Kind::Mentions, number));
            self.bits(number)
        })
    }

    /// Mentions of a name that is computed from others, as bits.
    pub(crate) fn mentions_of(&self, name: &str) -> u8 {
        self.note(Key::of_hash(Kind::MentionsOfText, name));
        self.known(name).map_or(0, |number| self.bits(number))
    }

    fn bits(&self, number: u32) -> u8 {
        let counts = self.background.mentions.get(number as usize);
        let mut counts = counts.copied().unwrap_or_default();
        if let Some(by) = self.overlay.mentions.get(&number) {
            for (count, by) in counts.iter_mut().zip(by) {
                *count = count.saturating_add_signed(*by);
            }
        }
        let set = (0..8).filter(|&bit| counts[bit] > 0);
        set.fold(0, |bits, bit| bits | 1 << bit)
    }

    /// How often files have what a key names.
    pub(crate) fn count(&self, key: Key) -> u32 {
        self.note(key);
        let by = self.overlay.counts.get(&key).copied();
        let before = self.background.count(key);
        before.saturating_add_signed(by.unwrap_or(0))
    }

    fn count_of(&self, kind: Kind, file: usize, local: u32) -> u32 {
        let number = self.number(file, local);
        number.map_or(0, |number| self.count(Key::of(kind, number)))
    }

    /// Number of functions and methods with a name.
    pub(crate) fn definitions(&self, file: usize, local: u32) -> u32 {
        self.count_of(Kind::Definitions, file, local)
    }

    /// Number of classes with a name.
    pub(crate) fn classes(&self, file: usize, local: u32) -> u32 {
        self.count_of(Kind::Classes, file, local)
    }

    /// The imports of a file, by the name that they bind.
    pub(crate) fn taken_by_name(&self, file: usize) -> Map<u32, u32> {
        let imports = self.files[file].1.imports.iter();
        // The first of a name counts.
        imports
            .rev()
            .map(|import| (import.name, import.taken))
            .collect()
    }

    /// Number of classes with this one as their base.
    pub(crate) fn subclasses(&self, file: usize, local: u32) -> u32 {
        self.count_of(Kind::Subclasses, file, local)
    }

    /// The first place of a key in path order.
    fn first(&self, key: Key) -> Option<(usize, usize)> {
        self.note(key);
        let known = self.background.first.get(&key).copied();
        let known = known.filter(|(file, _)| !self.is_replaced(*file as usize));
        let of_background = match known {
            Some((file, position)) => Some((file as usize, position as usize)),
            None if self.overlay.is_replaced.is_empty() => None,
            None => self.kept(key).next(),
        };
        let new = self.new_places(key);
        let all = of_background.into_iter().chain(new);
        all.min_by(|a, b| self.order(*a, *b))
    }

    /// All places of a key: those of the background in path order, then those of the change.
    pub(crate) fn listed(&self, key: Key) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.note(key);
        self.kept(key).chain(self.new_places(key))
    }

    /// The places of a key in files that do not change.
    fn kept(&self, key: Key) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.background.lists.of(key).iter();
        places
            .map(|&(file, position)| (file as usize, position as usize))
            .filter(|(file, _)| !self.is_replaced(*file))
    }

    fn new_places(&self, key: Key) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = self.overlay.places.get(&key).into_iter().flatten();
        places.map(|&(file, position)| (file as usize, position as usize))
    }

    /// Files of languages whose private names have a reach that mention a private function's name, each with the
    /// name. Only those in a folder or below it are sure to be among them.
    pub(crate) fn mentioners(&self, number: u32, folder: &str) -> Vec<(usize, u32)> {
        let key = Key::of(Kind::Mentioners, number);
        self.note(key);
        let is_listed = !self
            .background
            .lists
            .of(Key::of(Kind::Private, number))
            .is_empty();
        let mut found: Vec<(usize, u32)> = Vec::new();
        if is_listed {
            let places = self.background.lists.of(key).iter();
            found.extend(places.map(|&(file, local)| (file as usize, local)));
        } else if number < self.background.known.count() {
            // No private function of the background has the name.
            for file in self.below(folder) {
                let mut numbers = (0..).zip(&self.background.numbers[file]);
                let local = numbers.find(|(_, own)| **own == number);
                found.extend(local.map(|(local, _)| (file, local)));
            }
        }
        found.retain(|(file, _)| !self.is_replaced(*file));
        let new = self.overlay.mentioners.get(&number).into_iter().flatten();
        found.extend(new.map(|&(file, local)| (file as usize, local)));
        found
    }

    /// Files of the background in a folder or below it.
    fn below(&self, folder: &str) -> Range<usize> {
        let files = &self.files[..self.background.numbers.len()];
        if folder.is_empty() {
            return 0..files.len();
        }
        let folder = format!("{folder}/");
        let first = files.partition_point(|(path, _)| *path < folder.as_str());
        let count = files[first..].partition_point(|(path, _)| path.starts_with(&folder));
        first..first + count
    }

    /// The files of a folder.
    pub(crate) fn files_of(&self, path: &'a str) -> impl Iterator<Item = usize> + '_ {
        let folder = folder(path);
        self.listed(Key::of_hash(Kind::Files, folder))
            .map(|(file, _)| file)
            .filter(move |&file| self::folder(self.files[file].0) == folder)
    }

    /// Whether the bases of a class, directly or indirectly, are all in the code base.
    pub(crate) fn has_plain_bases(&self, file: usize, local: u32) -> bool {
        let mut next: Vec<u32> = self.number(file, local).into_iter().collect();
        // A longer chain of bases is not followed; the answer is then the cautious one.
        for _ in 0..32 {
            let Some(number) = next.pop() else {
                return true;
            };
            let Some((file, position)) = self.first(Key::of(Kind::Class, number)) else {
                return false;
            };
            let bases = &self.files[file].1.classes[position].bases;
            let bases = bases
                .iter()
                .filter(|&&base| !is_builtin(self.name(file, base)));
            next.extend(bases.filter_map(|&base| self.number(file, base)));
        }
        next.is_empty()
    }

    /// Files and positions of the classes that name this number as a base.
    pub(crate) fn implementers(&self, number: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.listed(Key::of(Kind::Implementers, number))
    }

    /// Whether some file takes this name from the file.
    pub(crate) fn is_taken_from(&self, file: usize, local: u32) -> bool {
        let module = self.known(stem(self.files[file].0));
        let pair = module.zip(self.number(file, local));
        pair.is_some_and(|(module, name)| self.is_taken(module, name))
    }

    /// Whether some file takes all names of the file.
    pub(crate) fn is_taken_whole(&self, file: usize) -> bool {
        let pair = self.known(stem(self.files[file].0)).zip(self.known(ALL));
        pair.is_some_and(|(module, all)| self.is_taken(module, all))
    }

    fn is_taken(&self, module: u32, name: u32) -> bool {
        self.count(Key::of_two(Kind::Taken, module, name)) > 0
    }

    /// The top-level function of this name in the file with this stem.
    pub(crate) fn top_level(&self, module: u32, name: u32) -> Option<(usize, usize)> {
        self.first(Key::of_two(Kind::TopLevel, module, name))
    }

    /// The only top-level function to which a file's name can refer, if it is of the same language.
    pub(crate) fn only_function(&self, file: usize, local: u32) -> Option<(usize, usize)> {
        self.only(Kind::Function, file, local)
    }

    /// The only method to which a file's name can refer, if it is of the same language.
    pub(crate) fn only_method(&self, file: usize, local: u32) -> Option<(usize, usize)> {
        self.only(Kind::Method, file, local)
    }

    /// The function of a package, where folders are packages.
    pub(crate) fn in_package(
        &self,
        package: u32,
        (file, local): (usize, u32),
    ) -> Option<(usize, usize)> {
        let naming = &self.files[file].1.conventions().naming;
        if !naming.folders_are_packages {
            return None;
        }
        let (package, number) = (self.number(file, package)?, self.number(file, local)?);
        self.first(Key::of_two(Kind::Package, package, number))
    }

    fn only(&self, kind: Kind, file: usize, local: u32) -> Option<(usize, usize)> {
        let number = self.number(file, local)?;
        if self.definitions(file, local) != 1 {
            return None;
        }
        let found = self.first(Key::of(kind, number))?;
        let (own, other) = (
            &self.files[file].1.language,
            &self.files[found.0].1.language,
        );
        (own == other).then_some(found)
    }

    /// Whether a name is that of a file.
    pub(crate) fn is_module(&self, file: usize, local: u32) -> bool {
        self.count_of(Kind::Module, file, local) > 0
    }

    /// Whether an interpolated text may produce a name at run time.
    pub(crate) fn is_dispatched(&self, name: &str) -> bool {
        let prefixes = (2..=name.len()).filter_map(|end| name.get(..end));
        // All are noted, not only those up to the first.
        let found = prefixes.map(|prefix| self.count(Key::of_hash(Kind::Prefix, prefix)) > 0);
        found.fold(false, |any, is| any | is)
    }
}

/// Whether a base of Python calls no private methods of classes that derive from it.
pub(crate) fn is_builtin(base: &str) -> bool {
    const BUILTINS: &[&str] = &[
        "object",
        "dict",
        "list",
        "set",
        "frozenset",
        "tuple",
        "str",
        "bytes",
        "int",
        "float",
        "Exception",
        "ValueError",
        "TypeError",
        "KeyError",
        "RuntimeError",
        "OSError",
        "ABC",
        "Generic",
        "Protocol",
    ];
    BUILTINS.contains(&base)
}
