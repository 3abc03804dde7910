//! What one file adds to the tables of all files.
//!
//! The tables of a changed tree are those of the base without what the old files add, and with what the new files
//! add. So everything that a finding can see of another file is added here.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use slope_syntax::conventions::Reach;

use crate::deviations::groups::{group_of, is_compared};
use crate::facts::is_top_level;
use crate::facts::{FileSignals, Function, Mention, Traits};
use crate::facts::{KEPT, is_opaque};
use crate::file_paths::folder;
use crate::keys::{Key, Kind};

/// Any mention that may be a use.
pub(crate) const USED: u8 = Mention::CALLED
    | Mention::VALUE
    | Mention::MEMBER
    | Mention::MEMBER_CALLED
    | Mention::STRING
    | Mention::IMPORTED
    | Mention::EXPORTED
    | Mention::BASE;

/// A file whose names have numbers.
pub(crate) struct Numbered<'a> {
    pub(crate) path: &'a str,
    pub(crate) facts: &'a FileSignals,
    /// Numbers across files of its names.
    pub(crate) numbers: &'a [u32],
    /// Number of its stem.
    pub(crate) stem: u32,
    /// Number of its package's name.
    pub(crate) package: u32,
    pub(crate) is_test: bool,
}

/// One of what is counted.
pub(crate) enum Counted {
    Definition(u32),
    Class(u32),
    Subclass(u32),
    Other(Key),
}

