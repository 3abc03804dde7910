//! Facts of one file: the data kept when its tree is dropped, and stored in the cache.
//!
//! Facts depend only on the bytes of the file, its language and the definitions, not on its path or
//! other files.

use serde::{Deserialize, Serialize};
use slope_clones::FileClones;
use slope_model::finding::Span;
use slope_model::measurement::{Callable, LineRange, NotebookCell, SyntaxErrors};
use slope_model::plural;
use slope_refusals::{Refusal, refusals};
use slope_rules::{RuleSet, Scan};
use slope_signals::FileSignals;
use slope_syntax::{
    CallableFacts, FileCallables, Language, LineSet, SyntaxTree, callables, file_callables,
    maintainability, parse_after,
};

use crate::discover::kinds;
use crate::findings::{self, LocalFinding};
use crate::forms::{self, Forms};
use crate::inline_tests::Tests as InlineTests;
use crate::options::{Options, Profile, Tests};
use crate::published::{self, PublishedFacts};
use crate::refused::reason_of;
use crate::suppress::{self, Directive};
use crate::{doubts, shadows, signals};

/// Facts of a file after its tree is dropped.
///
/// An outline has only the facts that clones and signals of other files depend on: no callables,
/// forms, findings, flagged lines or published facts.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    pub(crate) is_outline: bool,
    pub(crate) lines: u32,
    pub(crate) source: LineSet,
    /// Source lines flagged by rules that count.
    pub(crate) flagged: LineSet,
    pub(crate) errors: Option<SyntaxErrors>,
    /// Refusals of the language's own parser. Set only if versions are compared.
    pub(crate) refused: Vec<Refusal>,
    /// Sign by which the file is generated or minified.
    pub(crate) generated: Option<String>,
    /// Whether the file has code by which tests are recognized.
    pub(crate) holds_tests: bool,
    pub(crate) maintainability: Option<f64>,
    pub(crate) callables: Vec<Callable>,
    pub(crate) cognitive_outside: Option<u32>,
    /// Offset of the first byte of each row, for columns.
    pub(crate) line_starts: Vec<u32>,
    pub(crate) clones: FileClones,
    pub(crate) signals: Option<FileSignals>,
    pub(crate) findings: Vec<LocalFinding>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) published: Option<PublishedFacts>,
    pub(crate) forms: Forms,
    /// First and last rows, from 0, of tests in production code.
    pub(crate) test_rows: Vec<(u32, u32)>,
    /// Maintainability index of the code outside tests. `None` without such code.
    pub(crate) maintainability_without_tests: Option<f64>,
    /// Number of rows blanked because they are tests or text around the code.
    pub(crate) blanked: u32,
    /// The code cells of a notebook.
    pub(crate) cells: Vec<NotebookCell>,
    /// Id of the language, if only the file's text shows it: of scripts in components, of notebooks.
    pub(crate) embedded: Option<String>,
}

impl FileFacts {
    /// The language of the code, where `found` is the one that the file's name shows.
    pub(crate) fn language(&self, found: Language) -> Language {
        let embedded = self.embedded.as_deref().and_then(Language::by_id);
        embedded.unwrap_or(found)
    }
}

/// Other inputs of facts.
pub(crate) struct Context<'a> {
    pub(crate) options: &'a Options,
    pub(crate) rules: &'a RuleSet,
    /// For each rule, whether its matches count and are reported.
    pub(crate) reported: &'a [bool],
}

/// Data of a file that speeds up the analysis of another version of it.
pub struct Parsed {
    tree: SyntaxTree,
    scan: Scan,
}

impl Parsed {
    /// Whether it speeds up the analysis of another version.
    pub(crate) fn is_useful(&self) -> bool {
        self.tree.is_reusable()
    }

    /// The memory that it takes, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.tree.memory() + self.scan.memory()
    }
}

