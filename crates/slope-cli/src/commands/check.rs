//! `slope check`: the gate.

mod push;

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use slope_gate::{Gate, Head, Policy, Setup, Subject};
use slope_measure::{Config, Measurer};
use slope_model::gate::{GateRule, Judgement};
use slope_report::{Format, JudgementDetail};

use super::measure::options::{Said, resolve, resolve_with};
use super::measure::progress::Progress;
use super::output;
use crate::args::{self, Check, Output};
use crate::exit::Done;

pub(crate) fn run(args: &Check, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let outputs = outputs(args, format)?;
    let narrowing = narrowing(args)?;
    let subject = subject(args)?;
    let path = configured(&subject);
    let policy = args.policy.as_ref();
    let policy = policy
        .map(|revision| Policy::at(path, revision))
        .transpose()?;
    let mut setup = setup(args, path, policy.as_ref())?;
    if is_limited(args) {
        setup.check.only(&args.only);
    }
    let measurer = setup.measurer()?;
    if let Some(count) = args.replay {
        return replay(
            &args.path,
            (&measurer, &setup),
            count as usize,
            (format, quiet),
        );
    }
    let mut gate = Gate::new(&measurer, setup.check)
        .with_ratchet_beside(setup.config.as_deref())
        .with_policy(policy)
        .narrowed(!narrowing.is_empty());
    if !outputs
        .iter()
        .any(|output| matches!(output.format, Format::Json | Format::Jsonl))
    {
        gate = gate.without_whole();
    }
    let judgement = match args.ratchet {
        true => gate.judge_ratchet(&args.path, args.update)?,
        false => gate.judge(&subject).map_err(|error| of_diff(args, error))?,
    };
    for one in &outputs {
        write(one, &judgement, args.verbose)?;
    }
    let passes = judgement.passes;
    let sent = push::sent(&args.sent, &args.path, &judgement)?;
    // The process ends, so freeing the memory piece by piece would only take time.
    std::mem::forget((judgement, measurer));
    Ok(if passes { sent } else { Done::Unmet })
}

/// Commits that a replay lists for people.
const MAX_REPLAYED: usize = 20;

/// Judges past changes. It reports, so it never fails.
fn replay(
    path: &Path,
    judge: (&Measurer, &Setup),
    count: usize,
    (format, quiet): (Format, bool),
) -> anyhow::Result<Done> {
    let progress = Progress::new(quiet);
    let replayed = slope_gate::replay(path, judge, count, &|done, all| {
        progress.stage("judging commits", done, all);
    });
    progress.finish();
    let replayed = replayed?;
    match format {
        Format::Json => output::json(&replayed)?,
        Format::Human => {
            let detail = output::list_detail(MAX_REPLAYED);
            output::text(&slope_report::render_replay(&replayed, &detail))?;
        }
        _ => bail!("a replay has the formats human and json\nhelp: use one of them"),
    }
    Ok(Done::Fine)
}

/// Whether only some rules are checked. The ratchet covers the findings of all rules.
fn is_limited(args: &Check) -> bool {
    let is_whole = args.ratchet && args.only.contains(&GateRule::Ratchet);
    !args.only.is_empty() && !is_whole
}

/// Options that check less than the configuration asks for. They are refused when the ratchet is
/// written, because it is written completely.
fn narrowing(args: &Check) -> anyhow::Result<Vec<&'static str>> {
    if !args.ratchet && !args.only.is_empty() && args.only.iter().all(|r| *r == GateRule::Ratchet) {
        bail!(
            "the rule ratchet needs the whole tree\nhelp: add --ratchet, or remove --only ratchet"
        );
    }
    let narrowing = [
        (is_limited(args), "--only"),
        (!args.files.exclude.is_empty(), "--exclude"),
        (args.files.tests == Some(args::Tests::Exclude), "--tests"),
        (!args.reported.disable.is_empty(), "--disable"),
        (args.rules.no_own_rules, "--no-own-rules"),
        (args.definitions.no_signals, "--no-signals"),
        (args.definitions.no_near_miss, "--no-near-miss"),
    ];
    let narrowing: Vec<_> = narrowing
        .iter()
        .filter_map(|(is_said, name)| is_said.then_some(*name))
        .collect();
    if args.update && !narrowing.is_empty() {
        bail!(
            "--update would drop the items that {} leaves out\nhelp: remove one of them, or set it in slope.toml",
            narrowing.join(", ")
        );
    }
    Ok(narrowing)
}

