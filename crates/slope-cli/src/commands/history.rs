//! `slope history`: the trajectory of a repository.

use std::path::Path;

use anyhow::Context;
use jiff::tz::TimeZone;
use slope_history::{Agent, Agents, Line, Options, Repo, evidence, trajectory};
use slope_measure::Measurer;
use slope_model::history::History as Told;
use slope_report::Format;

use super::measure::options::{Said, resolve};
use super::measure::progress::Progress;
use super::output;
use crate::args::History;
use crate::exit::Done;

/// Changes that a page shows for each metric, in each direction.
const MOVERS: usize = 12;

pub(crate) fn run(args: &History, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let paged = args.html.is_some() || format == Format::Html;
    let repo = Repo::open(&args.repo)?;
    let said = Said {
        definitions: &args.definitions,
        rules: &args.rules,
        reported: &args.reported,
        files: &args.files,
        work: &args.work,
    };
    let measurer = measurer(&said, repo.path())?;
    let options = options(args, paged)?;
    let progress = Progress::new(quiet);
    let told = trajectory(&repo, &measurer, &options, &|what, done, all| {
        progress.stage(what, done, all);
    });
    progress.finish();
    let told: Told = told?;
    let page = if paged {
        let evidence = evidence(&repo, &told, MOVERS)?;
        slope_report::render_history_page(&told, &evidence)?
    } else {
        String::new()
    };
    if let Some(file) = &args.html {
        slope_store::atomic::write_to(file, page.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let detail = output::list_detail(args.top);
    let text = || slope_report::render_history(format, &told, &detail);
    match format {
        Format::Html => output::document(&page)?,
        Format::Human => output::text(&text()?)?,
        Format::Json => output::json_text(&text()?)?,
        _ => output::document(&text()?)?,
    }
    Ok(Done::Fine)
}

/// Measurer for trees that are compared, with separate totals for tests.
pub(super) fn measurer(said: &Said<'_>, path: &Path) -> anyhow::Result<Measurer> {
    let mut options = resolve(said, path)?.comparing();
    if said.files.tests.is_none() {
        options = options.with_separate_tests();
    }
    Ok(Measurer::new(options)?)
}

fn options(args: &History, paged: bool) -> anyhow::Result<Options> {
    let mut agents = Agents::default();
    for text in &args.agent {
        let parts = text.split_once('=');
        // An empty part would match every author.
        let parts = parts.filter(|(name, part)| !name.trim().is_empty() && !part.trim().is_empty());
        let (name, part) = parts.with_context(|| {
            format!("invalid --agent {text}: expected NAME=PART\nhelp: write for example --agent ours=ci-bot@example.com")
        })?;
        agents.add(Agent {
            name: name.to_owned(),
            people: vec![part.to_owned()],
            lines: Vec::new(),
        });
    }
    let since = match args.since {
        Some(day) => Some(day.to_zoned(TimeZone::UTC)?.timestamp().as_second()),
        None => None,
    };
    Ok(Options {
        revision: args.rev.clone(),
        line: Line::FirstParent,
        sample: (!args.all).then_some(args.sample as usize),
        since,
        paths: args.paths.clone(),
        ledger: args.ledger || paged,
        agents,
    })
}
