//! `slope research rewards`: whether rewards tell better edits from worse ones.

use std::fmt::Write as _;

use anyhow::Context;
use serde::Serialize;
use slope_evaluate::accuracy::{self, COMPONENTS, MEASURES};
use slope_evaluate::pair::Pair;
use slope_evaluate::trajectories::{Link, effects, links};
use slope_evaluate::{Desk, Honest, Mutated, honest, mutated, refactorings};
use slope_grade::Engine;
use slope_report::Format;
use slope_stats::Interval;

use crate::args::{Experiment, ResearchRewards};
use crate::commands::grade::calibrate::{percent, row};
use crate::commands::grade::pack;
use crate::commands::measure::progress::Progress;
use crate::commands::output;
use crate::exit::Done;

/// Quality below which an ordinary commit counts as marked down.
const LOW: f64 = 0.8;

pub(crate) fn run(args: &ResearchRewards, format: Format, quiet: bool) -> anyhow::Result<Done> {
    match args.experiment {
        Experiment::Trajectories => {
            let links = all_links(args, quiet)?;
            keep(args, &links)?;
            match format {
                Format::Json => output::json(&effects(&links))?,
                _ => output::text(&of_links(&links)?)?,
            }
        }
        Experiment::Refactorings => {
            let pairs = collect(args, quiet, refactorings)?;
            keep(args, &pairs)?;
            output::json_or_text(format, &pairs, &of_pairs(&pairs)?)?;
        }
        Experiment::Mutations => {
            let records = collect(args, quiet, mutated)?;
            keep(args, &records)?;
            output::json_or_text(format, &records, &of_mutations(&records)?)?;
        }
        Experiment::Honest => {
            let commits = collect(args, quiet, honest)?;
            keep(args, &commits)?;
            output::json_or_text(format, &commits, &of_honest(&commits)?)?;
        }
    }
    Ok(Done::Fine)
}

type Run<T> = fn(&mut Desk, usize, &dyn Fn(usize, usize)) -> Result<Vec<T>, slope_evaluate::Error>;

/// Runs an experiment on each repository.
fn collect<T>(args: &ResearchRewards, quiet: bool, run: Run<T>) -> anyhow::Result<Vec<T>> {
    let engine = Engine::new(args.threads.unwrap_or(0).into())?;
    let pack = pack(args.pack.as_deref())?;
    let mut found = Vec::new();
    for path in &args.repos {
        let progress = Progress::new(quiet);
        let name = path.display().to_string();
        let watch = |done, all| progress.stage(&name, done, all);
        let ran = Desk::open(path, &engine, &pack)
            .and_then(|mut desk| run(&mut desk, args.commits, &watch));
        progress.finish();
        match ran {
            Ok(records) => found.extend(records),
            // What the others gave is not lost.
            Err(error) => anstream::eprintln!("slope: left out {name}: {error}"),
        }
    }
    Ok(found)
}

/// The links of all run directories. What is not a run directory is left out, with a warning.
fn all_links(args: &ResearchRewards, quiet: bool) -> anyhow::Result<Vec<Link>> {
    let engine = Engine::new(args.threads.unwrap_or(0).into())?;
    let mut found = Vec::new();
    for dir in &args.repos {
        let imported = match slope_published::import(dir) {
            Ok(imported) => imported,
            Err(error) => {
                anstream::eprintln!("slope: left out {}: {error}", dir.display());
                continue;
            }
        };
        let progress = Progress::new(quiet);
        let name = dir.display().to_string();
        let watch = |done, all| progress.stage(&name, done, all);
        found.extend(links(&imported.report, dir, &engine, &watch)?);
        progress.finish();
    }
    Ok(found)
}

fn of_links(links: &[Link]) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "{} pairs of a checkpoint and the next\n", links.len())?;
    writeln!(
        text,
        "predictor    next        pairs  correlation  95 % interval"
    )?;
    for effect in effects(links) {
        let correlation = effect
            .correlation
            .map_or("-".to_owned(), |r| format!("{r:.3}"));
        let interval = effect.interval.map_or("-".to_owned(), |interval| {
            format!("{:.3} to {:.3}", interval.low, interval.high)
        });
        writeln!(
            text,
            "{:<12} {:<10} {:>6}  {correlation:>11}  {interval}",
            effect.predictor, effect.outcome, effect.links
        )?;
    }
    Ok(text)
}

/// Writes the records to the file of `--out`.
fn keep<T: Serialize>(args: &ResearchRewards, records: &[T]) -> anyhow::Result<()> {
    let Some(path) = &args.out else {
        return Ok(());
    };
    let mut text = Vec::new();
    for record in records {
        serde_json::to_writer(&mut text, record)?;
        text.push(b'\n');
    }
    slope_store::atomic::write(path, &text)
        .with_context(|| format!("could not write {}", path.display()))
}

