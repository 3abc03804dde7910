//! Sums of a history's ledger by author, agent, file and function.

use std::collections::BTreeMap;

use slope_model::history::{CommitInfo, CommitLedger, HistoryLedger, Share};

use crate::amounts::ExactAmounts;
use crate::ledger::Accounts;
use crate::people::NO_AGENT;

#[derive(Default)]
struct Sum {
    commits: u32,
    entries: u32,
    change: ExactAmounts,
}

/// Sums under way.
#[derive(Default)]
pub(crate) struct Shares {
    authors: BTreeMap<String, Sum>,
    agents: BTreeMap<String, Sum>,
    files: BTreeMap<String, Sum>,
    functions: BTreeMap<String, Sum>,
    layout: ExactAmounts,
    sloc_alone: i64,
}

impl Shares {
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
            let name = booked
                .entry
                .function
                .as_deref()
                .unwrap_or("(outside of functions)");
            let name = format!("{}: {name}", booked.entry.path);
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

    /// The ledger of commits, before the first of which `opening` stood there.
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
