//! Styles of a code base, and those by which a change deviates from them.
//!
//! A finding of [`breaks-local-pattern`](crate::Signal::BreaksLocalPattern) is a place in a state of the code. It must
//! be right whoever wrote the place. This compares what a change adds with the state before it, so it may be weaker:
//! it counts many places too, and asks the whole code base if file and folder have no pattern.

use std::collections::BTreeMap;

use crate::deviations::groups::{is_compared, topic};
use crate::deviations::noun;
use crate::facts::{FileSignals, Habit, StyleCount, family};
use crate::file_paths::{folder, is_test};
use crate::keys::{Key, Kind};
use crate::words::Map;

/// Minimum number of places that make a pattern.
const MIN_PLACES: u32 = 8;

/// Minimum share of them that agree, of ten.
const AGREEMENT: u32 = 8;

/// How often the production code of a code base has each style.
#[derive(Debug, Default)]
pub struct Styles {
    /// By the hash of folder, or of nothing for all files, and group.
    counts: Map<Key, Vec<(String, u32)>>,
}

/// A style that a change adds and nearly all of the code around it differs from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyleDrift {
    /// Position of its file among those of the change.
    pub file: usize,
    /// What has the style, in the plural: `function names`.
    pub noun: &'static str,
    /// Predicate of the added style: `are in camel case`.
    pub odd: String,
    /// Predicate of the usual style.
    pub usual: String,
    /// Number of places that the change adds to the file.
    pub added: u32,
    /// Number of places with the usual style before the change, and of all.
    pub agree: (u32, u32),
    /// What the pattern is of: `file`, `folder` or `code base`.
    pub scope: &'static str,
    /// Lines of places with the added style, from 1; empty if they are not kept.
    pub lines: Vec<u32>,
}

/// A file of a change: its path, and its facts before and after.
pub type ChangedFile<'a> = (&'a str, Option<&'a FileSignals>, Option<&'a FileSignals>);

/// Habit, topic and style.
type Way<'a> = (&'a str, Habit, &'a str, &'a str);

impl Styles {
    /// The styles of these files.
    #[must_use]
    pub fn new(files: &[(&str, &FileSignals)]) -> Self {
        let mut this = Self::default();
        for &(path, facts) in files {
            for (way, topic) in ways(path, facts) {
                for place in [Some(folder(path)), None] {
                    let key = key(place, facts, way.habit, topic);
                    add(this.counts.entry(key).or_default(), way);
                }
            }
        }
        this
    }

    fn of(&self, place: Option<&str>, facts: &FileSignals, habit: Habit, topic: &str) -> Counts {
        let key = key(place, facts, habit, topic);
        Counts(self.counts.get(&key).cloned().unwrap_or_default())
    }
}

fn key(place: Option<&str>, facts: &FileSignals, habit: Habit, topic: &str) -> Key {
    Key::of_hash(Kind::Styles, (place, family(&facts.language), habit, topic))
}

/// The styles of a file that are compared, with their topics.
fn ways<'a>(
    path: &'a str,
    facts: &'a FileSignals,
) -> impl Iterator<Item = (&'a StyleCount, &'a str)> {
    let is_test = is_test(path, facts);
    let ways = facts.ways.iter();
    let ways =
        ways.filter(move |way| way.habit != Habit::Checks && is_compared(path, is_test, way));
    ways.filter_map(move |way| Some((way, topic(path, way)?)))
}

fn add(counts: &mut Vec<(String, u32)>, way: &StyleCount) {
    match counts.iter_mut().find(|(known, _)| *known == way.way) {
        Some((_, count)) => *count += way.count,
        None => counts.push((way.way.clone(), way.count)),
    }
}

/// Number of places by style.
struct Counts(Vec<(String, u32)>);

impl Counts {
    /// Those of a file.
    fn of(path: &str, facts: Option<&FileSignals>, habit: Habit, of_topic: &str) -> Self {
        let mut counts = Vec::new();
        for (way, topic) in facts.into_iter().flat_map(|facts| ways(path, facts)) {
            if way.habit == habit && topic == of_topic {
                add(&mut counts, way);
            }
        }
        Self(counts)
    }

