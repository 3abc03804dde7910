//! Subjects to judgements.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use slope_history::{Baseline, Repo};
use slope_measure::{Content, FolderContents, Measurer};
use slope_model::gate::{Balance, GateRule, Judgement, Level, Side, Violation, Waived};
use slope_model::ledger::Amounts;
use slope_model::metrics::{CLONE_LINES, FLAGGED_LINES, MASS};
use slope_model::schema;

use crate::ratchet::{self, Ratchet, Scope, Waiver};
use crate::rules::{self, Compared};
use crate::seen::{self, Seen, Subjects};
use crate::trees::{self, Steering, Trees, Week, is_below};
use crate::{Check, Error, Head, Setup, Subject, events};

/// The note if a budget is set for the week and there is no history to count it by.
const NO_WEEK: &str = "the week's budget is not judged: the base is not a commit";

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
    measurer: &'m Measurer,
    check: Check,
    /// Folder of the configuration; `None` without a configuration.
    folder: Option<PathBuf>,
    now: jiff::Timestamp,
    /// Whether the whole is wanted as well, not only what the change adds.
    tells_whole: bool,
    /// Whether less is looked at than the configuration says.
    is_narrowed: bool,
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
            tells_whole: true,
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

    /// The same without [`Balance::before`] and [`Balance::after`] of changes in a repository.
    /// Files that a change does not concern are looked at in outline then, which takes a sixth
    /// less time where nothing is known of them yet.
    #[must_use]
    pub fn without_whole(mut self) -> Self {
        self.tells_whole = false;
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
        match subject {
            Subject::Git { path, base, head } => self.judge_git(path, base.as_deref(), head),
            Subject::Folders { base, head } => self.judge_folders(base, head),
        }
    }

    fn judge_git(&self, path: &Path, base: Option<&str>, head: &Head) -> Result<Judgement, Error> {
        let base = base.or(self.check.base.as_deref());
        let ratchet = trees::name_of(&self.check.ratchet);
        let trees = Trees::of_git(self.measurer, path, (base, ratchet), head)?;
        let setup = trees.changed(self.measurer, &trees.setup)?;
        let after = trees.changed(self.measurer, &trees.changes)?;
        let waivers = self.waivers(trees.top())?;
        let asks_week = !self.check.week.is_empty() && !after.is_empty();
        let week = asks_week.then(|| trees.week(self.now)).transpose()?;
        let lacks_week = matches!(week, Some(None));
        let week = week
            .flatten()
            .map(|week| self.added_by(&trees, week))
            .transpose()?;
        let subjects = Subjects {
            measurer: self.measurer,
            trees: &trees,
            setup: &setup,
            after: &after,
            // For a week all of the base was looked at in full already.
            tells_whole: self.tells_whole || week.is_some(),
        };
        let seen = subjects.look()?;
        self.measurer.keep();
        events::compared(&trees.base, &trees.head, &trees.chosen, after.len());
        let sides = (trees.base, trees.head, trees.chosen);
        let steering = self.steering(trees.steering, &after, &seen, &trees.below);
        let mut notes = [trees.notes, unmeasured(&after)].concat();
        notes.extend(left_out_note(&steering.left_out));
        notes.extend(other_languages_note(&steering.others));
        notes.extend(unused_settings_note(&steering.configs));
        if lacks_week {
            notes.push(NO_WEEK.to_owned());
        }
        let mut judgement = self.compare(sides, &seen, &trees.below, (notes, unread(&after)))?;
        judgement.files = after.len();
        let of_gate = rules::setup::violations(&self.check, &steering);
        judgement.violations.extend(of_gate);
        if let Some((added, note)) = week {
            judgement.notes.extend(note);
            let change = rules::budget::of_product(&seen.full.change.accounts, "");
            self.judge_week(&mut judgement, added, change.rounded());
        }
        self.waive(&mut judgement, &waivers);
        Ok(judgement)
    }

    /// What a change does to what is judged, with files marked as generated, as far as it is below
    /// the requested path.
    fn steering(
        &self,
        mut steering: Steering,
        after: &BTreeMap<String, Content>,
        seen: &Seen,
        below: &str,
    ) -> Steering {
        for (path, content) in after {
            if let Content::Unmeasured(reason) = content
                && was_judged(seen, path)
            {
                steering.unreadable.push((path.clone(), reason.clone()));
            }
            match self.measurer.left_out(content) {
                Some(sign) if was_judged(seen, path) => {
                    steering.hidden.push((path.clone(), sign.to_owned()));
                }
                Some(_) => steering.left_out.push(path.clone()),
                None => {}
            }
        }
        steering.left_out.sort();
        steering.left_out.retain(|path| is_below(below, path));
        for judged in [&mut steering.hidden, &mut steering.unreadable] {
            judged.retain(|(path, _)| is_below(below, path));
        }
        steering.others.retain(|path| is_below(below, path));
        // The one in force is that of the judged folder, or of one around it.
        let is_unused = |path: &String| {
            let folder = path.rfind('/').map_or("", |end| &path[..=end]);
            folder != below && is_below(below, folder)
        };
        steering.configs.retain(is_unused);
        steering
    }

    /// What the commits of a week added to production code, with a note if needed.
    fn added_by(&self, trees: &Trees, week: Week) -> Result<(Amounts, Option<String>), Error> {
        let base = trees.files.iter();
        let base = base.map(|(path, place)| (path.as_str(), place)).collect();
        let base = trees.contents(self.measurer, base, &|_| true)?;
        let start = week.files.iter();
        let start = start.map(|(path, place)| (path.as_str(), place)).collect();
        let start = trees.contents(self.measurer, start, &|_| true)?;
        let gone = start
            .iter()
            .map(|(path, _)| (path.clone(), Content::Nothing));
        let mut changes: BTreeMap<String, Content> = gone.collect();
        changes.extend(base);
        let mut baseline = Baseline::new(self.measurer, "a week ago", start);
        let change = baseline.change("base", changes.into_iter().collect())?;
        let added = rules::budget::of_product(&change.accounts, "");
        Ok((added.rounded(), week.note))
    }

    /// Judges what the commits of a week and the change add together.
    fn judge_week(&self, judgement: &mut Judgement, before: Amounts, change: Amounts) {
        let sum = sum(&before, &change);
        judgement.week = Some(sum);
        if let Some(level) = self.check.over_budget {
            let over = rules::budget::over(GateRule::WeekBudget, level, &self.check.week, &sum);
            // A change that adds nothing of it is not to blame for the week.
            let grows = |v: &Violation| match v.message.as_str() {
                m if m.contains(MASS.title) => change.mass > 0.0,
                m if m.contains(CLONE_LINES.title) => change.clone_lines > 0,
                m if m.contains(FLAGGED_LINES.title) => change.flagged_lines > 0,
                _ => change.dead_code > 0,
            };
            judgement.violations.extend(over.into_iter().filter(grows));
        }
        judgement.passes = passes(&judgement.violations);
    }

    /// Path of the ratchet.
    fn ratchet_file(&self, top: Option<&Path>) -> PathBuf {
        let folder = self.folder.as_deref().or(top).unwrap_or(Path::new("."));
        folder.join(&self.check.ratchet)
    }

    fn waivers(&self, top: Option<&Path>) -> Result<Vec<Waiver>, Error> {
        let ratchet = Ratchet::read(&self.ratchet_file(top))?;
        Ok(ratchet.map(|r| r.waivers).unwrap_or_default())
    }

    /// Takes out waived violations, and reports waivers that are stale.
    fn waive(&self, judgement: &mut Judgement, waivers: &[Waiver]) {
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

    /// Compares the tree around a path with the committed ratchet, and reports the part below the
    /// path. With `update` improvements there are written to it, and a missing ratchet is made.
    ///
    /// # Errors
    /// If the tree or the ratchet cannot be read, or the ratchet cannot be written.
    pub fn judge_ratchet(&self, path: &Path, update: bool) -> Result<Judgement, Error> {
        let repo = Repo::open(path).ok();
        let below = repo.as_ref().map(|repo| trees::below(repo, path));
        let scope = Scope {
            below: below.as_deref().unwrap_or_default(),
            is_narrowed: self.is_narrowed,
        };
        let top = repo.and_then(|repo| repo.workdir());
        let top = top.unwrap_or_else(|| path.to_owned());
        let file = self.ratchet_file(Some(&top));
        let known = Ratchet::read(&file)?;
        let contents = self.measurer.contents_of_dir(&top)?.files;
        let by_path: BTreeMap<String, Content> = contents.iter().cloned().collect();
        let baseline = Baseline::new(self.measurer, "working tree", contents);
        let found = ratchet::items(baseline.tracker(), self.measurer, &self.check);
        let name = self.check.ratchet.display().to_string();
        let mut notes = unmeasured(&by_path);
        let (violations, waivers) = settle((&file, known), found, scope, update, &mut notes)?;
        let after = slope_history::ledger::whole(baseline.tracker()).rounded();
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
            violations,
            waived: Vec::new(),
            notes,
            unjudged: Vec::new(),
        };
        self.waive(&mut judgement, &waivers);
        Ok(judgement)
    }

    fn judge_folders(&self, base: &Path, head: &Path) -> Result<Judgement, Error> {
        let FolderContents {
            files: old,
            mut others,
        } = self.measurer.contents_of_dir(base)?;
        let new = self.measurer.contents_of_dir(head)?;
        others.extend(new.others);
        let gone = old.iter().map(|(path, _)| (path.clone(), Content::Nothing));
        let mut changes: BTreeMap<String, Content> = gone.collect();
        let in_old = |path: &String| changes.contains_key(path);
        let paths = new.files.iter().map(|(path, _)| path);
        // A file that is the same in both is not part of the change, unless only one side measures it.
        let same: BTreeSet<String> = paths
            .filter(|path| in_old(path) && !differs(base, head, path))
            .cloned()
            .collect();
        changes.extend(new.files);
        let side = |path: &Path| Side {
            name: path.display().to_string(),
            commit: None,
        };
        let sides = (side(base), side(head), "as named".to_owned());
        let waivers = self.waivers(Some(head))?;
        let mut notes = unmeasured(&changes);
        others.sort();
        others.dedup();
        others.retain(|path| differs(base, head, path));
        notes.extend(other_languages_note(&others));
        notes.extend(left_out_note(
            &self.left_out_of_folders(base, head, &changes),
        ));
        if !self.check.week.is_empty() && !changes.is_empty() {
            notes.push(NO_WEEK.to_owned());
        }
        let (files, unread) = (changes.len(), unread(&changes));
        events::compared(&sides.0, &sides.1, &sides.2, files);
        changes.retain(|path, _| !same.contains(path));
        let seen = seen::replaced(self.measurer, old, &changes)?;
        let mut judgement = self.compare(sides, &seen, "", (notes, unread))?;
        judgement.files = files;
        let steering = self.steering(Steering::default(), &changes, &seen, "");
        let of_gate = rules::setup::violations(&self.check, &steering);
        judgement.violations.extend(of_gate);
        self.waive(&mut judgement, &waivers);
        Ok(judgement)
    }

    /// Files that differ between two folders and that slope leaves out by their content, for example as generated.
    fn left_out_of_folders(
        &self,
        base: &Path,
        head: &Path,
        contents: &BTreeMap<String, Content>,
    ) -> Vec<String> {
        let differs = |path: &&String| {
            let read = |folder: &Path| std::fs::read(folder.join(path)).ok();
            read(base) != read(head)
        };
        let left_out = contents.iter();
        let left_out = left_out.filter(|(_, content)| self.measurer.left_out(content).is_some());
        let paths = left_out.map(|(path, _)| path);
        paths.filter(differs).cloned().collect()
    }

    fn compare(
        &self,
        (base, head, chosen): (Side, Side, String),
        seen: &Seen,
        below: &str,
        (notes, mut unjudged): (Vec<String>, Vec<String>),
    ) -> Result<Judgement, Error> {
        let compared = Compared {
            full: &seen.full,
            like: &seen.like,
            measurer: self.measurer,
            check: &self.check,
            below,
        };
        let violations = rules::violations(&compared)?;
        let broken = rules::syntax::broken(seen.full.step.files.iter());
        unjudged.extend(broken.map(|(view, _)| view.path().to_owned()));
        unjudged.retain(|path| is_below(below, path));
        unjudged.sort();
        let layout = seen.full.change.accounts.layout_sum().rounded();
        let ledger = seen.full.change.clone().into_ledger();
        let change = ledger.balance.change;
        Ok(Judgement {
            schema: schema::JUDGEMENT.to_owned(),
            definitions: ledger.definitions,
            base,
            head,
            chosen,
            files: 0,
            passes: passes(&violations),
            balance: Balance {
                before: seen.before,
                after: seen.before.map(|before| sum(&before, &change)),
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
}

/// The sum of two amounts.
pub(crate) fn sum(a: &Amounts, b: &Amounts) -> Amounts {
    Amounts {
        mass: a.mass + b.mass,
        clone_lines: a.clone_lines + b.clone_lines,
        flagged_lines: a.flagged_lines + b.flagged_lines,
        verbose_lines: a.verbose_lines + b.verbose_lines,
        dead_code: a.dead_code + b.dead_code,
        sloc: a.sloc + b.sloc,
    }
}

fn passes(violations: &[Violation]) -> bool {
    violations.iter().all(|v| v.level != Level::Error)
}

/// Compares the findings with a ratchet, writes that if requested, and notes what was done.
fn settle(
    (file, known): (&Path, Option<Ratchet>),
    found: Vec<ratchet::Found>,
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
            "{name} is new and contains {} items: commit it",
            items.len()
        ));
        write(file, items, Vec::new())?;
        return Ok((Vec::new(), Vec::new()));
    };
    let held = ratchet::hold(&found, &known.items, scope);
    let here = known.items.iter().filter(|item| scope.has(item)).count();
    notes.push(match (held.better, update) {
        (0, _) => format!("{name} contains {here} items"),
        (n, true) => format!("{n} items became better and were written to {name}"),
        (n, false) => format!(
            "{n} items became better: `slope check --ratchet --update` writes that to {name}"
        ),
    });
    if update && held.better > 0 {
        write(file, held.next, known.waivers.clone())?;
    }
    Ok((held.violations, known.waivers))
}

