//! Paths into JSON values: `$`, `.key`, `["any key"]`, `[3]`, `[*]`, `.*`, `..key`.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Position of a value in a JSON value.
pub type Location = Vec<Place>;

/// One step down into a JSON value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The value of this key.
    Key(String),
    /// The item at this index, from 0.
    Index(usize),
}

/// A path, which may select several values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JsonPath {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Key(String),
    Index(usize),
    /// Every item or value.
    Every,
    /// This key at any depth.
    Anywhere(String),
}

impl JsonPath {
    /// The positions in `value` that the path selects, in document order.
    #[must_use]
    pub fn select(&self, value: &Value) -> Vec<Location> {
        let mut found = vec![Vec::new()];
        for part in &self.parts {
            let mut next = Vec::new();
            for location in found {
                if let Some(here) = at(value, &location) {
                    step(part, here, &location, &mut next);
                }
            }
            found = next;
        }
        found
    }

    /// Whether the path can select `location`, in any value.
    #[must_use]
    pub fn leads_to(&self, location: &[Place]) -> bool {
        leads(&self.parts, location)
    }
}

fn leads(parts: &[Part], location: &[Place]) -> bool {
    let Some((part, parts)) = parts.split_first() else {
        return location.is_empty();
    };
    match (part, location.split_first()) {
        (Part::Anywhere(key), _) => (0..location.len()).any(|i| {
            matches!(&location[i], Place::Key(k) if k == key) && leads(parts, &location[i + 1..])
        }),
        (Part::Every, Some((_, rest))) => leads(parts, rest),
        (Part::Key(key), Some((Place::Key(k), rest))) => k == key && leads(parts, rest),
        (Part::Index(index), Some((Place::Index(i), rest))) => i == index && leads(parts, rest),
        _ => false,
    }
}

fn step(part: &Part, value: &Value, location: &Location, found: &mut Vec<Location>) {
    let below = |place: Place| {
        let mut deeper = location.clone();
        deeper.push(place);
        deeper
    };
    match part {
        Part::Key(key) if value.get(key).is_some() => found.push(below(Place::Key(key.clone()))),
        Part::Index(index) if value.get(*index).is_some() => {
            found.push(below(Place::Index(*index)));
        }
        Part::Every => found.extend(children(value).map(|(place, _)| below(place))),
        Part::Anywhere(key) => {
            for (place, child) in children(value) {
                let deeper = below(place.clone());
                if matches!(&place, Place::Key(k) if k == key) {
                    found.push(deeper.clone());
                }
                step(part, child, &deeper, found);
            }
        }
        _ => {}
    }
}

/// The direct children of `value`.
fn children(value: &Value) -> impl Iterator<Item = (Place, &Value)> {
    let items = value.as_array().into_iter().flatten().enumerate();
    let values = value.as_object().into_iter().flatten();
    items
        .map(|(i, v)| (Place::Index(i), v))
        .chain(values.map(|(k, v)| (Place::Key(k.clone()), v)))
}

/// The value at `location`.
#[must_use]
pub fn at<'a>(value: &'a Value, location: &[Place]) -> Option<&'a Value> {
    location.iter().try_fold(value, |value, place| match place {
        Place::Key(key) => value.get(key),
        Place::Index(index) => value.get(*index),
    })
}

/// The value at `location`, to be changed.
#[must_use]
pub fn at_mut<'a>(value: &'a mut Value, location: &[Place]) -> Option<&'a mut Value> {
    location.iter().try_fold(value, |value, place| match place {
        Place::Key(key) => value.get_mut(key),
        Place::Index(index) => value.get_mut(*index),
    })
}

/// `location` as a path.
#[must_use]
pub fn show(location: &[Place]) -> String {
    let mut text = "$".to_owned();
    for place in location {
        match place {
            Place::Key(key) if is_plain(key) => text += &format!(".{key}"),
            Place::Key(key) => text += &format!("[{key:?}]"),
            Place::Index(index) => text += &format!("[{index}]"),
        }
    }
    text
}

fn is_plain(key: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    !key.is_empty() && key.chars().all(plain)
}

impl fmt::Display for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<JsonPath> for String {
    fn from(path: JsonPath) -> Self {
        path.text
    }
}

impl TryFrom<String> for JsonPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let bad = || {
            format!(
                "`{text}` is not a path; write `$`, then `.key`, `[\"key\"]`, `[3]`, `[*]`, `.*` or `..key`"
            )
        };
        let mut rest = text.strip_prefix('$').ok_or_else(bad)?;
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let (part, left) = part(rest).ok_or_else(bad)?;
            parts.push(part);
            rest = left;
        }
        Ok(Self { text, parts })
    }
}

/// The first part of `rest`, and the remainder.
fn part(rest: &str) -> Option<(Part, &str)> {
    for every in [".*", "[*]"] {
        if let Some(rest) = rest.strip_prefix(every) {
            return Some((Part::Every, rest));
        }
    }
    if let Some(dotted) = rest.strip_prefix('.') {
        let deep = dotted.strip_prefix('.');
        let (key, rest) = key(deep.unwrap_or(dotted))?;
        let part = deep.map_or(Part::Key as fn(_) -> _, |_| Part::Anywhere);
        return Some((part(key), rest));
    }
    let inner = rest.strip_prefix('[')?;
    if inner.starts_with('"') {
        let mut keys = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let key = keys.next()?.ok()?;
        let rest = inner.get(keys.byte_offset()..)?.strip_prefix(']')?;
        return Some((Part::Key(key), rest));
    }
    let (index, rest) = inner.split_once(']')?;
    Some((Part::Index(index.parse().ok()?), rest))
}

fn key(rest: &str) -> Option<(String, &str)> {
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .unwrap_or(rest.len());
    (end > 0).then(|| (rest[..end].to_owned(), &rest[end..]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn path(text: &str) -> JsonPath {
        text.to_owned().try_into().unwrap()
    }

    #[test]
    fn selected_locations_lead_back_to_path() {
        let value = json!({"a": [{"id": 1, "x y": 2}, {"id": 3}], "id": {"id": 4}});
        for (text, wanted) in [
            ("$", vec!["$"]),
            ("$.a[1].id", vec!["$.a[1].id"]),
            ("$.a[*].id", vec!["$.a[0].id", "$.a[1].id"]),
            ("$.a[0][\"x y\"]", vec!["$.a[0][\"x y\"]"]),
            ("$..id", vec!["$.a[0].id", "$.a[1].id", "$.id", "$.id.id"]),
            ("$.*", vec!["$.a", "$.id"]),
            ("$.b", vec![]),
            ("$.a.id", vec![]),
        ] {
            let found = path(text).select(&value);
            let shown: Vec<_> = found.iter().map(|l| show(l)).collect();
            assert_eq!(shown, wanted, "{text}");
            for location in &found {
                assert!(path(text).leads_to(location) && at(&value, location).is_some());
                assert!(path(&show(location)).leads_to(location));
            }
            assert_eq!(
                path(text).leads_to(&[Place::Key("b".into())]),
                text == "$.b" || text == "$.*"
            );
        }
    }

    #[test]
    fn invalid_json_path_is_refused() {
        for bad in [
            "", "a", "$a", "$.", "$..", "$[", "$[x]", "$[\"a]", "$.a b", "$[-1]",
        ] {
            assert!(JsonPath::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
