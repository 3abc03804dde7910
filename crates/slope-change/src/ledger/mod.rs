//! Ledgers: changes of mass, clones, flagged lines and dead code, each at the function that caused
//! it.
//!
//! | module | contents |
//! |---|---|
//! | `units` | files split into callables and other code |
//! | `follow` | matching of callables before and after a change |
//! | `blame` | attribution of clones |
//! | `mod` | entries, which add up to the change |
//!
//! Each row of a file belongs to its innermost callable or to the rest of the file. Each callable
//! has its mass, and each finding its row. So the units of a tree add up to the tree, and the
//! differences of units to the difference of trees. An amount that is attributed to another unit is
//! subtracted where it occurred, so the sum does not change.

mod blame;
mod change;
mod follow;
mod units;

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{ClonePlace, Step};
use slope_model::finding::Finding;
use slope_model::ledger::{Balance, Copied, Elsewhere, EntryKind, Ledger, LedgerEntry};
use slope_model::measurement::{Definitions, Part};
use slope_model::schema;

use crate::Error;
use crate::amounts::ExactAmounts;
use blame::{Blame, Lines};
use follow::Group;
use units::{Side, Unit};

pub use change::Change;
pub use units::{whole, whole_of_step};

/// A callable, or the rest of a file, before or after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitAt {
    /// Index of its file in [`Step::files`].
    pub file: usize,
    /// Index among the callables of the file; `None` for code outside callables.
    pub callable: Option<usize>,
}

/// Outcome of units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// Units before.
    pub from: Vec<UnitAt>,
    /// Units after.
    pub to: Vec<UnitAt>,
    /// Whether both sides are one unit, equal apart from name, place and layout.
    pub is_same: bool,
}

/// An entry with its change as an exact sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Booked {
    /// The entry.
    pub entry: LedgerEntry,
    /// Its change, exactly.
    pub change: ExactAmounts,
}

/// The entries of one step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Accounts {
    /// Changes of code, largest first.
    pub entries: Vec<Booked>,
    /// The effect of reformatting the same code.
    pub layout: Vec<Booked>,
    /// Added or removed source lines without any other effect, and without entries, by part of the
    /// code base.
    pub sloc_alone: BTreeMap<Part, i64>,
}

impl Accounts {
    /// Sum of all entries and of the source lines without entry: exactly the change of the totals.
    #[must_use]
    pub fn sum(&self) -> ExactAmounts {
        let all = self.entries.iter().chain(&self.layout);
        let sum: ExactAmounts = all.map(|booked| booked.change).sum();
        sum + lines_alone(self.sloc_alone())
    }

    /// Refuses entries that do not sum to the total change.
    ///
    /// # Errors
    /// [`Error::Sum`], which is a bug in slope.
    pub fn check_sum(&self, commit: &str, change: ExactAmounts) -> Result<(), Error> {
        let sum = self.sum();
        if sum == change {
            return Ok(());
        }
        Err(Error::Sum {
            commit: commit.to_owned(),
            entries: format!("{:?}", sum.rounded()),
            whole: format!("{:?}", change.rounded()),
        })
    }

    /// Added minus removed source lines where nothing else changed.
    #[must_use]
    pub fn sloc_alone(&self) -> i64 {
        self.sloc_alone.values().sum()
    }

    /// Sum of the effects of reformatting.
    #[must_use]
    pub fn layout_sum(&self) -> ExactAmounts {
        self.layout.iter().map(|booked| booked.change).sum()
    }

    /// The accounts as a ledger, with separately computed totals before and after.
    #[must_use]
    pub fn into_ledger(
        self,
        names: (&str, &str),
        (before, after): (ExactAmounts, ExactAmounts),
        definitions: Definitions,
    ) -> Ledger {
        let mut parts: BTreeMap<Part, ExactAmounts> = BTreeMap::new();
        for booked in self.entries.iter().chain(&self.layout) {
            *parts.entry(booked.entry.part).or_default() += booked.change;
        }
        for (&part, &lines) in self.sloc_alone.iter().filter(|(_, lines)| **lines != 0) {
            *parts.entry(part).or_default() += lines_alone(lines);
        }
        let sloc_alone = self.sloc_alone();
        let layout = self.layout_sum().rounded();
        let entries = |list: Vec<Booked>| list.into_iter().map(|booked| booked.entry).collect();
        Ledger {
            schema: schema::LEDGER.to_owned(),
            definitions,
            base: names.0.to_owned(),
            head: names.1.to_owned(),
            balance: Balance {
                before: before.rounded(),
                after: after.rounded(),
                change: (after - before).rounded(),
                layout,
            },
            parts: parts
                .into_iter()
                .map(|(part, sum)| (part, sum.rounded()))
                .collect(),
            entries: entries(self.entries),
            layout: entries(self.layout),
            sloc_alone,
        }
    }
}