fn write(file: &Path, items: Vec<ratchet::Item>, waivers: Vec<Waiver>) -> Result<(), Error> {
    let ratchet = Ratchet { items, waivers };
    Ok(slope_store::atomic::write(file, ratchet.text().as_bytes())?)
}

/// Whether a file was judged before the change.
fn was_judged(seen: &Seen, path: &str) -> bool {
    let files = seen.full.step.files.iter();
    let mut before = files.filter_map(|file| file.before.as_ref());
    before.any(|view| view.path() == path)
}

/// Names files that differ and are left out by no word of the configuration, in order.
fn left_out_note(paths: &[String]) -> Option<String> {
    let named = named(paths)?;
    Some(format!(
        "{named}: not judged, because they look generated, vendored or minified"
    ))
}

/// Lists changed files in unsupported languages.
fn other_languages_note(paths: &[String]) -> Option<String> {
    let named = named(paths)?;
    Some(format!(
        "{named}: not judged, because slope does not support the language"
    ))
}

/// Names configurations that do not apply, since one applies to all judged files.
fn unused_settings_note(paths: &BTreeSet<String>) -> Option<String> {
    let paths: Vec<String> = paths.iter().cloned().collect();
    let named = named(&paths)?;
    Some(format!("{named}: {}", slope_measure::config::NOT_USED))
}

