//! The list of rules and signals, and explanations of single ones.

use std::collections::BTreeSet;
use std::fmt::Write;

use anstyle::Style;

use super::catalogue::{Origin, RuleInfo};
use super::digest::plural;
use super::human::severity_cell;
use super::table::{Cell, Side, TextTable, paint};
use crate::diagnostics::severity_name;
use crate::format::{self, clean};
use crate::markdown::escape;
use crate::terminal::wrap;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Line width of an explanation, independent of the screen.
const LINE: usize = 88;

/// Facts about one id in all its languages.
pub(super) struct Merged<'a> {
    pub(super) first: &'a RuleInfo,
    all: Vec<&'a RuleInfo>,
}

impl<'a> Merged<'a> {
    pub(super) fn of(rules: &'a [RuleInfo], id: &str) -> Option<Self> {
        let all: Vec<_> = rules.iter().filter(|rule| rule.id == id).collect();
        let first = *all.first()?;
        Some(Self { first, all })
    }

    fn languages(&self) -> Vec<String> {
        let all = self.all.iter().flat_map(|rule| &rule.languages);
        let all: BTreeSet<String> = all.map(|l| clean(l)).collect();
        all.into_iter().collect()
    }

    /// Category and languages.
    pub(super) fn tags(&self) -> Vec<String> {
        let mut tags = vec![clean(&self.first.category)];
        tags.extend(self.languages());
        tags
    }

    pub(super) fn plain_help(&self) -> String {
        let mut text = clean(&self.first.message);
        if !self.first.note.is_empty() {
            let _ = write!(text, "\n\n{}", clean(&self.first.note));
        }
        for (title, examples) in [("Instead of", &self.first.bad), ("Write", &self.first.good)] {
            if let Some(example) = examples.first() {
                let _ = write!(text, "\n\n{title}:\n{}", block(example, "    "));
            }
        }
        text
    }

    pub(super) fn markdown_help(&self) -> String {
        let mut text = escape(&clean(&self.first.message));
        if !self.first.note.is_empty() {
            let _ = write!(text, "\n\n{}", escape(&clean(&self.first.note)));
        }
        let language = self
            .first
            .languages
            .first()
            .map(|l| clean(l))
            .unwrap_or_default();
        for (title, examples) in [("Instead of", &self.first.bad), ("Write", &self.first.good)] {
            if let Some(example) = examples.first() {
                let code = block(example, "").replace("```", "'''");
                let _ = write!(text, "\n\n{title}\n\n```{language}\n{code}\n```");
            }
        }
        text
    }
}

