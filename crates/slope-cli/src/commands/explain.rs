//! `slope explain`: describes one rule, signal or metric.

use std::fmt::Write;

use slope_embed::{Explanation, explanation};
use slope_judge::Term;
use slope_model::gate::GateRule;
use slope_model::metrics::Metric;
use slope_report::{Format, RuleInfo};

use super::{output, rules};
use crate::args::Explain;
use crate::exit::Done;

pub(crate) fn run(args: &Explain, format: Format) -> anyhow::Result<Done> {
    let rules = rules::selected(&args.source)?;
    let found = explanation(rules, &args.rule, args.language.as_deref())?;
    if let Format::Json = format {
        output::document(&found.document()?)?;
        return Ok(Done::Fine);
    }
    output::text(&match found {
        Explanation::Rules(rules) if rules.len() > 1 => choice(&rules),
        Explanation::Rules(rules) => of_rule(&rules, &args.rule),
        Explanation::Gate(rule) => of_gate(rule),
        Explanation::Metric(metric) => of_metric(metric),
        Explanation::Judge(term) => of_term(term),
    })?;
    Ok(Done::Fine)
}

/// A rule or signal, and the rules of the gate about its findings.
fn of_rule(rules: &[RuleInfo], id: &str) -> String {
    let (color, _) = output::screen();
    let text = slope_report::explain_rule(rules, id, color);
    let gate = in_gate(&[id, rules[0].category.as_str()]);
    text.unwrap_or_default() + &gate
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
fn of_gate(rule: GateRule) -> String {
    let (id, meaning, keys) = (rule.id(), rule.meaning(), rule.keys());
    format!(
        "{id} · a rule of the gate, `slope check`\n\n{meaning}\n\nSet in [check] of slope.toml: {}\n",
        keys.join(", ")
    )
}

/// A metric, which is a number and not a finding.
/// A score or issue of `slope judge`.
fn of_term(term: &Term) -> String {
    let Term {
        id,
        what,
        meaning,
        instead,
    } = term;
    format!("{id} · {what}\n\n{meaning}\n\n{instead}\n")
}

fn of_metric(metric: &'static Metric) -> String {
    let (color, _) = output::screen();
    slope_report::explain_metric(metric, color) + &in_gate(&[metric.id])
}
