//! Checks of C#.

use super::{Checks, Look};

pub(crate) static CHECKS: Checks = Checks {
    at,
    order,
    names: |look, parameter, identifiers| {
        if look.kind(parameter) != "parameter" {
            return Vec::new();
        }
        // The type may be a name too, and comes first.
        let before_default = look
            .tree
            .children(parameter)
            .take_while(|&part| look.text(part) != "=");
        before_default
            .filter(|part| identifiers.contains(part))
            .skip(usize::from(identifiers.len() > 1))
            .last()
            .into_iter()
            .collect()
    },
};

const TYPES: &[&str] = &[
    "class_declaration",
    "struct_declaration",
    "record_declaration",
    "interface_declaration",
];

/// Words that are not names. Others may be, or the grammar may misread them.
const RESERVED: &[&str] = &[
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "do",
    "else",
    "enum",
    "finally",
    "for",
    "foreach",
    "if",
    "interface",
    "namespace",
    "return",
    "struct",
    "switch",
    "throw",
    "try",
    "while",
];

/// `using` comes first, then statements, then types.
fn order(look: &Look<'_>) -> Option<(u32, String)> {
    let (mut has_types, mut has_namespace) = (false, false);
    for part in look.parts(0) {
        let kind = look.kind(part);
        match kind {
            "using_directive" if has_types => {
                return Some((part, "`using` must come before types".to_owned()));
            }
            "global_statement" if has_types => {
                return Some((part, "statements must come before types".to_owned()));
            }
            "file_scoped_namespace_declaration" if has_types || has_namespace => {
                return Some((
                    part,
                    "the namespace of a file must come first, and once".to_owned(),
                ));
            }
            "file_scoped_namespace_declaration" => has_namespace = true,
            // What a directive leaves out is not known.
            _ if kind.starts_with("preproc_if") => return None,
            "namespace_declaration" | "enum_declaration" | "delegate_declaration" => {
                has_types = true
            }
            _ => has_types |= TYPES.contains(&kind),
        }
    }
    None
}

fn at(look: &Look<'_>, node: u32) -> Option<String> {
    match look.kind(node) {
        "identifier" if RESERVED.contains(&look.text(node)) => {
            Some(format!("`{}` is not a name", look.text(node)))
        }
        "try_statement" => {
            let ends = ["catch_clause", "finally_clause"]
                .iter()
                .any(|kind| look.has_child(node, kind));
            let is_cut = look
                .parts(node)
                .any(|part| look.kind(part).starts_with("preproc"));
            (!ends && !is_cut).then(|| "`try` has no `catch` and no `finally`".to_owned())
        }
        "constructor_declaration" => {
            let name = look.text(look.child(node, "identifier")?);
            let of = look
                .around(node)
                .find(|&outer| TYPES.contains(&look.kind(outer)))?;
            let owner = look.child(of, "identifier").map(|name| look.text(name));
            (owner != Some(name) && name != "extension")
                .then(|| format!("the method `{name}` has no type"))
        }
        "method_declaration" => {
            let of = look
                .around(node)
                .find(|&outer| TYPES.contains(&look.kind(outer)))?;
            let has_body =
                look.has_child(node, "block") || look.has_child(node, "arrow_expression_clause");
            let may_lack = ["abstract", "extern", "partial"]
                .iter()
                .any(|word| look.has_modifier(node, word));
            let is_of_interface = look.kind(of) == "interface_declaration";
            (!has_body && !may_lack && !is_of_interface).then(|| "a method has no body".to_owned())
        }
        _ => None,
    }
}