fn lines_alone(sloc: i64) -> ExactAmounts {
    ExactAmounts {
        sloc,
        ..ExactAmounts::default()
    }
}

/// Attributes the effects of a step to the functions that caused them.
///
/// The accounts add up exactly to [`whole`] after the step minus [`whole`] before it. Renames,
/// moves, reformatting and comments cause no entries, except for the effect of reformatting on
/// lines.
#[must_use]
pub fn account(step: &Step) -> Accounts {
    account_and_follow(step).0
}

/// As [`account`], but also returns the matched units of the step's files.
#[must_use]
pub fn account_and_follow(step: &Step) -> (Accounts, Vec<Followed>) {
    let before = Side::new(&step.files, |file| file.before.as_ref());
    let after = Side::new(&step.files, |file| file.after.as_ref());
    let groups = follow::follow(&before, &after);
    let (of_before, of_after) = owners(&groups, before.units.len(), after.units.len());
    let sides = (&before, &after);
    let blame = Blame::new(step, &groups, sides, (&of_before, &of_after));
    let mut clerk = EntryWriter {
        before: &before,
        after: &after,
        groups: &groups,
        blame,
        elsewhere: BTreeMap::new(),
        accounts: Accounts::default(),
    };
    clerk.enter_all();
    let moves = clerk.moves();
    let mut accounts = clerk.accounts;
    settle(&mut accounts, &moves);
    sort(&mut accounts.entries);
    sort(&mut accounts.layout);
    let followed = groups.iter().map(|group| Followed {
        from: places(&before, &group.from),
        to: places(&after, &group.to),
        is_same: group.is_same,
    });
    (accounts, followed.collect())
}

/// Places of units. The unit of a file's tests is not matched.
fn places(side: &Side<'_>, units: &[usize]) -> Vec<UnitAt> {
    let units = units.iter().map(|&unit| &side.units[unit]);
    let units = units.filter(|unit| unit.callable.is_some() || unit.is_file());
    units.map(Unit::at).collect()
}

/// Balances code outside of functions that moved together with functions: the loss of one file is
/// the gain of the other.
fn settle(accounts: &mut Accounts, moves: &BTreeSet<(String, String)>) {
    let is_outside = |booked: &Booked| booked.entry.kind == EntryKind::Outside;
    for (old, new) in moves {
        let of = |path: &str| {
            let mut entries = accounts.entries.iter();
            entries.position(|booked| is_outside(booked) && booked.entry.path == path)
        };
        let (Some(old), Some(new)) = (of(old), of(new)) else {
            continue;
        };
        let (lost, got) = (&accounts.entries[old], &accounts.entries[new]);
        let same_part = lost.entry.part == got.entry.part;
        if same_part && (lost.change + got.change).is_zero() {
            for at in [old.max(new), old.min(new)] {
                let mut booked = accounts.entries.remove(at);
                booked.entry.kind = EntryKind::Layout;
                accounts.layout.push(booked);
            }
        }
    }
}

/// Group of each unit before and after.
fn owners(groups: &[Group], before: usize, after: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut of_before, mut of_after) = (vec![0; before], vec![0; after]);
    for (index, group) in groups.iter().enumerate() {
        group.from.iter().for_each(|&unit| of_before[unit] = index);
        group.to.iter().for_each(|&unit| of_after[unit] = index);
    }
    (of_before, of_after)
}

fn sort(entries: &mut [Booked]) {
    entries.sort_by(|a, b| {
        let mass = |booked: &Booked| booked.change.mass.max(-booked.change.mass);
        mass(b)
            .cmp(&mass(a))
            .then_with(|| b.change.weight().cmp(&a.change.weight()))
            .then_with(|| a.entry.path.cmp(&b.entry.path))
            .then_with(|| a.entry.line.cmp(&b.entry.line))
            .then_with(|| a.entry.function.cmp(&b.entry.function))
    });
}

/// Writes entries.
struct EntryWriter<'a, 's> {
    before: &'a Side<'s>,
    after: &'a Side<'s>,
    groups: &'a [Group],
    blame: Blame<'a, 's>,
    /// Effects on unchanged code, by group: a unit after the step, and lines.
    elsewhere: BTreeMap<usize, Vec<(usize, Lines)>>,
    accounts: Accounts,
}

