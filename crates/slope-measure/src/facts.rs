//! One file to facts: what is kept when its tree is dropped, and what the cache holds.
//!
//! Facts depend on the file's bytes, its language and the definitions, and on
//! nothing else: not on its path, nor on other files.

use serde::{Deserialize, Serialize};
use slope_clones::FileClones;
use slope_model::finding::{Severity, Span};
use slope_model::measurement::{Callable, SyntaxErrors};
use slope_rules::{Hit, RuleSet};
use slope_signals::FileSignals;
use slope_syntax::{
    CallableFacts, Language, LineSet, SyntaxTree, callables, maintainability, parse, parse_after,
};

use crate::discover::kinds;
use crate::fingerprint::{Fingerprints, Remarks};
use crate::forms::{self, Forms};
use crate::options::{Options, Profile};
use crate::places::Places;
use crate::published::{self, PublishedFacts};
use crate::suppress::{self, Directive};
use crate::{reason_of, signals};

/// Id of the finding for a callable above the cut-off.
pub(crate) const HIGH_COMPLEXITY: &str = "high-complexity";
/// Id of the finding for a file that could not be parsed as a whole.
pub(crate) const SYNTAX_ERROR: &str = "syntax-error";

/// What is kept of a file when its tree is dropped.
///
/// An outline has what other files' clones and signals depend on, and nothing else: no callables,
/// forms, findings or flagged lines, nothing published.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    pub(crate) is_outline: bool,
    pub(crate) lines: u32,
    pub(crate) source: LineSet,
    /// Source lines flagged by rules that count.
    pub(crate) flagged: LineSet,
    pub(crate) errors: Option<SyntaxErrors>,
    /// By what sign the file is generated or minified.
    pub(crate) generated: Option<String>,
    pub(crate) maintainability: Option<f64>,
    pub(crate) callables: Vec<Callable>,
    /// First byte of each row, to tell columns by.
    pub(crate) line_starts: Vec<u32>,
    pub(crate) clones: FileClones,
    pub(crate) signals: Option<FileSignals>,
    pub(crate) findings: Vec<LocalFinding>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) published: Option<PublishedFacts>,
    pub(crate) forms: Forms,
}

/// A finding without its path.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LocalFinding {
    pub(crate) source: Source,
    pub(crate) span: Span,
    /// The message, unless it is the rule's own.
    pub(crate) message: Option<String>,
    pub(crate) fingerprint: String,
}

/// What a finding comes from.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Source {
    /// The rule at this index of the rule set.
    Rule(u32),
    HighComplexity,
    SyntaxError,
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
            Self::SyntaxError => (SYNTAX_ERROR, "syntax", Severity::Error),
        }
    }
}

/// What facts depend on beside the file.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) rules: &'a RuleSet,
    /// For each rule, whether its matches count and are reported.
    pub(crate) reported: &'a [bool],
}

/// What a file leaves beside its facts, with which another version of it is looked at in less time.
pub struct Parsed {
    tree: SyntaxTree,
    /// All that rules match.
    hits: Vec<Hit>,
}

impl Parsed {
    /// Whether it saves another version any time.
    pub(crate) fn is_useful(&self) -> bool {
        self.tree.is_reusable()
    }

    /// The memory that it takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tree.memory() + self.hits.capacity() * size_of::<Hit>()
    }
}

/// Analyses one file, for which another version of it may save time.
///
/// # Errors
/// The reason why it cannot be measured, in words.
pub(crate) fn analyse(
    language: Language,
    bytes: &[u8],
    context: &Context<'_>,
    before: Option<&Parsed>,
) -> Result<(FileFacts, Parsed), String> {
    let options = context.options;
    let of_tree = before.map(|before| &before.tree);
    let tree = parse_after(language, bytes, &options.limits, of_tree)
        .map_err(|e| reason_of(&e).into_owned())?;
    refuse_by_profile(&tree, options.profile)?;
    let known = before.map(|before| before.hits.as_slice());
    let mut hits = Vec::new();
    context.rules.scan_after(&tree, &mut hits, known);
    let facts = facts(&tree, hits.clone(), context);
    Ok((facts, Parsed { tree, hits }))
}

/// Analyses one file as far as others depend on it.
///
/// # Errors
/// As [`analyse`].
pub(crate) fn outline(
    language: Language,
    bytes: &[u8],
    context: &Context<'_>,
) -> Result<FileFacts, String> {
    let options = context.options;
    let tree = parse(language, bytes, &options.limits).map_err(|e| reason_of(&e).into_owned())?;
    refuse_by_profile(&tree, options.profile)?;
    let profile = options.profile.definitions();
    let source = tree.source_lines(profile);
    let found = callables(&tree, profile, &source);
    Ok(FileFacts {
        is_outline: true,
        ..shared(&tree, &found, source, options)
    })
}

