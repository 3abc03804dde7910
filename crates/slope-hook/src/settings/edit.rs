//! Adding hooks to a settings file, and removing them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::text::{Document, Kind, Malformed, place};

/// A replacement of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Patch {
    /// First byte.
    pub(crate) at: usize,
    /// The old text: white space only.
    pub(crate) before: String,
    /// The new text.
    pub(crate) after: String,
}

impl Patch {
    fn add(&self, text: &str) -> String {
        let rest = &text[self.at + self.before.len()..];
        [&text[..self.at], &self.after, rest].concat()
    }

    /// Whether the patch adds a container with this key.
    pub(crate) fn makes(&self, key: &str) -> bool {
        let opens = if key == "hooks" { '{' } else { '[' };
        let member = format!("{}: {opens}", Value::from(key));
        self.after.contains(&member)
    }

    /// The text without the patch; `None` if the text does not contain it.
    pub(crate) fn take_back(&self, text: &str) -> Option<String> {
        let rest = text.get(self.at..)?.strip_prefix(self.after.as_str())?;
        Some([&text[..self.at], &self.before, rest].concat())
    }
}

/// Reason that a settings file cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    /// Invalid JSON.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A setting has an unexpected type. The message names it.
    #[error("{what} is not {wanted}, which the agent expects")]
    Form {
        what: String,
        wanted: &'static str,
        /// Line, from 1.
        line: usize,
        /// Column in bytes, from 1.
        column: usize,
    },
}

/// Maximum number of places where a patch is searched.
const MAX_PLACES: usize = 4;

/// Predicate for commands that belong to slope.
pub(crate) type Ours<'a> = &'a dyn Fn(&str) -> bool;

/// The text with these entries, and the patches that add them, in order.
pub(crate) fn add(text: &str, entries: &[(&str, Value)]) -> Result<(String, Vec<Patch>), Unfit> {
    let (mut text, mut patches) = (text.to_owned(), Vec::new());
    for (event, group) in entries {
        let patch = patch(&text, event, group)?;
        text = patch.add(&text);
        patches.push(patch);
    }
    // Fail before writing if the result would not be readable.
    Document::read(&text)?;
    Ok((text, patches))
}

/// Adds one group of hooks in the right place.
fn patch(text: &str, event: &str, group: &Value) -> Result<Patch, Unfit> {
    let read = Document::read(text)?;
    let unit = unit(&read);
    let unfit = |node: usize, what: &str, wanted| {
        let (line, column) = place(text, read.nodes[node].start);
        Unfit::Form {
            what: what.to_owned(),
            wanted,
            line,
            column,
        }
    };
    let object = |node: usize, name: &str| match read.nodes[node].kind {
        Kind::Object(_) => Ok(()),
        _ => Err(unfit(node, name, "an object (`{}`)")),
    };
    object(0, "the file")?;
    let Some(hooks) = read.member(0, "hooks") else {
        let value = serde_json::json!({ event: [group] });
        return Ok(put(&read, 0, Some("hooks"), &value, &unit));
    };
    object(hooks, "`hooks`")?;
    let Some(list) = read.member(hooks, event) else {
        return Ok(put(
            &read,
            hooks,
            Some(event),
            &serde_json::json!([group]),
            &unit,
        ));
    };
    if !matches!(read.nodes[list].kind, Kind::Array(_)) {
        return Err(unfit(list, &format!("`hooks.{event}`"), "a list (`[]`)"));
    }
    Ok(put(&read, list, None, group, &unit))
}

/// Appends a value to a container.
fn put(
    read: &Document<'_>,
    container: usize,
    key: Option<&str>,
    value: &Value,
    unit: &str,
) -> Patch {
    let text = read.text;
    let node = &read.nodes[container];
    let base = indentation(text, node.start);
    let inner = format!("{base}{unit}");
    let key = key
        .map(|key| format!("{}: ", Value::from(key)))
        .unwrap_or_default();
    let parts = read.parts(container);
    let Some(&(first, _)) = parts.first() else {
        let inside = node.start + 1..node.end - 1;
        let before = &text[inside.clone()];
        // A comment inside an empty container stays in place.
        let kept = if before.trim().is_empty() {
            ""
        } else {
            before.trim_end()
        };
        let value = pretty(value, &inner, unit);
        return Patch {
            at: inside.start,
            before: before.to_owned(),
            after: format!("{kept}\n{inner}{key}{value}\n{base}"),
        };
    };
    let last = parts.last().map_or(first, |&(_, end)| end);
    let next = read.next(last);
    let comma = text.as_bytes().get(next) == Some(&b',');
    let after_comma = if comma { next + 1 } else { last };
    let in_rows = text[node.start..first].contains('\n');
    let end = if comma { "," } else { "" };
    let after = if in_rows {
        let inner = indentation(text, first);
        let value = pretty(value, &inner, unit);
        format!("\n{inner}{key}{value}{end}")
    } else {
        format!(" {key}{value}{end}")
    };
    let lead = if comma { "" } else { "," };
    Patch {
        at: after_comma,
        before: String::new(),
        after: format!("{lead}{after}"),
    }
}

