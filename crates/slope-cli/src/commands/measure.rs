//! `slope measure`: measures a directory, or explains a line.

pub(super) mod options;
pub(super) mod place;
pub(super) mod progress;
mod why;

use std::path::Path;

use anyhow::{Context, bail};
use slope_embed::catalogue;
use slope_measure::config::NOT_USED;
use slope_measure::{Base, Measurer};
use slope_model::measurement::Measurement;
use slope_model::plural;
use slope_report::{Detail, Format, RuleInfo, Subject};
use slope_syntax::Language;

use self::place::{Place, Target};
use super::output;
use crate::args::{Measure, Output, Profile};
use crate::exit::Done;
use crate::huge_pages;

/// Minimum size in bytes of the cached facts of a tree for which huge pages are used.
const MUCH_KEPT: u64 = 4 << 20;

/// Maximum number of paths named in the error that nothing could be measured.
const MAX_NAMED: usize = 3;

pub(crate) fn run(args: &Measure, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let target = Target::parse(&args.path)?;
    if args.why || target.line.is_some() {
        return why::run(args, &target, format, quiet);
    }
    let outputs = outputs(args, format)?;
    if args.base.is_some() {
        let no_signals = args.definitions.profile.and_then(|profile| match profile {
            Profile::Paper => Some("paper"),
            other => other.foreign(),
        });
        if let Some(profile) = no_signals {
            bail!("--base finds dead code, which profile {profile} does not have");
        }
    }
    refuse_unused(args)?;
    let (measurement, rules) = match args.definitions.profile {
        Some(Profile::Scb020) => by_scb(args, &target.path)?,
        Some(Profile::PublishedRuns) => {
            let threads = args.work.threads();
            let measured = slope_compat::runs::measure(&target.path, threads)?;
            (measured, Vec::new())
        }
        _ => {
            let (measurer, rules) = measurer(args, &target.path)?;
            let base = args.base.as_deref();
            let measurement = measure(&measurer, &target.path, base, quiet)?;
            // The process ends, so freeing the memory piece by piece would only take time.
            std::mem::forget(measurer);
            (measurement, rules)
        }
    };
    not_empty(&target.path, &measurement)?;
    if !quiet {
        note_unused_settings(&measurement);
    }
    let place = Place::of(&target.path);
    let sources = |path: &str| place.text(path).filter(|_| has_columns(path));
    let subject = Subject {
        measurement: &measurement,
        rules: &rules,
        title: &place.title,
        prefix: &place.prefix,
        base: None,
        sources: Some(&sources),
    };
    for one in &outputs {
        write(one, &seen_by(one.format, subject, &place), args)?;
    }
    std::mem::forget((measurement, rules));
    Ok(Done::Fine)
}

/// Subject for a format. Code hosts use paths relative to the top of a repository, so for a root
/// outside the working directory its repository is used instead.
fn seen_by<'a>(format: Format, subject: Subject<'a>, place: &'a Place) -> Subject<'a> {
    let for_hosts = matches!(format, Format::Sarif | Format::Gitlab | Format::Github);
    match place.elsewhere.as_ref().filter(|_| for_hosts) {
        Some(elsewhere) => Subject {
            prefix: &elsewhere.prefix,
            base: Some(&elsewhere.base),
            ..subject
        },
        None => subject,
    }
}

/// Measurer from the arguments and the configuration of `path`, with descriptions of its rules.
fn measurer(args: &Measure, path: &Path) -> anyhow::Result<(Measurer, Vec<RuleInfo>)> {
    let options = options::resolve(&options::Said::of(args), path)?;
    let measurer = Measurer::new(options.of_one_version(path))?;
    let rules = catalogue::of_rules(measurer.rules());
    Ok((measurer, rules))
}

/// Refuses options that have no effect with the profile of another program. Ignoring one would
/// return other numbers than requested.
fn refuse_unused(args: &Measure) -> anyhow::Result<()> {
    let Some(profile) = args.definitions.profile.filter(|p| p.foreign().is_some()) else {
        return Ok(());
    };
    let (definitions, rules, reported) = (&args.definitions, &args.rules, &args.reported);
    let files = &args.files;
    let has_scb = profile == Profile::Scb020;
    let unused = [
        ("--cutoff", definitions.cutoff.is_some()),
        ("--size-term", definitions.size_term.is_some()),
        ("--enable", !reported.enable.is_empty()),
        ("--disable", !reported.disable.is_empty()),
        ("--tests", files.tests.is_some()),
        ("--exclude", !files.exclude.is_empty()),
        ("--rules", !rules.rules.is_empty() && !has_scb),
        ("--config", files.config.is_some() && !has_scb),
    ];
    let name = profile.foreign().unwrap_or_default();
    match unused.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} has no effect on --profile {name}\nhelp: remove it"),
        None => Ok(()),
    }
}

