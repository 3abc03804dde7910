//! Signals beyond the paper's, as findings.

use slope_model::finding::Finding;
use slope_signals::FileSignals;

use crate::assemble::MeasuredFile;
use crate::fingerprint::Fingerprints;
use crate::options::{Options, Profile};

/// The findings of files in path order.
pub(crate) fn find(files: &[MeasuredFile], options: &Options) -> Vec<Finding> {
    let with_facts = files
        .iter()
        .filter_map(|f| Some((f.path.as_str(), f.facts.signals.as_ref()?)));
    find_in(&with_facts.collect::<Vec<_>>(), options)
}

/// The findings of the facts of files in path order.
pub(crate) fn find_in(with_facts: &[(&str, &FileSignals)], options: &Options) -> Vec<Finding> {
    if with_facts.is_empty() {
        return Vec::new();
    }
    let wanted = slope_signals::Options {
        every_signal: options.profile == Profile::Strict || !options.enabled.is_empty(),
        ..slope_signals::Options::default()
    };
    let mut prints: Vec<Fingerprints> = Vec::new();
    prints.resize_with(with_facts.len(), Fingerprints::default);
    slope_signals::findings(with_facts, &wanted)
        .into_iter()
        .filter(|found| is_reported(found.rule, options))
        .map(|found| Finding {
            rule: found.rule.to_owned(),
            category: found.category.to_owned(),
            severity: found.severity,
            path: with_facts[found.file].0.to_owned(),
            span: found.span,
            fingerprint: prints[found.file].of(found.rule, &found.callable, &found.message),
            message: found.message,
        })
        .collect()
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
