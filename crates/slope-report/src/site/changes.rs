//! Changes, for example pull requests, as the gate judges them.

use minijinja::{Value, context};
use slope_model::gate::{Evidence, GatePlace, Judgement, Level, Violation};
use slope_model::ledger::Amounts;
use slope_model::metrics::Metric;
use slope_model::sent_change::SentChange;
use slope_model::series::Author;

use super::{address_part, author_label};
use crate::format::{self, MISSING, clean, clean_path, number, shorten, signed};

/// Characters of a text that the page shows.
const MOST_TEXT: usize = 600;
/// Violations, notes and paths that the page shows.
const MOST_SHOWN: usize = 500;

/// Changes, those that were judged last first.
#[derive(Debug, Clone)]
pub struct ChangesPage {
    /// Project of the changes; empty for all.
    pub project: String,
    /// The changes.
    pub changes: Vec<ChangeLine>,
}

/// A change in the list.
#[derive(Debug, Clone)]
pub struct ChangeLine {
    /// The project.
    pub project: String,
    /// Key of the change.
    pub key: String,
    /// Whether it passes.
    pub passes: bool,
    /// When it was last judged, in UTC.
    pub changed: String,
    /// Title, if there is one.
    pub title: Option<String>,
    /// Name of the side that was judged.
    pub head: String,
    /// The author.
    pub author: Author,
    /// Violations that fail it.
    pub errors: u32,
    /// Violations that do not.
    pub warnings: u32,
    /// Difference of the totals.
    pub change: Amounts,
}

/// A change as the gate judges it.
#[derive(Debug, Clone)]
pub struct ChangePage {
    /// The project.
    pub project: String,
    /// Key of the change.
    pub key: String,
    /// When it was last judged, in UTC.
    pub changed: String,
    /// The content.
    pub sent: SentChange,
}

impl ChangesPage {
    pub(super) fn value(&self) -> Value {
        let line = |one: &ChangeLine| {
            context! {
                address => change_address(&one.project, &one.key),
                project => clean(&one.project),
                title => clean(one.title.as_deref().unwrap_or(&one.key)),
                passes => one.passes,
                day => one.changed.get(..10).unwrap_or_default(),
                author => author_label(&one.author),
                errors => one.errors,
                warnings => one.warnings,
                amounts => amounts(&one.change),
            }
        };
        context! {
            project_name => clean(&self.project),
            heads => heads(),
            changes => self.changes.iter().map(line).collect::<Vec<_>>(),
        }
    }
}

impl ChangePage {
    pub(super) fn title(&self) -> String {
        let title = self.sent.title.as_deref();
        title.unwrap_or(&self.key).to_owned()
    }

    pub(super) fn value(&self) -> Value {
        let judgement = &self.sent.judgement;
        let shown = judgement.violations.iter().take(MOST_SHOWN);
        let waived = judgement.waived.iter().take(MOST_SHOWN).map(|one| {
            context! {
                place => place(&one.violation.path, one.violation.line),
                message => clean(&one.violation.message),
                reason => clean(&one.reason),
                until => one.until.as_deref().map(clean),
            }
        });
        context! {
            project => clean(&self.project),
            key => clean(&self.key),
            address => change_address(&self.project, &self.key),
            title => clean(&self.title()),
            link => self.sent.link.as_deref().map(clean),
            changed => self.changed.replace('T', " ").replace('Z', " UTC"),
            author => author_label(&self.sent.author),
            passes => judgement.passes,
            base => side(&judgement.base),
            head => side(&judgement.head),
            chosen => clean(&judgement.chosen),
            files => judgement.files,
            balance => balance(judgement),
            violations => shown.map(violation).collect::<Vec<_>>(),
            more => judgement.violations.len().saturating_sub(MOST_SHOWN),
            waived => waived.collect::<Vec<_>>(),
            notes => judgement.notes.iter().take(MOST_SHOWN).map(|note| shorten(&clean(note), MOST_TEXT)).collect::<Vec<_>>(),
            unjudged => judgement.unjudged.iter().take(MOST_SHOWN).map(|path| clean_path(path)).collect::<Vec<_>>(),
        }
    }
}

/// Titles of the amounts, in their order.
fn heads() -> Vec<String> {
    let all = Amounts::default().listed();
    all.iter()
        .map(|(metric, _)| format::capitalised(metric.title))
        .collect()
}

fn amounts(change: &Amounts) -> Vec<Value> {
    let one = |(metric, value): (&'static Metric, f64)| {
        let digits = format::decimals(metric.kind, value.abs());
        let tone = match value {
            value if value > 0.0 => "bad",
            value if value < 0.0 => "good",
            _ => "faint",
        };
        context! { text => signed(value, digits), value, tone }
    };
    change.listed().map(one).to_vec()
}

fn balance(judgement: &Judgement) -> Vec<Value> {
    let sides = [judgement.balance.before, judgement.balance.after];
    let sides = sides.map(|side| side.map(|side| side.listed().map(|(_, value)| value)));
    let changes = amounts(&judgement.balance.change);
    let names = judgement.balance.change.listed();
    let rows = names
        .iter()
        .zip(changes)
        .enumerate()
        .map(|(at, ((metric, _), change))| {
            let text = |side: &Option<[f64; 4]>| {
                let known =
                    side.map(|side| number(side[at], format::decimals(metric.kind, side[at])));
                known.unwrap_or_else(|| MISSING.to_owned())
            };
            context! {
                title => format::capitalised(metric.title),
                before => text(&sides[0]),
                after => text(&sides[1]),
                change,
            }
        });
    rows.collect()
}

fn side(side: &slope_model::gate::Side) -> String {
    match side.short_commit() {
        Some(commit) => format!("{} ({})", clean(&side.name), clean(commit)),
        None => clean(&side.name),
    }
}

fn place(path: &str, line: u32) -> String {
    match (path.is_empty(), line) {
        (true, _) => "the whole change".to_owned(),
        (false, 0) => clean_path(path),
        (false, line) => format!("{}:{line}", clean_path(path)),
    }
}

fn violation(violation: &Violation) -> Value {
    let level = violation.level;
    context! {
        rule => violation.rule.id(),
        level => level.id(),
        tone => if level == Level::Error { "bad" } else { "warn" },
        place => place(&violation.path, violation.line),
        function => violation.function.as_deref().map(clean),
        message => shorten(&clean(&violation.message), MOST_TEXT),
        advice => shorten(&clean(&violation.advice), MOST_TEXT),
        evidence => evidence(&violation.evidence),
    }
}

fn evidence(evidence: &Evidence) -> Vec<String> {
    let places = evidence.places.iter().map(|other: &GatePlace| {
        let function = other.function.as_deref().map(clean);
        let function = function.map_or(String::new(), |name| format!(" {name}"));
        format!("{}{function}", place(&other.path, other.line))
    });
    let findings = evidence.findings.iter().map(|found| {
        let at = place(&found.path, found.span.start_line);
        format!("{at} {}: {}", clean(&found.rule), clean(&found.message))
    });
    places.chain(findings).collect()
}

/// The address of a change's page.
#[must_use]
pub fn change_address(project: &str, key: &str) -> String {
    format!("/changes/{}/{}", address_part(project), address_part(key))
}