    fn all(&self) -> u32 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    fn count(&self, way: &str) -> u32 {
        let found = self.0.iter().find(|(known, _)| known == way);
        found.map_or(0, |(_, count)| *count)
    }

    /// The style of nearly all places, if it is another one.
    fn usual(&self, way: &str) -> Option<(&str, u32)> {
        let (usual, count) = self.0.iter().max_by_key(|(way, count)| (*count, way))?;
        (usual != way && count * 10 >= self.all() * AGREEMENT).then_some((usual, *count))
    }
}

/// The styles that a change adds and that differ from nearly all of the code before it. Moved code adds nothing.
#[must_use]
pub fn style_drift(files: &[ChangedFile<'_>], base: &Styles) -> Vec<StyleDrift> {
    let net = net(files);
    let mut found = Vec::new();
    for (file, &(path, before, after)) in files.iter().enumerate() {
        let all = after.into_iter().flat_map(|after| ways(path, after));
        // A function may raise a new type of error for a reason.
        let odd = all.filter(|(way, topic)| {
            let is_kept = way.habit != Habit::ErrorTypes || !way.spots.is_empty();
            way.is_odd && is_kept && net[&way_of(after, way, topic)] > 0
        });
        for (way, topic) in odd {
            let own = Counts::of(path, before, way.habit, topic);
            let added = way.count.saturating_sub(own.count(&way.way));
            if added > 0 {
                found.extend(drift((file, path), after, (way, topic), own, added, base));
            }
        }
    }
    found
}

/// How many more places each style has after a change.
fn net<'a>(files: &[ChangedFile<'a>]) -> BTreeMap<Way<'a>, i64> {
    let mut net: BTreeMap<Way<'_>, i64> = BTreeMap::new();
    for &(path, before, after) in files {
        for (facts, sign) in [(before, -1), (after, 1)] {
            for (way, topic) in facts.into_iter().flat_map(|facts| ways(path, facts)) {
                *net.entry(way_of(facts, way, topic)).or_default() += sign * i64::from(way.count);
            }
        }
    }
    net
}

fn way_of<'a>(facts: Option<&'a FileSignals>, way: &'a StyleCount, topic: &'a str) -> Way<'a> {
    let language = facts.map_or("", |facts| facts.language.as_str());
    (family(language), way.habit, topic, &way.way)
}

/// The styles of all names: a small code base has few of each.
fn names(base: &Styles, facts: &FileSignals, habit: Habit) -> Counts {
    let both = [Habit::FunctionNames, Habit::VariableNames];
    let all = both.iter().filter(|_| both.contains(&habit));
    let mut sum: Vec<(String, u32)> = Vec::new();
    for (way, count) in all.flat_map(|&habit| base.of(None, facts, habit, "").0) {
        match sum.iter_mut().find(|(known, _)| *known == way) {
            Some((_, known)) => *known += count,
            None => sum.push((way, count)),
        }
    }
    Counts(sum)
}

fn drift(
    (file, path): (usize, &str),
    after: Option<&FileSignals>,
    (way, topic): (&StyleCount, &str),
    own: Counts,
    added: u32,
    base: &Styles,
) -> Option<StyleDrift> {
    let facts = after?;
    let around = |place| base.of(place, facts, way.habit, topic);
    let patterns = [
        ("file", own),
        ("folder", around(Some(folder(path)))),
        ("code base", around(None)),
    ];
    let patterns = patterns
        .into_iter()
        .chain([("code base", names(base, facts, way.habit))]);
    let mut patterns = patterns.filter(|(_, counts)| counts.all() >= MIN_PLACES);
    let (scope, counts) = patterns.next()?;
    let (usual, agree) = counts.usual(&way.way)?;
    Some(StyleDrift {
        file,
        noun: noun(way.habit),
        odd: way.way.clone(),
        usual: usual.to_owned(),
        added,
        agree: (agree, counts.all()),
        scope,
        lines: way
            .spots
            .iter()
            .map(|spot| spot.place.span.start_line)
            .collect(),
    })
}
