//! Headline numbers of each language, and their ranks among human repositories.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use slope_model::measurement::{FileMeasurement, LanguageHeadline, Part, PublishedTotals, Totals};
use slope_model::plural;

use crate::definitions::{self, PUBLISHED_LANGUAGE};
use crate::options::{Options, Tests};
use crate::panel;
use crate::published::in_scope;
use crate::totals::by_part;

/// The reason for rules that the panels do not have.
const OTHER_RULES: &str = "no percentiles: you chose other rules than slope's own";

/// Minimum number of source lines for a rank. Below it a single function determines every ratio.
const SMALLEST: u64 = 100;

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
    let mut headlines: Vec<(u64, LanguageHeadline)> = groups
        .iter()
        .filter_map(|(group, files)| {
            let product = product(files, options);
            // The Python headline counts tests, which do not affect the order.
            let size = product.as_ref().map_or(0, |totals| totals.sloc);
            Some((size, headline(group, files, product, published, options)?))
        })
        .collect();
    headlines.sort_by_key(|(size, _)| Reverse(*size));
    headlines.into_iter().map(|(_, one)| one).collect()
}

fn headline(
    group: &[&str],
    files: &[&FileMeasurement],
    product: Option<Totals>,
    published: Option<&PublishedTotals>,
    options: &Options,
) -> Option<LanguageHeadline> {
    if let (&[PUBLISHED_LANGUAGE], Some(published)) = (group, published) {
        return Some(of_published(published, files, options));
    }
    let totals = product?;
    let has_scripts = files.iter().any(|file| in_scope(&file.path));
    let incomparable = incomparable(group, has_scripts, &totals, options);
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

/// The headline of Python, which leaves out files that Python would not parse.
fn of_published(
    published: &PublishedTotals,
    files: &[&FileMeasurement],
    options: &Options,
) -> LanguageHeadline {
    let is_broken = |file: &&&FileMeasurement| file.syntax_errors.is_some() && in_scope(&file.path);
    let broken: Vec<_> = files.iter().filter(is_broken).collect();
    let left_out: u64 = broken.iter().map(|file| u64::from(file.lines)).sum();
    let mut totals = published.totals.clone();
    totals.files_with_syntax_errors = u32::try_from(broken.len()).unwrap_or(u32::MAX);
    let incomparable = if left_out * 10 > totals.lines {
        Some("no percentiles: too many files do not parse".to_owned())
    } else if options.tests == Tests::Exclude {
        Some("no percentiles: the panel has tests".to_owned())
    } else if !options.own_rules || !options.rule_paths.is_empty() {
        Some(OTHER_RULES.to_owned())
    } else {
        None
    };
    LanguageHeadline {
        languages: vec![PUBLISHED_LANGUAGE.to_owned()],
        definitions: published.definitions.clone(),
        totals,
        standings: match incomparable {
            None => published.standings.clone(),
            Some(_) => Vec::new(),
        },
        incomparable,
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

/// Reason that the numbers cannot be compared with the panel of a group. `has_scripts` says whether the published
/// definitions cover any file.
fn incomparable(
    group: &[&str],
    has_scripts: bool,
    totals: &Totals,
    options: &Options,
) -> Option<String> {
    let default = Options::default();
    let rules_differ = !options.own_rules
        || !options.rule_paths.is_empty()
        || !options.enabled.is_empty()
        || !options.disabled.is_empty();
    let panel = panel::panels()
        .iter()
        .find(|panel| panel.languages == group);
    let Some(panel) = panel else {
        return Some("no percentiles: there is no panel of this language".to_owned());
    };
    let why = if group == [PUBLISHED_LANGUAGE] && !has_scripts {
        "the published definitions measure .py files only".to_owned()
    } else if group == [PUBLISHED_LANGUAGE] {
        "no file parses as Python requires".to_owned()
    } else if panel.definitions != definitions::version(options) {
        format!("the panel has definitions {}", panel.definitions)
    } else if options.cut_off != default.cut_off || options.size_term != default.size_term {
        "you set a limit or size term of your own".to_owned()
    } else if rules_differ {
        return Some(OTHER_RULES.to_owned());
    } else if totals.sloc < SMALLEST {
        format!("{} are too few", plural(totals.sloc, "source line"))
    } else {
        return None;
    };
    Some(format!("no percentiles: {why}"))
}
