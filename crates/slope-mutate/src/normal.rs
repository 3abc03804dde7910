//! Code whose local names say nothing, for judges whom names could sway.

use std::collections::BTreeMap;

use crate::copies::renamable;
use crate::draft::{Edit, applied, errors};
use crate::function::Function;
use crate::unit::Unit;

/// Code with numbered names for the locals and parameters of its functions. Names that other code can see stay. `None` in a
/// language whose locals slope cannot rename, and if the renamed code does not parse.
#[must_use]
pub fn with_numbered_locals(path: &str, text: &str) -> Option<String> {
    let unit = Unit::read(path, text)?;
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    for function in &unit.functions {
        let names = numbered(&unit, function);
        for node in unit.names(&(function.head.start..function.body.end)) {
            if let Some(new) = names.get(unit.at(node)) {
                let place = unit.range(node);
                // A function around this one has renamed it already.
                edits
                    .entry(place.start)
                    .or_insert_with(|| Edit::new(place, &**new));
            }
        }
    }
    let edits: Vec<Edit> = edits.into_values().collect();
    let renamed = applied(unit.text(), &edits)?;
    (errors(path, &renamed) <= unit.errors()).then_some(renamed)
}

/// New names by the old ones. Parameters that callers may name keep theirs.
fn numbered<'u>(unit: &Unit, function: &'u Function) -> BTreeMap<&'u str, String> {
    let is_seen = |name: &&str| {
        let is_parameter = function.params.iter().any(|it| it.name == *name);
        is_parameter && unit.text().contains(&format!("{name}="))
    };
    let names = renamable(unit, function).into_iter();
    let names = names.filter(|name| !is_seen(name));
    let free = (1..).map(|number| format!("v{number}"));
    names.zip(free.filter(|new| !unit.has_word(new))).collect()
}

#[cfg(test)]
mod tests {
    use super::with_numbered_locals;

    #[test]
    fn locals_are_numbered_in_each_language() {
        for (path, code, expected) in [
            (
                "a.py",
                "def f(price, rate=2):\n    total = price * rate\n    return total.price\n",
                "def f(v1, rate=2):\n    v2 = v1 * rate\n    return v2.price\n",
            ),
            (
                "a.rs",
                "fn f(price: u32) -> u32 {\n    let total = price * 2;\n    total\n}\n",
                "fn f(v1: u32) -> u32 {\n    let v2 = v1 * 2;\n    v2\n}\n",
            ),
            (
                "a.go",
                "package a\n\nfunc f(price int) int {\n\ttotal := price * 2\n\treturn total\n}\n",
                "package a\n\nfunc f(v1 int) int {\n\tv2 := v1 * 2\n\treturn v2\n}\n",
            ),
            (
                "a.ts",
                "function f(price: number) {\n  const total = price * 2;\n  return { total: total };\n}\n",
                "function f(v1: number) {\n  const v2 = v1 * 2;\n  return { total: v2 };\n}\n",
            ),
        ] {
            assert_eq!(with_numbered_locals(path, code).as_deref(), Some(expected));
        }
        assert_eq!(with_numbered_locals("a.sh", "f() { local a=1; }\n"), None);
    }

    #[test]
    fn names_do_not_change_results() {
        let code = |name: &str| {
            format!(
                "def f(v1):\n    {name} = v1 + 1\n    def g():\n        return {name}\n    return g\n"
            )
        };
        let renamed = |name: &str| with_numbered_locals("a.py", &code(name)).unwrap();
        assert_eq!(renamed("good"), renamed("bad"));
        assert_ne!(renamed("good"), code("good"));
    }
}
