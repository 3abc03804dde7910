//! One pass over a tree for all rules.

use slope_syntax::{Language, SyntaxTree, TakenOver};

use crate::engine::Engine;
use crate::program::Program;
use crate::set::RuleSet;
use crate::sieve::{At, Candidates, Sieve};
use crate::table::Table;

/// A place that a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Index of the rule in [`RuleSet::rules`].
    pub rule: u32,
    /// Index of the node in the tree.
    pub node: u32,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
    /// First byte in the parsed text.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
}

/// Rule whose search in a tree was aborted because it takes too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfinished {
    /// Index of the rule in [`RuleSet::rules`].
    pub rule: u32,
    /// Index of the node at which the search ended.
    pub node: u32,
}

/// All hits in a tree, from which another version of it can be scanned faster.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// Every place that a rule matches, by position, then rule id; also those of rules that match less
    /// often than their threshold.
    pub hits: Vec<Hit>,
    /// Rules that ran out of steps at some node.
    pub unfinished: Vec<Unfinished>,
    /// By place in the table, no less than the steps that the rule takes in all of the tree.
    steps: Vec<u64>,
}

impl Scan {
    /// The memory that it takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.hits.capacity() * size_of::<Hit>() + self.steps.capacity() * size_of::<u64>()
    }
}

/// Steps that a rule may take in any tree. In 10,000 files of 48 repositories no rule took more
/// than a tenth of it.
const MIN_STEPS: u64 = 1 << 20;
/// Steps of a rule for each further node; those took 14 at most.
const STEPS_PER_NODE: u64 = 64;

/// Maximum number of steps of a rule in a tree.
fn allowed(tree: &SyntaxTree) -> u64 {
    MIN_STEPS + STEPS_PER_NODE * tree.kinds().len() as u64
}

impl RuleSet {
    /// Adds every place in a tree that a rule of its language matches, ordered by position, then
    /// rule id. Rules below their threshold are left out; comments in the code have no effect.
    pub fn scan(&self, tree: &SyntaxTree, hits: &mut Vec<Hit>) {
        let before = hits.len();
        hits.extend(self.scan_every(tree).hits);
        self.apply_thresholds(hits, before);
    }

    /// As [`RuleSet::scan`], including rules below their threshold: for callers that first drop
    /// some hits themselves.
    #[must_use]
    pub fn scan_every(&self, tree: &SyntaxTree) -> Scan {
        let Some(table) = self.table(tree.language()) else {
            return Scan::default();
        };
        let mut scan = self.match_all(table, tree, &[], None);
        self.sort(&mut scan.hits);
        scan
    }

    /// As [`RuleSet::scan_every`], given the scan of the tree from which `tree` was reparsed:
    /// matches that depend only on reused nodes are not repeated.
    #[must_use]
    pub fn scan_after(&self, tree: &SyntaxTree, known: Option<&Scan>) -> Scan {
        let known = known.filter(|known| known.unfinished.is_empty());
        let known = known.filter(|_| !tree.taken_over().is_empty());
        let scan = known.and_then(|known| self.scan_what_is_new(tree, known));
        let Some(scan) = scan else {
            return self.scan_every(tree);
        };
        debug_assert_eq!(scan.hits, self.scan_every(tree).hits);
        scan
    }

    /// Scans the new nodes; `None` if a scan of the whole tree might run out of steps.
    fn scan_what_is_new(&self, tree: &SyntaxTree, known: &Scan) -> Option<Scan> {
        let table = self.table(tree.language())?;
        let allowed = allowed(tree);
        if known.steps.iter().any(|&steps| steps > allowed) {
            return None;
        }
        let mut scan = self.match_all(table, tree, tree.taken_over(), Some(&known.steps));
        if !scan.unfinished.is_empty() {
            return None;
        }
        self.take_over(tree, &known.hits, &mut scan.hits);
        self.sort(&mut scan.hits);
        Some(scan)
    }

    /// Adds the known hits of local rules in reused nodes.
    fn take_over(&self, tree: &SyntaxTree, known: &[Hit], hits: &mut Vec<Hit>) {
        let is_local = |hit: &&Hit| {
            let program = self.program(hit.rule, tree.language());
            program.is_some_and(Program::is_local)
        };
        let mut known: Vec<&Hit> = known.iter().filter(is_local).collect();
        known.sort_unstable_by_key(|hit| hit.node);
        for taken in tree.taken_over() {
            let first = known.partition_point(|hit| hit.node < taken.was);
            let end = taken.was + (taken.nodes.end - taken.nodes.start);
            let here = known[first..].iter().take_while(|hit| hit.node < end);
            let moved =
                |hit: &&Hit| self::hit(tree, hit.rule, hit.node - taken.was + taken.nodes.start);
            hits.extend(here.map(moved));
        }
    }

    fn sort(&self, hits: &mut [Hit]) {
        hits.sort_unstable_by(|a, b| {
            let key = |hit: &Hit| (hit.start_byte, hit.end_byte);
            let id = |hit: &Hit| &self.rules()[hit.rule as usize].id;
            let by_id = || id(a).cmp(id(b));
            key(a)
                .cmp(&key(b))
                .then_with(by_id)
                .then(a.node.cmp(&b.node))
        });
    }

