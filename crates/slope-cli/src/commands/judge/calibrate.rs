//! `slope judge calibrate`: what a model's scores are worth.

use std::path::Path;

use anyhow::{Context, bail};
use slope_judge_model::{Calibrating, ModelJudge, Settings, calibration_file, read_calibration};
use slope_measure::Config;
use slope_model::calibration::{Calibration, CalibrationNote};
use slope_report::Format;

use super::model;
use crate::args::JudgeCalibrate;
use crate::commands::output;
use crate::display::Display;
use crate::exit::{Done, HarnessFailed};
use crate::folders;

pub(super) fn run(
    args: &JudgeCalibrate,
    format: Format,
    display: &Display,
) -> anyhow::Result<Done> {
    let of_model = &args.of_model;
    let Some(name) = &of_model.model else {
        bail!("slope judge calibrate needs a model\nhelp: add --model NAME with --upstream URL");
    };
    let rubric = model::rubric(of_model, Config::find(Path::new("."))?.as_ref())?;
    let settings = model::settings(of_model, name, rubric, (usize::MAX, args.no_cache))?;
    let calibrating = Calibrating::new(&settings);
    if args.list {
        output::json(&calibrating.files())?;
        return Ok(Done::Fine);
    }
    let day = model::day(of_model)?;
    let plan = calibrating.plan();
    if !display.is_quiet() {
        anstream::eprintln!(
            "{} requests about {} files",
            plan.requests(),
            calibrating.files().len()
        );
    }
    let (mut found, record) = model::ask(of_model, &settings, plan.tokens(), display, |client| {
        ModelJudge::new(client, settings.clone()).calibrate(&calibrating, &day)
    })?;
    found.usage = Some(record.usage.clone());
    let text = slope_report::render_calibration(&found);
    output::json_or_text(format, &found, &text)?;
    model::check_recorded(of_model, &record)?;
    keep(&found, &settings, of_model.replay.is_some())
}

/// Keeps a calibration, so that later scores show it.
fn keep(found: &Calibration, settings: &Settings, is_replay: bool) -> anyhow::Result<Done> {
    if found.unanswered > 0 {
        return Err(HarnessFailed(anyhow::anyhow!(
            "the calibration is not kept: {} judgements have no answer\nhelp: run it again; what was answered is not asked again",
            found.unanswered
        ))
        .into());
    }
    let Some(folder) = folders::cache().filter(|_| !is_replay) else {
        return Ok(Done::Fine);
    };
    let file = calibration_file(&folder.join("judge"), settings);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    slope_store::atomic::write_json(&file, found)?;
    Ok(Done::Fine)
}

/// The calibration of a model with a rubric.
pub(super) fn note(settings: &Settings) -> Option<CalibrationNote> {
    let file = calibration_file(&folders::cache()?.join("judge"), settings);
    read_calibration(&file).map(|found| found.note())
}
