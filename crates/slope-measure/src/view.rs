//! File at one step of a comparison.

use std::collections::BTreeMap;
use std::sync::Arc;

use slope_model::finding::Finding;
use slope_model::measurement::{Callable, NotebookCell, Part, SyntaxErrors};
use slope_refusals::Refusal;
use slope_signals::{
    CheckCost, Drift, FileSignals, NewParameter, NewWrapper, Reused, StyleDrift, Styles, Vocabulary,
};
use slope_syntax::{Language, LineSet};

use crate::Measurer;
use crate::contents::Facts;
use crate::facts::FileFacts;
use crate::fold;

/// A finding of dead code with the row that it begins at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadCodeAt {
    /// Row of its first line, from 0.
    pub row: u32,
    /// The finding.
    pub finding: Finding,
}

/// File at one step of a comparison.
#[derive(Clone)]
pub struct FileView {
    pub(crate) path: Arc<str>,
    pub(crate) part: Part,
    pub(crate) facts: Facts,
    pub(crate) cloned: Arc<LineSet>,
    pub(crate) signals: Arc<Vec<Finding>>,
    pub(crate) dead: Arc<Vec<DeadCodeAt>>,
}

impl FileView {
    /// The facts that an outline lacks.
    fn whole(&self) -> &FileFacts {
        debug_assert!(
            !self.facts.facts.is_outline,
            "{} is only an outline",
            self.path
        );
        &self.facts.facts
    }

    /// The signals' facts of it; `None` if they were not run.
    pub(crate) fn signal_facts(&self) -> Option<&FileSignals> {
        self.facts.facts.signals.as_ref()
    }

    /// What a change does to the promises of functions: `pairs` are their dotted names before and after,
    /// `elsewhere` are all files before and after the change.
    #[must_use]
    pub fn contract_drift(
        &self,
        before: &Self,
        pairs: &[(&str, &str)],
        elsewhere: &[(Option<&Self>, &Self)],
    ) -> Vec<Drift> {
        let (Some(old), Some(new)) = (before.signal_facts(), self.signal_facts()) else {
            return Vec::new();
        };
        let elsewhere = elsewhere.iter().filter_map(|(before, after)| {
            let before = before.and_then(Self::signal_facts);
            Some((before, after.signal_facts()?))
        });
        let elsewhere: Vec<(Option<&FileSignals>, &FileSignals)> = elsewhere.collect();
        slope_signals::contract_drift(old, new, pairs, &elsewhere)
    }

    /// Errors that a function drops although it can fail itself.
    #[must_use]
    pub fn dropped_errors(&self, callable: &str) -> Vec<Drift> {
        let facts = self.signal_facts();
        facts.map_or_else(Vec::new, |facts| {
            slope_signals::dropped_errors(facts, callable)
        })
    }

    /// What checks of inputs add to the complexity of each function that has some, by dotted name.
    #[must_use]
    pub fn check_costs(&self) -> BTreeMap<&str, CheckCost> {
        let facts = self.signal_facts();
        facts.map(slope_signals::check_costs).unwrap_or_default()
    }

    /// Parameters that a change adds to functions: `pairs` are their dotted names before and after.
    #[must_use]
    pub fn new_parameters(&self, before: &Self, pairs: &[(&str, &str)]) -> Vec<NewParameter> {
        match (before.signal_facts(), self.signal_facts()) {
            (Some(old), Some(new)) => slope_signals::new_parameters(old, new, pairs),
            _ => Vec::new(),
        }
    }

    /// Functions that a change adds and that only call one that is there.
    #[must_use]
    pub fn new_wrappers(&self, before: &Self) -> Vec<NewWrapper> {
        match (before.signal_facts(), self.signal_facts()) {
            (Some(old), Some(new)) => slope_signals::new_wrappers(old, new),
            _ => Vec::new(),
        }
    }

    /// Names of a code base that it uses and did not mention before a change, rarest first.
    #[must_use]
    pub fn reused(&self, before: Option<&Self>, of: &Vocabulary) -> Vec<Reused> {
        let before = before.and_then(Self::signal_facts);
        let after = self.signal_facts();
        after.map_or_else(Vec::new, |after| of.reused(&self.path, before, after))
    }