/// The first few paths, and how many more there are; `None` for no path.
fn named(paths: &[String]) -> Option<String> {
    const MOST: usize = 3;
    let more = match paths.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = paths[..paths.len().min(MOST)].join(", ");
    (!paths.is_empty()).then(|| format!("{named}{more}"))
}

/// Whether a file differs between two folders, or is a regular file in one of them only.
fn differs(base: &Path, head: &Path, path: &str) -> bool {
    let open = |folder: &Path| {
        let path = folder.join(path);
        // Untrusted folders may contain links and devices.
        let metadata = fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
        Some((metadata.len(), File::open(path).ok()?))
    };
    let (Some((old_len, old)), Some((new_len, new))) = (open(base), open(head)) else {
        return true;
    };
    old_len != new_len || !is_same_content(old, new).unwrap_or(false)
}

/// Whether two files of one length have the same content. Reads both piece by piece.
fn is_same_content(old: File, new: File) -> io::Result<bool> {
    let (mut old, mut new) = (BufReader::new(old), BufReader::new(new));
    loop {
        let (a, b) = (old.fill_buf()?, new.fill_buf()?);
        let shared = a.len().min(b.len());
        if shared == 0 {
            return Ok(a.len() == b.len());
        }
        if a[..shared] != b[..shared] {
            return Ok(false);
        }
        old.consume(shared);
        new.consume(shared);
    }
}

/// Paths of files that could not be measured.
fn unread(contents: &BTreeMap<String, Content>) -> Vec<String> {
    let is_unread = |content: &Content| matches!(content, Content::Unmeasured(_));
    let paths = contents.iter().filter(|(_, content)| is_unread(content));
    paths.map(|(path, _)| path.clone()).collect()
}

/// Names files that could not be measured.
fn unmeasured(contents: &BTreeMap<String, Content>) -> Vec<String> {
    let note = |(path, content): (&String, &Content)| match content {
        Content::Unmeasured(reason) => Some(format!("{path} was not judged: {reason}")),
        _ => None,
    };
    contents.iter().filter_map(note).collect()
}
