//! Errors of the shop.

use std::fmt;

/// An input that the shop cannot work with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShopError {
    pub reason: String,
    pub place: String,
}

impl ShopError {
    /// An error with a reason and a place.
    pub fn new(reason: impl Into<String>, place: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            place: place.into(),
        }
    }
}

impl fmt::Display for ShopError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for ShopError {}

/// What the functions of the shop return.
pub type Result<T> = std::result::Result<T, ShopError>;
