//! Located findings beyond the published metrics: dead code, needless layers, speculative
//! generality, defensive noise, comment noise, excess size and reimplementation.
//!
//! There are two steps. [`facts`] processes one file and is pure, so its result can be cached by
//! content. [`findings`] combines the facts of all files of a snapshot without reading or parsing
//! them again. For many changes of one snapshot, a [`Background`] has its tables, and a
//! [`ChangedTree`] looks only at the files that a change can affect; the findings are the same.
//! [`classify`] compares findings with a base snapshot: born dead, orphaned or inherited.
//!
//! Each signal prefers precision to recall: code that may be used by reflection, decorators,
//! exports, frameworks or other files in invisible ways is not reported. [`SIGNALS`] has the
//! measured precision of each.

mod alike;
mod assertions;
mod background;
mod body;
mod case_rows;
mod catalogue;
mod chains;
mod changed_tree;
mod classify;
mod comments;
mod contracts;
mod contributions;
mod copies;
mod dead;
mod declared_rows;
mod deviations;
mod doubtless;
mod fact_rules;
mod facts;
mod file_paths;
mod findings;
mod forward;
mod gather;
mod handlers;
mod imports;
mod keys;
mod layers;
mod leftovers;
mod locals;
mod middle_men;
mod namesakes;
mod narration;
mod new_parameters;
mod new_wrappers;
mod numbers;
mod occurrences;
mod operations;
mod overlay;
mod paragraphs;
mod parameter_use;
mod parameters;
mod plain;
mod plain_bodies;
mod privacy;
mod prose;
mod python;
mod reach;
mod reasons;
mod reimplementation;
mod resemblances;
mod restating;
mod reuse;
mod shown;
mod signal_finding;
pub mod similar;
mod sizes;
mod snapshot;
mod styles;
mod summary;
mod table_places;
mod tables;
mod text_switches;
mod texts;
mod unreachable;
mod vacuous;
mod value_rows;
mod value_sets;
mod words;

use slope_model::time_limit;
use slope_syntax::{CallableFacts, LineSet, SyntaxTree};

pub use alike::Likenesses;
pub use background::Background;
pub use catalogue::{SIGNALS, Signal, SignalInfo};
pub use changed_tree::ChangedTree;
pub use classify::{Origin, classify};
pub use contracts::{Drift, DriftKind, check_costs, check_count, contract_drift, dropped_errors};
pub use copies::Resemblance;
pub use deviations::is_runtime_module;
pub use facts::{CheckCost, FileSignals};
pub use file_paths::is_test_input;
pub use findings::findings;
pub use new_parameters::{NewParameter, new_parameters};
pub use new_wrappers::{NewWrapper, new_wrappers};
pub use resemblances::{Resemblances, Wanted, resemblances};
pub use restating::names_statement;
pub use reuse::{Reused, Vocabulary};
pub use signal_finding::{Options, SignalFinding};
pub use slope_syntax::view::Place;
pub use styles::{ChangedFile, StyleDrift, Styles, style_drift};
pub use tables::CopiedTable;

use fact_rules::gatherer;
use gather::{Gatherer, symbol_hash};
use occurrences::Use;
use slope_syntax::conventions::FactRules;
use slope_syntax::view::View;

/// Version of the results of [`facts`], which is part of the cache key.
pub const FACTS_VERSION: u32 = 60;

/// The facts that signals keep of a file.
///
/// `callables` are those of the file in order of position, `source` its source lines. For a
/// language that signals do not support the facts are empty.
#[must_use]
pub fn facts(tree: &SyntaxTree, callables: &[CallableFacts], source: &LineSet) -> FileSignals {
    let every_signal = Options {
        every_signal: true,
        ..Options::default()
    };
    facts_for(tree, callables, source, &every_signal)
}

/// As [`facts`], restricted to the needs of the wanted signals.
#[must_use]
pub fn facts_for(
    tree: &SyntaxTree,
    callables: &[CallableFacts],
    source: &LineSet,
    wanted: &Options,
) -> FileSignals {
    let mut facts = FileSignals {
        language: tree.language().id().to_owned(),
        sloc: source.count(),
        holds_tests: slope_syntax::holds_tests(tree),
        ..FileSignals::default()
    };
    let Some(view) = View::new(tree, callables, source) else {
        if wanted.in_changes {
            plain_bodies::note(tree, callables, &mut facts);
        }
        return facts;
    };
    let conventions = view.conventions;
    let mut gatherer = gatherer(view);
    if conventions.rules == FactRules::DeadCode {
        if wanted.in_changes {
            plain_bodies::note(tree, callables, &mut facts);
        }
        return dead_code(gatherer, facts);
    }
    time_limit::check();
    comments::find(&mut gatherer);
    handlers::find(&mut gatherer);
    let ends = unreachable::Ends::new(&gatherer.view);
    if !conventions.flow.hides_statements {
        unreachable::find(&mut gatherer, &ends);
    }
    if conventions.rules == FactRules::Python {
        python::gather(&mut gatherer, &mut facts, &ends);
    } else {
        plain::gather(&mut gatherer, &mut facts);
    }
    time_limit::check();
    chains::find(&mut gatherer);
    text_switches::find(&mut gatherer);
    doubtless::find(&mut gatherer);
    vacuous::find(&mut gatherer);
    assertions::find(&mut gatherer);
    time_limit::check();
    facts.symbols = symbols(&gatherer, &facts);
    if wanted.compares_functions() || wanted.in_changes {
        summary::summarize(&mut gatherer, &mut facts);
    }
    if wanted.looks_for_deviations() {
        deviations::note(&mut gatherer, &mut facts);
    }
    if wanted.in_changes {
        body::note(&gatherer, &mut facts);
        operations::note(&mut gatherer, &mut facts);
        tables::note(&gatherer, &mut facts);
        value_sets::note(&gatherer, &mut facts);
        contracts::note(&gatherer, &mut facts);
    }
    finish(gatherer, facts)
}

/// Facts of a language with support only for unused imports and private functions.
fn dead_code(mut gatherer: Gatherer<'_>, mut facts: FileSignals) -> FileSignals {
    privacy::unused(&mut gatherer);
    imports::find(&mut gatherer, &mut facts);
    facts.symbols = symbols(&gatherer, &facts);
    finish(gatherer, facts)
}

/// Hashes of a file's definitions, ascending: stored names by their function, and imports.
fn symbols(gatherer: &Gatherer<'_>, facts: &FileSignals) -> Vec<u32> {
    let stored = gatherer
        .names
        .list
        .iter()
        .filter(|occurrence| matches!(occurrence.how, Use::Store | Use::Bind | Use::Import));
    let view = &gatherer.view;
    let mut symbols: Vec<u32> = stored
        .map(|occurrence| symbol_hash(view.callable(occurrence.node), view.text(occurrence.node)))
        .collect();
    let classes = view.of_kind(slope_syntax::Construct::Class).iter();
    let names = classes.filter_map(|&class| view.name_of(class));
    symbols.extend(names.map(|name| symbol_hash("", view.text(name))));
    symbols.sort_unstable();
    symbols.dedup();
    debug_assert!(facts.symbols.is_empty());
    symbols
}

fn finish(gatherer: Gatherer<'_>, mut facts: FileSignals) -> FileSignals {
    let Gatherer {
        names, mut local, ..
    } = gatherer;
    local.sort_by_key(|l| (l.place, l.signal));
    facts.local = local;
    facts.mentions = names.mentions;
    facts.prefixes = names.prefixes;
    facts.names = names.names.into_list();
    facts
}
