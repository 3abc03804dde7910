//! `slope report`: renders runs again, separately and combined.

mod panels;
mod rows;

use std::path::PathBuf;

use anyhow::bail;
use slope_bench::gather::{self, Gathered};
use slope_model::detail::RunDetail;
use slope_model::run::RunReport;
use slope_report::{
    Binning, Format, LeftOut, Material, Remark, RowError, RowForm, RunDigest, SourceOf, Study,
    StudyOptions,
};

use self::panels::Given;
use self::rows::{RowFiles, RunRows};
use super::output;
use crate::args::{Phases, Report};
use crate::exit::Done;

/// Maximum number of trials printed as tables. JSON and HTML have all.
const MAX_TRIALS: usize = 24;

pub(crate) fn run(args: &Report, format: Format) -> anyhow::Result<Done> {
    check(args, format)?;
    if args.evidence {
        let gathered = gather::gather(&args.runs)?;
        output::text(&slope_report::render_evidence(&gathered.reports))?;
        return Ok(Done::Fine);
    }
    let given = panels::read(&args.panel)?;
    let mut files = match &args.out {
        Some(dir) => Some(RowFiles::begin(dir, row_form(format))?),
        None => None,
    };
    let (gathered, digests) = read(&args.runs, row_form(format), &mut files)?;
    let study = study(&gathered, &digests, &given, args)?;
    // All rows are written to disk before any existing file is replaced.
    let rows = files.map(|files| files.finish(&study)).transpose()?;
    if let Some(path) = &args.html {
        let page = output::page(&gathered.reports, &study)?;
        slope_store::atomic::write_to(path, page.as_bytes())?;
    }
    match rows {
        Some(rows) => rows.keep()?,
        None => print(&gathered, &study, format)?,
    }
    Ok(Done::Fine)
}

fn row_form(format: Format) -> RowForm {
    match format {
        Format::Parquet => RowForm::Parquet,
        _ => RowForm::Csv,
    }
}

/// Reads the runs. Keeps only the details that the study needs, and writes rows to `files`.
fn read(
    runs: &[PathBuf],
    form: RowForm,
    files: &mut Option<RowFiles>,
) -> anyhow::Result<(Gathered, Vec<RunDigest>)> {
    let wants_rows = files.is_some();
    let reduce = |report: &RunReport, detail: RunDetail| {
        let rows = wants_rows.then(|| rows::of_run(form, report, &detail));
        (slope_report::digest(report, &detail), rows)
    };
    let mut digests = Vec::new();
    let take = |(digest, rows): (RunDigest, Option<Result<RunRows, RowError>>)| {
        digests.push(digest);
        match (&mut *files, rows) {
            (Some(files), Some(rows)) => files.put(rows?),
            _ => anyhow::Ok(()),
        }
    };
    let gathered = gather::gather_each(runs, reduce, take)?;
    Ok((gathered, digests))
}

/// Refuses impossible requests before the work starts.
fn check(args: &Report, format: Format) -> anyhow::Result<()> {
    output::check_html(args.html.as_deref())?;
    let in_files = matches!(format, Format::Csv | Format::Parquet);
    match (&args.out, in_files) {
        (None, true) => {
            bail!("this format has several files\nhelp: pass a folder for them with --out DIR")
        }
        (Some(_), false) => bail!("--out works only with --format csv and --format parquet"),
        (Some(dir), true) if dir.exists() && !dir.is_dir() => {
            bail!("--out {} is not a folder", dir.display())
        }
        _ => Ok(()),
    }
}

fn study(
    gathered: &Gathered,
    digests: &[RunDigest],
    given: &Given,
    args: &Report,
) -> anyhow::Result<Study> {
    let mut options = StudyOptions {
        binning: match args.phases {
            Phases::Paper => Binning::Paper,
            Phases::Dashboard => Binning::Dashboard,
        },
        ..StudyOptions::default()
    };
    options.bootstrap.resamples = args.resamples as usize;
    let source =
        |of: &SourceOf<'_>| gather::source(of.report, of.problem, of.trial, of.checkpoint, of.path);
    let material = Material {
        reports: &gathered.reports,
        digests,
        panels: &given.panels,
        histories: &given.histories,
        source: Some(&source),
    };
    let mut study = slope_report::study_of(&material, &options);
    let left_out = gathered.left_out.iter().cloned();
    study
        .left_out
        .extend(left_out.map(|(path, reason)| LeftOut { path, reason }));
    let remarks = gathered.remarks.iter().cloned();
    study.remarks.extend(remarks.map(|(run, remark)| Remark {
        run,
        kind: remark.kind.to_owned(),
        place: remark.place,
        text: remark.text,
    }));
    Ok(study)
}

fn print(gathered: &Gathered, study: &Study, format: Format) -> anyhow::Result<()> {
    let reports = &gathered.reports;
    let trials: usize = reports.iter().map(|report| report.trials.len()).sum();
    let each = trials <= MAX_TRIALS;
    match format {
        Format::Json => output::stream(|out| slope_report::write_study_json(out, reports, study)),
        Format::Html => output::document(&output::page(reports, study)?),
        Format::Latex => output::document(&slope_report::render_study_latex(study)),
        Format::Markdown => {
            if each {
                output::document(&slope_report::render_markdown(reports))?;
                output::document("")?;
            }
            output::document(&slope_report::render_study_markdown(study))
        }
        _ => {
            let options = output::terminal_options();
            if each {
                output::text(&slope_report::render_terminal(reports, &options))?;
                output::text("")?;
            }
            output::text(&slope_report::render_study_terminal(study, &options))
        }
    }
}