impl EntryWriter<'_, '_> {
    fn enter_all(&mut self) {
        let groups = self.groups;
        // Effects on unchanged code must be known before changes are entered.
        for group in groups.iter().filter(|group| group.is_same) {
            self.enter_same(group);
        }
        for (index, group) in groups.iter().enumerate().filter(|(_, g)| !g.is_same) {
            self.enter_changed(index, group);
        }
    }

    /// Paths between which functions moved unchanged.
    fn moves(&self) -> BTreeSet<(String, String)> {
        let mut moves = BTreeSet::new();
        for group in self.groups.iter().filter(|group| group.is_same) {
            let from = self.before.units[group.from[0]].view.path();
            let to = self.after.units[group.to[0]].view.path();
            if from != to {
                moves.insert((from.to_owned(), to.to_owned()));
            }
        }
        moves
    }

    fn sums(&self, group: &Group) -> (ExactAmounts, ExactAmounts) {
        let from = group
            .from
            .iter()
            .map(|&unit| self.before.units[unit].amounts);
        let to = group.to.iter().map(|&unit| self.after.units[unit].amounts);
        (from.sum(), to.sum())
    }

    /// Enters code that is equal except for name, place and layout.
    fn enter_same(&mut self, group: &Group) {
        let (before, after) = self.sums(group);
        let (from, to) = (group.from[0], group.to[0]);
        let parts = (self.before.units[from].part(), self.after.units[to].part());
        let mut rest = after - before;
        if rest.is_zero() && parts.0 == parts.1 {
            self.leave_out(parts.1, rest.sloc);
            return;
        }
        let is_reformatted = before.sloc != after.sloc;
        let was_or_is_none = before.clone_lines == 0 || after.clone_lines == 0;
        if rest.clone_lines != 0 && (!is_reformatted || was_or_is_none) {
            for (cause, lines) in self.blame.of(group) {
                rest.clone_lines -= lines.clone;
                rest.verbose_lines -= lines.verbose;
                self.elsewhere.entry(cause).or_default().push((to, lines));
            }
        }
        if parts.0 != parts.1 {
            // The total is unchanged, but the parts are not.
            let moved = rest + before;
            self.book(EntryKind::Removed, &group.from, &[], -before, &[]);
            self.book(EntryKind::Added, &[], &group.to, moved, &[]);
            return;
        }
        if is_reformatted {
            let dead = ExactAmounts {
                dead_code: rest.dead_code,
                ..ExactAmounts::default()
            };
            let layout = rest - dead;
            self.book(EntryKind::Layout, &group.from, &group.to, layout, &[]);
            rest = dead;
        }
        // If no code changed, the cause is reformatting or a comment.
        let kind = match rest.dead_code == 0 && self.groups.iter().all(|group| group.is_same) {
            true => EntryKind::Layout,
            false => EntryKind::Affected,
        };
        self.book(kind, &group.from, &group.to, rest, &[]);
    }

