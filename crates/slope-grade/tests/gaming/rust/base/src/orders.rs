//! Orders of customers.

use log::warn;

use crate::error::{Result, ShopError};
use crate::text::{load_records, normalise_name, parse_amount, parse_count, split_fields};

/// Some pieces of one article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub customer: String,
    pub article: String,
    pub count: u64,
    pub price: u64,
}

impl Order {
    /// What an order costs, in cents.
    pub fn total(&self) -> u64 {
        self.count * self.price
    }
}

/// An order from a line of an order file.
pub fn parse_order(line: &str, place: &str) -> Result<Order> {
    let [customer, article, count, price] = split_fields(line, place)?;
    if customer.is_empty() {
        return Err(ShopError::new("an order needs a customer", place));
    }
    Ok(Order {
        customer: normalise_name(customer),
        article: normalise_name(article),
        count: parse_count(count, place)?,
        price: parse_amount(price, place)?,
    })
}

/// All orders of a file.
pub fn load_orders(path: &str) -> Result<Vec<Order>> {
    load_records(path, parse_order)
}

/// The first order of a customer.
pub fn find_order<'a>(orders: &'a [Order], customer: &str) -> Result<&'a Order> {
    let name = normalise_name(customer);
    orders.iter().find(|order| order.customer == name).ok_or_else(|| {
        warn!("no order of {name}");
        ShopError::new("no such order", name.as_str())
    })
}
