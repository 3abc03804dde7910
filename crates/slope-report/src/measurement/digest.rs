//! Values shown by every format of a measurement, computed once for all.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use slope_model::finding::Severity;
use slope_model::measurement::{
    Callable, CloneClass, CloneKind, DeadCode, DeadCodeOrigin, DeadCodeSince, FileMeasurement,
    LanguageHeadline, Measurement, Part, Skipped, Standing, Totals,
};
use slope_model::metrics::{HEADLINES, Metric};
use slope_model::{language_name, noun_for};

use super::catalogue::Origin;
use super::{Subject, behind};
use crate::format::{self, Kind, MISSING, clean};

/// A metric of totals as text, a dash where it is missing.
pub(super) fn figure(metric: &Metric, totals: &Totals) -> String {
    let value = metric.of_totals(totals);
    value.map_or_else(|| MISSING.to_owned(), |v| text(metric.kind, v))
}

/// The reason for a missing metric in totals, if it is known.
pub(super) fn missing<'t>(metric: &Metric, totals: &'t Totals) -> Option<&'t str> {
    let reason = metric.missing_in(totals);
    reason.filter(|_| metric.of_totals(totals).is_none())
}

/// A value with the digits of its kind.
pub(super) fn text(kind: Kind, value: f64) -> String {
    format::number(value, format::decimals(kind, value.abs()))
}

#[allow(
    clippy::cast_precision_loss,
    reason = "counts of lines are far below 2^52"
)]
fn whole(value: Option<u64>) -> Option<f64> {
    value.map(|v| v as f64)
}

/// A headline number and its rank.
pub(super) struct Headline<'a> {
    /// Includes the definitions if they are not those of the totals.
    pub(super) title: String,
    pub(super) about: &'static str,
    pub(super) kind: Kind,
    pub(super) value: Option<f64>,
    pub(super) text: String,
    pub(super) missing: Option<&'a str>,
    pub(super) standings: Vec<&'a Standing>,
}

/// The three headline numbers of a language's code.
pub(super) struct Headlines<'a> {
    /// Whose numbers these are, and by which definitions. Safe to print.
    pub(super) title: String,
    pub(super) numbers: Vec<Headline<'a>>,
}

/// Languages with a smaller share of the source lines have no headline of their own.
const MIN_SHARE: f64 = 0.1;
/// Maximum number of languages with a headline of their own.
const MAX_HEADLINES: usize = 3;

/// The headlines of the languages with the most code. Without any, that of all code.
pub(super) fn headlines(measurement: &Measurement) -> Vec<Headlines<'_>> {
    let all = &measurement.headlines;
    let Some(largest) = all.first() else {
        return vec![Headlines {
            title: "by this profile".to_owned(),
            numbers: numbers(&measurement.totals, &[], ""),
        }];
    };
    let whole: u64 = all.iter().map(|headline| headline.totals.sloc).sum();
    let is_large = |headline: &&LanguageHeadline| {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let share = headline.totals.sloc as f64 / whole.max(1) as f64;
        std::ptr::eq(*headline, largest) || share >= MIN_SHARE
    };
    let shown = all.iter().filter(is_large).take(MAX_HEADLINES);
    shown.map(of_language).collect()
}

fn of_language(headline: &LanguageHeadline) -> Headlines<'_> {
    let definitions = clean(&headline.definitions);
    let lines = plural(headline.totals.lines, "line");
    let why = match &headline.incomparable {
        Some(why) => format!("; {}", clean(why)),
        None => String::new(),
    };
    let (title, by) = if headline.definitions.starts_with("paper/") {
        let broken = match headline.totals.files_with_syntax_errors {
            0 => String::new(),
            files => format!(
                ", without {} with syntax errors",
                plural(files.into(), "file")
            ),
        };
        let title = format!(
            "Python code with tests, by the published definitions ({definitions}, {lines}{broken}){why}"
        );
        (title, format!(" ({definitions})"))
    } else {
        let languages = language_names(headline.languages.iter());
        let title = format!("{languages} code without tests, by this profile ({lines}){why}");
        (title, String::new())
    };
    Headlines {
        title,
        numbers: numbers(&headline.totals, &headline.standings, &by),
    }
}

