//! `slope explain`: describes one rule, signal or metric.

use std::fmt::Write;

use anyhow::bail;
use slope_model::gate::GateRule;
use slope_model::metrics::{self, Metric};
use slope_report::{Format, MetricInfo, RuleInfo};

use super::{catalogue, output};
use crate::args::Explain;
use crate::exit::Done;

pub(crate) fn run(args: &Explain, format: Format) -> anyhow::Result<Done> {
    let mut rules = catalogue::of_source(&args.source)?;
    if !rules.iter().any(|rule| rule.id == args.rule) {
        if let Some(rule) = GateRule::by_id(&args.rule) {
            return of_gate(rule, format);
        }
        if let Some(metric) = metrics::by_name(&args.rule) {
            return of_metric(metric, format);
        }
        return catalogue::unexplained(&rules, &args.rule).map(|never| match never {});
    }
    rules.retain(|rule| rule.id == args.rule);
    if let Some(language) = &args.language {
        let all = languages(&rules);
        catalogue::keep_language(&mut rules, language)?;
        if rules.is_empty() {
            bail!(
                "`{}` is not for {language}: expected one of {all}",
                args.rule
            );
        }
    }
    match format {
        Format::Json => output::json(&rules)?,
        _ if rules.len() > 1 => output::text(&choice(&rules))?,
        _ => {
            let (color, _) = output::screen();
            let text = slope_report::explain_rule(&rules, &args.rule, color);
            let category = rules[0].category.as_str();
            let gate = in_gate(&[&args.rule, category]);
            output::text(&(text.unwrap_or_default() + &gate))?;
        }
    }
    Ok(Done::Fine)
}

/// The languages of rules, for a sentence.
fn languages(rules: &[RuleInfo]) -> String {
    let all = rules.iter();
    let all = all.flat_map(|rule| rule.languages.iter().chain(&rule.in_changes));
    let all: Vec<&str> = all.map(String::as_str).collect();
    output::safe(&all.join(", "))
}

/// Lists the rules with the same id, one per line, and how to select one.
fn choice(rules: &[RuleInfo]) -> String {
    let width = rules.iter().map(|rule| rule.languages.join(", ").len());
    let width = width.max().unwrap_or(0);
    let mut text = String::new();
    let mut example = "";
    for rule in rules {
        let names = output::safe(&rule.languages.join(", "));
        let message = output::safe(&rule.message);
        let _ = writeln!(text, "  {names:width$}  {message}");
        example = rule.languages.first().map_or(example, String::as_str);
    }
    let id = output::safe(&rules[0].id);
    format!(
        "{} rules have the id {id}:\n\n{text}\nExplain one: slope explain {id} --language {}\n",
        rules.len(),
        output::safe(example)
    )
}

/// The rules of the gate about findings or a metric, each on a line with its settings; empty if there are none.
fn in_gate(names: &[&str]) -> String {
    let mut text = String::new();
    for rule in GateRule::about(names) {
        let _ = writeln!(
            text,
            "\nThe rule {} of `slope check`: {} Set in [check] of slope.toml: {}",
            rule.id(),
            rule.meaning(),
            rule.keys().join(", ")
        );
    }
    text
}

/// A rule of the gate, which no finding of a measurement names.
fn of_gate(rule: GateRule, format: Format) -> anyhow::Result<Done> {
    let (id, meaning, keys) = (rule.id(), rule.meaning(), rule.keys());
    match format {
        Format::Json => output::json(&serde_json::json!([
            { "id": id, "origin": "gate", "message": meaning, "keys": keys }
        ]))?,
        _ => output::text(&format!(
            "{id} · a rule of the gate, `slope check`\n\n{meaning}\n\nSet in [check] of slope.toml: {}\n",
            keys.join(", ")
        ))?,
    }
    Ok(Done::Fine)
}

/// A metric, which is a number and not a finding.
fn of_metric(metric: &'static Metric, format: Format) -> anyhow::Result<Done> {
    match format {
        Format::Json => output::json(&[MetricInfo::from(metric)])?,
        _ => {
            let (color, _) = output::screen();
            let text = slope_report::explain_metric(metric, color);
            output::text(&(text + &in_gate(&[metric.id])))?;
        }
    }
    Ok(Done::Fine)
}
