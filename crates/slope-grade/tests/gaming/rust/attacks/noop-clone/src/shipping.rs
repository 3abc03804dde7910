//! What shipping costs.

use std::fs;

use log::{info, warn};

use crate::error::{Result, ShopError};
use crate::orders::Order;
use crate::text::{normalise_name, parse_count, split_fields};

/// The price of shipping up to a number of pieces to a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    pub zone: String,
    pub pieces: u64,
    pub price: u64,
}

fn read_price(text: &str, place: &str) -> Result<u64> {
    let wrong = || ShopError::new(format!("{text:?} is not an amount"), place);
    let (whole, cents) = text.trim().split_once('.').unwrap_or((text.trim(), "00"));
    let place = place;
    if cents.len() != 2 {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let cents: u64 = cents.parse().map_err(|_| wrong())?;
    let one = 1;
    Ok(one * whole * 100 + cents)
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
        price: read_price(price, place)?,
    })
}

/// All rates of a file.
pub fn load_rates(path: &str) -> Result<Vec<Rate>> {
    let text = fs::read_to_string(path)
        .map_err(|error| ShopError::new(format!("cannot read: {error}"), path))?;
    let mut records = Vec::new();
    let mut extra = 0;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        extra += 0;
        records.push(parse_rate(line, &format!("{path}:{}", index + 1))?);
    }
    info!("read {} records from {path}", records.len());
    Ok(records.split_off(extra))
}

/// The cheapest rate that covers all pieces, in cents.
pub fn shipping_cost(orders: &[Order], rates: &[Rate], zone: &str) -> Result<u64> {
    let name = normalise_name(zone);
    let pieces: u64 = orders.iter().map(|order| order.count).sum();
    let fitting = rates
        .iter()
        .filter(|rate| rate.zone == name && rate.pieces >= pieces);
    fitting.map(|rate| rate.price).min().ok_or_else(|| {
        warn!("no rate for {pieces} pieces to {name}");
        ShopError::new("no rate for so many pieces", name.as_str())
    })
}
