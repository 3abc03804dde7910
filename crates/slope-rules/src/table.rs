//! Which rules to try on which nodes.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use crate::program::{ERROR_KIND, Program};

/// The chosen rules of one language, by the kinds that they match.
pub(crate) struct Table {
    /// Index of each rule in the set.
    pub(crate) rules: Vec<u32>,
    /// Most slots of a program.
    pub(crate) slots: usize,
    /// For each kind id, where its rules begin in `candidates`; one entry more
    /// than there are kinds.
    starts: Vec<u32>,
    /// Positions in `rules`, kind by kind.
    candidates: Vec<u16>,
    /// Positions in `rules` of those that match errors.
    on_errors: Vec<u16>,
    /// Finds the words without which rules need not be tried.
    words: Option<AhoCorasick>,
    /// For each word the rules that need it or one like it.
    needed_by: Vec<Vec<u16>>,
    /// Rules that need no word.
    always: Vec<u16>,
}

impl Table {
    pub(crate) fn new<'a>(programs: impl Iterator<Item = (u32, &'a Program)>) -> Self {
        let mut table = Self {
            rules: Vec::new(),
            slots: 0,
            starts: Vec::new(),
            candidates: Vec::new(),
            on_errors: Vec::new(),
            words: None,
            needed_by: Vec::new(),
            always: Vec::new(),
        };
        let mut by_kind: Vec<Vec<u16>> = Vec::new();
        let mut words: Vec<&str> = Vec::new();
        for (rule, program) in programs {
            let Ok(place) = u16::try_from(table.rules.len()) else {
                break;
            };
            table.rules.push(rule);
            table.slots = table.slots.max(program.slots.len());
            for kind in program.kinds.iter() {
                if kind == ERROR_KIND {
                    table.on_errors.push(place);
                    continue;
                }
                if by_kind.len() <= kind as usize {
                    by_kind.resize(kind as usize + 1, Vec::new());
                }
                by_kind[kind as usize].push(place);
            }
            if program.words.is_empty() {
                table.always.push(place);
            }
            for word in &program.words {
                let known = words.iter().position(|known| known == word);
                let index = known.unwrap_or_else(|| {
                    words.push(word);
                    table.needed_by.push(Vec::new());
                    words.len() - 1
                });
                table.needed_by[index].push(place);
            }
        }
        for places in by_kind {
            table.starts.push(narrow(table.candidates.len()));
            table.candidates.extend(places);
        }
        table.starts.push(narrow(table.candidates.len()));
        table.words = AhoCorasickBuilder::new()
            .match_kind(MatchKind::Standard)
            .build(&words)
            .ok();
        table
    }

    /// For each rule whether a text has a word that it needs.
    pub(crate) fn active(&self, text: &str) -> Vec<bool> {
        let Some(words) = &self.words else {
            return vec![true; self.rules.len()];
        };
        let mut active = vec![false; self.rules.len()];
        let mut found = vec![false; self.needed_by.len()];
        for place in &self.always {
            active[*place as usize] = true;
        }
        for word in words.find_overlapping_iter(text) {
            let word = word.pattern().as_usize();
            if !std::mem::replace(&mut found[word], true) {
                for place in &self.needed_by[word] {
                    active[*place as usize] = true;
                }
            }
        }
        active
    }

    /// Positions in `rules` of the rules to try on a node.
    #[inline]
    pub(crate) fn candidates(&self, kind: u16) -> &[u16] {
        let kind_at = kind as usize;
        match self.starts.get(kind_at..kind_at + 2) {
            Some(&[start, end]) => &self.candidates[start as usize..end as usize],
            _ if kind == ERROR_KIND => &self.on_errors,
            _ => &[],
        }
    }
}

fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
