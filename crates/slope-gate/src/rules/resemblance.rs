//! New functions that resemble other functions: changed copies, and functions that do the same in other words.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{FileView, Resemblance};
use slope_model::gate::{Evidence, GatePlace, GateRule, Level, Violation};
use slope_model::measurement::{Callable, Part};

use crate::rules::{Compared, fingerprint};

/// A function: path, dotted name, first line.
type Function<'a> = (&'a str, &'a str, u32);

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let new = new_functions(compared);
    let kinds = [
        (GateRule::NewClone, &compared.impact.like.copies),
        (
            GateRule::Reimplementation,
            &compared.impact.like.reimplementations,
        ),
    ];
    for (rule, all) in kinds {
        // A function is reported once.
        let rules = [GateRule::NewClone, GateRule::Reimplementation];
        let known = found.iter().filter(|v| rules.contains(&v.rule));
        let known: BTreeSet<_> = known
            .map(|v| (v.path.clone(), v.function.clone()))
            .collect();
        for like in all {
            let Some((this, view)) = function(&new, &like.path, &like.callable, like.line) else {
                continue;
            };
            // Of two new functions, the later one is the copy.
            let other = function(&new, &like.other_path, &like.other, like.other_line);
            let is_first = other.is_some_and(|(other, _)| (this.0, this.2) < (other.0, other.2));
            if !is_first && !known.contains(&(like.path.clone(), Some(like.callable.clone()))) {
                found.extend(judge(compared, rule, like, (this.2, view)));
            }
        }
    }
}

/// The function with this name at this line. Several functions of a file may have the same name.
fn function<'n>(
    new: &'n BTreeMap<Function<'n>, &'n FileView>,
    path: &'n str,
    name: &'n str,
    line: u32,
) -> Option<(&'n Function<'n>, &'n FileView)> {
    let mut same = new.range((path, name, 0)..=(path, name, line));
    same.next_back().map(|(function, view)| (function, *view))
}

/// Functions that the change adds, each with its file.
fn new_functions<'a>(compared: &Compared<'a>) -> BTreeMap<Function<'a>, &'a FileView> {
    let added = compared
        .changed()
        .filter(|followed| followed.from.is_empty());
    let units = added.flat_map(|followed| &followed.to);
    let functions = units.filter_map(|&at| {
        let (view, callable) = compared.after(at)?;
        let Callable { name, span, .. } = callable?;
        Some(((view.path(), name.as_str(), span.start_line), view))
    });
    functions.collect()
}

fn judge(
    compared: &Compared<'_>,
    rule: GateRule,
    like: &Resemblance,
    (line, view): (u32, &FileView),
) -> Option<Violation> {
    let twin = Twin {
        rule,
        function: Some(&like.callable),
        lines: (line, line),
        other: GatePlace {
            path: like.other_path.clone(),
            function: Some(like.other.clone()),
            line: like.other_line,
        },
        after: f64::from(like.likeness) / 1000.0,
        identity: [&like.callable, "<like>"],
        texts: wording(rule, like),
    };
    twin.judge(compared, view)
}

/// Changed code that resembles other code.
pub(super) struct Twin<'t> {
    pub(super) rule: GateRule,
    pub(super) function: Option<&'t str>,
    /// First and last line.
    pub(super) lines: (u32, u32),
    pub(super) other: GatePlace,
    /// Value of the violation.
    pub(super) after: f64,
    /// Identity of the code within its file, without its line.
    pub(super) identity: [&'t str; 2],
    /// Message and advice.
    pub(super) texts: (String, String),
}

impl Twin<'_> {
    /// The violation; `None` in tests. For `new-clone` at most a warning, because the code is not equal.
    pub(super) fn judge(self, compared: &Compared<'_>, view: &FileView) -> Option<Violation> {
        let (line, end_line) = self.lines;
        let part = view.part_at(line.saturating_sub(1));
        let (_, level) = compared.level(part, self.rule)?;
        if part == Part::Tests {
            return None;
        }
        let level = match self.rule {
            GateRule::NewClone => level.min(Level::Warning),
            _ => level,
        };
        let [first, second] = self.identity;
        let (message, advice) = self.texts;
        Some(Violation {
            rule: self.rule,
            level,
            part,
            path: view.path().to_owned(),
            function: self.function.map(str::to_owned),
            line,
            end_line,
            before: None,
            after: self.after,
            limit: None,
            fingerprint: fingerprint(&[self.rule.id(), view.path(), first, second]),
            message,
            advice,
            evidence: Evidence {
                places: vec![self.other],
                ..Evidence::default()
            },
        })
    }
}

/// Message and advice.
fn wording(rule: GateRule, like: &Resemblance) -> (String, String) {
    let (name, other) = (&like.callable, &like.other);
    let at = format!("{}:{}", like.other_path, like.other_line);
    if rule == GateRule::Reimplementation {
        let does = if like.is_hint { "may do" } else { "does" };
        let shared = match like.shared.as_slice() {
            [] => String::new(),
            shared => format!(": both have `{}`", shared.join("`, `")),
        };
        let message = format!("`{name}` {does} what `{other}` does ({at}){shared}.");
        return (message, format!("Call `{other}` if it does the same job."));
    }
    // A changed copy is never 100 % equal.
    let percent = (like.likeness / 10).min(99);
    let message = format!("`{name}` is nearly `{other}` ({percent} % alike, {at}).");
    (
        message,
        format!("Give `{other}` what differs as a parameter, and call it."),
    )
}
