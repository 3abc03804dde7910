//! Signals beyond the paper's, as findings.

use slope_model::finding::{DEAD_CODE, Finding, Span};
use slope_model::measurement::DeadCodeOrigin;
use slope_signals::{FileSignals, Origin, SignalFinding};

use crate::fingerprint::Fingerprints;
use crate::measured_file::MeasuredFile;
use crate::options::{Options, Profile};

/// Finding, with its origin if it is dead code and there is a base.
pub(crate) struct Told {
    pub(crate) finding: Finding,
    pub(crate) origin: Option<DeadCodeOrigin>,
}

/// Signal facts of the files of a base, by path.
pub(crate) type BaseFacts = [(String, FileSignals)];

/// Findings of each of the files, which are in path order.
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
    for (number, found) in numbers.into_iter().zip(tell(&with_facts, options, base)) {
        by_file[number] = found;
    }
    by_file
}

/// Findings of each of the files with these facts, which are in path order.
pub(crate) fn find_in(with_facts: &[(&str, &FileSignals)], options: &Options) -> Vec<Vec<Finding>> {
    let told = tell(with_facts, options, None).into_iter();
    let findings = |told: Vec<Told>| told.into_iter().map(|told| told.finding).collect();
    told.map(findings).collect()
}

/// As [`find_in`], with the origin of dead code if there is a base.
fn tell(
    with_facts: &[(&str, &FileSignals)],
    options: &Options,
    base: Option<&BaseFacts>,
) -> Vec<Vec<Told>> {
    let mut by_file: Vec<Vec<Told>> = Vec::new();
    by_file.resize_with(with_facts.len(), Vec::new);
    if with_facts.is_empty() {
        return by_file;
    }
    let mut prints: Vec<Fingerprints> = Vec::new();
    prints.resize_with(with_facts.len(), Fingerprints::default);
    for (found, origin) in all(with_facts, options, base) {
        let file = found.file;
        let finding = finding(with_facts[file].0, found, options, &mut prints[file]);
        by_file[file].extend(finding.map(|finding| Told { finding, origin }));
    }
    by_file
}

/// Findings of a file, if they are reported.
pub(crate) fn findings_of(
    path: &str,
    found: Vec<SignalFinding>,
    options: &Options,
) -> Vec<Finding> {
    let mut prints = Fingerprints::default();
    let findings = found
        .into_iter()
        .filter_map(|found| finding(path, found, options, &mut prints));
    findings.collect()
}

/// The finding of a signal, if it is reported.
fn finding(
    path: &str,
    found: SignalFinding,
    options: &Options,
    prints: &mut Fingerprints,
) -> Option<Finding> {
    is_reported(found.rule, options).then(|| Finding {
        rule: found.rule.to_owned(),
        category: found.category.to_owned(),
        severity: found.severity,
        path: path.to_owned(),
        span: found.span,
        fingerprint: prints.of(
            found.rule,
            &found.callable,
            &without_numbers(&found.message),
        ),
        // Names of several words are in backticks themselves.
        message: found.message.replace("``", "`"),
    })
}

/// Signals selected by the options.
pub(crate) fn wanted(options: &Options) -> slope_signals::Options {
    slope_signals::Options {
        every_signal: options.profile == Profile::Strict,
        enabled: options.enabled.clone(),
        in_changes: options.in_changes,
        ..slope_signals::Options::default()
    }
}

/// All findings, with the origin of dead code if there is a base.
fn all(
    files: &[(&str, &FileSignals)],
    options: &Options,
    base: Option<&BaseFacts>,
) -> Vec<(SignalFinding, Option<DeadCodeOrigin>)> {
    let wanted = wanted(options);
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

/// Line and id of the signal that reports the same as a rule, if there is one: the signal of the
/// same id, or one with another name for the pattern.
pub(crate) fn same_as(rule: &str, span: Span) -> Option<(u32, &str)> {
    let signal = match rule {
        "handler-only-reraises" => "useless-catch",
        _ => rule,
    };
    is_known(signal).then_some((span.start_line, signal))
}

/// A message without the separate numbers in it: lines and counts, which change with code
/// elsewhere.
fn without_numbers(message: &str) -> String {
    let part_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(start);
        let end = digits.find(|c: char| !c.is_ascii_digit());
        let (digits, after) = digits.split_at(end.unwrap_or(digits.len()));
        out.push_str(before);
        let in_name = out.ends_with(part_of_name)
            || after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if in_name {
            out.push_str(digits);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether there is a signal of this id.
pub(crate) fn is_known(id: &str) -> bool {
    slope_signals::SIGNALS.iter().any(|signal| signal.id == id)
}

pub(crate) fn is_reported(id: &str, options: &Options) -> bool {
    let signal = slope_signals::SIGNALS.iter().find(|signal| signal.id == id);
    let on = options.profile == Profile::Strict
        || signal.is_some_and(|signal| {
            signal.default_on || options.in_changes && !signal.in_changes.is_empty()
        })
        || options.enabled.iter().any(|name| name == id);
    on && !options.disabled.iter().any(|name| name == id)
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn only_standalone_numbers_are_removed() {
        for (message, left) in [
            (
                "Nothing gets here: line 12 never continues.",
                "Nothing gets here: line  never continues.",
            ),
            (
                "`f` does what `g2` does already (a1/b.py:30).",
                "`f` does what `g2` does already (a1/b.py:).",
            ),
            (
                "`_step_7` takes 9 parameters.",
                "`_step_7` takes  parameters.",
            ),
            ("", ""),
        ] {
            assert_eq!(without_numbers(message), left);
        }
    }
}
