//! Subjects to judgements: resolve the base, read the files that differ, find the impact, apply the rules,
//! apply the waivers.

use std::path::{Path, PathBuf};

use slope_change::{Comparison, ComparisonOptions, Impact, ScopeChanges, Subject, Week, is_below};
use slope_measure::Measurer;
use slope_model::gate::{Balance, GateRule, Judgement, Level, Violation, Waived};
use slope_model::ledger::Amounts;
use slope_model::schema;

use crate::ratchet::{Ratchet, Waiver};
use crate::rules::{self, Compared, budget};
use crate::{Check, Error, Setup, events, notes};

/// Judges a subject by its configuration, with facts kept in `cache`.
///
/// The whole before and after is left out, see [`Gate::without_whole`]. To judge several, make a
/// [`Gate`] once.
///
/// # Errors
/// If the configuration cannot be used, or the subject cannot be read.
pub fn judge(subject: &Subject, cache: Option<PathBuf>) -> Result<Judgement, Error> {
    let path = match subject {
        Subject::Git { path, .. } => path,
        Subject::Folders { head, .. } => head,
    };
    let setup = Setup::find(path, cache)?;
    let measurer = setup.measurer()?;
    let gate = Gate::new(&measurer, setup.check).without_whole();
    gate.with_ratchet_beside(setup.config.as_deref())
        .judge(subject)
}

/// Judges subjects by one set of rules.
pub struct Gate<'m> {
    pub(crate) measurer: &'m Measurer,
    pub(crate) check: Check,
    /// Folder of the configuration; `None` without a configuration.
    folder: Option<PathBuf>,
    now: jiff::Timestamp,
    /// Whether to report the whole before and after, not only what the change adds.
    with_whole: bool,
    /// Whether the options measure less than the configuration says.
    pub(crate) is_narrowed: bool,
}

/// Notes without those on files about which a violation says the same.
fn unreported(mut notes: Vec<String>, violations: &[Violation]) -> Vec<String> {
    let is_reported = |note: &String| {
        let setup = violations.iter().filter(|v| v.rule == GateRule::GateSetup);
        let mut paths = setup.map(|violation| &violation.path);
        paths.any(|path| note.starts_with(&format!("{path} was not judged: ")))
    };
    notes.retain(|note| !is_reported(note));
    notes
}

impl<'m> Gate<'m> {
    /// A gate that measures and judges by these.
    #[must_use]
    pub fn new(measurer: &'m Measurer, check: Check) -> Self {
        Self {
            measurer,
            check,
            folder: None,
            now: jiff::Timestamp::now(),
            with_whole: true,
            is_narrowed: false,
        }
    }

    /// The same, for a configuration that was narrowed: entries of the ratchet that are not found
    /// may still exist then.
    #[must_use]
    pub fn narrowed(mut self, is_narrowed: bool) -> Self {
        self.is_narrowed = is_narrowed;
        self
    }

    /// The same without [`Balance::before`] and [`Balance::after`] of changes in a repository. Files that a
    /// change does not concern are then read in outline, which takes a sixth less time without a cache.
    #[must_use]
    pub fn without_whole(mut self) -> Self {
        self.with_whole = false;
        self
    }

    /// The same with the ratchet's file named from the folder of a configuration instead of the
    /// top of what is judged.
    #[must_use]
    pub fn with_ratchet_beside(mut self, config: Option<&Path>) -> Self {
        self.folder = config.and_then(Path::parent).map(Path::to_owned);
        self
    }

    /// The same at another moment, by which waivers end and weeks are counted.
    #[must_use]
    pub fn at(mut self, now: jiff::Timestamp) -> Self {
        self.now = now;
        self
    }

    /// Judges a subject.
    ///
    /// # Errors
    /// If the subject cannot be read, or lacks a base.
    pub fn judge(&self, subject: &Subject) -> Result<Judgement, Error> {
        let options = ComparisonOptions {
            base: self.check.base.as_deref(),
            ratchet: self
                .check
                .ratchet
                .file_name()
                .and_then(|name| name.to_str()),
        };
        let comparison = Comparison::new(self.measurer, subject, options)
            .map_err(|error| self.at_configured_base(subject, error))?;
        events::compared(&comparison);
        let waivers = self.waivers(&comparison.top)?;
        let asks_week = !self.check.week.is_empty() && comparison.files > 0;
        let week = asks_week.then(|| comparison.week(self.measurer, self.now));
        let week = week.transpose()?;
        // The week reads all of the base anyway.
        let with_whole = self.with_whole || matches!(week, Some(Some(_)));
        let impact = comparison.impact(self.measurer, with_whole)?;
        let scope = comparison.scope_changes(self.measurer, &impact);
        let mut judgement = self.apply_rules(comparison, &impact, &scope)?;
        match week {
            Some(Some(week)) => self.apply_week(&mut judgement, week, &impact),
            Some(None) => judgement.notes.push(notes::NO_WEEK.to_owned()),
            None => {}
        }
        self.apply_waivers(&mut judgement, &waivers);
        Ok(judgement)
    }

