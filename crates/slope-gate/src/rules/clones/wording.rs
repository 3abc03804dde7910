//! Messages and advice about copied code.

use slope_model::ledger::{Copied, LedgerEntry, Likeness};
use slope_model::plural;

/// Message and advice for an entry with `new` clone lines.
pub(super) fn of(entry: &LedgerEntry, new: i64) -> (String, String) {
    let name = match &entry.function {
        Some(name) => format!("`{name}`"),
        None => "code outside of functions".to_owned(),
    };
    let Some(copied) = entry.copied.as_ref().or(entry.twin.as_ref()) else {
        let lines = plural(new, "line");
        let message = format!("{lines} of {name} are the same as other code.");
        return (message, "Write them once.".to_owned());
    };
    match copied
        .is_whole
        .then_some(copied.function.as_ref())
        .flatten()
    {
        Some(other) => of_whole(entry, &name, copied, other),
        None => of_piece(entry, &name, copied, new),
    }
}

/// Phrases for the common and the different parts of two pieces.
fn but_for(likeness: Likeness) -> (&'static str, &'static str) {
    match likeness {
        Likeness::Same => ("same", ""),
        Likeness::Literals | Likeness::Table => ("same", " but for literals"),
        Likeness::Form => ("form", " but for names"),
    }
}

/// Message for a function that is similar to another one as a whole.
fn of_whole(entry: &LedgerEntry, name: &str, copied: &Copied, other: &str) -> (String, String) {
    let at = format!("{}:{}", copied.path, copied.line);
    let also = match entry.copied {
        Some(_) => "",
        None => ", new as well",
    };
    let (what, but) = but_for(copied.likeness);
    let verb = match what {
        "form" => "has the same form as",
        _ => "is the same code as",
    };
    let message = format!("{name} {verb} `{other}` ({at}{also}){but}.");
    let advice = match copied.likeness {
        Likeness::Form => {
            "If both do one job, write it once, with what differs as parameters.".to_owned()
        }
        Likeness::Literals | Likeness::Table if can_be_called(other, entry) => {
            format!("Give `{other}` ({at}) what differs as parameters, and call it.")
        }
        Likeness::Same if can_be_called(other, entry) => format!("Call `{other}` ({at})."),
        _ => format!("Move it to a function, and call that here and at {at}."),
    };
    (message, advice)
}

/// Message for code that shares a piece with other code.
fn of_piece(entry: &LedgerEntry, name: &str, copied: &Copied, new: i64) -> (String, String) {
    let lines = i64::from(copied.lines).min(new);
    let (what, but) = but_for(copied.likeness);
    let verb = match what {
        "form" => "have the same form as",
        _ => "are the same as",
    };
    let Copied {
        line,
        end_line,
        path,
        ..
    } = copied;
    let place = format!("lines {line}-{end_line} of {path}{but}");
    // Copied lines include inner functions, but the length of a function does not.
    let sloc = entry.to.first().map(|place| place.amounts.sloc);
    let sloc = sloc.filter(|&sloc| entry.function.is_some() && new <= sloc);
    let of = match sloc {
        Some(sloc) => format!("{new} of the {sloc} lines of {name}"),
        None => format!("{} of {name}", plural(new, "line")),
    };
    let message = if new > lines {
        let some = if what == "form" { "that of " } else { "" };
        format!("{of} {verb} other code, {lines} of them {some}{place}.")
    } else {
        format!("{of} {verb} {place}.")
    };
    let advice = match (entry.function.is_some() || copied.function.is_some(), what) {
        (_, "form") => "If both do one job, write it once, with what differs as parameters.",
        (true, _) => "Move them to a function that both call.",
        (false, _) => "Keep one of them, and use it in both places.",
    };
    (message, advice.to_owned())
}

/// Whether an entry can call a function instead. It cannot call unnamed parts, which are written `<so>`, or methods of
/// the same name in other classes.
fn can_be_called(function: &str, entry: &LedgerEntry) -> bool {
    let own = |name: &str| name.rsplit_once('.').map(|(_, own)| own.to_owned());
    let is_sibling =
        own(function).is_some_and(|name| entry.function.as_deref().and_then(own) == Some(name));
    !function.contains('<') && !is_sibling
}