fn numbers<'a>(totals: &'a Totals, standings: &'a [Standing], by: &str) -> Vec<Headline<'a>> {
    let one = |metric: &&'static Metric| Headline {
        title: format!("{}{by}", metric.title),
        about: metric.gist(),
        kind: metric.kind,
        value: metric.of_totals(totals),
        text: figure(metric, totals),
        missing: missing(metric, totals),
        standings: standings.iter().filter(|s| s.metric == metric.id).collect(),
    };
    HEADLINES.iter().map(one).collect()
}

/// A panel's name in words.
pub(super) fn panel_name(standing: &Standing) -> String {
    let panel = clean(&standing.panel);
    if panel.starts_with("human") {
        "human repositories".to_owned()
    } else if panel.starts_with("agent") {
        "agent trajectories".to_owned()
    } else {
        panel
    }
}

/// `57th`.
pub(super) fn ordinal(percentile: f64) -> String {
    let n = format::number(percentile, 0);
    let ending = match (
        n.as_bytes(),
        n.ends_with("11") || n.ends_with("12") || n.ends_with("13"),
    ) {
        (_, true) => "th",
        ([.., b'1'], _) => "st",
        ([.., b'2'], _) => "nd",
        ([.., b'3'], _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// Every callable with its file. The first `most` are the heaviest, in order, with path and
/// position as tie-breakers; the rest is unordered.
pub(super) fn heaviest(
    measurement: &Measurement,
    most: usize,
) -> Vec<(&FileMeasurement, &Callable)> {
    let files = measurement.files.iter();
    let mut all = Vec::with_capacity(files.clone().map(|file| file.callables.len()).sum());
    let each = files.flat_map(|file| file.callables.iter().map(move |c| (file, c)));
    all.extend(each.enumerate());
    let order = |(i, (a_file, a)): &(usize, (&FileMeasurement, &Callable)),
                 (k, (b_file, b)): &(usize, (&FileMeasurement, &Callable))| {
        let place = || (&a_file.path, a.span, i).cmp(&(&b_file.path, b.span, k));
        b.mass.total_cmp(&a.mass).then_with(place)
    };
    if most < all.len() {
        all.select_nth_unstable_by(most, order);
    }
    let shown = most.min(all.len());
    all[..shown].sort_unstable_by(order);
    all.into_iter().map(|(_, callable)| callable).collect()
}

/// Mass of a file's callables.
pub(super) fn mass_of(file: &FileMeasurement) -> f64 {
    file.callables.iter().map(|c| c.mass).sum()
}

/// Files, heaviest first, then by path.
pub(super) fn heaviest_files(measurement: &Measurement) -> Vec<(&FileMeasurement, f64)> {
    let mut all: Vec<_> = measurement.files.iter().map(|f| (f, mass_of(f))).collect();
    all.sort_by(|(a, a_mass), (b, b_mass)| b_mass.total_cmp(a_mass).then(a.path.cmp(&b.path)));
    all
}

/// Number of findings of one rule or signal.
pub(super) struct RuleCount<'a> {
    pub(super) id: &'a str,
    pub(super) origin: Origin,
    pub(super) category: &'a str,
    pub(super) severity: Severity,
    pub(super) count: usize,
    pub(super) message: String,
}

/// Findings by rule, signal and metric, most first, then by id.
pub(super) fn rule_counts<'a>(subject: &Subject<'a>) -> Vec<RuleCount<'a>> {
    let mut by_rule: BTreeMap<(&str, Origin), RuleCount<'a>> = BTreeMap::new();
    let by_id = subject.rules_by_id();
    for finding in &subject.measurement.findings {
        let of_id = by_id.get(finding.rule.as_str());
        let info = of_id.and_then(|of_id| behind(of_id, finding));
        let origin = info.map_or(Origin::Rule, |info| info.origin);
        let count = by_rule
            .entry((finding.rule.as_str(), origin))
            .or_insert_with(|| RuleCount {
                id: &finding.rule,
                origin,
                category: &finding.category,
                severity: finding.severity,
                count: 0,
                // Messages that contain details are grouped by the rule's wording.
                message: clean(info.map_or(&finding.message, |info| &info.message)),
            });
        count.count += 1;
        count.severity = count.severity.max(finding.severity);
    }
    let mut counts: Vec<RuleCount<'a>> = by_rule.into_values().collect();
    counts.sort_by_key(|rule| (Reverse(rule.count), rule.id));
    counts
}