    /// The error of a comparison, with its place if the base of the configuration causes it.
    fn at_configured_base(&self, subject: &Subject, error: slope_change::Error) -> Error {
        let is_named = matches!(subject, Subject::Git { base: Some(_), .. });
        let slope_change::Error::Git(slope_git::Error::Revision { revision, .. }) = &error else {
            return Error::Change(error);
        };
        let is_of_config = !is_named && self.check.base.as_ref() == Some(revision);
        match self.check.base_at.clone().filter(|_| is_of_config) {
            Some(place) => Error::Base {
                place,
                source: Box::new(error),
            },
            None => Error::Change(error),
        }
    }

    fn apply_rules(
        &self,
        comparison: Comparison,
        impact: &Impact,
        scope: &ScopeChanges,
    ) -> Result<Judgement, Error> {
        let compared = Compared {
            impact,
            measurer: self.measurer,
            check: &self.check,
            below: &comparison.below,
        };
        let mut violations = rules::violations(&compared)?;
        violations.extend(rules::setup::violations(&self.check, scope));
        let broken = rules::syntax::broken(impact.step.files.iter());
        let mut unjudged = comparison.unread;
        unjudged.extend(broken.map(|(view, _)| view.path().to_owned()));
        unjudged.retain(|path| is_below(&comparison.below, path));
        unjudged.sort();
        let layout = impact.change.accounts.layout_sum().rounded();
        let ledger = impact.change.clone().into_ledger();
        let change = ledger.balance.change;
        let notes = unreported(comparison.notes, &violations);
        let notes = [notes, notes::of_scope(scope)].concat();
        Ok(Judgement {
            schema: schema::JUDGEMENT.to_owned(),
            definitions: ledger.definitions,
            base: comparison.base,
            head: comparison.head,
            chosen: comparison.chosen,
            files: comparison.files,
            passes: passes(&violations),
            balance: Balance {
                before: impact.before,
                after: impact.before.map(|before| before + change),
                change,
                layout,
            },
            parts: ledger.parts,
            week: None,
            violations,
            waived: Vec::new(),
            notes,
            unjudged,
        })
    }

    /// Judges what the commits of a week and the change add together. A change is not to blame for the part of
    /// the budget to which it adds nothing.
    fn apply_week(&self, judgement: &mut Judgement, week: Week, impact: &Impact) {
        judgement.notes.extend(week.note);
        let before = budget::of_product(&week.change.accounts, "").rounded();
        let change = budget::of_product(&impact.change.accounts, "").rounded();
        let sum: Amounts = before + change;
        judgement.week = Some(sum);
        if let Some(level) = self.check.over_budget {
            let grows = |metric| {
                let mut listed = change.listed().into_iter();
                listed.any(|(own, added)| own == metric && added > 0.0)
            };
            let over = budget::over(budget::Span::Week, &self.check.week, &sum);
            let over = over.filter(|over| grows(over.metric));
            judgement
                .violations
                .extend(over.map(|over| over.violation(level)));
        }
    }

    /// Path of the ratchet's file: next to the configuration, else at the top of what is judged.
    pub(crate) fn ratchet_file(&self, top: &Path) -> PathBuf {
        let folder = self.folder.as_deref().unwrap_or(top);
        folder.join(&self.check.ratchet)
    }

    fn waivers(&self, top: &Path) -> Result<Vec<Waiver>, Error> {
        let ratchet = Ratchet::read(&self.ratchet_file(top))?;
        Ok(ratchet.map(|r| r.waivers).unwrap_or_default())
    }

    /// Takes out waived violations, and reports waivers that are stale.
    pub(crate) fn apply_waivers(&self, judgement: &mut Judgement, waivers: &[Waiver]) {
        let today = self.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        let (holding, ended): (Vec<&Waiver>, Vec<&Waiver>) =
            waivers.iter().partition(|waiver| waiver.until >= today);
        let mut open = Vec::new();
        for violation in std::mem::take(&mut judgement.violations) {
            let by = |waivers: &[&'_ Waiver]| {
                let found = waivers.iter().find(|w| w.print == violation.fingerprint);
                found.map(|waiver| (*waiver).clone())
            };
            if let Some(waiver) = by(&holding) {
                judgement.waived.push(Waived {
                    violation,
                    reason: waiver.reason,
                    until: Some(waiver.until.to_string()),
                });
                continue;
            }
            if let Some(waiver) = by(&ended) {
                judgement.notes.push(format!(
                    "the waiver of {} ended on {} and no longer applies: {}",
                    violation.fingerprint, waiver.until, waiver.reason
                ));
            }
            open.push(violation);
        }
        judgement.violations = open;
        rules::sort(&mut judgement.violations);
        judgement.passes = passes(&judgement.violations);
        events::judged(judgement);
    }
}

fn passes(violations: &[Violation]) -> bool {
    violations.iter().all(|v| v.level != Level::Error)
}
