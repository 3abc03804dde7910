//! Comparison of JSON values with the options of a case.

use std::cmp::Ordering;

use serde_json::Value;
use slope_model::cases::{Compare, JsonPath, Location, Place, at, at_mut, show};
use slope_model::plural;

use super::text::shown;

/// Largest size of two arrays whose order does not matter: the comparison is quadratic.
const MAX_UNORDERED: usize = 5000;

/// Comparison of two values, the expected one first.
pub(super) struct Comparison<'a> {
    compare: &'a Compare,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(compare: &'a Compare) -> Self {
        Self { compare }
    }

    /// `value` without the parts to ignore, and sorted if requested.
    pub(super) fn normalised(&self, mut value: Value) -> Value {
        let ignored = self.compare.ignore.iter().flat_map(|p| p.select(&value));
        let mut ignored: Vec<Location> = ignored.collect();
        // From the end, so that a removal does not shift later ones.
        ignored.sort();
        ignored.dedup();
        for location in ignored.iter().rev() {
            remove(&mut value, location);
        }
        for (path, key) in &self.compare.sort_by {
            for location in path.select(&value) {
                if let Some(Value::Array(items)) = at_mut(&mut value, &location) {
                    items.sort_by(|a, b| order(dotted(a, key), dotted(b, key)));
                }
            }
        }
        value
    }

    /// Path and description of the first difference between `want` and `have`, both normalised.
    pub(super) fn difference(&self, want: &Value, have: &Value) -> Option<String> {
        self.below(&mut Vec::new(), want, have)
    }

    /// The same for values at `location`.
    pub(super) fn difference_at(
        &self,
        mut location: Location,
        want: &Value,
        have: &Value,
    ) -> Option<String> {
        self.below(&mut location, want, have)
    }

    /// The first of `wanted` that equals no unclaimed item of `items`, the array at `location`.
    pub(super) fn not_among<'v>(
        &self,
        location: &Location,
        wanted: &'v [Value],
        items: &[Value],
    ) -> Option<&'v Value> {
        let equal = |want: &Value, index: usize| {
            let mut at = location.clone();
            at.push(Place::Index(index));
            self.below(&mut at, want, &items[index]).is_none()
        };
        let unmatched = unmatched(wanted.len(), items.len(), |w, h| equal(&wanted[w], h));
        unmatched.map(|index| &wanted[index])
    }

    fn below(&self, location: &mut Location, want: &Value, have: &Value) -> Option<String> {
        match (want, have) {
            (Value::Object(a), Value::Object(b)) => {
                if let Some(key) = a.keys().find(|k| !b.contains_key(*k)) {
                    return Some(format!("{} is missing", key_at(location, key)));
                }
                let extra = b.keys().find(|k| !a.contains_key(*k));
                if let Some(key) = extra.filter(|_| !self.compare.subset) {
                    return Some(format!("{} is not expected", key_at(location, key)));
                }
                a.iter().find_map(|(key, value)| {
                    self.deeper(location, Place::Key(key.clone()), value, &b[key])
                })
            }
            (Value::Array(a), Value::Array(b)) => self.arrays(location, a, b),
            (Value::Number(a), Value::Number(b)) if self.same_number(a, b) => None,
            _ if want == have => None,
            _ => Some(format!(
                "{} is {}, expected {}",
                show(location),
                shown(&have.to_string()),
                shown(&want.to_string())
            )),
        }
    }

    fn deeper(
        &self,
        location: &mut Location,
        place: Place,
        want: &Value,
        have: &Value,
    ) -> Option<String> {
        location.push(place);
        let difference = self.below(location, want, have);
        location.pop();
        difference
    }

    fn arrays(&self, location: &mut Location, want: &[Value], have: &[Value]) -> Option<String> {
        if want.len() != have.len() {
            let (place, got, wanted) = (show(location), have.len(), want.len());
            return Some(format!(
                "{place} has {}, expected {wanted}",
                plural(got, "item")
            ));
        }
        let unordered = self.compare.unordered.iter().any(|p| p.leads_to(location));
        if !unordered {
            let mut pairs = want.iter().zip(have).enumerate();
            return pairs.find_map(|(i, (x, y))| self.deeper(location, Place::Index(i), x, y));
        }
        if want.len() > MAX_UNORDERED {
            let place = show(location);
            return Some(format!(
                "{place} has more than {MAX_UNORDERED} items, too many for `unordered`; use `sort_by`"
            ));
        }
        let missing = self.not_among(location, want, have)?;
        Some(format!(
            "{} has no item {} (in any order)",
            show(location),
            shown(&missing.to_string())
        ))
    }

    fn same_number(&self, want: &serde_json::Number, have: &serde_json::Number) -> bool {
        if want == have {
            return true;
        }
        let (Some(a), Some(b)) = (want.as_f64(), have.as_f64()) else {
            return false;
        };
        if self.compare.tolerance > 0.0 {
            // Inexact binary fractions must not cause a failure: 1.01 is within 0.01 of 1.
            let rounding = f64::EPSILON * (a.abs() + b.abs());
            return (a - b).abs() <= self.compare.tolerance + rounding;
        }
        // Whole numbers that differ may have the same nearest floating point number.
        (want.is_f64() || have.is_f64()) && a == b
    }
}

