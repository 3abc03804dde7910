//! What answers about code of known quality say about a model.

use std::collections::BTreeMap;

use slope_judge::Snapshot;
use slope_measure::Measurer;
use slope_model::assessment::{ScoreName, Scores};
use slope_model::calibration::{Mean, Rate};
use slope_stats::{Z95, paired_mean, t_quantile, wilson};

use super::exam::{Exam, Lines, Role};
use crate::answer::FileAnswer;
use crate::bundle::Form;
use crate::judge::Answers;

/// Answers by file.
pub(super) struct Marks<'e> {
    exam: &'e Exam,
    /// The answers of the repeats.
    of: Vec<Vec<&'e FileAnswer>>,
}

impl<'e> Marks<'e> {
    pub(super) fn new(exam: &'e Exam, answers: &'e Answers) -> Self {
        let of_file = |at: usize| {
            let repeats = (at, Form::Written, 0)..=(at, Form::Written, u32::MAX);
            let found = answers.range(repeats);
            found
                .filter_map(|(_, answer)| answer.as_ref().ok())
                .collect()
        };
        Self {
            exam,
            of: (0..exam.items.len()).map(of_file).collect(),
        }
    }

    /// The mean of a score over repeats.
    fn score(&self, at: usize, name: ScoreName) -> Option<f64> {
        let scores = self.of[at].iter();
        let scores: Vec<f64> = scores.filter_map(|it| it.scores.get(name)).collect();
        slope_stats::mean(&scores)
    }

    /// The mean over all scores and repeats.
    fn level(&self, at: usize) -> Option<f64> {
        let scores = ScoreName::ALL.into_iter().map(|name| self.score(at, name));
        slope_stats::mean(&scores.collect::<Option<Vec<f64>>>()?)
    }

    /// Whether more than half of the repeats have an issue on lines.
    fn is_reported(&self, at: usize, lines: &Lines) -> Option<bool> {
        let answers = &self.of[at];
        let is_on = |answer: &&&FileAnswer| {
            let mut issues = answer.issues.iter();
            issues.any(|issue| {
                let on = |(first, last): &(u32, u32)| {
                    *first <= issue.end_line && issue.start_line <= *last
                };
                lines.iter().any(on)
            })
        };
        let count = answers.iter().filter(is_on).count();
        (!answers.is_empty()).then_some(2 * count > answers.len())
    }

    fn roles(&self) -> impl Iterator<Item = (usize, &'e Role)> {
        self.exam.roles.iter().enumerate()
    }

    /// The rates of ranked pairs, over all criteria and for each.
    pub(super) fn pairs(
        &self,
        score_of: impl Fn(&str) -> Option<ScoreName>,
    ) -> (Rate, BTreeMap<String, Rate>) {
        let mut by_criterion = BTreeMap::new();
        let mut all = Vec::new();
        for (criterion, bad, good) in self.samples() {
            let scores = score_of(criterion)
                .and_then(|name| Some((self.score(bad, name)?, self.score(good, name)?)));
            let is_right = scores.map(|(bad, good)| good > bad);
            all.extend(is_right);
            by_criterion.insert(criterion.to_owned(), rate(is_right));
        }
        (rate(all), by_criterion)
    }

    /// Criteria with the numbers of their bad and good samples, which follow each other.
    fn samples(&self) -> impl Iterator<Item = (&'e str, usize, usize)> {
        self.roles().filter_map(|(at, role)| match role {
            Role::Sample {
                criterion,
                is_good: false,
            } => Some((criterion.as_str(), at, at + 1)),
            _ => None,
        })
    }

    /// The rate of planted code that is reported, over all kinds and for each.
    pub(super) fn true_positives(&self) -> (Rate, BTreeMap<String, Rate>) {
        let mut by_kind = BTreeMap::new();
        let mut all = Vec::new();
        for (at, role) in self.roles() {
            if let Role::Planted { kind, lines, .. } = role {
                let is_reported = self.is_reported(at, lines);
                all.extend(is_reported);
                by_kind.insert((*kind).to_owned(), rate(is_reported));
            }
        }
        (rate(all), by_kind)
    }

    /// The rate of harmless lines that are not reported.
    pub(super) fn true_negatives(&self) -> Rate {
        rate(self.roles().filter_map(|(at, role)| match role {
            Role::Harmless { lines, .. } => self.is_reported(at, lines).map(|it| !it),
            _ => None,
        }))
    }

    /// The rate of planted code that lowers the scores.
    pub(super) fn falls(&self) -> Rate {
        rate(self.roles().filter_map(|(at, role)| match role {
            Role::Planted { base, .. } => Some(self.level(at)? < self.level(*base)?),
            _ => None,
        }))
    }

