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

/// The cheapest rate that covers all pieces, in cents.
pub fn shipping_cost(orders: &[Order], rates: &[Rate], zone: &str) -> Result<u64> {
    // Normalise the name of the zone.
    let name = normalise_name(zone);
    // Sum the pieces of the orders.
    let pieces: u64 = orders.iter().map(|order| order.count).sum();
    // Filter the rates.
    let fitting = rates
        .iter()
        .filter(|rate| rate.zone == name && rate.pieces >= pieces);
    fitting.map(|rate| rate.price).min().ok_or_else(|| {
        warn!("no rate for {pieces} pieces to {name}");
        ShopError::new("no rate for so many pieces", name.as_str())
    })
}
