//! The same rules by ast-grep's own matcher, for comparison.
//!
//! Slow by design: it is for tests and for the command that compares whole repositories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig};
use ast_grep_core::AstGrep;
use ast_grep_core::matcher::{Matcher, MatcherExt};
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::SupportLang;
use slope_model::error_text::one_line;
use slope_syntax::{Language, Limits, SyntaxTree, parse};
use walkdir::{DirEntry, WalkDir};

use crate::error::RuleError;
use crate::pack::grammar_of;
use crate::scan::Hit;
use crate::set::RuleSet;

/// Maximum number of differing places kept of one rule.
const MAX_PLACES: usize = 10;

/// Results for one rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Number of places that slope's engine found.
    pub own: u64,
    /// Number of places that ast-grep found.
    pub theirs: u64,
    /// The first places that only one of them found.
    pub differing: Vec<Place>,
}

/// A place that only one of the engines found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as the caller named it.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// Whether slope found it.
    pub own: bool,
}

/// Results for every rule, by language and id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Number of compared files.
    pub files: u64,
    /// Counts by language id and rule id, rules without any match included.
    pub rules: BTreeMap<(String, String), RuleCounts>,
}

impl Comparison {
    /// The rules for which the engines differ.
    pub fn unequal(&self) -> impl Iterator<Item = (&(String, String), &RuleCounts)> {
        let differs = |c: &RuleCounts| c.own != c.theirs || !c.differing.is_empty();
        self.rules.iter().filter(move |(_, counts)| differs(counts))
    }

    /// Adds the counts of other files.
    pub fn merge(&mut self, other: Self) {
        self.files += other.files;
        for (key, counts) in other.rules {
            let sum = self.rules.entry(key).or_default();
            sum.own += counts.own;
            sum.theirs += counts.theirs;
            sum.differing.extend(counts.differing);
            sum.differing.sort();
            sum.differing.truncate(MAX_PLACES);
        }
    }
}

/// ast-grep's matchers for the rules of a set.
pub struct Oracle<'a> {
    set: &'a RuleSet,
    /// Language, index of the rule, its matcher.
    configs: Vec<(Language, u32, RuleConfig<SupportLang>)>,
}

/// Compares both engines on every file below a folder whose language has rules.
///
/// Names that begin with a dot, symbolic links and unreadable or unparsable files are skipped. The
/// result does not depend on the number of threads.
///
/// # Errors
/// If ast-grep refuses a rule.
pub fn compare_below(set: &RuleSet, root: &Path, threads: usize) -> Result<Comparison, RuleError> {
    let oracle = Oracle::new(set)?;
    let files = files_below(root);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Comparison::default();
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
            found.merge(oracle.compare_file(path, &name));
        }
        found
    };
    let mut sum = Comparison::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            if let Ok(found) = thread.join() {
                sum.merge(found);
            }
        }
    });
    Ok(sum)
}

/// Files of known languages at or below a folder. Hidden folders and unreadable ones are left out.
fn files_below(root: &Path) -> Vec<PathBuf> {
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    let is_entered =
        |entry: &DirEntry| entry.depth() == 0 || !entry.file_type().is_dir() || !is_hidden(entry);
    let walk = WalkDir::new(root).into_iter().filter_entry(is_entered);
    let files = walk.flatten().filter(|entry| entry.file_type().is_file());
    let paths = files.map(DirEntry::into_path);
    let mut known: Vec<PathBuf> = paths
        .filter(|path| Language::of_path(path).is_some())
        .collect();
    known.sort();
    known
}

/// A match: first byte, byte after the last, kind.
type Span = (u32, u32, u16);

impl<'a> Oracle<'a> {
    /// Compiles every chosen rule by ast-grep.
    ///
    /// # Errors
    /// If ast-grep refuses a rule, as it does with one that needs a global utility.
    pub fn new(set: &'a RuleSet) -> Result<Self, RuleError> {
        let mut configs = Vec::new();
        for (index, rule) in (0u32..).zip(set.rules()) {
            for &language in rule.languages.iter().filter(|_| set.is_chosen(index)) {
                let failed = |message: String| RuleError::Compile {
                    path: rule.path.clone(),
                    line: rule.line,
                    id: rule.id.clone(),
                    message,
                };
                let mut yaml: SerializableRuleConfig<SupportLang> =
                    ast_grep_config::from_str(&rule.yaml).map_err(|e| failed(e.to_string()))?;
                if let Some(lang) = grammar_of(language) {
                    yaml.language = lang;
                }
                let config = RuleConfig::try_from(yaml, &GlobalRules::default());
                let config = config.map_err(|error| failed(one_line(&error)))?;
                configs.push((language, index, config));
            }
        }
        Ok(Self { set, configs })
    }

