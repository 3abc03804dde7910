//! `slope rules`: list rules and signals.

use slope_embed::catalogue;
use slope_report::{Format, RuleInfo};
use slope_rules::RuleSet;

use super::output;
use crate::args::{RuleSource, Rules};
use crate::exit::Done;

pub(crate) fn run(args: &Rules, format: Format) -> anyhow::Result<Done> {
    let mut rules = selected(&args.source)?;
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

/// Rules selected by the arguments, with all signals.
pub(super) fn selected(source: &RuleSource) -> anyhow::Result<Vec<RuleInfo>> {
    let mut rules = if source.no_own_rules {
        RuleSet::default()
    } else {
        RuleSet::embedded()?
    };
    for path in &source.rules {
        rules.add_path(path)?;
    }
    Ok(catalogue::of_rules(&rules))
}
