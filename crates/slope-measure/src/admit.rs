//! Which findings of a file are reported for its path and project.
//!
//! Facts of a file know neither. What is left out here is still counted: code that a project
//! may not write otherwise, and inputs of tests, which are wrong on purpose.

use slope_rules::RuleSet;
use slope_signals::is_test_input;

use crate::facts::FileFacts;
use crate::findings::{LocalFinding, Source};
use crate::options::{Options, Profile};

/// A file's own findings that are reported.
pub(crate) fn admitted<'a>(
    path: &str,
    facts: &'a FileFacts,
    rules: &'a RuleSet,
    options: &'a Options,
) -> impl Iterator<Item = &'a LocalFinding> {
    let is_input = !facts.findings.is_empty() && is_test_input(path);
    let findings = facts.findings.iter();
    findings.filter(move |local| is_admitted(local, is_input, rules, options))
}

fn is_admitted(local: &LocalFinding, is_input: bool, rules: &RuleSet, options: &Options) -> bool {
    let Source::Rule(index) = local.source else {
        return true;
    };
    if options.profile != Profile::Slope || !rules.is_own(index) {
        return true;
    }
    let rule = &rules.rules()[index as usize];
    let is_silenced = local.silenced && options.suppressions.is_some();
    let is_asked_for = options.enabled.contains(&rule.id);
    !is_silenced && (is_asked_for || !is_input && !options.levels.lack(rule))
}
