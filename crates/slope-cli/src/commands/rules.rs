//! `slope rules`: list rules and signals.

use anyhow::bail;
use slope_syntax::Language;

use super::{catalogue, output};
use crate::args::{Format, Rules};
use crate::exit::Done;

pub(crate) fn run(args: &Rules, format: Format) -> anyhow::Result<Done> {
    let mut rules = catalogue::of_source(&args.source)?;
    if let Some(language) = &args.language {
        let Some(language) = Language::by_name(language) else {
            let known: Vec<_> = Language::all().map(Language::id).collect();
            bail!(
                "slope does not know the language `{language}`; it knows {}",
                known.join(", ")
            );
        };
        rules.retain(|rule| rule.languages.iter().any(|id| id == language.id()));
    }
    match format {
        Format::Json => output::json(&rules)?,
        Format::Text | Format::Markdown => {
            let (color, width) = output::screen();
            output::text(&slope_report::list_rules(&rules, color, width))?;
        }
    }
    Ok(Done::Fine)
}
