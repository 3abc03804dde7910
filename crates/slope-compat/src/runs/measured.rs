//! One file's numbers, and those of all files together.

use std::collections::BTreeMap;

use slope_model::measurement::{
    Callable, CloneClass, CloneKind, CloneMember, Definitions, FileMeasurement, Measurement,
    Totals, Unmeasured,
};
use slope_model::metrics::{
    self, EROSION, FLAGGED_LINES, MAX_COMPLEXITY, MAX_NESTING, Metric, NEAR_CLONE_LINES,
    VERBOSE_LINES, VERBOSITY,
};
use slope_published::REVISION;
use slope_syntax::{LineSet, Profile, SyntaxTree, callables};

use super::lines::{plain_text, source_lines};
use super::{Found, PROFILE};
use crate::scb::CUT_OFF;
use crate::scb::clones::{Candidate, candidates};
use crate::scb::convert;
use crate::scb::file::{contents, whole_tree};
use crate::scb::languages::{self, Table, flag};
use crate::scb::sloc::python;
use crate::scb::sum::Sum;
use crate::scb::text::{Lines, narrow};

/// Metrics that the harness lacks for a reason of their own.
const MISSING: &[(&Metric, &str)] = &[
    (
        &VERBOSITY,
        "the runs took it from scb-check; use --profile scb-0.2.0",
    ),
    (&FLAGGED_LINES, "the runs' rules are not part of slope"),
    (&VERBOSE_LINES, "the runs' rules are not part of slope"),
    (&NEAR_CLONE_LINES, "the profile knows no near misses"),
    (&MAX_NESTING, "the profile does not define nesting"),
];

/// A file's numbers and its clone groups, each within one file.
pub(crate) struct Measured {
    file: FileMeasurement,
    clones: Vec<CloneClass>,
}

/// Measures a file. The error says why it is not counted.
pub(crate) fn measured(found: &Found) -> Result<Measured, String> {
    let table = languages::python().ok_or("its grammar is missing")?;
    let bytes = contents(&found.absolute)?;
    if std::str::from_utf8(&bytes).is_err() {
        return Err("it is not UTF-8 text".to_owned());
    }
    let tree = whole_tree(table, &bytes)?;
    refuse_indentation(table, &tree)?;
    let lines = Lines::of(tree.text());
    let groups = groups(table, &tree, &lines);
    let mut cloned = LineSet::with_rows(tree.physical_lines());
    for candidate in groups.iter().flatten() {
        cloned.insert_range(candidate.first, candidate.last);
    }
    let path = &found.path;
    Ok(Measured {
        clones: groups
            .iter()
            .map(|group| clone_class(path, &tree, group))
            .collect(),
        file: FileMeasurement {
            path: path.clone(),
            language: "python".to_owned(),
            lines: lines.count(),
            sloc: source_lines(table, &tree, &lines),
            clone_lines: cloned.count(),
            callables: functions(&tree),
            ..FileMeasurement::default()
        },
    })
}

/// Largest nesting of blocks that Python accepts.
const MAX_NESTED: usize = 99;

/// Refuses code that the grammar accepts but Python does not: code that begins indented, and more
/// than 99 nested blocks.
fn refuse_indentation(table: &Table, tree: &SyntaxTree) -> Result<(), String> {
    let first = tree
        .children(0)
        .find(|&node| !table.is(tree, node, flag::COMMENT));
    if let Some(first) = first
        && tree.node_span(first).start_column > 1
    {
        let line = tree.node_span(first).start_line;
        return Err(format!(
            "an indented statement in line {line}, which Python refuses"
        ));
    }
    let mut open: Vec<u32> = Vec::new();
    for node in 0..tree.node(0).end {
        while open.last().is_some_and(|&end| end <= node) {
            open.pop();
        }
        if table.name(tree, node) == "block" && begins_row(tree, node) {
            open.push(tree.node(node).end);
        }
        if open.len() > MAX_NESTED {
            let line = tree.node_span(node).start_line;
            return Err(format!(
                "too many blocks inside one another in line {line}, which Python refuses"
            ));
        }
    }
    Ok(())
}

/// Whether a block starts its row, unlike that of `if a: b`.
fn begins_row(tree: &SyntaxTree, node: u32) -> bool {
    let before = tree.row_text(tree.node(node).start_row).chars();
    let column = tree.node_span(node).start_column as usize - 1;
    before.take(column).all(char::is_whitespace)
}

