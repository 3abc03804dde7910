//! Reads packs: YAML files to rules.
//!
//! A pack is a folder, a file, or a set of texts. A file contains one rule, or several separated by
//! lines of `---`. In a folder, files below a folder named `utils` contain global utilities for
//! `matches`. `sgconfig.yml` and ast-grep's tests of rules are skipped.

use std::path::{Path, PathBuf};

use ast_grep_config::{
    DeserializeEnv, GlobalRules, RuleConfig, SerializableGlobalRule, SerializableRuleConfig,
    Severity as PackSeverity,
};
use ast_grep_language::SupportLang;
use serde::Deserialize;
use serde::de::IgnoredAny;
use slope_model::data_words::{of_yaml, with_remedy};
use slope_model::error_text::one_line;
use slope_model::finding::Severity;
use slope_syntax::Language;

use crate::compile::yaml::{CoreYaml, RuleYaml};
use crate::compile::{Fault, Globals};
use crate::error::RuleError;
use crate::rule::Rule;
use crate::stretches::{files_below, stretches};

/// The categories of slope's own rules. A foreign pack may bring others.
pub const CATEGORIES: &[&str] = &[
    "boolean",
    "collections",
    "conditionals",
    "conversions",
    "defensive",
    "errors",
    "loops",
    "noise",
    "ownership",
    "security",
    "strings",
    "structure",
    "typing",
];

/// Default category of rules.
const NO_CATEGORY: &str = "other";

/// Ids of the languages that rules may be written for.
fn with_rules() -> Vec<&'static str> {
    let languages = Language::all().filter(|language| language.files().have_rules);
    languages.map(Language::id).collect()
}

/// Origin of a pack: slope's own or foreign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Slope's own pack: strict about style, checked by tests and so not here.
    Own,
    /// A foreign pack, read with ast-grep's semantics.
    Foreign,
}

/// One YAML document of a file.
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    /// Line of its begin, from 1.
    pub(crate) line: usize,
    pub(crate) yaml: String,
    /// The document as JSON, which parses much faster, for slope's own rules.
    pub(crate) json: Option<&'static str>,
}

/// A rule, and the source of its program.
pub(crate) struct Read {
    pub(crate) rule: Rule,
    pub(crate) core: CoreYaml,
}

/// A value that is ignored if it has an unexpected type.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lenient<T> {
    Value(T),
    Other(IgnoredAny),
}

impl<T> Lenient<T> {
    fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Other(_) => None,
        }
    }
}

