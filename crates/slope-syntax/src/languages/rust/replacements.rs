//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // Rust 1.82: safe items of an unsafe extern block.
    (r"\b(safe)\s+(?:fn|static)\b", ""),
    // Rust 1.59: destructuring assignment that leaves out some fields.
    (
        r"[;{}]\s*[A-Z][\w:]*\s*\{[^{}]*?(,\s*\.\.)\s*\}\s*=[^=>]",
        "",
    ),
    // Macros with the name of a primitive type.
    (
        r"(?:^|[^\w.:])((?:str|bool|char|[iu](?:8|16|32|64|128|size)|f(?:16|32|64|128)))!\s*[(\[{]",
        "m",
    ),
    // Rust 1.51: negative arguments of types and functions.
    (r"[\w:]<(?:[\w\s]+,)*\s*(-)\d\w*\s*[,>]", ""),
    (r",\s*(-)\d\w*\s*>", ""),
    // Rust 1.38: attributes of fields in patterns; two in a row take two turns.
    (
        r"[{,(]\s*(#\[(?:cfg|allow|expect|cfg_attr)\([^\[\]\n]*\)\])\s*(?:(?:ref|mut)\s+)*\w+\s*[:,})]",
        "",
    ),
    (
        r"[{,(]\s*(#\[(?:cfg|allow|expect|cfg_attr)\([^\[\]\n]*\)\])\s*(?:(?:ref|mut)\s+)*\w+\s*[:,})]",
        "",
    ),
];
