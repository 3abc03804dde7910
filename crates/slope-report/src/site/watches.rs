//! Watches: a list of all, and rows for the first page.

use minijinja::{Value, context};
use slope_model::plural;
use slope_model::watch_card::{OpenAlarm, WatchCard};

use super::address::watch_address;
use crate::format::{age, clean};
use crate::watch::{acknowledged, tone};

/// Days after which the last day of a watch is old: it runs every day.
const STALE_DAYS: u32 = 2;

/// A watch in a list.
#[derive(Debug, Clone)]
pub struct WatchLine {
    /// The project.
    pub project: String,
    /// Name of the watch.
    pub watch: String,
    /// Number of days.
    pub days: u64,
    /// Days since the last day with results.
    pub age_days: u32,
    /// Its state and open alarms.
    pub card: WatchCard,
}

/// All watches.
#[derive(Debug, Clone)]
pub struct WatchesPage {
    /// The watches.
    pub watches: Vec<WatchLine>,
    /// Whether there are more than these.
    pub has_more: bool,
}

impl WatchesPage {
    pub(super) fn value(&self) -> Value {
        let mut lines = Vec::from_iter(&self.watches);
        lines.sort_by_key(|line| (!line.card.needs_attention(), line.card.open.is_empty()));
        context! {
            lines => lines.into_iter().map(WatchLine::value).collect::<Vec<_>>(),
            has_more => self.has_more,
        }
    }
}

impl WatchLine {
    fn is_acknowledged(&self) -> bool {
        !self.card.open.is_empty() && !self.card.needs_attention()
    }

    /// A row of the list of watches.
    fn value(&self) -> Value {
        let card = &self.card;
        let agents = card.arms.iter().map(|arm| clean(&arm.title()));
        context! {
            address => watch_address(&self.project, &self.watch),
            watch => clean(&self.watch),
            project => clean(&self.project),
            state => card.state.name(),
            tone => tone(card.state),
            is_acknowledged => self.is_acknowledged(),
            sentence => clean(&card.sentence),
            agents => agents.collect::<Vec<_>>().join(", "),
            days => self.days,
            simulated => card.simulated,
            last => card.date.as_deref().map(clean),
            age => age(self.age_days),
            is_stale => is_stale(self.age_days),
        }
    }

    /// A row of the first page, for a watch with an open alarm.
    pub(super) fn row(&self) -> Option<Value> {
        let is_known = |alarm: &&OpenAlarm| alarm.acknowledged.is_some();
        let new = self.card.open.iter().find(|alarm| !is_known(alarm));
        let alarm = new.or_else(|| self.card.open.first())?;
        let more = self.card.open.len() - 1;
        let address = watch_address(&self.project, &self.watch);
        let agents = self.card.arms.iter().map(|arm| clean(&arm.title()));
        Some(context! {
            address => format!("{address}#alarm-{}", clean(&alarm.id)),
            watch => clean(&self.watch),
            project => clean(&self.project),
            state => if alarm.is_confirmed { "confirmed" } else { "suspected" },
            sentence => clean(&alarm.sentence),
            agents => agents.collect::<Vec<_>>().join(", "),
            raised => clean(&alarm.raised),
            acknowledged => alarm.acknowledged.as_ref().map(acknowledged),
            more => (more > 0).then(|| plural(more as u64, "more alarm")),
            simulated => self.card.simulated,
        })
    }
}

/// Whether the last day of a watch is so old that its state is not known.
pub(super) fn is_stale(age_days: u32) -> bool {
    age_days > STALE_DAYS
}
