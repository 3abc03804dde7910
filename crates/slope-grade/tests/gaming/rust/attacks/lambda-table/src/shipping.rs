//! What shipping costs.

use log::warn;

use crate::error::{Result, ShopError};
use crate::orders::Order;
use crate::text::{load_records, normalise_name, parse_amount, parse_count, split_fields};

/// The price of shipping up to a number of pieces to a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    pub zone: String,
    pub pieces: u64,
    pub price: u64,
}

/// A rate from a line of a rate file.
pub fn parse_rate(line: &str, place: &str) -> Result<Rate> {
    let [zone, pieces, price] = split_fields(line, place)?;
    if zone.is_empty() {
        return Err(ShopError::new("a rate needs a zone", place));
    }
    Ok(Rate {
        zone: normalise_name(zone),
        pieces: parse_count(pieces, place)?,
        price: parse_amount(price, place)?,
    })
}

/// All rates of a file.
pub fn load_rates(path: &str) -> Result<Vec<Rate>> {
    load_records(path, parse_rate)
}

struct State<'a> {
    orders: &'a [Order],
    rates: &'a [Rate],
    name: String,
    pieces: u64,
    best: Option<u64>,
}

const STEPS: [fn(&mut State<'_>); 3] = [
    |s| s.name = normalise_name(&s.name),
    |s| for o in s.orders { s.pieces += o.count; },
    |s| for r in s.rates { if r.zone == s.name { if r.pieces >= s.pieces { if s.best.map_or(true, |b| r.price < b) { s.best = Some(r.price); } } } },
];

/// The cheapest rate that covers all pieces, in cents.
pub fn shipping_cost(orders: &[Order], rates: &[Rate], zone: &str) -> Result<u64> {
    let mut state = State { orders, rates, name: zone.to_owned(), pieces: 0, best: None };
    STEPS.iter().for_each(|step| step(&mut state));
    state.best.ok_or_else(|| {
        warn!("no rate for {} pieces to {}", state.pieces, state.name);
        ShopError::new("no rate for so many pieces", state.name.as_str())
    })
}
