//! The ledger of a change, with exact sums.

use slope_model::ledger::Ledger;
use slope_model::measurement::Definitions;

use super::Accounts;
use crate::amounts::ExactAmounts;

/// The ledger of a change of a baseline, with exact sums.
#[derive(Debug, Clone)]
pub struct Change {
    pub(crate) base: String,
    pub(crate) head: String,
    /// Totals before. If files are in outline, only the files of the step.
    pub before: ExactAmounts,
    /// Totals after. If files are in outline, only the files of the step.
    pub after: ExactAmounts,
    /// The entries.
    pub accounts: Accounts,
    pub(crate) definitions: Definitions,
}

impl Change {
    /// The change as a ledger.
    #[must_use]
    pub fn into_ledger(self) -> Ledger {
        let names = (self.base.as_str(), self.head.as_str());
        self.accounts
            .into_ledger(names, (self.before, self.after), self.definitions)
    }
}
