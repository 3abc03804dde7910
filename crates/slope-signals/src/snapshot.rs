//! The facts of all files together: one number per name, and its mentions.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use slope_syntax::paths::{is_test_file, is_test_folder, path_kind};

use crate::facts::{ALL, FileSignals, Function, Traits};
use crate::words::Map;

/// Numbers for the names of all files. A tree has hundreds of thousands of names to look up, so an
/// entry of the table is small: the number and a part of the hash, which avoids most comparisons
/// with other names.
struct Numbers<'a> {
    table: HashTable<(u32, u32)>,
    names: Vec<&'a str>,
}

impl<'a> Numbers<'a> {
    /// An empty table with capacity for `count` names.
    fn with_capacity(count: usize) -> Self {
        Self {
            table: HashTable::with_capacity(count),
            names: Vec::with_capacity(count),
        }
    }

    /// The number of a name, which is new if the name is.
    fn intern(&mut self, name: &'a str) -> u32 {
        let (hash, part) = hash(name);
        let names = &self.names;
        let same = |&(other, number): &(u32, u32)| other == part && names[number as usize] == name;
        let again = |&(_, number): &(u32, u32)| self::hash(names[number as usize]).0;
        match self.table.entry(hash, same, again) {
            Entry::Occupied(entry) => entry.get().1,
            Entry::Vacant(entry) => {
                let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
                entry.insert((part, next));
                self.names.push(name);
                next
            }
        }
    }

    /// The number of a name, if it has one.
    fn get(&self, name: &str) -> Option<u32> {
        let (hash, part) = hash(name);
        let same =
            |&(other, number): &(u32, u32)| other == part && self.names[number as usize] == name;
        self.table.find(hash, same).map(|&(_, number)| number)
    }
}

/// The hash of a name, and the stored part of it.
fn hash(name: &str) -> (u64, u32) {
    let hash = FixedState::default().hash_one(name);
    (hash, (hash >> 16) as u32)
}