/// The first of `wanted` items left over when as many as possible have a partner of their own among
/// `had`.
fn unmatched(wanted: usize, had: usize, equal: impl Fn(usize, usize) -> bool) -> Option<usize> {
    // Equality with a tolerance is not transitive, so the first fitting partner may be the wrong
    // one: partners are reassigned along augmenting paths until no more items can be matched.
    let mut partner: Vec<Option<usize>> = vec![None; had];
    let fits: Vec<Vec<usize>> = (0..wanted)
        .map(|w| (0..had).filter(|&h| equal(w, h)).collect())
        .collect();
    (0..wanted).find(|&w| !place(w, &fits, &mut partner))
}

/// Finds a partner for `first`, reassigning others. Returns whether there is one.
fn place(first: usize, fits: &[Vec<usize>], partner: &mut [Option<usize>]) -> bool {
    let mut came_from: Vec<Option<usize>> = vec![None; partner.len()];
    let mut waiting = vec![first];
    while let Some(w) = waiting.pop() {
        for &h in &fits[w] {
            if came_from[h].is_some() {
                continue;
            }
            came_from[h] = Some(w);
            match partner[h] {
                Some(other) => waiting.push(other),
                None => {
                    move_along(h, first, &came_from, partner);
                    return true;
                }
            }
        }
    }
    false
}

/// Assigns `free` along an augmenting path: each item passes its old partner to the one before it,
/// up to `first`.
fn move_along(
    free: usize,
    first: usize,
    came_from: &[Option<usize>],
    partner: &mut [Option<usize>],
) {
    let mut taken = free;
    while let Some(w) = came_from[taken] {
        let before = partner.iter().position(|p| *p == Some(w));
        partner[taken] = Some(w);
        match before.filter(|_| w != first) {
            Some(h) => taken = h,
            None => return,
        }
    }
}

fn key_at(location: &Location, key: &str) -> String {
    let mut deeper = location.clone();
    deeper.push(Place::Key(key.to_owned()));
    show(&deeper)
}

fn remove(value: &mut Value, location: &[Place]) {
    let Some((last, parents)) = location.split_last() else {
        *value = Value::Null;
        return;
    };
    match (at_mut(value, parents), last) {
        (Some(Value::Object(map)), Place::Key(key)) => drop(map.remove(key)),
        (Some(Value::Array(items)), Place::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        _ => {}
    }
}

fn dotted<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.')
        .try_fold(value, |value, key| value.get(key))
        .unwrap_or(&Value::Null)
}

/// Orders values: numbers by value, texts by code point, all others by their JSON text.
fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => match (x.as_i64(), y.as_i64()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => x
                .as_f64()
                .partial_cmp(&y.as_f64())
                .unwrap_or(Ordering::Equal),
        },
        (Value::String(x), Value::String(y)) => x.cmp(y),
        _ => (rank(a), a.to_string()).cmp(&(rank(b), b.to_string())),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// The only value at `path`.
