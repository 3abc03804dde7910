//! A model that judges: its settings, its server, and what its requests may cost.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use slope_gateway::{
    AttemptRecord, Caps, HttpUpstream, KeyHeader, KeySource, LoadedScript, PriceTable, Recordings,
    Upstream,
};
use slope_judge_model::{
    Client, Endpoint, ModelDialect, Rubric, Session, Settings, check_limit, estimated_cost,
};
use slope_measure::FoundConfig;
use slope_model::calibration::CalibrationNote;

use super::calibrate;
use crate::args::{Dialect, JudgeModel};
use crate::display::Display;
use crate::exit::HarnessFailed;
use crate::folders;

/// Name and version of the format of [`RecordOf`].
const SCHEMA: &str = "slope.judge-record/1";
/// Its name in the folder of a recording.
const RECORD_FILE: &str = "judge.json";

/// What a recording was made with.
#[derive(Debug, Serialize, Deserialize)]
struct RecordOf {
    schema: String,
    model: String,
    rubric: String,
    rubric_hash: String,
    repeats: u32,
    /// Its day, as `2026-11-30`.
    day: String,
    /// The calibration of the model at that time.
    calibration: Option<CalibrationNote>,
}

/// The rubric of the arguments or of the configuration, otherwise slope's own.
pub(super) fn rubric(
    args: &JudgeModel,
    config: Option<&FoundConfig>,
) -> anyhow::Result<Arc<Rubric>> {
    let of_config = config.and_then(|found| found.rubric());
    let file = args.rubric.clone().or(of_config);
    Ok(match file {
        Some(file) => Rubric::read(&file)?.into(),
        None => Rubric::own(),
    })
}

/// The settings of a judgement.
pub(super) fn settings(
    args: &JudgeModel,
    model: &str,
    rubric: Arc<Rubric>,
    (most, no_cache): (usize, bool),
) -> anyhow::Result<Settings> {
    // A recording has every answer, and a replay takes none from elsewhere.
    let kept = folders::cache()
        .filter(|_| !no_cache && args.record.is_none() && args.replay.is_none())
        .map(|cache| cache.join("judge"));
    let mut settings = Settings {
        model: model.to_owned(),
        rubric,
        repeats: args.repeats,
        jobs: usize::from(args.jobs),
        line: None,
        server: args.server(),
        secret: args
            .key_env
            .as_ref()
            .and_then(|name| std::env::var(name).ok()),
        kept,
        most,
        calibration: None,
    };
    settings.calibration = match &args.replay {
        Some(folder) => check_record(folder, &settings)?,
        None => calibrate::note(&settings),
    };
    Ok(settings)
}

/// The day of a judgement: today, or that of the recording.
pub(super) fn day(args: &JudgeModel) -> anyhow::Result<String> {
    let recorded = match &args.replay {
        Some(folder) => record_in(folder)?,
        None => None,
    };
    Ok(recorded.map_or_else(today, |record| record.day))
}

fn today() -> String {
    jiff::Zoned::now().date().to_string()
}

/// What a recording was made with; `None` if it does not say.
fn record_in(folder: &Path) -> anyhow::Result<Option<RecordOf>> {
    let file = folder.join(RECORD_FILE);
    let record = file.exists().then(|| slope_store::atomic::read_json(&file));
    Ok(record.transpose()?)
}

/// Refuses a recording of other settings, which has no answers for these. What was known of the model then.
fn check_record(folder: &Path, settings: &Settings) -> anyhow::Result<Option<CalibrationNote>> {
    let Some(record) = record_in(folder)? else {
        return Ok(None);
    };
    let (rubric, own) = (
        (&*record.rubric, &*record.rubric_hash),
        (settings.rubric.id(), settings.rubric.hash()),
    );
    if rubric != (&*own.0, own.1) {
        bail!(
            "the recording in {} was made with the rubric {} ({}), and not with {} ({})\nhelp: give the same rubric with --rubric",
            folder.display(),
            rubric.0,
            rubric.1,
            own.0,
            own.1,
        );
    }
    for (name, recorded, given) in [
        ("model", &record.model, &settings.model),
        (
            "repeats",
            &record.repeats.to_string(),
            &settings.repeats.to_string(),
        ),
    ] {
        if recorded != given {
            bail!(
                "the recording in {} was made with --{name} {recorded}, and not with {given}\nhelp: give --{name} {recorded}",
                folder.display(),
            );
        }
    }
    Ok(record.calibration)
}

