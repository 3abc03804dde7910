//! Where the numbers come from, as a hash.

use std::collections::BTreeMap;

use slope_model::measurement::Definitions;
use slope_rules::RuleSet;
use slope_syntax::Language;

use crate::options::Options;

/// Version of the metric definitions of this crate and those below it. Raise it
/// when the same file can get another number from the same grammar and rules.
const VERSION: &str = "1";

/// Version of the rule engine, which decides what a rule matches.
const RULE_ENGINE: &str = "ast-grep 0.51.1";

pub(crate) fn definitions(options: &Options, rules: &RuleSet) -> Definitions {
    let version = format!("{}/{VERSION}", options.profile.id());
    let grammars: BTreeMap<String, String> = Language::all()
        .map(|l| (l.grammar().to_owned(), l.grammar_version().to_owned()))
        .collect();
    let packs = rules.packs().clone();
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &str| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    add(&version);
    add(RULE_ENGINE);
    add(&options.cut_off.to_string());
    add(&options.limits.max_bytes.to_string());
    add(&options.limits.max_depth.to_string());
    add(&options.gitignore.to_string());
    let mut excluded = options.excluded.clone();
    excluded.sort();
    excluded.dedup();
    add(&excluded.join("/"));
    for (name, value) in &grammars {
        add(name);
        add(value);
    }
    // Pack names are paths for foreign packs; only what is in them matters.
    for value in packs.values() {
        add(value);
    }
    Definitions {
        version,
        hash: hasher.finalize().to_hex().to_string(),
        grammars,
        rules: packs,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE_ENGINE;

    #[test]
    fn the_rule_engine_is_that_of_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        let version = RULE_ENGINE.trim_start_matches("ast-grep ");
        let entry = format!("name = \"ast-grep-config\"\nversion = \"{version}\"");
        assert!(lock.contains(&entry));
    }
}
