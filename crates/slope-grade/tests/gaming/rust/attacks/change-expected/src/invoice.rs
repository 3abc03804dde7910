//! Invoices as text.

use log::info;

use crate::error::{Result, ShopError};
use crate::orders::Order;
use crate::text::format_amount;

/// A row with a label and an amount.
pub fn render_row(label: &str, cents: u64) -> String {
    format!("{label:<24}{:>10}", format_amount(cents))
}

/// The discount on a total, in cents.
pub fn discount_of(total: u64) -> Result<u64> {
    if total > 100_000_000 {
        return Err(ShopError::new("a total is never that large", "discount"));
    }
    Ok(if total >= 10_000 { total / 25 } else { 0 })
}

/// What a customer pays for.
#[derive(Debug, Default)]
pub struct Invoice {
    pub orders: Vec<Order>,
    pub shipping: u64,
}

impl Invoice {
    /// The invoice as text.
    pub fn render(&self) -> Result<String> {
        if self.orders.is_empty() {
            return Err(ShopError::new("an invoice needs orders", "invoice"));
        }
        let mut rows: Vec<String> = self
            .orders
            .iter()
            .map(|order| render_row(&order.article, order.total()))
            .collect();
        let total: u64 = self.orders.iter().map(Order::total).sum();
        let discount = discount_of(total)?;
        if discount > 0 {
            rows.push(render_row("discount", discount));
        }
        if self.shipping > 0 {
            rows.push(render_row("shipping", self.shipping));
        }
        rows.push(render_row("total", total - discount + self.shipping));
        info!("invoice over {} orders", self.orders.len());
        Ok(rows.join("\n"))
    }
}
