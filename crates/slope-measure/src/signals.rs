//! Signals beyond the paper's, as findings.

use slope_model::finding::Finding;
use slope_signals::FileSignals;

use crate::assemble::MeasuredFile;
use crate::fingerprint::Fingerprints;
use crate::options::{Options, Profile};

/// The findings of each of the files, which come in path order.
pub(crate) fn find(files: &[MeasuredFile], options: &Options) -> Vec<Vec<Finding>> {
    let mut by_file: Vec<Vec<Finding>> = Vec::new();
    by_file.resize_with(files.len(), Vec::new);
    let mut numbers = Vec::with_capacity(files.len());
    let mut with_facts = Vec::with_capacity(files.len());
    for (number, file) in files.iter().enumerate() {
        if let Some(facts) = &file.facts.signals {
            numbers.push(number);
            with_facts.push((file.path.as_str(), facts));
        }
    }
    for (number, found) in numbers.into_iter().zip(find_in(&with_facts, options)) {
        by_file[number] = found;
    }
    by_file
}

/// The findings of each of the files with these facts, which come in path order.
pub(crate) fn find_in(with_facts: &[(&str, &FileSignals)], options: &Options) -> Vec<Vec<Finding>> {
    let mut by_file: Vec<Vec<Finding>> = Vec::new();
    by_file.resize_with(with_facts.len(), Vec::new);
    if with_facts.is_empty() {
        return by_file;
    }
    let wanted = slope_signals::Options {
        every_signal: options.profile == Profile::Strict || !options.enabled.is_empty(),
        ..slope_signals::Options::default()
    };
    let mut prints: Vec<Fingerprints> = Vec::new();
    prints.resize_with(with_facts.len(), Fingerprints::default);
    for found in slope_signals::findings(with_facts, &wanted) {
        if !is_reported(found.rule, options) {
            continue;
        }
        by_file[found.file].push(Finding {
            rule: found.rule.to_owned(),
            category: found.category.to_owned(),
            severity: found.severity,
            path: with_facts[found.file].0.to_owned(),
            span: found.span,
            fingerprint: prints[found.file].of(found.rule, &found.callable, &found.message),
            message: found.message,
        });
    }
    by_file
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
