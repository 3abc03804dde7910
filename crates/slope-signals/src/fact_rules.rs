//! The rules that find the facts of a language.

use crate::gather::Gatherer;
use crate::occurrences::Occurrences;
use crate::{plain, python};
use slope_syntax::conventions::FactRules;
use slope_syntax::view::View;

/// A file without findings, its names read by the rules of its language.
pub(crate) fn gatherer(view: View<'_>) -> Gatherer<'_> {
    let classify = match view.conventions.rules {
        FactRules::Python => python::names::classify,
        FactRules::Shared | FactRules::DeadCode => plain::classify,
    };
    Gatherer {
        names: Occurrences::new(&view, classify),
        view,
        local: Vec::new(),
    }
}
