//! The driver of each kind of suite.

use slope_model::problem::SuiteKind;

use crate::request::Driver;

/// The driver for suites of `kind`.
#[must_use]
pub fn driver_for(kind: SuiteKind) -> &'static dyn Driver {
    match kind {
        SuiteKind::Pytest => &crate::pytest::Pytest,
        SuiteKind::Cases => &crate::cases::Cases,
    }
}
