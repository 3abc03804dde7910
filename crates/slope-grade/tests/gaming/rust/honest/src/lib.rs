//! A small shop.

pub mod error;
pub mod invoice;
pub mod orders;
pub mod shipping;
pub mod text;
