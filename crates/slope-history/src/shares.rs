//! Sums of a history's ledger by author, agent, file and function.

use std::collections::{BTreeMap, HashSet};

use slope_change::ExactAmounts;
use slope_change::ledger::{Accounts, Followed, UnitAt};
use slope_measure::{FileView, Step};
use slope_model::history::{CommitInfo, CommitLedger, HistoryLedger, Share};

use crate::people::NO_AGENT;

#[derive(Default)]
struct Sum {
    commits: u32,
    entries: u32,
    change: ExactAmounts,
}

/// Sums being computed.
#[derive(Default)]
pub(crate) struct Shares {
    authors: BTreeMap<String, Sum>,
    agents: BTreeMap<String, Sum>,
    files: BTreeMap<String, Sum>,
    functions: BTreeMap<String, Sum>,
    layout: ExactAmounts,
    sloc_alone: i64,
}

/// A name before a commit and its name after it.
type Renamed = Vec<(String, String)>;

impl Shares {
    /// Moves the sums of files and functions to the names that they have after a commit.
    pub(crate) fn follow(&mut self, step: &Step, followed: &[Followed]) {
        let (files, functions) = renamed(step, followed);
        rename(&mut self.files, files);
        rename(&mut self.functions, functions);
    }

    /// Adds the entries of a commit.
    pub(crate) fn add(&mut self, commit: &CommitInfo, accounts: &Accounts) {
        self.layout += accounts.layout_sum();
        self.sloc_alone += accounts.sloc_alone();
        if accounts.entries.is_empty() {
            return;
        }
        let entries = u32::try_from(accounts.entries.len()).unwrap_or(u32::MAX);
        let change = accounts.entries.iter().map(|booked| booked.change).sum();
        let author = format!("{} <{}>", commit.author, commit.email);
        add(&mut self.authors, author, entries, change);
        // Agents that wrote a commit together share its sum, which is entered once.
        let agents = match commit.agents.is_empty() {
            true => NO_AGENT.to_owned(),
            false => commit.agents.join("+"),
        };
        add(&mut self.agents, agents, entries, change);
        let mut files: BTreeMap<&str, (u32, ExactAmounts)> = BTreeMap::new();
        let mut functions: BTreeMap<String, (u32, ExactAmounts)> = BTreeMap::new();
        for booked in &accounts.entries {
            let file = files.entry(&booked.entry.path).or_default();
            (file.0, file.1) = (file.0 + 1, file.1 + booked.change);
            let name = name(&booked.entry.path, booked.entry.function.as_deref());
            let function = functions.entry(name).or_default();
            (function.0, function.1) = (function.0 + 1, function.1 + booked.change);
        }
        for (path, (entries, change)) in files {
            add(&mut self.files, path.to_owned(), entries, change);
        }
        for (name, (entries, change)) in functions {
            add(&mut self.functions, name, entries, change);
        }
    }

    /// The ledger of commits, with `opening` there before the first.
    pub(crate) fn into_ledger(
        self,
        commits: Vec<CommitLedger>,
        opening: ExactAmounts,
    ) -> HistoryLedger {
        HistoryLedger {
            opening: opening.rounded(),
            commits,
            authors: list(self.authors),
            agents: list(self.agents),
            files: list(self.files),
            functions: list(self.functions),
            layout: self.layout.rounded(),
            sloc_alone: self.sloc_alone,
        }
    }
}

/// A function, or the code outside functions in a file, by name.
fn name(path: &str, function: Option<&str>) -> String {
    format!("{path}: {}", function.unwrap_or("(outside of functions)"))
}

fn name_of(view: &FileView, callable: Option<usize>) -> String {
    let callable = callable.and_then(|index| view.callables().get(index));
    name(view.path(), callable.map(|callable| callable.name.as_str()))
}

/// The files and functions that were renamed in a step. A name that still exists, for another item
/// or one of several, keeps its sum.
fn renamed(step: &Step, followed: &[Followed]) -> (Renamed, Renamed) {
    let views = || step.files.iter().filter_map(|file| file.after.as_ref());
    let paths: HashSet<&str> = views().map(FileView::path).collect();
    let names: HashSet<String> = views()
        .flat_map(|view| {
            let callables = (0..view.callables().len()).map(Some);
            std::iter::once(None)
                .chain(callables)
                .map(|callable| name_of(view, callable))
        })
        .collect();
    let (mut files, mut functions) = (Vec::new(), Vec::new());
    for group in followed {
        let Some((to, new)) = group.to.first().and_then(|to| {
            let view = step.files.get(to.file)?.after.as_ref()?;
            Some((to, view))
        }) else {
            continue;
        };
        let olds = group.from.iter().filter_map(|from: &UnitAt| {
            let view = step.files.get(from.file)?.before.as_ref()?;
            Some((from, view))
        });
        for (from, old) in olds {
            let is_file = from.callable.is_none() && to.callable.is_none();
            if is_file && !paths.contains(old.path()) {
                files.push((old.path().to_owned(), new.path().to_owned()));
            }
            let old = name_of(old, from.callable);
            if !names.contains(&old) {
                functions.push((old, name_of(new, to.callable)));
            }
        }
    }
    (files, functions)
}

fn rename(sums: &mut BTreeMap<String, Sum>, renamed: Renamed) {
    // All are removed first, since one may get the old name of another.
    let taken: Vec<(String, Sum)> = renamed
        .into_iter()
        .filter_map(|(old, new)| Some((new, sums.remove(&old)?)))
        .collect();
    for (name, of) in taken {
        let sum = sums.entry(name).or_default();
        sum.commits += of.commits;
        sum.entries += of.entries;
        sum.change += of.change;
    }
}

fn add(sums: &mut BTreeMap<String, Sum>, name: String, entries: u32, change: ExactAmounts) {
    let sum = sums.entry(name).or_default();
    sum.commits += 1;
    sum.entries += entries;
    sum.change += change;
}

/// The sums, largest mass first, then by name.
fn list(sums: BTreeMap<String, Sum>) -> Vec<Share> {
    let mut sums: Vec<(String, Sum)> = sums.into_iter().collect();
    sums.sort_by(|a, b| {
        b.1.change
            .mass
            .cmp(&a.1.change.mass)
            .then_with(|| a.0.cmp(&b.0))
    });
    let share = |(name, sum): (String, Sum)| Share {
        name,
        commits: sum.commits,
        entries: sum.entries,
        change: sum.change.rounded(),
    };
    sums.into_iter().map(share).collect()
}
