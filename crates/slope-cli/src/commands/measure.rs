//! `slope measure`: measure a directory.

use anyhow::bail;
use slope_measure::{Options, Profile};

use super::output;
use crate::args::{self, Format, Measure};
use crate::exit::Done;

pub(crate) fn run(args: &Measure, format: Format) -> anyhow::Result<Done> {
    if !args.path.exists() {
        bail!("{}: no such file or directory", args.path.display());
    }
    let mut options = Options {
        profile: match args.profile {
            args::Profile::Slope => Profile::Slope,
            args::Profile::Paper => Profile::Paper,
        },
        cut_off: args.cutoff,
        rule_folders: args.rules.clone(),
        gitignore: args.gitignore,
        ..Options::default()
    };
    options.excluded.extend(args.exclude.iter().cloned());
    let measurement = slope_measure::measure_dir(&args.path, &options)?;
    match format {
        Format::Json => output::json(&measurement)?,
        Format::Text | Format::Markdown => {
            let subject = slope_report::Subject {
                measurement: &measurement,
                rules: &[],
                title: &args.path.display().to_string(),
                prefix: "",
                sources: None,
            };
            let detail = slope_report::Detail {
                findings: args.findings,
                ..slope_report::Detail::default()
            };
            let form = slope_report::MeasurementFormat::Human;
            output::text(&slope_report::render_measurement(form, &subject, &detail)?)?;
        }
    }
    Ok(Done::Fine)
}
