//! What users write on the command line and in files: names, quantities, dates, places.

/// A request that is refused; the message is for the user.
pub type Refused = String;

pub const BASE_UNITS: [&str; 3] = ["g", "ml", "pc"];

#[derive(Clone, Debug, PartialEq)]
pub struct Quantity {
    pub amount: u64,
    pub unit: String,
}

/// A name or a place, in the form in which it is compared.
pub fn parse_word(text: &str, kind: &str) -> Result<String, Refused> {
    let word = text.trim().to_lowercase();
    if word.is_empty() {
        return Err(format!("empty {kind}"));
    }
    Ok(word)
}

pub fn parse_quantity(text: &str) -> Result<Quantity, Refused> {
    read_quantity(text).ok_or_else(|| format!("bad quantity '{text}'"))
}

fn read_quantity(text: &str) -> Option<Quantity> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let (unit, factor) = match unit {
        "kg" => ("g", 1000),
        "l" => ("ml", 1000),
        _ => (*BASE_UNITS.iter().find(|base| **base == unit)?, 1),
    };
    let amount = number.parse::<u64>().ok()?.checked_mul(factor)?;
    let unit = unit.to_owned();
    (amount > 0).then_some(Quantity { amount, unit })
}

/// The date as text; such texts sort as dates do.
pub fn parse_date(text: &str) -> Result<String, Refused> {
    if is_date(text) {
        return Ok(text.to_owned());
    }
    Err(format!("bad date '{text}'"))
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let digits = parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()));
    if lengths != [4, 2, 2] || !digits {
        return false;
    }
    let numbers: Vec<u32> = parts.iter().flat_map(|part| part.parse()).collect();
    let (year, month, day) = (numbers[0], numbers[1], numbers[2]);
    year > 0 && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
