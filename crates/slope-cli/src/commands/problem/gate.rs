//! `slope problem gate`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use serde::Serialize;
use slope_author::gate::{self, Asked, Check, Gated, Sample};
use slope_author::mutate;
use slope_author::ranking::Ranked;
use slope_author::stage;
use slope_author::variants;
use slope_bench::plan::load_options;
use slope_model::plural;
use slope_report::Format;

use super::mutate::summary;
use super::setting;
use crate::args::problem::Gate;
use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;
use crate::setup;

/// Version of the JSON form.
const SCHEMA: &str = "slope.problem-gate/1";
/// Folder of `--all`.
const ALL: &str = "problems";
/// Cases that a run of the form for CI draws.
const CASES: usize = 12;
/// Maximum number of faults shown per check. The JSON output has all.
const MAX_FAULTS: usize = 10;

#[derive(Serialize)]
struct Gates {
    schema: &'static str,
    passed: bool,
    problems: Vec<Gated>,
    /// Folders of problems without variants, if variants were requested.
    without_variants: Vec<String>,
}

pub(super) fn run(args: &Gate, format: Format, display: &Display) -> anyhow::Result<Done> {
    let stop = setup::stop_gently("stopping; the results so far follow");
    let (forms, without_variants) = forms(args)?;
    let problems = of_forms(args, &forms, display, stop)?;
    display.finish();
    let passed = problems.iter().all(|gated| gated.passed);
    let gates = Gates {
        schema: SCHEMA,
        passed,
        problems,
        without_variants,
    };
    match format {
        Format::Json => output::json(&gates)?,
        _ => output::text(&told(&gates))?,
    }
    Ok(match (stop.load(Ordering::Relaxed), passed) {
        (true, _) => Done::Interrupted,
        (false, true) => Done::Fine,
        (false, false) => Done::Unmet,
    })
}

