//! `slope grade`: rewards for edits.

mod mutate;

use std::io::{Read, StdinLock, StdoutLock};
use std::path::Path;

use anyhow::{Context, bail};
use slope_grade::{Base, Grader, Pack, group, stream};
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
        (Some(GradeCommand::Pack), _) => output::document(Pack::DEFAULT_TEXT)?,
        (Some(GradeCommand::Mutate(args)), _) => mutate::run(args, format, quiet)?,
        (None, Some(args)) => grade_all(args, stream::grade_lines, quiet)?,
        (None, None) => {
            bail!("there is no base\nhelp: name one: slope grade --base . < requests.jsonl")
        }
    }
    Ok(Done::Fine)
}

fn grader(args: &BaseArgs) -> anyhow::Result<Grader> {
    let pack = match &args.pack {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("could not read {}", path.display()))?;
            Pack::read(&text, &path.display().to_string())?
        }
        None => Pack::default(),
    };
    Ok(Grader::new(
        Base::open(&args.base, args.threads.unwrap_or(0).into())?,
        pack,
    ))
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
        base: None,
        id: args.diff.display().to_string(),
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
