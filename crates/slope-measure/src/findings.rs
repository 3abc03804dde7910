//! Findings of one file that depend only on its tree, not on its path.

use serde::{Deserialize, Serialize};
use slope_model::finding::{Severity, Span};
use slope_model::measurement::SyntaxErrors;
use slope_model::plural;
use slope_rules::{Hit, RuleSet, Unfinished};
use slope_syntax::{CallableFacts, Node, SyntaxTree};

use crate::facts::Context;
use crate::fingerprint::{Fingerprints, Remarks};
use crate::linters::Linters;
use crate::places::Places;

/// Id of the finding for a callable above the cut-off.
pub(crate) const HIGH_COMPLEXITY: &str = "high-complexity";
/// Id of the finding for a callable with lines too dense to read.
pub(crate) const PACKED_LINES: &str = "packed-lines";
/// Id of the finding for a file that could not be parsed completely.
pub(crate) const SYNTAX_ERROR: &str = "syntax-error";
/// Id of the finding for a rule whose search in a file was aborted.
pub(crate) const UNFINISHED_RULE: &str = "unfinished-rule";

/// Maximum number of rows after the first of an error that has a useful position.
const MAX_ERROR_ROWS: u32 = 3;

/// Ids of the findings of the measurement itself.
pub(crate) const IDS: [&str; 4] = [HIGH_COMPLEXITY, PACKED_LINES, SYNTAX_ERROR, UNFINISHED_RULE];

/// A finding without its path.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LocalFinding {
    pub(crate) source: Source,
    pub(crate) span: Span,
    /// The message, unless it is the rule's own.
    pub(crate) message: Option<String>,
    pub(crate) fingerprint: String,
    /// Whether a comment there silences another linter for the same finding.
    pub(crate) silenced: bool,
}

/// Source of a finding.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Source {
    /// The rule at this index of the rule set.
    Rule(u32),
    HighComplexity,
    SyntaxError,
    UnfinishedRule,
    PackedLines,
}

impl Source {
    /// Id, category and severity.
    pub(crate) fn describe(self, rules: &RuleSet) -> (&str, &str, Severity) {
        match self {
            Self::Rule(index) => {
                let rule = &rules.rules()[index as usize];
                (&rule.id, &rule.category, rule.severity)
            }
            Self::HighComplexity => (HIGH_COMPLEXITY, "complexity", Severity::Warning),
            Self::PackedLines => (PACKED_LINES, "layout", Severity::Warning),
            // Most of such code is valid in a newer version of the language.
            Self::SyntaxError => (SYNTAX_ERROR, "syntax", Severity::Hint),
            Self::UnfinishedRule => (UNFINISHED_RULE, "limits", Severity::Warning),
        }
    }
}

/// All findings of a file: from rule hits and from the measurement itself.
pub(crate) fn of_file(
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    hits: &[Hit],
    errors: Option<SyntaxErrors>,
    unfinished: &[Unfinished],
    context: &Context<'_>,
) -> Vec<LocalFinding> {
    let mut prints = Fingerprints::default();
    let mut findings = of_rules(tree, callables, hits, context.rules, &mut prints);
    findings.extend(of_complexity(
        tree,
        callables,
        context.options.cut_off,
        &mut prints,
    ));
    let packed = callables.iter().filter(|c| is_packed(c));
    findings.extend(packed.map(|c| of_packed(tree, c, &mut prints)));
    findings.extend(errors.map(|errors| of_errors(tree, errors, &mut prints)));
    let unfinished = unfinished.iter();
    findings.extend(unfinished.map(|rule| of_unfinished(tree, rule, context.rules, &mut prints)));
    findings
}

fn of_rules(
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    hits: &[Hit],
    rules: &RuleSet,
    prints: &mut Fingerprints,
) -> Vec<LocalFinding> {
    let places = Places::of_bytes(tree, callables);
    let remarks = Remarks::of(tree);
    let linters = Linters::of(tree);
    let finding = |hit: &Hit| {
        let rule = &rules.rules()[hit.rule as usize];
        let (start, end) = (hit.start_byte as usize, hit.end_byte as usize);
        let around = places.around(hit.start_byte, hit.end_byte);
        let message = rules.message(hit, tree);
        LocalFinding {
            source: Source::Rule(hit.rule),
            span: tree.span(start, end),
            message: (message != rule.message).then_some(message),
            fingerprint: prints.of(&rule.id, around, &remarks.without(tree, start, end)),
            silenced: linters.silence(hit, &rule.linters),
        }
    };
    hits.iter().map(finding).collect()
}

