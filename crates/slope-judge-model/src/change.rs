//! Judges both sides of a change.

use slope_model::assessment::{Assessment, ModelDetails, Scores};

use crate::carry::Earlier;
use crate::client::Client;
use crate::{Error, ModelJudge, Plan, Settings};

/// Judges the files of a change before it and after it. The issues are those after it; `before` has the scores before it,
/// which are unknown if the files are new.
///
/// # Errors
/// If there is no code for a model after the change, or no answer can be used.
pub fn judge_sides(
    client: &Client,
    settings: &Settings,
    (base, head): (&Plan, &Plan),
    of_measures: &Assessment,
    earlier: &mut Earlier,
) -> Result<Assessment, Error> {
    let judge = || ModelJudge::new(client, settings.clone());
    let before = if base.items.is_empty() {
        None
    } else {
        Some(judge().judge(base, of_measures, earlier)?)
    };
    let details = before.as_ref().and_then(|it| it.model.as_ref());
    let judge = judge().with_anchors(details.map(|it| it.anchors));
    let mut after = judge.judge(head, of_measures, earlier)?;
    if let (Some(after), Some(before)) = (&mut after.model, details) {
        add(after, before);
    }
    after.before = Some(before.map_or_else(Scores::default, |it| it.scores));
    Ok(after)
}

/// Adds what the other side needed.
fn add(to: &mut ModelDetails, other: &ModelDetails) {
    for (count, more) in [
        (&mut to.requests, other.requests),
        (&mut to.from_cache, other.from_cache),
        (&mut to.repairs, other.repairs),
        (&mut to.dropped_issues, other.dropped_issues),
    ] {
        *count += more;
    }
}