/// Results of the forms, in their order. Forms whose check was interrupted by `stop` are left out.
fn of_forms(
    args: &Gate,
    forms: &[Form],
    display: &Display,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Gated>> {
    // Solutions are to pass on an idle machine too, which a sample leaves out.
    let side_by_side = if args.sample {
        args.jobs.unwrap_or_else(setting::processors)
    } else {
        1
    };
    let next = AtomicUsize::new(0);
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(form) = forms.get(number) else {
                break;
            };
            let gated = of_form(args, form, display, stop);
            if gated.is_err() {
                next.store(forms.len(), Ordering::Relaxed);
            }
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.insert(number, gated);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..side_by_side {
            scope.spawn(work);
        }
        work();
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The result of an interrupted run is meaningless.
    let ended = |gated: &anyhow::Result<Gated>| gated.is_ok() || !stop.load(Ordering::Relaxed);
    found.into_values().filter(ended).collect()
}

/// Checks a form. A variant is rendered into a temporary folder for this call.
fn of_form(
    args: &Gate,
    form: &Form,
    display: &Display,
    stop: &AtomicBool,
) -> anyhow::Result<Gated> {
    let Some((template, seed)) = &form.variant else {
        let gated = of_problem(args, &form.problem, display, stop)?;
        return Ok(named(gated, form));
    };
    let scratch = tempfile::tempdir().context("cannot create a folder for a variant")?;
    let laid = scratch.path().join("variant");
    variants::render(template, *seed)?.create(&laid)?;
    let mut gated = of_problem(args, &laid, display, stop)?;
    let machine = setting::machine(&args.isolation, &laid)?;
    let variant = stage::load(&laid)?;
    gated.add(vec![gate::apart(
        &setting::stage(&machine),
        &variant,
        &form.problem,
    )?]);
    Ok(named(gated, form))
}

/// Result with the name of the form.
fn named(gated: Gated, form: &Form) -> Gated {
    Gated {
        variant: form.variant.as_ref().map(|(_, seed)| *seed),
        folder: form.problem.clone(),
        ..gated
    }
}

/// Checks a problem in all languages in which it has solutions.
fn of_problem(
    args: &Gate,
    folder: &Path,
    display: &Display,
    stop: &AtomicBool,
) -> anyhow::Result<Gated> {
    let observer = |what: &str| display.note(what);
    let asked = asked(args);
    let problem = stage::load(folder)?;
    let machine = setting::machine(&args.isolation, folder)?;
    let mut gated = gate::run(&setting::stage(&machine), &problem, &asked, &observer, stop)?;
    for track in setting::other_tracks(folder) {
        let problem = stage::load_as(folder, &load_options(track)?)?;
        let checks = setting::machine_for(track, &args.isolation, folder).and_then(|machine| {
            let stage = setting::stage(&machine);
            Ok(gate::solutions(&stage, &problem, &asked, &observer, stop)?)
        });
        gated.add(match checks {
            Ok(checks) => checks,
            Err(why) => vec![Check {
                name: "passes",
                of: track.name().to_owned(),
                faults: Vec::new(),
                left_out: Some(setting::missing(why)?),
            }],
        });
    }
    Ok(gated)
}

fn asked(args: &Gate) -> Asked {
    let (repeat, mutants) = if args.sample { (2, 10) } else { (5, 60) };
    let mutants = args.mutants.unwrap_or(mutants);
    Asked {
        repeat: args.repeat.unwrap_or(repeat),
        mutants: (mutants > 0).then(|| mutate::Asked {
            sample: Some(mutants),
            seed: args.seed,
            jobs: args.jobs.unwrap_or_else(setting::processors),
            performance: false,
        }),
        sample: args.sample.then(|| Sample {
            cases: args.cases.map_or(CASES, |n| n as usize),
            seed: args.seed,
        }),
    }
}

/// The problems to look at.
fn folders(args: &Gate) -> anyhow::Result<Vec<PathBuf>> {
    if !args.all {
        return Ok(args.problems.clone());
    }
    let mut folders = Vec::new();
    let entries = Path::new(ALL)
        .read_dir()
        .with_context(|| format!("cannot list {ALL}, the folder that --all searches"))?;
    for entry in entries {
        let path = entry?.path();
        if path.join("config.yaml").is_file() {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        bail!("the folder {ALL}, which --all searches, contains no problem");
    }
    Ok(folders)
}

/// A problem as published, or a variant of it.
struct Form {
    problem: PathBuf,
    /// The variant's template and seed.
    variant: Option<(PathBuf, u64)>,
}

/// Forms to check: each problem followed by its variants. Also returns the problems without
/// variants.
fn forms(args: &Gate) -> anyhow::Result<(Vec<Form>, Vec<String>)> {
    let (mut forms, mut without) = (Vec::new(), Vec::new());
    for problem in folders(args)? {
        let form = |variant| Form {
            problem: problem.clone(),
            variant,
        };
        if !args.only_variants {
            forms.push(form(None));
        }
        let Some(count) = args.variants else {
            continue;
        };
        match variants::template(&problem) {
            Ok(template) => {
                let variants = (1..=count).map(|seed| form(Some((template.clone(), seed))));
                forms.extend(variants);
            }
            Err(_) => without.push(problem.display().to_string()),
        }
    }
    if forms.is_empty() {
        bail!(
            "none of the problems has variants\nhelp: add some as described in docs/authoring.md"
        );
    }
    Ok((forms, without))
}

fn told(gates: &Gates) -> String {
    let mut text = String::new();
    for gated in &gates.problems {
        told_problem(&mut text, gated);
    }
    if gates.problems.len() > 1 {
        text.push_str(&table(&gates.problems));
        text.push('\n');
    }
    let good = gates.problems.iter().filter(|gated| gated.passed).count();
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "passed the gate: {good} of {}",
        plural(gates.problems.len(), "problem")
    );
    if !gates.without_variants.is_empty() {
        let without = gates.without_variants.join(", ");
        let _ = writeln!(
            text,
            "without variants, so none was tried: {}; docs/authoring.md says how to give a problem some",
            output::safe(&without)
        );
    }
    text
}

fn told_problem(text: &mut String, gated: &Gated) {
    let bold = Style::new().bold();
    let variant = gated
        .variant
        .map_or_else(String::new, |seed| format!(", variant {seed}"));
    let name = output::safe(&gated.problem);
    let _ = writeln!(text, "{bold}{name}{variant}{bold:#}");
    let rows: Vec<Vec<String>> = gated.checks.iter().map(row).collect();
    for (line, check) in setting::columns(&rows).lines().zip(&gated.checks) {
        let _ = writeln!(text, "  {}", coloured(line, check));
        for fault in check.faults.iter().take(MAX_FAULTS) {
            let _ = writeln!(text, "      {}", output::safe(fault));
        }
        if check.faults.len() > MAX_FAULTS {
            let _ = writeln!(text, "      and {} more", check.faults.len() - MAX_FAULTS);
        }
    }
    for mutated in &gated.mutation {
        let _ = writeln!(text, "  {}", summary(mutated));
        for survivor in &mutated.survivors {
            let place = format!("{}:{}", survivor.file.display(), survivor.line);
            let change = survivor.diff.last().map_or("", |line| line.as_str());
            let _ = writeln!(
                text,
                "      {} [{}] {}",
                output::safe(&place),
                survivor.fingerprint,
                output::safe(change)
            );
        }
    }
    if let Some(ranking) = &gated.ranking {
        let table: Vec<Vec<String>> = ranking.iter().map(ranks).collect();
        for line in setting::columns(&table).lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text.push('\n');
}

/// One line for each problem and variant.
fn table(problems: &[Gated]) -> String {
    let head = ["problem", "variant", "checks", "mutants killed"].map(str::to_owned);
    let rows = problems.iter().map(|gated| {
        let looked = gated.checks.iter().filter(|check| check.left_out.is_none());
        let (held, all) = looked.fold((0, 0), |(held, all), check| {
            (held + usize::from(check.faults.is_empty()), all + 1)
        });
        let killed: usize = gated.mutation.iter().map(|of| of.killed).sum();
        let total: usize = gated.mutation.iter().map(|of| of.total).sum();
        vec![
            output::safe(&gated.problem).to_string(),
            gated
                .variant
                .map_or_else(|| "published".to_owned(), |seed| format!("seed {seed}")),
            format!("{held} of {all}"),
            match total {
                0 => "-".to_owned(),
                _ => format!("{killed} of {total}"),
            },
        ]
    });
    let rows: Vec<Vec<String>> = std::iter::once(head.to_vec()).chain(rows).collect();
    setting::columns(&rows)
}

fn row(check: &Check) -> Vec<String> {
    let state = match (&check.left_out, check.faults.len()) {
        (Some(why), _) => format!("left out: {why}"),
        (None, 0) => "holds".to_owned(),
        (None, count) => plural(count, "fault"),
    };
    let name = match check.of.as_str() {
        "" => check.name.to_owned(),
        of => format!("{}: {of}", check.name),
    };
    vec![name, state]
}

fn coloured(line: &str, check: &Check) -> String {
    let colour = match (&check.left_out, check.faults.is_empty()) {
        (Some(_), _) => AnsiColor::Yellow,
        (None, true) => AnsiColor::Green,
        (None, false) => AnsiColor::Red,
    };
    let style = Style::new().fg_color(Some(colour.into()));
    format!("{style}{line}{style:#}")
}

/// Table row of a metric: its values at each checkpoint, tidy and sloppy.
fn ranks(ranked: &Ranked) -> Vec<String> {
    let shown = |value: &f64| {
        if value.fract() == 0.0 {
            format!("{value:.0}")
        } else {
            format!("{value:.2}")
        }
    };
    let pairs = ranked.tidy.iter().zip(&ranked.sloppy);
    let cells = pairs.map(|(tidy, sloppy)| format!("{}/{}", shown(tidy), shown(sloppy)));
    std::iter::once(format!("{} tidy/sloppy", ranked.metric))
        .chain(cells)
        .collect()
}