    /// Matches all rules, except local ones in the nodes of `taken`, for which the steps of another
    /// scan are counted.
    fn match_all<'a>(
        &'a self,
        table: &'a Table,
        tree: &'a SyntaxTree,
        taken: &[TakenOver],
        steps_known: Option<&[u64]>,
    ) -> Scan {
        let mut sieve = Sieve::new(table, tree);
        let candidates = Candidates::new(table, &sieve);
        let rules = &table.rules;
        let mut scan = Scan {
            steps: steps_known.map_or_else(|| vec![0; rules.len()], <[u64]>::to_vec),
            ..Scan::default()
        };
        let first = rules.iter().find_map(|&r| self.program(r, tree.language()));
        let Some(first) = first.filter(|_| !candidates.is_empty()) else {
            return scan;
        };
        let mut programs = Programs {
            set: self,
            rules,
            language: tree.language(),
            made: vec![None; rules.len()],
        };
        let allowed = allowed(tree);
        let mut taken = taken.iter().peekable();
        let mut engine = Engine::new(tree, first, table.slots, self.comments());
        for (node, &kind) in (0u32..).zip(tree.kinds()) {
            let places = candidates.of(kind);
            if places.is_empty() {
                continue;
            }
            while taken.next_if(|taken| taken.nodes.end <= node).is_some() {}
            let is_taken = taken.peek().is_some_and(|taken| taken.nodes.start <= node);
            let at = At::of(tree, node);
            for &place in places {
                let may_match = || sieve.may_match(place, &at);
                let Some(program) = programs.next_to_try(place, is_taken, may_match) else {
                    continue;
                };
                let rule = rules[place as usize];
                let steps = &mut scan.steps[place as usize];
                match engine.matches_within(allowed, steps, program, node) {
                    Some(true) => scan.hits.push(hit(tree, rule, node)),
                    Some(false) => {}
                    None => scan.unfinished.push(Unfinished { rule, node }),
                }
            }
        }
        scan
    }

    /// Drops, from a position on, the hits of rules with fewer than their threshold.
    pub fn apply_thresholds(&self, hits: &mut Vec<Hit>, from: usize) {
        let bound = |hit: &Hit| self.rules()[hit.rule as usize].threshold;
        if hits[from..].iter().all(|hit| bound(hit) <= 1) {
            return;
        }
        let mut counts = vec![0u32; self.rules().len()];
        for hit in &hits[from..] {
            counts[hit.rule as usize] += 1;
        }
        let mut index = 0;
        hits.retain(|hit| {
            index += 1;
            index <= from || counts[hit.rule as usize] >= bound(hit)
        });
    }

    /// The message of a hit: the rule's, with its variables filled in. Multi-line values are put on
    /// one line.
    #[must_use]
    pub fn message(&self, hit: &Hit, tree: &SyntaxTree) -> String {
        let rule = &self.rules()[hit.rule as usize];
        let program = self.program(hit.rule, tree.language());
        let Some(program) = program.filter(|_| rule.message.contains('$')) else {
            return rule.message.clone();
        };
        let mut engine = Engine::new(tree, program, program.slots.len(), self.comments());
        if !engine.matches(program, hit.node) {
            return rule.message.clone();
        }
        fill(&rule.message, |name| {
            let slot = program.slots.iter().position(|slot| slot == name)?;
            engine.bound_text(u16::try_from(slot).ok()?)
        })
    }
}

/// The programs of a table's rules. They are looked up when first tried: most are never tried in a
/// file.
struct Programs<'a> {
    set: &'a RuleSet,
    rules: &'a [u32],
    language: Language,
    made: Vec<Option<&'a Program>>,
}

impl<'a> Programs<'a> {
    /// The program of the rule at a place, if it must be tried: a local one is not tried if the
    /// node was reused.
    #[inline]
    fn next_to_try(
        &mut self,
        place: u16,
        is_taken: bool,
        may_match: impl FnOnce() -> bool,
    ) -> Option<&'a Program> {
        let made = &mut self.made[place as usize];
        let is_done = |made: &Option<&Program>| is_taken && made.is_some_and(Program::is_local);
        if is_done(made) || !may_match() {
            return None;
        }
        let rule = self.rules[place as usize];
        *made = made.or_else(|| self.set.program(rule, self.language));
        made.filter(|_| !is_done(made))
    }
}

fn hit(tree: &SyntaxTree, rule: u32, node: u32) -> Hit {
    let place = tree.node(node);
    Hit {
        rule,
        node,
        first_row: place.start_row,
        last_row: place.end_row,
        start_byte: place.start_byte,
        end_byte: place.end_byte,
    }
}