fn value<T>(field: Option<Lenient<T>>) -> Option<T> {
    field.and_then(Lenient::value)
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct MetadataYaml {
    category: Option<Lenient<String>>,
    languages: Option<Lenient<Vec<String>>>,
    default: Option<Lenient<String>>,
    #[serde(alias = "min_file_count")]
    threshold: Option<Lenient<u32>>,
    linters: Option<Lenient<Vec<String>>>,
    since: Option<Lenient<std::collections::BTreeMap<String, String>>>,
    paper: Option<Lenient<Vec<String>>>,
    valid: Option<Lenient<Vec<String>>>,
    invalid: Option<Lenient<Vec<String>>>,
}

/// A complete rule file.
#[derive(Deserialize)]
pub(crate) struct FileYaml {
    #[serde(default)]
    id: String,
    language: SupportLang,
    #[serde(default)]
    message: String,
    note: Option<String>,
    #[serde(default)]
    severity: PackSeverity,
    url: Option<String>,
    files: Option<IgnoredAny>,
    ignores: Option<IgnoredAny>,
    metadata: Option<Lenient<MetadataYaml>>,
    rule: RuleYaml,
    constraints: Option<std::collections::BTreeMap<String, RuleYaml>>,
    utils: Option<std::collections::BTreeMap<String, RuleYaml>>,
}

/// Keys that distinguish a rule from a test of a rule.
#[derive(Deserialize)]
struct Sort {
    rule: Option<IgnoredAny>,
    valid: Option<IgnoredAny>,
    invalid: Option<IgnoredAny>,
    snapshots: Option<IgnoredAny>,
}

/// The documents of a file.
pub(crate) fn documents(path: &Path, text: &str) -> Vec<Document> {
    let stretches = stretches(text).into_iter();
    let found = stretches.map(|(line, yaml)| Document {
        path: path.to_owned(),
        line,
        yaml: yaml.to_owned(),
        json: None,
    });
    found.collect()
}

impl Document {
    fn format(&self, message: &str) -> RuleError {
        let (line, message) = of_yaml(message);
        RuleError::Field {
            path: self.path.clone(),
            line: line.unwrap_or(self.line),
            message: with_remedy(&message),
        }
    }

    fn field(&self, key: &str, message: String) -> RuleError {
        RuleError::Field {
            path: self.path.clone(),
            line: self.line_of(key),
            message,
        }
    }

    /// Line of a key at the top level, or of the document's begin.
    fn line_of(&self, key: &str) -> usize {
        let position = self.yaml.lines().position(|line| {
            line.strip_prefix(key)
                .is_some_and(|rest| rest.trim_start().starts_with(':'))
        });
        self.line + position.unwrap_or(0)
    }

    /// Reads the document; lines in messages are those of the file.
    fn parse<T: serde::de::DeserializeOwned>(&self) -> Result<T, RuleError> {
        // Only the original text shows some errors.
        if let Some(read) = self.json.and_then(|json| serde_json::from_str(json).ok()) {
            return Ok(read);
        }
        let parsed = if self.line == 1 {
            ast_grep_config::from_str(&self.yaml)
        } else {
            let padded = "\n".repeat(self.line - 1) + &self.yaml;
            ast_grep_config::from_str(&padded)
        };
        parsed.map_err(|error| {
            self.unknown_key(&error)
                .unwrap_or_else(|| self.format(&error.to_string()))
        })
    }

    /// The error for an unknown key. The format's reader detects it only at the end of the file and
    /// would name a wrong line.
    fn unknown_key(&self, error: &dyn std::error::Error) -> Option<RuleError> {
        let text = error.to_string();
        let (_, rest) = text.split_once("unknown field `")?;
        let (key, rest) = rest.split_once('`')?;
        let known = rest.lines().next().unwrap_or_default();
        let is_key = |line: &str| {
            let mut places = line
                .match_indices(key)
                .map(|(at, _)| line[at + key.len()..].trim_start());
            places.any(|rest| rest.starts_with(':'))
        };
        let row = self.yaml.lines().position(is_key).unwrap_or(0);
        Some(RuleError::Field {
            path: self.path.clone(),
            line: self.line + row,
            message: with_remedy(&format!("unknown field `{key}`{known}")),
        })
    }

    /// The error for a rule without a program.
    pub(crate) fn fault(&self, id: &str, fault: Fault) -> RuleError {
        let (path, line, id) = (self.path.clone(), self.line_of("rule"), id.to_owned());
        match fault {
            Fault::Wrong(message) => RuleError::Compile {
                path,
                line,
                id,
                message,
            },
            Fault::Unsupported { feature, remedy } => RuleError::Unsupported {
                path,
                line,
                id,
                feature,
                remedy,
            },
            Fault::NoKinds => RuleError::NoKinds { path, line, id },
        }
    }

    /// Whether the document is a test of a rule, which ast-grep stores next to rules.
    fn is_test(&self) -> bool {
        // Avoids parsing every rule completely.
        if self.yaml.lines().any(|line| line.starts_with("rule:")) {
            return false;
        }
        self.parse::<Sort>().is_ok_and(|sort| {
            let examples = sort.valid.or(sort.invalid).or(sort.snapshots);
            sort.rule.is_none() && examples.is_some()
        })
    }

    fn is_util(&self, root: &Path) -> bool {
        let inner = self.path.strip_prefix(root).unwrap_or(&self.path);
        let mut folders = inner.parent().into_iter().flat_map(Path::components);
        folders.any(|folder| folder.as_os_str() == "utils")
    }
}

/// Sorts the documents below a folder into rules and global utilities.
pub(crate) fn sort(root: &Path, documents: Vec<Document>) -> (Vec<Document>, Vec<Document>) {
    let config = |d: &Document| {
        let name = d.path.file_stem().and_then(|stem| stem.to_str());
        name == Some("sgconfig")
    };
    let (utils, rules): (Vec<_>, Vec<_>) = documents
        .into_iter()
        .filter(|document| !config(document))
        .partition(|document| document.is_util(root));
    let rules = rules.into_iter().filter(|rule| !rule.is_test()).collect();
    (rules, utils)
}

/// Global utilities, for slope's compiler and for ast-grep's.
pub(crate) fn globals(utils: &[Document]) -> Result<(Globals, GlobalRules), RuleError> {
    let mut own = Globals::default();
    let mut theirs = Vec::new();
    for document in utils {
        let rule: SerializableGlobalRule<SupportLang> = document.parse()?;
        if rule.arguments.is_some() {
            let (feature, remedy) = (
                "`arguments`",
                "write a utility for each use, without arguments",
            );
            let fault = Fault::Unsupported { feature, remedy };
            return Err(document.fault(&rule.id, fault));
        }
        own.insert(rule.id.clone(), document.parse()?);
        theirs.push(rule);
    }
    let globals = DeserializeEnv::parse_global_utils(theirs).map_err(|error| {
        let path = utils.first().map(|d| d.path.clone()).unwrap_or_default();
        let message = cause(&error);
        RuleError::Format { path, message }
    })?;
    Ok((own, globals))
}

/// The cause of an error of ast-grep, which names every step on the way to it.
fn cause(error: &dyn std::error::Error) -> String {
    let text = one_line(error);
    let last = text.rsplit(".: ").next().unwrap_or_default();
    match last.rsplit_once("error: ") {
        Some((_, cause)) if last.starts_with("regex parse error") => {
            format!("invalid regular expression: {cause}")
        }
        _ => last.trim_end_matches('.').to_owned(),
    }
}

/// Reads one rule; `None` if the rule is switched off.
pub(crate) fn read(document: &Document, origin: Origin) -> Result<Option<Read>, RuleError> {
    if origin == Origin::Foreign {
        // Reports faults of a key in ast-grep's words.
        document.parse::<SerializableRuleConfig<SupportLang>>()?;
    }
    let file: FileYaml = document.parse()?;
    let Some(severity) = severity(&file.severity) else {
        return Ok(None);
    };
    let metadata = value(file.metadata).unwrap_or_default();
    let languages = languages(document, file.language, value(metadata.languages))?;
    let message = file.message.trim();
    let rule = Rule {
        language: languages[0],
        languages,
        category: value(metadata.category).unwrap_or_else(|| NO_CATEGORY.to_owned()),
        severity,
        message: if message.is_empty() {
            file.id.clone()
        } else {
            message.to_owned()
        },
        note: file.note.unwrap_or_default().trim().to_owned(),
        url: file.url,
        valid: value(metadata.valid).unwrap_or_default(),
        invalid: value(metadata.invalid).unwrap_or_default(),
        default_on: value(metadata.default).is_none_or(|default| default != "off"),
        threshold: value(metadata.threshold).unwrap_or(0),
        linters: value(metadata.linters).unwrap_or_default(),
        since: value(metadata.since).unwrap_or_default(),
        published: origin == Origin::Foreign
            || value(metadata.paper).is_some_and(|p| !p.is_empty()),
        path: document.path.clone(),
        line: document.line,
        yaml: document.yaml.clone(),
        id: file.id,
    };
    let globs = (file.files.is_some(), file.ignores.is_some());
    check(document, &rule, globs)?;
    Ok(Some(Read {
        rule,
        core: CoreYaml {
            rule: file.rule,
            constraints: file.constraints,
            utils: file.utils,
        },
    }))
}

fn check(document: &Document, rule: &Rule, globs: (bool, bool)) -> Result<(), RuleError> {
    if rule.id.trim().is_empty() {
        return Err(document.field("id", "a rule needs an id".to_owned()));
    }
    let used = match globs {
        (true, _) => Some(("files", "`files`")),
        (_, true) => Some(("ignores", "`ignores`")),
        _ => None,
    };
    if let Some((key, feature)) = used {
        return Err(RuleError::Unsupported {
            path: document.path.clone(),
            line: document.line_of(key),
            id: rule.id.clone(),
            feature,
            remedy: "remove it: a rule applies to every file of its language",
        });
    }
    Ok(())
}

/// Makes ast-grep compile a rule too, which detects faults that slope's compiler ignores, such as
/// variables that are used but never bound.
pub(crate) fn check_by_reference(
    document: &Document,
    rule: &Rule,
    globals: &GlobalRules,
) -> Result<(), RuleError> {
    let config: SerializableRuleConfig<SupportLang> = document.parse()?;
    match RuleConfig::try_from(config, globals) {
        Ok(_) => Ok(()),
        Err(ast_grep_config::RuleConfigError::MissingPotentialKinds) => {
            Err(document.fault(&rule.id, Fault::NoKinds))
        }
        Err(error) => Err(document.fault(&rule.id, Fault::Wrong(cause(&error)))),
    }
}

/// The languages of a rule: that of `language`, and those of `metadata.languages`.
fn languages(
    document: &Document,
    first: SupportLang,
    more: Option<Vec<String>>,
) -> Result<Vec<Language>, RuleError> {
    let first = first.to_string().to_ascii_lowercase();
    let mut found: Vec<Language> = Vec::new();
    let names = std::iter::once(("language", first));
    let more = more.unwrap_or_default().into_iter();
    for (key, name) in names.chain(more.map(|name| ("metadata", name))) {
        let known = Language::by_id(&name).filter(|language| language.files().have_rules);
        let Some(language) = known else {
            let known = with_rules().join(", ");
            let message = format!("rules are not supported for `{name}`: expected one of {known}");
            return Err(document.field(key, message));
        };
        if !found.contains(&language) {
            found.push(language);
        }
    }
    Ok(found)
}

/// ast-grep's name of a language, if it can have rules.
pub(crate) fn grammar_of(language: Language) -> Option<SupportLang> {
    let known = language.files().have_rules;
    known.then(|| language.id().parse().ok()).flatten()
}

fn severity(severity: &PackSeverity) -> Option<Severity> {
    match severity {
        PackSeverity::Off => None,
        PackSeverity::Hint | PackSeverity::Info => Some(Severity::Hint),
        PackSeverity::Warning => Some(Severity::Warning),
        PackSeverity::Error => Some(Severity::Error),
    }
}

/// The documents of a file, or of the rule files below a folder in path order.
pub(crate) fn documents_at(path: &Path) -> Result<Vec<Document>, RuleError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| RuleError::Read { path, source }
    };
    let files = if std::fs::metadata(path).map_err(failed(path))?.is_dir() {
        files_below(path).map_err(|(folder, source)| failed(&folder)(source))?
    } else {
        vec![path.to_owned()]
    };
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(failed(&file))?;
        found.extend(documents(&file, &text));
    }
    Ok(found)
}
