//! Places that deviate from the pattern of their file or folder.

use super::groups::{Group, group_of, is_compared, topic};
use crate::catalogue::Signal;
use crate::facts::{Habit, Spot, StyleCount};
use crate::file_paths::folder;
use crate::keys::{Key, Kind};
use crate::signal_finding::SignalFinding;
use crate::snapshot::Snapshot;
use crate::words::Map;

/// Minimum number of other places of a file that make a pattern.
const MIN_IN_FILE: u32 = 5;

/// Minimum number of other places of a folder.
const MIN_IN_FOLDER: u32 = 8;

/// The same for habits that may differ from file to file.
const MANY_IN_FOLDER: u32 = 20;

/// Maximum number of places of a file that is compared with its folder.
const MAX_ALONE: u32 = 3;

/// Minimum share of the other places that agree, of ten.
const AGREEMENT: u32 = 9;

/// Number of places by style.
type Counts<'a> = Map<&'a str, u32>;

/// Counts of folders that were looked at.
#[derive(Default)]
pub(crate) struct Folders<'a> {
    known: Map<&'a str, Map<Group<'a>, Counts<'a>>>,
}

impl<'a> Folders<'a> {
    /// The counts of the folder of a path.
    fn of(&mut self, snapshot: &Snapshot<'a>, path: &'a str) -> &Map<Group<'a>, Counts<'a>> {
        let counted = self.known.entry(folder(path));
        counted.or_insert_with(|| {
            let mut counts: Map<Group<'a>, Counts<'a>> = Map::default();
            for file in snapshot.files_of(path) {
                let (path, facts) = snapshot.files[file];
                let ways = facts.ways.iter();
                for way in ways.filter(|way| is_compared(path, snapshot.tests[file], way)) {
                    if let Some(group) = group_of(path, facts, way) {
                        let counts = counts.entry(group).or_default();
                        *counts.entry(&way.way).or_default() += way.count;
                    }
                }
            }
            counts
        })
    }
}

/// Reports places of a file that nearly all others of the file or its folder differ from.
pub(crate) fn find<'a>(
    snapshot: &Snapshot<'a>,
    file: usize,
    folders: &mut Folders<'a>,
    found: &mut Vec<SignalFinding>,
) {
    let (path, facts) = snapshot.files[file];
    let is_test = snapshot.tests[file];
    let ways = || {
        let ways = facts.ways.iter();
        ways.filter(|way| is_compared(path, is_test, way))
    };
    if ways().all(|way| way.spots.is_empty()) {
        return;
    }
    let mut in_file: Map<(Habit, &str), Counts<'_>> = Map::default();
    for way in ways() {
        if let Some(topic) = topic(path, way) {
            *in_file
                .entry((way.habit, topic))
                .or_default()
                .entry(&way.way)
                .or_default() += way.count;
        }
    }
    let in_folder = folders.of(snapshot, path);
    for way in ways().filter(|way| !way.spots.is_empty()) {
        let Some(group) = group_of(path, facts, way) else {
            continue;
        };
        snapshot.note(Key::of_hash(Kind::Styles, group));
        let near = &in_file[&(way.habit, group.3)];
        let pattern = pattern(way, near, in_folder.get(&group));
        let findings = pattern.map(|pattern| {
            let spots = way.spots.iter();
            spots.map(move |spot| finding(file, way, spot, &pattern))
        });
        found.extend(findings.into_iter().flatten());
    }
}

/// The style of nearly all other places.
struct Pattern {
    way: String,
    /// Number of places with this style, and of all others.
    count: u32,
    others: u32,
    scope: &'static str,
}

/// The pattern that a style deviates from: of the file, or of the folder if the file has none.
fn pattern(way: &StyleCount, near: &Counts<'_>, far: Option<&Counts<'_>>) -> Option<Pattern> {
    let own = |counts: &Counts<'_>| counts.get(way.way.as_str()).copied().unwrap_or_default();
    let of = |counts: &Counts<'_>, scope| {
        let others: u32 = counts.values().sum::<u32>() - own(counts);
        let rest = counts.iter().filter(|(name, _)| **name != way.way);
        let (name, &count) = rest.max_by_key(|(name, count)| (**count, **name))?;
        Some(Pattern {
            way: (*name).to_owned(),
            count,
            others,
            scope,
        })
    };
    let is_clear = |pattern: &Pattern, counts: &Counts<'_>, fewest: u32| {
        let may_repeat = way.habit != Habit::ErrorTypes || own(counts) == 1;
        may_repeat
            && pattern.count >= fewest.max(MIN_IN_FILE * own(counts))
            && pattern.count * 10 >= pattern.others * AGREEMENT
    };
    let in_file = of(near, "file");
    if let Some(pattern) = in_file.filter(|pattern| pattern.others >= fewest(way.habit)) {
        return Some(pattern).filter(|pattern| is_clear(pattern, near, fewest(way.habit)));
    }
    // A few places of a file without any other style may have a special reason.
    let is_rare = own(near) <= MAX_ALONE;
    let far = far.filter(|_| is_rare)?;
    let fewest = fewest_in_folder(way.habit)?;
    of(far, "folder").filter(|pattern| is_clear(pattern, far, fewest))
}

