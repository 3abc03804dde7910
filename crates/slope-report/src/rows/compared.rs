//! Rows of a study's facts on its cohorts.

use slope_model::detail::{CheckpointDetail, RunDetail};
use slope_model::run::{Attempt, RunReport};
use slope_stats::Interval;

use super::{ColumnKind, Field, PLACE, RowTable, named, place, placed};
use crate::study::{Contrast, End, Next, SizeWeight, Study};

const COHORT: [(&str, ColumnKind); 3] = [
    ("model", ColumnKind::Text),
    ("agent", ColumnKind::Text),
    ("arm", ColumnKind::Text),
];

/// The tables, in their order.
pub(super) fn tables(study: &Study) -> Vec<RowTable> {
    vec![
        contrasts(study),
        pairs(study),
        repeats(study),
        failures(study),
        panels(study),
        courses(study),
        sensitivity(study),
    ]
}

/// Model, agent and arm of a cohort; missing for the cohort of all, and if unset.
fn cohort(study: &Study, place: Option<usize>) -> Vec<Field> {
    let cohort = place.and_then(|place| study.cohorts.get(place));
    let parts = cohort.map_or([None, None, None], |c| {
        [&c.model, &c.agent, &c.arm].map(Option::as_deref)
    });
    parts.map(Field::from).to_vec()
}

pub(super) fn ends(interval: Option<Interval>) -> [Field; 2] {
    [
        interval.map(|i| i.low).into(),
        interval.map(|i| i.high).into(),
    ]
}

