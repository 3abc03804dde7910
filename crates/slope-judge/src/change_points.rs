//! Change points: what a next change must touch, counted in places.
//!
//! | source | points |
//! |---|---|
//! | a decision that several places repeat | one for each place after the first, at most 5 |
//! | a chain of branches that compares one value with four kinds or more | one for each kind after the third |
//! | a function with more than five parameters | one for each further parameter |
//! | a function of complexity above 10 that three functions or more call | half a point for each caller, at most 5 |

use std::collections::{BTreeMap, BTreeSet};

use slope_model::assessment::{Issue, ScoreName};
use slope_model::measurement::FileMeasurement;

use crate::decisions::{Decision, FileDecisions};

/// Most points of one repeated decision.
const MAX_REPEATED: usize = 5;
/// Lines within which two places are one.
const CLOSE: u32 = 10;
/// Kinds that a chain of branches may have.
const FREE_BRANCHES: usize = 3;
/// Parameters that a function may have.
const MAX_PARAMETERS: u32 = 5;
/// Complexity above which a function is hard to change (paper, equation 3).
const MAX_COMPLEXITY: u32 = 10;
/// Callers from which a complex function counts, and the most that count.
const FEWEST_CALLERS: usize = 3;
const MAX_CALLERS: usize = 10;
/// Kinds and places that a message lists.
const SHOWN: usize = 3;

/// A file with its decisions.
pub(crate) struct Decided<'m> {
    pub(crate) file: &'m FileMeasurement,
    pub(crate) found: FileDecisions,
}

/// A place that decides: path and line.
type Site<'d> = (&'d str, u32);

