//! The static judge: scores from measures, placed among human code bases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_model::assessment::{
    Assessment, Issue, JudgeKind, LanguageScores, ScoreName, Scores, Unjudged,
};
use slope_model::measurement::{FileMeasurement, LanguageHeadline, Measurement};
use slope_model::metrics::{EROSION, MASS_PER_KLOC, VERBOSITY};
use slope_syntax::Language;

use crate::Snapshot;
use crate::change_points::{Decided, change_points};
use crate::decisions;
use crate::issues;
use crate::placement::{Reference, score};

/// Name and version of the format.
pub const SCHEMA: &str = "slope.assessment/1";

/// Code with fewer lines counts as if it had so many, where an amount is divided by lines.
const FEWEST_LINES: u64 = 100;

/// Judges code. At most `most` issues are listed.
#[must_use]
pub fn judge(snapshot: &Snapshot, most: usize) -> Assessment {
    let measurement = &snapshot.measurement;
    let decided = decided(snapshot);
    let points = change_points(&decided);
    let languages: Vec<LanguageScores> = measurement
        .headlines
        .iter()
        .map(|headline| of_language(headline, &decided, &points))
        .collect();
    let scores = Scores::of(|name| mean(&languages, name));
    let mut issues = issues::issues(measurement);
    issues.extend(points);
    sort(&mut issues);
    let more_issues = issues.len().saturating_sub(most) as u64;
    issues.truncate(most);
    Assessment {
        schema: SCHEMA.to_owned(),
        judge: JudgeKind::Static,
        target: snapshot.name.clone(),
        missing: missing(&scores, &languages),
        scores,
        before: None,
        left_out: left_out(measurement),
        languages,
        issues,
        more_issues,
        engine: engine(measurement),
        model: None,
    }
}

/// Files that could not be measured.
fn left_out(measurement: &Measurement) -> Vec<Unjudged> {
    let unmeasured = measurement.unmeasured.iter();
    let unmeasured = unmeasured.map(|file| Unjudged {
        path: file.path.clone(),
        reason: file.reason.clone(),
    });
    unmeasured.collect()
}

/// A file that does not parse, where the definitions leave such files out.
fn broken<'d>(headline: &LanguageHeadline, decided: &'d [Decided<'_>]) -> Option<&'d str> {
    let leaves_out = headline.definitions.starts_with("paper");
    let mut files = decided.iter().map(|it| it.file);
    let is_broken = |file: &&FileMeasurement| {
        headline.languages.contains(&file.language) && file.syntax_errors.is_some()
    };
    let found = files.find(is_broken).filter(|_| leaves_out);
    found.map(|file| file.path.as_str())
}

/// The production code with its decisions.
fn decided(snapshot: &Snapshot) -> Vec<Decided<'_>> {
    let files = issues::production(&snapshot.measurement);
    let decided = files.filter_map(|file| {
        let bytes = snapshot.text(&file.path)?;
        let language = Language::of_file(Path::new(&file.path), &bytes)?;
        let found = decisions::of_file(language, &bytes);
        Some(Decided { file, found })
    });
    decided.collect()
}

