//! Checks of Java.

use super::{Checks, Look};

pub(crate) static CHECKS: Checks = Checks {
    at,
    order,
    names: |look, parameter, identifiers| match look.kind(parameter) {
        "formal_parameter" => identifiers.to_vec(),
        _ => Vec::new(),
    },
};

const TYPES: &[&str] = &[
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

/// Words that are not names.
const RESERVED: &[&str] = &[
    "abstract",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "do",
    "double",
    "else",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "switch",
    "synchronized",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
];

/// The package comes before imports, and imports before types. Statements are in methods.
fn order(look: &Look<'_>) -> Option<(u32, String)> {
    let mut reached = 0;
    for part in look.parts(0) {
        let kind = look.kind(part);
        let place = match kind {
            "package_declaration" => 0,
            "import_declaration" => 1,
            _ if TYPES.contains(&kind) => 2,
            _ if kind.ends_with("_statement") || kind == "block" => {
                return Some((part, "a statement is outside of a method".to_owned()));
            }
            _ => continue,
        };
        if place < reached {
            let what = if place == 0 {
                "the package"
            } else {
                "an import"
            };
            return Some((part, format!("{what} is too late in the file")));
        }
        reached = place.max(u8::from(kind == "import_declaration"));
    }
    None
}

fn at(look: &Look<'_>, node: u32) -> Option<String> {
    match look.kind(node) {
        "identifier" if RESERVED.contains(&look.text(node)) => {
            Some(format!("`{}` is not a name", look.text(node)))
        }
        "expression_statement" if look.kind(look.parent(node)) != "switch_rule" => {
            let value = look.parts(node).next()?;
            let kind = look.kind(value);
            let is_value = matches!(
                kind,
                "binary_expression" | "identifier" | "field_access" | "array_access"
            ) || kind.ends_with("_literal");
            is_value.then(|| "a value is where a statement should be".to_owned())
        }
        "constructor_declaration" => {
            let name = look.text(look.child(node, "identifier")?);
            let mut around = look.around(node);
            let of = around.find(|&outer| {
                TYPES.contains(&look.kind(outer))
                    || look.kind(outer) == "object_creation_expression"
            })?;
            let owner = look.child(of, "identifier").map(|name| look.text(name));
            (owner != Some(name)).then(|| format!("the method `{name}` has no type"))
        }
        "method_declaration" => method(look, node),
        _ => None,
    }
}

/// A method has a body unless it is abstract, native, or of an interface.
fn method(look: &Look<'_>, node: u32) -> Option<String> {
    let has_body = look.has_child(node, "block");
    let outer = look.parent(look.parent(node));
    let has = |word: &str| look.has_modifier(node, word);
    match look.kind(outer) {
        "class_declaration" | "record_declaration" if !has_body => {
            (!has("abstract") && !has("native")).then(|| "a method has no body".to_owned())
        }
        "interface_declaration" if has_body => {
            let may = ["default", "static", "private"].into_iter().any(has);
            (!may).then(|| "a method of an interface has a body".to_owned())
        }
        _ => (has_body && has("abstract")).then(|| "an abstract method has a body".to_owned()),
    }
}
