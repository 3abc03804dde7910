//! `slope explain`: one rule or signal.

use slope_model::gate::GateRule;

use super::{catalogue, output};
use crate::args::{Explain, Format};
use crate::exit::Done;

pub(crate) fn run(args: &Explain, format: Format) -> anyhow::Result<Done> {
    let rules = catalogue::of_source(&args.source)?;
    let (color, _) = output::screen();
    let Some(text) = slope_report::explain_rule(&rules, &args.rule, color) else {
        if let Some(rule) = GateRule::by_id(&args.rule) {
            return of_gate(rule, format);
        }
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

/// A rule of the gate, which no finding of a measurement names.
fn of_gate(rule: GateRule, format: Format) -> anyhow::Result<Done> {
    let (id, meaning, keys) = (rule.id(), rule.meaning(), rule.keys());
    match format {
        Format::Json => output::json(&serde_json::json!([
            { "id": id, "origin": "gate", "message": meaning, "keys": keys }
        ]))?,
        Format::Text | Format::Markdown => output::text(&format!(
            "{id} · a rule of the gate, `slope check`\n\n{meaning}\n\nSet in [check] of slope.toml: {}\n",
            keys.join(", ")
        ))?,
    }
    Ok(Done::Fine)
}
