//! Reading packs: files to compiled rules.

use std::path::{Path, PathBuf};

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig, Severity as PackSeverity};
use ast_grep_language::SupportLang;
use serde::Deserialize;
use slope_model::finding::Severity;
use slope_syntax::Language;

/// The categories of slope's own rules. A foreign pack may bring others.
pub const CATEGORIES: &[&str] = &[
    "boolean",
    "collections",
    "conditionals",
    "conversions",
    "defensive",
    "loops",
    "noise",
    "strings",
    "structure",
    "typing",
];

/// Why a pack could not be read. Every message names the file.
#[derive(Debug, thiserror::Error)]
pub enum RuleError {
    /// A file or folder cannot be read.
    #[error("cannot read rules from {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no rule in ast-grep's format.
    #[error("{}: not a rule in ast-grep's YAML format: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong and, where known, in which line.
        message: String,
    },
    /// The rule's matcher does not compile.
    #[error("{}:{line}: rule `{id}` does not compile: {message}", path.display())]
    Compile {
        /// The file.
        path: PathBuf,
        /// Line of the `rule:` key.
        line: usize,
        /// The rule.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// The rule would have to be tried on every node.
    #[error(
        "{}:{line}: rule `{id}` does not say which kinds of nodes it matches; add a `kind` or a `pattern` to it",
        path.display()
    )]
    NoKinds {
        /// The file.
        path: PathBuf,
        /// Line of the `rule:` key.
        line: usize,
        /// The rule.
        id: String,
    },
    /// A field is missing or has a value that slope does not take.
    #[error("{}:{line}: {message}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// Line of the field, or of the rule's begin.
        line: usize,
        /// What is wrong and what would be right.
        message: String,
    },
    /// Two rules of one language have the same id.
    #[error("{}: rule id `{id}` is taken already by {}; give one of them another id", path.display(), first.display())]
    Duplicate {
        /// The file.
        path: PathBuf,
        /// The file that was read first.
        first: PathBuf,
        /// The id.
        id: String,
    },
}

/// A rule, compiled.
pub struct Rule {
    /// Id, kebab case.
    pub id: String,
    /// The language it is for.
    pub language: Language,
    /// Category.
    pub category: String,
    /// Severity.
    pub severity: Severity,
    /// What is wrong, one sentence.
    pub message: String,
    /// Why it is slop, and what to write instead.
    pub note: String,
    /// Code in which the rule must find nothing.
    pub valid: Vec<String>,
    /// Code in which the rule must find something.
    pub invalid: Vec<String>,
    /// The file it was read from.
    pub path: PathBuf,
    pub(crate) config: RuleConfig<SupportLang>,
    /// Words of which one must stand at the begin of a match, if that is known.
    pub(crate) first_words: Option<Vec<String>>,
}

impl Rule {
    /// Whether its matches count unless a user says otherwise.
    #[must_use]
    pub fn on_by_default(&self) -> bool {
        true
    }
}

/// The part of a rule file that ast-grep leaves to others.
#[derive(Deserialize)]
struct OwnFields {
    #[serde(default)]
    metadata: OwnMetadata,
    #[serde(default)]
    rule: OwnRule,
}

