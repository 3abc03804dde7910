//! Checks a tree against the committed ratchet.

use std::collections::BTreeMap;
use std::path::Path;

use slope_change::{Baseline, folder_within, unread_notes};
use slope_git::Repo;
use slope_measure::Content;
use slope_model::gate::{Balance, Judgement, Side, Violation};
use slope_model::ledger::Amounts;
use slope_model::plural;
use slope_model::schema;

use super::{Found, Item, Ratchet, Scope, Waiver, compare, items};
use crate::{Error, Gate};

impl Gate<'_> {
    /// Compares the tree around a path with the committed ratchet, and reports the part below the
    /// path. With `update`, writes improvements below the path, or creates a missing ratchet.
    ///
    /// # Errors
    /// If the tree or the ratchet cannot be read, or the ratchet cannot be written.
    pub fn judge_ratchet(&self, path: &Path, update: bool) -> Result<Judgement, Error> {
        let repo = Repo::open(path).ok();
        let below = repo.as_ref().map(|repo| folder_within(repo, path));
        let scope = Scope {
            below: below.as_deref().unwrap_or_default(),
            is_narrowed: self.is_narrowed,
        };
        let top = repo.and_then(|repo| repo.workdir());
        let top = top.unwrap_or_else(|| path.to_owned());
        let file = self.ratchet_file(&top);
        let known = self.ratchet(&top)?;
        let contents = self.measurer.contents_of_dir(&top)?.files;
        let by_path: BTreeMap<String, Content> = contents.iter().cloned().collect();
        let baseline = Baseline::new(self.measurer, "working tree", contents);
        let found = items(baseline.tracker(), self.measurer, &self.check);
        let name = self.check.ratchet.display().to_string();
        let mut notes = unread_notes(&by_path);
        let (violations, waivers) = settle((&file, known), found, scope, update, &mut notes)?;
        let after = slope_change::ledger::whole(baseline.tracker()).rounded();
        let mut judgement = Judgement {
            schema: schema::JUDGEMENT.to_owned(),
            definitions: self.measurer.definitions(),
            base: Side { name, commit: None },
            head: Side {
                name: "working tree".to_owned(),
                commit: None,
            },
            chosen: "the committed ratchet".to_owned(),
            files: by_path.len(),
            passes: true,
            balance: Balance {
                before: Some(after),
                after: Some(after),
                change: Amounts::default(),
                layout: Amounts::default(),
            },
            parts: BTreeMap::new(),
            week: None,
            growth: None,
            violations,
            waived: Vec::new(),
            notes,
            unjudged: Vec::new(),
        };
        self.apply_waivers(&mut judgement, &waivers);
        Ok(judgement)
    }
}

/// Compares findings with a ratchet, writes it on request, and adds notes.
fn settle(
    (file, known): (&Path, Option<Ratchet>),
    found: Vec<Found>,
    scope: Scope<'_>,
    update: bool,
    notes: &mut Vec<String>,
) -> Result<(Vec<Violation>, Vec<Waiver>), Error> {
    let name = file.file_name().unwrap_or(file.as_os_str());
    let name = name.to_string_lossy();
    let Some(known) = known else {
        if !update {
            return Err(Error::NoRatchet {
                path: file.to_owned(),
            });
        }
        let items = found.into_iter().map(|found| found.item);
        let items: Vec<_> = items.filter(|item| scope.has(item)).collect();
        notes.push(format!(
            "{name} is new and contains {}: commit it",
            plural(items.len(), "item")
        ));
        write(file, items, Vec::new())?;
        return Ok((Vec::new(), Vec::new()));
    };
    let difference = compare(&found, &known.items, scope);
    let here = known.items.iter().filter(|item| scope.has(item)).count();
    notes.push(match (difference.better, update) {
        (0, _) => format!("{name} contains {}", plural(here, "item")),
        (n, true) => format!("{} became better, as {name} now says", plural(n, "item")),
        (n, false) => format!(
            "{} became better: `slope check --ratchet --update` writes that to {name}",
            plural(n, "item")
        ),
    });
    if update && difference.better > 0 {
        write(file, difference.next, known.waivers.clone())?;
    }
    Ok((difference.violations, known.waivers))
}

fn write(file: &Path, items: Vec<Item>, waivers: Vec<Waiver>) -> Result<(), Error> {
    let ratchet = Ratchet { items, waivers };
    Ok(slope_store::atomic::write(file, ratchet.text().as_bytes())?)
}
