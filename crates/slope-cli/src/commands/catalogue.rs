//! What is known of rules and signals, in the form that reports take.

use anyhow::bail;
use slope_model::finding::Severity;
use slope_report::{Origin, RuleInfo};
use slope_rules::{Rule, RuleSet};
use slope_signals::{SIGNALS, SignalInfo};

use crate::args::RuleSource;

/// The rules that the arguments ask for, with all signals.
pub(crate) fn of_source(source: &RuleSource) -> anyhow::Result<Vec<RuleInfo>> {
    let mut rules = if source.no_own_rules {
        RuleSet::default()
    } else {
        RuleSet::embedded()?
    };
    for path in &source.rules {
        rules.add_path(path)?;
    }
    Ok(of_rules(&rules))
}

/// Rules, then signals.
pub(crate) fn of_rules(rules: &RuleSet) -> Vec<RuleInfo> {
    let rules = rules.rules().iter().map(of_rule);
    let signals = SIGNALS.iter().map(of_signal);
    rules.chain(signals).chain([stale_suppression()]).collect()
}

fn of_rule(rule: &Rule) -> RuleInfo {
    RuleInfo {
        id: rule.id.clone(),
        origin: Origin::Rule,
        languages: vec![rule.language.id().to_owned()],
        category: rule.category.clone(),
        severity: rule.severity,
        on_by_default: rule.on_by_default(),
        message: rule.message.clone(),
        note: rule.note.clone(),
        bad: rule.invalid.clone(),
        good: rule.valid.clone(),
        precision: None,
    }
}

fn of_signal(signal: &SignalInfo) -> RuleInfo {
    let example = |text: Option<&str>| text.map(str::to_owned).into_iter().collect();
    RuleInfo {
        id: signal.id.to_owned(),
        origin: Origin::Signal,
        languages: signal.languages.iter().map(|&l| l.to_owned()).collect(),
        category: signal.category.to_owned(),
        severity: signal.severity,
        on_by_default: signal.default_on,
        message: signal.message.to_owned(),
        note: signal.why.to_owned(),
        bad: example(signal.bad),
        good: example(signal.good),
        precision: signal
            .precision
            .filter(|(_, judged)| *judged > 0)
            .map(|(right, judged)| f64::from(right) / f64::from(judged)),
    }
}

/// What measuring itself reports of comments that silence.
fn stale_suppression() -> RuleInfo {
    RuleInfo {
        id: "stale-suppression".to_owned(),
        origin: Origin::Signal,
        languages: slope_syntax::Language::all()
            .map(|l| l.id().to_owned())
            .collect(),
        category: "suppression".to_owned(),
        severity: Severity::Warning,
        on_by_default: true,
        message: "A comment that suppresses nothing, or that cannot be obeyed.".to_owned(),
        note: "What it silenced is gone, its expiry has passed, or it lacks rules or a reason. \
               Remove the comment, or say `slope: ignore[RULE] REASON`."
            .to_owned(),
        bad: Vec::new(),
        good: Vec::new(),
        precision: None,
    }
}

/// The error for an id that nothing has, with those that look like it.
pub(crate) fn unknown(rules: &[RuleInfo], id: &str) -> anyhow::Result<std::convert::Infallible> {
    let near = slope_report::near_ids(rules, id);
    let all = "`slope rules` lists them all";
    match near.as_slice() {
        [] => bail!("there is no rule or signal called `{id}`; {all}"),
        near => bail!(
            "there is no rule or signal called `{id}`; did you mean {}? {all}",
            near.join(", ")
        ),
    }
}