/// Groups of equal constructs, by their first members.
fn groups(table: &Table, tree: &SyntaxTree, lines: &Lines<'_>) -> Vec<Vec<Candidate>> {
    let counted = python(table, tree, lines, plain_text);
    let mut groups: BTreeMap<[u8; 16], Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates(table, tree, &counted, plain_text) {
        groups.entry(candidate.hash).or_default().push(candidate);
    }
    let mut groups: Vec<_> = groups.into_values().filter(|g| g.len() > 1).collect();
    groups.sort_by_key(|group| group[0].node);
    groups
}

fn clone_class(path: &str, tree: &SyntaxTree, group: &[Candidate]) -> CloneClass {
    let member = |candidate: &Candidate| CloneMember {
        path: path.to_owned(),
        span: tree.node_span(candidate.node),
        similarity: 1.0,
    };
    CloneClass {
        kind: CloneKind::Renamed,
        lines: group[0].last - group[0].first + 1,
        tokens: 0,
        members: group.iter().map(member).collect(),
        fingerprint: group[0].hash.iter().map(|b| format!("{b:02x}")).collect(),
    }
}

/// The callables of profile `paper`, which has the harness's definitions.
fn functions(tree: &SyntaxTree) -> Vec<Callable> {
    let found = callables(tree, Profile::Paper, &tree.source_lines(Profile::Paper));
    let callable = |facts: slope_syntax::CallableFacts| Callable {
        span: tree.node_span(facts.node),
        mass: f64::from(facts.complexity) * f64::from(facts.sloc).sqrt(),
        name: facts.name,
        kind: facts.kind,
        complexity: facts.complexity,
        sloc: facts.sloc,
        ..Callable::default()
    };
    found.into_iter().map(callable).collect()
}

impl Measured {
    /// Combines the files, given in the order of their paths.
    pub(crate) fn together(files: Vec<Self>, unmeasured: Vec<Unmeasured>) -> Measurement {
        let (files, clones): (Vec<_>, Vec<_>) =
            files.into_iter().map(|m| (m.file, m.clones)).unzip();
        let totals = totals(&files, unmeasured.len());
        Measurement {
            schema: slope_model::schema::MEASUREMENT.to_owned(),
            definitions: definitions(),
            languages: BTreeMap::from([("python".to_owned(), totals.clone())]),
            totals,
            files,
            unmeasured,
            clones: clones.into_iter().flatten().collect(),
            ..Measurement::default()
        }
    }
}

fn totals(files: &[FileMeasurement], unmeasured: usize) -> Totals {
    let all: Vec<&Callable> = files.iter().flat_map(|f| &f.callables).collect();
    let high = || all.iter().filter(|c| c.complexity > CUT_OFF);
    let mass = Sum::of(all.iter().map(|c| c.mass));
    let high_mass = Sum::of(high().map(|c| c.mass));
    let sum = |of: fn(&FileMeasurement) -> u32| files.iter().map(|f| u64::from(of(f))).sum();
    let mut totals = Totals {
        files: narrow(files.len()),
        unmeasured_files: narrow(unmeasured),
        lines: sum(|f| f.lines),
        sloc: sum(|f| f.sloc),
        callables: narrow(all.len()),
        high_complexity_callables: narrow(high().count()),
        max_complexity: all.iter().map(|c| c.complexity).max(),
        mass: Some(mass.value),
        high_complexity_mass: Some(high_mass.value),
        erosion: (mass.value > 0.0).then(|| high_mass.over(mass)),
        clone_lines: Some(sum(|f| f.clone_lines)),
        ..Totals::default()
    };
    for (metric, why) in MISSING {
        metrics::miss(&mut totals, &[metric], why);
    }
    if mass.value <= 0.0 {
        let why = "there is no callable with source lines";
        metrics::miss(&mut totals, &[&EROSION], why);
    }
    if all.is_empty() {
        metrics::miss(&mut totals, &[&MAX_COMPLEXITY], "there is no callable");
    }
    metrics::explain_missing(&mut totals, "the profile does not define it");
    totals
}

fn definitions() -> Definitions {
    convert::definitions(PROFILE, REVISION, languages::python(), BTreeMap::new())
}