/// Asks a model through a gateway, if the estimate of its tokens is within the limit. What the gateway counted comes with
/// the result.
pub(super) fn ask<T>(
    args: &JudgeModel,
    settings: &Settings,
    tokens: (u64, u64),
    display: &Display,
    judge: impl FnOnce(&Client) -> Result<T, slope_judge_model::Error>,
) -> anyhow::Result<(T, AttemptRecord)> {
    let built_in = PriceTable::built_in()?;
    let prices = match &args.price_file {
        Some(file) => PriceTable::load(file)?.or(&built_in),
        None => built_in,
    };
    let today = jiff::Zoned::now().date();
    let cost = estimated_cost(&prices, &settings.model, today, tokens);
    if !display.is_quiet() {
        announce(tokens, cost, &settings.model);
    }
    check_limit(cost, args.max_usd, &settings.model)?;
    let own;
    let folder = match &args.record {
        Some(folder) => folder.clone(),
        None => {
            own = tempfile::tempdir().context("cannot create a temporary folder")?;
            own.path().to_owned()
        }
    };
    if args.record.is_some() {
        write_record(&folder, settings)?;
    }
    let session = Session::open(Endpoint {
        upstream: upstream(args)?,
        dialect: dialect(args),
        model: settings.model.clone(),
        prices,
        caps: Caps {
            cost_usd: args.max_usd,
            ..Caps::default()
        },
        folder,
        is_recorded: args.record.is_some(),
        notify: display.notifier(),
    })?;
    let judged = judge(session.client());
    let record = session.finish();
    let judged = judged.map_err(|error| match error {
        slope_judge_model::Error::NoAnswer { .. } => HarnessFailed(error.into()).into(),
        error => anyhow::Error::from(error),
    })?;
    Ok((judged, record))
}

/// Refuses a recording with gaps: it cannot be replayed.
pub(super) fn check_recorded(args: &JudgeModel, record: &AttemptRecord) -> anyhow::Result<()> {
    let Some(folder) = &args.record else {
        return Ok(());
    };
    let lost = record.errors.iter();
    match lost.into_iter().find(|it| it.contains("could not be written")) {
        None => Ok(()),
        Some(why) => Err(HarnessFailed(anyhow::anyhow!(
            "the recording in {} is not complete: {why}\nhelp: free some space and judge again with another folder",
            folder.display()
        ))
        .into()),
    }
}

fn write_record(folder: &Path, settings: &Settings) -> anyhow::Result<()> {
    let record = RecordOf {
        schema: SCHEMA.to_owned(),
        model: settings.model.clone(),
        rubric: settings.rubric.id(),
        rubric_hash: settings.rubric.hash().to_owned(),
        repeats: settings.repeats,
        day: today(),
        calibration: settings.calibration.clone(),
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    slope_store::atomic::write_json(&folder.join(RECORD_FILE), &record)?;
    Ok(())
}

/// Says what the requests will need.
fn announce((input, answers): (u64, u64), cost: Option<f64>, model: &str) {
    let price = match cost {
        Some(cost) => format!("about {cost:.2} US dollars"),
        None => format!("slope knows no price of {model}"),
    };
    anstream::eprintln!("estimate: {input} tokens of input, {answers} of answers; {price}");
}

fn upstream(args: &JudgeModel) -> anyhow::Result<Upstream> {
    if let Some(script) = &args.script {
        return Ok(Upstream::Scripted(LoadedScript::load(script)?.into()));
    }
    if let Some(folder) = &args.replay {
        return Ok(Upstream::Replay(Recordings::load(&[
            folder.join("recording.jsonl")
        ])?));
    }
    let Some(base_url) = &args.upstream else {
        bail!("the model has no server\nhelp: add --upstream URL, --script FILE or --replay DIR");
    };
    Ok(Upstream::Http(HttpUpstream {
        base_url: base_url.clone(),
        dialect: dialect(args).of_gateway(),
        key: args.key_env.clone().map_or(KeySource::None, KeySource::Env),
        key_header: KeyHeader::default(),
        model: None,
    }))
}

fn dialect(args: &JudgeModel) -> ModelDialect {
    match args.dialect {
        Some(Dialect::Chat) => ModelDialect::Chat,
        Some(Dialect::Messages) | None => ModelDialect::Messages,
    }
}
