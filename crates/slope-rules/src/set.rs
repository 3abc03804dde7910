//! Sets of rules: loading, storing, choosing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use slope_syntax::{Language, install_memory};

use crate::compile::yaml::CoreYaml;
use crate::compile::{Globals, compile};
use crate::error::RuleError;
use crate::pack::{
    Document, Origin, check_by_reference, documents, documents_at, globals, grammar_of, read, sort,
};
use crate::program::Program;
use crate::rule::{Rule, SECURITY};
use crate::table::Table;

#[derive(RustEmbed)]
#[folder = "../../rules"]
struct Embedded;

/// Name of the embedded pack.
pub const OWN_PACK: &str = "slope";

/// Version of the engine, that is of rules' matches. A stored set must have the same.
pub const ENGINE_VERSION: &str = "4";

/// Whether comments may be between the parts of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Comments {
    /// A pattern looks past comments, as in ast-grep from 0.45 on.
    #[default]
    Skipped,
    /// A comment that is not in the pattern prevents the match, as in ast-grep 0.42.1. Patterns of
    /// the strictnesses `relaxed`, `signature` and `template` ignore comments nevertheless.
    Significant,
}

/// Rules of one or more packs, ready to be matched.
///
/// Programs are compiled per language on its first file. Those of foreign packs are compiled at
/// once, so that loading reports their faults.
#[derive(Default)]
pub struct RuleSet {
    rules: Vec<Rule>,
    loaded: Vec<Loaded>,
    /// Number of rules of the embedded pack, which come first.
    own: usize,
    /// For each rule whether it is matched.
    chosen: Vec<bool>,
    packs: BTreeMap<String, String>,
    tables: BTreeMap<&'static str, OnceLock<Table>>,
    comments: Comments,
}

/// The parts of a loaded rule.
struct Loaded {
    source: Source,
    /// A program for each of the rule's languages.
    programs: Vec<OnceLock<Option<Program>>>,
}

/// The source of programs.
enum Source {
    /// Rule in its YAML form.
    Written(Box<CoreYaml>, Arc<Globals>),
    /// Stored programs, one for each of the rule's languages; empty for those that were not needed
    /// before.
    Stored(Vec<Vec<u8>>),
}

/// Stored form of a set.
#[derive(Serialize, Deserialize)]
struct Stored<R> {
    version: String,
    packs: BTreeMap<String, String>,
    rules: R,
    /// A program for each language of each rule, as bytes, or empty: most runs need only one
    /// language.
    programs: Vec<Vec<Vec<u8>>>,
}

/// Version of the stored programs' inputs besides the rules themselves.
fn stored_version() -> String {
    let grammars = Language::all().map(|l| format!(" {}={}", l.grammar(), l.grammar_version()));
    format!("engine={ENGINE_VERSION}{}", grammars.collect::<String>())
}

impl RuleSet {
    /// No rules.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The embedded pack.
    ///
    /// # Errors
    /// If a file of it is no rule, which a test of this crate rules out.
    pub fn embedded() -> Result<Self, RuleError> {
        let mut set = Self::empty();
        set.add(
            OWN_PACK,
            Path::new("rules"),
            embedded_documents(),
            Origin::Own,
        )?;
        Ok(set)
    }

    /// Hash of the inputs of the embedded pack's programs: its files, the engine, the grammars.
    /// Reads no file, so that a cache lookup costs next to nothing.
    #[must_use]
    pub fn embedded_key() -> String {
        let each = Embedded::iter().filter_map(|name| {
            let file = Embedded::get(&name)?;
            Some((
                name.into_owned(),
                blake3::Hash::from_bytes(file.metadata.sha256_hash())
                    .to_hex()
                    .to_string(),
            ))
        });
        let mut parts: Vec<(String, String)> = each.collect();
        parts.push((String::new(), stored_version()));
        hash(parts)
    }

    /// The embedded pack from a cache, if `load` returns the bytes stored for its
    /// [key](Self::embedded_key); otherwise it is compiled.
    ///
    /// # Errors
    /// As for [`RuleSet::embedded`]. Stored bytes that cannot be decoded are ignored.
    pub fn embedded_cached(load: impl FnOnce(&str) -> Option<Vec<u8>>) -> Result<Self, RuleError> {
        let stored = load(&Self::embedded_key());
        match stored.and_then(|bytes| Self::from_bytes(&bytes).ok()) {
            Some(set) => Ok(set),
            None => Self::embedded(),
        }
    }

    /// Adds the rules in a folder, or in a file with one or several; the pack's name is the given
    /// path.
    ///
    /// # Errors
    /// If the path cannot be read or has no rule, a file is not a rule, a rule does not compile or
    /// uses something that slope does not support, or an id is taken.
    pub fn add_path(&mut self, path: &Path) -> Result<(), RuleError> {
        let documents = documents_at(path)?;
        if documents.is_empty() {
            let path = path.to_owned();
            return Err(RuleError::Empty { path });
        }
        self.add(&path.to_string_lossy(), path, documents, Origin::Foreign)
    }

