//! Scores of models: a change of the model begins a new series of scores, and one point has the scores of both.

use slope_model::assessment::{Anchors, Assessment, JudgeKind, ScoreName};
use slope_model::series::{JudgeScores, Point};

use crate::Error;

/// Difference of an anchor's scores from which on the judge has changed.
const MOVED: f64 = 1.0;

/// Adds the scores of models to a point.
pub(crate) fn add(
    point: &mut Point,
    before: Option<&Point>,
    judged: &[Assessment],
) -> Result<(), Error> {
    for assessment in judged {
        let Some(entry) = JudgeScores::of_model(assessment) else {
            return Err(Error::NoModel);
        };
        let of_measures = assessment.model.as_ref().map(|it| it.static_scores);
        if of_measures.as_ref() != point.scores_of(JudgeKind::Static) {
            return Err(Error::OtherCode {
                target: assessment.target.clone(),
            });
        }
        point.scores.push(entry);
    }
    check_overlap(point, before)
}

/// Refuses a point whose models are all others than before: nothing would connect the scores of both.
fn check_overlap(point: &Point, before: Option<&Point>) -> Result<(), Error> {
    let known: Vec<&JudgeScores> = before.into_iter().flat_map(models).collect();
    let Some((old, new)) = known.first().zip(models(point).next()) else {
        return Ok(());
    };
    let is_known = |entry: &JudgeScores| known.iter().any(|it| it.is_same_judge(entry));
    if models(point).any(is_known) {
        return Ok(());
    }
    Err(Error::OtherJudge {
        before: old.judge_name(),
        now: new.judge_name(),
    })
}

/// The scores of models.
pub(crate) fn models(point: &Point) -> impl Iterator<Item = &JudgeScores> {
    let entries = point.scores.iter();
    entries.filter(|entry| entry.judge == JudgeKind::Model)
}

/// Notes on models whose anchors have other scores than at their first point.
pub(crate) fn moved(last: &Point, points: &[Point]) -> Vec<String> {
    let note = |entry: &JudgeScores| {
        let of_judge = points.iter().flat_map(models);
        let first = of_judge.into_iter().find(|it| it.is_same_judge(entry))?;
        let (then, now) = (first.anchors?, entry.anchors?);
        let most = differences(&then, &now).reduce(f64::max)?;
        (most >= MOVED).then(|| {
            format!(
                "{} scores its fixed files up to {most:.1} differently than at its first point: it is another judge now",
                entry.judge_name()
            )
        })
    };
    models(last).filter_map(note).collect()
}

fn differences(then: &Anchors, now: &Anchors) -> impl Iterator<Item = f64> {
    let pairs = [(then.tidy, now.tidy), (then.sloppy, now.sloppy)];
    pairs.into_iter().flat_map(|(then, now)| {
        ScoreName::ALL.into_iter().filter_map(move |name| {
            let difference = now?.get(name)? - then?.get(name)?;
            Some(difference.abs())
        })
    })
}
