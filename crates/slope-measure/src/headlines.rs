//! The numbers that the code of each language is known by, and their ranks among human repositories.

use std::collections::BTreeMap;

use slope_model::measurement::{FileMeasurement, LanguageHeadline, Part, PublishedTotals, Totals};

use crate::definitions;
use crate::options::Options;
use crate::panel;
use crate::totals::by_part;

/// The language that has definitions and panels of its own.
const PUBLISHED: &str = "python";

/// The headline of each language or group of languages, that with the most code first.
pub(crate) fn headlines(
    files: &[FileMeasurement],
    published: Option<&PublishedTotals>,
    options: &Options,
) -> Vec<LanguageHeadline> {
    let mut groups: BTreeMap<Vec<&str>, Vec<&FileMeasurement>> = BTreeMap::new();
    for file in files {
        let group = panel::group(&file.language);
        groups.entry(group).or_default().push(file);
    }
    let mut headlines: Vec<LanguageHeadline> = groups
        .iter()
        .filter_map(|(group, files)| headline(group, files, published, options))
        .collect();
    headlines.sort_by_key(|headline| std::cmp::Reverse(headline.totals.sloc));
    headlines
}

fn headline(
    group: &[&str],
    files: &[&FileMeasurement],
    published: Option<&PublishedTotals>,
    options: &Options,
) -> Option<LanguageHeadline> {
    if let (&[PUBLISHED], Some(published)) = (group, published) {
        return Some(of_published(published));
    }
    let totals = product(files, options)?;
    let incomparable = incomparable(group, options);
    Some(LanguageHeadline {
        languages: present(files),
        definitions: definitions::version(options),
        standings: match incomparable {
            None => panel::standings(&totals, group),
            Some(_) => Vec::new(),
        },
        incomparable,
        totals,
    })
}

fn of_published(published: &PublishedTotals) -> LanguageHeadline {
    LanguageHeadline {
        languages: vec![PUBLISHED.to_owned()],
        definitions: published.definitions.clone(),
        totals: published.totals.clone(),
        standings: published.standings.clone(),
        incomparable: None,
    }
}

/// Ids of the languages of files, sorted.
fn present(files: &[&FileMeasurement]) -> Vec<String> {
    let mut languages: Vec<String> = files.iter().map(|file| file.language.clone()).collect();
    languages.sort();
    languages.dedup();
    languages
}

/// Totals without tests, which repositories have very different shares of.
pub(crate) fn product(files: &[&FileMeasurement], options: &Options) -> Option<Totals> {
    by_part(files.iter().copied(), options).remove(&Part::Product)
}

/// Why the numbers cannot be compared with the panel of a group.
fn incomparable(group: &[&str], options: &Options) -> Option<String> {
    let default = Options::default();
    let rules_differ = !options.own_rules
        || !options.rule_paths.is_empty()
        || !options.enabled.is_empty()
        || !options.disabled.is_empty();
    let panel = panel::panels()
        .iter()
        .find(|panel| panel.languages == group);
    let Some(panel) = panel else {
        return Some("there is no panel of this language".to_owned());
    };
    if panel.definitions != definitions::version(options) {
        Some(format!("the panel has definitions {}", panel.definitions))
    } else if options.cut_off != default.cut_off || options.size_term != default.size_term {
        Some("the panel has the default limits".to_owned())
    } else if rules_differ {
        Some("the panel has slope's own rules, without changes".to_owned())
    } else {
        None
    }
}