/// Measures by the definitions of scb-check 0.2.0.
fn by_scb(args: &Measure, path: &Path) -> anyhow::Result<(Measurement, Vec<RuleInfo>)> {
    let paths = &args.rules.rules;
    let rules = (!paths.is_empty()).then(|| slope_compat::scb::read_rules(paths));
    let rules = rules.transpose()?;
    let known = rules.as_ref().map(catalogue::of_rules).unwrap_or_default();
    let options = slope_compat::scb::Options {
        include_all: args.files.no_ignore,
        rules,
        config: args.files.config.clone(),
        threads: args.work.threads(),
    };
    let measured = slope_compat::scb::measure(path, &options)?;
    Ok((measured.to_measurement(), known))
}

fn measure(
    measurer: &Measurer,
    path: &Path,
    base: Option<&str>,
    quiet: bool,
) -> anyhow::Result<Measurement> {
    let base = base.map(|name| Base::find(name, path, measurer.largest()));
    let base = base.transpose()?;
    if measurer.kept_bytes(path) >= MUCH_KEPT {
        huge_pages::use_from_now_on();
    }
    let progress = progress::Progress::new(quiet);
    let watch = |done, all| progress.show(done, all);
    let measurement = match &base {
        Some(base) => measurer.measure_dir_since(path, base, &watch)?,
        None => measurer.measure_dir_watched(path, &watch)?,
    };
    progress.finish();
    Ok(measurement)
}

/// Requested outputs. Standard output gets the one of `--format`, unless `--output` names another
/// for it.
fn outputs(args: &Measure, format: Format) -> anyhow::Result<Vec<Output>> {
    let mut outputs = args.output.output.clone();
    let printed = outputs.iter().filter(|o| o.file.is_none()).count();
    if printed > 1 {
        bail!("standard output can take only one format\nhelp: write the others to files with -o");
    }
    for file in outputs.iter().filter_map(|o| o.file.as_ref()) {
        if file.is_dir() {
            bail!(
                "-o {} is a directory\nhelp: name a file in it",
                file.display()
            );
        }
        if outputs
            .iter()
            .filter(|o| o.file.as_ref() == Some(file))
            .count()
            > 1
        {
            bail!(
                "-o {} is given twice\nhelp: name another file for each format",
                file.display()
            );
        }
    }
    if printed == 0 {
        outputs.insert(0, Output { format, file: None });
    }
    Ok(outputs)
}

fn write(output: &Output, subject: &Subject<'_>, args: &Measure) -> anyhow::Result<()> {
    let (color, width) = match (&output.file, output.format) {
        (None, Format::Human) => output::screen(),
        _ => (false, None),
    };
    let detail = Detail {
        top: args.output.top,
        findings: args.output.findings,
        files: args.output.files,
        color,
        width,
    };
    let text = slope_report::render_measurement(output.format, subject, &detail)?;
    match &output.file {
        Some(file) => slope_store::atomic::write_to(file, text.as_bytes())
            .with_context(|| format!("cannot write the {} format", output.format.name())),
        None => match output.format {
            Format::Human => output::text(&text),
            format if format.is_json() => output::json_text(&text),
            _ => output::document(&text),
        },
    }
}

/// Whether columns of a file's code are those of the file. They are not in notebooks, whose code is in texts of JSON.
fn has_columns(path: &str) -> bool {
    Language::of_path(Path::new(path)).is_none_or(Language::keeps_columns)
}

/// Refuses a tree in which nothing was measured, because that is never a clean result.
fn not_empty(path: &Path, measurement: &Measurement) -> anyhow::Result<()> {
    if measurement.totals.files > 0 {
        return Ok(());
    }
    let mut text = format!("nothing was measured in {}", path.display());
    let unmeasured = &measurement.unmeasured;
    if let Some(first) = unmeasured.first() {
        text.push_str(&format!(
            ": {} could not be, first {} ({})",
            plural(unmeasured.len(), "file"),
            first.path,
            first.reason
        ));
    } else {
        let languages: Vec<&str> = Language::all().map(Language::id).collect();
        text.push_str(&format!(": no file of {}", languages.join(", ")));
    }
    let mut help = if unmeasured.is_empty() {
        "\nhelp: name a folder or a file with code"
    } else {
        "\nhelp: correct the file, or measure another path"
    };
    let skipped = &measurement.skipped;
    if !skipped.is_empty() {
        help = "\nhelp: include files with --no-ignore, --include-generated or --tests";
        let named = skipped.iter().take(MAX_NAMED);
        let named: Vec<String> = named
            .map(|s| format!("{} ({})", s.path, s.reason))
            .collect();
        let more = if skipped.len() > MAX_NAMED {
            ", …"
        } else {
            ""
        };
        text.push_str(&format!("; left out: {}{more}", named.join(", ")));
    }
    bail!("{}{help}", output::safe(&text))
}

/// Prints which configurations below the measured folder have no effect.
fn note_unused_settings(measurement: &Measurement) {
    let skipped = measurement.skipped.iter();
    let unused: Vec<&str> = skipped
        .filter(|one| one.reason == NOT_USED)
        .map(|one| one.path.as_str())
        .collect();
    let Some(first) = unused.first() else {
        return;
    };
    let more = match unused.len() {
        1 => String::new(),
        n => format!(" and {} more", n - 1),
    };
    anstream::eprintln!("note: {}{more}: {NOT_USED}", output::safe(first));
}
