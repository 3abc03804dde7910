//! TypeScript.

pub(super) mod kinds;
pub(super) mod replacements;

use super::javascript;
use crate::language::{ECMASCRIPT, Grammar, LanguageSpec};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "tsx", "deno", "bun"],
    kinds: &[javascript::kinds::KINDS, kinds::KINDS],
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
        replacements::REPLACEMENTS,
        javascript::replacements::REPLACEMENTS,
    ],
    files: javascript::files::TYPED,
    test_files: javascript::files::TESTS,
    ..LanguageSpec::new(
        "typescript",
        Grammar {
            name: "tree-sitter-typescript",
            version: "0.23.2",
            load: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        },
    )
};
