//! Accounts: the spending of an attempt, a trial and a run, and their caps.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use slope_model::usage::{Tokens, Usage};

use crate::config::Caps;

/// Responses without usage after which a cap on tokens or dollars counts as reached, since it can
/// no longer be enforced.
pub(crate) const MAX_UNREPORTED: u64 = 3;

/// Scope of a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapScope {
    /// One attempt.
    Attempt,
    /// All attempts of a trial.
    Trial,
    /// All trials of a run.
    Run,
}

/// Unit of a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapKind {
    /// Tokens of all kinds.
    Tokens,
    /// US dollars.
    Cost,
    /// Requests that reached the model.
    Requests,
    /// Seconds.
    Wall,
}

/// A cap that was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapHit {
    /// Whose cap.
    pub scope: CapScope,
    /// Its unit.
    pub kind: CapKind,
    /// The sentence for the agent.
    pub message: String,
}

impl fmt::Display for CapHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Usage of a trial or a run so far, by its account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Books {
    /// Tokens of all kinds.
    pub tokens: u64,
    /// Requests that reached the model.
    pub requests: u64,
    /// US dollars; `None` if a price is unknown.
    pub cost_usd: Option<f64>,
}

/// The moment at which a cap in seconds ends an attempt's requests.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    pub(crate) hit: CapHit,
}

/// The sum spent, and its cap.
#[derive(Debug)]
pub(crate) struct Account {
    scope: CapScope,
    caps: Caps,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    tokens: u64,
    cost_usd: f64,
    requests: u64,
    in_flight: u64,
    /// Responses without usage.
    unreported: u64,
    /// Responses without a price.
    unpriced: u64,
    /// Time of attempts that have ended.
    wall: Duration,
}

impl Account {
    pub(crate) fn new(scope: CapScope, caps: Caps) -> Self {
        Self {
            scope,
            caps,
            spent: Mutex::default(),
        }
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether dollars are capped.
    pub(crate) fn caps_cost(&self) -> Option<f64> {
        self.caps.cost_usd
    }

    /// Usage so far.
    pub(crate) fn books(&self) -> Books {
        let spent = self.spent();
        Books {
            tokens: spent.tokens,
            requests: spent.requests,
            cost_usd: (spent.unpriced == 0).then_some(spent.cost_usd),
        }
    }

    /// Time at which an attempt that began at `since` reaches the cap in seconds, if no other
    /// attempt ends first.
    fn deadline(&self, since: Instant) -> Option<Deadline> {
        let cap = self.caps.wall_s?;
        let left = Duration::from_secs(cap).saturating_sub(self.spent().wall);
        Some(Deadline {
            at: since.checked_add(left)?,
            hit: self.hit(CapKind::Wall, &format!("cap of {cap} seconds reached")),
        })
    }

    /// A cap of this account that was reached.
    fn hit(&self, kind: CapKind, what: &str) -> CapHit {
        let whose = match self.scope {
            CapScope::Attempt => "",
            CapScope::Trial => "the trial's ",
            CapScope::Run => "the run's ",
        };
        CapHit {
            scope: self.scope,
            kind,
            message: format!("{whose}{what}"),
        }
    }

    /// Admits a request, unless a cap is reached. `elapsed` is the time of running attempts.
    fn admit(&self, elapsed: Duration) -> Result<(), CapHit> {
        let mut spent = self.spent();
        if let Some((kind, what)) = self.reached(&spent, elapsed) {
            return Err(self.hit(kind, &what));
        }
        spent.in_flight += 1;
        Ok(())
    }

    fn reached(&self, spent: &Spent, elapsed: Duration) -> Option<(CapKind, String)> {
        let caps = &self.caps;
        let asked = spent.requests + spent.in_flight;
        let requests = caps.requests.filter(|&cap| asked >= cap);
        let requests = requests.map(|cap| format!("cap of {cap} requests reached"));
        let used = spent.tokens;
        let tokens = caps.tokens.filter(|&cap| used >= cap);
        let tokens = tokens.map(|cap| format!("cap of {cap} tokens reached: {used} used"));
        let used = spent.cost_usd;
        let cost = caps.cost_usd.filter(|&cap| used >= cap);
        let cost = cost.map(|cap| format!("cap of {cap} USD reached: {used:.6} used"));
        let seconds = (spent.wall + elapsed).as_secs();
        let wall = caps.wall_s.filter(|&cap| seconds >= cap);
        let wall = wall.map(|cap| format!("cap of {cap} seconds reached"));
        let each = [
            (CapKind::Requests, requests),
            (CapKind::Tokens, tokens),
            (CapKind::Cost, cost),
            (CapKind::Wall, wall),
        ];
        let first = each
            .into_iter()
            .find_map(|(kind, what)| Some((kind, what?)));
        first.or_else(|| self.lost(spent))
    }

    /// A cap that can no longer be enforced, since its count is unknown.
    fn lost(&self, spent: &Spent) -> Option<(CapKind, String)> {
        if let Some(cap) = self.caps.cost_usd
            && spent.unpriced > 0
        {
            let count = spent.unpriced;
            let what = format!(
                "cap of {cap} USD cannot be kept: the cost of {count} responses is not known"
            );
            return Some((CapKind::Cost, what));
        }
        let kind = match (self.caps.tokens, self.caps.cost_usd) {
            (Some(_), _) => CapKind::Tokens,
            (None, Some(_)) => CapKind::Cost,
            (None, None) => return None,
        };
        (spent.unreported >= MAX_UNREPORTED).then(|| {
            let count = spent.unreported;
            let what =
                format!("cap cannot be kept: the upstream reported no usage for {count} responses");
            (kind, what)
        })
    }

    /// Books a request that was taken up.
    fn settle(&self, entry: &Entry) {
        let mut spent = self.spent();
        spent.in_flight = spent.in_flight.saturating_sub(1);
        spent.requests += u64::from(entry.reached);
        spent.unreported += u64::from(entry.reached && !entry.complete);
        if let Some(tokens) = entry.tokens {
            spent.tokens = spent.tokens.saturating_add(total(&tokens));
            match entry.cost_usd {
                Some(cost) => spent.cost_usd += cost,
                None => spent.unpriced += 1,
            }
        }
    }

    /// Books earlier spending.
    pub(crate) fn book(&self, usage: &Usage, wall: Duration) {
        let mut spent = self.spent();
        spent.tokens = spent.tokens.saturating_add(total(&usage.tokens));
        spent.requests += usage.requests;
        spent.unreported += usage.unreported;
        spent.wall += wall;
        match usage.cost_usd {
            Some(cost) => spent.cost_usd += cost,
            None => spent.unpriced += u64::from(total(&usage.tokens) > 0),
        }
    }

    /// Books time that has passed.
    pub(crate) fn book_wall(&self, wall: Duration) {
        self.spent().wall += wall;
    }
}

/// Tokens of all kinds; reasoning is part of the output.
fn total(tokens: &Tokens) -> u64 {
    [tokens.input, tokens.cache_read, tokens.cache_write]
        .into_iter()
        .fold(tokens.output, u64::saturating_add)
}

/// A request's part in the accounts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry {
    pub(crate) reached: bool,
    pub(crate) complete: bool,
    pub(crate) tokens: Option<Tokens>,
    pub(crate) cost_usd: Option<f64>,
}