/// Minimum number of other places of a file that make a pattern of a habit.
fn fewest(habit: Habit) -> u32 {
    match habit {
        Habit::Texts | Habit::Promises | Habit::Documentation | Habit::Annotations => 8,
        Habit::VariableNames => 10,
        Habit::Quotes => 30,
        _ => MIN_IN_FILE,
    }
}

/// Minimum number of other places of a folder that set a pattern for a small file; `None` if each
/// file has its own style.
fn fewest_in_folder(habit: Habit) -> Option<u32> {
    match habit {
        Habit::ErrorTypes => None,
        Habit::Texts
        | Habit::Promises
        | Habit::Output
        | Habit::Loggers
        | Habit::Loops
        | Habit::Documentation
        | Habit::Writers
        | Habit::Conversions => Some(MANY_IN_FOLDER),
        _ => Some(MIN_IN_FOLDER),
    }
}

/// Nouns of counts, for the message.
const NOUNS: &[(Habit, &str)] = &[
    (Habit::FunctionNames, "function names"),
    (Habit::VariableNames, "variable names"),
    (Habit::ErrorTypes, "raised errors"),
    (Habit::PlainErrors, "raised errors"),
    (Habit::Failures, "failures"),
    (Habit::WrappedErrors, "wrapped errors"),
    (Habit::ErrorChecks, "checks for a known error"),
    (Habit::Results, "results"),
    (Habit::Output, "messages"),
    (Habit::Loggers, "messages"),
    (Habit::Texts, "texts with values"),
    (Habit::Types, "type annotations"),
    (Habit::Paths, "uses of paths"),
    (Habit::Variables, "declarations"),
    (Habit::Comparisons, "comparisons"),
    (Habit::Promises, "promises"),
    (Habit::Privacy, "private members"),
    (Habit::Receivers, "receivers of this type"),
    (Habit::Loading, "loaded modules"),
    (Habit::OwnImports, "imports of the own package"),
    (Habit::ModuleImports, "imports of this module"),
    (Habit::Suffixes, "imports of files"),
    (Habit::Prefixes, "imports of runtime modules"),
    (Habit::ClassNames, "class names"),
    (Habit::Documentation, "public functions"),
    (Habit::Annotations, "functions"),
    (Habit::ImportLists, "imports"),
    (Habit::Thrown, "thrown values"),
    (Habit::Loops, "loops over items"),
    (Habit::ErrorNames, "error classes"),
    (Habit::ErrorTexts, "errors with values"),
    (Habit::ErrorPrefixes, "texts of errors"),
    (Habit::ErrorCase, "texts of errors"),
    (Habit::OwnMacros, "messages about failures"),
    (Habit::Writers, "outputs"),
    (Habit::Conversions, "owned texts"),
    (Habit::Quotes, "texts"),
    (Habit::Checks, "checks of tests"),
    (Habit::Indents, "blocks"),
    (Habit::Prints, "functions"),
];

/// The noun of what a habit counts, for messages.
pub(crate) fn noun(habit: Habit) -> &'static str {
    let found = NOUNS.iter().find(|(known, _)| *known == habit);
    found.map_or("places", |(_, noun)| noun)
}

fn finding(file: usize, way: &StyleCount, spot: &Spot, pattern: &Pattern) -> SignalFinding {
    let Pattern {
        way: usual,
        count,
        others,
        scope,
    } = pattern;
    let all = if count == others {
        format!("all {others}")
    } else {
        format!("{count} of {others}")
    };
    let message = format!(
        "`{}` breaks the pattern of the {scope}: {all} other {} {usual}.",
        spot.quoted,
        noun(way.habit),
    );
    SignalFinding::new(
        file,
        Signal::BreaksLocalPattern,
        spot.place,
        &spot.callable,
        message,
        &spot.quoted,
    )
}