/// Clone classes, largest first: by lines in all members but one, which are redundant.
pub(super) fn largest_clones(measurement: &Measurement) -> Vec<&CloneClass> {
    let mut all: Vec<&CloneClass> = measurement.clones.iter().collect();
    let spare = |class: &CloneClass| {
        let copies = class.members.len().saturating_sub(1);
        u64::from(class.lines) * u64::try_from(copies).unwrap_or(u64::MAX)
    };
    // The sort is stable: equals stay in the measurement's order.
    all.sort_by_key(|class| Reverse(spare(class)));
    all
}

/// Name of a clone kind for users.
pub(super) fn clone_kind_name(kind: CloneKind) -> &'static str {
    match kind {
        CloneKind::Exact => "exact",
        CloneKind::Renamed => "renamed",
        CloneKind::NearMiss => "near-miss",
    }
}

/// Name of a dead-code origin for users.
pub(super) fn origin_name(origin: DeadCodeOrigin) -> &'static str {
    match origin {
        DeadCodeOrigin::BornDead => "born dead",
        DeadCodeOrigin::Orphaned => "orphaned",
        DeadCodeOrigin::Inherited => "inherited",
    }
}

/// The base of the origin of dead code, with its commit.
pub(super) fn dead_base(dead: &DeadCodeSince) -> String {
    match &dead.commit {
        Some(commit) => format!("{} ({})", clean(&dead.base), format::shorten(commit, 13)),
        None => clean(&dead.base),
    }
}

/// Dead code that the change is to blame for, by path and position.
pub(super) fn dead_of_change(dead: &DeadCodeSince) -> Vec<&DeadCode> {
    let mut of_change: Vec<&DeadCode> = dead.findings.iter().collect();
    of_change.retain(|one| one.origin != DeadCodeOrigin::Inherited);
    of_change
}

/// Number of dead places of each origin, as `2 born dead, 0 orphaned`.
pub(super) fn dead_counts(dead: &DeadCodeSince) -> String {
    let counts = dead.counts.iter();
    let each = counts.map(|(&origin, count)| format!("{count} {}", origin_name(origin)));
    each.collect::<Vec<_>>().join(", ")
}

/// Number of classes of each kind, as `12 exact, 3 renamed`.
pub(super) fn clone_kinds(measurement: &Measurement) -> String {
    let mut counts: BTreeMap<CloneKind, usize> = BTreeMap::new();
    for class in &measurement.clones {
        *counts.entry(class.kind).or_default() += 1;
    }
    let each = counts
        .iter()
        .map(|(kind, count)| format!("{count} {}", clone_kind_name(*kind)));
    each.collect::<Vec<_>>().join(", ")
}

/// Paths by the reason why they were left out, most first.
pub(super) fn skipped_by_reason(skipped: &[Skipped]) -> Vec<(String, Vec<&str>)> {
    let mut by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for one in skipped {
        // The part after a colon is specific to this file.
        let kind = one.reason.split(':').next().unwrap_or_default();
        by_reason.entry(clean(kind)).or_default().push(&one.path);
    }
    let mut all: Vec<_> = by_reason.into_iter().collect();
    all.sort_by_key(|(_, paths)| Reverse(paths.len()));
    all
}

/// The columns of totals: all, then production and tests where separate.
pub(super) fn parts(measurement: &Measurement) -> Vec<(&'static str, &Totals)> {
    let mut columns = vec![("all", &measurement.totals)];
    let named = [(Part::Product, "product"), (Part::Tests, "tests")];
    let parts = named
        .iter()
        .filter_map(|(part, name)| Some((*name, measurement.parts.get(part)?)));
    columns.extend(parts);
    columns
}

