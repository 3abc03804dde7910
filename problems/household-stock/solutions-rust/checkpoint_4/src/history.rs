//! The changes that were made, each with the stock on its other side.

use crate::stock::Stock;
use crate::values::Refused;

#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub description: String,
    pub stock: Stock,
}

/// The present stock, the changes that led to it, and those that were undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub stock: Stock,
    pub done: Vec<Change>,
    pub undone: Vec<Change>,
}

impl History {
    pub fn record(&mut self, description: String, before: Stock) {
        self.done.push(Change { description, stock: before });
        self.undone.clear();
    }

    pub fn undo(&mut self, count: usize) -> Result<Vec<String>, Refused> {
        replay("undo", count, &mut self.stock, &mut self.done, &mut self.undone)
    }

    pub fn redo(&mut self, count: usize) -> Result<Vec<String>, Refused> {
        replay("redo", count, &mut self.stock, &mut self.undone, &mut self.done)
    }
}

fn replay(
    verb: &str,
    count: usize,
    stock: &mut Stock,
    source: &mut Vec<Change>,
    target: &mut Vec<Change>,
) -> Result<Vec<String>, Refused> {
    if source.is_empty() {
        return Err(format!("nothing to {verb}"));
    }
    if source.len() < count {
        return Err(format!("only {} changes to {verb}", source.len()));
    }
    let changes = source.split_off(source.len() - count);
    let step = |change: Change| {
        let description = change.description.clone();
        let before = std::mem::replace(stock, change.stock);
        target.push(Change { description: change.description, stock: before });
        description
    };
    Ok(changes.into_iter().rev().map(step).collect())
}
