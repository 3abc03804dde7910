//! Sizes in environment files: a number of bytes, or a text with a unit such as `4 GiB`.

use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Size {
    Bytes(u64),
    Text(String),
}

/// Reads a size in bytes, for `deserialize_with`.
///
/// # Errors
/// If it is neither a number nor a number with a known unit.
pub fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let wrong = || serde::de::Error::custom("give a size such as \"4 GiB\" or \"512 MiB\"");
    match Size::deserialize(from).map_err(|_| wrong())? {
        Size::Bytes(bytes) => Ok(bytes),
        Size::Text(text) => parse(&text).ok_or_else(wrong),
    }
}

/// As [`bytes`], for a size that may be missing. Runs may record null.
///
/// # Errors
/// As for [`bytes`].
pub fn some_bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    struct Given(u64);
    impl<'de> Deserialize<'de> for Given {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            bytes(from).map(Self)
        }
    }
    Ok(Option::<Given>::deserialize(from)?.map(|given| given.0))
}

/// Reads `4 GiB`.
fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let number: u64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit)
}