    /// Styles that a change of these files adds, and that differ from nearly all of the code before it. Each file
    /// before and after the change.
    #[must_use]
    pub fn style_drift(files: &[(Option<&Self>, Option<&Self>)], base: &Styles) -> Vec<StyleDrift> {
        let changed = files.iter().map(|&(before, after)| {
            let path = after.or(before).map_or("", Self::path);
            let facts = [before, after].map(|view| view.and_then(Self::signal_facts));
            (path, facts[0], facts[1])
        });
        slope_signals::style_drift(&changed.collect::<Vec<_>>(), base)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its part of the code base.
    #[must_use]
    pub fn part(&self) -> Part {
        self.part
    }

    /// The part of the code base of a row: in Rust tests are in files of production code too.
    #[must_use]
    pub fn part_at(&self, row: u32) -> Part {
        let tests = &self.whole().test_rows;
        let after = tests.partition_point(|&(first, _)| first <= row);
        match after > 0 && row <= tests[after - 1].1 {
            true => Part::Tests,
            false => self.part,
        }
    }

    /// Whether tests are mixed with its code.
    #[must_use]
    pub fn has_inline_tests(&self) -> bool {
        self.part != Part::Tests && !self.whole().test_rows.is_empty()
    }

    /// Its language.
    #[must_use]
    pub fn language(&self) -> Language {
        self.facts.language
    }

    /// The refusals of the language's own parser.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.facts.facts.refused
    }

    /// Its syntax errors, if any.
    #[must_use]
    pub fn syntax_errors(&self) -> Option<SyntaxErrors> {
        self.facts.facts.errors
    }

    /// The code cells of a notebook in order; empty for other files.
    #[must_use]
    pub fn cells(&self) -> &[NotebookCell] {
        &self.facts.facts.cells
    }

    /// Its callables in order of position.
    #[must_use]
    pub fn callables(&self) -> &[Callable] {
        &self.whole().callables
    }

    /// Cognitive complexity of the control structures outside of callables, boolean operators left
    /// out; `None` in the paper's profile.
    #[must_use]
    pub fn cognitive_outside(&self) -> Option<u32> {
        self.whole().cognitive_outside
    }

    /// For each callable, a hash of it apart from its name and layout.
    #[must_use]
    pub fn forms(&self) -> &[u64] {
        &self.whole().forms.callables
    }

    /// The same for the code outside callables.
    #[must_use]
    pub fn form_of_rest(&self) -> u64 {
        self.whole().forms.rest
    }

    /// Statements of blocks by first row: the row, and a hash apart from layout and inner blocks.
    #[must_use]
    pub fn statements(&self) -> &[(u32, u32)] {
        &self.whole().forms.statements
    }

    /// Number of statements that begin in a callable. Unlike its lines they do not depend on layout.
    #[must_use]
    pub fn statements_of(&self, callable: &Callable) -> u32 {
        let all = self.statements();
        let first = callable.span.start_line.saturating_sub(1);
        let before = |end: u32| all.partition_point(|&(row, _)| row < end);
        let count = before(callable.span.end_line).saturating_sub(before(first));
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Rows that carry code.
    #[must_use]
    pub fn source(&self) -> &LineSet {
        &self.facts.facts.source
    }

    /// Rows flagged by rules.
    #[must_use]
    pub fn flagged(&self) -> &LineSet {
        &self.whole().flagged
    }

    /// Rows in clones of types 1 and 2, of any kind of row.
    #[must_use]
    pub fn cloned(&self) -> &LineSet {
        &self.cloned
    }

    /// Dead code in order of position.
    #[must_use]
    pub fn dead_code(&self) -> &[DeadCodeAt] {
        &self.dead
    }

    /// Findings of rules and signals in order of position, without those that comments silence.
    /// Computed at each call.
    #[must_use]
    pub fn findings(&self, measurer: &Measurer) -> Vec<Finding> {
        let signals = (*self.signals).clone();
        let (rules, options) = (&measurer.rules, &measurer.options);
        fold::all_findings(&self.path, self.whole(), signals, rules, options)
    }

    /// Whether two views are of the same content.
    #[must_use]
    pub fn is_same_content(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.facts.facts, &other.facts.facts)
    }
}
