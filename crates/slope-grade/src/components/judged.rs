//! An edit with its impact, as components look at it.

use std::collections::HashSet;

use slope_change::ledger::UnitAt;
use slope_change::{Contents, Impact};
use slope_measure::FileView;
use slope_model::finding::Finding;
use slope_model::gate::{GateRule, Violation};
use slope_model::grade::Evidence;
use slope_model::grade_request::TaskKind;
use slope_model::measurement::Part;

use crate::base::Base;
use crate::edit::Edit;
use crate::lines::{ChangedLines, Line};
use crate::pack::Pack;

/// An edit with its impact.
pub(crate) struct Judged<'a> {
    pub(crate) base: &'a Base,
    pub(crate) edit: &'a Edit,
    /// The lines that it changes.
    pub(crate) lines: &'a ChangedLines<'a>,
    /// The measured files of the edit after it.
    pub(crate) after: &'a Contents,
    pub(crate) impact: &'a Impact,
    /// What the gate reports.
    pub(crate) violations: &'a [Violation],
    pub(crate) reference: Option<&'a Edit>,
    pub(crate) task: TaskKind,
    pub(crate) pack: &'a Pack,
}

/// A function before and after the edit.
pub(super) struct Pair<'a> {
    pub(super) before: &'a FileView,
    pub(super) after: &'a FileView,
    /// Its dotted names.
    pub(super) names: (&'a str, &'a str),
}

/// A file of production code that the edit changes.
pub(super) struct Edited<'a> {
    pub(super) path: &'a str,
    /// Lines that it loses.
    pub(super) gone: &'a [Line<'a>],
    /// Lines that it gains.
    pub(super) new: &'a [Line<'a>],
}

/// A component and what it rests on.
pub(crate) struct Scored {
    pub(crate) value: f64,
    pub(crate) evidence: Vec<Evidence>,
}

impl<'a> Judged<'a> {
    /// Files before and after, of production code only.
    pub(super) fn product_files(
        &self,
    ) -> impl Iterator<Item = (Option<&'a FileView>, Option<&'a FileView>)> {
        let product = |view: &&FileView| view.part() == Part::Product;
        let files = self.impact.step.files.iter();
        files.map(move |file| {
            let (before, after) = (file.before.as_ref(), file.after.as_ref());
            (before.filter(product), after.filter(product))
        })
    }

    /// Files of production code that are there before and after, with the lines that change.
    pub(super) fn edited(&self) -> impl Iterator<Item = Edited<'a>> {
        let files = self.product_files();
        files.filter_map(|(before, after)| {
            let path = before.and(after)?.path();
            self.edit.files.contains_key(path).then(|| Edited {
                path,
                gone: self.lines.lost(path),
                new: self.lines.gained(path),
            })
        })
    }

    /// Production functions that are there before and after, and changed.
    pub(super) fn changed_functions(&self) -> impl Iterator<Item = Pair<'a>> {
        let files = &self.impact.step.files;
        let followed = self.impact.followed.iter();
        followed.filter(|one| !one.is_same).filter_map(move |one| {
            let ([from], [to]) = (&one.from[..], &one.to[..]) else {
                return None;
            };
            let before = files.get(from.file)?.before.as_ref()?;
            let after = files.get(to.file)?.after.as_ref()?;
            let name = |view: &'a FileView, at: &UnitAt| {
                let callable = view.callables().get(at.callable?);
                callable.map(|one| one.name.as_str())
            };
            (after.part() == Part::Product).then_some(())?;
            Some(Pair {
                before,
                after,
                names: (name(before, from)?, name(after, to)?),
            })
        })
    }

    /// Violations of a rule in production code.
    pub(super) fn of_rule(&self, rule: GateRule) -> impl Iterator<Item = &'a Violation> {
        let all = self.violations.iter();
        all.filter(move |violation| violation.rule == rule && violation.part == Part::Product)
    }

    /// New findings of rules and signals in production code, each with its violation.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&'a Violation, &'a Finding)> {
        let all = self.of_rule(GateRule::NewFinding);
        all.filter_map(|violation| Some((violation, violation.evidence.findings.first()?)))
    }

    /// Lines of a file that the edit adds.
    pub(super) fn added(&self, path: &str) -> HashSet<u32> {
        let lines = self.lines.gained(path).iter();
        lines.map(|(number, _)| *number).collect()
    }

    /// An amount of the base's production code per source line.
    pub(super) fn per_line(&self, amount: u64) -> f64 {
        let lines = self.base.code.product().sloc.max(1);
        number(amount.cast_signed()) / number(lines.cast_signed())
    }

    /// Source lines of production code that the edit adds in sum; 0 if it removes some.
    pub(super) fn added_lines(&self) -> f64 {
        let lines =
            |view: Option<&FileView>| view.map_or(0, |view| i64::from(view.source().count()));
        let files = self.product_files();
        let added: i64 = files
            .map(|(before, after)| lines(after) - lines(before))
            .sum();
        number(added.max(0))
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of lines and findings")]
pub(super) fn number(count: i64) -> f64 {
    count as f64
}

/// A place: `path:line`, or `path:first-last`.
pub(crate) fn place(path: &str, first: u32, last: u32) -> String {
    if last > first {
        format!("{path}:{first}-{last}")
    } else {
        format!("{path}:{first}")
    }
}

/// Evidence of a violation.
pub(super) fn evidence(signal: &str, violation: &Violation, kind: &str, amount: f64) -> Evidence {
    let other = violation.evidence.places.first();
    Evidence {
        signal: signal.to_owned(),
        kind: kind.to_owned(),
        at: place(&violation.path, violation.line, violation.end_line),
        of: other.map(|other| place(&other.path, other.line, other.line)),
        message: violation.message.clone(),
        amount,
    }
}
