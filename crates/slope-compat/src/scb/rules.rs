//! Hits of pattern rules, and which of them count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_model::finding::{Severity, Span};
use slope_rules::{RuleError, RuleSet};
use slope_syntax::SyntaxTree;

use super::directives::{Directives, muted};
use super::languages::Table;
use super::{Flagged, Options, wrapper};

/// Rules that count only from two hits in a file on.
const FROM_TWO: &[&str] = &[
    "defensive-fstring-raise-heavy",
    "defensive-isinstance-raise-heavy",
    "defensive-none-return-heavy",
    "defensive-try-soup-function",
    "defensive-except-exception-heavy",
    "defensive-validator-function",
    "defensive-validator-returnmix",
    "defensive-function-isinstance-heavy",
    "defensive-function-nullable-heavy",
    "isinstance-guard-raise",
    "wrap-raise-fstring",
    "except-return-static-sentinel",
    "triple-attr-none-default-chain",
    "redundant-coerce-to-str",
    "none-continue-in-loop",
    "parse-and-fallback-exception",
    "return-none-guard-ladder",
    "raise-guard-ladder",
    "function-with-many-type-guards",
    "sentinel-fallback-function",
    "dispatch-by-string-equality",
    "go-style-err-tuple-return",
    "len-arity-raise",
];

/// Hits of a rule in one file below which none of them counts.
fn threshold(rule: &str) -> usize {
    match rule {
        "dataclass-count-explosion" => 10,
        rule if FROM_TWO.contains(&rule) => 2,
        _ => 1,
    }
}

/// Reads the original's rule files, or any others in ast-grep's format: files with
/// one or several rules, or folders of such files.
///
/// # Errors
/// If a path cannot be read, or a rule in it is not taken.
pub fn read_rules(paths: &[PathBuf]) -> Result<RuleSet, RuleError> {
    let mut set = RuleSet::default();
    for path in paths {
        let mut documents = Vec::new();
        for file in files_at(path)? {
            let text = std::fs::read_to_string(&file).map_err(|source| RuleError::Read {
                path: file.clone(),
                source,
            })?;
            let rules = format!("\n{text}");
            let rules = rules.split("\n---").filter(|d| d.contains("rule:"));
            documents.extend(rules.map(|rule| (file.clone(), rule.to_owned())));
        }
        set.add_pack(&path.to_string_lossy(), documents)?;
    }
    Ok(set)
}

/// A file, or the rule files of a folder by name.
fn files_at(path: &Path) -> Result<Vec<PathBuf>, RuleError> {
    let failed = |source| RuleError::Read {
        path: path.to_owned(),
        source,
    };
    if !std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|e| e == "yml" || e == "yaml") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// A place that a rule matches.
#[derive(Debug, Clone)]
pub(crate) struct RuleHit {
    pub(crate) rule: usize,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// Whether a directive may name this id. Without rules any id may be one.
pub(crate) fn is_known(options: &Options, id: &str) -> bool {
    let Some(rules) = &options.rules else {
        return true;
    };
    id == wrapper::RULE || rules.rules().iter().any(|rule| rule.id == id)
}

/// Every hit in a tree that the pattern engine's own comments do not mute.
pub(crate) fn hits(table: &Table, tree: &SyntaxTree, options: &Options) -> Vec<RuleHit> {
    let Some(rules) = &options.rules else {
        return Vec::new();
    };
    let muted = muted(table, tree);
    rules
        .scan(tree)
        .into_iter()
        .filter(|hit| !muted.holds(hit.first_row + 1, &rules.rules()[hit.rule].id))
        .map(|hit| RuleHit {
            rule: hit.rule,
            first: hit.first_row,
            last: hit.last_row,
            span: tree.span(hit.start_byte, hit.end_byte),
            message: hit.message,
        })
        .collect()
}

/// The hits that count: informational, ignored and bounded ones are dropped, in
/// this order, and then those of rules with too few hits in the file.
pub(crate) fn counted(
    hits: Vec<RuleHit>,
    directives: &Directives,
    options: &Options,
) -> Vec<RuleHit> {
    let Some(rules) = &options.rules else {
        return Vec::new();
    };
    if options.include_all {
        return hits;
    }
    let rule = |hit: &RuleHit| &rules.rules()[hit.rule];
    let kept: Vec<RuleHit> = hits
        .into_iter()
        .filter(|hit| rule(hit).severity != Severity::Hint)
        .filter(|hit| {
            !directives
                .ignored
                .contains(&(hit.first + 1, rule(hit).id.clone()))
        })
        .filter(|hit| {
            let line = hit.first + 1;
            !directives
                .boundaries
                .iter()
                .any(|&(first, last)| first <= line && line <= last)
        })
        .collect();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for hit in &kept {
        *counts.entry(hit.rule).or_default() += 1;
    }
    kept.into_iter()
        .filter(|hit| counts[&hit.rule] >= threshold(&rule(hit).id))
        .collect()
}

/// A hit as it is reported.
pub(crate) fn flagged(hit: RuleHit, options: &Options) -> Option<Flagged> {
    let rule = options.rules.as_ref()?.rules().get(hit.rule)?;
    Some(Flagged {
        rule: rule.id.clone(),
        category: rule.category.clone(),
        severity: rule.severity,
        message: hit.message,
        span: hit.span,
    })
}