/// Facts of all files with names numbered across them.
pub(crate) struct Snapshot<'a> {
    pub(crate) files: &'a [(&'a str, &'a FileSignals)],
    /// For each file, its names' numbers across files.
    numbers: Vec<Vec<u32>>,
    known: Numbers<'a>,
    /// [`crate::facts::Mention`] bits by number.
    mentions: Vec<u8>,
    /// Definitions of functions and methods by number.
    definitions: Vec<u32>,
    /// Definitions of classes by number.
    classes: Vec<u32>,
    /// Classes that name this number as their base.
    subclasses: Vec<u32>,
    /// File and position of the first class of a number.
    class_places: Map<u32, (usize, usize)>,
    /// By number, whether it is the stem of a file.
    modules: Vec<bool>,
    /// Imports from files: the number of the stem, and of the name.
    taken: Map<(u32, u32), ()>,
    prefixes: Vec<&'a str>,
    /// File and position of the functions at the top level, by file stem and name.
    top_level: Map<(u32, u32), (usize, usize)>,
    /// The same by name alone; the first function of each name.
    by_name: Map<u32, (usize, usize)>,
    /// The methods by name, the first of each.
    methods: Map<u32, (usize, usize)>,
    /// The functions of packages, by the last part of the folder and by name.
    packages: Map<(&'a str, u32), (usize, usize)>,
    /// Whether each file is a test file, by its path.
    pub(crate) tests: Vec<bool>,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(files: &'a [(&'a str, &'a FileSignals)]) -> Self {
        let names: usize = files.iter().map(|(_, file)| file.mentions.len()).sum();
        let mut this = Self {
            files,
            numbers: Vec::with_capacity(files.len()),
            // Most names of a file also occur in other files.
            known: Numbers::with_capacity(names / 3),
            mentions: Vec::new(),
            definitions: Vec::new(),
            classes: Vec::new(),
            subclasses: Vec::new(),
            class_places: Map::default(),
            modules: Vec::new(),
            taken: Map::default(),
            prefixes: Vec::new(),
            top_level: Map::default(),
            by_name: Map::default(),
            methods: Map::default(),
            packages: Map::default(),
            tests: files
                .iter()
                .map(|(path, facts)| is_test(path, facts))
                .collect(),
        };
        for (_, file) in files {
            this.add_names(file);
        }
        let stems: Vec<u32> = files
            .iter()
            .map(|(path, _)| this.known.intern(stem(path)))
            .collect();
        let count = this.known.names.len();
        this.modules = vec![false; count];
        for &stem in &stems {
            this.modules[stem as usize] = true;
        }
        this.definitions = vec![0; count];
        this.classes = vec![0; count];
        this.subclasses = vec![0; count];
        this.mentions.resize(count, 0);
        for (index, &module) in stems.iter().enumerate() {
            this.add_definitions(index, module);
            this.add_taken(index);
        }
        this.prefixes.sort_unstable();
        this.prefixes.dedup();
        this
    }

    fn add_names(&mut self, file: &'a FileSignals) {
        let known = &mut self.known;
        let numbers: Vec<u32> = file.names.iter().map(|name| known.intern(name)).collect();
        self.mentions.resize(known.names.len(), 0);
        for (&number, bits) in numbers.iter().zip(&file.mentions) {
            self.mentions[number as usize] |= bits;
        }
        let texts = file
            .prefixes
            .iter()
            .filter_map(|&p| file.names.get(p as usize));
        self.prefixes.extend(texts);
        self.numbers.push(numbers);
    }

    /// Adds the names that a file takes from other files of the tree.
    fn add_taken(&mut self, index: usize) {
        for &(base, name) in &self.files[index].1.pairs {
            if let (Some(base), Some(name)) = (self.number(index, base), self.number(index, name))
                && self.modules[base as usize]
            {
                self.taken.insert((base, name), ());
            }
        }
    }

    /// Adds the definitions of a file; `module` is its stem.
    fn add_definitions(&mut self, index: usize, module: u32) {
        let (path, file) = self.files[index];
        let package = folder(path).rsplit('/').next().unwrap_or_default();
        for (position, function) in file.functions.iter().enumerate() {
            let Some(number) = self.number(index, function.name) else {
                continue;
            };
            self.definitions[number as usize] += 1;
            if is_top_level(function) {
                self.top_level
                    .entry((module, number))
                    .or_insert((index, position));
                self.by_name.entry(number).or_insert((index, position));
                self.packages
                    .entry((package, number))
                    .or_insert((index, position));
            } else if function.class.is_some() {
                self.methods.entry(number).or_insert((index, position));
            }
        }
        for (position, class) in file.classes.iter().enumerate() {
            if let Some(number) = self.number(index, class.name) {
                self.classes[number as usize] += 1;
                self.class_places.entry(number).or_insert((index, position));
            }
            for &base in &class.bases {
                if let Some(number) = self.number(index, base) {
                    self.subclasses[number as usize] += 1;
                }
            }
        }
    }

    /// The number across files of a file's name.
    pub(crate) fn number(&self, file: usize, local: u32) -> Option<u32> {
        self.numbers.get(file)?.get(local as usize).copied()
    }

    /// A file's name as text.
    pub(crate) fn name(&self, file: usize, local: u32) -> &'a str {
        let names = &self.files[file].1.names;
        names.get(local as usize).unwrap_or_default()
    }

    /// Mentions of a name in all files, as bits.
    pub(crate) fn mentions(&self, file: usize, local: u32) -> u8 {
        self.number(file, local)
            .map_or(u8::MAX, |n| self.mentions[n as usize])
    }

    /// Mentions of a name that is computed from others, as bits.
    pub(crate) fn mentions_of(&self, name: &str) -> u8 {
        self.known
            .get(name)
            .map_or(0, |n| self.mentions[n as usize])
    }

    /// Number of functions and methods with a name.
    pub(crate) fn definitions(&self, file: usize, local: u32) -> u32 {
        self.number(file, local)
            .map_or(0, |n| self.definitions[n as usize])
    }

    /// Number of classes with a name.
    pub(crate) fn classes(&self, file: usize, local: u32) -> u32 {
        self.number(file, local)
            .map_or(0, |n| self.classes[n as usize])
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
        self.number(file, local)
            .map_or(0, |n| self.subclasses[n as usize])
    }

    /// Whether the bases of a class, directly or indirectly, are all in the code base.
    pub(crate) fn has_plain_bases(&self, file: usize, local: u32) -> bool {
        let mut next: Vec<u32> = self.number(file, local).into_iter().collect();
        // A longer chain of bases is not followed; the answer is then the cautious one.
        for _ in 0..32 {
            let Some(number) = next.pop() else {
                return true;
            };
            let Some(&(file, position)) = self.class_places.get(&number) else {
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

    /// Classes by the number of the base that they name.
    pub(crate) fn implementers(&self) -> Map<u32, Vec<(usize, usize)>> {
        let mut found: Map<u32, Vec<(usize, usize)>> = Map::default();
        for (file, (_, facts)) in self.files.iter().enumerate() {
            for (position, class) in facts.classes.iter().enumerate() {
                for number in class.bases.iter().filter_map(|&b| self.number(file, b)) {
                    found.entry(number).or_default().push((file, position));
                }
            }
        }
        found
    }

    /// Whether some file takes this name from the file.
    pub(crate) fn is_taken_from(&self, file: usize, local: u32) -> bool {
        let module = self.known.get(stem(self.files[file].0));
        let pair = module.zip(self.number(file, local));
        pair.is_some_and(|pair| self.taken.contains_key(&pair))
    }

    /// Whether some file takes all names of the file.
    pub(crate) fn is_taken_whole(&self, file: usize) -> bool {
        let pair = self
            .known
            .get(stem(self.files[file].0))
            .zip(self.known.get(ALL));
        pair.is_some_and(|pair| self.taken.contains_key(&pair))
    }

    /// The top-level function of this name in the file with this stem.
    pub(crate) fn top_level(&self, module: u32, name: u32) -> Option<(usize, usize)> {
        self.top_level.get(&(module, name)).copied()
    }

    /// The only top-level function to which a file's name can refer, if it is of the same language.
    pub(crate) fn only_function(&self, file: usize, local: u32) -> Option<(usize, usize)> {
        self.only(&self.by_name, file, local)
    }

    /// The only method to which a file's name can refer, if it is of the same language.
    pub(crate) fn only_method(&self, file: usize, local: u32) -> Option<(usize, usize)> {
        self.only(&self.methods, file, local)
    }

    /// The function of a package, where folders are packages.
    pub(crate) fn in_package(
        &self,
        package: &'a str,
        (file, local): (usize, u32),
    ) -> Option<(usize, usize)> {
        let number = self.number(file, local)?;
        let naming = &self.files[file].1.conventions().naming;
        self.packages
            .get(&(package, number))
            .copied()
            .filter(|_| naming.folders_are_packages)
    }

    fn only(
        &self,
        places: &Map<u32, (usize, usize)>,
        file: usize,
        local: u32,
    ) -> Option<(usize, usize)> {
        let number = self.number(file, local)?;
        let is_alone = self.definitions[number as usize] == 1;
        let found = places.get(&number).copied().filter(|_| is_alone)?;
        let (own, other) = (
            &self.files[file].1.language,
            &self.files[found.0].1.language,
        );
        (own == other).then_some(found)
    }

    /// Whether a name is that of a file.
    pub(crate) fn is_module(&self, file: usize, local: u32) -> bool {
        self.number(file, local)
            .is_some_and(|n| self.modules[n as usize])
    }

    /// Whether an interpolated text may produce a name at run time.
    pub(crate) fn is_dispatched(&self, name: &str) -> bool {
        (2..=name.len())
            .filter_map(|end| name.get(..end))
            .any(|prefix| self.prefixes.binary_search(&prefix).is_ok())
    }
}

/// Whether a function is at the top level of its file.
pub(crate) fn is_top_level(function: &Function) -> bool {
    function.class.is_none() && function.traits & Traits::NESTED == 0
}

/// The folder of a path, without the last `/`.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path's file name up to its first dot; the folder's for `__init__`, `index` and `mod`.
pub(crate) fn stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    if matches!(stem, "__init__" | "index" | "mod") {
        return parts.next().unwrap_or(stem);
    }
    stem
}

/// Whether a file is a test file: by its path, or by its content if the path is ambiguous.
pub(crate) fn is_test(path: &str, facts: &FileSignals) -> bool {
    path_kind(path, &facts.language).is_test(facts.holds_tests)
}

/// Whether a path is that of an input of tests, in which anything may be wrong on purpose.
#[must_use]
pub fn is_test_input(path: &str) -> bool {
    let mut in_tests = false;
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().unwrap_or_default();
    let is_test_itself = is_test_file(file);
    parts.iter().any(|folder| {
        let lower = folder.to_ascii_lowercase().replace('-', "_");
        let anywhere = matches!(
            lower.as_str(),
            "__fixtures__"
                | "__testfixtures__"
                | "testdata"
                | "test_data"
                | "test_files"
                | "playground"
        ) || lower.starts_with("fixture")
            || lower.ends_with("testcases")
            || lower.ends_with("test_cases");
        let below = in_tests
            && (lower.ends_with("cases")
                || lower.ends_with("resources")
                || matches!(
                    lower.as_str(),
                    "integration" | "source" | "sources" | "target"
                ) && !is_test_itself
                || matches!(
                    lower.as_str(),
                    "data"
                        | "assets"
                        | "roots"
                        | "inputs"
                        | "outputs"
                        | "input"
                        | "output"
                        | "expected"
                        | "golden"
                        | "goldens"
                        | "samples"
                        | "projects"
                ));
        // `src/it` and `its` contain the integration tests of Maven.
        in_tests |= is_test_folder(folder) || matches!(lower.as_str(), "it" | "its");
        anywhere || below
    })
}

/// Whether a path is that of documentation or of an example in it.
pub(crate) fn is_documentation(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| {
        let lower = folder.to_ascii_lowercase();
        let mut words = lower.split(['_', '-', '.']);
        words.any(|word| {
            let word = word.strip_suffix('s').unwrap_or(word);
            matches!(
                word,
                "doc" | "documentation" | "snippet" | "example" | "sample" | "demo" | "tutorial"
            )
        })
    })
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