pub(super) fn only<'v>(path: &JsonPath, value: &'v Value) -> Result<(Location, &'v Value), String> {
    let mut found = path.select(value);
    match (found.pop(), found.len()) {
        (Some(location), 0) => match at(value, &location) {
            Some(there) => Ok((location, there)),
            None => Err(format!("nothing is at {path}")),
        },
        (Some(_), more) => Err(format!("{} values are at {path}, expected one", more + 1)),
        (None, _) => Err(format!("nothing is at {path}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn compare(json: Value) -> Compare {
        serde_json::from_value(json).unwrap()
    }

    fn differ(compare: &Compare, want: &Value, have: &Value) -> Option<String> {
        let comparison = Comparison::new(compare);
        let [want, have] = [want, have].map(|v| comparison.normalised(v.clone()));
        comparison.difference(&want, &have)
    }

    #[test]
    fn each_comparison_mode_accepts_and_refuses() {
        let items = json!({"items": [{"id": 2, "at": 7}, {"id": 1, "at": 8}], "n": 1.5});
        for (how, want, right, wrong, said) in [
            (
                json!({"subset": true}),
                json!({"n": 1.5}),
                items.clone(),
                json!({"n": 2}),
                "$.n is 2",
            ),
            (
                json!({"subset": true}),
                json!({"items": [{"id": 2}, {"id": 1}]}),
                items.clone(),
                json!({"items": [{"id": 2}]}),
                "$.items has 1 item",
            ),
            (
                json!({"tolerance": 0.01}),
                json!([1.0, 2]),
                json!([1.01, 1.995]),
                json!([1.02, 2]),
                "$[0] is 1.02",
            ),
            (
                json!({"unordered": ["$"]}),
                json!([1, 1, 2]),
                json!([2, 1, 1]),
                json!([1, 2, 2]),
                "no item 1",
            ),
            (
                json!({"sort_by": {"$.items": "id"}, "ignore": ["$..at"]}),
                json!({"n": 1.5, "items": [{"id": 1}, {"id": 2}]}),
                items,
                json!({"n": 1.5, "items": [{"id": 3}, {"id": 1}]}),
                "$.items[1].id is 3",
            ),
            (
                json!({"ignore": ["$[*]"]}),
                json!([1, 2]),
                json!([]),
                json!({}),
                "$ is {}",
            ),
        ] {
            let how = compare(how);
            assert_eq!(differ(&how, &want, &right), None);
            let why = differ(&how, &want, &wrong).unwrap();
            assert!(why.contains(said), "{why}");
            assert!(
                differ(&Compare::default(), &want, &right).is_some(),
                "{want}"
            );
        }
    }

    #[test]
    fn large_integers_compare_exactly() {
        let exact = Compare::default();
        assert!(
            differ(
                &exact,
                &json!(9_007_199_254_740_993_u64),
                &json!(9_007_199_254_740_992_u64)
            )
            .is_some()
        );
        assert_eq!(differ(&exact, &json!(1), &json!(1.0)), None);
    }

    /// If 0.4 fits two and 0.0 fits one, that one must be left to 0.0, whatever the order.
    #[test]
    fn unordered_tolerant_lists_find_a_matching() {
        let how = compare(json!({"unordered": ["$"], "tolerance": 0.5}));
        for want in [
            json!([0.4, 0.0, 0.8]),
            json!([0.0, 0.4, 0.8]),
            json!([0.8, 0.4, 0.0]),
        ] {
            for have in [
                json!([-0.5, 0.1, 1.2]),
                json!([1.2, 0.1, -0.5]),
                json!([0.1, 1.2, -0.5]),
            ] {
                assert_eq!(differ(&how, &want, &have), None, "{want} {have}");
            }
        }
        assert!(differ(&how, &json!([0.0, 0.1]), &json!([0.3, 9])).is_some());
    }

    #[test]
    fn unordered_lists_match_in_any_order() {
        let how = compare(json!({"unordered": ["$..list"]}));
        let list: Vec<Value> = (0..6).map(|n| json!({"n": n % 4})).collect();
        let whole = |list: &[Value]| json!({"a": {"list": list}});
        for turn in 0..6 {
            let mut other = list.clone();
            other.rotate_left(turn);
            other.swap(0, 3);
            assert_eq!(differ(&how, &whole(&list), &whole(&other)), None);
            other[turn] = json!({"n": 9});
            assert!(differ(&how, &whole(&list), &whole(&other)).is_some());
        }
    }

    #[test]
    fn path_must_select_one_value() {
        let value = json!({"a": [1, 2]});
        let path = |text: &str| JsonPath::try_from(text.to_owned()).unwrap();
        assert_eq!(only(&path("$.a[1]"), &value).unwrap().1, &json!(2));
        assert!(
            only(&path("$.a[*]"), &value)
                .unwrap_err()
                .contains("2 values")
        );
        assert!(
            only(&path("$.b"), &value)
                .unwrap_err()
                .contains("nothing is at")
        );
    }
}
