//! What a change does to the gate itself: nobody should pass by asking for less.

use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::Part;

use super::{count, fingerprint};
use crate::Check;
use crate::ratchet::Ratchet;
use crate::trees::{Rewritten, Steering};

/// What a change does to what is judged, and to how. `generated` are files that were judged and
/// are left out for what they say of themselves, with that.
pub(crate) fn violations(
    check: &Check,
    steering: &Steering,
    generated: &[(String, String)],
) -> Vec<Violation> {
    let before: Vec<Check> = steering.rewritten.iter().filter_map(before).collect();
    let Some(level) = check.setup_after(&before) else {
        return Vec::new();
    };
    let rewritten = steering.rewritten.iter().filter_map(|file| {
        let message = rewritten(file)?;
        Some((&file.path, message, ON_PURPOSE))
    });
    let hidden = steering.hidden.iter().chain(generated);
    let hidden = hidden.map(|(path, reason)| {
        let message = format!("It would be judged but for this change: {reason}.");
        (path, message, SHOWN)
    });
    let all = rewritten.chain(hidden);
    all.map(|(path, message, advice)| violation(level, path, message, advice))
        .collect()
}

const ON_PURPOSE: &str = "Put it into a change of its own, which somebody looks at.";

const SHOWN: &str = "Leave out only what a program wrote or others keep.";

/// What the configuration asked for before the change.
fn before(file: &Rewritten) -> Option<Check> {
    let is_config = file.path.ends_with(".toml");
    let text = file.before.as_deref().filter(|_| is_config);
    let text = String::from_utf8_lossy(text?);
    Check::parse(&text, is_pyproject(file)).ok()
}

fn is_pyproject(file: &Rewritten) -> bool {
    file.path.ends_with("pyproject.toml")
}

/// What a change does to a file, if it matters.
fn rewritten(file: &Rewritten) -> Option<String> {
    if !file.path.ends_with(".toml") {
        return loosened(file);
    }
    let said = |text: &Option<Vec<u8>>| {
        let text = String::from_utf8_lossy(text.as_deref()?).into_owned();
        let table: toml::Table = text.parse().ok()?;
        match is_pyproject(file) {
            true => Some(table.get("tool")?.get("slope")?.clone()),
            false => Some(toml::Value::Table(table)),
        }
    };
    let verb = match (said(&file.before), said(&file.after)) {
        (before, after) if before == after => return None,
        (None, _) => "says",
        (_, None) => "no longer says",
        _ => "changes",
    };
    Some(format!("This change {verb} what is judged, and how."))
}

/// What a ratchet holds more than before.
fn loosened(file: &Rewritten) -> Option<String> {
    let parsed = |text: &Option<Vec<u8>>| {
        Ratchet::parse(&String::from_utf8_lossy(
            text.as_deref().unwrap_or_default(),
        ))
        .ok()
    };
    // A first ratchet holds what is there, and one that cannot be read is told of elsewhere.
    let (before, after) = (parsed(&file.before)?, parsed(&file.after)?);
    let waivers = after.waivers.iter();
    let waivers = waivers.filter(|w| !before.waivers.contains(w)).count();
    let items = after.worse_than(&before);
    (waivers + items > 0).then(|| {
        let (items, waivers) = (counted(items, "item"), counted(waivers, "new waiver"));
        format!("The ratchet holds {items} more or worse than before, and {waivers}.")
    })
}

fn counted(n: usize, what: &str) -> String {
    count(i64::try_from(n).unwrap_or(i64::MAX), what)
}

fn violation(level: Level, path: &str, message: String, advice: &str) -> Violation {
    Violation {
        rule: GateRule::GateSetup,
        level,
        part: Part::Product,
        path: path.to_owned(),
        function: None,
        line: 1,
        end_line: 1,
        before: None,
        after: 1.0,
        limit: Some(0.0),
        fingerprint: fingerprint(&[GateRule::GateSetup.id(), path]),
        message,
        advice: advice.to_owned(),
        evidence: Evidence::default(),
    }
}
