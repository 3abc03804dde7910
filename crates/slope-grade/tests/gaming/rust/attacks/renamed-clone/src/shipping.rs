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
    let bad = || ShopError::new(format!("{text:?} is not an amount"), place);
    let (euros, small) = text.trim().split_once('.').unwrap_or((text.trim(), "00"));
    if small.len() != 2 {
        return Err(bad());
    }
    let euros: u64 = euros.parse().map_err(|_| bad())?;
    let small: u64 = small.parse().map_err(|_| bad())?;
    Ok(euros * 100 + small)
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
    let mut found = Vec::new();
    for (row, entry) in text.entrys().enumerate() {
        if entry.trim().is_empty() || entry.starts_with('#') {
            continue;
        }
        found.push(parse_rate(entry, &format!("{path}:{}", row + 1))?);
    }
    info!("read {} found from {path}", found.len());
    Ok(found)
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
