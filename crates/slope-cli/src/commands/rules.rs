//! `slope rules`: list rules and signals.

use super::{catalogue, output};
use slope_report::Format;

use crate::args::Rules;
use crate::exit::Done;

pub(crate) fn run(args: &Rules, format: Format) -> anyhow::Result<Done> {
    let mut rules = catalogue::of_source(&args.source)?;
    if let Some(language) = &args.language {
        catalogue::keep_language(&mut rules, language)?;
    }
    match format {
        Format::Json => output::json(&rules)?,
        _ => {
            let (color, width) = output::screen();
            output::text(&slope_report::list_rules(&rules, color, width))?;
        }
    }
    Ok(Done::Fine)
}
