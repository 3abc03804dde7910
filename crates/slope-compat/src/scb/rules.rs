//! Hits of pattern rules, and which of them count.

use std::collections::BTreeMap;
use std::path::PathBuf;

use slope_model::finding::{Severity, Span};
use slope_rules::{Comments, Rule, RuleError, RuleSet};
use slope_syntax::SyntaxTree;

use super::directives::{Directives, muted};
use super::languages::Table;
use super::{Flagged, Options, wrapper};

/// Reads the original's rule files, or any others in ast-grep's format: files with one or several
/// rules, or folders of such files.
///
/// # Errors
/// If a path cannot be read, or a rule in it is refused.
pub fn read_rules(paths: &[PathBuf]) -> Result<RuleSet, RuleError> {
    let mut set = RuleSet::empty();
    // The original's engine is ast-grep 0.42.1, to which comments in code matter.
    set.set_comments(Comments::Significant);
    for path in paths {
        set.add_path(path)?;
    }
    Ok(set)
}

/// A place that a rule matches.
#[derive(Debug, Clone)]
pub(crate) struct RuleHit {
    pub(crate) rule: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// Whether a directive may name this id. Without rules any id is allowed.
pub(crate) fn is_known(options: &Options, id: &str) -> bool {
    let Some(rules) = &options.rules else {
        return true;
    };
    id == wrapper::RULE || rules.rules().iter().any(|rule| rule.id == id)
}

/// Every hit in a tree that is not muted by the pattern engine's own comments.
///
/// # Errors
/// If a rule takes too many steps, a limit that the original lacks.
pub(crate) fn hits(
    table: &Table,
    tree: &SyntaxTree,
    options: &Options,
) -> Result<Vec<RuleHit>, String> {
    let Some(rules) = &options.rules else {
        return Ok(Vec::new());
    };
    let muted = muted(table, tree);
    let scan = rules.scan_every(tree);
    if let Some(unfinished) = scan.unfinished.first() {
        let id = &rule(rules, unfinished.rule).id;
        return Err(format!("the rule `{id}` takes too many steps in it"));
    }
    let hits = scan.hits.iter();
    let hits = hits
        .filter(|hit| !muted.holds(hit.first_row + 1, &rule(rules, hit.rule).id))
        .map(|hit| RuleHit {
            rule: hit.rule,
            first: hit.first_row,
            last: hit.last_row,
            span: tree.node_span(hit.node),
            message: rules.message(hit, tree),
        });
    Ok(hits.collect())
}

fn rule(rules: &RuleSet, index: u32) -> &Rule {
    &rules.rules()[index as usize]
}

/// The hits that count: informational, ignored and bounded ones are dropped, in this order, and
/// then those of rules with too few hits in the file.
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
    let rule = |hit: &RuleHit| rule(rules, hit.rule);
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
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for hit in &kept {
        *counts.entry(hit.rule).or_default() += 1;
    }
    kept.into_iter()
        .filter(|hit| counts[&hit.rule] >= rule(hit).threshold)
        .collect()
}

/// Reported form of a hit.
pub(crate) fn flagged(hit: RuleHit, options: &Options) -> Option<Flagged> {
    let rule = rule(options.rules.as_ref()?, hit.rule);
    Some(Flagged {
        rule: rule.id.clone(),
        category: rule.category.clone(),
        severity: rule.severity,
        message: hit.message,
        span: hit.span,
    })
}