/// The accounts of a run and of its trials.
#[derive(Debug)]
pub(crate) struct Ledger {
    run: Arc<Account>,
    trial_caps: Caps,
    trials: Mutex<BTreeMap<String, Arc<Account>>>,
    begun: Instant,
}

impl Ledger {
    pub(crate) fn new(trial_caps: Caps, run_caps: Caps) -> Self {
        Self {
            run: Arc::new(Account::new(CapScope::Run, run_caps)),
            trial_caps,
            trials: Mutex::default(),
            begun: Instant::now(),
        }
    }

    /// The run's account.
    pub(crate) fn run(&self) -> &Account {
        &self.run
    }

    /// A trial's account.
    pub(crate) fn trial(&self, name: &str) -> Arc<Account> {
        let mut trials = self.trials.lock().unwrap_or_else(PoisonError::into_inner);
        trials
            .entry(name.to_owned())
            .or_insert_with(|| Arc::new(Account::new(CapScope::Trial, self.trial_caps)))
            .clone()
    }

    /// The cap of the run that is reached; `None` if there is none.
    pub(crate) fn run_exhausted(&self) -> Option<CapHit> {
        let spent = self.run.spent();
        let (kind, what) = self.run.reached(&spent, self.begun.elapsed())?;
        Some(self.run.hit(kind, &what))
    }

    /// The accounts that limit an attempt's requests.
    pub(crate) fn open(&self, trial: &str, caps: Caps) -> Accounts {
        let now = Instant::now();
        Accounts {
            held: [
                (Arc::new(Account::new(CapScope::Attempt, caps)), now),
                (self.trial(trial), now),
                (self.run.clone(), self.begun),
            ],
            closed: Mutex::new(false),
        }
    }
}

/// The accounts that limit an attempt's requests, each with the start of the time that is not
/// booked yet.
#[derive(Debug)]
pub(crate) struct Accounts {
    held: [(Arc<Account>, Instant); 3],
    closed: Mutex<bool>,
}