    fn compare_file(&self, path: &Path, name: &str) -> Comparison {
        let language = Language::of_path(path);
        let tree = language
            .zip(std::fs::read(path).ok())
            .and_then(|(l, bytes)| {
                let has_rules = self.configs.iter().any(|(language, _, _)| *language == l);
                has_rules
                    .then(|| parse(l, &bytes, &Limits::default()).ok())
                    .flatten()
            });
        tree.map(|tree| self.compare(name, &tree))
            .unwrap_or_default()
    }

    /// Matches every rule of the tree's language by both engines. A file that
    /// cannot be parsed again is passed over.
    #[must_use]
    pub fn compare(&self, file: &str, tree: &SyntaxTree) -> Comparison {
        let mut found = Comparison {
            files: 1,
            ..Comparison::default()
        };
        let Some(theirs) = self.theirs(tree) else {
            return found;
        };
        let hits = self.set.scan_every(tree).hits;
        let mut own: BTreeMap<u32, BTreeSet<Span>> = BTreeMap::new();
        let mut own_counts: BTreeMap<u32, u64> = BTreeMap::new();
        for hit in &hits {
            own.entry(hit.rule).or_default().insert(span(tree, hit));
            *own_counts.entry(hit.rule).or_default() += 1;
        }
        for (rule, spans) in theirs {
            let id = &self.set.rules()[rule as usize].id;
            let key = (tree.language().id().to_owned(), id.clone());
            let mine = own.remove(&rule).unwrap_or_default();
            let set: BTreeSet<Span> = spans.iter().copied().collect();
            let place = |span: &Span, own: bool| Place {
                file: file.to_owned(),
                line: tree.span(span.0 as usize, span.1 as usize).start_line,
                own,
            };
            let only_mine = mine.difference(&set).map(|span| place(span, true));
            let only_theirs = set.difference(&mine).map(|span| place(span, false));
            found.rules.insert(
                key,
                RuleCounts {
                    own: own_counts.get(&rule).copied().unwrap_or(0),
                    theirs: spans.len() as u64,
                    differing: only_mine.chain(only_theirs).take(MAX_PLACES).collect(),
                },
            );
        }
        found
    }

    fn theirs(&self, tree: &SyntaxTree) -> Option<BTreeMap<u32, Vec<Span>>> {
        let root = AstGrep::doc(StrDoc {
            src: tree.text().to_owned(),
            lang: grammar_of(tree.language())?,
            tree: tree.grammar_tree().ok()?,
        });
        let mut found: BTreeMap<u32, Vec<Span>> = BTreeMap::new();
        let mut by_kind: Vec<Vec<(u32, &RuleConfig<SupportLang>)>> = Vec::new();
        for (language, index, config) in &self.configs {
            if *language != tree.language() {
                continue;
            }
            found.insert(*index, Vec::new());
            for kind in config.matcher.potential_kinds().iter().flatten() {
                if by_kind.len() <= kind {
                    by_kind.resize_with(kind + 1, Vec::new);
                }
                by_kind[kind].push((*index, config));
            }
        }
        for node in root.root().dfs() {
            let kind = node.kind_id();
            for (index, config) in by_kind.get(kind as usize).into_iter().flatten() {
                if let Some(hit) = config.matcher.match_node(node.clone()) {
                    let range = hit.range();
                    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                    let span = (narrow(range.start), narrow(range.end), hit.kind_id());
                    found.entry(*index).or_default().push(span);
                }
            }
        }
        Some(found)
    }
}

fn span(tree: &SyntaxTree, hit: &Hit) -> Span {
    (hit.start_byte, hit.end_byte, tree.node(hit.node).kind)
}
