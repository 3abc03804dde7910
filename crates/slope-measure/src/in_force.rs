//! Selection of the rules that are matched, and of the findings that are shown.

use slope_rules::{Rule, RuleSet, SECURITY};

use crate::options::{Options, Profile};
use crate::suppress::{self, RuleState};
use crate::{Error, clones, findings, signals};

/// Findings that belong to neither a rule nor a signal.
pub const BUILT_IN: &[&str] = &[
    clones::CLONE,
    clones::NEAR_CLONE,
    findings::HIGH_COMPLEXITY,
    findings::PACKED_LINES,
    findings::SYNTAX_ERROR,
    findings::UNFINISHED_RULE,
    suppress::STALE,
];

/// For each rule, whether its matches count and are reported.
pub(crate) fn reported(rules: &RuleSet, options: &Options) -> Result<Vec<bool>, Error> {
    let named = options.enabled.iter().chain(&options.disabled);
    for name in named {
        let known = rules.rules().iter().any(|rule| is_meant(rule, name));
        if !known && !signals::is_known(name) && !BUILT_IN.contains(&name.as_str()) {
            return Err(unknown(name, rules, options));
        }
    }
    let each = rules.rules().iter().map(|rule| is_reported(rule, options));
    Ok(each.collect())
}

/// Whether an option with this name concerns a rule: it is the rule's id or category.
pub(crate) fn is_meant(rule: &Rule, name: &str) -> bool {
    rule.id == name || rule.category == name
}

/// The error for an id that no rule has.
fn unknown(id: &str, rules: &RuleSet, options: &Options) -> Error {
    let ids = rules.rules().iter().map(|rule| rule.id.as_str());
    let built_in = BUILT_IN.iter().copied();
    let signals = slope_signals::SIGNALS.iter().map(|signal| signal.id);
    let names = ids.chain(signals).chain(built_in).chain([SECURITY]);
    let near = slope_model::near_names(names, id);
    Error::UnknownRule {
        place: options.place_of(id),
        id: id.to_owned(),
        near: match near[..] {
            [] => String::new(),
            _ => format!("use {}, or ", near.join(" or ")),
        },
    }
}

fn is_reported(rule: &Rule, options: &Options) -> bool {
    let is_in = |names: &[String]| names.iter().any(|name| is_meant(rule, name));
    let on = match options.profile {
        Profile::Slope => rule.default_on || is_in(&options.enabled),
        Profile::Strict => true,
        Profile::Paper => rule.published,
    };
    on && !is_in(&options.disabled)
}

/// State of the rule, signal or other finding with this id.
pub(crate) fn looked(id: &str, rules: &RuleSet, options: &Options) -> RuleState {
    let mut named = rules.rules().iter().filter(|rule| rule.id == id).peekable();
    let is_rule = named.peek().is_some();
    let is_on = named.any(|rule| is_reported(rule, options))
        || options.signals && signals::is_known(id) && signals::is_reported(id, options);
    if is_on {
        return RuleState::On;
    }
    if is_rule || signals::is_known(id) {
        return RuleState::Off;
    }
    let is_off = options.disabled.iter().any(|name| name == id)
        || id == clones::NEAR_CLONE && !options.near_miss;
    match BUILT_IN.contains(&id) {
        true if is_off => RuleState::Off,
        true => RuleState::On,
        // Without slope's own rules their ids are unknown.
        false if !options.own_rules => RuleState::Off,
        false => RuleState::Unknown,
    }
}

/// Selects the rules to match: those that are reported, and those that the published definitions
/// count, if there is a headline.
pub(crate) fn choose(rules: &mut RuleSet, reported: &[bool], options: &Options) {
    let each = rules.rules().iter().zip(reported);
    let is_counted = |rule: &Rule| options.headline && rule.published;
    let chosen: Vec<bool> = each.map(|(rule, on)| *on || is_counted(rule)).collect();
    let mut each = chosen.into_iter();
    rules.choose(|_| each.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use slope_rules::RuleSet;

    use super::BUILT_IN;

    #[test]
    fn rules_and_signals_have_distinct_ids() {
        let rules = RuleSet::embedded().unwrap();
        let rules: BTreeSet<&str> = rules.rules().iter().map(|rule| rule.id.as_str()).collect();
        let signals = slope_signals::SIGNALS.iter().map(|signal| signal.id);
        let twice: Vec<&str> = signals
            .chain(BUILT_IN.iter().copied())
            .filter(|id| rules.contains(id))
            .collect();
        assert_eq!(twice, [""; 0]);
    }
}
