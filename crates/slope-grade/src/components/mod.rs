//! What an edit did, as numbers from 0 to 1 with evidence.
//!
//! | module | component |
//! |---|---|
//! | `judged` | (an edit with its impact) |
//! | `debt` | (slop that an edit adds or removes) |
//! | `complexity` | `p_cx`: structural complexity that it adds |
//! | `redundancy` | `p_dup`: code that the base or the edit already has |
//! | `dead_code` | `p_dead`: code that nothing uses or reaches |
//! | `deviation` | `p_dev`: deviation from the surrounding code |
//! | `contract` | `p_contract`: checks and error handling of existing functions that it weakens |
//! | `checks` | (checks of inputs, compared with those of other edits) |
//! | `minimality` | `p_min`: changes that the task does not need |
//! | `patterns` | (patterns that an edit makes so wide that they refuse nothing) |
//! | `comments` | (comments that an edit adds) |
//! | `replaced` | (imports of the standard library that packages replace) |
//! | `units` | (functions as `complexity` weighs them) |
//! | `macros` | (bodies of macros as functions) |
//! | `rewritten` | (imports that an edit writes in another way) |
//! | `unmentioned` | (functions that an edit adds and that nothing mentions) |
//! | `unused` | (imports that an edit adds and that nothing uses) |
//! | `reuse` | `b_reuse`: use of what the base already has |

mod checks;
mod comments;
mod complexity;
mod contract;
mod dead_code;
mod debt;
mod deviation;
mod judged;
mod macros;
mod minimality;
mod patterns;
mod redundancy;
mod replaced;
mod reuse;
mod rewritten;
mod units;
mod unmentioned;
mod unused;

use slope_model::grade::{Components, Evidence};
use slope_model::time_limit;

use crate::reward::rounded;

pub(crate) use checks::{checks, missing as missing_checks};
pub(crate) use debt::debt;
pub(crate) use judged::{Judged, place};
pub(crate) use minimality::{code_tokens, size};

/// All components with their evidence, the heaviest first, and the tier of minimality.
pub(crate) fn score(judged: &Judged<'_>) -> (Components, Vec<Evidence>, &'static str) {
    let (minimality, tier) = minimality::score(judged);
    let parts = [
        complexity::score,
        redundancy::score,
        dead_code::score,
        deviation::score,
        contract::score,
        reuse::score,
    ];
    let [
        complexity,
        redundancy,
        dead_code,
        deviation,
        contract,
        reuse,
    ] = parts.map(|score| {
        time_limit::check();
        score(judged)
    });
    let all = [
        complexity, redundancy, dead_code, deviation, contract, minimality, reuse,
    ];
    let [p_cx, p_dup, p_dead, p_dev, p_contract, p_min, b_reuse] =
        [0, 1, 2, 3, 4, 5, 6].map(|at: usize| Some(rounded(all[at].value)));
    let components = Components {
        p_cx,
        p_dup,
        p_dead,
        p_dev,
        p_contract,
        p_min,
        b_reuse,
    };
    let mut evidence: Vec<Evidence> = all.into_iter().flat_map(|scored| scored.evidence).collect();
    for piece in &mut evidence {
        piece.amount = rounded(piece.amount);
    }
    sort(&mut evidence);
    (components, evidence, tier)
}

/// Puts the heaviest pieces first.
pub(crate) fn sort(evidence: &mut [Evidence]) {
    evidence.sort_by(|a, b| {
        let key = |piece: &Evidence| (piece.signal.clone(), piece.at.clone(), piece.kind.clone());
        b.amount
            .total_cmp(&a.amount)
            .then_with(|| key(a).cmp(&key(b)))
    });
}