/// What facts and outlines have in common.
fn shared(
    tree: &SyntaxTree,
    found: &[CallableFacts],
    source: LineSet,
    options: &Options,
) -> FileFacts {
    let signals = (options.signals && options.profile != Profile::Paper)
        .then(|| slope_signals::facts_for(tree, found, &source, &signals::wanted(options)));
    FileFacts {
        lines: tree.physical_lines(),
        generated: kinds::by_text(tree.language().id(), tree.text()),
        clones: slope_clones::analyse(tree, &source, options.profile.definitions()),
        signals,
        source,
        ..FileFacts::default()
    }
}

/// What is kept of a tree in which rules match these.
fn facts(tree: &SyntaxTree, mut hits: Vec<Hit>, context: &Context<'_>) -> FileFacts {
    let options = context.options;
    let profile = options.profile.definitions();
    let source = tree.source_lines(profile);
    let found = callables(tree, profile, &source);
    // The published definitions know no thresholds, so these come after.
    let published = published::facts(tree, &hits, context.rules);
    hits.retain(|hit| context.reported[hit.rule as usize]);
    if options.profile != Profile::Paper {
        context.rules.apply_thresholds(&mut hits, 0);
    }
    let mut flagged = LineSet::with_rows(tree.physical_lines());
    for hit in &hits {
        for row in (hit.first_row..=hit.last_row).filter(|&row| source.contains(row)) {
            flagged.insert(row);
        }
    }
    let errors = errors(tree, &source);
    let shared = shared(tree, &found, source, options);
    FileFacts {
        is_outline: false,
        forms: if options.follow {
            forms::forms(tree, &found)
        } else {
            Forms::default()
        },
        directives: suppress::directives(tree, &shared.source),
        findings: findings(tree, &found, &hits, errors, context),
        callables: found
            .into_iter()
            .map(|f| callable(tree, f, options))
            .collect(),
        maintainability: maintainability(tree, &shared.source),
        line_starts: tree.line_starts().to_vec(),
        flagged,
        errors,
        published,
        ..shared
    }
}

/// The published definitions know Python only, and only what Python itself parses.
fn refuse_by_profile(tree: &SyntaxTree, profile: Profile) -> Result<(), String> {
    if profile != Profile::Paper {
        return Ok(());
    }
    if let Some(errors) = tree.errors() {
        return Err(format!(
            "does not parse as {}: {} syntax error{}, the first in line {}",
            tree.language().id(),
            errors.count,
            if errors.count == 1 { "" } else { "s" },
            errors.first_line,
        ));
    }
    if tree.encoding_note().is_some() {
        return Err("not UTF-8 text, which the published definitions leave out".to_owned());
    }
    Ok(())
}

fn errors(tree: &SyntaxTree, source: &LineSet) -> Option<SyntaxErrors> {
    let errors = tree.errors()?;
    Some(SyntaxErrors {
        count: errors.count,
        first_line: errors.first_line,
        lines: tree.error_rows().count_common(source),
    })
}

fn callable(tree: &SyntaxTree, facts: CallableFacts, options: &Options) -> Callable {
    Callable {
        span: tree.node_span(facts.node),
        mass: options.size_term.mass(facts.complexity, facts.sloc),
        name: facts.name,
        complexity: facts.complexity,
        sloc: facts.sloc,
        kind: facts.kind,
        cognitive: facts.cognitive,
        parameters: facts.parameters,
        nesting: facts.nesting,
    }
}

fn findings(
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    hits: &[Hit],
    errors: Option<SyntaxErrors>,
    context: &Context<'_>,
) -> Vec<LocalFinding> {
    let mut prints = Fingerprints::default();
    let places = Places::of_bytes(tree, callables);
    let remarks = Remarks::of(tree);
    let mut findings: Vec<LocalFinding> = hits
        .iter()
        .map(|hit| {
            let rule = &context.rules.rules()[hit.rule as usize];
            let (start, end) = (hit.start_byte as usize, hit.end_byte as usize);
            let around = places.around(hit.start_byte, hit.end_byte);
            let message = context.rules.message(hit, tree);
            LocalFinding {
                source: Source::Rule(hit.rule),
                span: tree.span(start, end),
                message: (message != rule.message).then_some(message),
                fingerprint: prints.of(&rule.id, around, &remarks.without(tree, start, end)),
            }
        })
        .collect();
    let cut_off = context.options.cut_off;
    let high = callables.iter().filter(|c| c.complexity > cut_off);
    findings.extend(high.map(|c| LocalFinding {
        source: Source::HighComplexity,
        span: tree.node_span(c.node),
        message: Some(format!(
            "`{}` has cyclomatic complexity {}, above {cut_off}.",
            c.name, c.complexity
        )),
        // The name alone: the finding stays the same while the body changes.
        fingerprint: prints.of(HIGH_COMPLEXITY, &c.name, ""),
    }));
    findings.extend(errors.map(|errors| LocalFinding {
        source: Source::SyntaxError,
        span: line_span(tree, errors.first_line),
        message: Some(format!(
            "The file does not parse as {} in {} place{}; what stands there is not measured in full.",
            tree.language().id(),
            errors.count,
            if errors.count == 1 { "" } else { "s" },
        )),
        fingerprint: prints.of(SYNTAX_ERROR, "", ""),
    }));
    findings
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
