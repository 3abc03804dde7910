//! What changes nothing about quality changes no component.

use slope_model::grade::Grade;

use crate::common::Desk;

/// Largest change of a component.
const MOST: f64 = 0.02;

const BASE: &str =
    "def load(path):\n    with open(path) as handle:\n        return handle.read()\n";

const EDIT: &str = r#"def load(path):
    with open(path) as handle:
        return handle.read()


def pick(rows, limit):
    chosen = []
    for row in rows:
        if row.weight > limit and row.name:
            chosen.append(row.name)
        elif row.fallback:
            if limit > 3:
                chosen.append(row.fallback)
    return chosen
"#;

fn components(grade: &Grade) -> [f64; 7] {
    let c = grade.components;
    [
        c.p_cx,
        c.p_dup,
        c.p_dead,
        c.p_dev,
        c.p_contract,
        c.p_min,
        c.b_reuse,
    ]
    .map(|value| value.unwrap())
}

/// Compares an edit with the same edit in another form.
fn is_same(files: &[(&str, &str)]) {
    let desk = Desk::new(&[("a.py", BASE)]);
    let plain = components(&desk.grade(&[("a.py", EDIT)]));
    let other = components(&desk.grade(files));
    for (one, two) in plain.iter().zip(other) {
        assert!((one - two).abs() <= MOST, "{plain:?} {other:?}");
    }
}

#[test]
fn renaming_changes_no_component() {
    is_same(&[(
        "a.py",
        &EDIT
            .replace("chosen", "names_found")
            .replace("row.", "item.")
            .replace("for row", "for item"),
    )]);
}

#[test]
fn comments_change_no_component() {
    let commented = EDIT.replace(
        "    chosen = []",
        "    # Rows that are heavy enough, by name.\n    chosen = []",
    );
    is_same(&[("a.py", &commented)]);
}

#[test]
fn layout_changes_no_component() {
    let laid_out = EDIT.replace(
        "if row.weight > limit and row.name:",
        "if (\n            row.weight > limit\n            and row.name\n        ):",
    );
    is_same(&[("a.py", &laid_out)]);
}

#[test]
fn line_ends_change_no_component() {
    is_same(&[("a.py", &EDIT.replace('\n', "\r\n"))]);
}

#[test]
fn another_place_changes_no_component() {
    let (load, pick) = EDIT.split_once("\n\n\n").unwrap();
    is_same(&[("a.py", &format!("{pick}\n\n{load}\n"))]);
}
