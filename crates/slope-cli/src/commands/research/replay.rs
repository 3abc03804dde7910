//! `slope research replay`: grades stored snapshots of published runs and compares the verdicts with
//! the stored ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use slope_bench::gather;
use slope_bench::machine::Machine;
use slope_bench::plan::{RunOptions, StabilityPlan};
use slope_bench::replay::{self, Difference, Replayed, Source};
use slope_model::error_text::one_line;
use slope_model::problem::Problem;
use slope_problem::LoadOptions;
use slope_published::{StoredRun, StoredVerdict};
use slope_report::Format;
use slope_store::atomic;
use slope_suite::track::Interpreter;

use crate::args::{Grading, Isolation};
use crate::commands::{output, run, safe};
use crate::exit::Done;
use crate::setup;

#[derive(Debug, Args)]
#[command(after_help = "\
Get the problems from the catalog that graded the runs. Its commit is in problem_catalog.json of a
run. If a run records the version of Python that graded it, slope uses pythonX.Y on PATH, unless
--python names another.

If a test differs, slope grades the snapshot again. A test that then has its stored outcome counts
as unstable, not as different. A snapshot whose suite runs out of time is not graded. Give it more
time with --suite-timeout.

Examples:
  slope research replay outputs --problems ~/catalog --sample 12 --results replayed
  slope research replay outputs/m/run --problems ~/catalog --only code_search
  slope research replay outputs/m/run --problems ~/catalog --format json > replayed.json

Exit code 1: a test differs, or a snapshot could not be graded.")]
pub(crate) struct ResearchReplay {
    /// Run directories of the published harness, or folders that contain them.
    #[arg(required = true, value_name = "RUN_DIR")]
    pub(crate) runs: Vec<PathBuf>,
    /// Folder that contains the problems.
    #[arg(long, value_name = "DIR")]
    pub(crate) problems: PathBuf,
    /// Replay only this problem (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Replay only this checkpoint, for example checkpoint_2 (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) checkpoint: Vec<String>,
    /// Number of snapshots to replay, spread over the problems [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: Option<u32>,
    /// Seed of the sample.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Folder for results, one file per snapshot. Existing results are reused.
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
}

/// Results of the replayed snapshots.
#[derive(Debug, Serialize)]
struct Outcome {
    /// Schema of this output.
    schema: &'static str,
    /// Whether there is a verdict on every snapshot, and every test is as stored.
    conforms: bool,
    /// Whether a Ctrl-C left snapshots out.
    interrupted: bool,
    /// Snapshots in the order in which they were graded.
    replayed: Vec<Replayed>,
    /// Snapshots that were not graded, with reasons.
    left_out: Vec<LeftOut>,
}

#[derive(Debug, Serialize)]
struct LeftOut {
    /// Run directory.
    run: PathBuf,
    /// Problem and checkpoint. Null for a run that cannot be read.
    place: Option<String>,
    /// Reason.
    reason: String,
}

pub(crate) fn run(args: &ResearchReplay, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let mut left_out = Vec::new();
    let runs = read(args, &mut left_out)?;
    let mut catalog = Catalog::of(&args.problems)?;
    let mut chosen = choose(args, &runs, &mut catalog, &mut left_out);
    if let Some(most) = args.sample {
        chosen = replay::sample(&chosen, most as usize, args.seed);
    }
    if chosen.is_empty() {
        bail!("nothing to replay: {}", told(&left_out));
    }
    let (replayed, interrupted) = Replay::new(args, quiet)?.all(&chosen, &catalog)?;
    let result = Outcome {
        schema: "slope.replay/1",
        conforms: !interrupted && replayed.iter().all(Replayed::conforms),
        interrupted,
        replayed,
        left_out,
    };
    match format {
        Format::Json => output::json(&result)?,
        _ => output::text(&describe(&result))?,
    }
    Ok(match (result.interrupted, result.conforms) {
        (true, _) => Done::Interrupted,
        (false, true) => Done::Fine,
        (false, false) => Done::Unmet,
    })
}

impl ResearchReplay {
    fn asks_for(&self, problem: &str, checkpoint: &str) -> bool {
        let asked =
            |named: &[String], name: &str| named.is_empty() || named.iter().any(|n| n == name);
        asked(&self.only, problem) && asked(&self.checkpoint, checkpoint)
    }
}

/// The stored verdicts of the runs, by directory.
fn read(
    args: &ResearchReplay,
    left_out: &mut Vec<LeftOut>,
) -> anyhow::Result<Vec<(PathBuf, StoredRun)>> {
    let mut runs = Vec::new();
    for dir in gather::published_dirs(&args.runs)? {
        let mut leave = |place, reason: &str| {
            left_out.push(LeftOut {
                run: dir.clone(),
                place,
                reason: reason.to_owned(),
            });
        };
        match slope_published::stored(&dir) {
            Ok(stored) => {
                for ((problem, checkpoint), why) in &stored.left_out {
                    if args.asks_for(problem, checkpoint) {
                        leave(Some(format!("{problem}/{checkpoint}")), why);
                    }
                }
                runs.push((dir, stored));
            }
            Err(error) => leave(None, &one_line(&error)),
        }
    }
    Ok(runs)
}