/// Lines of code, each made safe and indented.
fn block(code: &str, indent: &str) -> String {
    let lines = code.trim_end().lines().map(|line| {
        let inner = line.trim_start_matches([' ', '\t']);
        let lead = line.len() - inner.len();
        let lead = line.get(..lead).unwrap_or_default().replace('\t', "    ");
        // Runs of spaces inside a line are kept; only control characters are escaped.
        let words: Vec<String> = inner.split(' ').map(clean).collect();
        format!("{indent}{lead}{}", words.join(" "))
            .trim_end()
            .to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The list of rules and signals as text, by language, category and id.
#[must_use]
pub fn list_rules(rules: &[RuleInfo], color: bool, width: Option<u16>) -> String {
    let mut out = String::new();
    for (origin, title, about) in [
        (
            Origin::Rule,
            "Rules",
            "lines that they flag count as verbose, except for security",
        ),
        (Origin::Signal, "Signals", "reported, outside verbosity"),
        (Origin::Metric, "Metrics", "places that the totals count"),
    ] {
        let mut of: Vec<&RuleInfo> = rules.iter().filter(|r| r.origin == origin).collect();
        if of.is_empty() {
            continue;
        }
        of.sort_by_key(|r| (r.languages.join(", "), r.category.clone(), r.id.clone()));
        if !out.is_empty() {
            out.push('\n');
        }
        let count = plural(
            of.len() as u64,
            title.trim_end_matches('s').to_lowercase().as_str(),
        );
        let about = paint(&format!("{count}; {about}"), DIM, color);
        let _ = writeln!(out, "{}  {about}", paint(title, BOLD, color));
        let table = rule_table(&of);
        out.push_str(&table.render(width.map(usize::from), color));
    }
    if out.is_empty() {
        out.push_str("No rule or signal.\n");
    }
    out
}

fn rule_table(rules: &[&RuleInfo]) -> TextTable {
    let head = [
        ("rule", Side::Left),
        ("language", Side::Left),
        ("category", Side::Left),
        ("severity", Side::Left),
        ("default", Side::Left),
        ("what", Side::Left),
    ];
    let mut table = TextTable::new(&head, Some((5, 24)));
    for rule in rules {
        let default = if rule.on_by_default {
            Cell::new("on")
        } else if rule.in_changes.is_empty() {
            Cell::styled("off", DIM)
        } else {
            Cell::new("in changes")
        };
        table.push(vec![
            Cell::styled(clean(&rule.id), BOLD),
            Cell::new(languages(&rule.languages)),
            Cell::new(clean(&rule.category)),
            severity_cell(rule.severity),
            default,
            Cell::styled(clean(&rule.message), DIM),
        ]);
    }
    table
}

/// Names of languages, which are many for a signal.
fn languages(ids: &[String]) -> String {
    let names: Vec<String> = ids.iter().take(3).map(|l| clean(l)).collect();
    match ids.len() {
        0..=3 => names.join(", "),
        more => format!("{} and {} more", names.join(", "), more - 3),
    }
}

/// Explanation of one rule or signal, in each of its languages; `None` if the id is unknown.
#[must_use]
pub fn explain_rule(rules: &[RuleInfo], id: &str, color: bool) -> Option<String> {
    let merged = Merged::of(rules, id)?;
    let mut out = String::new();
    let mut told: Vec<&RuleInfo> = Vec::new();
    for rule in &merged.all {
        // The same text for another language is not repeated, but its example is shown.
        if !told.is_empty() {
            out.push('\n');
        }
        explain_one(&mut out, rule, color);
        told.push(rule);
    }
    Some(out)
}

fn explain_one(out: &mut String, rule: &RuleInfo, color: bool) {
    let origin = match rule.origin {
        Origin::Rule => "rule",
        Origin::Signal => "signal",
        Origin::Metric => "metric",
    };
    let _ = writeln!(
        out,
        "{}  {}",
        paint(&clean(&rule.id), BOLD, color),
        paint(
            &format!(
                "{origin} for {}",
                rule.languages
                    .iter()
                    .map(|l| clean(l))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            DIM,
            color
        )
    );
    for line in wrap(&clean(&rule.message), LINE) {
        let _ = writeln!(out, "{line}");
    }
    out.push('\n');
    let precision = rule.precision.map_or_else(
        || "not judged".to_owned(),
        |share| {
            let share = format::number(share * 100.0, 0);
            match !rule.on_by_default && !rule.in_changes.is_empty() {
                // It is on for what a change leaves, where fewer findings are wrong.
                true => format!("not judged in changes; {share} % were right in whole trees"),
                false => format!("{share} % of judged findings were right"),
            }
        },
    );
    let default = default_of(rule);
    for (name, value) in [
        ("category", clean(&rule.category)),
        ("severity", severity_name(rule.severity).to_owned()),
        ("default", default),
        ("counts", rule.origin.counts().to_owned()),
        ("precision", precision),
    ] {
        let name = paint(&format!("{name:<10}"), DIM, color);
        let _ = writeln!(out, "{name} {value}");
    }
    reasons_and_examples(out, rule, color);
}

/// The languages where a rule is on by default, and how to enable it elsewhere.
fn default_of(rule: &RuleInfo) -> String {
    let enable = format!("--enable {}", clean(&rule.id));
    let further: Vec<String> = rule
        .in_changes
        .iter()
        .filter(|language| !rule.on_by_default || !rule.languages.contains(language))
        .map(|language| clean(language))
        .collect();
    let changes = "for leftovers of a change (slope check, diff, history)";
    match (rule.on_by_default, further.is_empty()) {
        (true, true) => "on".to_owned(),
        (true, false) => format!(
            "on in {}; {changes} in {} too; everywhere with {enable}",
            clean(&rule.languages.join(", ")),
            further.join(", ")
        ),
        (false, true) => format!("off; switch it on with {enable}"),
        (false, false) => format!(
            "on {changes} in {}; off for whole trees; everywhere with {enable}",
            further.join(", ")
        ),
    }
}

/// Category of reports on comments that silence findings.
const SUPPRESSION: &str = "suppression";

/// Reason, examples with and without findings, and how to silence it.
fn reasons_and_examples(out: &mut String, rule: &RuleInfo, color: bool) {
    if !rule.note.is_empty() {
        let _ = writeln!(out, "\n{}", paint("Why, and what instead", BOLD, color));
        for line in wrap(&clean(&rule.note), LINE) {
            let _ = writeln!(out, "{line}");
        }
    }
    for (title, examples) in [("Found", &rule.bad), ("Not found", &rule.good)] {
        if let Some(example) = examples.first() {
            let _ = writeln!(out, "\n{}", paint(title, BOLD, color));
            let _ = writeln!(out, "{}", block(example, "    "));
        }
    }
    let id = clean(&rule.id);
    let hint = match rule.category == SUPPRESSION {
        // A comment about a comment could be stale itself.
        true => format!("Silence it with --disable {id}. Comments cannot silence it"),
        false => format!(
            "Silence one place with the comment `slope: ignore[{id}] REASON`, and all with --disable {id}"
        ),
    };
    let _ = writeln!(out, "\n{}", paint(&hint, DIM, color));
}

/// Ids of rules similar to an unknown one, nearest first.
#[must_use]
pub fn near_ids<'a>(rules: &'a [RuleInfo], id: &str) -> Vec<&'a str> {
    slope_model::near_names(rules.iter().map(|rule| rule.id.as_str()), id)
}
