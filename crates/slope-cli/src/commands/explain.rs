//! `slope explain`: one rule or signal.

use super::{catalogue, output};
use crate::args::{Explain, Format};
use crate::exit::Done;

pub(crate) fn run(args: &Explain, format: Format) -> anyhow::Result<Done> {
    let rules = catalogue::of_source(&args.source)?;
    let (color, _) = output::screen();
    let Some(text) = slope_report::explain_rule(&rules, &args.rule, color) else {
        return catalogue::unknown(&rules, &args.rule).map(|never| match never {});
    };
    match format {
        Format::Json => {
            let of: Vec<_> = rules.iter().filter(|r| r.id == args.rule).collect();
            output::json(&of)?;
        }
        Format::Text | Format::Markdown => output::text(&text)?,
    }
    Ok(Done::Fine)
}
