//! Located findings beyond the published metrics: dead code, needless layers,
//! speculative generality, defensive noise, comment noise, excess size and
//! reimplementation.
//!
//! Two steps. [`facts`] looks at one file and is pure, so that what it gives can
//! be cached by content. [`findings`] looks at the facts of all files of a
//! snapshot; nothing is read or parsed again. [`classify`] splits findings by a
//! base snapshot into born dead, orphaned and inherited.
//!
//! Each signal is precise before it is complete: what may be used by reflection,
//! decorators, exports, frameworks or other files in ways that are not seen is
//! not reported. [`SIGNALS`] holds the measured precision of each.

mod catalogue;
mod comments;
mod dead;
mod facts;
mod findings;
mod gather;
mod handlers;
mod kind;
mod languages;
mod layers;
mod leftovers;
mod occurrences;
mod parameters;
mod python;
mod sizes;
mod snapshot;
mod unreachable;
mod view;
mod words;

use slope_syntax::{CallableFacts, LineSet, SyntaxTree};

pub use catalogue::{SIGNALS, Signal, SignalInfo};
pub use facts::FileSignals;
pub use findings::{Options, SignalFinding, findings};
pub use view::Place;

use gather::Gatherer;
use occurrences::Occurrences;
use view::View;

/// Version of what [`facts`] gives; part of the key of a cache.
pub const FACTS_VERSION: u32 = 1;

/// What signals keep of a file.
///
/// `callables` are those of the file in order of position, `source` its source
/// lines. For a language that signals do not know the facts are empty.
#[must_use]
pub fn facts(tree: &SyntaxTree, callables: &[CallableFacts], source: &LineSet) -> FileSignals {
    let mut facts = FileSignals {
        language: tree.language().id().to_owned(),
        sloc: source.count(),
        ..FileSignals::default()
    };
    let Some(view) = View::new(tree, callables, source) else {
        return facts;
    };
    let names = Occurrences::new(&view, python::names::classify);
    let mut gatherer = Gatherer {
        view,
        names,
        local: Vec::new(),
    };
    comments::find(&mut gatherer);
    handlers::find(&mut gatherer);
    let ends = unreachable::Ends::new(&gatherer.view);
    unreachable::find(&mut gatherer, &ends);
    python::gather(&mut gatherer, &mut facts);
    finish(gatherer, facts)
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
