//! One traversal of a tree for all rules.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use ast_grep_core::matcher::{Matcher, MatcherExt};
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{AstGrep, NodeMatch};
use ast_grep_language::SupportLang;
use rust_embed::RustEmbed;
use slope_syntax::{Language, SyntaxTree};

use crate::pack::{Rule, RuleError, compile, files_below};

#[derive(RustEmbed)]
#[folder = "../../rules"]
struct Embedded;

/// Name of the embedded pack.
pub const OWN_PACK: &str = "slope";

/// A place that a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Index of the rule in [`RuleSet::rules`].
    pub rule: usize,
    /// First byte in the parsed text.
    pub start_byte: usize,
    /// Byte after the last.
    pub end_byte: usize,
    /// First row, from 0.
    pub first_row: u32,
    /// Last row, from 0.
    pub last_row: u32,
    /// The rule's message, its variables filled in.
    pub message: String,
}

/// Rules of one or more packs, ready to be matched.
#[derive(Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    packs: BTreeMap<String, String>,
    /// Language id to kind id to the rules that may match a node of that kind.
    dispatch: HashMap<&'static str, Vec<Candidates>>,
}

/// The rules that may match a node of one kind.
#[derive(Default, Clone)]
struct Candidates {
    /// Those that have to be tried on every node.
    always: Vec<usize>,
    /// Those that only match nodes beginning with a word, by word.
    by_word: HashMap<String, Vec<usize>>,
}

impl Candidates {
    fn add(&mut self, rule: usize, words: Option<&[String]>) {
        let Some(words) = words else {
            self.always.push(rule);
            return;
        };
        for word in words {
            let rules = self.by_word.entry(word.clone()).or_default();
            if rules.last() != Some(&rule) {
                rules.push(rule);
            }
        }
    }

    /// The rules to try on a node whose text begins here.
    fn of(&self, text: &str) -> impl Iterator<Item = usize> {
        let by_word = if self.by_word.is_empty() {
            None
        } else {
            let end = text.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
            self.by_word.get(&text[..end.unwrap_or(text.len())])
        };
        self.always
            .iter()
            .chain(by_word.into_iter().flatten())
            .copied()
    }
}

impl RuleSet {
    /// The embedded pack.
    ///
    /// # Errors
    /// If a rule of it does not compile, which a test of this crate rules out.
    pub fn embedded() -> Result<Self, RuleError> {
        let mut names: Vec<_> = Embedded::iter().filter(|n| n.ends_with(".yml")).collect();
        names.sort();
        let files = names.iter().filter_map(|name| {
            let file = Embedded::get(name)?;
            let path = Path::new("rules").join(name.as_ref());
            Some((path, String::from_utf8_lossy(&file.data).into_owned()))
        });
        let mut set = Self::default();
        set.add_pack(OWN_PACK, files)?;
        Ok(set)
    }

    /// Adds the pack in a folder, named by the folder's path as given.
    ///
    /// # Errors
    /// If the folder cannot be read, a file in it is no rule, a rule does not
    /// compile, or an id is taken already.
    pub fn add_folder(&mut self, folder: &Path) -> Result<(), RuleError> {
        let mut files = Vec::new();
        for path in files_below(folder)? {
            let yaml = std::fs::read_to_string(&path).map_err(|source| RuleError::Read {
                path: path.clone(),
                source,
            })?;
            files.push((path, yaml));
        }
        self.add_pack(&folder.to_string_lossy(), files)
    }