/// Patterns at the top of a rule, for [`first_words`].
#[derive(Deserialize, Default)]
struct OwnRule {
    pattern: Option<OwnPattern>,
    any: Option<Vec<OwnRule>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OwnPattern {
    Text(String),
    Other(serde::de::IgnoredAny),
}

#[derive(Deserialize, Default)]
struct OwnMetadata {
    #[serde(default)]
    category: String,
    #[serde(default)]
    valid: Vec<String>,
    #[serde(default)]
    invalid: Vec<String>,
}

/// Compiles one rule file; `None` if the rule is switched off.
pub(crate) fn compile(path: &Path, yaml: &str) -> Result<Option<Rule>, RuleError> {
    let format = |message: String| RuleError::Format {
        path: path.to_owned(),
        message,
    };
    let config: SerializableRuleConfig<SupportLang> = ast_grep_config::from_str(yaml)
        .map_err(|error| unknown_key(path, yaml, &error).unwrap_or(format(error.to_string())))?;
    let own: OwnFields =
        ast_grep_config::from_str(yaml).map_err(|error| format(error.to_string()))?;
    let Some(severity) = severity(&config.severity) else {
        return Ok(None);
    };
    let language = check_fields(&config, &own).map_err(|(key, message)| RuleError::Field {
        path: path.to_owned(),
        line: line_of_key(yaml, key),
        message,
    })?;
    let config = compile_matcher(path, yaml, config)?;
    let first_words = first_words(&own.rule).filter(|_| language.id() == "python");
    Ok(Some(Rule {
        first_words,
        id: config.id.clone(),
        language,
        category: own.metadata.category,
        severity,
        message: config.message.trim().to_owned(),
        note: config.note.clone().unwrap_or_default().trim().to_owned(),
        valid: own.metadata.valid,
        invalid: own.metadata.invalid,
        path: path.to_owned(),
        config,
    }))
}

/// The error for a key that no rule has. The reader of the format finds it only
/// at the end of the file and would name a wrong line.
fn unknown_key(path: &Path, yaml: &str, error: &dyn std::error::Error) -> Option<RuleError> {
    let text = error.to_string();
    let (_, rest) = text.split_once("unknown field `")?;
    let (key, rest) = rest.split_once('`')?;
    let known = rest.lines().next().unwrap_or_default();
    Some(RuleError::Field {
        path: path.to_owned(),
        line: line_of_key(yaml, key),
        message: format!("unknown key `{key}`{known}"),
    })
}

/// The rule's language, or the key of a field that slope does not take and why.
fn check_fields(
    config: &SerializableRuleConfig<SupportLang>,
    own: &OwnFields,
) -> Result<Language, (&'static str, String)> {
    if !is_kebab_case(&config.id) {
        return Err(("id", format!("rule id `{}` is not kebab case", config.id)));
    }
    let files = if config.files.is_some() {
        "files"
    } else {
        "ignores"
    };
    if config.files.is_some() || config.ignores.is_some() {
        let message = format!("a rule holds for every file of its language; remove `{files}`");
        return Err((files, message));
    }
    if config.message.trim().is_empty() {
        return Err(("message", "a rule needs a message".to_owned()));
    }
    if !is_kebab_case(&own.metadata.category) {
        let message = "a rule needs `metadata.category`, in kebab case".to_owned();
        return Err(("metadata", message));
    }
    let name = config.language.to_string().to_ascii_lowercase();
    Language::by_id(&name).ok_or_else(|| {
        let known: Vec<_> = Language::all().map(Language::id).collect();
        let known = known.join(", ");
        let message = format!("slope does not measure {name}; it measures {known}");
        ("language", message)
    })
}

/// The words that matches of a rule begin with: those before the first bracket or
/// dot of its patterns, if each has one.
///
/// A pattern that begins with a name matches only nodes whose text does, and one
/// look at the text is far cheaper than trying dozens of patterns on every call.
fn first_words(rule: &OwnRule) -> Option<Vec<String>> {
    let word = |pattern: &OwnPattern| match pattern {
        OwnPattern::Text(text) => {
            let text = text.trim_start();
            let end = text.find(|c: char| c != '_' && !c.is_ascii_alphanumeric())?;
            let called = end > 0 && text[end..].starts_with(['(', '.']);
            called.then(|| text[..end].to_owned())
        }
        OwnPattern::Other(_) => None,
    };
    if let Some(pattern) = &rule.pattern {
        return Some(vec![word(pattern)?]);
    }
    let alternatives = rule.any.as_ref()?.iter();
    alternatives
        .map(|a| a.pattern.as_ref().and_then(word))
        .collect()
}

fn compile_matcher(
    path: &Path,
    yaml: &str,
    config: SerializableRuleConfig<SupportLang>,
) -> Result<RuleConfig<SupportLang>, RuleError> {
    let id = config.id.clone();
    let line = line_of_key(yaml, "rule");
    RuleConfig::try_from(config, &GlobalRules::default()).map_err(|error| match error {
        ast_grep_config::RuleConfigError::MissingPotentialKinds => RuleError::NoKinds {
            path: path.to_owned(),
            line,
            id,
        },
        other => RuleError::Compile {
            path: path.to_owned(),
            line,
            id,
            message: with_causes(&other),
        },
    })
}

fn severity(severity: &PackSeverity) -> Option<Severity> {
    match severity {
        PackSeverity::Off => None,
        PackSeverity::Hint | PackSeverity::Info => Some(Severity::Hint),
        PackSeverity::Warning => Some(Severity::Warning),
        PackSeverity::Error => Some(Severity::Error),
    }
}

fn is_kebab_case(text: &str) -> bool {
    let word = |w: &str| {
        !w.is_empty()
            && w.bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    text.split('-').all(word)
}

/// Line (from 1) of a key at the top level, 1 if it is not there.
fn line_of_key(yaml: &str, key: &str) -> usize {
    yaml.lines()
        .position(|line| {
            line.strip_prefix(key)
                .is_some_and(|rest| rest.trim_start().starts_with(':'))
        })
        .map_or(1, |index| index + 1)
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

/// The rule files below a folder, in path order.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, RuleError> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let failed = |source| RuleError::Read {
            path: folder.clone(),
            source,
        };
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let kind = entry.file_type().map_err(failed)?;
            let yaml = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && yaml {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
