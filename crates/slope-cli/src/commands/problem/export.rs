//! `slope problem export`.

use std::path::Path;

use slope_author::export;
use slope_problem::LoadOptions;

use crate::args::problem::{Export, ExportForm};
use crate::commands::output;
use crate::exit::Done;
use crate::shipped;

pub(super) fn run(args: &Export) -> anyhow::Result<Done> {
    if let Some(path) = &args.out {
        super::must_be_new(path)?;
    }
    let folder = shipped::folder(&args.problem)?;
    let problem = slope_problem::load(&folder, &LoadOptions::default())?;
    if let Some(refactoring) = problem.checkpoints.iter().find(|one| one.goals.is_some()) {
        anyhow::bail!(
            "{} cannot be exported: {} is a refactoring, and the formats have no place for legacy code and goals\n\
             help: export another problem",
            problem.name,
            refactoring.name
        );
    }
    match (args.form, &args.out) {
        (ExportForm::Json, None) => output::json(&export::document(&problem)?)?,
        (ExportForm::Json, Some(path)) => {
            let text = serde_json::to_string_pretty(&export::document(&problem)?)? + "\n";
            slope_store::atomic::write_to(path, text.as_bytes())?;
            told(path)?;
        }
        (ExportForm::Pytest, Some(path)) => {
            export::pytest(&problem, path)?;
            told(path)?;
        }
        (ExportForm::Pytest, None) => {
            anyhow::bail!("missing folder for the export\nhelp: pass it with --out")
        }
    }
    Ok(Done::Fine)
}

fn told(path: &Path) -> anyhow::Result<()> {
    output::text(&format!(
        "written to {}",
        output::safe(&path.display().to_string())
    ))
}