    /// Adds a pack from texts: a name for the pack, and a path and a text for each file.
    ///
    /// # Errors
    /// As [`RuleSet::add_path`].
    pub fn add_texts(
        &mut self,
        name: &str,
        files: impl IntoIterator<Item = (PathBuf, String)>,
    ) -> Result<(), RuleError> {
        let files = files.into_iter();
        let found = files.flat_map(|(path, text)| documents(&path, &text));
        self.add(name, Path::new(""), found.collect(), Origin::Foreign)
    }

    fn add(
        &mut self,
        name: &str,
        root: &Path,
        documents: Vec<Document>,
        origin: Origin,
    ) -> Result<(), RuleError> {
        // ast-grep parses patterns by the same library, perhaps while files are parsed.
        install_memory();
        let (rules, utils) = sort(root, documents);
        let (own, theirs) = globals(&utils)?;
        let own = Arc::new(own);
        let mut hashed: Vec<(String, String)> = Vec::new();
        for util in &utils {
            hashed.push((String::new(), util.yaml.clone()));
        }
        let all: Vec<_> = rules.par_iter().map(|d| read(d, origin)).collect();
        for (document, read) in rules.iter().zip(all) {
            let Some(read) = read? else {
                continue;
            };
            self.check_id(document, &read.rule)?;
            let programs = read.rule.languages.iter().map(|_| OnceLock::new());
            let loaded = Loaded {
                programs: programs.collect(),
                source: Source::Written(Box::new(read.core), Arc::clone(&own)),
            };
            if origin == Origin::Foreign {
                let compiled = loaded.compile_all(document, &read.rule);
                // If slope lacks a feature, report that; otherwise ast-grep's message is better.
                if !matches!(compiled, Err(RuleError::Unsupported { .. })) {
                    check_by_reference(document, &read.rule, &theirs)?;
                }
                compiled?;
            }
            hashed.push((read.rule.id.clone(), read.rule.yaml.clone()));
            for language in &read.rule.languages {
                self.tables.insert(language.id(), OnceLock::new());
            }
            self.chosen.push(true);
            self.rules.push(read.rule);
            self.loaded.push(loaded);
        }
        self.packs.insert(name.to_owned(), hash(hashed));
        if origin == Origin::Own {
            self.own = self.rules.len();
        }
        Ok(())
    }

    fn check_id(&self, document: &Document, rule: &Rule) -> Result<(), RuleError> {
        let taken = |other: &&Rule| {
            other.id == rule.id && other.languages.iter().any(|l| rule.languages.contains(l))
        };
        match self.rules.iter().find(taken) {
            None => Ok(()),
            Some(first) => Err(RuleError::Duplicate {
                path: document.path.clone(),
                line: document.line,
                first: first.path.clone(),
                id: rule.id.clone(),
            }),
        }
    }

    /// The rules, in the order of addition: by path, then position.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The first rule with an id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// Pack name to hash of its rules.
    #[must_use]
    pub fn packs(&self) -> &BTreeMap<String, String> {
        &self.packs
    }

    /// Chooses the rules that are matched; without a choice all are, those that
    /// are off by default too.
    pub fn choose(&mut self, chosen: impl FnMut(&Rule) -> bool) {
        self.chosen = self.rules.iter().map(chosen).collect();
        for table in self.tables.values_mut() {
            *table = OnceLock::new();
        }
    }

    /// Whether a rule is matched.
    #[must_use]
    pub fn is_chosen(&self, rule: u32) -> bool {
        self.chosen.get(rule as usize).is_some_and(|&chosen| chosen)
    }

    /// Sets whether comments matter between the parts of a pattern.
    pub fn set_comments(&mut self, comments: Comments) {
        self.comments = comments;
    }

    /// Whether comments matter between the parts of a pattern.
    #[must_use]
    pub fn comments(&self) -> Comments {
        self.comments
    }

    /// Whether a rule is one of slope's own.
    #[must_use]
    pub fn is_own(&self, rule: u32) -> bool {
        (rule as usize) < self.own
    }

    /// Whether the lines of a rule's matches are verbose. Those of slope's rules about security are not: a fix is
    /// no shorter.
    #[must_use]
    pub fn flags_lines(&self, rule: u32) -> bool {
        let is_security = |rule: &Rule| rule.category == SECURITY;
        !(self.is_own(rule) && self.rules.get(rule as usize).is_some_and(is_security))
    }