/// Trees to compare, from the arguments.
fn subject(args: &Check) -> anyhow::Result<Subject> {
    if let Some(head) = &args.new {
        return folders(&args.path, head);
    }
    if let Some(base) = args.base.as_deref().filter(|base| is_folder(base, args)) {
        return folders(Path::new(base), &args.path);
    }
    let head = match (&args.diff, &args.head) {
        (Some(file), _) => Head::Diff(diff(file)?),
        (None, Some(revision)) => Head::Commit(revision.clone()),
        (None, None) if args.staged => Head::Staged,
        (None, None) => Head::Worktree,
    };
    Ok(Subject::Git {
        path: args.path.clone(),
        base: args.base.clone(),
        head,
    })
}

/// Whether a base is a directory rather than a revision; a revision is meant where both may be.
fn is_folder(base: &str, args: &Check) -> bool {
    let plain = !args.staged && args.diff.is_none() && args.head.is_none();
    let is_revision = || {
        let repo = slope_history::Repo::open(&args.path);
        repo.is_ok_and(|repo| repo.reader().resolve(base).is_ok())
    };
    plain && Path::new(base).is_dir() && !is_revision()
}

fn folders(base: &Path, head: &Path) -> anyhow::Result<Subject> {
    for folder in [base, head] {
        if !folder.is_dir() {
            bail!(
                "{} is not a directory\nhelp: name two directories",
                folder.display()
            );
        }
    }
    Ok(Subject::Folders {
        base: base.to_owned(),
        head: head.to_owned(),
    })
}

/// The error of a judgement; one of a diff names its file.
fn of_diff(args: &Check, error: slope_gate::Error) -> anyhow::Error {
    match args.diff.as_deref().filter(|_| error.is_of_diff()) {
        Some(file) if file == Path::new("-") => {
            anyhow::Error::from(error).context("cannot use the diff of standard input")
        }
        Some(file) => {
            anyhow::Error::from(error).context(format!("cannot use the diff {}", file.display()))
        }
        None => error.into(),
    }
}

fn diff(file: &Path) -> anyhow::Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut text = Vec::new();
        std::io::stdin()
            .read_to_end(&mut text)
            .context("cannot read the diff from standard input")?;
        return Ok(text);
    }
    std::fs::read(file).with_context(|| {
        format!(
            "cannot read the diff {}\nhelp: name a file with the output of `git diff`, or `-` for standard input",
            file.display()
        )
    })
}

/// Path whose configuration applies.
fn configured(subject: &Subject) -> &Path {
    match subject {
        Subject::Git { path, .. } => path,
        Subject::Folders { head, .. } => head,
    }
}

fn setup(args: &Check, path: &Path, policy: Option<&Policy>) -> anyhow::Result<Setup> {
    let said = Said {
        definitions: &args.definitions,
        rules: &args.rules,
        reported: &args.reported,
        files: &args.files,
        work: &args.work,
    };
    if let Some(policy) = policy {
        let options = resolve_with(&said, path, policy.config.as_ref())?;
        return Ok(Setup::of_policy(options, policy)?);
    }
    let options = resolve(&said, path)?;
    let config: Option<PathBuf> = match (&args.files.config, args.files.isolated) {
        (_, true) => None,
        (Some(file), false) => Some(file.clone()),
        (None, false) => Config::find(path)?.map(|found| found.path),
    };
    Ok(Setup::new(options, config)?)
}

/// Requested outputs. Standard output gets the one of `--format`, unless `--output` names another
/// for it.
fn outputs(args: &Check, format: Format) -> anyhow::Result<Vec<Output>> {
    let mut outputs = args.output.clone();
    let printed = outputs.iter().filter(|o| o.file.is_none()).count();
    if printed > 1 {
        bail!("standard output can take only one format\nhelp: write the others to files with -o");
    }
    if let Some(folder) = outputs
        .iter()
        .filter_map(|o| o.file.as_ref())
        .find(|f| f.is_dir())
    {
        bail!(
            "-o {} is a directory\nhelp: name a file in it",
            folder.display()
        );
    }
    if printed == 0 {
        outputs.insert(0, Output { format, file: None });
    }
    Ok(outputs)
}

fn write(output: &Output, judgement: &Judgement, evidence: bool) -> anyhow::Result<()> {
    let color = output.file.is_none() && output::screen().0;
    let detail = JudgementDetail { evidence, color };
    let text = slope_report::render_judgement(output.format, judgement, &detail)?;
    match &output.file {
        Some(file) => slope_store::atomic::write_to(file, text.as_bytes())
            .with_context(|| format!("cannot write {}", file.display())),
        None => match output.format {
            Format::Human => output::text(&text),
            format if format.is_json() => output::json_text(&text),
            _ => output::document(&text),
        },
    }
}