/// Selected problems, or the errors of those that cannot be loaded.
struct Catalog<'a> {
    dir: &'a Path,
    problems: BTreeMap<String, Result<Problem, String>>,
}

impl<'a> Catalog<'a> {
    fn of(dir: &'a Path) -> anyhow::Result<Self> {
        if !dir.is_dir() {
            bail!("--problems {}: no such directory", dir.display());
        }
        Ok(Self {
            dir,
            problems: BTreeMap::new(),
        })
    }

    /// Reason that the problem of `verdict` cannot grade its snapshot.
    fn refusal(&mut self, verdict: &StoredVerdict) -> Option<String> {
        let load = || {
            let folder = self.dir.join(&verdict.problem);
            slope_problem::load(&folder, &LoadOptions::default()).map_err(|e| one_line(&e))
        };
        let name = verdict.problem.clone();
        let problem = match self.problems.entry(name).or_insert_with(load) {
            Ok(problem) => problem,
            Err(why) => return Some(why.clone()),
        };
        let (here, then) = (problem.version, verdict.problem_version);
        then.is_some_and(|then| then != here).then(|| {
            let then = then.unwrap_or_default();
            format!("graded by version {then} of the problem, but --problems has version {here}")
        })
    }
}

/// Selected verdicts that can be replayed.
fn choose<'a>(
    args: &ResearchReplay,
    runs: &'a [(PathBuf, StoredRun)],
    catalog: &mut Catalog<'_>,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Source<'a>> {
    let mut chosen = Vec::new();
    for (dir, stored) in runs {
        for verdict in &stored.verdicts {
            let (problem, checkpoint) = (&verdict.problem, &verdict.checkpoint);
            if !args.asks_for(problem, checkpoint) {
                continue;
            }
            if let Some(reason) = catalog.refusal(verdict) {
                left_out.push(LeftOut {
                    run: dir.clone(),
                    place: Some(format!("{problem}/{checkpoint}")),
                    reason,
                });
                continue;
            }
            chosen.push(Source {
                run: dir,
                model: &stored.model,
                python: stored.python.as_deref(),
                verdict,
            });
        }
    }
    chosen
}

/// Replays snapshots.
struct Replay<'a> {
    args: &'a ResearchReplay,
    quiet: bool,
    options: RunOptions,
    /// By the stored version of Python.
    machines: BTreeMap<Option<&'a str>, Machine>,
}

impl<'a> Replay<'a> {
    fn new(args: &'a ResearchReplay, quiet: bool) -> anyhow::Result<Self> {
        let mut options = RunOptions::default();
        run::apply(&mut options, &args.isolation, &args.grading)?;
        if args.grading.stability.is_none() {
            // The stored results are of one run. Snapshots that differ are run again completely.
            options.stability = StabilityPlan::Off;
        }
        if let Some(folder) = &args.results {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Self {
            args,
            quiet,
            options,
            machines: BTreeMap::new(),
        })
    }