    fn enter_changed(&mut self, index: usize, group: &Group) {
        let elsewhere = self.elsewhere.remove(&index).unwrap_or_default();
        let part_before = |unit: &usize| self.before.units[*unit].part();
        let part_after = |unit: &usize| self.after.units[*unit].part();
        let after = group.to.iter().map(part_after);
        let mut parts: Vec<Part> = after.chain(group.from.iter().map(part_before)).collect();
        let first = parts.first().copied();
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            let from = group.from.iter().filter(|unit| part_before(unit) == part);
            let to = group.to.iter().filter(|unit| part_after(unit) == part);
            let piece = Group {
                from: from.copied().collect(),
                to: to.copied().collect(),
                is_same: false,
            };
            let (before, after) = self.sums(&piece);
            let elsewhere = if first == Some(part) {
                &elsewhere[..]
            } else {
                &[]
            };
            let kind = self.kind(&piece);
            self.book(kind, &piece.from, &piece.to, after - before, elsewhere);
        }
    }

    fn kind(&self, group: &Group) -> EntryKind {
        let outside = match (group.from.first(), group.to.first()) {
            (_, Some(&to)) => self.after.units[to].callable.is_none(),
            (Some(&from), None) => self.before.units[from].callable.is_none(),
            (None, None) => false,
        };
        match (group.from.len(), group.to.len()) {
            _ if outside => EntryKind::Outside,
            (0, _) => EntryKind::Added,
            (_, 0) => EntryKind::Removed,
            (1, 1) => EntryKind::Changed,
            (1, _) => EntryKind::Split,
            _ => EntryKind::Merged,
        }
    }

    /// Counts source lines without an entry.
    fn leave_out(&mut self, part: Part, sloc: i64) {
        *self.accounts.sloc_alone.entry(part).or_default() += sloc;
    }

    /// Writes an entry, unless all its amounts are zero.
    fn book(
        &mut self,
        kind: EntryKind,
        from: &[usize],
        to: &[usize],
        mut change: ExactAmounts,
        elsewhere: &[(usize, Lines)],
    ) {
        for (_, lines) in elsewhere {
            change.clone_lines += lines.clone;
            change.verbose_lines += lines.verbose;
        }
        let from: Vec<&Unit<'_>> = from.iter().map(|&unit| &self.before.units[unit]).collect();
        let to: Vec<&Unit<'_>> = to.iter().map(|&unit| &self.after.units[unit]).collect();
        let Some(first) = to.first().or(from.first()) else {
            return;
        };
        // Source lines alone do not change the accounts.
        if change.is_zero() && elsewhere.is_empty() {
            self.leave_out(first.part(), change.sloc);
            return;
        }
        let copies = if change.clone_lines > 0 { &to[..] } else { &[] };
        let copied = copies.iter().find_map(|unit| self.copied(unit, true));
        let twin = || copies.iter().find_map(|unit| self.copied(unit, false));
        let twin = if copied.is_none() { twin() } else { None };
        let entry = LedgerEntry {
            kind,
            part: first.part(),
            path: first.view.path().to_owned(),
            function: first.name().map(str::to_owned),
            line: first.line(),
            change: change.rounded(),
            from: from.iter().map(|unit| unit.place()).collect(),
            to: to.iter().map(|unit| unit.place()).collect(),
            elsewhere: elsewhere
                .iter()
                .map(|(unit, lines)| self.elsewhere(*unit, *lines))
                .collect(),
            copied,
            twin,
            dead_code: self.new_dead_code(&from, &to),
        };
        let booked = Booked { entry, change };
        if kind == EntryKind::Layout {
            self.accounts.layout.push(booked);
        } else {
            self.accounts.entries.push(booked);
        }
    }

    fn elsewhere(&self, unit: usize, lines: Lines) -> Elsewhere {
        let unit = &self.after.units[unit];
        Elsewhere {
            path: unit.view.path().to_owned(),
            function: unit.name().map(str::to_owned),
            line: unit.line(),
            clone_lines: lines.clone,
            verbose_lines: lines.verbose,
        }
    }

    /// Unchanged or changed code that also contains the new clone lines of a unit.
    fn copied(&self, unit: &Unit<'_>, is_same: bool) -> Option<Copied> {
        let (at, original, there) = self.blame.original(unit, is_same)?;
        let original = &self.after.units[original];
        let is_all = |unit: &Unit<'_>, place: &ClonePlace| {
            unit.callable.is_some()
                && place.first_row <= unit.first_row
                && unit.last_row <= place.last_row
        };
        Some(Copied {
            path: original.view.path().to_owned(),
            function: original.name().map(str::to_owned),
            line: there.first_row + 1,
            end_line: there.last_row + 1,
            lines: at.lines.min(there.lines),
            likeness: at.likeness(there),
            is_whole: is_all(unit, at) && is_all(original, there),
        })
    }

    /// Findings of dead code that are new after the change.
    fn new_dead_code(&self, from: &[&Unit<'_>], to: &[&Unit<'_>]) -> Vec<Finding> {
        let of = |side: &Side<'_>, unit: &Unit<'_>| -> Vec<Finding> {
            let own = side
                .units
                .iter()
                .position(|other| std::ptr::eq(other, unit));
            let dead = unit.view.dead_code().iter();
            dead.filter(|dead| side.unit_at(unit.file, dead.row) == own)
                .map(|dead| dead.finding.clone())
                .collect()
        };
        let mut had: Vec<(String, String)> = Vec::new();
        for unit in from {
            had.extend(
                of(self.before, unit)
                    .into_iter()
                    .map(|f| (f.rule, f.message)),
            );
        }
        let now = to.iter().flat_map(|unit| of(self.after, unit));
        now.filter(|finding| {
            let known = had
                .iter()
                .position(|(rule, message)| *rule == finding.rule && *message == finding.message);
            known.map(|at| had.swap_remove(at)).is_none()
        })
        .collect()
    }
}
