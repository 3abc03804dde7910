//! `slope grade`: rewards for edits.

mod serve;

use std::io::{Read, StdinLock, StdoutLock};
use std::path::Path;

use anyhow::{Context, bail};
use slope_grade::{Engine, Grader, Pack, group, stream};
use slope_model::grade_request::{Change, EvidenceDetail, Request, RequestOptions, Task};
use slope_report::Format;

use super::output;
use crate::args::{BaseArgs, Explained, Grade, GradeCommand, SchemaOf};
use crate::exit::Done;

pub(crate) fn run(args: &Grade, format: Format, quiet: bool) -> anyhow::Result<Done> {
    match (&args.command, &args.code) {
        (Some(GradeCommand::Explain(args)), _) => explain(args, format)?,
        (Some(GradeCommand::Group(args)), _) => grade_all(args, group::grade_lines, quiet)?,
        (Some(GradeCommand::Schema(args)), _) => schema(args.of)?,
        (Some(GradeCommand::Serve(args)), _) => {
            serve::run(args, pack(args.pack.as_deref())?, quiet)?
        }
        (Some(GradeCommand::Pack), _) => output::document(Pack::DEFAULT_TEXT)?,
        (None, Some(args)) => grade_all(args, stream::grade_lines, quiet)?,
        (None, None) => {
            bail!("there is no base\nhelp: name one: slope grade --base . < requests.jsonl")
        }
    }
    Ok(Done::Fine)
}

fn pack(path: Option<&Path>) -> anyhow::Result<Pack> {
    let Some(path) = path else {
        return Ok(Pack::default());
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("could not read {}", path.display()))?;
    Ok(Pack::read(&text, &path.display().to_string())?)
}

fn grader(args: &BaseArgs) -> anyhow::Result<Grader> {
    let engine = Engine::new(args.threads.unwrap_or(0).into())?;
    let base = engine.open(&args.base, args.strip_components)?;
    Ok(Grader::new(base, pack(args.pack.as_deref())?))
}

/// How requests on standard input become grades on standard output.
type Stream =
    fn(&Grader, StdinLock<'static>, StdoutLock<'static>) -> std::io::Result<stream::Counts>;

fn grade_all(args: &BaseArgs, grade: Stream, quiet: bool) -> anyhow::Result<()> {
    let grader = grader(args)?;
    let counts = grade(&grader, std::io::stdin().lock(), std::io::stdout().lock())?;
    tell(counts, quiet);
    Ok(())
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

fn explain(args: &Explained, format: Format) -> anyhow::Result<()> {
    let read = |path: &Path| -> anyhow::Result<Change> {
        let mut text = String::new();
        if path == Path::new("-") {
            std::io::stdin()
                .read_to_string(&mut text)
                .context("could not read standard input")?;
        } else {
            text = std::fs::read_to_string(path)
                .with_context(|| format!("could not read {}", path.display()))?;
        }
        Ok(Change::Diff(text))
    };
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
        },
    };
    let grade = grader(&args.code)?.grade(&request);
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