/// Number of callables with a complexity in each band, with their mass.
pub(super) fn complexity_bands(measurement: &Measurement) -> Vec<(&'static str, u32, f64)> {
    let bands: [(&str, u32, u32); 5] = [
        ("1–5", 0, 5),
        ("6–10", 6, 10),
        ("11–20", 11, 20),
        ("21–50", 21, 50),
        ("over 50", 51, u32::MAX),
    ];
    let each = bands.map(|(name, low, high)| {
        let callables = measurement.files.iter().flat_map(|f| &f.callables);
        let within = callables.filter(|c| (low..=high).contains(&c.complexity));
        let (count, mass) = within.fold((0, 0.0), |(count, mass), c| (count + 1, mass + c.mass));
        (name, count, mass)
    });
    each.to_vec()
}

/// The profile and its definitions' hash, as every format shows them.
pub(super) fn definitions_line(measurement: &Measurement) -> String {
    let definitions = &measurement.definitions;
    format!(
        "{} ({})",
        clean(&definitions.version),
        clean(&definitions.hash)
    )
}

/// The profile's name: definitions are `profile/version`.
pub(super) fn profile(measurement: &Measurement) -> String {
    let version = &measurement.definitions.version;
    clean(version.split('/').next().unwrap_or_default())
}

/// The names of languages by their ids.
pub(super) fn language_names<'a>(ids: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<String> = ids.map(|id| clean(&language_name(id))).collect();
    names.join(", ")
}

/// A one-line summary of a measurement, by its own definitions: of production code if tests are apart.
pub(super) fn one_line(measurement: &Measurement) -> String {
    let product = measurement.parts.get(&Part::Product);
    let totals = product.unwrap_or(&measurement.totals);
    let has_tests = measurement.parts.contains_key(&Part::Tests);
    let without = if product.is_some() && has_tests {
        " without tests"
    } else {
        ""
    };
    let numbers = HEADLINES
        .iter()
        .map(|metric| format!("{} {}", metric.title, figure(metric, totals)));
    let files = format!(
        "{} in {}{without}",
        plural(totals.lines, "line"),
        plural(u64::from(totals.files), "file")
    );
    let findings = plural(measurement.findings.len() as u64, "finding");
    numbers
        .chain([files, findings])
        .collect::<Vec<_>>()
        .join(", ")
}

/// Lists unsupported languages by suffix, the most frequent first; `None` without such languages.
pub(super) fn other_languages(others: &BTreeMap<String, u64>) -> Option<String> {
    let mut counts: Vec<_> = others.iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(**count));
    let counted = counts.into_iter().map(|(suffix, count)| {
        let count = text(Kind::Count, whole(Some(*count)).unwrap_or_default());
        format!("{count} {}", clean(suffix))
    });
    let counted: Vec<String> = counted.collect();
    (!counted.is_empty()).then(|| {
        format!(
            "Not measured, because slope does not support the language: {}",
            counted.join(", ")
        )
    })
}

/// `1 file`, `2,345 files`.
pub(super) fn plural(n: u64, noun: &str) -> String {
    let number = text(Kind::Count, whole(Some(n)).unwrap_or_default());
    format!("{number} {}", noun_for(&n, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_have_correct_suffixes() {
        let said: Vec<String> = [1.0, 2.0, 3.0, 11.0, 12.4, 21.0, 57.3, 100.0, 0.0]
            .iter()
            .map(|p| ordinal(*p))
            .collect();
        assert_eq!(
            said,
            [
                "1st", "2nd", "3rd", "11th", "12th", "21st", "57th", "100th", "0th"
            ]
        );
    }

    #[test]
    fn nouns_are_pluralised() {
        assert_eq!(plural(1, "class"), "1 class");
        assert_eq!(plural(2345, "class"), "2,345 classes");
        assert_eq!(plural(0, "file"), "0 files");
    }
}
