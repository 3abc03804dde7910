//! Headline numbers of each language, and their ranks among human repositories.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use slope_model::measurement::{FileMeasurement, LanguageHeadline, Part, PublishedTotals, Totals};
use slope_model::metrics::{EROSION, MASS_PER_KLOC, Metric, VERBOSITY};
use slope_model::plural;
use slope_rules::RuleSet;

use crate::definitions::{self, PUBLISHED_LANGUAGE};
use crate::discover::kinds;
use crate::in_force::is_meant;
use crate::measured_file::MeasuredFile;
use crate::options::{Options, Tests};
use crate::panel;
use crate::published::in_scope;
use crate::totals::by_part;

/// The reason for rules that the panels do not have.
const OTHER_RULES: &str = "you chose other rules than slope's own";

/// Minimum number of source lines for a rank. Below it a single function determines every ratio.
const SMALLEST: u64 = 100;

/// How a measurement was made, as far as it decides whether panels are comparable.
pub(crate) struct Comparable<'a> {
    pub(crate) options: &'a Options,
    pub(crate) rules: &'a RuleSet,
    /// Ids of languages with generated code that was measured.
    pub(crate) with_generated: BTreeSet<&'static str>,
}

impl<'a> Comparable<'a> {
    pub(crate) fn of(files: &[MeasuredFile], options: &'a Options, rules: &'a RuleSet) -> Self {
        // Panels leave out generated, vendored and minified files.
        let is_generated = |file: &&MeasuredFile| {
            file.facts.generated.is_some() || kinds::is_excluded_by_path(&file.path)
        };
        let generated = files
            .iter()
            .filter(|file| !options.leave_out && is_generated(file));
        Self {
            options,
            rules,
            with_generated: generated.map(|file| file.language.id()).collect(),
        }
    }
}