fn of_language(
    headline: &LanguageHeadline,
    decided: &[Decided<'_>],
    points: &[Issue],
) -> LanguageScores {
    let of_group: BTreeSet<&str> = decided
        .iter()
        .filter(|it| headline.languages.contains(&it.file.language))
        .map(|it| it.file.path.as_str())
        .collect();
    let sloc: u64 = decided
        .iter()
        .filter(|it| of_group.contains(it.file.path.as_str()))
        .map(|it| u64::from(it.file.sloc))
        .sum();
    let points = points
        .iter()
        .filter(|it| of_group.contains(it.path.as_str()));
    let points: f64 = points
        .filter_map(|it| it.weight)
        .fold(0.0, |sum, it| sum + it);
    // Code that does not parse hides its decisions.
    let is_whole = !headline.totals.missing.contains_key("erosion");
    let change_points = (sloc > 0 && is_whole).then(|| points * 1000.0 / lines(sloc));
    let totals = &headline.totals;
    let verbosity = VERBOSITY.of_totals(totals);
    let erosion = EROSION.of_totals(totals);
    let mass = MASS_PER_KLOC.of_totals(totals);
    let mass = mass.map(|mass| mass * totals.lines as f64 / lines(totals.lines));
    let reference = Reference::of(&headline.languages);
    let broken = broken(headline, decided);
    let scores = reference.as_ref().filter(|_| broken.is_none());
    let scores = scores.map_or_else(Scores::default, |known| {
        let place = |value: Option<f64>, sorted: &[f64]| score(value?, sorted);
        let high = place(erosion, &known.erosion).zip(place(mass, &known.mass));
        Scores {
            verbosity: place(verbosity, &known.verbosity).map(Scores::rounded),
            // A share alone falls when simple code is added, so the amount counts half.
            erosion: high.map(|(share, amount)| Scores::rounded(f64::midpoint(share, amount))),
            extensibility: place(change_points, &known.change_points).map(Scores::rounded),
        }
    });
    LanguageScores {
        languages: headline.languages.clone(),
        sloc,
        missing: reasons(headline, &scores, reference.as_ref(), broken),
        scores,
        verbosity,
        erosion,
        mass_per_kloc: mass,
        change_points_per_kloc: change_points,
        panel: reference.map(|known| known.name.to_owned()),
    }
}

/// Lines that amounts are divided by. A few lines would make every amount large.
fn lines(lines: u64) -> f64 {
    lines.max(FEWEST_LINES) as f64
}

/// The mean over languages by lines of code.
fn mean(languages: &[LanguageScores], name: ScoreName) -> Option<f64> {
    let known = languages.iter();
    let known = known.filter_map(|it| Some((it.scores.get(name)?, it.sloc as f64)));
    let (sum, weight) = known.fold((0.0, 0.0), |(sum, weight), (score, sloc)| {
        (sum + score * sloc, weight + sloc)
    });
    (weight > 0.0).then(|| Scores::rounded(sum / weight))
}

/// The reasons of the language with the most code.
fn missing(scores: &Scores, languages: &[LanguageScores]) -> BTreeMap<String, String> {
    let Some(largest) = languages.first() else {
        let reason = "there is no production code that slope measures";
        let names = ScoreName::ALL.into_iter().map(ScoreName::name);
        return names
            .map(|name| (name.to_owned(), reason.to_owned()))
            .collect();
    };
    let mut missing = largest.missing.clone();
    missing.retain(|name, _| {
        ScoreName::ALL
            .iter()
            .any(|it| it.name() == name && scores.get(*it).is_none())
    });
    missing
}

/// Reasons for the scores that a language does not have.
fn reasons(
    headline: &LanguageHeadline,
    scores: &Scores,
    reference: Option<&Reference>,
    broken: Option<&str>,
) -> BTreeMap<String, String> {
    let unknown = || {
        let languages = headline.languages.join(", ");
        format!("slope knows no human code bases to compare {languages} with")
    };
    let absent = ScoreName::ALL
        .into_iter()
        .filter(|name| scores.get(*name).is_none());
    let reason = |name: ScoreName| {
        let missing = &headline.totals.missing;
        let of_measure = missing.get(name.name()).or_else(|| missing.get("erosion"));
        let of_measure = of_measure.cloned();
        let reason = match (reference, broken) {
            (None, _) => unknown(),
            (_, Some(path)) => {
                format!("{path} does not parse, and the published definitions leave such files out")
            }
            _ => of_measure.unwrap_or_else(|| "there is no production code".to_owned()),
        };
        (name.name().to_owned(), reason)
    };
    absent.map(reason).collect()
}

/// Sorts issues by the share that each has of its score's total, and then by place: units differ.
fn sort(issues: &mut [Issue]) {
    let mut totals: BTreeMap<ScoreName, f64> = BTreeMap::new();
    for issue in issues.iter() {
        *totals.entry(issue.score).or_default() += issue.weight.unwrap_or_default();
    }
    let share = |issue: &Issue| issue.weight.unwrap_or_default() / totals[&issue.score].max(1.0);
    issues.sort_by(|a, b| {
        let by_share = share(b).total_cmp(&share(a));
        by_share.then_with(|| (&a.path, a.start_line, &a.id).cmp(&(&b.path, b.start_line, &b.id)))
    });
}

fn engine(measurement: &Measurement) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}+{}", measurement.definitions.version)
}
