//! Signals beyond the paper's, as findings.

use slope_model::finding::Finding;
use slope_model::measurement::DeadCodeOrigin;
use slope_signals::{FileSignals, Origin, SignalFinding};

use crate::assemble::MeasuredFile;
use crate::fingerprint::Fingerprints;
use crate::options::{Options, Profile};

/// Category of the signals for code that nothing uses.
const DEAD_CODE: &str = "dead-code";

/// A finding, and for dead code where it comes from if there is a base.
pub(crate) struct Told {
    pub(crate) finding: Finding,
    pub(crate) origin: Option<DeadCodeOrigin>,
}

/// What signals know of the files of a base, by path.
pub(crate) type BaseFacts = [(String, FileSignals)];

/// The findings of each of the files, which come in path order.
pub(crate) fn find(
    files: &[MeasuredFile],
    options: &Options,
    base: Option<&BaseFacts>,
) -> Vec<Vec<Told>> {
    let mut by_file: Vec<Vec<Told>> = Vec::new();
    by_file.resize_with(files.len(), Vec::new);
    let mut numbers = Vec::with_capacity(files.len());
    let mut with_facts = Vec::with_capacity(files.len());
    for (number, file) in files.iter().enumerate() {
        if let Some(facts) = &file.facts.signals {
            numbers.push(number);
            with_facts.push((file.path.as_str(), facts));
        }
    }
    if with_facts.is_empty() {
        return by_file;
    }
    let mut prints: Vec<Fingerprints> = Vec::new();
    prints.resize_with(with_facts.len(), Fingerprints::default);
    for (found, origin) in all(&with_facts, options, base) {
        if !is_reported(found.rule, options) {
            continue;
        }
        let finding = Finding {
            rule: found.rule.to_owned(),
            category: found.category.to_owned(),
            severity: found.severity,
            path: with_facts[found.file].0.to_owned(),
            span: found.span,
            fingerprint: prints[found.file].of(found.rule, &found.callable, &found.message),
            message: found.message,
        };
        by_file[numbers[found.file]].push(Told { finding, origin });
    }
    by_file
}

/// All findings, those of dead code with where they come from if there is a base.
fn all(
    files: &[(&str, &FileSignals)],
    options: &Options,
    base: Option<&BaseFacts>,
) -> Vec<(SignalFinding, Option<DeadCodeOrigin>)> {
    let wanted = slope_signals::Options {
        every_signal: options.profile == Profile::Strict || !options.enabled.is_empty(),
        ..slope_signals::Options::default()
    };
    let Some(base) = base else {
        let found = slope_signals::findings(files, &wanted);
        return found.into_iter().map(|finding| (finding, None)).collect();
    };
    let base: Vec<_> = base
        .iter()
        .map(|(path, facts)| (path.as_str(), facts))
        .collect();
    let found = slope_signals::classify(&base, files, &wanted).into_iter();
    let with_origin = found.map(|(finding, origin)| {
        let origin = match origin {
            Origin::Born => DeadCodeOrigin::BornDead,
            Origin::Orphaned => DeadCodeOrigin::Orphaned,
            Origin::Inherited => DeadCodeOrigin::Inherited,
        };
        let is_dead = finding.category == DEAD_CODE;
        (finding, is_dead.then_some(origin))
    });
    with_origin.collect()
}

/// Whether there is a signal of this id.
pub(crate) fn is_known(id: &str) -> bool {
    slope_signals::SIGNALS.iter().any(|signal| signal.id == id)
}

fn is_reported(id: &str, options: &Options) -> bool {
    let signal = slope_signals::SIGNALS.iter().find(|signal| signal.id == id);
    let on = options.profile == Profile::Strict
        || signal.is_some_and(|signal| signal.default_on)
        || options.enabled.iter().any(|name| name == id);
    on && !options.disabled.iter().any(|name| name == id)
}