fn of_pairs(pairs: &[Pair]) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "{} pairs\n", pairs.len())?;
    writeln!(
        text,
        "prefers the better edit              right  wrong  equal   95 % interval"
    )?;
    for (name, measure) in MEASURES {
        let outcome = accuracy::outcome(pairs, measure);
        let interval = accuracy::interval(pairs, measure);
        writeln!(text, "{}   {}", row(name, &outcome), between(interval))?;
    }
    let [quality, others @ ..] = MEASURES;
    writeln!(text, "\nlead of quality (95 % interval)")?;
    for (name, measure) in others {
        let lead = accuracy::lead(pairs, quality.1, measure);
        writeln!(text, "  over {name:<20} {}", between(lead))?;
    }
    writeln!(text, "\ncomponent alone")?;
    for (key, measure) in COMPONENTS {
        writeln!(text, "{}", row(key, &accuracy::outcome(pairs, measure)))?;
    }
    for (title, key) in [
        (
            "by language",
            (|pair: &Pair| pair.language.clone()) as fn(&Pair) -> String,
        ),
        ("by repository", |pair| pair.group.clone()),
        ("by kind", |pair| pair.kind.clone()),
    ] {
        writeln!(text, "\n{title}")?;
        for (name, outcome) in accuracy::by(pairs, key, quality.1) {
            writeln!(text, "{}", row(&name, &outcome))?;
        }
    }
    Ok(text)
}

fn of_mutations(records: &[Mutated]) -> anyhow::Result<String> {
    let of = |family: &str| -> Vec<Pair> {
        let records = records.iter().filter(|one| one.family == family);
        records.filter_map(Mutated::pair).collect()
    };
    let mut commits: Vec<&str> = records.iter().map(|one| one.id.as_str()).collect();
    commits.dedup();
    let mut text = format!("{} edits of {} commits\n", records.len(), commits.len());
    for family in ["slop", "improvement"] {
        write!(text, "\n{family}: {}", of_pairs(&of(family))?)?;
    }
    let low = |one: &&Mutated| one.mutated.quality < LOW && one.honest.quality >= LOW;
    let hard: Vec<&Mutated> = records
        .iter()
        .filter(|one| one.family == "hard-negative")
        .collect();
    let marked = hard.iter().copied().filter(|one| low(one)).count();
    writeln!(
        text,
        "\nhard negatives: {marked} of {} are below {LOW} and the commit is not ({})",
        hard.len(),
        share(marked, hard.len())
    )?;
    let neutral: Vec<&Mutated> = records
        .iter()
        .filter(|one| one.family == "neutral")
        .collect();
    let moved: Vec<&&Mutated> = neutral
        .iter()
        .filter(|one| !one.moves().is_empty())
        .collect();
    writeln!(
        text,
        "neutral: {} of {} change a component by more than 0.02 ({})",
        moved.len(),
        neutral.len(),
        share(moved.len(), neutral.len())
    )?;
    let mut kinds: Vec<&str> = neutral.iter().map(|one| one.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let all = neutral.iter().filter(|one| one.kind == kind).count();
        let own: Vec<&&&Mutated> = moved.iter().filter(|one| one.kind == kind).collect();
        let mut which: Vec<&str> = own.iter().flat_map(|one| one.moves()).collect();
        which.sort_unstable();
        which.dedup();
        writeln!(
            text,
            "{kind:<26} {:>4} of {all:>4}  {}",
            own.len(),
            which.join(" ")
        )?;
    }
    Ok(text)
}

fn between(interval: Option<Interval>) -> String {
    interval.map_or("one group only".to_owned(), |interval| {
        format!(
            "{} to {}",
            percent(Some(interval.low)),
            percent(Some(interval.high))
        )
    })
}

fn of_honest(commits: &[Honest]) -> anyhow::Result<String> {
    let mut text = String::new();
    let low: Vec<&Honest> = commits
        .iter()
        .filter(|one| one.edit.quality < LOW)
        .collect();
    let flagged = commits
        .iter()
        .filter(|one| !one.edit.flags.is_empty())
        .count();
    writeln!(
        text,
        "{} commits, {} with quality below {LOW} ({}), {flagged} with a flag",
        commits.len(),
        low.len(),
        share(low.len(), commits.len()),
    )?;
    for key in [
        (|one: &Honest| one.language.clone()) as fn(&Honest) -> String,
        |one| one.group.clone(),
    ] {
        writeln!(text)?;
        let mut names: Vec<String> = commits.iter().map(key).collect();
        names.sort();
        names.dedup();
        for name in names {
            let all = commits.iter().filter(|one| key(one) == name).count();
            let low = low.iter().filter(|one| key(one) == name).count();
            writeln!(text, "{name:<26} {low:>4} of {all:>4}  {}", share(low, all))?;
        }
    }
    writeln!(text, "\nthe lowest")?;
    let mut lowest = low;
    lowest.sort_by(|a, b| a.edit.quality.total_cmp(&b.edit.quality));
    for one in lowest.iter().take(20) {
        let id = one.id.get(..10).unwrap_or(&one.id);
        writeln!(
            text,
            "{:.3}  {} {id}  {}",
            one.edit.quality, one.group, one.subject
        )?;
    }
    Ok(text)
}

#[expect(clippy::cast_precision_loss, reason = "there are few commits")]
fn share(part: usize, all: usize) -> String {
    percent((all > 0).then(|| part as f64 / all as f64))
}
