//! Costs that providers report in a response's usage.

use serde_json::Value;

/// JSON pointers to a provider's cost in dollars.
const PLACES: [&str; 5] = [
    "/usage/cost",
    "/usage/cost/total_cost",
    "/usage/cost_usd",
    "/usage/total_cost",
    "/usage/estimated_cost",
];

/// The reported cost in dollars; `None` if it is missing or not a valid amount.
pub(super) fn cost(response: &Value) -> Option<f64> {
    PLACES
        .iter()
        .filter_map(|place| response.pointer(place)?.as_f64())
        .find(|cost| cost.is_finite() && *cost >= 0.0)
}