    /// Replays the chosen snapshots until the time limit or Ctrl-C, and returns whether Ctrl-C
    /// ended it.
    fn all(
        mut self,
        chosen: &[Source<'a>],
        catalog: &Catalog<'_>,
    ) -> anyhow::Result<(Vec<Replayed>, bool)> {
        let stop = setup::stop_gently("stopping; the results so far follow");
        let mut replayed = Vec::new();
        for (number, source) in (1..).zip(chosen) {
            if stop.load(Ordering::Relaxed) {
                return Ok((replayed, true));
            }
            let Some(Ok(problem)) = catalog.problems.get(&source.verdict.problem) else {
                continue;
            };
            let one = self.one(source, problem)?;
            if !self.quiet {
                anstream::eprintln!("[{number}/{}] {}", chosen.len(), line(&one));
            }
            replayed.push(one);
        }
        Ok((replayed, false))
    }

    /// One snapshot, or its result from before.
    fn one(&mut self, source: &Source<'a>, problem: &Problem) -> anyhow::Result<Replayed> {
        if !self.machines.contains_key(&source.python) {
            let machine = self.machine(source.python)?;
            self.machines.insert(source.python, machine);
        }
        let machine = &self.machines[&source.python];
        let Some(folder) = &self.args.results else {
            return Ok(replay::replay(source, problem, machine)?);
        };
        let name = replay::result_name(source, problem, machine);
        let file = folder.join(name).with_extension("json");
        if file.exists() {
            return Ok(atomic::read_json(&file)?);
        }
        let replayed = replay::replay(source, problem, machine)?;
        atomic::write_json(&file, &replayed)?;
        Ok(replayed)
    }

    /// Machine with the Python version that graded, if it is known and installed.
    fn machine(&self, python: Option<&str>) -> anyhow::Result<Machine> {
        let mut options = self.options.clone();
        if let (None, Some(version)) = (&options.python, python) {
            let named = PathBuf::from(format!("python{version}"));
            if Interpreter::discover(Some(&named)).is_ok() {
                options.python = Some(named);
            }
        }
        setup::machine(&options, &self.args.problems)
    }
}

/// A snapshot's result in a line.
fn line(of: &Replayed) -> String {
    let run = of.run.file_name().unwrap_or_default().to_string_lossy();
    let verdict = match (&of.reason, of.differences.len()) {
        (Some(_), _) => "not graded".to_owned(),
        (None, 0) => "as stored".to_owned(),
        (None, some) => format!("{some} differ"),
    };
    safe(&format!(
        "{verdict:<10} {:>4} of {:>4} tests  {}/{}  {run}",
        of.equal, of.tests, of.problem, of.checkpoint
    ))
}

fn describe(result: &Outcome) -> String {
    let mut text = table(&result.replayed);
    for of in &result.replayed {
        details(&mut text, of);
    }
    if !result.left_out.is_empty() {
        let _ = writeln!(text, "\nleft out: {}", told(&result.left_out));
    }
    let sum = |number: fn(&Replayed) -> usize| result.replayed.iter().map(number).sum::<usize>();
    let _ = writeln!(
        text,
        "\n{} snapshots: of {} tests {} equal, {} unstable, {} different, {} not graded",
        result.replayed.len(),
        sum(|of| of.tests),
        sum(|of| of.equal),
        sum(|of| of.unstable.len()),
        sum(|of| of.differences.len()),
        sum(|of| if of.reason.is_some() { of.tests } else { 0 }),
    );
    text
}

/// Markdown table, which is readable as text too.
fn table(replayed: &[Replayed]) -> String {
    let mut text = String::new();
    let mut row = |cells: [&str; 8]| {
        let [run, model, place, tests, equal, unstable, differ, time] = cells;
        let _ = writeln!(
            text,
            "| {run:<52} | {model:<10} | {place:<36} | {tests:>5} | {equal:>5} | {unstable:>8} | {differ:>6} | {time:>7} |"
        );
    };
    row([
        "run", "model", "snapshot", "tests", "equal", "unstable", "differ", "seconds",
    ]);
    row(["---"; 8]);
    for of in replayed {
        let run = of.run.file_name().unwrap_or_default().to_string_lossy();
        let differ = match &of.reason {
            Some(_) => "-".to_owned(),
            None => of.differences.len().to_string(),
        };
        row([
            &safe(&run),
            &safe(&of.model),
            &safe(&format!("{}/{}", of.problem, of.checkpoint)),
            &of.tests.to_string(),
            &of.equal.to_string(),
            &of.unstable.len().to_string(),
            &differ,
            &format!("{:.1}", of.duration_s),
        ]);
    }
    text
}

/// Notes on a snapshot's result besides its counts.
fn details(text: &mut String, of: &Replayed) {
    let mut said = Vec::new();
    said.extend(of.reason.iter().map(|why| format!("not graded: {why}")));
    let other = |then: &&String| !of.python.starts_with(&format!("{then}."));
    if let Some(then) = of.stored_python.as_ref().filter(other) {
        said.push(format!("graded by Python {} here, {then} then", of.python));
    }
    let packages = of.without_packages.iter();
    said.extend(packages.map(|why| format!("the program ran without its packages: {why}")));
    said.extend(of.unstable.iter().map(|test| format!("unstable: {test}")));
    said.extend(of.differences.iter().map(difference));
    if !said.is_empty() {
        let run = of.run.file_name().unwrap_or_default().to_string_lossy();
        let place = safe(&format!("{}/{} of {run}", of.problem, of.checkpoint));
        let _ = writeln!(text, "\n{place}");
    }
    for what in said {
        let _ = writeln!(text, "  {}", safe(&what));
    }
}

fn difference(of: &Difference) -> String {
    let said = |side: &Option<replay::Said>| match side {
        Some(said) => format!("{} {}", said.group, said.outcome),
        None => "not there".to_owned(),
    };
    let first = of.message.as_deref().and_then(|text| text.lines().next());
    let message = first.map_or_else(String::new, |first| format!(": {first}"));
    let (then, now) = (said(&of.stored), said(&of.here));
    format!("{}: {then} then, {now} here{message}", of.test)
}

/// Snapshots left out, by reason.
fn told(left_out: &[LeftOut]) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for one in left_out {
        let run = one.run.file_name().unwrap_or_default().to_string_lossy();
        let place = match &one.place {
            Some(place) => format!("{run}/{place}"),
            None => run.into_owned(),
        };
        reasons.entry(&one.reason).or_default().push(place);
    }
    if reasons.is_empty() {
        return "no run has a stored verdict for the selected problems and checkpoints".to_owned();
    }
    let mut text = left_out.len().to_string();
    for (reason, places) in reasons {
        let first = &places[0];
        let more = match places.len() {
            1 => String::new(),
            some => format!(" and {} more", some - 1),
        };
        let _ = write!(text, "\n  {}", safe(&format!("{first}{more}: {reason}")));
    }
    text
}