impl Numbered<'_> {
    pub(crate) fn number(&self, local: u32) -> Option<u32> {
        self.numbers.get(local as usize).copied()
    }

    pub(crate) fn name(&self, local: u32) -> &str {
        self.facts.names.get(local as usize).unwrap_or_default()
    }

    fn has_reach(&self) -> bool {
        self.facts.conventions().reach != Reach::Everywhere
    }

    /// Its names with their [`Mention`] bits.
    pub(crate) fn mentioned(&self) -> impl Iterator<Item = (u32, u8)> + '_ {
        let each = self.numbers.iter().zip(&self.facts.mentions);
        each.map(|(&number, &bits)| (number, bits))
    }

    /// Calls `add` with all that is counted.
    pub(crate) fn count(&self, add: &mut impl FnMut(Counted)) {
        let facts = self.facts;
        for function in &facts.functions {
            if let Some(number) = self.number(function.name) {
                add(Counted::Definition(number));
            }
            if function.parameters.len() > 1 {
                add(Counted::Other(parameters_key(self.numbers, function)));
            }
        }
        for class in &facts.classes {
            self.number(class.name)
                .into_iter()
                .for_each(|number| add(Counted::Class(number)));
            let bases = class.bases.iter().filter_map(|&base| self.number(base));
            bases.for_each(|number| add(Counted::Subclass(number)));
        }
        self.count_others(&mut |key| add(Counted::Other(key)));
    }

    fn count_others(&self, add: &mut impl FnMut(Key)) {
        let facts = self.facts;
        add(Key::of(Kind::Module, self.stem));
        if facts.acts {
            add(Key::of(Kind::Acts, self.stem));
        }
        for &(base, name) in &facts.pairs {
            if let (Some(base), Some(name)) = (self.number(base), self.number(name)) {
                add(Key::of_two(Kind::Taken, base, name));
            }
        }
        for &prefix in &facts.prefixes {
            add(Key::of_hash(Kind::Prefix, self.name(prefix)));
        }
        if is_opaque(facts) {
            add(Key::of_hash(Kind::Opaque, folder(self.path)));
        }
        let mut taken: Vec<u32> = facts
            .taken_from_crate
            .iter()
            .filter_map(|&local| self.number(local))
            .collect();
        taken.sort_unstable();
        taken.dedup();
        for &number in &taken {
            add(Key::of(Kind::HandedDown, number));
        }
        if facts.takes_all || !facts.taken_from_crate.is_empty() {
            for (end, _) in self.path.match_indices('/') {
                add(Key::of_hash(Kind::HandedFolder, &self.path[..end]));
            }
        }
        if facts.takes_all {
            let used = self
                .mentioned()
                .filter(|(_, bits)| bits & USED & !Mention::IMPORTED != 0);
            used.for_each(|(number, _)| add(Key::of(Kind::HandedToAll, number)));
        }
    }

    /// Calls `add` with the keys that name something in the file, and its position.
    pub(crate) fn list(&self, add: &mut impl FnMut(Key, u32)) {
        let facts = self.facts;
        self.list_functions(add);
        for (position, class) in (0..).zip(&facts.classes) {
            if let Some(number) = self.number(class.name) {
                add(Key::of(Kind::Class, number), position);
            }
            for number in class.bases.iter().filter_map(|&base| self.number(base)) {
                add(Key::of(Kind::Implementers, number), position);
            }
        }
        for (position, call) in (0..).zip(&facts.calls) {
            if let Some(number) = self.number(call.name) {
                add(Key::of(Kind::Calls, number), position);
            }
        }
        add(Key::of_hash(Kind::Files, folder(self.path)), 0);
    }

    fn list_functions(&self, add: &mut impl FnMut(Key, u32)) {
        let has_reach = self.has_reach();
        for (position, function) in (0..).zip(&self.facts.functions) {
            let Some(number) = self.number(function.name) else {
                continue;
            };
            for key in self.keys_of(function, number).into_iter().flatten() {
                add(key, position);
            }
            if has_reach && is_candidate(function) {
                add(Key::of(Kind::Private, number), position);
            }
        }
    }

    /// Calls `add` with the names that code of the file may use of its folder, and their positions.
    pub(crate) fn list_mentions(&self, add: &mut impl FnMut(u32, u32)) {
        if self.has_reach() {
            let mentioned = (0..).zip(self.mentioned());
            let mentioned = mentioned.filter(|(_, (_, bits))| *bits != 0);
            mentioned.for_each(|(local, (number, _))| add(number, local));
        }
    }

    /// The keys of a function.
    fn keys_of(&self, function: &Function, number: u32) -> [Option<Key>; 3] {
        if is_top_level(function) {
            return [
                Some(Key::of_two(Kind::TopLevel, self.stem, number)),
                Some(Key::of(Kind::Function, number)),
                Some(Key::of_two(Kind::Package, self.package, number)),
            ];
        }
        let method = function.class.map(|_| Key::of(Kind::Method, number));
        [method, None, None]
    }

    /// Calls `add` with the keys of what findings of other files can see in this one, and the hash of what they see.
    pub(crate) fn describe(&self, add: &mut impl FnMut(Key, u64)) {
        self.describe_functions(add);
        self.describe_classes(add);
        for call in &self.facts.calls {
            if let Some(number) = self.number(call.name) {
                add(Key::of(Kind::Calls, number), hash(self.call(call)));
            }
        }
        self.describe_mentions(add);
        for way in &self.facts.ways {
            let group = group_of(self.path, self.facts, way);
            let group = group.filter(|_| is_compared(self.path, self.is_test, way));
            if let Some(group) = group {
                let key = Key::of_hash(Kind::Styles, group);
                add(key, hash((&way.way, way.count)));
            }
        }
    }

    fn describe_functions(&self, add: &mut impl FnMut(Key, u64)) {
        let language = self.facts.language.as_str();
        let has_reach = self.has_reach();
        for function in &self.facts.functions {
            let Some(number) = self.number(function.name) else {
                continue;
            };
            let seen = (self.path, language, &function.callable, function.traits);
            for key in self.keys_of(function, number).into_iter().flatten() {
                add(key, hash(seen));
            }
            if has_reach && is_candidate(function) {
                let seen = (folder(self.path), language, function.class.is_some());
                add(Key::of(Kind::Private, number), hash(seen));
            }
        }
    }

    fn describe_classes(&self, add: &mut impl FnMut(Key, u64)) {
        for class in &self.facts.classes {
            let name = self.name(class.name);
            let bases: Vec<&str> = class.bases.iter().map(|&base| self.name(base)).collect();
            if let Some(number) = self.number(class.name) {
                add(Key::of(Kind::Class, number), hash((self.path, bases)));
            }
            for number in class.bases.iter().filter_map(|&base| self.number(base)) {
                let seen = hash((self.path, name, class.is_abstract));
                add(Key::of(Kind::Implementers, number), seen);
            }
        }
    }

    fn describe_mentions(&self, add: &mut impl FnMut(Key, u64)) {
        if !self.has_reach() {
            return;
        }
        for (number, bits) in self.mentioned().filter(|(_, bits)| *bits != 0) {
            let seen = hash((folder(self.path), self.facts.language.as_str(), bits));
            add(Key::of(Kind::Mentioners, number), seen);
        }
    }

    /// A call, as others see it.
    fn call(&self, call: &crate::facts::Call) -> (bool, Vec<(&str, &str)>) {
        let first = call.first as usize;
        let all = self.facts.arguments.get(first..first + call.count as usize);
        let arguments = all.into_iter().flatten();
        let arguments =
            arguments.map(|argument| (self.name(argument.keyword), self.name(argument.constant)));
        (call.spread, arguments.collect())
    }
}

/// Whether a function is private, and reported if nothing within its reach uses it.
fn is_candidate(function: &Function) -> bool {
    function.traits & Traits::PRIVATE != 0 && function.traits & KEPT == 0
}

/// The key of the names of a function's parameters.
pub(crate) fn parameters_key(numbers: &[u32], function: &Function) -> Key {
    let parameters = function.parameters.iter();
    let list: Vec<Option<&u32>> = parameters
        .map(|parameter| numbers.get(parameter.name as usize))
        .collect();
    Key::of_hash(Kind::Parameters, list)
}

fn hash(value: impl std::hash::Hash) -> u64 {
    FixedState::default().hash_one(value)
}
