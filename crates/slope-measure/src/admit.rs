//! Selection of the findings reported for a file, by its path and project.
//!
//! The facts of a file depend on neither. Findings dropped here are still counted: they concern
//! code that a project cannot write differently, and test inputs that are wrong on purpose.

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
