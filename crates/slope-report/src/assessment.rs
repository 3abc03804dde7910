//! Assessments as text, and their schema.

use std::fmt::Write;

use schemars::Schema;
use slope_model::assessment::{
    Anchors, Assessment, CheckpointAssessment, Issue, JudgeKind, LanguageScores, ModelDetails,
    Position, RunAssessment, ScoreName,
};
use slope_model::calibration::CalibrationNote;
use slope_model::plural;

use crate::calibration::rate;
use crate::format::{clean, clean_path};
use crate::measurement::schema_of;

/// The JSON schema of an assessment.
#[must_use]
pub fn assessment_schema() -> Schema {
    schema_of::<Assessment>()
}

/// The JSON schema of assessments of a run.
#[must_use]
pub fn run_assessment_schema() -> Schema {
    schema_of::<RunAssessment>()
}

/// Assessments of a run for a terminal: scores by checkpoint, with the range of a model's judgements.
#[must_use]
pub fn render_run_assessment(run: &RunAssessment) -> String {
    let mut checkpoints = run.trials.iter().flat_map(|trial| &trial.checkpoints);
    let first = checkpoints.find_map(|it| it.assessment.as_ref());
    let judge = first.map_or("", |it| judge_name(it.judge));
    let mut out = format!("{} ({judge}; 10 is best)\n", clean_path(&run.run));
    if let Some(details) = first.and_then(|it| it.model.as_ref()) {
        out.push_str(&who(details));
    }
    for trial in &run.trials {
        let _ = writeln!(out, "\n  {}, trial {}", clean(&trial.problem), trial.trial);
        let [verbosity, erosion, extensibility] = ScoreName::ALL.map(ScoreName::name);
        let _ = writeln!(
            out,
            "    {:<20} {verbosity:<18} {erosion:<18} {extensibility:<18} issues",
            "checkpoint"
        );
        for checkpoint in &trial.checkpoints {
            let _ = writeln!(out, "    {}", checkpoint_row(checkpoint));
        }
    }
    out
}

fn checkpoint_row(checkpoint: &CheckpointAssessment) -> String {
    let mut row = format!("{:<20}", clean(&checkpoint.checkpoint));
    let Some(assessment) = &checkpoint.assessment else {
        let reason = checkpoint.reason.as_deref().unwrap_or("not judged");
        return format!("{row} {}", clean(reason));
    };
    for name in ScoreName::ALL {
        let value = assessment.scores.get(name);
        let value = value.map_or("unknown".to_owned(), |it| format!("{it:.1}"));
        let ranges = assessment.model.as_ref().map(|it| &it.ranges);
        let range = ranges.and_then(|it| it.get(name.name()));
        let range = range.map(|it| format!(" ({:.1} to {:.1})", it.low, it.high));
        let shown = value + &range.unwrap_or_default();
        let _ = write!(row, " {shown:<18}");
    }
    let issues = assessment.issues.len() as u64 + assessment.more_issues;
    let _ = write!(row, " {issues}");
    row
}

fn judge_name(judge: JudgeKind) -> &'static str {
    match judge {
        JudgeKind::Static => "static judge",
        JudgeKind::Model => "judged by a model",
    }
}

/// An assessment for a terminal: scores, the measures behind them, and issues. `prefix` stands before the paths of issues:
/// the way from the working directory, empty or ending in `/`.
#[must_use]
pub fn render_assessment(assessment: &Assessment, prefix: &str) -> String {
    let mut out = String::new();
    let judge = judge_name(assessment.judge);
    let target = clean_path(&assessment.target);
    let _ = writeln!(out, "{target} ({judge}; 10 is best)\n");
    for name in ScoreName::ALL {
        let value = assessment.scores.get(name);
        let before = assessment.before.as_ref().map(|before| before.get(name));
        let _ = writeln!(out, "  {:<14} {}", name.name(), with_before(value, before));
        if let Some(reason) = assessment.missing.get(name.name()) {
            let _ = writeln!(out, "  {:<14} {}", "", clean(reason));
        }
    }
    if let Some(details) = &assessment.model {
        out.push_str(&of_model(details));
    }
    for language in &assessment.languages {
        out.push_str(&measures(language));
    }
    for file in &assessment.left_out {
        let (path, reason) = (clean_path(&file.path), clean(&file.reason));
        let _ = writeln!(out, "\n  not part of the scores: {path}: {reason}");
    }
    if !assessment.issues.is_empty() {
        out.push_str("\nIssues\n");
    }
    for issue in &assessment.issues {
        out.push_str(&line(issue, prefix));
    }
    if assessment.more_issues > 0 {
        let more = assessment.more_issues;
        let _ = writeln!(out, "  and {more} more: --top 0 lists all");
    }
    out
}

