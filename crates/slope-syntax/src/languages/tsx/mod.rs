//! TSX.

use super::{javascript, typescript};
use crate::language::{ECMASCRIPT, Grammar, LanguageSpec};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["tsx"],
    kinds: &[javascript::kinds::KINDS, typescript::kinds::KINDS],
    tokens: &[javascript::kinds::TOKENS],
    literals: &[javascript::kinds::LITERALS],
    in_context: javascript::in_context,
    name: javascript::name,
    anonymous: javascript::ANONYMOUS,
    parameters: javascript::parameters,
    is_exempt_unit: javascript::is_exempt_unit,
    conventions: Some(&javascript::conventions::TYPED),
    family: ECMASCRIPT,
    replacements: &[
        typescript::replacements::REPLACEMENTS,
        javascript::replacements::REPLACEMENTS,
    ],
    files: javascript::files::TYPED,
    test_files: javascript::files::TESTS,
    ..LanguageSpec::new(
        "tsx",
        Grammar {
            name: "tree-sitter-typescript",
            version: "0.23.2",
            load: || tree_sitter_typescript::LANGUAGE_TSX.into(),
        },
    )
};
