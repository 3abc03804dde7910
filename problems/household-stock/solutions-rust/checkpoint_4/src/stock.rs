//! The lots in the pantry, the rules for them, and what may be done with both.

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

fn require_unit(name: &str, kept_in: Option<&str>, unit: Option<&str>) -> Result<(), Refused> {
    match (kept_in, unit) {
        (Some(kept_in), Some(unit)) if kept_in != unit => Err(format!("{name} is kept in {kept_in}")),
        _ => Ok(()),
    }
}

/// All lots in the order in which they were added, aliases, and minimums.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stock {
    pub lots: Vec<Lot>,
    pub aliases: BTreeMap<String, String>,
    pub minimums: BTreeMap<String, Quantity>,
}

impl Stock {
    pub fn resolve(&self, name: String) -> String {
        self.aliases.get(&name).cloned().unwrap_or(name)
    }

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

    fn unit_in_stock(&self, name: &str) -> Option<&str> {
        let lot = self.lots.iter().find(|lot| lot.name == name)?;
        Some(&lot.quantity.unit)
    }

    /// The unit of a name's lots, else of its minimum.
    fn unit_of(&self, name: &str) -> Option<&str> {
        let minimum = || self.minimums.get(name).map(|minimum| minimum.unit.as_str());
        self.unit_in_stock(name).or_else(minimum)
    }

    /// Adds a lot under the name that its own stands for; gives the lot as it was added.
    pub fn add(&mut self, mut lot: Lot) -> Result<Lot, Refused> {
        lot.name = self.resolve(lot.name);
        require_unit(&lot.name, self.unit_of(&lot.name), Some(&lot.quantity.unit))?;
        self.lots.push(lot.clone());
        Ok(lot)
    }

    pub fn take(&mut self, name: &str, wanted: &Quantity) -> Result<(), Refused> {
        let lots = self.lots_of(name)?;
        require_unit(name, self.unit_in_stock(name), Some(&wanted.unit))?;
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

    /// Moves the lots of a name, of one place or of all; gives how many.
    pub fn move_lots(&mut self, name: &str, place: &str, origin: Option<&str>) -> Result<usize, Refused> {
        self.lots_of(name)?;
        let here = |lot: &&mut Lot| lot.name == name && origin.is_none_or(|origin| origin == lot.place);
        let mut count = 0;
        for lot in self.lots.iter_mut().filter(here) {
            lot.place = place.to_owned();
            count += 1;
        }
        match origin {
            Some(origin) if count == 0 => Err(format!("no {name} in {origin}")),
            _ => Ok(count),
        }
    }

    /// Removes the lots that are best before an earlier date; gives them in listing order.
    pub fn expire(&mut self, date: &str) -> Vec<Lot> {
        let old = |lot: &Lot| lot.best_before.as_deref().is_some_and(|best| best < date);
        let mut gone = self.ordered();
        gone.retain(old);
        self.lots.retain(|lot| !old(lot));
        gone
    }

    pub fn alias(&mut self, other: &str, name: &str) -> Result<(), Refused> {
        if other == name {
            return Err(format!("cannot alias {name} to itself"));
        }
        require_unit(name, self.unit_of(name), self.unit_of(other))?;
        for lot in self.lots.iter_mut().filter(|lot| lot.name == other) {
            lot.name = name.to_owned();
        }
        if let Some(minimum) = self.minimums.remove(other) {
            self.minimums.entry(name.to_owned()).or_insert(minimum);
        }
        for target in self.aliases.values_mut().filter(|target| *target == other) {
            *target = name.to_owned();
        }
        self.aliases.insert(other.to_owned(), name.to_owned());
        Ok(())
    }

    pub fn set_minimum(&mut self, name: &str, minimum: Quantity) -> Result<(), Refused> {
        require_unit(name, self.unit_in_stock(name), Some(&minimum.unit))?;
        self.minimums.insert(name.to_owned(), minimum);
        Ok(())
    }

    pub fn drop_minimum(&mut self, name: &str) -> Result<(), Refused> {
        let gone = self.minimums.remove(name);
        gone.map(drop).ok_or_else(|| format!("no minimum for {name}"))
    }
}
