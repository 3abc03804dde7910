//! Copies of tables in another form.

use crate::common::copies;

const ROWS: [(&str, &str); 12] = [
    ("red", "image/ruby"),
    ("green", "image/jade"),
    ("blue", "image/sky"),
    ("amber", "image/resin"),
    ("violet", "image/petal"),
    ("indigo", "image/dye"),
    ("teal", "image/duck"),
    ("olive", "image/oil"),
    ("coral", "image/reef"),
    ("khaki", "image/cloth"),
    ("ivory", "image/tusk"),
    ("lime", "image/fruit"),
];

/// The rows of a table: `K` is a key, `V` its value, `N` its number, and `U` the key with a capital.
fn rows(row: &str, count: usize) -> String {
    let row = |(n, (key, value)): (usize, &(&str, &str))| {
        let upper = key[..1].to_uppercase() + &key[1..];
        row.replace('K', key)
            .replace('V', value)
            .replace('N', &(n + 300).to_string())
            .replace('U', &upper)
    };
    ROWS[..count].iter().enumerate().map(row).collect()
}

/// Path, begin, row and end of a table.
type Form = [&'static str; 4];

fn text_of([_, begin, row, end]: &Form, count: usize) -> String {
    format!("{begin}{}{end}", rows(row, count))
}

/// A table, another form of it, and whether that is a copy.
const PAIRS: &[(Form, Form, bool)] = &[
    // Signs around texts, and flat pairs the other way round.
    (
        [
            "a.go",
            "package a\n\nvar a = map[string]int{\n",
            "\t\".K\": N,\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = map[string]bool{\n",
            "\t\"K\": true,\n",
            "}\n",
        ],
        true,
    ),
    (
        [
            "a.go",
            "package a\n\nvar a = []string{\n",
            "\t\"{K}\", \"{V}\",\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = map[string]string{\n",
            "\t\"V\": \"K\",\n",
            "}\n",
        ],
        true,
    ),
    // A list of calls, and one of structures.
    (
        [
            "a.go",
            "package a\n\nvar a = []string{\n",
            "\t\"V\",\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = []c.D{\n",
            "\tc.Parse(\"V\"),\n",
            "}\n",
        ],
        true,
    ),
    (
        [
            "a.go",
            "package a\n\nvar a = map[string]string{\n",
            "\t\"K\": \"V\",\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = []C{\n",
            "\t{Name: \"K\", Size: N, Kind: \"V\"},\n",
            "}\n",
        ],
        false,
    ),
    (
        [
            "a.go",
            "package a\n\nvar a = []C{\n",
            "\t{Name: \"K\", Size: N, Kind: \"V\"},\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = map[string]string{\n",
            "\t\"K\": \"V\",\n",
            "}\n",
        ],
        true,
    ),
    // Names of the code.
    (
        [
            "a.go",
            "package a\n\nvar a = []int{\n",
            "\tc.KindU,\n",
            "}\n",
        ],
        [
            "b.go",
            "package b\n\nvar b = map[int]string{\n",
            "\tc.KindU: \"V\",\n",
            "}\n",
        ],
        true,
    ),
    (
        ["a.py", "A = {\n", "    N: levels.U,\n", "}\n"],
        ["b.py", "B = {\n", "    N: \"U\",\n", "}\n"],
        true,
    ),
    (
        ["a.py", "class A(IntEnum):\n", "    K = N, \"V\"\n", ""],
        ["b.py", "B = {\n", "    N: \"V\",\n", "}\n"],
        true,
    ),
    // A `match`, and the way back.
    (
        [
            "a.rs",
            "pub fn a(b: u32) -> Option<&'static str> {\n    match b {\n",
            "        N => Some(\"V\"),\n",
            "        _ => None,\n    }\n}\n",
        ],
        [
            "b.rs",
            "pub const B: [(&str, u32); 12] = [\n",
            "    (\"V\", N),\n",
            "];\n",
        ],
        true,
    ),
    (
        [
            "a.rs",
            "pub fn a(b: &A) -> &'static str {\n    match b {\n",
            "        A::U => \"K\",\n",
            "    }\n}\n",
        ],
        [
            "b.rs",
            "pub fn b(c: &str) -> Option<A> {\n    match c {\n",
            "        \"K\" => Some(A::U),\n",
            "        _ => None,\n    }\n}\n",
        ],
        false,
    ),
];

#[test]
fn tables_in_other_forms_are_copies() {
    for (old, new, is_copy) in PAIRS {
        let (before, after) = (text_of(old, 12), text_of(new, 12));
        let found = copies((old[0], &before), (new[0], &after));
        assert_eq!(found, usize::from(*is_copy), "{before}\n{after}");
    }
}

#[test]
fn parts_of_larger_tables_are_copies() {
    let form: Form = ["a.ts", "export const A = {\n", "  K: 'V',\n", "};\n"];
    let part = text_of(&form, 8).replace("A =", "B =");
    let others: String = (0..20)
        .map(|n| format!("  key{n}: 'text/value{n}',\n"))
        .collect();
    let whole = format!("{}{}{others}}};\n", form[1], rows(form[2], 12));
    assert_eq!(copies(("a.ts", &whole), ("b.ts", &part)), 1);
}

#[test]
fn copies_may_add_their_own_rows() {
    let form: Form = ["a.ts", "export const A = {\n", "  K: 'V',\n", ""];
    let whole = format!("{}}};\n", text_of(&form, 12));
    let own: String = (0..4)
        .map(|n| format!("  key{n}: 'text/value{n}',\n"))
        .collect();
    let edited = format!("{}{own}}};\n", text_of(&form, 12)).replace("A =", "B =");
    assert_eq!(copies(("a.ts", &whole), ("b.ts", &edited)), 1);
}

#[test]
fn same_groups_in_other_units_are_copies() {
    let table = |name: &str, value: &dyn Fn(usize) -> String| {
        let rows = ROWS.iter().enumerate();
        let rows: String = rows
            .map(|(n, (key, _))| format!("\t\"{key}\": {},\n", value(n)))
            .collect();
        format!("package a\n\nvar {name} = map[string]int{{\n{rows}}}\n")
    };
    let named = table("a", &|n| format!("time.Unit{}", n / 3));
    // As many to a group, fewer, and none.
    for (size, expected) in [(3, 1), (2, 0), (1, 0)] {
        let other = table("b", &|n| (n / size + 500).to_string());
        assert_eq!(
            copies(("a.go", &named), ("b.go", &other)),
            expected,
            "{other}"
        );
    }
}

#[test]
fn variants_are_not_copies_of_texts() {
    let form: Form = [
        "b.rs",
        "pub fn b(c: &str) -> Option<A> {\n    match c {\n",
        "        \"K\" => Some(A::U),\n",
        "        _ => None,\n    }\n}\n",
    ];
    let names: Form = [
        "b.rs",
        "pub fn b(c: &A) -> &'static str {\n    match c {\n",
        "        A::U => \"K-\",\n",
        "    }\n}\n",
    ];
    let variants = format!("pub enum A {{\n{}}}\n", rows("    U,\n", 12));
    assert_eq!(
        copies(("a.rs", &variants), ("b.rs", &text_of(&form, 12))),
        0
    );
    let names = text_of(&names, 12);
    assert_eq!(copies(("a.rs", &variants), ("b.rs", &names)), 0);
    assert_eq!(copies(("b.rs", &names), ("a.rs", &variants)), 0);
}