fn of_complexity(
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    cut_off: u32,
    prints: &mut Fingerprints,
) -> Vec<LocalFinding> {
    let high = callables
        .iter()
        .filter(|c| c.tables.complexity(c.complexity, c.cognitive) > cut_off);
    let finding = |c: &CallableFacts| LocalFinding {
        source: Source::HighComplexity,
        span: tree.node_span(c.node),
        message: Some(format!(
            "`{}` has cyclomatic complexity {}{}, above {cut_off}.",
            c.name,
            if c.is_lower_bound { "at least " } else { "" },
            c.complexity
        )),
        // Name only, so the finding stays the same while the body changes.
        fingerprint: prints.of(HIGH_COMPLEXITY, &c.name, ""),
        silenced: false,
    };
    high.map(finding).collect()
}

/// Whether a callable has twice its lines and more packed onto them.
fn is_packed(callable: &CallableFacts) -> bool {
    callable.sloc >= callable.rows * 2 && callable.sloc > callable.rows + 1
}

fn of_packed(
    tree: &SyntaxTree,
    callable: &CallableFacts,
    prints: &mut Fingerprints,
) -> LocalFinding {
    let (name, sloc, rows) = (&callable.name, callable.sloc, callable.rows);
    let lines = if rows == 1 {
        "line holds"
    } else {
        "lines hold"
    };
    LocalFinding {
        source: Source::PackedLines,
        span: tree.node_span(callable.node),
        message: Some(format!(
            "`{name}`: {rows} {lines} as much code as {sloc} lines usually do."
        )),
        fingerprint: prints.of(PACKED_LINES, name, ""),
        silenced: false,
    }
}

fn of_errors(tree: &SyntaxTree, errors: SyntaxErrors, prints: &mut Fingerprints) -> LocalFinding {
    LocalFinding {
        source: Source::SyntaxError,
        span: line_span(tree, first_error(tree).unwrap_or(errors.first_line)),
        message: Some(format!(
            "slope's parser does not know the code here, or there is a mistake in it: {} in \
             the file {} measured only in part.",
            plural(errors.count, "place"),
            if errors.count == 1 { "is" } else { "are" },
        )),
        fingerprint: prints.of(SYNTAX_ERROR, "", ""),
        silenced: false,
    }
}

/// Line of the first error with a useful position: an error of a few lines, or the unparsed tokens
/// in a longer one.
fn first_error(tree: &SyntaxTree) -> Option<u32> {
    let is_counted = |node: &Node| tree.error_rows().contains(node.start_row);
    let nodes = || tree.nodes().iter().filter(|node| is_counted(node));
    let is_short = |node: &&Node| {
        (node.is_error() || node.is_missing()) && node.end_row - node.start_row <= MAX_ERROR_ROWS
    };
    let in_error = |node: &&Node| {
        tree.node(node.parent).is_error() && (!node.named || node.end_row == node.start_row)
    };
    let found = nodes().find(is_short).or_else(|| nodes().find(in_error));
    found.map(|node| node.start_row + 1)
}

fn of_unfinished(
    tree: &SyntaxTree,
    unfinished: &Unfinished,
    rules: &RuleSet,
    prints: &mut Fingerprints,
) -> LocalFinding {
    let rule = &rules.rules()[unfinished.rule as usize].id;
    let line = tree.node_span(unfinished.node).start_line;
    LocalFinding {
        source: Source::UnfinishedRule,
        span: line_span(tree, line),
        message: Some(format!(
            "`{rule}` takes too many steps in this file: slope skips the rule from here on."
        )),
        fingerprint: prints.of(UNFINISHED_RULE, "", rule),
        silenced: false,
    }
}

fn line_span(tree: &SyntaxTree, line: u32) -> Span {
    let text = tree.row_text(line.saturating_sub(1));
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Span {
        start_line: line,
        start_column: 1,
        end_line: line,
        end_column: length + 1,
    }
}
