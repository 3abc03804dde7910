//! Measurement of one file of a changing set, from its facts and those of other files.

use std::collections::{BTreeMap, HashSet};

use slope_model::finding::{DEAD_CODE, Finding};
use slope_model::measurement::{FileMeasurement, Part};
use slope_rules::RuleSet;
use slope_syntax::{Language, LineSet};

use crate::admit::admitted;
use crate::facts::FileFacts;
use crate::findings::{LocalFinding, Source};
use crate::options::Options;
use crate::view::DeadCodeAt;
use crate::{inline_tests, signals, suppress};

/// A file's measurement, clones left out.
pub(crate) fn file_measurement(
    path: &str,
    language: Language,
    part: Part,
    facts: &FileFacts,
) -> FileMeasurement {
    let mut file = FileMeasurement {
        path: path.to_owned(),
        language: language.id().to_owned(),
        part,
        lines: facts.lines - facts.blanked,
        sloc: facts.source.count(),
        flagged_lines: facts.flagged.count_common(&facts.source),
        syntax_errors: facts.errors,
        maintainability: facts.maintainability,
        cognitive_outside: facts.cognitive_outside,
        cells: facts.cells.clone(),
        callables: facts.callables.clone(),
        ..FileMeasurement::default()
    };
    add_clones(&mut file, facts, &LineSet::default());
    file
}

/// Adds a file's clones.
pub(crate) fn add_clones(file: &mut FileMeasurement, facts: &FileFacts, cloned: &LineSet) {
    let mut verbose = facts.flagged.clone();
    verbose.union_with(cloned);
    file.clone_lines = cloned.count_common(&facts.source);
    file.verbose_lines = verbose.count_common(&facts.source);
    file.inline_tests = inline_tests::of_file(file, facts, cloned, None);
}

/// Sums of findings of a file.
#[derive(Default)]
pub(crate) struct Findings {
    /// Number of findings by category.
    pub(crate) counts: BTreeMap<String, u64>,
    /// Findings of dead code.
    pub(crate) dead: Vec<DeadCodeAt>,
}

/// Counts the findings of a file: its own, and the signal findings `found`.
pub(crate) fn findings(
    path: &str,
    facts: &FileFacts,
    mut found: Vec<Finding>,
    rules: &RuleSet,
    options: &Options,
) -> Findings {
    // Some patterns have a rule in one language and a signal in another.
    let told: HashSet<(u32, &str)> = admitted(path, facts, rules, options)
        .filter_map(|local| signals::same_as(local.source.describe(rules).0, local.span))
        .collect();
    found.retain(|f| !told.contains(&(f.span.start_line, f.rule.as_str())));
    let reported = |rule: &str| !options.disabled.iter().any(|other| other == rule);
    let local = admitted(path, facts, rules, options);
    let local = local.filter(|local| reported(local.source.describe(rules).0));
    let mut result = Findings::default();
    let mut count = |category: &str| match result.counts.get_mut(category) {
        Some(count) => *count += 1,
        None => drop(result.counts.insert(category.to_owned(), 1)),
    };
    let kept = match options
        .suppressions
        .filter(|_| !facts.directives.is_empty())
    {
        None => {
            local.for_each(|local| count(local.source.describe(rules).1));
            found
        }
        Some(today) => {
            found.extend(local.map(|local| finding(path, local, rules)));
            found.retain(|f| reported(&f.rule));
            found.sort_by(|a, b| (a.span, &a.rule).cmp(&(b.span, &b.rule)));
            {
                let looked = |rule: &str| crate::in_force::looked(rule, rules, options);
                suppress::obey(path, found, &facts.directives, today, &looked).findings
            }
        }
    };
    for finding in kept.into_iter().filter(|f| reported(&f.rule)) {
        count(&finding.category);
        if finding.category == DEAD_CODE {
            let row = finding.span.start_line.saturating_sub(1);
            result.dead.push(DeadCodeAt { row, finding });
        }
    }
    result
}

/// Findings of a file, its own and the signal findings `found`, in order of position, without those
/// silenced by comments.
pub(crate) fn all_findings(
    path: &str,
    facts: &FileFacts,
    mut found: Vec<Finding>,
    rules: &RuleSet,
    options: &Options,
) -> Vec<Finding> {
    let local = admitted(path, facts, rules, options);
    let local = local.map(|local| finding(path, local, rules));
    let local: Vec<Finding> = local.collect();
    let told: HashSet<(u32, &str)> = local
        .iter()
        .filter_map(|f| signals::same_as(&f.rule, f.span))
        .collect();
    found.retain(|f| !told.contains(&(f.span.start_line, f.rule.as_str())));
    found.extend(local);
    found.retain(|f| !options.disabled.contains(&f.rule));
    found.sort_by(|a, b| (a.span, &a.rule).cmp(&(b.span, &b.rule)));
    match options
        .suppressions
        .filter(|_| !facts.directives.is_empty())
    {
        None => found,
        Some(today) => {
            let looked = |rule: &str| crate::in_force::looked(rule, rules, options);
            suppress::obey(path, found, &facts.directives, today, &looked).findings
        }
    }
}

/// A file's own finding, with its path.
pub(crate) fn finding(path: &str, local: &LocalFinding, rules: &RuleSet) -> Finding {
    let (rule, category, severity) = local.source.describe(rules);
    let own = match local.source {
        Source::Rule(index) => rules.rules()[index as usize].message.clone(),
        _ => String::new(),
    };
    Finding {
        rule: rule.to_owned(),
        category: category.to_owned(),
        severity,
        path: path.to_owned(),
        span: local.span,
        message: local.message.clone().unwrap_or(own),
        fingerprint: local.fingerprint.clone(),
    }
}
