//! What many answers have in common: scores, ranges and issues.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};

use slope_model::assessment::{
    Anchors, Assessment, Issue, JudgeKind, ModelDetails, Position, ScoreName, ScoreRange, Scores,
    Unjudged,
};

use crate::bundle::{Form, Item, MAX_FILE_LINES};
use crate::carry::{Earlier, is_same};
use crate::judge::{Answers, ModelJudge};
use crate::plan::Plan;
use crate::rubric::Rubric;

/// The assessment that answers give.
pub(crate) fn assessment(
    judge: &ModelJudge<'_>,
    plan: &Plan,
    of_measures: &Assessment,
    (answers, anchors): (&Answers, Anchors),
    earlier: &mut Earlier,
) -> Assessment {
    let settings = &judge.settings;
    let of_form = |form| means(plan, answers, form, settings.repeats);
    let [plain, written, renamed] = Form::ALL.map(of_form);
    let (ranges, positions) = ranges([&plain, &written, &renamed], settings.line);
    let unjudged = failures(plan, answers);
    let (issues, carried) = issues(plan, answers, &settings.rubric, earlier);
    let failed: BTreeSet<&str> = unjudged.iter().map(|it| it.path.as_str()).collect();
    earlier.remember(&plan.items, &failed, &issues);
    let more_issues = issues.len().saturating_sub(settings.most) as u64;
    let count = |count: &AtomicU32| count.load(Ordering::Relaxed);
    let known = u32::try_from(plan.known.len()).unwrap_or(u32::MAX);
    Assessment {
        judge: JudgeKind::Model,
        scores: medians(&plain),
        missing: BTreeMap::new(),
        // A model sees only the code after a change.
        before: None,
        issues: issues.into_iter().take(settings.most).collect(),
        more_issues,
        model: Some(ModelDetails {
            model: settings.model.clone(),
            served: judge.served(),
            rubric: settings.rubric.id(),
            rubric_hash: settings.rubric.hash().to_owned(),
            calibration: settings.calibration.clone(),
            repeats: settings.repeats,
            ranges,
            as_written: medians(&written),
            as_renamed: medians(&renamed),
            static_scores: of_measures.scores,
            positions,
            anchors,
            requests: count(&judge.counts.requests),
            from_cache: known,
            repairs: count(&judge.counts.repairs),
            dropped_issues: count(&judge.counts.dropped),
            carried_issues: carried,
            unjudged,
            not_plain: without(plan, |item| item.plain.is_none()),
            not_renamed: without(plan, |item| item.plain.is_some() && item.renamed.is_none()),
            usage: None,
        }),
        ..of_measures.clone()
    }
}

/// The scores of each repeat: means over files by lines.
fn means(plan: &Plan, answers: &Answers, form: Form, repeats: u32) -> Vec<Scores> {
    let mean = |repeat: u32| {
        let of_repeat = plan.items.iter().enumerate().filter_map(|(at, item)| {
            let answer = answers.get(&(at, item.asked_as(form), repeat))?;
            Some((answer.as_ref().ok()?.scores, item.lines() as f64))
        });
        let of_repeat: Vec<_> = of_repeat.collect();
        Scores::of(|name| {
            let values = of_repeat.iter();
            let values = values.filter_map(|(scores, lines)| Some((scores.get(name)?, lines)));
            let (sum, weight) = values.fold((0.0, 0.0), |(sum, weight), (value, lines)| {
                (sum + value * lines, weight + lines)
            });
            (weight > 0.0).then(|| sum / weight)
        })
    };
    (0..repeats).map(mean).collect()
}

fn medians(means: &[Scores]) -> Scores {
    Scores::of(|name| {
        let values: Vec<f64> = means.iter().filter_map(|it| it.get(name)).collect();
        slope_stats::median(&values).map(Scores::rounded)
    })
}

type Ranges = BTreeMap<String, ScoreRange>;

/// The range of each score over all forms and repeats, and its place against a line.
fn ranges(forms: [&[Scores]; 3], line: Option<f64>) -> (Ranges, BTreeMap<String, Position>) {
    let mut ranges = Ranges::new();
    for name in ScoreName::ALL {
        let values = forms.into_iter().flatten().filter_map(|it| it.get(name));
        let values: Vec<f64> = values.collect();
        let low = values.iter().copied().reduce(f64::min);
        let high = values.iter().copied().reduce(f64::max);
        if let (Some(low), Some(high)) = (low, high) {
            let (low, high) = (Scores::rounded(low), Scores::rounded(high));
            ranges.insert(name.name().to_owned(), ScoreRange { low, high });
        }
    }
    let positions = line.map(|line| {
        let position =
            |(name, range): (&String, &ScoreRange)| (name.clone(), Position::of(range, line));
        ranges.iter().map(position).collect()
    });
    (ranges, positions.unwrap_or_default())
}

/// Paths of files that lack something.
fn without(plan: &Plan, lacks: impl Fn(&Item) -> bool) -> Vec<String> {
    let items = plan.items.iter().filter(|item| lacks(item));
    items.map(|item| item.path.clone()).collect()
}

/// Files that are too long, and files without an answer, each with the first reason.
fn failures(plan: &Plan, answers: &Answers) -> Vec<Unjudged> {
    let too_long = plan.too_long.iter().map(|path| Unjudged {
        path: path.clone(),
        reason: format!("it has more than {MAX_FILE_LINES} lines"),
    });
    let mut unjudged: Vec<Unjudged> = too_long.collect();
    for (at, item) in plan.items.iter().enumerate() {
        // The scores come from this form.
        let form = item.asked_as(Form::Plain);
        let mut of_file = answers
            .range((at, form, 0)..=(at, form, u32::MAX))
            .map(|(_, answer)| answer);
        let reason = of_file.clone().find_map(|answer| answer.as_ref().err());
        if let (Some(reason), false) = (reason, of_file.any(Result::is_ok)) {
            unjudged.push(Unjudged {
                path: item.path.clone(),
                reason: reason.clone(),
            });
        }
    }
    unjudged
}

/// Issues, those that most answers have first, then those that are carried; and how many these are.
fn issues(plan: &Plan, answers: &Answers, rubric: &Rubric, earlier: &Earlier) -> (Vec<Issue>, u32) {
    let mut found: Vec<(Issue, u32)> = Vec::new();
    for ((at, ..), answer) in answers {
        let Ok(answer) = answer else { continue };
        for issue in answer.issues(&plan.items[*at].path, rubric) {
            // Issues of one criterion whose lines overlap are one.
            match found.iter_mut().find(|(known, _)| is_same(known, &issue)) {
                Some((_, votes)) => *votes += 1,
                None => found.push((issue, 1)),
            }
        }
    }
    found.sort_by(|(a, votes_a), (b, votes_b)| {
        let by_place = (&a.path, a.start_line, &a.id).cmp(&(&b.path, b.start_line, &b.id));
        votes_b.cmp(votes_a).then(by_place)
    });
    let mut issues: Vec<Issue> = found.into_iter().map(|(issue, _)| issue).collect();
    let mut carried = earlier.carried(&plan.items, &issues);
    carried.sort_by(|a, b| (&a.path, a.start_line, &a.id).cmp(&(&b.path, b.start_line, &b.id)));
    let count = u32::try_from(carried.len()).unwrap_or(u32::MAX);
    issues.extend(carried);
    (issues, count)
}
