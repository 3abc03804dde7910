//! The facts of all files together: one number per name, and who mentions it.

use crate::facts::{FileSignals, Function, Traits};
use crate::words::Map;

/// Facts of all files with names numbered across them.
pub(crate) struct Snapshot<'a> {
    pub(crate) files: &'a [(&'a str, &'a FileSignals)],
    /// For each file, its names' numbers across files.
    numbers: Vec<Vec<u32>>,
    known: Map<&'a str, u32>,
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
    /// Stems of files.
    modules: Map<u32, ()>,
    pairs: Map<(u32, u32), ()>,
    prefixes: Vec<&'a str>,
    /// File and position of the functions at the top level, by file stem and name.
    top_level: Map<(u32, u32), (usize, usize)>,
    /// Whether a file is one of tests, by its path.
    pub(crate) tests: Vec<bool>,
}

impl<'a> Snapshot<'a> {
    pub(crate) fn new(files: &'a [(&'a str, &'a FileSignals)]) -> Self {
        let mut this = Self {
            files,
            numbers: Vec::with_capacity(files.len()),
            known: Map::default(),
            mentions: Vec::new(),
            definitions: Vec::new(),
            classes: Vec::new(),
            subclasses: Vec::new(),
            class_places: Map::default(),
            modules: Map::default(),
            pairs: Map::default(),
            prefixes: Vec::new(),
            top_level: Map::default(),
            tests: files.iter().map(|(path, _)| is_test(path)).collect(),
        };
        // Some half of a file's names are of other files too.
        let names: usize = files.iter().map(|(_, file)| file.mentions.len()).sum();
        this.known.reserve(names / 2);
        for (path, file) in files {
            this.add_names(path, file);
        }
        let count = this.known.len();
        this.definitions = vec![0; count];
        this.classes = vec![0; count];
        this.subclasses = vec![0; count];
        this.mentions.resize(count, 0);
        for index in 0..files.len() {
            this.add_definitions(index);
        }
        this.prefixes.sort_unstable();
        this.prefixes.dedup();
        this
    }

    fn intern(&mut self, name: &'a str) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.known.entry(name).or_insert(next)
    }

    fn add_names(&mut self, path: &'a str, file: &'a FileSignals) {
        let numbers: Vec<u32> = file.names.iter().map(|name| self.intern(name)).collect();
        let module = self.intern(stem(path));
        self.modules.insert(module, ());
        self.mentions.resize(self.known.len(), 0);
        for (local, bits) in file.mentions.iter().enumerate() {
            if let Some(&number) = numbers.get(local) {
                self.mentions[number as usize] |= bits;
            }
        }
        let number = |local: u32| numbers.get(local as usize).copied();
        for &(base, name) in &file.pairs {
            if let (Some(base), Some(name)) = (number(base), number(name)) {
                self.pairs.insert((base, name), ());
            }
        }
        let texts = file
            .prefixes
            .iter()
            .filter_map(|&p| file.names.get(p as usize));
        self.prefixes.extend(texts);
        self.numbers.push(numbers);
    }

    fn add_definitions(&mut self, index: usize) {
        let (path, file) = self.files[index];
        let module = self.known.get(stem(path)).copied();
        for (position, function) in file.functions.iter().enumerate() {
            let Some(number) = self.number(index, function.name) else {
                continue;
            };
            self.definitions[number as usize] += 1;
            if let (Some(module), true) = (module, is_top_level(function)) {
                self.top_level
                    .entry((module, number))
                    .or_insert((index, position));
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

    /// How a name is mentioned in all files.
    pub(crate) fn mentions(&self, file: usize, local: u32) -> u8 {
        self.number(file, local)
            .map_or(u8::MAX, |n| self.mentions[n as usize])
    }

    /// How many functions and methods have a name.
    pub(crate) fn definitions(&self, file: usize, local: u32) -> u32 {
        self.number(file, local)
            .map_or(0, |n| self.definitions[n as usize])
    }

    /// How many classes have a name.
    pub(crate) fn classes(&self, file: usize, local: u32) -> u32 {
        self.number(file, local)
            .map_or(0, |n| self.classes[n as usize])
    }

    /// How many classes name this one as their base.
    pub(crate) fn subclasses(&self, file: usize, local: u32) -> u32 {
        self.number(file, local)
            .map_or(0, |n| self.subclasses[n as usize])
    }

    /// Whether the class of a name, and its bases in turn, have only bases of the code base.
    pub(crate) fn has_plain_bases(&self, file: usize, local: u32) -> bool {
        let mut next: Vec<u32> = self.number(file, local).into_iter().collect();
        // A longer chain of bases is not followed; the answer is then the careful one.
        for _ in 0..32 {
            let Some(number) = next.pop() else {
                return true;
            };
            let Some(&(file, position)) = self.class_places.get(&number) else {
                return false;
            };
            let bases = &self.files[file].1.classes[position].bases;
            next.extend(bases.iter().filter_map(|&b| self.number(file, b)));
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
        let module = self.known.get(stem(self.files[file].0)).copied();
        let pair = module.zip(self.number(file, local));
        pair.is_some_and(|pair| self.pairs.contains_key(&pair))
    }

    /// The top-level function of this name in the file with this stem.
    pub(crate) fn top_level(&self, module: u32, name: u32) -> Option<(usize, usize)> {
        self.top_level.get(&(module, name)).copied()
    }

    /// Whether a name is that of a file.
    pub(crate) fn is_module(&self, file: usize, local: u32) -> bool {
        self.number(file, local)
            .is_some_and(|n| self.modules.contains_key(&n))
    }

    /// Whether a name may be made at run time from one of the interpolated texts.
    pub(crate) fn is_dispatched(&self, name: &str) -> bool {
        (2..=name.len())
            .filter_map(|end| name.get(..end))
            .any(|prefix| self.prefixes.binary_search(&prefix).is_ok())
    }
}

/// Whether a function stands at the top level of its file.
pub(crate) fn is_top_level(function: &Function) -> bool {
    function.class.is_none() && function.traits & Traits::NESTED == 0
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

/// Whether a path is that of an input of tests, in which anything may be wrong on purpose.
pub(crate) fn is_test_input(path: &str) -> bool {
    let mut in_tests = false;
    let mut folders = path.split('/').rev().skip(1).collect::<Vec<_>>();
    folders.reverse();
    folders.iter().any(|folder| {
        let lower = folder.to_ascii_lowercase().replace('-', "_");
        let anywhere = matches!(
            lower.as_str(),
            "fixtures" | "fixture" | "__fixtures__" | "testdata" | "test_data"
        ) || lower.ends_with("testcases")
            || lower.ends_with("test_cases");
        let below = in_tests
            && (lower.ends_with("cases")
                || matches!(
                    lower.as_str(),
                    "data" | "assets" | "roots" | "resources" | "inputs" | "samples"
                ));
        in_tests |= matches!(
            lower.as_str(),
            "test" | "tests" | "__tests__" | "spec" | "testing"
        );
        anywhere || below
    })
}

/// Whether a path is that of a test or of what only tests use.
pub(crate) fn is_test(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().unwrap_or_default();
    let folder = |p: &&str| {
        matches!(
            *p,
            "test" | "tests" | "testing" | "__tests__" | "spec" | "testdata"
        )
    };
    let stem = file.split('.').next().unwrap_or(file);
    parts.iter().any(folder)
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || matches!(stem, "conftest" | "test" | "tests")
        || file.contains(".test.")
        || file.contains(".spec.")
}
