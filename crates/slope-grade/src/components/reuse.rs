//! `b_reuse`: use of what the base already has.
//!
//! `sat(rarity of the used names) * used / (used + missed)`, where a miss is code that does what the base already
//! does.

use slope_model::gate::GateRule;
use slope_syntax::text::identifiers;

use super::dead_code::discards_values;
use super::judged::{Judged, Scored, number, place};
use crate::lines::added;
use crate::reward::saturated;
use slope_model::grade::Evidence;

const SIGNAL: &str = "b_reuse";

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let vocabulary = judged.base.code.vocabulary();
    let mut found: Vec<Evidence> = Vec::new();
    for (before, after) in judged.product_files() {
        let Some(after) = after else { continue };
        for used in after.reused(before, vocabulary) {
            // A name that several files use counts once.
            let name = format!("`{}` of the base is used.", used.name);
            if found.iter().any(|known| known.message == name)
                || !is_used(judged, after.path(), &used.name)
            {
                continue;
            }
            found.push(Evidence {
                signal: SIGNAL.to_owned(),
                kind: "reuse".to_owned(),
                at: after.path().to_owned(),
                of: Some(place(&used.path, used.line, used.line)),
                message: name,
                amount: used.rarity,
            });
        }
    }
    let rarity: f64 = found.iter().map(|used| used.amount).sum();
    let used = number(i64::try_from(found.len()).unwrap_or(i64::MAX));
    let rules = [GateRule::NewClone, GateRule::Reimplementation];
    let missed = rules
        .into_iter()
        .map(|rule| judged.of_rule(rule).count())
        .sum::<usize>();
    let missed = number(i64::try_from(missed).unwrap_or(i64::MAX));
    let share = if used > 0.0 {
        used / (used + missed)
    } else {
        0.0
    };
    Scored {
        value: saturated(rarity, judged.pack.scales.reuse) * share,
        evidence: found,
    }
}

/// Whether an edit uses a name for something new: a line has it that is no import and that does not discard it, and no file
/// that the edit removes had it.
fn is_used(judged: &Judged<'_>, path: &str, name: &str) -> bool {
    let has = |line: &str| identifiers(line).any(|word| word == name);
    let mut removed = judged
        .edit
        .files
        .values()
        .filter(|(_, after)| after.is_none());
    let was_there = removed.any(|(before, _)| {
        let text = String::from_utf8_lossy(before.as_deref().unwrap_or_default());
        text.lines().any(has)
    });
    let Some((before, after)) = judged.edit.files.get(path).filter(|_| !was_there) else {
        return false;
    };
    let lines = added(before, after);
    let mut lines = lines.iter().filter(|(_, line)| has(line));
    lines.any(|(_, line)| !is_import(line) && !discards_values(line))
}

/// Beginnings of lines that import names.
const IMPORTS: &[&str] = &["import ", "from ", "use ", "pub use ", "#include", "using "];

fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    IMPORTS.iter().any(|begin| line.starts_with(begin)) || line.contains("require(")
}