/// The change points of files, as issues whose weights are the points.
pub(crate) fn change_points(files: &[Decided<'_>]) -> Vec<Issue> {
    let mut issues = repeated(files);
    for decided in files {
        chains(decided, &mut issues);
        wide(decided, &mut issues);
    }
    hubs(files, &mut issues);
    issues
}

fn issue(id: &str, path: &str, lines: (u32, u32), weight: f64, message: String) -> Issue {
    Issue {
        score: ScoreName::Extensibility,
        id: id.to_owned(),
        path: path.to_owned(),
        start_line: lines.0,
        end_line: lines.1,
        message,
        weight: Some(weight),
        carried: None,
    }
}

/// Decisions that several places make. Those of the same places on the same value are one issue.
fn repeated(files: &[Decided<'_>]) -> Vec<Issue> {
    let mut by_kind: BTreeMap<(&str, &str), BTreeSet<Site<'_>>> = BTreeMap::new();
    for decided in files {
        for decision in &decided.found.decisions {
            let sites = by_kind.entry((&decision.subject, &decision.kind));
            let site = (decided.file.path.as_str(), decision.line);
            sites.or_default().insert(site);
        }
    }
    let mut groups: BTreeMap<(&str, Vec<Site<'_>>), Vec<&str>> = BTreeMap::new();
    for ((subject, kind), sites) in by_kind {
        let sites = apart(sites);
        if sites.len() > 1 {
            groups.entry((subject, sites)).or_default().push(kind);
        }
    }
    let groups = groups.into_iter();
    groups
        .map(|((subject, sites), kinds)| {
            let points = (sites.len() - 1).min(MAX_REPEATED) * kinds.len();
            let (path, line) = sites[0];
            let others = sites[1..]
                .iter()
                .map(|(path, line)| format!("{path}:{line}"));
            let message = format!(
                "{} {} {} in {} places, so a new kind changes all of them: also {}.",
                if subject.is_empty() {
                    "Code".to_owned()
                } else {
                    format!("`{subject}`")
                },
                if subject.is_empty() {
                    "decides by"
                } else {
                    "is compared with"
                },
                listed(kinds.iter().map(|kind| format!("`{kind}`"))),
                sites.len(),
                listed(others),
            );
            issue(
                "repeated-decision",
                path,
                (line, line),
                points as f64,
                message,
            )
        })
        .collect()
}

/// Places without those that are close behind another one: a reader sees them together.
fn apart(sites: BTreeSet<Site<'_>>) -> Vec<Site<'_>> {
    let mut kept: Vec<Site<'_>> = Vec::new();
    let mut last: Option<Site<'_>> = None;
    for site in sites {
        let is_close = last.is_some_and(|(path, line)| path == site.0 && site.1 - line <= CLOSE);
        if !is_close {
            kept.push(site);
        }
        last = Some(site);
    }
    kept
}

/// The first items, and how many more there are.
fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(SHOWN);
    let shown: Vec<String> = items.take(SHOWN).collect();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

/// Chains of branches over the kinds of one value.
fn chains(decided: &Decided<'_>, issues: &mut Vec<Issue>) {
    let mut chains: BTreeMap<(&str, &str), Vec<&Decision>> = BTreeMap::new();
    let branches = decided.found.decisions.iter().filter(|it| it.is_branch);
    for decision in branches.filter(|it| !it.subject.is_empty()) {
        let chain = chains.entry((&decision.callable, &decision.subject));
        chain.or_default().push(decision);
    }
    for ((_, subject), branches) in chains {
        let kinds: BTreeSet<&str> = branches.iter().map(|it| it.kind.as_str()).collect();
        if kinds.len() <= FREE_BRANCHES {
            continue;
        }
        let lines = branches.iter().map(|it| it.line);
        let lines = (lines.clone().min().unwrap_or(1), lines.max().unwrap_or(1));
        let points = (kinds.len() - FREE_BRANCHES) as f64;
        let message = format!(
            "A chain of branches compares `{subject}` with {} kinds. A table, or a type for each kind, needs no new branch.",
            kinds.len()
        );
        issues.push(issue(
            "branch-chain",
            &decided.file.path,
            lines,
            points,
            message,
        ));
    }
}

fn wide(decided: &Decided<'_>, issues: &mut Vec<Issue>) {
    for callable in &decided.file.callables {
        let excess = callable.parameters.saturating_sub(MAX_PARAMETERS);
        if excess == 0 {
            continue;
        }
        let lines = (callable.span.start_line, callable.span.end_line);
        let message = format!(
            "`{}` has {} parameters, so each caller knows all of them.",
            callable.name, callable.parameters
        );
        let points = f64::from(excess);
        issues.push(issue(
            "many-parameters",
            &decided.file.path,
            lines,
            points,
            message,
        ));
    }
}

/// Complex functions with many callers. A function whose name another one has is left out: its callers are not known.
fn hubs(files: &[Decided<'_>], issues: &mut Vec<Issue>) {
    let mut callers: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    for decided in files {
        for (callee, caller) in &decided.found.calls {
            let of_callee = callers.entry(callee).or_default();
            of_callee.insert((&decided.file.path, caller));
        }
        for callable in &decided.file.callables {
            *named.entry(last(&callable.name)).or_default() += 1;
        }
    }
    for decided in files {
        let complex = decided.file.callables.iter();
        for callable in complex.filter(|it| it.complexity > MAX_COMPLEXITY) {
            let name = last(&callable.name);
            let all = callers.get(name).into_iter().flatten();
            let own = (decided.file.path.as_str(), callable.name.as_str());
            let count = all.filter(|caller| **caller != own).count();
            if count < FEWEST_CALLERS || named.get(name) != Some(&1) {
                continue;
            }
            let lines = (callable.span.start_line, callable.span.end_line);
            let message = format!(
                "`{}` has complexity {}, and {count} functions call it: a change of it can break all of them.",
                callable.name, callable.complexity
            );
            let points = count.min(MAX_CALLERS) as f64 / 2.0;
            issues.push(issue(
                "complex-hub",
                &decided.file.path,
                lines,
                points,
                message,
            ));
        }
    }
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
