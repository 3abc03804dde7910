//! Reading and writing of the shop's text files.

use std::fs;

use log::info;

use crate::error::{Result, ShopError};

/// Lower case, with single spaces.
pub fn normalise_name(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// The fields of a line that must have `N` of them.
pub fn split_fields<'a, const N: usize>(line: &'a str, place: &str) -> Result<[&'a str; N]> {
    let fields: Vec<&str> = line.split(';').map(str::trim).collect();
    let found = fields.len();
    fields
        .try_into()
        .map_err(|_| ShopError::new(format!("expected {N} fields, found {found}"), place))
}

/// An amount of money such as `12.50`, in cents.
pub fn parse_amount(text: &str, place: &str) -> Result<u64> {
    let wrong = || ShopError::new(format!("{text:?} is not an amount"), place);
    let (whole, cents) = text.trim().split_once('.').unwrap_or((text.trim(), "00"));
    if cents.len() != 2 {
        return Err(wrong());
    }
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let cents: u64 = cents.parse().map_err(|_| wrong())?;
    Ok(whole * 100 + cents)
}

/// A number of pieces, at least one.
pub fn parse_count(text: &str, place: &str) -> Result<u64> {
    match text.parse() {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(ShopError::new(format!("{text:?} is not a count"), place)),
    }
}

/// The inverse of `parse_amount`.
pub fn format_amount(cents: u64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

/// All records of a file. Blank lines and comments are left out.
pub fn load_records<T>(path: &str, parse: impl Fn(&str, &str) -> Result<T>) -> Result<Vec<T>> {
    let text = fs::read_to_string(path)
        .map_err(|error| ShopError::new(format!("cannot read: {error}"), path))?;
    let mut records = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        records.push(parse(line, &format!("{path}:{}", index + 1))?);
    }
    info!("read {} records from {path}", records.len());
    Ok(records)
}
