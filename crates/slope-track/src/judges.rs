//! Scores of judges. A change of the model begins a new series of scores, and one point has the scores of both.

use slope_judge::Snapshot;
use slope_model::assessment::{Assessment, JudgeKind};
use slope_model::series::{JudgeDetails, JudgeScores, MOVED_ANCHOR, Point};

use crate::Error;

/// Issues of the static judge that a point has.
const MAX_ISSUES: usize = 20;

/// The scores of the static judge.
pub(crate) fn by_measures(judged: &Judged<'_>) -> JudgeScores {
    let assessment = slope_judge::judge(judged.snapshot, MAX_ISSUES);
    let mut entry = JudgeScores::of_measures(&assessment);
    entry.details = Some(judged.details(&assessment));
    entry
}

/// The measured code, to find places in it.
pub(crate) struct Judged<'a> {
    pub(crate) snapshot: &'a Snapshot,
    /// Prefix that turns paths of the snapshot into paths of the repository.
    pub(crate) below: &'a str,
    /// The measured folder in the repository: a judge may have been given only this one.
    pub(crate) folder: &'a str,
}

impl Judged<'_> {
    fn details(&self, assessment: &Assessment) -> JudgeDetails {
        JudgeDetails::of(assessment, &|path| self.find(path))
    }

    /// The path in the repository and the number of lines of a measured file.
    fn find(&self, path: &str) -> Option<(String, usize)> {
        let mut names = [path.to_owned(), format!("{}{path}", self.folder)].into_iter();
        let is_measured = |name: &String| {
            let mut files = self.snapshot.measurement.files.iter();
            files.any(|file| file.path == *name)
        };
        let name = names.find(is_measured)?;
        let text = self.snapshot.text(&name)?;
        let lines = String::from_utf8_lossy(&text).lines().count();
        Some((format!("{}{name}", self.below), lines))
    }
}

/// Adds the scores of models to a point.
pub(crate) fn add(
    point: &mut Point,
    before: Option<&Point>,
    assessments: &[Assessment],
    judged: &Judged<'_>,
) -> Result<(), Error> {
    for assessment in assessments {
        let Some(mut entry) = JudgeScores::of_model(assessment) else {
            return Err(Error::NoModel);
        };
        let of_measures = assessment.model.as_ref().map(|it| it.static_scores);
        if of_measures.as_ref() != point.scores_of(JudgeKind::Static) {
            return Err(Error::OtherCode {
                target: assessment.target.clone(),
            });
        }
        entry.details = Some(judged.details(assessment));
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
        let most = entry.anchor_shift(first)?;
        (most >= MOVED_ANCHOR).then(|| {
            format!(
                "{} scores its fixed files up to {most:.1} differently than at its first point: it is another judge now",
                entry.judge_name()
            )
        })
    };
    models(last).filter_map(note).collect()
}
