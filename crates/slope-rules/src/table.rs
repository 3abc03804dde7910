//! Selection of rules to try by node.

use std::collections::BTreeMap;

use aho_corasick::dfa::DFA;
use aho_corasick::{MatchKind, StartKind};

use crate::program::{ERROR_KIND, KindSet, Need, Program, Word};

/// Maximum number of needs of one kind per rule.
const ASKED: usize = 2;
/// No need.
pub(crate) const NONE: u16 = u16::MAX;

/// Needs of a rule, as numbers of streams of a [`Table`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    /// Streams of the texts in the node.
    pub(crate) texts: [u16; ASKED],
    /// Streams of the kinds below the node.
    pub(crate) kinds: [u16; ASKED],
    /// Stream of the texts in the file.
    pub(crate) in_file: u16,
}

/// The chosen rules of one language, by the kinds that they match.
pub(crate) struct Table {
    /// Index of each rule in the set.
    pub(crate) rules: Vec<u32>,
    /// Needs of each rule.
    pub(crate) asked: Vec<Asked>,
    /// Maximum number of slots of a program.
    pub(crate) slots: usize,
    /// For each kind id the positions in `rules` of those that match it.
    pub(crate) by_kind: Vec<Vec<u16>>,
    /// The same for errors.
    pub(crate) on_errors: Vec<u16>,
    /// Finds the texts that rules need.
    pub(crate) finder: Option<DFA>,
    /// For each text its streams, for matches anywhere.
    pub(crate) anywhere: Vec<Vec<u16>>,
    /// For each text its streams, for matches as a complete identifier.
    pub(crate) whole: Vec<Vec<u16>>,
    /// Number of text streams.
    pub(crate) text_streams: usize,
    /// For each kind id the streams that it belongs to.
    pub(crate) kinds: Vec<Vec<u16>>,
    /// Number of kind streams.
    pub(crate) kind_streams: usize,
}

impl Table {
    pub(crate) fn new<'a>(programs: impl Iterator<Item = (u32, &'a Program)>) -> Self {
        let mut streams = Streams::default();
        let (mut rules, mut asked, mut slots) = (Vec::new(), Vec::new(), 0);
        let (mut by_kind, mut on_errors) = (Vec::new(), Vec::new());
        for (rule, program) in programs {
            let Some(place) = u16::try_from(rules.len()).ok().filter(|&p| p != NONE) else {
                break;
            };
            rules.push(rule);
            asked.push(streams.asked(&program.needs));
            slots = slots.max(program.slots.len());
            for kind in program.kinds.iter() {
                if kind == ERROR_KIND {
                    on_errors.push(place);
                } else {
                    at_kind(&mut by_kind, kind).push(place);
                }
            }
        }
        let (finder, anywhere, whole) = streams.finder();
        Self {
            rules,
            asked,
            slots,
            by_kind,
            on_errors,
            finder,
            anywhere,
            whole,
            text_streams: streams.texts.len(),
            kinds: streams.by_kind(),
            kind_streams: streams.kinds.len(),
        }
    }
}

fn at_kind(table: &mut Vec<Vec<u16>>, kind: u16) -> &mut Vec<u16> {
    let kind = kind as usize;
    if table.len() <= kind {
        table.resize(kind + 1, Vec::new());
    }
    &mut table[kind]
}

/// The distinct needs of all rules, numbered in order of appearance.
#[derive(Default)]
struct Streams<'a> {
    texts: BTreeMap<&'a [Word], u16>,
    kinds: BTreeMap<&'a KindSet, u16>,
}

impl<'a> Streams<'a> {
    fn asked(&mut self, needs: &'a [Need]) -> Asked {
        let (mut texts, mut kinds, mut in_file) = (Vec::new(), Vec::new(), NONE);
        for need in needs {
            match need {
                Need::Text(words) => texts.push(number(&mut self.texts, words.as_slice())),
                Need::Below(set) => kinds.push(number(&mut self.kinds, set)),
                Need::InFile(words) => in_file = number(&mut self.texts, words.as_slice()),
            }
        }
        let first = |list: &[u16]| std::array::from_fn(|i| list.get(i).copied().unwrap_or(NONE));
        Asked {
            texts: first(&texts),
            kinds: first(&kinds),
            in_file,
        }
    }

    fn finder(&self) -> (Option<DFA>, Vec<Vec<u16>>, Vec<Vec<u16>>) {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let words = || self.texts.keys().flat_map(|words| words.iter());
        for word in words() {
            let next = numbers.len();
            numbers.entry(&word.text).or_insert(next);
        }
        let mut texts = vec![""; numbers.len()];
        let mut anywhere = vec![Vec::new(); numbers.len()];
        let mut whole = vec![Vec::new(); numbers.len()];
        for (&text, &number) in &numbers {
            texts[number] = text;
        }
        for (words, &stream) in &self.texts {
            for word in *words {
                let table = if word.whole {
                    &mut whole
                } else {
                    &mut anywhere
                };
                table[numbers[word.text.as_str()]].push(stream);
            }
        }
        let finder = DFA::builder()
            .match_kind(MatchKind::Standard)
            .start_kind(StartKind::Unanchored)
            .prefilter(false)
            .build(&texts);
        (finder.ok(), anywhere, whole)
    }

    fn by_kind(&self) -> Vec<Vec<u16>> {
        let mut table = Vec::new();
        for (set, &stream) in &self.kinds {
            for kind in set.iter().filter(|&kind| kind != ERROR_KIND) {
                at_kind(&mut table, kind).push(stream);
            }
        }
        table
    }
}

/// The number of a need, assigned on first use; needs beyond the limit are not checked.
fn number<K: Ord>(known: &mut BTreeMap<K, u16>, need: K) -> u16 {
    let next = u16::try_from(known.len()).unwrap_or(NONE);
    match known.get(&need) {
        Some(&number) => number,
        None if next == NONE => NONE,
        None => {
            known.insert(need, next);
            next
        }
    }
}
