//! Judges subjects: resolves the base, reads the files that differ, finds the impact, and applies rules and waivers.

use std::path::{Path, PathBuf};

use slope_change::{Comparison, ComparisonOptions, Impact, ScopeChanges, Subject, Week, is_below};
use slope_measure::Measurer;
use slope_model::gate::{Balance, GateRule, Judgement, Level, Violation, Waived};
use slope_model::ledger::Amounts;
use slope_model::schema;

use crate::ratchet::{Ratchet, Waiver};
use crate::rules::{self, Compared, budget};
use crate::{Check, Error, Policy, Setup, events, notes};

/// Judges a subject by its configuration, with cached facts.
///
/// The totals before and after are left out; see [`Gate::without_whole`]. To judge several
/// subjects, create one [`Gate`].
///
/// # Errors
/// If the configuration is invalid, or the subject cannot be read.
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

/// What a change makes worse by the rules and limits of a check, without waivers: errors first, then by place.
///
/// # Errors
/// If a glob of the check is invalid.
pub fn violations(
    measurer: &Measurer,
    check: &Check,
    impact: &Impact,
) -> Result<Vec<Violation>, Error> {
    let compared = Compared {
        impact,
        measurer,
        check,
        below: "",
    };
    let mut found = rules::violations(&compared)?;
    rules::sort(&mut found);
    Ok(found)
}

/// Judges subjects by one set of rules.
pub struct Gate<'m> {
    pub(crate) measurer: &'m Measurer,
    pub(crate) check: Check,
    /// Folder of the configuration; `None` without a configuration.
    pub(crate) folder: Option<PathBuf>,
    now: jiff::Timestamp,
    /// Whether to report totals before and after, not only the difference.
    with_whole: bool,
    /// Whether the options measure less than the configuration.
    pub(crate) is_narrowed: bool,
    /// Where ratchet and waivers come from, if not from the files on disk.
    pub(crate) policy: Option<Policy>,
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
    /// A gate that uses this measurer and these rules.
    #[must_use]
    pub fn new(measurer: &'m Measurer, check: Check) -> Self {
        Self {
            measurer,
            check,
            folder: None,
            now: jiff::Timestamp::now(),
            with_whole: true,
            is_narrowed: false,
            policy: None,
        }
    }

    /// The same gate with a narrowed configuration. Ratchet entries that are not found may then
    /// still exist.
    #[must_use]
    pub fn narrowed(mut self, is_narrowed: bool) -> Self {
        self.is_narrowed = is_narrowed;
        self
    }

    /// The same gate without [`Balance::before`] and [`Balance::after`] for changes in a repository. Files that a
    /// change does not concern are then read in outline, which saves a sixth of the time without a cache.
    #[must_use]
    pub fn without_whole(mut self) -> Self {
        self.with_whole = false;
        self
    }

    /// The same gate with the ratchet next to a configuration instead of at the root of the judged
    /// code.
    #[must_use]
    pub fn with_ratchet_beside(mut self, config: Option<&Path>) -> Self {
        self.folder = config.and_then(Path::parent).map(Path::to_owned);
        self
    }

    /// The same gate with ratchet and waivers of a policy instead of those on disk.
    #[must_use]
    pub fn with_policy(mut self, policy: Option<Policy>) -> Self {
        self.policy = policy;
        self
    }

    /// The same gate at another time, for waivers and weekly budgets.
    #[must_use]
    pub fn at(mut self, now: jiff::Timestamp) -> Self {
        self.now = now;
        self
    }

    /// Judges a subject.
    ///
    /// # Errors
    /// If the subject cannot be read or has no base.
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
        let growth = self.growth_before(&comparison)?;
        // The weekly budget and growth need the whole base anyway.
        let with_whole = self.with_whole || growth.is_some() || matches!(week, Some(Some(_)));
        let impact = comparison.impact(self.measurer, with_whole)?;
        let scope = comparison.scope_changes(self.measurer, &impact);
        let mut judgement = self.apply_rules(comparison, &impact, &scope)?;
        match week {
            Some(Some(week)) => self.apply_week(&mut judgement, week, &impact),
            Some(None) => judgement.notes.push(notes::NO_WEEK.to_owned()),
            None => {}
        }
        if let Some(growth) = growth {
            self.apply_growth(&mut judgement, growth, &impact);
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
            growth: None,
            violations,
            waived: Vec::new(),
            notes,
            unjudged,
        })
    }

    /// Judges the sum of a week's commits and the change. A change violates only those parts of the budget to which it
    /// adds something.
    fn apply_week(&self, judgement: &mut Judgement, week: Week, impact: &Impact) {
        judgement.notes.extend(week.note);
        let before = budget::of_product(&week.change.accounts, "").rounded();
        let change = budget::of_product(&impact.change.accounts, "").rounded();
        let sum: Amounts = before + change;
        judgement.week = Some(sum);
        if let Some(level) = self.check.over_budget {
            let over = budget::over(budget::Span::Week, &self.check.week, &sum);
            let over = over.filter(|over| over.grows(&change));
            judgement
                .violations
                .extend(over.map(|over| over.violation(level)));
        }
    }

    /// Path of the ratchet: next to the configuration, or at the root of the judged code.
    pub(crate) fn ratchet_file(&self, top: &Path) -> PathBuf {
        let folder = self.folder.as_deref().unwrap_or(top);
        folder.join(&self.check.ratchet)
    }

    fn waivers(&self, top: &Path) -> Result<Vec<Waiver>, Error> {
        let ratchet = self.ratchet(top)?;
        Ok(ratchet.map(|r| r.waivers).unwrap_or_default())
    }

    /// The ratchet of the policy, or of the files on disk.
    pub(crate) fn ratchet(&self, top: &Path) -> Result<Option<Ratchet>, Error> {
        match &self.policy {
            Some(policy) => Ok(policy.ratchet.clone()),
            None => Ratchet::read(&self.ratchet_file(top)),
        }
    }

    /// Removes waived violations, and reports expired waivers.
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
        if let Some(policy) = &self.policy {
            let note = format!("settings, ratchet and waivers are those of {}", policy.name);
            judgement.notes.push(note);
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
