//! Copies of declarations under another name.

use crate::common::copies;

const WORDS: [&str; 9] = [
    "Red", "Green", "Blue", "Amber", "Violet", "Indigo", "Teal", "Olive", "Coral",
];

/// A row for each word: `U` is the word, `L` the same in small letters, `N` its number.
fn rows(row: &str, joint: &str) -> String {
    let row = |(n, word): (usize, &&str)| {
        let row = row.replace('U', word).replace('L', &word.to_lowercase());
        row.replace('N', &(n + 3).to_string())
    };
    let rows: Vec<String> = WORDS.iter().enumerate().map(row).collect();
    rows.join(joint)
}

/// Suffix, begin, row, what joins rows, and end. `X` is the name of the declaration.
const FORMS: &[[&str; 5]] = &[
    ["rs", "pub enum X {\n", "    U,\n", "", "}\n"],
    ["rs", "pub struct X {\n", "    pub L: u32,\n", "", "}\n"],
    ["rs", "", "pub const X_L: u32 = N;\n", "", ""],
    ["cs", "public enum X\n{\n", "    U,\n", "", "}\n"],
    ["cs", "public record X(", "string U", ", ", ");\n"],
    ["go", "package p\n\nconst (\n", "\tX_U = \"L\"\n", "", ")\n"],
    [
        "go",
        "package p\n\ntype X struct {\n",
        "\tU string\n",
        "",
        "}\n",
    ],
    ["ts", "export interface X {\n", "  L: string;\n", "", "}\n"],
    ["ts", "export type X =\n", "  | 'L'\n", "", ";\n"],
    ["c", "enum X {\n", "    X_L,\n", "", "};\n"],
    ["rb", "X = %w[", "L", " ", "].freeze\n"],
    [
        "java",
        "class X {\n  static {\n",
        "    MAP.put(\"L\", N);\n",
        "",
        "  }\n}\n",
    ],
    ["py", "X = dict(\n", "    L=N,\n", "", ")\n"],
    ["py", "class X(Enum):\n", "    L = \"U\"\n", "", ""],
    ["py", "", "X_L = \"L\"\n", "", ""],
];

fn text_of(&[suffix, begin, row, joint, end]: &[&str; 5], name: &str) -> String {
    let is_upper = row.starts_with("X_") || row.contains(" X_");
    let row = if is_upper && suffix != "c" {
        row.replace("X_L", "X_UPPER")
    } else {
        row.to_owned()
    };
    let text = format!("{begin}{}{end}", rows(&row, joint));
    let words = WORDS.iter();
    let text = words.fold(text, |text, word| {
        text.replacen(&format!("{word}PPER"), &word.to_uppercase(), 1)
    });
    text.replace('X', name)
}

#[test]
fn renamed_declarations_are_copies() {
    for form in FORMS {
        let (old, new) = (format!("old.{}", form[0]), format!("new.{}", form[0]));
        let found = copies(
            (&old, &text_of(form, "COLOUR")),
            (&new, &text_of(form, "SHADE")),
        );
        assert_eq!(found, 1, "{}", text_of(form, "SHADE"));
    }
}

#[test]
fn classes_sharing_few_fields_pass() {
    let class = |name: &str, own: &str| {
        format!(
            "export interface {name} {{\n  id: string;\n  name: string;\n  created: Date;\n  updated: Date;\n{own}}}\n"
        )
    };
    let old = class(
        "User",
        "  mail: string;\n  phone: string;\n  street: string;\n  city: string;\n",
    );
    let new = class(
        "Book",
        "  isbn: string;\n  pages: number;\n  author: string;\n  shelf: string;\n",
    );
    assert_eq!(copies(("old.ts", &old), ("new.ts", &new)), 0);
}