    /// Whether slope has rules about security for the language with this id.
    #[must_use]
    pub fn has_security_rules(&self, language: &str) -> bool {
        let own = self.rules[..self.own].iter();
        let security = own.filter(|rule| rule.category == SECURITY);
        let mut languages = security.flat_map(|rule| &rule.languages);
        languages.any(|one| one.id() == language)
    }

    /// Compiles the programs of a language on all threads. Otherwise its first file does, while
    /// others wait.
    pub fn prepare(&self, language: Language) {
        (0..self.rules.len()).into_par_iter().for_each(|index| {
            if self.chosen[index] && self.rules[index].languages.contains(&language) {
                let index = narrow(index);
                let _kept_in_the_set = self.program(index, language);
            }
        });
    }

    /// The programs of a language, compiled on demand.
    pub(crate) fn table(&self, language: Language) -> Option<&Table> {
        let table = self.tables.get(language.id())?;
        Some(table.get_or_init(|| {
            let chosen = (0u32..).zip(&self.chosen).filter(|(_, chosen)| **chosen);
            let programs = chosen.filter_map(|(index, _)| {
                let program = self.program(index, language)?;
                Some((index, program))
            });
            Table::new(programs)
        }))
    }

    /// The program of a rule for one of its languages.
    pub(crate) fn program(&self, rule: u32, language: Language) -> Option<&Program> {
        let known = self.rules.get(rule as usize)?;
        let place = known.languages.iter().position(|&l| l == language)?;
        let loaded = &self.loaded[rule as usize];
        if let Some(made) = loaded.programs[place].get() {
            return made.as_ref();
        }
        let program = loaded.programs[place].get_or_init(|| match &loaded.source {
            // Only a rule of the embedded pack can fail here, and tests compile all of it.
            Source::Written(core, globals) => compile(core, language, globals).ok(),
            Source::Stored(_) => {
                let stored = loaded.stored(place);
                let program = stored.and_then(|stored| postcard::from_bytes(stored).ok());
                program.or_else(|| compiled_anew(known, language))
            }
        });
        program.as_ref()
    }

    /// The set with all its programs, for [`RuleSet::from_bytes`].
    ///
    /// # Errors
    /// If a rule does not compile, which loading excludes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, RuleError> {
        let programs = self.rules.par_iter().enumerate().map(|(index, rule)| {
            let index = narrow(index);
            let each = rule.languages.iter().map(|&l| {
                let program = self.program(index, l).ok_or_else(|| RuleError::Stored {
                    message: format!("rule `{}` has no program for {}", rule.id, l.id()),
                })?;
                postcard::to_stdvec(program).map_err(stored_error)
            });
            each.collect::<Result<Vec<Vec<u8>>, _>>()
        });
        let programs = programs.collect::<Result<_, _>>()?;
        bytes_of(&self.rules, self.packs.clone(), programs)
    }

    /// Number of programs of the embedded pack that were compiled since loading.
    #[must_use]
    pub fn fresh_programs(&self) -> usize {
        let each = self.loaded[..self.own].iter();
        each.map(|loaded| loaded.fresh().count()).sum()
    }

    /// The embedded pack alone, with the programs compiled or loaded so far. Others are compiled on
    /// demand.
    ///
    /// # Errors
    /// If they cannot be encoded, which has never happened.
    pub fn embedded_bytes(&self) -> Result<Vec<u8>, RuleError> {
        let programs = self.loaded[..self.own].iter().map(Loaded::known_programs);
        let programs = programs.collect::<Result<_, _>>()?;
        let packs = self.packs.get_key_value(OWN_PACK);
        let packs = packs.map(|(name, hash)| (name.clone(), hash.clone()));
        bytes_of(
            &self.rules[..self.own],
            packs.into_iter().collect(),
            programs,
        )
    }

    /// Decodes a stored set, without reading or parsing files.
    ///
    /// # Errors
    /// If the bytes were stored by another version or for other grammars, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RuleError> {
        install_memory();
        let stored: Stored<Vec<Rule>> = postcard::from_bytes(bytes).map_err(stored_error)?;
        if stored.version != stored_version() || stored.programs.len() != stored.rules.len() {
            let message = format!("stored for {}", stored.version);
            return Err(RuleError::Stored { message });
        }
        let mut set = Self {
            packs: stored.packs,
            ..Self::default()
        };
        for (rule, programs) in stored.rules.into_iter().zip(stored.programs) {
            if programs.len() != rule.languages.len() {
                let message = format!("rule `{}` lacks a program", rule.id);
                return Err(RuleError::Stored { message });
            }
            for language in &rule.languages {
                set.tables.insert(language.id(), OnceLock::new());
            }
            set.loaded.push(Loaded {
                programs: programs.iter().map(|_| OnceLock::new()).collect(),
                source: Source::Stored(programs),
            });
            set.chosen.push(true);
            set.rules.push(rule);
        }
        if set.packs.contains_key(OWN_PACK) && set.packs.len() == 1 {
            set.own = set.rules.len();
        }
        Ok(set)
    }
}

