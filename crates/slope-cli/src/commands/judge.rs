//! `slope judge`: scores from 0 to 10.

use anyhow::{Context, bail};
use slope_gateway::{
    Caps, HttpUpstream, KeyHeader, KeySource, LoadedScript, PriceTable, Recordings, Upstream,
};
use slope_history::Repo;
use slope_judge::Snapshot;
use slope_judge_model::{
    Endpoint, Error, ModelDialect, ModelJudge, Session, Settings, estimated_cost, estimated_tokens,
};
use slope_measure::Measurer;
use slope_model::assessment::Assessment;
use slope_report::Format;

use super::diff::{Named, ends};
use super::history::measurer;
use super::measure::options::Said;
use super::output;
use crate::args::{Dialect, Judge, JudgeModel};
use crate::display::Display;
use crate::exit::{Done, HarnessFailed};
use crate::folders;

pub(crate) fn run(args: &Judge, format: Format, display: &Display) -> anyhow::Result<Done> {
    let of_model = &args.of_model;
    if !args.is_static && of_model.model.is_none() {
        bail!(
            "slope judge needs a judge\n\
             help: add --static to judge by slope's measures, or --model NAME with --upstream URL to ask a model"
        );
    }
    let measured = (&args.definitions, &args.rules, &args.reported);
    let said = Said::new(measured, &args.files, &args.work);
    let measurer = measurer(&said, &args.path)?;
    let most = if args.top == 0 { usize::MAX } else { args.top };
    let (mut assessment, snapshot) = by_measures(args, &measurer, most)?;
    if assessment.languages.iter().all(|it| it.sloc == 0) {
        bail!(
            "{} has no production code that slope measures\nhelp: name a directory or file with code",
            assessment.target
        );
    }
    if let Some(model) = &of_model.model {
        let settings = Settings {
            repeats: of_model.repeats,
            jobs: usize::from(of_model.jobs),
            line: of_model.line,
            server: of_model.server(),
            secret: of_model
                .key_env
                .as_ref()
                .and_then(|name| std::env::var(name).ok()),
            // A recording has every answer, and a replay takes none from elsewhere.
            kept: folders::cache()
                .filter(|_| {
                    !args.work.no_cache && of_model.record.is_none() && of_model.replay.is_none()
                })
                .map(|cache| cache.join("judge")),
            most,
        };
        assessment = by_model(of_model, model, settings, &snapshot, &assessment, display)?;
    }
    match format {
        Format::Json => output::json(&assessment)?,
        _ => output::text(&slope_report::render_assessment(&assessment))?,
    }
    Ok(Done::Fine)
}

/// The static assessment, and the code that a model sees.
fn by_measures(
    args: &Judge,
    measurer: &Measurer,
    most: usize,
) -> anyhow::Result<(Assessment, Snapshot)> {
    let Some(range) = &args.diff else {
        let snapshot = Snapshot::of_path(measurer, &args.path)?;
        return Ok((slope_judge::judge(&snapshot, most), snapshot));
    };
    let repo = Repo::open(&args.path)?;
    let (base, head) = ends(range, &repo.reader())?;
    let of_commit = |end: &Named| Snapshot::of_commit(measurer, &repo, (end.1, &end.0), &args.path);
    let (base, head) = (of_commit(&base)?, of_commit(&head)?);
    Ok((
        slope_judge::judge_change(&base, &head, most),
        head.changed_since(&base),
    ))
}

fn by_model(
    args: &JudgeModel,
    model: &str,
    settings: Settings,
    snapshot: &Snapshot,
    of_measures: &Assessment,
    display: &Display,
) -> anyhow::Result<Assessment> {
    let built_in = PriceTable::built_in()?;
    let prices = match &args.price_file {
        Some(file) => PriceTable::load(file)?.or(&built_in),
        None => built_in,
    };
    let tokens = estimated_tokens(snapshot, settings.repeats);
    let today = jiff::Zoned::now().date();
    let cost = estimated_cost(&prices, model, today, tokens);
    if !display.is_quiet() {
        announce(tokens, cost, model);
    }
    check_limit(cost, args.max_usd, model)?;
    let own;
    let folder = match &args.record {
        Some(folder) => folder.clone(),
        None => {
            own = tempfile::tempdir().context("cannot create a temporary folder")?;
            own.path().to_owned()
        }
    };
    let session = Session::open(Endpoint {
        upstream: upstream(args)?,
        dialect: dialect(args),
        model: model.to_owned(),
        prices,
        caps: Caps {
            cost_usd: args.max_usd,
            ..Caps::default()
        },
        folder,
        is_recorded: args.record.is_some(),
        notify: display.notifier(),
    })?;
    let judged = ModelJudge::new(session.client(), settings).judge(snapshot, of_measures);
    let record = session.finish();
    let mut assessment = judged.map_err(|error| match error {
        Error::NoAnswer { .. } => HarnessFailed(error.into()).into(),
        error => anyhow::Error::from(error),
    })?;
    if let Some(details) = &mut assessment.model {
        details.usage = Some(record.usage);
    }
    Ok(assessment)
}

/// Says what the requests will need.
fn announce((input, answers): (u64, u64), cost: Option<f64>, model: &str) {
    let price = match cost {
        Some(cost) => format!("about {cost:.2} US dollars"),
        None => format!("slope knows no price of {model}"),
    };
    anstream::eprintln!("estimate: {input} tokens of input, {answers} of answers; {price}");
}

/// Refuses a limit that the estimate already exceeds.
fn check_limit(cost: Option<f64>, most: Option<f64>, model: &str) -> anyhow::Result<()> {
    match (cost, most) {
        (Some(cost), Some(most)) if cost > most => bail!(
            "the estimate is above --max-usd {most}\nhelp: raise it, or judge fewer files or with fewer --repeats"
        ),
        (None, Some(_)) => bail!(
            "--max-usd needs a price, and slope knows none of {model}\nhelp: give prices in a file with --price-file"
        ),
        _ => Ok(()),
    }
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