    /// How often the model ranks pairs as the static judge does, where that one ranks them.
    pub(super) fn static_order(&self, measurer: &Measurer) -> BTreeMap<String, Rate> {
        let planted = self.roles().filter_map(|(at, role)| match role {
            Role::Planted { base, .. } => Some((at, *base)),
            _ => None,
        });
        let samples = self.samples().map(|(_, bad, good)| (bad, good));
        let pairs: Vec<(usize, usize)> = samples.chain(planted).collect();
        let mut known: BTreeMap<usize, Scores> = BTreeMap::new();
        for at in pairs.iter().flat_map(|(one, other)| [*one, *other]) {
            let scores = || self.static_scores(measurer, at);
            known.entry(at).or_insert_with(scores);
        }
        let of_score = |name: ScoreName| {
            let agreed = pairs.iter().filter_map(|(one, other)| {
                let of_measures = known[one].get(name)? - known[other].get(name)?;
                let of_model = self.score(*one, name)? - self.score(*other, name)?;
                (of_measures != 0.0).then_some(of_measures * of_model > 0.0)
            });
            (name.name().to_owned(), rate(agreed))
        };
        ScoreName::ALL.into_iter().map(of_score).collect()
    }

    fn static_scores(&self, measurer: &Measurer, at: usize) -> Scores {
        let item = &self.exam.items[at];
        let files = BTreeMap::from([(item.path.clone(), item.written.clone().into_bytes())]);
        let snapshot = Snapshot::of_files(measurer, files, &item.path);
        slope_judge::judge(&snapshot, 0).scores
    }

    /// Differences of scores for code of the same quality.
    pub(super) fn bias(&self) -> BTreeMap<String, Mean> {
        let mut differences: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (at, role) in self.roles() {
            let found = match role {
                Role::Placed {
                    base,
                    is_first: true,
                } => self
                    .later(*base)
                    .map(|it| ("first in a request".to_owned(), it)),
                Role::Joined {
                    parts: [one, other],
                } => self
                    .level(*one)
                    .zip(self.level(*other))
                    .map(|(one, other)| ("longer file".to_owned(), f64::midpoint(one, other))),
                Role::Signed {
                    base,
                    of,
                    is_high: true,
                } => self.signed(*base, of).map(|it| {
                    let what = if *of == "author" {
                        "senior author in a comment"
                    } else {
                        "its own name in a comment"
                    };
                    (what.to_owned(), it)
                }),
                Role::Good { language, program } if *language > 0 => {
                    self.in_first(*program).map(|it| {
                        (
                            format!(
                                "{} instead of {}",
                                self.exam.items[at].language,
                                self.first_language()
                            ),
                            it,
                        )
                    })
                }
                _ => None,
            };
            if let (Some((what, other)), Some(level)) = (found, self.level(at)) {
                differences.entry(what).or_default().push(level - other);
            }
        }
        let means = differences.into_iter();
        means.map(|(what, values)| (what, mean(&values))).collect()
    }

    /// The level of a program in the second place of a request.
    fn later(&self, of: usize) -> Option<f64> {
        let is_it =
            |role: &Role| matches!(role, Role::Placed { base, is_first: false } if *base == of);
        self.level(self.find(is_it)?)
    }

    /// The level of a program with the name that could lower a score.
    fn signed(&self, of: usize, by: &str) -> Option<f64> {
        let is_it = |role: &Role| matches!(role, Role::Signed { base, of: name, is_high: false } if *base == of && *name == by);
        self.level(self.find(is_it)?)
    }

    /// The level of a program in the first language.
    fn in_first(&self, number: usize) -> Option<f64> {
        let is_it =
            |role: &Role| matches!(role, Role::Good { language: 0, program } if *program == number);
        self.level(self.find(is_it)?)
    }

    fn first_language(&self) -> &str {
        let first = self.find(|role| matches!(role, Role::Good { .. }));
        first.map_or("", |at| self.exam.items[at].language.as_str())
    }

    fn find(&self, is_it: impl Fn(&Role) -> bool) -> Option<usize> {
        self.exam.roles.iter().position(is_it)
    }

    /// Files whose scores are equal in all repeats, and the spread of scores over repeats.
    pub(super) fn repeats(&self) -> (Rate, Mean) {
        let mut spreads = Vec::new();
        for answers in self.of.iter().filter(|answers| answers.len() > 1) {
            let spread = |name: ScoreName| {
                let values = answers.iter().filter_map(|it| it.scores.get(name));
                let high = values.clone().reduce(f64::max)?;
                Some(high - values.reduce(f64::min)?)
            };
            let of_file: Vec<f64> = ScoreName::ALL.into_iter().filter_map(spread).collect();
            spreads.extend(slope_stats::mean(&of_file));
        }
        let is_equal = spreads.iter().map(|spread| *spread == 0.0);
        (rate(is_equal), mean(&spreads))
    }
}

/// A rate with Wilson's interval.
fn rate(observations: impl IntoIterator<Item = bool>) -> Rate {
    let (mut hits, mut count) = (0, 0);
    for is_hit in observations {
        hits += u64::from(is_hit);
        count += 1;
    }
    let interval = wilson(hits, count, Z95);
    Rate {
        hits,
        count,
        rate: (count > 0).then(|| hits as f64 / count as f64),
        low: interval.map(|it| it.low),
        high: interval.map(|it| it.high),
    }
}

/// A mean with Student's interval.
fn mean(values: &[f64]) -> Mean {
    let of_pairs = paired_mean(values);
    let half = of_pairs.and_then(|it| {
        let quantile = t_quantile(0.025, it.n as f64 - 1.0)?;
        Some((it.mean, it.se * quantile.abs()))
    });
    Mean {
        count: values.len() as u64,
        mean: slope_stats::mean(values),
        low: half.map(|(mean, half)| mean - half),
        high: half.map(|(mean, half)| mean + half),
    }
}