/// The headline of each language or group of languages, that with the most code first.
pub(crate) fn headlines(
    files: &[FileMeasurement],
    published: Option<&PublishedTotals>,
    comparable: &Comparable<'_>,
) -> Vec<LanguageHeadline> {
    let mut groups: BTreeMap<Vec<&str>, Vec<&FileMeasurement>> = BTreeMap::new();
    for file in files {
        let group = panel::group(&file.language);
        groups.entry(group).or_default().push(file);
    }
    let mut headlines: Vec<(u64, LanguageHeadline)> = groups
        .iter()
        .filter_map(|(group, files)| {
            let product = product(files, comparable.options);
            // The Python headline counts tests, which do not affect the order.
            let size = product.as_ref().map_or(0, |totals| totals.sloc);
            Some((
                size,
                headline(group, files, product, published, comparable)?,
            ))
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
    comparable: &Comparable<'_>,
) -> Option<LanguageHeadline> {
    let options = comparable.options;
    if let (&[PUBLISHED_LANGUAGE], Some(published)) = (group, published) {
        return Some(of_published(published, files, options));
    }
    let totals = product?;
    let has_scripts = files.iter().any(|file| in_scope(&file.path));
    let incomparable = incomparable(group, has_scripts, &totals, comparable);
    let mut standings = panel::standings(&totals, group);
    standings.retain(|one| !incomparable.iter().any(|other| other.affects(&one.metric)));
    Some(LanguageHeadline {
        languages: present(files),
        definitions: definitions::version(options),
        standings,
        incomparable: in_words(&incomparable),
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
    // The panel has generated code, and neither a limit nor a size term of the user affects the numbers.
    let incomparable: Vec<Incomparable> = if left_out * 10 > totals.lines {
        vec![Incomparable::all("too many files do not parse")]
    } else if options.tests == Tests::Exclude {
        vec![Incomparable::all("the panel has tests")]
    } else if !options.own_rules || !options.rule_paths.is_empty() {
        vec![Incomparable::of(&[VERBOSITY.id], OTHER_RULES)]
    } else {
        Vec::new()
    };
    let mut standings = published.standings.clone();
    standings.retain(|one| !incomparable.iter().any(|other| other.affects(&one.metric)));
    LanguageHeadline {
        languages: vec![PUBLISHED_LANGUAGE.to_owned()],
        definitions: published.definitions.clone(),
        totals,
        standings,
        incomparable: in_words(&incomparable),
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

/// Reason that numbers cannot be compared with a panel.
struct Incomparable {
    /// Ids of the metrics that it affects; empty for all.
    metrics: Vec<&'static str>,
    why: String,
}

impl Incomparable {
    fn all(why: impl Into<String>) -> Self {
        Self::of(&[], why)
    }

    fn of(metrics: &[&'static str], why: impl Into<String>) -> Self {
        Self {
            metrics: metrics.to_vec(),
            why: why.into(),
        }
    }

    fn affects(&self, metric: &str) -> bool {
        self.metrics.is_empty() || self.metrics.contains(&metric)
    }
}

/// The reasons as one text; `None` if everything can be compared.
fn in_words(all: &[Incomparable]) -> Option<String> {
    let each = all.iter().map(|one| {
        let titles = METRICS
            .iter()
            .filter(|metric| one.metrics.contains(&metric.id));
        let titles: Vec<&str> = titles.map(|metric| metric.title).collect();
        match titles[..] {
            [] => format!("no percentiles: {}", one.why),
            _ => format!("no percentiles of {}: {}", titles.join(" and "), one.why),
        }
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join("; "))
}

/// Metrics that panels have.
const METRICS: [&Metric; 3] = [&VERBOSITY, &EROSION, &MASS_PER_KLOC];

/// Reasons that the numbers cannot be compared with the panel of a group. `has_scripts` says whether the published
/// definitions cover any file.
fn incomparable(
    group: &[&str],
    has_scripts: bool,
    totals: &Totals,
    comparable: &Comparable<'_>,
) -> Vec<Incomparable> {
    let options = comparable.options;
    let panel = panel::panels()
        .iter()
        .find(|panel| panel.languages == group);
    let why = match panel {
        None => "there is no panel of this language".to_owned(),
        Some(_) if group == [PUBLISHED_LANGUAGE] && !has_scripts => {
            "the published definitions measure .py files only".to_owned()
        }
        Some(_) if group == [PUBLISHED_LANGUAGE] => "no file parses as Python requires".to_owned(),
        Some(panel) if panel.definitions != definitions::version(options) => {
            format!("the panel has definitions {}", panel.definitions)
        }
        Some(_) if totals.sloc < SMALLEST => {
            format!("{} are too few", plural(totals.sloc, "source line"))
        }
        Some(_)
            if group
                .iter()
                .any(|id| comparable.with_generated.contains(id)) =>
        {
            "the panel leaves out generated code".to_owned()
        }
        Some(_) => return by_metric(group, comparable),
    };
    vec![Incomparable::all(why)]
}

/// Reasons that concern some metrics.
fn by_metric(group: &[&str], comparable: &Comparable<'_>) -> Vec<Incomparable> {
    let (options, default) = (comparable.options, Options::default());
    let mut found = Vec::new();
    if options.size_term != default.size_term {
        let mass = [EROSION.id, MASS_PER_KLOC.id];
        found.push(Incomparable::of(&mass, "you set a size term of your own"));
    } else if options.cut_off != default.cut_off {
        found.push(Incomparable::of(
            &[EROSION.id],
            "you set a limit of your own",
        ));
    }
    let named: Vec<&String> = options.enabled.iter().chain(&options.disabled).collect();
    // Signals and other findings do not count as flagged lines.
    let rules = comparable.rules;
    let flagging = (0..)
        .zip(rules.rules())
        .filter(|(at, _)| rules.flags_lines(*at));
    let counts = flagging.map(|(_, rule)| rule).any(|rule| {
        let is_of_group = rule
            .languages
            .iter()
            .any(|language| group.contains(&language.id()));
        is_of_group && named.iter().any(|name| is_meant(rule, name))
    });
    if !options.own_rules || !options.rule_paths.is_empty() || counts {
        found.push(Incomparable::of(&[VERBOSITY.id], OTHER_RULES));
    }
    found
}
