//! What a change did. A base that was looked at before is not looked at again: only the files
//! that the change concerns are.

use std::collections::{BTreeMap, BTreeSet};

use slope_history::{Baseline, FullChange};
use slope_measure::{Content, KnownTree, Measurer};
use slope_model::ledger::Amounts;

use crate::Error;
use crate::judge::sum;
use crate::trees::Trees;

/// Times that files are added in which signals find something else, before all are looked at.
const MOST_ROUNDS: usize = 3;

/// What a change did.
pub(crate) struct Seen {
    /// The whole before it.
    pub(crate) before: Amounts,
    pub(crate) full: FullChange,
}

/// Finds what a change of a repository did.
pub(crate) fn look(
    measurer: &Measurer,
    trees: &Trees,
    setup: &BTreeMap<String, Content>,
    after: &BTreeMap<String, Content>,
) -> Result<Seen, Error> {
    if after.is_empty() {
        return look_at_all(measurer, Vec::new(), &BTreeMap::new(), BTreeMap::new());
    }
    let place = trees.top().zip(trees.ids());
    if let Some((top, ids)) = &place {
        let files = ids.iter().map(|(path, id)| (path.as_str(), id.as_str()));
        if let Some(known) = measurer.known_tree(top, files)
            && let Some(seen) = look_at_some(measurer, &known, setup, after)?
        {
            return Ok(seen);
        }
    }
    let files = trees.files.iter();
    let files = files.map(|(path, place)| (path.as_str(), place)).collect();
    let contents = trees.contents(measurer, files)?;
    std::thread::scope(|scope| {
        // What was found is written while the rest, which is mostly done by one thread, goes on.
        scope.spawn(|| measurer.keep());
        let mut baseline = Baseline::new(measurer, "base", contents.clone());
        let before = slope_history::ledger::whole(baseline.tracker()).rounded();
        if let Some((top, ids)) = place {
            let beside = serde_json::to_vec(&before).unwrap_or_default();
            let tracker = baseline.tracker();
            if let Some(tree) = measurer.tree_to_keep(top, &ids, &contents, tracker, beside) {
                scope.spawn(|| tree.write());
            }
        }
        change(&mut baseline, before, setup, after)
    })
}

/// Finds what a change did from all files.
pub(crate) fn look_at_all(
    measurer: &Measurer,
    contents: Vec<(String, Content)>,
    setup: &BTreeMap<String, Content>,
    after: BTreeMap<String, Content>,
) -> Result<Seen, Error> {
    let mut baseline = Baseline::new(measurer, "base", contents);
    let before = slope_history::ledger::whole(baseline.tracker()).rounded();
    change(&mut baseline, before, setup, &after)
}

/// Finds what a change did from the files that it concerns; `None` if what was kept is damaged,
/// or the change concerns ever more.
fn look_at_some(
    measurer: &Measurer,
    known: &KnownTree,
    setup: &BTreeMap<String, Content>,
    after: &BTreeMap<String, Content>,
) -> Result<Option<Seen>, Error> {
    let Ok(before) = serde_json::from_slice::<Amounts>(known.beside()) else {
        return Ok(None);
    };
    let touched = setup.keys().chain(after.keys()).cloned();
    let mut touched: BTreeSet<String> = touched.collect();
    let contents: Vec<&Content> = setup.values().chain(after.values()).collect();
    for _ in 0..MOST_ROUNDS {
        let paths = touched.iter().map(String::as_str).collect();
        let Some(tracker) = known.tracker(measurer, &paths, &contents) else {
            return Ok(None);
        };
        let mut baseline = Baseline::of_tracker(measurer, "base", tracker);
        let seen = change(&mut baseline, before, setup, after)?;
        let unseen = baseline.tracker().unseen();
        if unseen.is_empty() {
            return Ok(Some(seen));
        }
        touched.extend(unseen.iter().cloned());
    }
    Ok(None)
}

/// Lays the setup onto a baseline and finds what the change did.
fn change(
    baseline: &mut Baseline<'_>,
    mut before: Amounts,
    setup: &BTreeMap<String, Content>,
    after: &BTreeMap<String, Content>,
) -> Result<Seen, Error> {
    let list = |contents: &BTreeMap<String, Content>| {
        let each = contents.iter();
        each.map(|(path, content)| (path.clone(), content.clone()))
            .collect()
    };
    if !setup.is_empty() {
        let laid = baseline.change("setup", list(setup))?;
        before = sum(&before, &(laid.after - laid.before).rounded());
    }
    let full = baseline.change_in_full("head", list(after))?;
    Ok(Seen { before, full })
}
