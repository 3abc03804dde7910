//! A small shop.

pub mod error;
pub mod invoice;
pub mod orders;
#[path = "../tests/shipping_impl.rs"]
pub mod shipping;
pub mod text;