/// Analyses one file. Another version of it may save time.
///
/// # Errors
/// The reason that it cannot be measured.
pub(crate) fn analyse(
    language: Language,
    bytes: &[u8],
    context: &Context<'_>,
    before: Option<&Parsed>,
) -> Result<(FileFacts, Parsed), String> {
    let options = context.options;
    let before_tree = before.map(|before| &before.tree);
    let (tree, blanked) = tree_of(language, bytes, options, before_tree)?;
    refuse_by_profile(&tree, options.profile)?;
    let known = before.map(|before| &before.scan);
    let scan = context.rules.scan_after(&tree, known);
    refuse_unfinished(&scan, context)?;
    let facts = FileFacts {
        blanked,
        ..facts(&tree, &scan, context)
    };
    Ok((facts, Parsed { tree, scan }))
}

/// Analyses one file as far as other files depend on it.
///
/// # Errors
/// As for [`analyse`].
pub(crate) fn outline(
    language: Language,
    bytes: &[u8],
    context: &Context<'_>,
) -> Result<FileFacts, String> {
    let options = context.options;
    let (tree, blanked) = tree_of(language, bytes, options, None)?;
    refuse_by_profile(&tree, options.profile)?;
    let profile = options.profile.definitions();
    let source = tree.source_lines(profile);
    let found = callables(&tree, profile, &source);
    Ok(FileFacts {
        is_outline: true,
        blanked,
        ..shared(&tree, &found, source, options)
    })
}

/// The tree that a file is measured by: where tests are left out, those between production code are
/// as blank as if they were in a file of their own. Gives the number of rows that are blank for
/// this reason, or since they are outside of the code.
fn tree_of(
    language: Language,
    bytes: &[u8],
    options: &Options,
    before: Option<&SyntaxTree>,
) -> Result<(SyntaxTree, u32), String> {
    let parse = |language: Language, bytes: &[u8]| {
        let tree = parse_after(language, bytes, &options.limits, before);
        tree.map_err(|e| reason_of(&e).into_owned())
    };
    let tree = parse(language, bytes)?;
    let code_rows = tree.embedding().map(|embedding| embedding.rows);
    let around = code_rows.map_or(0, |rows| tree.physical_lines().saturating_sub(rows));
    let leaves_out = options.tests == Tests::Exclude;
    match leaves_out.then(|| InlineTests::of(&tree)).flatten() {
        Some(tests) => {
            let language = tree.language().plain();
            let blank = around + tests.row_count();
            Ok((parse(language, &tests.blanked)?, blank))
        }
        None => Ok((tree, around)),
    }
}

/// The common parts of facts and outlines.
fn shared(
    tree: &SyntaxTree,
    found: &[CallableFacts],
    source: LineSet,
    options: &Options,
) -> FileFacts {
    let signals = (options.signals && options.profile != Profile::Paper)
        .then(|| slope_signals::facts_for(tree, found, &source, &signals::wanted(options)));
    let embedded = tree.embedding().map(|_| tree.language().id().to_owned());
    FileFacts {
        embedded,
        cells: cells(tree),
        lines: tree.physical_lines(),
        holds_tests: signals.as_ref().map_or_else(
            || slope_syntax::holds_tests(tree),
            slope_signals::FileSignals::holds_tests,
        ),
        generated: kinds::by_text(tree.language().id(), tree.text()),
        clones: slope_clones::analyse(tree, &source, options.profile.definitions()),
        signals,
        source,
        ..FileFacts::default()
    }
}

/// The facts of a tree in which rules match these.
fn facts(tree: &SyntaxTree, scan: &Scan, context: &Context<'_>) -> FileFacts {
    let mut hits = scan.hits.clone();
    let options = context.options;
    let profile = options.profile.definitions();
    let source = tree.source_lines(profile);
    let FileCallables {
        callables: found,
        cognitive_outside,
    } = file_callables(tree, profile, &source);
    // The published definitions know no thresholds, so these come after.
    let published = options
        .headline
        .then(|| published::facts(tree, scan, context.rules));
    hits.retain(|hit| context.reported[hit.rule as usize]);
    doubts::drop_doubtful(tree, &mut hits, options.profile);
    if options.profile != Profile::Paper {
        shadows::drop_shadowed(tree, &mut hits, context.rules);
        context.rules.apply_thresholds(&mut hits, 0);
    }
    let mut flagged = LineSet::with_rows(tree.physical_lines());
    for hit in hits
        .iter()
        .filter(|hit| context.rules.flags_lines(hit.rule))
    {
        for row in (hit.first_row..=hit.last_row).filter(|&row| source.contains(row)) {
            flagged.insert(row);
        }
    }
    let errors = errors(tree, &source);
    let shared = shared(tree, &found, source, options);
    let tests = InlineTests::of(tree);
    let without_tests = tests
        .as_ref()
        .and_then(|tests| tests.maintainability_without(tree, &shared.source));
    FileFacts {
        is_outline: false,
        forms: if options.follow {
            forms::forms(tree, &found)
        } else {
            Forms::default()
        },
        directives: suppress::directives(tree, &shared.source),
        findings: findings::of_file(tree, &found, &hits, errors, &scan.unfinished, context),
        callables: found
            .into_iter()
            .map(|f| callable(tree, f, options))
            .collect(),
        cognitive_outside,
        maintainability: maintainability(tree, &shared.source),
        line_starts: tree.line_starts().to_vec(),
        maintainability_without_tests: without_tests,
        test_rows: tests.map_or_else(Vec::new, |tests| tests.rows),
        flagged,
        errors,
        refused: refused(tree, options),
        published: published.flatten(),
        ..shared
    }
}