impl Loaded {
    /// The stored program for the language at this index, if there is one.
    fn stored(&self, place: usize) -> Option<&Vec<u8>> {
        match &self.source {
            Source::Written(..) => None,
            Source::Stored(programs) => programs.get(place).filter(|bytes| !bytes.is_empty()),
        }
    }

    /// Programs that were made and were not stored.
    fn fresh(&self) -> impl Iterator<Item = &Program> {
        let each = self.programs.iter().enumerate();
        each.filter(|(place, _)| self.stored(*place).is_none())
            .filter_map(|(_, made)| made.get()?.as_ref())
    }

    /// For each language the stored or compiled program; empty for the others.
    fn known_programs(&self) -> Result<Vec<Vec<u8>>, RuleError> {
        let each = self.programs.iter().enumerate().map(|(place, made)| {
            match (self.stored(place), made.get()) {
                (Some(bytes), _) => Ok(bytes.clone()),
                (None, Some(Some(program))) => postcard::to_stdvec(program).map_err(stored_error),
                (None, _) => Ok(Vec::new()),
            }
        });
        each.collect()
    }

    fn compile_all(&self, document: &Document, rule: &Rule) -> Result<(), RuleError> {
        let Source::Written(core, globals) = &self.source else {
            return Ok(());
        };
        for (language, place) in rule.languages.iter().zip(&self.programs) {
            if grammar_of(*language).is_none() {
                continue;
            }
            let program = compile(core, *language, globals)
                .map_err(|fault| document.fault(&rule.id, fault))?;
            let _just_made = place.set(Some(program));
        }
        Ok(())
    }
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The program of a rule of the embedded pack that was not stored, or cannot be decoded.
fn compiled_anew(rule: &Rule, language: Language) -> Option<Program> {
    static WRITTEN: OnceLock<Option<RuleSet>> = OnceLock::new();
    let set = WRITTEN.get_or_init(|| RuleSet::embedded().ok()).as_ref()?;
    let index = set.rules.iter().position(|other| {
        other.id == rule.id && other.path == rule.path && other.languages == rule.languages
    })?;
    match &set.loaded[index].source {
        Source::Written(core, globals) => compile(core, language, globals).ok(),
        Source::Stored(_) => None,
    }
}

fn bytes_of(
    rules: &[Rule],
    packs: BTreeMap<String, String>,
    programs: Vec<Vec<Vec<u8>>>,
) -> Result<Vec<u8>, RuleError> {
    let stored = Stored {
        version: stored_version(),
        packs,
        rules,
        programs,
    };
    postcard::to_stdvec(&stored).map_err(stored_error)
}

fn stored_error(error: postcard::Error) -> RuleError {
    RuleError::Stored {
        message: error.to_string(),
    }
}

/// A hash of ids and texts that does not depend on their order.
fn hash(mut parts: Vec<(String, String)>) -> String {
    parts.sort();
    let mut hasher = blake3::Hasher::new();
    for part in parts.iter().flat_map(|(id, yaml)| [id, yaml]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// The documents of the embedded pack as JSON, written by the build script in the same order.
const EMBEDDED_JSON: &str = include_str!(concat!(env!("OUT_DIR"), "/rules.jsonl"));

fn embedded_documents() -> Vec<Document> {
    let mut names: Vec<_> = Embedded::iter()
        .filter(|name| name.ends_with(".yml") || name.ends_with(".yaml"))
        .collect();
    names.sort();
    let found = names.iter().flat_map(|name| {
        let path = Path::new("rules").join(name.as_ref());
        let text = Embedded::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned());
        documents(&path, &text.unwrap_or_default())
    });
    let mut found: Vec<Document> = found.collect();
    for (document, json) in found.iter_mut().zip(EMBEDDED_JSON.lines()) {
        document.json = Some(json);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::Read;

    /// Every embedded document means the same as YAML and as JSON.
    #[test]
    fn embedded_yaml_and_json_agree() {
        let documents = embedded_documents();
        assert_eq!(documents.len(), EMBEDDED_JSON.lines().count());
        let (rules, _) = sort(Path::new("rules"), documents);
        for mut document in rules {
            let said = |read: Option<Read>| read.map(|r| format!("{:?} {:?}", r.rule, r.core));
            let json = document.json.expect("each has a line");
            serde_json::from_str::<crate::pack::FileYaml>(json).expect("a rule in JSON");
            let by_json = read(&document, Origin::Own).expect("a rule");
            document.json = None;
            let by_yaml = read(&document, Origin::Own).expect("a rule");
            assert_eq!(said(by_json), said(by_yaml), "{}", document.path.display());
        }
    }
}
