//! Incidents that vendors explained in public, as far as a suite of separate tasks can see them.

use slope_model::watch::Role;
use slope_watch::Layer;

use super::replay::{Change, USUAL};

/// An incident.
pub(super) struct Incident {
    pub(super) name: &'static str,
    /// Days that it lasts.
    pub(super) days: usize,
    change: Change,
    /// Whether the service causes it, which the pinned arm uses, too.
    is_of_service: bool,
    /// The layer to find; `None` if this suite cannot see it.
    pub(super) layer: Option<Layer>,
    /// Days within which it must be found in nine of ten replays; `None` for no promise.
    pub(super) within: Option<usize>,
    /// Whether each change of slope's sources replays it.
    pub(super) is_short: bool,
}

impl Incident {
    /// How an arm behaves, during the incident or before and after it.
    pub(super) fn change(&self, role: Role, is_on: bool) -> Change {
        let concerns = match role {
            Role::Target => true,
            Role::Pinned => self.is_of_service,
            _ => false,
        };
        if is_on && concerns {
            self.change
        } else {
            USUAL
        }
    }
}

/// Mean pass rate of the replays, to turn points into shares of right answers.
const RATE: f64 = 0.58;

const NONE: Incident = Incident {
    name: "",
    days: 45,
    change: USUAL,
    is_of_service: false,
    layer: None,
    within: None,
    is_short: false,
};

pub(super) const INCIDENTS: [Incident; 9] = [
    Incident {
        name: "misrouting, 0.8 % of requests",
        // Half of what is misrouted goes wrong.
        change: Change {
            spoiled: 0.008 / 2.0,
            ..USUAL
        },
        is_of_service: true,
        ..NONE
    },
    Incident {
        name: "misrouting, 16 % of requests",
        change: Change {
            spoiled: 0.16 / 2.0,
            ..USUAL
        },
        is_of_service: true,
        layer: Some(Layer::Model),
        ..NONE
    },
    Incident {
        name: "misrouting, account stuck",
        change: Change {
            spoiled: 0.5,
            ..USUAL
        },
        is_of_service: true,
        layer: Some(Layer::Model),
        within: Some(4),
        ..NONE
    },
    Incident {
        name: "corrupted characters",
        days: 9,
        change: Change {
            stray: 0.02,
            ..USUAL
        },
        is_of_service: true,
        layer: Some(Layer::Model),
        ..NONE
    },
    Incident {
        name: "approximate top-k",
        days: 12,
        change: Change {
            spoiled: 0.01 / RATE,
            ..USUAL
        },
        is_of_service: true,
        ..NONE
    },
    Incident {
        name: "slow tools",
        change: Change {
            style: "slow",
            ..USUAL
        },
        layer: Some(Layer::Harness),
        within: Some(2),
        ..NONE
    },
    Incident {
        name: "effort high to medium",
        days: 34,
        change: Change {
            style: "medium",
            spoiled: 0.04 / RATE,
            ..USUAL
        },
        layer: Some(Layer::Settings),
        within: Some(2),
        is_short: true,
        ..NONE
    },
    Incident {
        name: "thinking cleared after idle",
        days: 15,
        ..NONE
    },
    Incident {
        name: "at most 25 words",
        days: 4,
        change: Change {
            style: "terse",
            spoiled: 0.03 / RATE,
            ..USUAL
        },
        layer: Some(Layer::Settings),
        within: Some(4),
        ..NONE
    },
];
