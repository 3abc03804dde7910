//! A small shop.

pub mod error;
pub mod invoice;
pub mod orders;
#[path = "../vendor/shipping.rs"]
pub mod shipping;
pub mod text;
