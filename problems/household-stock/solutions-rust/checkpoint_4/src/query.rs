//! Which lots `find` and `report` choose.

use crate::options::Options;
use crate::stock::Lot;
use crate::values::{parse_date, parse_quantity, parse_word, Quantity, Refused};

type Test = Box<dyn Fn(&Lot) -> bool>;

/// What the filters say, in the order in which wrong ones are told.
fn tests(options: &Options) -> Result<Vec<Test>, Refused> {
    let mut tests: Vec<Test> = Vec::new();
    if let Some(pattern) = options.get("name") {
        let pattern: Vec<char> = pattern.trim().to_lowercase().chars().collect();
        tests.push(Box::new(move |lot| matches(&pattern, &lot.name.chars().collect::<Vec<_>>())));
    }
    if let Some(text) = options.get("place") {
        let place = parse_word(text, "place")?;
        tests.push(Box::new(move |lot| lot.place == place));
    }
    if let Some(text) = options.get("before") {
        let date = parse_date(text)?;
        tests.push(Box::new(move |lot| lot.best_before.as_ref().is_some_and(|best| *best < date)));
    }
    if options.has("undated") {
        tests.push(Box::new(|lot| lot.best_before.is_none()));
    }
    let bounds: [(&str, fn(u64, u64) -> bool); 2] = [("min", |a, b| a >= b), ("max", |a, b| a <= b)];
    for (name, holds) in bounds {
        if let Some(text) = options.get(name) {
            let Quantity { amount, unit } = parse_quantity(text)?;
            tests.push(Box::new(move |lot| lot.quantity.unit == unit && holds(lot.quantity.amount, amount)));
        }
    }
    Ok(tests)
}

/// Whether the whole name matches a pattern of characters, `?` and `*`.
fn matches(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        (['*', rest @ ..], _) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        ([first, rest @ ..], [char, others @ ..]) => (*first == '?' || first == char) && matches(rest, others),
        _ => false,
    }
}

/// The lots that pass every filter that was given.
pub fn choose(mut lots: Vec<Lot>, options: &Options) -> Result<Vec<Lot>, Refused> {
    let tests = tests(options)?;
    lots.retain(|lot| tests.iter().all(|test| test(lot)));
    Ok(lots)
}