/// How a model judged.
fn of_model(details: &ModelDetails) -> String {
    let mut out = who(details);
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.1}"));
    for name in ScoreName::ALL {
        let Some(range) = details.ranges.get(name.name()) else {
            continue;
        };
        let position = match details.positions.get(name.name()) {
            Some(Position::Above) => ", above the line",
            Some(Position::Below) => ", below the line",
            Some(Position::Undecided) => ", undecided",
            None => "",
        };
        let _ = writeln!(
            out,
            "    {:<14} {:.1} to {:.1}; as written {}; locals renamed {}; static {}{position}",
            name.name(),
            range.low,
            range.high,
            shown(details.as_written.get(name)),
            shown(details.as_renamed.get(name)),
            shown(details.static_scores.get(name)),
        );
    }
    let _ = writeln!(
        out,
        "    {}; {} from the cache, {} corrected; {} without a real place dropped, {} carried from earlier judgements",
        plural(details.requests as usize, "request"),
        plural(details.from_cache as usize, "answer"),
        plural(details.repairs as usize, "answer"),
        plural(details.dropped_issues as usize, "issue"),
        details.carried_issues,
    );
    if !tells_apart(&details.anchors) {
        let _ = writeln!(
            out,
            "    warning: the model does not score tidy code above sloppy code, so its scores say little"
        );
    }
    out.push_str(&files(details));
    out
}

/// Who judged, and what is known of it.
fn who(details: &ModelDetails) -> String {
    let served = details.served.as_deref().unwrap_or(&details.model);
    format!(
        "\n  {} (rubric {}, {}), median of {}\n    {}\n",
        clean(served),
        details.rubric,
        details.rubric_hash,
        plural(details.repeats as usize, "judgement"),
        calibrated(details.calibration.as_ref()),
    )
}

/// Files that a model judged in part, or not.
fn files(details: &ModelDetails) -> String {
    let mut out = String::new();
    let lists = [
        (
            "with its comments, which may move the score",
            &details.not_plain,
        ),
        ("with its names of local variables", &details.not_renamed),
    ];
    for (what, paths) in lists {
        for path in paths {
            let _ = writeln!(out, "    {what}: {}", clean_path(path));
        }
    }
    for unjudged in &details.unjudged {
        let _ = writeln!(
            out,
            "    not judged: {}: {}",
            clean_path(&unjudged.path),
            clean(&unjudged.reason)
        );
    }
    out
}

/// What is known of the model, in one line.
fn calibrated(note: Option<&CalibrationNote>) -> String {
    let Some(note) = note else {
        return "not calibrated: `slope judge calibrate` tells how far its scores can be trusted"
            .to_owned();
    };
    let bias = note
        .largest_bias
        .map_or("-".to_owned(), |it| format!("{it:.1}"));
    format!(
        "calibrated on {}: pairs in the right order {}; bad code found {}; good code left alone {}; largest bias {bias}",
        note.day,
        rate(&note.pairs),
        rate(&note.true_positives),
        rate(&note.true_negatives),
    )
}

/// Whether the tidy anchor is above the sloppy one in every score that both have.
fn tells_apart(anchors: &Anchors) -> bool {
    let (Some(tidy), Some(sloppy)) = (anchors.tidy, anchors.sloppy) else {
        return true;
    };
    let mut names = ScoreName::ALL.into_iter();
    names.all(|name| tidy.get(name) > sloppy.get(name))
}

fn with_before(value: Option<f64>, before: Option<Option<f64>>) -> String {
    let shown = |value: Option<f64>| value.map_or("unknown".to_owned(), |it| format!("{it:.1}"));
    match before {
        None => format!("{:>4}", shown(value)),
        Some(before) => format!("{:>4} (before: {})", shown(value), shown(before)),
    }
}

fn measures(language: &LanguageScores) -> String {
    let percent =
        |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{:.1} %", it * 100.0));
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |it| format!("{it:.0}"));
    let panel = match &language.panel {
        Some(panel) => format!("among {panel}"),
        None => "no human code bases to compare with".to_owned(),
    };
    format!(
        "\n  {} ({} source lines, {panel})\n    verbose lines {}, mass in complex functions {}, mass per 1,000 lines {}, change points per 1,000 lines {}\n",
        language.languages.join(", "),
        language.sloc,
        percent(language.verbosity),
        percent(language.erosion),
        number(language.mass_per_kloc),
        number(language.change_points_per_kloc),
    )
}

fn line(issue: &Issue, prefix: &str) -> String {
    let path = clean_path(&format!("{prefix}{}", issue.path));
    let lines = if issue.start_line == issue.end_line {
        issue.start_line.to_string()
    } else {
        format!("{}-{}", issue.start_line, issue.end_line)
    };
    format!(
        "  {:<13} {path}:{lines}: {} [{}]{}\n",
        issue.score.name(),
        clean(&issue.message),
        issue.id,
        if issue.carried.is_some() {
            " (carried from an earlier judgement)"
        } else {
            ""
        }
    )
}
