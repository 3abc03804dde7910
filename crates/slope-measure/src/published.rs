//! The published headline: Python code by the definitions of the paper's table of human
//! repositories, next to slope's own.

use serde::{Deserialize, Serialize};
use slope_model::measurement::{Callable, FileMeasurement, PublishedTotals, Totals};
use slope_model::metrics::{EROSION, MAX_COMPLEXITY, MAX_NESTING, VERBOSITY};
use slope_rules::{RuleSet, Scan};
use slope_syntax::{LineSet, Profile, SyntaxTree, paper_sizes};

use crate::definitions;
use crate::options::{EXCLUDED_FROM_PANEL, Options};
use crate::panel;
use crate::totals::{ratio, totals};

/// Facts of one file under the published definitions. Clones are within one file there, so they are
/// complete.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PublishedFacts {
    sloc: u32,
    flagged_lines: u32,
    /// Physical lines of rule matches.
    violation_lines: u32,
    /// Physical lines in clones.
    cloned_lines: u32,
    /// Source lines in clones.
    clone_lines: u32,
    verbose_lines: u32,
    /// Complexity and size of each callable.
    callables: Vec<(u32, u32)>,
}

/// Facts of a file. `None` if Python itself would not parse it, if it is a notebook, or if a rule takes too many
/// steps.
pub(crate) fn facts(tree: &SyntaxTree, scan: &Scan, rules: &RuleSet) -> Option<PublishedFacts> {
    let is_published = |rule: u32| rules.rules()[rule as usize].published;
    let is_finished = !scan.unfinished.iter().any(|u| is_published(u.rule));
    let whole = is_finished && tree.errors().is_none() && tree.encoding_note().is_none();
    let is_file = tree.embedding().is_none() && tree.language().files().are_published;
    if !is_file || !whole {
        return None;
    }
    let source = tree.source_lines(Profile::Paper);
    let rows = tree.physical_lines();
    let mut matched = LineSet::with_rows(rows);
    for hit in scan.hits.iter().filter(|hit| is_published(hit.rule)) {
        matched.insert_range(hit.first_row, hit.last_row);
    }
    let cloned = cloned_within(tree, &source);
    let mut verbose = matched.clone();
    verbose.union_with(&cloned);
    Some(PublishedFacts {
        sloc: source.count(),
        flagged_lines: matched.count_common(&source),
        violation_lines: matched.count(),
        cloned_lines: cloned.count(),
        clone_lines: cloned.count_common(&source),
        verbose_lines: verbose.count_common(&source),
        callables: paper_sizes(tree),
    })
}

/// The rows of a file in clones of other parts of it.
fn cloned_within(tree: &SyntaxTree, source: &LineSet) -> LineSet {
    let clones = slope_clones::analyse(tree, source, Profile::Paper);
    let options = slope_clones::Options::of(Profile::Paper);
    let mut report = slope_clones::classes(&[&clones], &options);
    report.clone_lines.pop().unwrap_or_default()
}

/// Whether the published table would cover a file: it leaves out some folders at the top level.
pub(crate) fn in_scope(path: &str) -> bool {
    if !path.ends_with(".py") {
        return false;
    }
    let top = path.split_once('/').map(|(top, _)| top);
    top.is_none_or(|top| !EXCLUDED_FROM_PANEL.contains(&top))
}

/// Headline of a tree. `None` without Python files.
pub(crate) fn headline<'a>(
    files: impl Iterator<Item = (&'a str, u32, &'a PublishedFacts)>,
) -> Option<PublishedTotals> {
    let options = Options::panel();
    let files: Vec<_> = files.filter(|(path, _, _)| in_scope(path)).collect();
    if files.is_empty() {
        return None;
    }
    let measured: Vec<FileMeasurement> = files
        .iter()
        .map(|(path, lines, facts)| file(path, *lines, facts, &options))
        .collect();
    let mut totals = totals(&measured, 0, &options);
    // Not stored for these callables, so unknown rather than 0.
    totals.max_nesting = None;
    let reason = "reported by --profile paper only";
    totals
        .missing
        .insert(MAX_NESTING.id.to_owned(), reason.to_owned());
    let share = |lines: fn(&PublishedFacts) -> u32| {
        let part: u64 = files.iter().map(|(_, _, f)| u64::from(lines(f))).sum();
        (totals.lines > 0).then(|| ratio(part, totals.lines))
    };
    Some(PublishedTotals {
        definitions: definitions::version(&options),
        clone_ratio: share(|f| f.cloned_lines),
        violation_ratio: share(|f| f.violation_lines),
        standings: panel::standings(&totals, &[definitions::PUBLISHED_LANGUAGE]),
        totals: without_missing(totals),
    })
}

/// Drops the missing reasons of metrics that the published definitions do not have.
fn without_missing(mut totals: Totals) -> Totals {
    let kept = [&EROSION, &VERBOSITY, &MAX_COMPLEXITY, &MAX_NESTING];
    totals
        .missing
        .retain(|id, _| kept.iter().any(|metric| metric.id == id));
    totals
}

fn file(path: &str, lines: u32, facts: &PublishedFacts, options: &Options) -> FileMeasurement {
    let callable = |&(complexity, sloc): &(u32, u32)| Callable {
        complexity,
        sloc,
        mass: options.size_term.mass(complexity, sloc),
        ..Callable::default()
    };
    FileMeasurement {
        path: path.to_owned(),
        lines,
        sloc: facts.sloc,
        flagged_lines: facts.flagged_lines,
        clone_lines: facts.clone_lines,
        verbose_lines: facts.verbose_lines,
        callables: facts.callables.iter().map(callable).collect(),
        ..FileMeasurement::default()
    }
}
