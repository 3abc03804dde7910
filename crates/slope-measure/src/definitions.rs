//! Hash of everything that determines the numbers.

use std::collections::BTreeMap;

use slope_model::measurement::Definitions;
use slope_rules::RuleSet;
use slope_syntax::Language;

use crate::options::{Options, Profile, Tests};

/// Version of the metric definitions of this crate and those below it. Raise it when the same file
/// can get another number with the same grammar and rules.
const VERSION: &str = "10";

/// The same for the published definitions, which do not change.
const PUBLISHED_VERSION: &str = "1";

/// Language of the published definitions.
pub(crate) const PUBLISHED_LANGUAGE: &str = "python";

/// Version of the rule engine, which determines the matches of a rule.
const RULE_ENGINE: &str = "ast-grep 0.51.1";

/// Version of the encoding of cached facts.
const FACTS: &str = "50";

/// Name and version of the definitions selected by the options.
pub(crate) fn version(options: &Options) -> String {
    let version = match options.profile {
        Profile::Paper => PUBLISHED_VERSION,
        Profile::Slope | Profile::Strict => VERSION,
    };
    format!("{}/{version}", options.profile.id())
}

pub(crate) fn definitions(options: &Options, rules: &RuleSet) -> Definitions {
    let mut hasher = Parts::new(options, rules);
    // Signals change without the number of the definitions: they are not published metrics.
    if options.signals && options.profile != Profile::Paper {
        hasher.add(&slope_signals::FACTS_VERSION);
    }
    hasher.add(&options.tests.id());
    hasher.add(&options.ignore_files);
    hasher.add(&options.leave_out);
    for names in [
        &options.excluded,
        &options.excluded_at_top,
        &options.excluded_globs,
        &options.configured_globs.patterns,
    ] {
        hasher.add_names(names);
    }
    Definitions {
        version: version(options),
        hash: hasher.0.finalize().to_hex().to_string(),
        grammars: grammars(),
        rules: rules.packs().clone(),
    }
}

/// Hash of all other inputs of a file's facts.
pub(crate) fn facts_hash(options: &Options, rules: &RuleSet) -> [u8; 16] {
    let mut hasher = Parts::new(options, rules);
    hasher.add(&FACTS);
    hasher.add(&slope_signals::FACTS_VERSION);
    hasher.add(&options.follow);
    if !options.headline {
        hasher.add(&"no headline");
    }
    // Tests within code are blank then.
    hasher.add(&(options.tests == Tests::Exclude));
    half(&hasher.0.finalize())
}

/// The first half of a hash, which is long enough for a name.
pub(crate) fn half(hash: &blake3::Hash) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

fn grammars() -> BTreeMap<String, String> {
    Language::all()
        .map(|l| (l.grammar().to_owned(), l.grammar_version().to_owned()))
        .collect()
}

/// A hash of parts that cannot run into each other.
struct Parts(blake3::Hasher);

impl Parts {
    /// Starts with the inputs that the facts of a file depend on.
    fn new(options: &Options, rules: &RuleSet) -> Self {
        let mut parts = Self(blake3::Hasher::new());
        parts.add(&version(options));
        parts.add(&RULE_ENGINE);
        parts.add(&options.cut_off);
        parts.add(&options.size_term.id());
        parts.add(&options.limits.max_bytes);
        parts.add(&options.limits.max_depth);
        parts.add(&options.near_miss);
        parts.add(&options.signals);
        parts.add(&options.in_changes);
        parts.add_names(&options.enabled);
        parts.add_names(&options.disabled);
        for (name, value) in grammars() {
            parts.add(&name);
            parts.add(&value);
        }
        // The names of foreign packs are paths. Only their content matters.
        for value in rules.packs().values() {
            parts.add(value);
        }
        parts
    }

    fn add(&mut self, part: &impl ToString) {
        let part = part.to_string();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part.as_bytes());
    }

    fn add_names(&mut self, names: &[String]) {
        let mut names = names.to_vec();
        names.sort();
        names.dedup();
        self.add(&names.len());
        for name in &names {
            self.add(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE_ENGINE;

    #[test]
    fn rule_engine_version_matches_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        let version = RULE_ENGINE.trim_start_matches("ast-grep ");
        let entry = format!("name = \"ast-grep-config\"\nversion = \"{version}\"");
        assert!(lock.contains(&entry));
    }
}
