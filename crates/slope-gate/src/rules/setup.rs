//! Changes to the gate itself, which must not make a check pass.

use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::Part;
use slope_model::plural;

use super::compared::fingerprint;
use crate::Check;
use crate::ratchet::Ratchet;
use slope_change::{Rewritten, ScopeChanges, Steering};

/// Violations by changes to the judged files and to the settings.
pub(crate) fn violations(check: &Check, scope: &ScopeChanges) -> Vec<Violation> {
    let changed = scope.rewritten.iter();
    let changed: Vec<(&Rewritten, String)> = changed
        .filter_map(|file| Some((file, rewritten(file)?)))
        .collect();
    let before: Vec<Check> = changed
        .iter()
        .filter_map(|(file, _)| before(file))
        .collect();
    let Some(level) = check.setup_after(&before) else {
        return Vec::new();
    };
    // Nobody reads minified files, so a minified file never replaces a judged file.
    let minified = scope
        .hidden
        .iter()
        .filter(|(_, reason)| is_minified(reason));
    let minified = minified.map(|(path, reason)| {
        let message = format!("It was judged before, and is not now: {reason}.");
        violation(Level::Error, path, message, READABLE)
    });
    let unreadable = scope.unreadable.iter().map(|(path, reason)| {
        let message = format!("It was judged before, and cannot be now: {reason}.");
        violation(Level::Error, path, message, readable(reason))
    });
    let rewritten = changed
        .into_iter()
        .map(|(file, message)| (&file.path, message, ON_PURPOSE));
    let hidden = scope
        .hidden
        .iter()
        .filter(|(_, reason)| !is_minified(reason));
    let hidden = hidden.map(|(path, reason)| {
        let message = format!("It would be judged but for this change: {reason}.");
        (path, message, SHOWN)
    });
    let eased = scope.eased.iter().map(|(path, reason)| {
        let message =
            format!("It was production code, and limits of tests apply to it now: {reason}.");
        (path, message, PRODUCT)
    });
    let points = points(check, scope)
        .into_iter()
        .map(|(path, message)| (path, message, POINTS));
    let all = rewritten.chain(hidden).chain(eased).chain(points);
    all.map(|(path, message, advice)| violation(level, path, message, advice))
        .chain(minified)
        .chain(unreadable)
        .collect()
}

/// Whether a file is skipped because its text is minified, not because of its name.
fn is_minified(reason: &str) -> bool {
    reason.starts_with("minified:") && !reason.contains("called")
}

const ON_PURPOSE: &str = "Commit it separately, so that somebody reviews it.";

const READABLE: &str =
    "Keep the readable source, and put what a program makes of it into a `.min.js` file.";

/// The advice for a file that cannot be measured for a reason.
fn readable(reason: &str) -> &'static str {
    let sizes = ["larger than", "nested deeper", "the parser gave up"];
    if sizes.iter().any(|size| reason.starts_with(size)) {
        "Divide it into smaller files."
    } else {
        "Correct the file so that slope can read it, or remove it."
    }
}

const PRODUCT: &str = "Keep code that is not a test outside of tests.";

const POINTS: &str = "Keep the points: growth counts from the last one.";

const SHOWN: &str = "Leave out only what a program wrote or others keep.";

/// Settings of a configuration before the change; the defaults if there were none.
fn before(file: &Rewritten) -> Option<Check> {
    (file.steering == Steering::Config).then(|| {
        let text = String::from_utf8_lossy(file.before.as_deref().unwrap_or_default());
        Check::parse(&text, is_pyproject(file)).unwrap_or_default()
    })
}

fn is_pyproject(file: &Rewritten) -> bool {
    file.path.ends_with("pyproject.toml")
}

/// Message about the effect of a changed file, if it matters.
fn rewritten(file: &Rewritten) -> Option<String> {
    match file.steering {
        Steering::Config => {}
        Steering::Ratchet => return loosened(file),
        Steering::Rules => return changed_rules(file),
        Steering::Point => return None,
    }
    let check_section = |text: &Option<Vec<u8>>| {
        let text = String::from_utf8_lossy(text.as_deref()?).into_owned();
        let table: toml::Table = text.parse().ok()?;
        if is_pyproject(file) {
            return Some(table.get("tool")?.get("slope")?.clone());
        }
        Some(toml::Value::Table(table))
    };
    let verb = match (check_section(&file.before), check_section(&file.after)) {
        (before, after) if before == after => return None,
        (None, _) => "says",
        (_, None) => "no longer says",
        _ => "changes",
    };
    Some(format!("This change {verb} what is judged, and how."))
}

/// Message about rules that are not those of before. New files only add rules.
fn changed_rules(file: &Rewritten) -> Option<String> {
    let verb = match (&file.before, &file.after) {
        (None, _) => return None,
        (Some(_), None) => "removes",
        (Some(_), Some(_)) => "changes",
    };
    Some(format!("This change {verb} rules by which it is judged."))
}

/// The points of series that a change removes or rewrites, as one message at the first of them. They matter only with
/// limits of growth.
fn points<'s>(check: &Check, scope: &'s ScopeChanges) -> Option<(&'s String, String)> {
    if check.growth.is_empty() {
        return None;
    }
    let changed = scope.rewritten.iter();
    let mut changed = changed
        .filter(|file| file.steering == Steering::Point && file.before.is_some())
        .peekable();
    let first = &changed.peek()?.path;
    let points = plural(changed.count(), "point");
    let message = format!("This change removes or rewrites {points}, from which growth counts.");
    Some((first, message))
}

/// Message about debt that a changed ratchet adds.
fn loosened(file: &Rewritten) -> Option<String> {
    let parsed = |text: &Option<Vec<u8>>| {
        Ratchet::parse(&String::from_utf8_lossy(
            text.as_deref().unwrap_or_default(),
        ))
        .ok()
    };
    // An unreadable ratchet is reported elsewhere.
    let after = parsed(&file.after)?;
    let (waivers, items) = match &file.before {
        // A first ratchet lists existing debt, which is fine. Waivers always excuse something.
        None => (after.waivers.len(), 0),
        before @ Some(_) => {
            let before = parsed(before)?;
            let waivers = after.waivers.iter();
            let waivers = waivers.filter(|w| !before.waivers.contains(w)).count();
            (waivers, after.worse_than(&before))
        }
    };
    let items = (items > 0).then(|| format!("{} more or worse than before", plural(items, "item")));
    let waivers = (waivers > 0).then(|| plural(waivers, "new waiver"));
    let parts: Vec<String> = items.into_iter().chain(waivers).collect();
    (!parts.is_empty()).then(|| format!("The ratchet has {}.", parts.join(", and ")))
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