    /// Adds a pack from texts: a name for the pack, and a path and a text for each rule.
    ///
    /// # Errors
    /// As [`RuleSet::add_folder`].
    pub fn add_pack(
        &mut self,
        name: &str,
        files: impl IntoIterator<Item = (PathBuf, String)>,
    ) -> Result<(), RuleError> {
        let mut hashed = BTreeMap::new();
        for (path, yaml) in files {
            let Some(rule) = compile(&path, &yaml)? else {
                continue;
            };
            let taken = |r: &&Rule| r.id == rule.id && r.language == rule.language;
            if let Some(first) = self.rules.iter().find(taken) {
                return Err(RuleError::Duplicate {
                    path,
                    first: first.path.clone(),
                    id: rule.id,
                });
            }
            hashed.insert((rule.language.id(), rule.id.clone()), yaml);
            self.add_rule(rule);
        }
        let mut hasher = blake3::Hasher::new();
        for ((language, id), yaml) in &hashed {
            for part in [language.as_bytes(), id.as_bytes(), yaml.as_bytes()] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part);
            }
        }
        self.packs
            .insert(name.to_owned(), hasher.finalize().to_hex().to_string());
        Ok(())
    }

    fn add_rule(&mut self, rule: Rule) {
        let index = self.rules.len();
        let table = self.dispatch.entry(rule.language.id()).or_default();
        // Rules without kinds do not compile, see `pack`.
        for kind in rule.config.matcher.potential_kinds().iter().flatten() {
            if table.len() <= kind {
                table.resize_with(kind + 1, Candidates::default);
            }
            table[kind].add(index, rule.first_words.as_deref());
        }
        self.rules.push(rule);
    }

    /// The rules, in the order in which they were added.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Pack name to hash of its rules.
    #[must_use]
    pub fn packs(&self) -> &BTreeMap<String, String> {
        &self.packs
    }

    /// Every place in a tree that a rule of its language matches, by position, then rule id.
    ///
    /// Comments in the code have no say in this.
    #[must_use]
    pub fn scan(&self, tree: &SyntaxTree) -> Vec<Hit> {
        let Some(table) = self.dispatch.get(tree.language().id()) else {
            return Vec::new();
        };
        let (Some(lang), Ok(grammar_tree)) = (grammar_of(tree.language()), tree.grammar_tree())
        else {
            return Vec::new();
        };
        let root = AstGrep::doc(StrDoc {
            src: tree.text().to_owned(),
            lang,
            tree: grammar_tree,
        });
        let mut hits = Vec::new();
        for node in root.root().dfs() {
            let Some(candidates) = table.get(node.kind_id() as usize) else {
                continue;
            };
            let begin = tree.text().get(node.range().start..).unwrap_or_default();
            for index in candidates.of(begin) {
                if let Some(found) = self.rules[index].config.matcher.match_node(node.clone()) {
                    hits.push(self.hit(index, &found));
                }
            }
        }
        hits.sort_by(|a, b| {
            let key = |h: &Hit| (h.start_byte, h.end_byte);
            key(a)
                .cmp(&key(b))
                .then_with(|| self.rules[a.rule].id.cmp(&self.rules[b.rule].id))
        });
        hits
    }

    fn hit(&self, index: usize, found: &NodeMatch<'_, StrDoc<SupportLang>>) -> Hit {
        let rule = &self.rules[index];
        let range = found.range();
        let row = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        let message = if rule.message.contains('$') {
            rule.config.get_message(found).trim().to_owned()
        } else {
            rule.message.clone()
        };
        Hit {
            rule: index,
            start_byte: range.start,
            end_byte: range.end,
            first_row: row(found.start_pos().line()),
            last_row: row(found.end_pos().line()),
            message,
        }
    }
}

/// The grammar that ast-grep knows a language by.
fn grammar_of(language: Language) -> Option<SupportLang> {
    language.id().parse().ok()
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Limits, parse};

    use super::*;

    #[test]
    fn looking_at_first_words_changes_no_hit() {
        let quick = RuleSet::embedded().unwrap();
        let mut slow = RuleSet::default();
        for mut rule in RuleSet::embedded().unwrap().rules {
            rule.first_words = None;
            slow.add_rule(rule);
        }
        let with_words = |r: &&Rule| r.first_words.is_some();
        assert!(quick.rules.iter().filter(with_words).count() >= 10);
        let mut hits = 0;
        for rule in &quick.rules {
            for code in rule.invalid.iter().chain(&rule.valid) {
                let tree = parse(rule.language, code.as_bytes(), &Limits::default()).unwrap();
                assert_eq!(quick.scan(&tree), slow.scan(&tree), "{code}");
                hits += quick.scan(&tree).len();
            }
        }
        assert!(hits > 100);
    }
}