pub(super) fn table(
    name: &'static str,
    before: &[(&'static str, ColumnKind)],
    columns: &[(&'static str, ColumnKind)],
    rows: Vec<Vec<Field>>,
) -> RowTable {
    RowTable {
        name,
        columns: named(before.iter().chain(columns)),
        rows,
    }
}

fn contrasts(study: &Study) -> RowTable {
    let columns = [
        ("quantity", ColumnKind::Text),
        ("of", ColumnKind::Text),
        ("pairs", ColumnKind::Whole),
        ("baseline_value", ColumnKind::Real),
        ("arm_value", ColumnKind::Real),
        ("difference", ColumnKind::Real),
        ("ratio", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("newcombe_low", ColumnKind::Real),
        ("newcombe_high", ColumnKind::Real),
        ("p", ColumnKind::Real),
        ("holm_p", ColumnKind::Real),
    ];
    let rows = study.contrasts.iter().flat_map(|contrast| {
        let own = contrast_rows(contrast).into_iter();
        own.map(|row| [cohort(study, Some(contrast.arm)), row].concat())
    });
    table("contrasts", &COHORT, &columns, rows.collect())
}

fn contrast_rows(contrast: &Contrast) -> Vec<Vec<Field>> {
    let nothing = || Field::Missing;
    let mut rows = Vec::new();
    for shift in &contrast.shifts {
        let [low, high] = ends(shift.interval);
        rows.push(vec![
            shift.aspect.key().into(),
            shift.metric.key().into(),
            shift.pairs.into(),
            shift.baseline.into(),
            shift.arm.into(),
            shift.difference.into(),
            nothing(),
            low,
            high,
            nothing(),
            nothing(),
            shift
                .test
                .as_ref()
                .and_then(slope_stats::SignedRank::p)
                .into(),
            shift.holm.into(),
        ]);
    }
    rows.extend(rate_rows(contrast));
    for ratio in &contrast.ratios {
        let [low, high] = ends(ratio.interval);
        let mut row = vec![
            "spent".into(),
            ratio.metric.key().into(),
            ratio.pairs.into(),
        ];
        row.extend([
            nothing(),
            nothing(),
            nothing(),
            ratio.ratio.into(),
            low,
            high,
        ]);
        row.extend([nothing(), nothing(), nothing(), nothing()]);
        rows.push(row);
    }
    rows
}

/// Rows of the rates of a contrast.
fn rate_rows(contrast: &Contrast) -> Vec<Vec<Field>> {
    let nothing = || Field::Missing;
    let mut rows = Vec::new();
    for rate in &contrast.rates {
        let ([low, high], [n_low, n_high]) = (ends(rate.by_problem), ends(rate.newcombe));
        rows.push(vec![
            "rate".into(),
            rate.rate.as_str().into(),
            contrast.problems.into(),
            rate.baseline.rate.into(),
            rate.arm.rate.into(),
            rate.difference.into(),
            nothing(),
            low,
            high,
            n_low,
            n_high,
            nothing(),
            nothing(),
        ]);
    }
    rows
}

fn pairs(study: &Study) -> RowTable {
    let second = [
        ("second_model", ColumnKind::Text),
        ("second_agent", ColumnKind::Text),
        ("second_arm", ColumnKind::Text),
        ("rate", ColumnKind::Text),
        ("both", ColumnKind::Whole),
        ("only_first", ColumnKind::Whole),
        ("only_second", ColumnKind::Whole),
        ("neither", ColumnKind::Whole),
        ("unpaired", ColumnKind::Whole),
        ("difference", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("mcnemar_p", ColumnKind::Real),
        ("mcnemar_mid_p", ColumnKind::Real),
    ];
    let mut rows = Vec::new();
    for pair in &study.pairs {
        for own in &pair.agreements {
            let mut row = cohort(study, Some(pair.first));
            row.extend(cohort(study, Some(pair.second)));
            row.push(own.rate.as_str().into());
            let counts = [
                own.both,
                own.only_first,
                own.only_second,
                own.neither,
                own.unpaired,
            ];
            row.extend(counts.map(Field::from));
            row.push(own.difference.into());
            row.extend(ends(own.by_problem));
            row.push(own.test.map(|test| test.exact).into());
            row.push(own.test.map(|test| test.mid_p).into());
            rows.push(row);
        }
    }
    table("pairs", &COHORT, &second, rows)
}

fn repeats(study: &Study) -> RowTable {
    let columns = [
        ("quantity", ColumnKind::Text),
        ("k", ColumnKind::Whole),
        ("n", ColumnKind::Whole),
        ("value", ColumnKind::Real),
    ];
    let mut rows = Vec::new();
    for own in &study.repeats {
        let mut push = |quantity: &str, k: u32, n: u32, value: Option<f64>| {
            let mut row = cohort(study, Some(own.cohort));
            row.extend([quantity.into(), k.into(), n.into(), value.into()]);
            rows.push(row);
        };
        for rate in &own.rates {
            for (k, value) in (1..).zip(&rate.values) {
                push(&rate.rate, k, rate.problems, Some(*value));
            }
        }
        for (of, passed) in [("checkpoints", &own.checkpoints), ("problems", &own.whole)] {
            for row in passed {
                push(&format!("{of}_pass_at_k"), row.k, row.n, row.some);
                push(&format!("{of}_pass_hat_k"), row.k, row.n, row.all);
            }
        }
    }
    table("repeats", &COHORT, &columns, rows)
}

fn failures(study: &Study) -> RowTable {
    let columns = [
        ("label", ColumnKind::Text),
        ("problem", ColumnKind::Text),
        ("trial", ColumnKind::Whole),
        ("checkpoint", ColumnKind::Text),
        ("rank", ColumnKind::Whole),
        ("class", ColumnKind::Text),
        ("sub", ColumnKind::Text),
        ("tests", ColumnKind::Whole),
        ("evidence_test", ColumnKind::Text),
        ("evidence_line", ColumnKind::Whole),
        ("evidence", ColumnKind::Text),
    ];
    let mut rows = Vec::new();
    for failure in &study.failures.checkpoints {
        for (rank, class) in (1_u32..).zip(&failure.classes) {
            let mut row = cohort(study, Some(failure.cohort));
            row.extend([
                failure.label.as_str().into(),
                failure.problem.as_str().into(),
                failure.trial.into(),
                failure.checkpoint.as_str().into(),
                rank.into(),
                class.class.as_str().into(),
                class.sub.as_deref().into(),
                class.tests.into(),
                class.evidence.test.as_deref().into(),
                class.evidence.line.into(),
                class.evidence.text.as_str().into(),
            ]);
            rows.push(row);
        }
    }
    table("failures", &COHORT, &columns, rows)
}

fn panels(study: &Study) -> RowTable {
    let columns = [
        ("panel", ColumnKind::Text),
        ("tier", ColumnKind::Text),
        ("metric", ColumnKind::Text),
        ("snapshots", ColumnKind::Text),
        ("problems", ColumnKind::Whole),
        ("mean", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("panel_mean", ColumnKind::Real),
        ("panel_median", ColumnKind::Real),
        ("standing", ColumnKind::Real),
    ];
    let rows = study.calibration.iter().map(|own| {
        let mut row = cohort(study, Some(own.cohort));
        let end = match own.end {
            End::First => "first",
            End::Last => "last",
        };
        row.extend([
            own.panel.as_str().into(),
            own.tier.as_deref().into(),
            own.metric.key().into(),
            end.into(),
            own.problems.into(),
            own.mean.into(),
        ]);
        row.extend(ends(own.interval));
        row.extend([own.panel_mean, own.panel_median, own.standing].map(Field::from));
        row
    });
    table("panels", &COHORT, &columns, rows.collect())
}

fn courses(study: &Study) -> RowTable {
    let columns = [
        ("is_repositories", ColumnKind::Flag),
        ("metric", ColumnKind::Text),
        ("progress", ColumnKind::Real),
        ("members", ColumnKind::Whole),
        ("mean", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
    ];
    let mut rows = Vec::new();
    for course in &study.courses {
        for point in &course.points {
            let mut row = cohort(study, course.cohort);
            row.extend([
                course.cohort.is_none().into(),
                course.metric.key().into(),
                point.progress.into(),
                point.members.into(),
                point.mean.into(),
            ]);
            row.extend(ends(point.interval));
            rows.push(row);
        }
    }
    table("courses", &COHORT, &columns, rows)
}

fn sensitivity(study: &Study) -> RowTable {
    let columns = [
        ("next", ColumnKind::Text),
        ("cut_off", ColumnKind::Whole),
        ("weight", ColumnKind::Text),
        ("pairs", ColumnKind::Whole),
        ("problems", ColumnKind::Whole),
        ("pearson", ColumnKind::Real),
        ("low", ColumnKind::Real),
        ("high", ColumnKind::Real),
        ("spearman", ColumnKind::Real),
        ("within", ColumnKind::Real),
        ("within_low", ColumnKind::Real),
        ("within_high", ColumnKind::Real),
    ];
    let rows = study.sensitivity.iter().map(|own| {
        let mut row = cohort(study, Some(own.cohort));
        let next = match own.next {
            Next::PassRate => "pass_rate",
            Next::Cost => "cost",
        };
        let weight = match own.weight {
            SizeWeight::None => "none",
            SizeWeight::SquareRoot => "square_root",
            SizeWeight::Linear => "linear",
        };
        row.extend([next.into(), own.cut_off.into(), weight.into()]);
        row.extend([own.pairs, own.problems].map(Field::from));
        row.push(own.pearson.into());
        row.extend(ends(own.interval));
        row.extend([own.spearman.into(), own.within.into()]);
        row.extend(ends(own.within_interval));
        row
    });
    table("sensitivity", &COHORT, &columns, rows.collect())
}

/// Rows of the details of runs: attempts, and functions of each snapshot.
pub(super) fn of_details(reports: &[RunReport], details: &[RunDetail]) -> [RowTable; 2] {
    let attempt = [
        ("number", ColumnKind::Whole),
        ("counts", ColumnKind::Flag),
        ("state", ColumnKind::Text),
        ("cause", ColumnKind::Text),
        ("reason", ColumnKind::Text),
        ("cost", ColumnKind::Real),
        ("input_tokens", ColumnKind::Whole),
        ("cache_read_tokens", ColumnKind::Whole),
        ("cache_write_tokens", ColumnKind::Whole),
        ("output_tokens", ColumnKind::Whole),
        ("requests", ColumnKind::Whole),
        ("tool_calls", ColumnKind::Whole),
        ("agent_time", ColumnKind::Real),
    ];
    let function = [
        ("path", ColumnKind::Text),
        ("function", ColumnKind::Text),
        ("line", ColumnKind::Whole),
        ("end_line", ColumnKind::Whole),
        ("complexity", ColumnKind::Whole),
        ("sloc", ColumnKind::Whole),
        ("mass", ColumnKind::Real),
    ];
    [
        table(
            "attempts",
            &PLACE,
            &attempt,
            detail_rows(reports, details, attempts),
        ),
        table(
            "functions",
            &PLACE,
            &function,
            detail_rows(reports, details, functions),
        ),
    ]
}

fn detail_rows(
    reports: &[RunReport],
    details: &[RunDetail],
    of: fn(&CheckpointDetail) -> Vec<Vec<Field>>,
) -> Vec<Vec<Field>> {
    let mut rows = Vec::new();
    for (report, detail) in reports.iter().zip(details) {
        for (trial, known) in report.trials.iter().zip(&detail.trials) {
            for (checkpoint, detail) in trial.checkpoints.iter().zip(&known.checkpoints) {
                let place = place(report, trial, checkpoint);
                let own = of(detail).into_iter();
                rows.extend(own.map(|own| placed(&place, own)));
            }
        }
    }
    rows
}

fn attempts(detail: &CheckpointDetail) -> Vec<Vec<Field>> {
    let row = |(place, attempt): (usize, &Attempt)| {
        let cause = attempt
            .cause
            .and_then(|cause| serde_json::to_value(cause).ok());
        let cause = cause.as_ref().and_then(serde_json::Value::as_str);
        let (usage, tokens) = (&attempt.usage, &attempt.usage.tokens);
        vec![
            attempt.number.into(),
            (place + 1 == detail.attempts.len()).into(),
            attempt.state.name().into(),
            cause.into(),
            attempt.reason.as_deref().into(),
            usage.cost_usd.into(),
            tokens.input.into(),
            tokens.cache_read.into(),
            tokens.cache_write.into(),
            tokens.output.into(),
            usage.requests.into(),
            usage.tool_calls.into(),
            attempt.duration_s.into(),
        ]
    };
    detail.attempts.iter().enumerate().map(row).collect()
}

fn functions(detail: &CheckpointDetail) -> Vec<Vec<Field>> {
    let functions = detail.functions.iter().flatten();
    let row = |function: &slope_model::detail::FunctionFact| {
        vec![
            function.path.as_str().into(),
            function.name.as_str().into(),
            function.line.into(),
            function.end_line.into(),
            function.complexity.into(),
            function.sloc.into(),
            function.mass().into(),
        ]
    };
    functions.map(row).collect()
}
