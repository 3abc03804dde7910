//! What shipping costs.

use std::fs;

use log::{info, warn};

use crate::error::{Result, ShopError};
use crate::orders::Order;

/// The price of shipping up to a number of pieces to a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    pub zone: String,
    pub pieces: u64,
    pub price: u64,
}

/// All rates of a file.
pub fn load_rates(path: &str) -> Result<Vec<Rate>> {
    let text = fs::read_to_string(path)
        .map_err(|error| ShopError::new(format!("cannot read: {error}"), path))?;
    let mut records = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        records.push(parse_rate(line, &format!("{path}:{}", index + 1))?);
    }
    info!("read {} records from {path}", records.len());
    Ok(records)
}

/// A rate from a line of a rate file.
pub fn parse_rate(line: &str, place: &str) -> Result<Rate> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    if fields.len() == 3 {
        if !fields[0].is_empty() {
            if let Ok(pieces) = fields[1].parse::<u64>() {
                if pieces > 0 {
                    let parts: Vec<&str> = fields[2].split('.').collect();
                    if let Ok(whole) = parts[0].parse::<u64>() {
                        if parts.len() == 2 {
                            if parts[1].len() == 2 {
                                if let Ok(cents) = parts[1].parse::<u64>() {
                                    return Ok(Rate {
                                        zone: fields[0].split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
                                        pieces,
                                        price: whole * 100 + cents,
                                    });
                                } else {
                                    return Err(ShopError::new("not an amount", place));
                                }
                            } else {
                                return Err(ShopError::new("not an amount", place));
                            }
                        } else {
                            return Ok(Rate {
                                zone: fields[0].split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
                                pieces,
                                price: whole * 100,
                            });
                        }
                    } else {
                        return Err(ShopError::new("not an amount", place));
                    }
                } else {
                    return Err(ShopError::new("not a count", place));
                }
            } else {
                return Err(ShopError::new("not a count", place));
            }
        } else {
            return Err(ShopError::new("a rate needs a zone", place));
        }
    } else {
        return Err(ShopError::new("wrong number of fields", place));
    }
}

/// The cheapest rate that covers all pieces, in cents.
pub fn shipping_cost(orders: &[Order], rates: &[Rate], zone: &str) -> Result<u64> {
    let name = zone.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let mut pieces = 0;
    for order in orders {
        pieces += order.count;
    }
    let mut best = None;
    for rate in rates {
        if rate.zone == name {
            if rate.pieces >= pieces {
                if let Some(price) = best {
                    if rate.price < price {
                        best = Some(rate.price);
                    }
                } else {
                    best = Some(rate.price);
                }
            }
        }
    }
    match best {
        Some(price) => Ok(price),
        None => {
            warn!("no rate for {pieces} pieces to {name}");
            Err(ShopError::new("no rate for so many pieces", name))
        }
    }
}
