//! `slope judge`: scores from 0 to 10.

mod calibrate;
mod model;
mod run_dir;

use std::path::PathBuf;

use anyhow::bail;
use slope_history::Repo;
use slope_judge::Snapshot;
use slope_judge_model::{Earlier, ModelJudge, Plan, Rubric, Settings, earlier_file, judge_sides};
use slope_measure::Measurer;
use slope_model::assessment::Assessment;
use slope_report::Format;

use super::diff::{Named, ends};
use super::history::measurer;
use super::measure::options::{Said, config};
use super::measure::place::Place;
use super::output;
use crate::args::{Judge, JudgeCommand};
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(args: &Judge, format: Format, display: &Display) -> anyhow::Result<Done> {
    match &args.command {
        Some(JudgeCommand::Rubric) => {
            output::verbatim(Rubric::own_text())?;
            return Ok(Done::Fine);
        }
        Some(JudgeCommand::Calibrate(args)) => return calibrate::run(args, format, display),
        None => {}
    }
    let of_model = &args.of_model;
    if !args.is_static && of_model.model.is_none() {
        bail!(
            "slope judge needs a judge\n\
             help: add --static to judge by slope's measures, or --model NAME with --upstream URL to ask a model"
        );
    }
    let measured = (&args.definitions, &args.rules, &args.reported);
    let said = Said::new(measured, &args.files, &args.work);
    let most = if args.top == 0 { usize::MAX } else { args.top };
    let settings = settings(args, &said, most)?;
    if let Some(folder) = &args.run {
        return run_dir::run(args, folder, settings, (format, display));
    }
    let measurer = measurer(&said, &args.path)?;
    let found = by_measures(args, &measurer, most)?;
    if found.assessment.languages.iter().all(|it| it.sloc == 0) {
        bail!(
            "{} has no production code that slope measures\nhelp: name a directory or file with code",
            found.assessment.target
        );
    }
    match settings {
        Some(settings) => by_model(args, settings, found, format, display),
        None => show(format, &found.assessment, &found.prefix).map(|()| Done::Fine),
    }
}

/// The settings of the model, if one judges.
fn settings(args: &Judge, said: &Said<'_>, most: usize) -> anyhow::Result<Option<Settings>> {
    let of_model = &args.of_model;
    let Some(name) = &of_model.model else {
        return Ok(None);
    };
    let rubric = model::rubric(of_model, config(said, &args.path)?.as_ref())?;
    Ok(Some(Settings {
        line: args.line,
        ..model::settings(of_model, name, rubric, (most, args.work.no_cache))?
    }))
}

fn show(format: Format, assessment: &Assessment, prefix: &str) -> anyhow::Result<()> {
    match format {
        Format::Json => output::json(assessment),
        _ => output::text(&slope_report::render_assessment(assessment, prefix)),
    }
}

/// What the static judge says, and what a model sees.
struct Found {
    assessment: Assessment,
    snapshot: Snapshot,
    /// The same before a change.
    base: Option<Snapshot>,
    /// Folder whose earlier judgements are of the same files.
    root: PathBuf,
    /// The way from the working directory to the files: empty or ending in `/`.
    prefix: String,
    /// Whether a model sees only some of the files.
    is_part: bool,
}

/// The static assessment, and the code that a model sees.
fn by_measures(args: &Judge, measurer: &Measurer, most: usize) -> anyhow::Result<Found> {
    let absolute = |path: PathBuf| path.canonicalize().unwrap_or(path);
    let Some(range) = &args.diff else {
        let snapshot = Snapshot::of_path(measurer, &args.path)?;
        return Ok(Found {
            assessment: slope_judge::judge(&snapshot, most),
            snapshot,
            base: None,
            root: absolute(args.path.clone()),
            prefix: Place::of(&args.path).prefix,
            is_part: false,
        });
    };
    let repo = Repo::open(&args.path)?;
    let (base, head) = ends(range, &repo.reader())?;
    let of_commit = |end: &Named| Snapshot::of_commit(measurer, &repo, (end.1, &end.0), &args.path);
    let (base, head) = (of_commit(&base)?, of_commit(&head)?);
    let (before, now) = Snapshot::differing(&base, &head);
    Ok(Found {
        assessment: slope_judge::judge_change(&base, &head, most),
        snapshot: now,
        base: Some(before),
        root: absolute(repo.path().to_owned()),
        // These paths begin at the top of the repository, and may be of no file of the working tree.
        prefix: String::new(),
        is_part: true,
    })
}

fn by_model(
    args: &Judge,
    settings: Settings,
    found: Found,
    format: Format,
    display: &Display,
) -> anyhow::Result<Done> {
    let plan = Plan::new(&found.snapshot, &settings);
    let base = found.base.as_ref();
    let base = base.map(|base| Plan::new(base, &settings));
    let tokens = Plan::tokens_of(base.iter().chain([&plan]));
    let file = settings
        .kept
        .as_ref()
        .map(|folder| earlier_file(folder, &settings.names(), &found.root));
    let mut earlier = file.as_deref().map(Earlier::read).unwrap_or_default();
    let of_model = &args.of_model;
    let (mut assessment, record) = model::ask(of_model, &settings, tokens, display, |client| {
        let of_measures = &found.assessment;
        match &base {
            Some(base) => judge_sides(client, &settings, (base, &plan), of_measures, &mut earlier),
            None => {
                ModelJudge::new(client, settings.clone()).judge(&plan, of_measures, &mut earlier)
            }
        }
    })?;
    if !found.is_part {
        earlier.keep_only(&plan.paths());
    }
    if let Some(file) = file {
        // Without them, nothing is carried next time.
        drop(earlier.write(&file));
    }
    if let Some(details) = &mut assessment.model {
        details.usage = Some(record.usage.clone());
    }
    show(format, &assessment, &found.prefix)?;
    model::check_recorded(of_model, &record)?;
    Ok(Done::Fine)
}