/// The code cells of a notebook.
fn cells(tree: &SyntaxTree) -> Vec<NotebookCell> {
    let cells = tree.embedding().into_iter().flat_map(|e| &e.cells);
    let lines = cells.map(|cell| NotebookCell {
        number: cell.number,
        start_line: cell.first_row + 1,
        end_line: cell.end_row,
        in_file: (cell.file_rows != (cell.first_row, cell.end_row - 1)).then_some(LineRange {
            start_line: cell.file_rows.0 + 1,
            end_line: cell.file_rows.1 + 1,
        }),
    });
    lines.collect()
}

/// The published definitions know no bound of steps.
fn refuse_unfinished(scan: &Scan, context: &Context<'_>) -> Result<(), String> {
    let unfinished = scan.unfinished.first();
    match unfinished.filter(|_| context.options.profile == Profile::Paper) {
        Some(unfinished) => {
            let rule = &context.rules.rules()[unfinished.rule as usize].id;
            Err(format!("the rule `{rule}` takes too many steps in it"))
        }
        None => Ok(()),
    }
}

/// Refuses files outside the published definitions, which cover only Python that parses without
/// errors.
fn refuse_by_profile(tree: &SyntaxTree, profile: Profile) -> Result<(), String> {
    if profile != Profile::Paper {
        return Ok(());
    }
    if let Some(errors) = tree.errors() {
        return Err(format!(
            "does not parse as {}: {}, the first in line {}",
            tree.language().id(),
            plural(errors.count, "syntax error"),
            errors.first_line,
        ));
    }
    if tree.encoding_note().is_some() {
        return Err("not UTF-8 text, which the published definitions leave out".to_owned());
    }
    Ok(())
}

/// Refusals, if versions of a file are compared.
fn refused(tree: &SyntaxTree, options: &Options) -> Vec<Refusal> {
    if options.follow && options.profile != Profile::Paper {
        refusals(tree)
    } else {
        Vec::new()
    }
}

fn errors(tree: &SyntaxTree, source: &LineSet) -> Option<SyntaxErrors> {
    let errors = tree.errors()?;
    Some(SyntaxErrors {
        count: errors.count,
        first_line: errors.first_line,
        lines: tree.error_rows().count_common(source),
    })
}

/// Span from the start of one node to the end of another.
fn span_to(tree: &SyntaxTree, first: u32, last: u32) -> Span {
    let (start, end) = (tree.node(first).start_byte, tree.node(last).end_byte);
    tree.span(start as usize, end.max(start) as usize)
}

fn callable(tree: &SyntaxTree, facts: CallableFacts, options: &Options) -> Callable {
    Callable {
        span: if facts.is_lower_bound {
            span_to(tree, facts.node, facts.last)
        } else {
            tree.node_span(facts.node)
        },
        mass: options.size_term.mass(facts.complexity, facts.sloc),
        name: facts.name,
        complexity: facts.complexity,
        sloc: facts.sloc,
        kind: facts.kind,
        cognitive: facts.cognitive,
        parameters: facts.parameters,
        nesting: facts.nesting,
        lower_bound: facts.is_lower_bound,
        tables: facts.tables,
    }
}