impl Accounts {
    /// The lowest cap in dollars.
    pub(crate) fn cost_cap(&self) -> Option<(CapScope, f64)> {
        let caps = self.held.iter();
        caps.filter_map(|(account, _)| Some((account.scope, account.caps_cost()?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The first cap in seconds that will end requests.
    pub(crate) fn deadline(&self) -> Option<Deadline> {
        let each = self.held.iter();
        each.filter_map(|(account, since)| account.deadline(*since))
            .min_by_key(|deadline| deadline.at)
    }

    /// Admits a request in all accounts, or in none.
    pub(crate) fn admit(&self) -> Result<(), CapHit> {
        for (at, (account, since)) in self.held.iter().enumerate() {
            if let Err(hit) = account.admit(since.elapsed()) {
                for (earlier, _) in &self.held[..at] {
                    earlier.settle(&Entry::default());
                }
                return Err(hit);
            }
        }
        Ok(())
    }

    /// Books a request that was taken up.
    pub(crate) fn settle(&self, entry: &Entry) {
        for (account, _) in &self.held {
            account.settle(entry);
        }
    }

    /// Ends the attempt and books its time on the trial. Only the first call counts.
    pub(crate) fn close(&self) {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *closed, true) {
            let (trial, since) = &self.held[1];
            trial.book_wall(since.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USED: Entry = Entry {
        reached: true,
        complete: true,
        tokens: Some(Tokens {
            input: 60,
            cache_read: 0,
            cache_write: 0,
            cache_write_1h: 0,
            output: 40,
            reasoning: 10,
        }),
        cost_usd: Some(0.5),
    };

    fn spend(accounts: &Accounts, entry: Entry) -> Result<(), CapHit> {
        accounts.admit()?;
        accounts.settle(&entry);
        Ok(())
    }

    #[test]
    fn every_cap_applies_at_each_scope() {
        let none = Caps::default();
        for (kind, caps) in [
            (
                CapKind::Tokens,
                Caps {
                    tokens: Some(200),
                    ..none
                },
            ),
            (
                CapKind::Cost,
                Caps {
                    cost_usd: Some(1.0),
                    ..none
                },
            ),
            (
                CapKind::Requests,
                Caps {
                    requests: Some(2),
                    ..none
                },
            ),
        ] {
            for (scope, [attempt, trial, run]) in [
                (CapScope::Attempt, [caps, none, none]),
                (CapScope::Trial, [none, caps, none]),
                (CapScope::Run, [none, none, caps]),
            ] {
                let ledger = Ledger::new(trial, run);
                let one = ledger.open("a", attempt);
                spend(&one, USED).unwrap();
                // A second attempt of the same trial, or of another trial to test the run's cap.
                let name = if scope == CapScope::Run { "b" } else { "a" };
                let two = ledger.open(name, attempt);
                let last = if scope == CapScope::Attempt {
                    &one
                } else {
                    &two
                };
                assert!(ledger.run_exhausted().is_none());
                spend(last, USED).unwrap();
                let hit = spend(last, USED).unwrap_err();
                assert_eq!((hit.scope, hit.kind), (scope, kind), "{hit}");
                // Attempts without a cap continue.
                let other = ledger.open("c", none);
                assert_eq!(spend(&other, USED).is_err(), scope == CapScope::Run);
                assert_eq!(ledger.run_exhausted().is_some(), scope == CapScope::Run);
            }
        }
    }

    #[test]
    fn ended_attempts_count_towards_trial_time() {
        let caps = Caps {
            wall_s: Some(100),
            ..Caps::default()
        };
        let ledger = Ledger::new(caps, Caps::default());
        let trial = ledger.trial("a");
        trial.book(&Usage::default(), Duration::from_secs(99));
        let accounts = ledger.open("a", Caps::default());
        assert!(spend(&accounts, USED).is_ok());
        trial.book_wall(Duration::from_secs(1));
        let hit = spend(&accounts, USED).unwrap_err();
        assert_eq!((hit.scope, hit.kind), (CapScope::Trial, CapKind::Wall));
        assert!(hit.message.contains("the trial's cap of 100 seconds"));
        assert!(spend(&ledger.open("b", Caps::default()), USED).is_ok());
    }

    #[test]
    fn refused_request_uses_no_cap() {
        let two = Caps {
            requests: Some(2),
            ..Caps::default()
        };
        let one = Caps {
            requests: Some(1),
            ..Caps::default()
        };
        let ledger = Ledger::new(two, one);
        let accounts = ledger.open("a", Caps::default());
        accounts.admit().unwrap();
        for _ in 0..5 {
            assert_eq!(accounts.admit().unwrap_err().scope, CapScope::Run);
        }
        // The request in flight failed, so that the cap allows another.
        accounts.settle(&Entry::default());
        assert!(accounts.admit().is_ok());
    }

    #[test]
    fn uncountable_use_ends_its_cap() {
        let caps = Caps {
            cost_usd: Some(10.0),
            ..Caps::default()
        };
        let ledger = Ledger::new(Caps::default(), Caps::default());
        let accounts = ledger.open("a", caps);
        spend(
            &accounts,
            Entry {
                cost_usd: None,
                ..USED
            },
        )
        .unwrap();
        assert_eq!(spend(&accounts, USED).unwrap_err().kind, CapKind::Cost);
        let accounts = ledger.open("b", caps);
        for _ in 0..MAX_UNREPORTED {
            let unreported = Entry {
                reached: true,
                ..Entry::default()
            };
            spend(&accounts, unreported).unwrap();
        }
        assert!(
            spend(&accounts, USED)
                .unwrap_err()
                .message
                .contains("cannot be kept")
        );
    }
}