/// White space at the start of the line of a byte.
fn indentation(text: &str, at: usize) -> String {
    let row = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let space = |c: &char| matches!(c, ' ' | '\t');
    text[row..at].chars().take_while(space).collect()
}

/// Indentation unit of the file: that of its first member, or two spaces.
fn unit(read: &Document<'_>) -> String {
    let first = read.parts(0).first().map(|&(start, _)| start);
    let unit = first.map(|start| indentation(read.text, start));
    unit.filter(|unit| !unit.is_empty())
        .unwrap_or_else(|| "  ".to_owned())
}

/// A value as several lines, the first without indentation.
fn pretty(value: &Value, inner: &str, unit: &str) -> String {
    let pretty = format!("{value:#}");
    let rows = pretty.lines().enumerate().map(|(number, row)| {
        let deep = row.len() - row.trim_start().len();
        let lead = if number == 0 { "" } else { inner };
        format!("{lead}{}{}", unit.repeat(deep / 2), row.trim_start())
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// The commands of all hooks in a file, with their events, in order.
pub(crate) fn commands(text: &str) -> Result<Vec<(String, String)>, Unfit> {
    let read = Document::read(text)?;
    Ok(handlers(&read)
        .into_iter()
        .map(|handler| (handler.event, handler.command))
        .collect())
}

/// One hook of a file.
struct Handler {
    event: String,
    command: String,
    /// Containers of the hook, outermost first, with the index of the part in each.
    path: [(usize, usize); 4],
}

fn handlers(read: &Document<'_>) -> Vec<Handler> {
    let mut found = Vec::new();
    let Kind::Object(members) = &read.nodes[0].kind else {
        return found;
    };
    let Some(top) = members.iter().rposition(|(_, key, _)| key == "hooks") else {
        return found;
    };
    let hooks = members[top].2;
    let Kind::Object(events) = &read.nodes[hooks].kind else {
        return found;
    };
    for (event_at, (_, event, groups)) in events.iter().enumerate() {
        for (group_at, &group) in read.elements(*groups).iter().enumerate() {
            let Some(list) = read.member(group, "hooks") else {
                continue;
            };
            for (at, &hook) in read.elements(list).iter().enumerate() {
                let command = read.member(hook, "command");
                if let Some(command) = command.and_then(|node| read.text_of(node)) {
                    found.push(Handler {
                        event: event.clone(),
                        command: command.to_owned(),
                        path: [(0, top), (hooks, event_at), (*groups, group_at), (list, at)],
                    });
                }
            }
        }
    }
    found
}

/// The text without slope's hooks and the containers made for them. `made` says whether `hooks` and
/// events were added.
pub(crate) fn take_out(
    text: &str,
    ours: Ours<'_>,
    made: &dyn Fn(&str) -> bool,
) -> Result<String, Unfit> {
    let mut text = text.to_owned();
    loop {
        let read = Document::read(&text)?;
        let Some(handler) = handlers(&read).into_iter().find(|h| ours(&h.command)) else {
            return Ok(text);
        };
        let outermost = match (made("hooks"), made(&handler.event)) {
            (true, true) => 0,
            (false, true) => 1,
            (_, false) => 2,
        };
        // The outermost part that contains only this hook and no comment.
        let alone = |&(container, part): &(usize, usize)| {
            read.parts(container).len() == 1 && !read.has_comment_around(container, part)
        };
        let deepest = handler.path.iter().rposition(|step| !alone(step));
        let (container, part) = handler.path[deepest.unwrap_or(0).max(outermost)];
        text = without(&read, container, part);
    }
}

/// The text without these patches, wherever they are now. `None` if one is missing, or if other
/// hooks would be lost.
pub(crate) fn take_back(text: &str, patches: &[Patch], ours: Ours<'_>) -> Option<String> {
    let Some((last, earlier)) = patches.split_last() else {
        return Some(text.to_owned());
    };
    let mut others = commands(text).ok()?;
    others.retain(|(_, command)| !ours(command));
    // Hooks of several events look the same. A place is right if the other patches are found, too.
    let places = text.match_indices(&last.after).take(MAX_PLACES);
    places.into_iter().find_map(|(at, _)| {
        let rest = &text[at + last.after.len()..];
        let text = [&text[..at], &last.before, rest].concat();
        let left = take_back(&text, earlier, ours)?;
        (commands(&left).ok()? == others).then_some(left)
    })
}

/// Whether a text contains no settings at all.
pub(crate) fn is_empty(text: &str) -> bool {
    text.chars().filter(|c| !c.is_whitespace()).eq(['{', '}'])
}

/// The text without one part of a container, its comma and its line. Comments around it stay.
fn without(read: &Document<'_>, container: usize, part: usize) -> String {
    let (text, parts) = (read.text, read.parts(container));
    let (start, end) = parts[part];
    let is_comma = |at: &usize| text.as_bytes().get(*at) == Some(&b',');
    let after = Some(read.next(end)).filter(is_comma);
    // Remove the line only if it contains nothing else. Otherwise a comment before it would refer
    // to the next part.
    let end = match after {
        Some(comma) if text[end..comma].trim().is_empty() => comma + 1,
        _ => end,
    };
    let blank = text[..start].trim_end_matches([' ', '\t']);
    let rest = text[end..].trim_start_matches([' ', '\t']);
    let ends_row = rest.starts_with(['\n', '\r', ']', '}']) && !blank.ends_with('{');
    let start = match blank.strip_suffix('\n') {
        Some(row) if rest.starts_with(['\n', '\r']) => row.trim_end_matches('\r').len(),
        // If other parts are on the line, remove the space before this one.
        None if ends_row => blank.len(),
        _ => start,
    };
    let comma = match (after, part.checked_sub(1)) {
        (Some(comma), _) if comma >= end => Some(comma),
        (None, Some(before)) => Some(read.next(parts[before].1)),
        _ => None,
    };
    let mut left = text.to_owned();
    left.replace_range(start..end, "");
    if let Some(comma) = comma {
        let moved = if comma < start { 0 } else { end - start };
        left.remove(comma - moved);
    }
    if parts.len() == 1 {
        let node = &read.nodes[container];
        let inside = node.start + 1..node.end - 1 - (text.len() - left.len());
        if left[inside.clone()].trim().is_empty() {
            left.replace_range(inside, "");
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entries() -> Vec<(&'static str, Value)> {
        let group = json!({ "hooks": [{ "type": "command", "command": "slope hook x" }] });
        vec![("Edit", group.clone()), ("Stop", group)]
    }

    const FILES: &[&str] = &[
        "{}",
        "{}\n",
        "{\n}\n",
        "{ \"a\": 1 }",
        "{\n  \"a\": [1, 2]\n}\n",
        "{\n\t\"a\": 1,\n\t\"hooks\": {}\n}\n",
        "{\n    // mine\n    \"a\": 1, // one\n    \"hooks\": {\n        \"Edit\": [ { \"matcher\": \"X\", \
         \"hooks\": [ { \"type\": \"command\", \"command\": \"fmt\" } ] } ],\n    },\n}\n",
        "{\"hooks\":{\"Stop\":[]}}",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \
         \"command\": \"bell\"\n          }\n        ]\n      }\n    ]\n  },\n  \"z\": null\n}",
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        "{ /* nothing yet */ }",
    ];

    #[test]
    fn inserted_hooks_can_be_removed_exactly() {
        for &file in FILES {
            let (added, patches) = add(file, &entries()).unwrap();
            let ours = commands(&added).unwrap();
            let ours = ours.iter().filter(|(_, c)| c == "slope hook x");
            assert_eq!(ours.count(), 2, "{added}");
            let mut back = added.clone();
            for patch in patches.iter().rev() {
                back = patch.take_back(&back).unwrap();
            }
            assert_eq!(back, file, "{added}");
        }
    }

    #[test]
    fn removal_keeps_hooks_of_others() {
        for &file in FILES {
            let others = commands(file).unwrap();
            let (added, _) = add(file, &entries()).unwrap();
            let left = take_out(&added, &|c| c == "slope hook x", &|_| true).unwrap();
            assert_eq!(commands(&left).unwrap(), others, "{left}");
            Document::read(&left).unwrap();
        }
        let (added, _) = add("{}\n", &entries()).unwrap();
        let left = take_out(&added, &|_| true, &|_| true).unwrap();
        assert_eq!(left, "{}\n");
        assert!(is_empty(&left));
    }

    #[test]
    fn inserted_rows_match_existing_layout() {
        let (added, _) = add("{\n\t\"a\": 1\n}\n", &entries()[..1]).unwrap();
        assert_eq!(
            added,
            "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Edit\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\
             \t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"slope hook x\"\n\
             \t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n"
        );
    }

    #[test]
    fn unexpected_settings_types_are_refused() {
        for (file, said) in [
            (
                "[]",
                "the file is not an object (`{}`), which the agent expects",
            ),
            (
                "{\"hooks\": []}",
                "`hooks` is not an object (`{}`), which the agent expects",
            ),
            (
                "{\"hooks\": {\"Stop\": {}}}",
                "`hooks.Stop` is not a list (`[]`), which the agent expects",
            ),
            ("{\"a\": }", "line 1, column 7: this is not a JSON value"),
        ] {
            assert_eq!(add(file, &entries()).unwrap_err().to_string(), said);
        }
    }
}
