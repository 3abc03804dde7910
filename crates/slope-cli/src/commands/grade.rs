//! `slope grade`: rewards for edits.

pub(super) mod calibrate;
mod mutate;
mod serve;
mod tests;

use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use slope_grade::stream::{self, Graders};
use slope_grade::{Base, Engine, Grader, Pack, Revisions, group};
use slope_model::grade_request::{Change, EvidenceDetail, Request, RequestOptions, Task};
use slope_model::plural;
use slope_report::Format;

use super::output;
use crate::args::{BaseArgs, Explained, Grade, GradeCommand, Index, SchemaOf, TestArgs};
use crate::exit::Done;

pub(crate) fn run(args: &Grade, format: Format, quiet: bool) -> anyhow::Result<Done> {
    match (&args.command, &args.code) {
        (Some(GradeCommand::Explain(args)), _) => explain(args, format)?,
        (Some(GradeCommand::Group(args)), _) => grade_all((&args.code, &args.tests), true, quiet)?,
        (Some(GradeCommand::Schema(args)), _) => schema(args.of)?,
        (Some(GradeCommand::Index(args)), _) => index(args, quiet)?,
        (Some(GradeCommand::Calibrate(args)), _) => calibrate::run(args, format)?,
        (Some(GradeCommand::Serve(args)), _) => {
            serve::run(args, pack(args.pack.as_deref())?, quiet)?
        }
        (Some(GradeCommand::Pack), _) => output::document(Pack::DEFAULT_TEXT)?,
        (Some(GradeCommand::Mutate(args)), _) => mutate::run(args, format, quiet)?,
        (None, Some(code)) => grade_all((code, &args.tests), false, quiet)?,
        (None, None) => {
            bail!("there is no base\nhelp: name one: slope grade --base . < requests.jsonl")
        }
    }
    Ok(Done::Fine)
}

pub(super) fn pack(path: Option<&Path>) -> anyhow::Result<Pack> {
    let Some(path) = path else {
        return Ok(Pack::default());
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("could not read {}", path.display()))?;
    Ok(Pack::read(&text, &path.display().to_string())?)
}

fn engine(args: &BaseArgs) -> anyhow::Result<Engine> {
    Ok(Engine::new(args.threads.unwrap_or(0).into())?)
}

/// The grader of the only base.
fn grader(args: &BaseArgs, tests: &TestArgs) -> anyhow::Result<Grader> {
    let grader = Grader::new(base(args)?, pack(args.pack.as_deref())?);
    Ok(grader.with_tests(tests::service(tests)?))
}

fn index(args: &Index, quiet: bool) -> anyhow::Result<()> {
    let base = base(&args.code)?;
    base.write_index(&args.out)?;
    if !quiet {
        let files = plural(base.file_count(), "file");
        anstream::eprintln!("slope: {} has {files}, {}", args.out.display(), base.id());
    }
    Ok(())
}

/// The only base.
fn base(args: &BaseArgs) -> anyhow::Result<Base> {
    let Some(name) = &args.base else {
        bail!("there is no base\nhelp: name one: --base PATH");
    };
    let mut base = engine(args)?.open(name, args.strip_components)?;
    for patch in &args.apply {
        let text = std::fs::read_to_string(patch)
            .with_context(|| format!("could not read {}", patch.display()))?;
        let changed = base.changed(&Change::Diff(text), "--apply");
        base = changed.map_err(|fault| {
            anyhow::anyhow!(
                "{}: {}\nhelp: {}",
                patch.display(),
                fault.message,
                fault.help
            )
        })?;
    }
    Ok(base)
}

/// Grades the requests on standard input; `in_groups` sets rewards by group.
fn grade_all(
    (args, tests): (&BaseArgs, &TestArgs),
    in_groups: bool,
    quiet: bool,
) -> anyhow::Result<()> {
    let counts = match &args.repo {
        Some(repo) => {
            let pack = pack(args.pack.as_deref())?;
            let repo = repo.display().to_string();
            let tests = tests::service(tests)?;
            let revisions = Revisions::new(engine(args)?, pack, &repo);
            grade_by(&mut revisions.with_tests(tests), in_groups)?
        }
        None => grade_by(&mut grader(args, tests)?, in_groups)?,
    };
    tell(counts, quiet);
    Ok(())
}

fn grade_by(graders: &mut impl Graders, in_groups: bool) -> std::io::Result<stream::Counts> {
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    if in_groups {
        group::grade_lines(graders, input, output)
    } else {
        stream::grade_lines(graders, input, output)
    }
}

/// Says how many records could not be graded.
fn tell(counts: stream::Counts, quiet: bool) {
    if counts.errors > 0 && !quiet {
        anstream::eprintln!(
            "slope: {} of {} records could not be graded; `error` in their grades says why",
            counts.errors,
            counts.records
        );
    }
}

/// Text of a file, or of standard input for `-`.
fn text_of(path: &Path) -> anyhow::Result<String> {
    if path != Path::new("-") {
        return std::fs::read_to_string(path)
            .with_context(|| format!("could not read {}", path.display()));
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .context("could not read standard input")?;
    Ok(text)
}

fn explain(args: &Explained, format: Format) -> anyhow::Result<()> {
    let read = |path: &Path| Ok::<_, anyhow::Error>(Change::Diff(text_of(path)?));
    let request = Request {
        id: args.diff.display().to_string(),
        base: None,
        change: read(&args.diff)?,
        reference: args.reference.as_deref().map(read).transpose()?,
        task: Task::default(),
        tests: None,
        options: RequestOptions {
            evidence: EvidenceDetail::Full,
            deadline_ms: None,
            minimize: false,
        },
    };
    let grade = grader(&args.code, &args.tests)?.install(|grader| grader.grade(&request));
    if let Some(fault) = &grade.error {
        bail!("{}: {}\nhelp: {}", request.id, fault.message, fault.help);
    }
    match format {
        Format::Json => output::json(&grade),
        _ => output::text(&slope_report::render_grade(&grade)),
    }
}

fn schema(of: SchemaOf) -> anyhow::Result<()> {
    let schema = match of {
        SchemaOf::Request => slope_report::grade_request_schema(),
        SchemaOf::Grade => slope_report::grade_schema(),
    };
    output::json(&schema)
}