/// Replaces variables by their texts. An unbound variable becomes empty.
fn fill<'t>(message: &str, text_of: impl Fn(&str) -> Option<&'t str>) -> String {
    let mut filled = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('$') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let dollars = rest.len() - rest.trim_start_matches('$').len();
        let after = &rest[dollars..];
        let length = after
            .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
            .unwrap_or(after.len());
        let starts_well = after.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
        if !starts_well || !matches!(dollars, 1 | 3) {
            filled.push_str(&rest[..dollars]);
            rest = after;
            continue;
        }
        let name = match dollars {
            1 => &after[..length],
            _ => &rest[..dollars + length],
        };
        let words = text_of(name).unwrap_or_default().split_whitespace();
        let text = text_of(name).unwrap_or_default();
        if text.contains('\n') {
            filled.push_str(&words.collect::<Vec<_>>().join(" "));
        } else {
            filled.push_str(text);
        }
        rest = &after[length..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use slope_syntax::{Limits, parse, parse_after};

    /// Every rule on every node of its kinds, without skipping any.
    fn exhaustive(rules: &RuleSet, tree: &SyntaxTree) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let table = rules.table(tree.language()).unwrap();
        for &rule in &table.rules {
            let program = rules.program(rule, tree.language()).unwrap();
            let mut engine = Engine::new(tree, program, table.slots, rules.comments());
            for (node, kind) in (0u32..).zip(tree.kinds()) {
                if program.kinds.contains(*kind) && engine.matches(program, node) {
                    found.push((rule, node));
                }
                engine.forget();
            }
        }
        found.sort_unstable();
        found
    }

    #[test]
    fn required_text_filter_hides_no_match() {
        let rules = RuleSet::embedded().unwrap();
        let mut compared = 0;
        for language in slope_syntax::Language::all() {
            let of_language = || {
                let all = rules.rules().iter();
                all.filter(move |rule| rule.languages.contains(&language))
            };
            // All examples of a language as one file, and each on its own: needs of one rule must
            // not be confused with those of another.
            let examples = of_language().flat_map(|rule| rule.invalid.iter().chain(&rule.valid));
            let mut texts: Vec<String> = examples.cloned().collect();
            texts.push(texts.join("\n\n"));
            for text in &texts {
                let tree = parse(language, text.as_bytes(), &Limits::default()).unwrap();
                let Some(table) = rules.table(language) else {
                    continue;
                };
                let hits = rules.match_all(table, &tree, &[], None).hits;
                let mut found: Vec<_> = hits.iter().map(|hit| (hit.rule, hit.node)).collect();
                found.sort_unstable();
                assert_eq!(found, exhaustive(&rules, &tree), "{text}");
                compared += found.len();
            }
        }
        assert!(compared > 1_000, "only {compared} matches were compared");
    }

    /// Examples of all rules as one file. The version scanned before lacks every third example and
    /// has another head, so that the surroundings of the others change.
    #[test]
    fn reused_tree_matches_like_fresh() {
        let rules = RuleSet::embedded().unwrap();
        let python = slope_syntax::Language::by_id("python").unwrap();
        let of_python = rules
            .rules()
            .iter()
            .filter(|r| r.languages.contains(&python));
        let limits = Limits::default();
        let whole = |text: &&String| {
            parse(python, text.as_bytes(), &limits).is_ok_and(|tree| tree.is_reusable())
        };
        let examples: Vec<&String> = of_python
            .flat_map(|rule| rule.invalid.iter().chain(&rule.valid))
            .filter(whole)
            .collect();
        let joined = |keep: &dyn Fn(usize) -> bool| {
            let kept = examples.iter().enumerate().filter(|(at, _)| keep(*at));
            let texts: Vec<&str> = kept.map(|(_, text)| text.trim_end()).collect();
            texts.join("\n") + "\nlast = 1\n"
        };
        let (all, some) = (joined(&|_| true), joined(&|at| at % 3 != 0));
        let below = |head: &str| {
            let lines = all.lines().map(|line| format!("    {line}\n"));
            format!("{head}\n{}last = 1\n", lines.collect::<String>())
        };
        let heads = [
            "def f():",
            "for a in b:",
            "while a:",
            "class A:",
            "async def f():",
            "if a:",
        ];
        let mut versions = vec![all.clone(), format!("import first\n{all}"), some];
        versions.extend(heads.map(below));
        let (mut before, mut known, mut taken) = (None, None, 0);
        for text in versions {
            let tree = parse_after(python, text.as_bytes(), &limits, before.as_ref()).unwrap();
            assert!(
                tree.is_reusable(),
                "examples of Python that are whole are so together"
            );
            let scan = rules.scan_after(&tree, known.as_ref());
            assert_eq!(scan.hits, rules.scan_every(&tree).hits);
            assert_eq!(scan.unfinished, []);
            let is_taken = |hit: &&Hit| {
                tree.taken_over()
                    .iter()
                    .any(|t| t.nodes.contains(&hit.node))
            };
            taken += scan.hits.iter().filter(is_taken).count();
            (before, known) = (Some(tree), Some(scan));
        }
        assert!(
            taken > 300,
            "only {taken} matches lie in what was taken over"
        );
    }
}
