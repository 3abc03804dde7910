//! One file to facts: lines, callables, rule hits, clone units.

use slope_clones::Unit;
use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::Callable;
use slope_rules::{Hit, RuleSet};
use slope_syntax::{CallableFacts, Language, LineSet, SyntaxTree, callables, parse};

use crate::fingerprint::Fingerprints;
use crate::options::Options;
use crate::reason_of;

/// Id of the finding for a callable above the cut-off.
pub(crate) const HIGH_COMPLEXITY: &str = "high-complexity";

/// What is kept of a file when its tree is dropped.
pub(crate) struct FileFacts {
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) lines: u32,
    pub(crate) source: LineSet,
    /// Source lines flagged by rules.
    pub(crate) flagged: LineSet,
    pub(crate) callables: Vec<Callable>,
    pub(crate) units: Vec<Unit>,
    /// For each unit, its span and the name of the callable around it.
    pub(crate) unit_places: Vec<(Span, String)>,
    pub(crate) findings: Vec<Finding>,
}

/// Measures one file.
///
/// # Errors
/// The reason why it cannot be measured, in words.
pub(crate) fn measure(
    path: &str,
    language: Language,
    bytes: &[u8],
    options: &Options,
    rules: &RuleSet,
) -> Result<FileFacts, String> {
    let tree = parse(language, bytes, &options.limits).map_err(|e| reason_of(&e).into_owned())?;
    if let Some(errors) = tree.errors() {
        return Err(format!(
            "does not parse as {}: {} syntax error{}, the first in line {}",
            language.id(),
            errors.count,
            if errors.count == 1 { "" } else { "s" },
            errors.first_line,
        ));
    }
    let source = tree.source_lines(options.profile);
    let found = callables(&tree, options.profile, &source);
    let hits = rules.scan(&tree);
    let mut flagged = LineSet::with_rows(tree.physical_lines());
    for hit in &hits {
        for row in (hit.first_row..=hit.last_row).filter(|&row| source.contains(row)) {
            flagged.insert(row);
        }
    }
    let units = slope_clones::units(&tree, options.profile, &source);
    let places = Places::new(&tree, &found);
    let unit_places = units
        .iter()
        .map(|unit| {
            let node = tree.node(unit.node);
            let name = places.around(node.start_byte as usize, node.end_byte as usize);
            (tree.node_span(unit.node), name.to_owned())
        })
        .collect();
    let findings = findings(path, &tree, &found, &hits, options, rules);
    Ok(FileFacts {
        path: path.to_owned(),
        language,
        lines: tree.physical_lines(),
        source,
        flagged,
        callables: found.into_iter().map(|f| callable(&tree, f)).collect(),
        units,
        unit_places,
        findings,
    })
}

fn callable(tree: &SyntaxTree, facts: CallableFacts) -> Callable {
    Callable {
        name: facts.name,
        span: tree.node_span(facts.node),
        complexity: facts.complexity,
        sloc: facts.sloc,
        mass: f64::from(facts.complexity) * f64::from(facts.sloc).sqrt(),
        nesting: facts.nesting,
        ..Callable::default()
    }
}

/// Finds the callable around a range of bytes.
struct Places<'a> {
    /// First byte, byte after the last, name; by first byte.
    ranges: Vec<(usize, usize, &'a str)>,
    /// For each range, the index of the one around it.
    outer: Vec<Option<usize>>,
}

impl<'a> Places<'a> {
    fn new(tree: &SyntaxTree, callables: &'a [CallableFacts]) -> Self {
        let mut ranges: Vec<(usize, usize, &str)> = Vec::with_capacity(callables.len());
        let mut outer = Vec::with_capacity(callables.len());
        let mut open: Vec<usize> = Vec::new();
        for (index, facts) in callables.iter().enumerate() {
            let node = tree.node(facts.node);
            let (start, end) = (node.start_byte as usize, node.end_byte as usize);
            while open.last().is_some_and(|&o| ranges[o].1 <= start) {
                open.pop();
            }
            outer.push(open.last().copied());
            ranges.push((start, end, facts.name.as_str()));
            open.push(index);
        }
        Self { ranges, outer }
    }

    /// The name of the innermost callable around a range, empty at the top level.
    fn around(&self, start: usize, end: usize) -> &'a str {
        let after = self.ranges.partition_point(|range| range.0 <= start);
        let mut candidate = after.checked_sub(1);
        while let Some(index) = candidate {
            let (_, range_end, name) = self.ranges[index];
            if range_end >= end && range_end > start {
                return name;
            }
            candidate = self.outer[index];
        }
        ""
    }
}

fn findings(
    path: &str,
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    hits: &[Hit],
    options: &Options,
    rules: &RuleSet,
) -> Vec<Finding> {
    let mut prints = Fingerprints::default();
    let places = Places::new(tree, callables);
    let mut findings: Vec<Finding> = hits
        .iter()
        .map(|hit| {
            let rule = &rules.rules()[hit.rule];
            let text = tree.text().get(hit.start_byte..hit.end_byte);
            let around = places.around(hit.start_byte, hit.end_byte);
            Finding {
                rule: rule.id.clone(),
                category: rule.category.clone(),
                severity: rule.severity,
                path: path.to_owned(),
                span: tree.span(hit.start_byte, hit.end_byte),
                message: hit.message.clone(),
                fingerprint: prints.of(&rule.id, around, text.unwrap_or_default()),
            }
        })
        .collect();
    let high = callables.iter().filter(|c| c.complexity > options.cut_off);
    findings.extend(high.map(|c| Finding {
        rule: HIGH_COMPLEXITY.to_owned(),
        category: "complexity".to_owned(),
        severity: Severity::Warning,
        path: path.to_owned(),
        span: tree.node_span(c.node),
        message: format!(
            "`{}` has cyclomatic complexity {}, above {}.",
            c.name, c.complexity, options.cut_off
        ),
        // The name alone: the finding stays the same while the body changes.
        fingerprint: prints.of(HIGH_COMPLEXITY, &c.name, ""),
    }));
    findings
}
