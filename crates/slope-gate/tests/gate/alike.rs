//! How alike a copy is, and the gate's answer to it.

use crate::common::Repo;
use slope_gate::Head;
use slope_model::gate::{GateRule, Level, Violation};
use slope_testkit::HELPER;

/// The gate's answer to new code next to other code.
fn clones(old: (&str, &str), new: (&str, &str)) -> Vec<Violation> {
    let repo = Repo::new(&[old]);
    repo.write(&[new]);
    let violations = repo.judge(None, Head::Worktree).violations.into_iter();
    let clones = violations.filter(|v| v.rule == GateRule::NewClone);
    clones.collect()
}

fn clone(old: (&str, &str), new: (&str, &str)) -> Violation {
    let found = clones(old, new);
    assert_eq!(found.len(), 1, "{found:?}");
    found.into_iter().next().unwrap()
}

const RENAME_USER: &str = "\
def rename_user(user_id, name):
    user = load_user(user_id)
    if user is None:
        raise UserMissing(user_id)
    user.name = name
    save_user(user)
    audit(\"rename\", user_id)
    return user
";

const HOLD_ORDER: &str = "\
def hold_order(order_id, reason):
    order = fetch_order(order_id)
    if order is None:
        raise OrderMissing(order_id)
    order.reason = reason
    push_order(order)
    notify(\"hold\", order_id)
    return order
";

#[test]
fn copy_with_other_calls_is_warning() {
    let found = clone(("users.py", RENAME_USER), ("orders.py", HOLD_ORDER));
    assert_eq!(found.level, Level::Warning);
    assert_eq!(
        found.message,
        "`hold_order` has the same form as `rename_user` (users.py:1) but for names."
    );
    assert!(!found.advice.contains("Call"), "{}", found.advice);
    let go = |name: &str, calls: [&str; 4]| {
        let [parse, load, fail, write] = calls;
        format!(
            "package b\n\nfunc {name}(w W, r R) {{\n\tid, err := {parse}(r)\n\tif err != nil {{\n\t\t\
             {fail}(w, err)\n\t\treturn\n\t}}\n\tx, err := {load}(id)\n\tif err != nil {{\n\t\t{fail}(w, err)\n\
             \t\treturn\n\t}}\n\t{write}(w, x)\n}}\n"
        )
    };
    let first = go("H1", ["parse", "load", "fail", "write"]);
    let second = go("H2", ["nameOf", "remove", "fail", "reply"]);
    assert_eq!(
        clone(("a.go", &first), ("b.go", &second)).level,
        Level::Warning
    );
    let copy = first.replace("H1", "H3").replace("err", "problem");
    let found = clone(("a.go", &first), ("c.go", &copy));
    assert_eq!(
        (found.level, &*found.advice),
        (Level::Error, "Call `H1` (a.go:3).")
    );
}

#[test]
fn same_named_methods_pass() {
    let class = |name: &str, code: &str, own: &str| {
        let method = code.replace(own, "change").replace("_id, ", "_id, self, ");
        let method: String = method.lines().map(|line| format!("    {line}\n")).collect();
        format!("class {name}:\n{method}")
    };
    let users = class("Users", RENAME_USER, "rename_user");
    let orders = class("Orders", HOLD_ORDER, "hold_order");
    assert_eq!(clones(("users.py", &users), ("orders.py", &orders)), []);
}

#[test]
fn copy_with_other_literals_suggests_parameter() {
    let old = ("users.py", RENAME_USER);
    let copy = RENAME_USER
        .replace("rename_user", "move")
        .replace("\"rename\"", "\"move\"");
    let found = clone(old, ("orders.py", &copy));
    assert_eq!(found.level, Level::Error);
    assert!(
        found.message.ends_with("(users.py:1) but for literals."),
        "{found:?}"
    );
    assert!(found.advice.starts_with("Give `rename_user`"), "{found:?}");
}

#[test]
fn translations_differing_in_text_pass() {
    let copy = RENAME_USER.replace("\"rename\"", "\"umbenennen\"");
    let told = |folder: &str| {
        let (old, new) = (format!("{folder}/en.py"), format!("{folder}/de.py"));
        clones((&old, RENAME_USER), (&new, &copy)).len()
    };
    assert_eq!((told("locales"), told("stores")), (0, 1));
}

#[test]
fn partial_copy_names_its_lines() {
    let body = HELPER.split_once('\n').unwrap().1;
    let more: String = (0..9)
        .map(|n| format!("    rows = step_{n}(rows, limit)\n"))
        .collect();
    let longer = format!("def prepare(rows, limit):\n{more}{body}");
    let found = clone(("lib/a.py", HELPER), ("lib/b.py", &longer));
    let message = format!("lines 2-{} of lib/a.py.", HELPER.trim_end().lines().count());
    assert!(found.message.ends_with(&message), "{found:?}");
    assert!(
        found
            .message
            .contains(" lines of `prepare` are the same as "),
        "{found:?}"
    );
    assert_eq!(found.advice, "Move them to a function that both call.");
}

#[test]
fn switch_tables_with_other_values_pass() {
    let switch = |name: &str, word: &str| {
        let arms: String = (0..24)
            .map(|n| format!("        \"Key{n}\" => \"{word} {n}\",\n"))
            .collect();
        format!(
            "class {name}\n{{\n    static string Text(string key) => key switch\n    {{\n{arms}        _ => null,\n    }};\n}}\n"
        )
    };
    let (welsh, basque) = (switch("Welsh", "gair"), switch("Basque", "hitz"));
    assert_eq!(clones(("Welsh.cs", &welsh), ("Basque.cs", &basque)), []);
    let copy = switch("Copy", "gair");
    assert_eq!(
        clone(("Welsh.cs", &welsh), ("Copy.cs", &copy)).level,
        Level::Error
    );
}

#[test]
fn similar_properties_pass() {
    let class = |name: &str, fields: [&str; 5]| {
        let private = fields
            .map(|f| format!("    private string _{f};\n"))
            .concat();
        let public = fields.map(|f| {
            format!(
                "\n    public string {f}\n    {{\n        get {{ return _{f}; }}\n        set {{ _{f} = value; \
                 OnPropertyChanged(nameof({f})); }}\n    }}\n"
            )
        });
        format!("public class {name}\n{{\n{private}{}}}\n", public.concat())
    };
    let first = class("Address", ["City", "Street", "Zip", "Land", "Note"]);
    let second = class("Parcel", ["Weight", "Sender", "Label", "Carrier", "Track"]);
    assert_eq!(clones(("A.cs", &first), ("B.cs", &second)), []);
}

/// A class of a view with properties that report their changes.
fn view_model(name: &str, properties: &[&str]) -> String {
    let property = |name: &&str| {
        format!(
            "    private string _{name};\n    public string {name}\n    {{\n        get {{ return _{name}; }}\n        set\n        {{\n            if (_{name} != value)\n            {{\n                _{name} = value;\n                OnPropertyChanged(nameof({name}));\n                Save();\n            }}\n        }}\n    }}\n"
        )
    };
    let properties: String = properties.iter().map(property).collect();
    format!("public class {name} : ViewModel\n{{\n{properties}}}\n")
}

#[test]
fn change_notifying_properties_pass() {
    let one = view_model("Order", &["Name", "Street", "Zip", "City", "Mail"]);
    let two = view_model("Book", &["Title", "Author", "Pages", "Isbn", "Shelf"]);
    assert_eq!(clones(("Order.cs", &one), ("Book.cs", &two)), []);
}

const KINDS: [&str; 12] = [
    "Red", "Green", "Blue", "Cyan", "Pink", "Gold", "Teal", "Lime", "Navy", "Plum", "Rust", "Sand",
];

/// For a language a function that gives each kind a number: begin, row and end. `F` is the function's name, `K` a
/// kind, and `N` its number.
const TABLES: [(&str, [&str; 3]); 5] = [
    (
        "rs",
        [
            "pub fn F(color: Color) -> u32 {\n    match color {\n",
            "        Color::K => N,\n",
            "    }\n}\n",
        ],
    ),
    (
        "go",
        [
            "package a\n\nfunc F(color Color) int {\n\tswitch color {\n",
            "\tcase K:\n\t\treturn N\n",
            "\t}\n\tpanic(\"no color\")\n}\n",
        ],
    ),
    (
        "ts",
        [
            "export function F(color: Color): number {\n  switch (color) {\n",
            "    case Color.K:\n      return N;\n",
            "  }\n}\n",
        ],
    ),
    (
        "py",
        [
            "def F(color):\n    match color:\n",
            "        case Color.K:\n            return N\n",
            "    raise ValueError(color)\n",
        ],
    ),
    (
        "java",
        [
            "class F {\n    static int of(Color color) {\n        switch (color) {\n",
            "            case K:\n                return N;\n",
            "        }\n        throw new AssertionError();\n    }\n}\n",
        ],
    ),
];

#[test]
fn values_for_all_kinds_are_no_copies() {
    for (ending, [begin, row, end]) in TABLES {
        let write = |name: &str, number: &dyn Fn(usize) -> usize| {
            let row = |(n, kind)| row.replace('N', &number(n).to_string()).replace('K', kind);
            let rows: Vec<String> = KINDS.into_iter().enumerate().map(row).collect();
            format!("{}{}{end}", begin.replace('F', name), rows.concat())
        };
        let old = (&*format!("a.{ending}"), &*write("Code", &|n| n + 30));
        let new = format!("b.{ending}");
        let found = clones(old, (&new, &write("Weight", &|n| n * n + 700)));
        assert_eq!(found.len(), 0, "{ending}: {found:?}");
        // The same values are the same table.
        let found = clones(old, (&new, &write("Weight", &|n| n + 30)));
        assert_eq!(found.len(), 1, "{ending}");
    }
}

#[test]
fn few_rows_make_no_table() {
    let code = |name: &str, number: usize| {
        let lines = (0..14).map(|n| format!("    out.set_{n}({})\n", number + n));
        let rows = (0..3).map(|n| format!("        case \"k{n}\":\n            out.mode = {n}\n"));
        let (lines, rows): (String, String) = (lines.collect(), rows.collect());
        format!("def {name}(out, kind):\n{lines}    match kind:\n{rows}    return out\n")
    };
    let found = clone(("a.py", &code("fill", 10)), ("b.py", &code("load", 50)));
    assert_eq!(found.level, Level::Error);
}
