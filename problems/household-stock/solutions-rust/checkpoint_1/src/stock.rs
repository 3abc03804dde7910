//! The lots in the pantry and what may be done with them.

use std::collections::BTreeMap;

use crate::values::{parse_date, parse_quantity, parse_word, Quantity, Refused};

pub const DEFAULT_PLACE: &str = "shelf";

#[derive(Clone, Debug, PartialEq)]
pub struct Lot {
    pub name: String,
    pub quantity: Quantity,
    pub best_before: Option<String>,
    pub place: String,
}

impl Lot {
    /// A lot from the texts of a user; the order of the checks is part of the contract.
    pub fn parse(name: &str, quantity: &str, best_before: Option<&str>, place: Option<&str>) -> Result<Self, Refused> {
        Ok(Self {
            name: parse_word(name, "name")?,
            quantity: parse_quantity(quantity)?,
            best_before: best_before.map(parse_date).transpose()?,
            place: parse_word(place.unwrap_or(DEFAULT_PLACE), "place")?,
        })
    }

    pub fn describe(&self) -> String {
        let dated = self.best_before.as_ref().map(|date| format!(", best before {date}"));
        format!("{}: {}{}, {}", self.name, self.quantity.describe(), dated.unwrap_or_default(), self.place)
    }

    /// By name, then in taking order; sorting is stable, so equals stay as they were added.
    fn listing_order(&self) -> (&str, bool, Option<&str>) {
        (&self.name, self.best_before.is_none(), self.best_before.as_deref())
    }
}

impl Quantity {
    pub fn describe(&self) -> String {
        format!("{} {}", self.amount, self.unit)
    }
}

/// All lots, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stock {
    pub lots: Vec<Lot>,
}

impl Stock {
    pub fn ordered(&self) -> Vec<Lot> {
        let mut lots = self.lots.clone();
        lots.sort_by(|a, b| a.listing_order().cmp(&b.listing_order()));
        lots
    }

    /// The lots of a name in taking order; at least one.
    fn lots_of(&self, name: &str) -> Result<Vec<Lot>, Refused> {
        let mut lots = self.ordered();
        lots.retain(|lot| lot.name == name);
        if lots.is_empty() {
            return Err(format!("no {name} in stock"));
        }
        Ok(lots)
    }

    /// For each name in order: the sum of its lots.
    pub fn totals(&self) -> BTreeMap<String, Quantity> {
        let mut sums: BTreeMap<String, Quantity> = BTreeMap::new();
        for lot in &self.lots {
            let none = Quantity { amount: 0, unit: lot.quantity.unit.clone() };
            sums.entry(lot.name.clone()).or_insert(none).amount += lot.quantity.amount;
        }
        sums
    }

    fn require_unit(&self, name: &str, unit: &str) -> Result<(), Refused> {
        let kept = self.lots.iter().find(|lot| lot.name == name);
        match kept.map(|lot| &lot.quantity.unit) {
            Some(kept_in) if kept_in != unit => Err(format!("{name} is kept in {kept_in}")),
            _ => Ok(()),
        }
    }

    pub fn add(&mut self, lot: Lot) -> Result<(), Refused> {
        self.require_unit(&lot.name, &lot.quantity.unit)?;
        self.lots.push(lot);
        Ok(())
    }

    pub fn take(&mut self, name: &str, wanted: &Quantity) -> Result<(), Refused> {
        let lots = self.lots_of(name)?;
        self.require_unit(name, &wanted.unit)?;
        let available: u64 = lots.iter().map(|lot| lot.quantity.amount).sum();
        if available < wanted.amount {
            return Err(format!("only {available} {} of {name} left", wanted.unit));
        }
        let mut missing = wanted.amount;
        for lot in &lots {
            let used = missing.min(lot.quantity.amount);
            self.shrink(lot, used);
            missing -= used;
        }
        Ok(())
    }

    fn shrink(&mut self, lot: &Lot, used: u64) {
        if let Some(position) = self.lots.iter().position(|other| other == lot) {
            self.lots[position].quantity.amount -= used;
            if self.lots[position].quantity.amount == 0 {
                self.lots.remove(position);
            }
        }
    }
}
