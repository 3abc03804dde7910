//! `slope problem new`.

use std::path::PathBuf;

use serde::Serialize;
use slope_author::scaffold;
use slope_report::Format;

use crate::args::problem::New;
use crate::commands::output;
use crate::exit::Done;

/// Version of the JSON form.
const SCHEMA: &str = "slope.new-problem/1";

#[derive(Serialize)]
struct Made {
    schema: &'static str,
    folder: PathBuf,
}

pub(super) fn run(args: &New, format: Format) -> anyhow::Result<Done> {
    let folder = scaffold::create(&args.out, &args.name, args.checkpoints)?;
    match format {
        Format::Json => output::json(&Made {
            schema: SCHEMA,
            folder,
        })?,
        _ => {
            let shown = output::safe(&folder.display().to_string());
            output::text(&format!("created {shown}; next: slope problem try {shown}"))?;
        }
    }
    Ok(Done::Fine)
}
