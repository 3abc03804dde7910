//! Words and operators that a grammar lacks.

use std::sync::LazyLock;

use regex::Regex;

use super::{Edit, Rewriter};

/// A pattern whose first group is replaced.
struct Pattern {
    find: Regex,
    with: &'static str,
}

/// Language ids, the pattern, and the replacement of its first group. A comment names the language version.
type Row = (&'static [&'static str], &'static str, &'static str);

const SCRIPTS: &[&str] = &["javascript", "typescript", "tsx"];
const TYPED: &[&str] = &["typescript", "tsx"];

const ROWS: &[Row] = &[
    // A generic function type as the first type argument.
    (TYPED, r"\w<(<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>)\s*\(", ""),
    // TypeScript 5.0: export type * from.
    (TYPED, r"\bexport\s+(type)\s+\*", ""),
    // 4.7: variance of type parameters.
    (
        TYPED,
        r"[<,]\s*(?:const\s+)?((?:in\s+out|in|out))\s+[A-Z]\w*",
        "",
    ),
    // 2.9: a generic type of an imported module.
    (
        TYPED,
        r#"\b(import\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\))(?:\.\w+)+\s*<"#,
        "_import",
    ),
    // 4.9: accessors.
    (
        SCRIPTS,
        r"(?m)(?:^|[{;}]|\b(?:static|public|private|protected|override|readonly|declare|abstract))\s*\b(accessor)\s+[#\w\[]",
        "",
    ),
    // 5.2: explicit resources.
    (
        SCRIPTS,
        r"\b(await\s+using)\s+[\w$]+\s*(?:=|:|of\b)",
        "const",
    ),
    (SCRIPTS, r"\b(using)\s+[\w$]+\s*(?:=|:|of\b)", "const"),
    // 5.9: deferred imports; source phase imports.
    (
        SCRIPTS,
        r"\bimport\s+(defer|source)\s+(?:\*|\{|[\w$]+\s+from\b)",
        "",
    ),
    (SCRIPTS, r"\bimport(\.(?:defer|source))\s*\(", ""),
    // ES2025: attributes of what is exported again.
    (
        SCRIPTS,
        r#"\bfrom\s*(?:"[^"\n]*"|'[^'\n]*')\s*((?:with|assert)\s*\{[^{}]*\})"#,
        "",
    ),
    // Python 3.15: lazy imports.
    (&["python"], r"(?m)^[ \t]*(lazy)[ \t]+(?:import|from)\b", ""),
    // Python 3.14: template strings.
    (&["python"], r#"(?:^|[^\w"'])([tT])(?:"|')"#, "f"),
    // Java 25: module imports. They bind no name that could be unused.
    (&["java"], r"(?m)^\s*(import\s+module\s+[\w.]+\s*;)", ""),
    // Java 25: statements before the call of another constructor.
    (&["java"], r"[;}]\s*(super)\s*\(", "suber"),
    (&["java"], r"[;}]\s*(this)\s*\(", "thiz"),
    // Java 23: patterns of primitive types.
    (
        &["java"],
        r"\b(?:case|instanceof)\s+(byte|short|char|int|long|float|double|boolean)\s+\w+\s*(?:->|:|\)|&&|when\b)",
        "P",
    ),
    // Java 21: patterns of records in other types.
    (
        &["java"],
        r"\b(?:case|instanceof)\s+((?:\w+\.)+)[A-Z]\w*\s*\(",
        "",
    ),
    // Go 1.26: `new` of a value. Types such as `[]int` and `*T` stay.
    (&["go"], r"\b(new)\([^\[*)]", "nEw"),
    (&["go"], r"\b(new)\(\[[^\]\n]*\][^()\n{]*\{", "nEw"),
    // Rust 1.82: safe items of an unsafe extern block.
    (&["rust"], r"\b(safe)\s+(?:fn|static)\b", ""),
    // Rust 1.59: assignment to fields of which some are left out.
    (
        &["rust"],
        r"[;{}]\s*[A-Z][\w:]*\s*\{[^{}]*?(,\s*\.\.)\s*\}\s*=[^=>]",
        "",
    ),
    // Macros with the name of a primitive type.
    (
        &["rust"],
        r"(?:^|[^\w.:])((?:str|bool|char|[iu](?:8|16|32|64|128|size)|f(?:16|32|64|128)))!\s*[(\[{]",
        "m",
    ),
    // Rust 1.51: negative arguments of types and functions.
    (&["rust"], r"[\w:]<(?:[\w\s]+,)*\s*(-)\d\w*\s*[,>]", ""),
    (&["rust"], r",\s*(-)\d\w*\s*>", ""),
    // Rust 1.38: attributes of fields in patterns; two in a row take two turns.
    (
        &["rust"],
        r"[{,(]\s*(#\[(?:cfg|allow|expect|cfg_attr)\([^\[\]\n]*\)\])\s*(?:(?:ref|mut)\s+)*\w+\s*[:,})]",
        "",
    ),
    (
        &["rust"],
        r"[{,(]\s*(#\[(?:cfg|allow|expect|cfg_attr)\([^\[\]\n]*\)\])\s*(?:(?:ref|mut)\s+)*\w+\s*[:,})]",
        "",
    ),
    // C# 13: type arguments that may be `ref struct`.
    (&["csharp"], r"(,\s*allows\s+ref\s+struct)\b", ""),
    (
        &["csharp"],
        r"\b(where\s+\w+\s*:\s*allows\s+ref\s+struct)\b",
        "",
    ),
    // C# 9: a type pattern before `and` or `or`.
    (
        &["csharp"],
        r#"\b([A-Za-z_][\w.]*)\s+(?:and|or)\s+(?:[<>\[{(\d"'-]|not\b|null\b|[A-Z])"#,
        "_",
    ),
    // C# 11: a list pattern before `when`, rewritten to a positional pattern.
    (&["csharp"], r"(\[)[^\[\]\n]*\]\s*when\b", "("),
    (&["csharp"], r"\([^\[\]()\n]*(\])\s*when\b", ")"),
    // C# 11: slices in list patterns.
    (&["csharp"], r"[\[,]\s*(\.\.)\s*[,\]]", "_"),
    (&["csharp"], r"[\[,]\s*(\.\.)\s*(?:[\w{\[(<>])", ""),
    // C# 11: checked operators; 14: compound operators.
    (&["csharp"], r"\boperator\s+(checked)\b", ""),
    (
        &["csharp"],
        r"\boperator\s+(?:checked\s+)?(?:>>>|<<|>>|[-+*/%&|^])(=)\s*\(",
        "",
    ),
    // C# 14: assignment after `?.`.
    (
        &["csharp"],
        r#"(\?)(?:\.\w+|\[[\w"]+\])(?:\.\w+|\[[\w"]+\])*\s*(?:\?\?|<<|>>|[-+*/%&|^])?=[^=>]"#,
        "",
    ),
    // C# 14: parameters of a lambda with a modifier and without a type.
    (
        &["csharp"],
        r"[(,]\s*((?:ref\s+readonly|scoped|out|ref|in|params))\s+\w+\s*[,)]",
        "",
    ),
    // C# 14: directives of programs of one file.
    (&["csharp"], r"(?m)^(#[!:].*)$", ""),
    // C23: inferred types, `typeof_unqual`, types of enumerations, embedded files.
    (&["c"], r"\b(auto)\s+\w+\s*=", "int"),
    (&["c"], r"\b(typeof_unqual)\b", "typeof"),
    (&["c"], r"\benum(?:\s+\w+)?\s*(:\s*\w[\w \t]*)\{", ""),
    // C23: a label at the end of a block. `default`, `public` and their like may be there anyway.
    (
        &["c", "cpp"],
        r"[;{}]\s*(?:[A-Zace-oq-z_]\w*|d[^e\W]\w*|p[^ru\W]\w*)\s*(:)\s*\}",
        ";",
    ),
    // Labels as values.
    (&["c", "cpp"], r"\bgoto\s+(\*)\s*[\w(]", ""),
    (&["c", "cpp"], r"(?m)^[ \t]*(#[ \t]*embed\b.*)$", "0"),
    // A type as an argument of a macro.
    (
        &["c", "cpp"],
        r"\bva_arg\s*\([^,()]*(?:\([^()]*\)[^,()]*)?(,[^()]*)\)",
        "",
    ),
    // The calling convention of a function pointer.
    (
        &["c", "cpp"],
        r"\(\s*((?:[A-Z][A-Z_]{2,}|__\w+))\s*\*\s*\w+\s*\)\s*\(",
        "",
    ),
    // Attributes behind the parameters.
    (
        &["c", "cpp"],
        r"\)\s*([A-Z][A-Z0-9_]{2,}\s*\(\([^;{}]*?\)\))\s*[;{]",
        "",
    ),
    // A macro between texts.
    (
        &["c", "cpp"],
        r#"["]\s*(PRI\w+|SCN\w+|[A-Z][A-Z0-9_]{2,})\s*[",);]"#,
        "",
    ),
    (&["c", "cpp"], r#"[(,]\s*([A-Z][A-Z0-9_]{2,})\s+["]"#, ""),
    // A macro on a line of its own, between statements or members.
    (
        &["c", "cpp"],
        r"[;{}][ \t]*\n\s*([A-Z][A-Z0-9_]{2,}(?:\([^;{}\n]*\))?)[ \t]*\n\s*[^{\s:.,;)]",
        "",
    ),
    (
        &["c", "cpp"],
        r"[;{}][ \t]*\n\s*([A-Z][A-Z0-9_]{2,}(?:\([^;{}\n]*\))?)[ \t]*\n\s*[^{\s:.,;)]",
        "",
    ),
    // Loops of Qt and Boost.
    (
        &["cpp"],
        r"[;{})]\s*((?:foreach|Q_FOREACH|BOOST_FOREACH)\s*\([^;{}\n]*\))\s*\{",
        "for (;;)",
    ),
    (&["cpp"], r"[;{})]\s*(forever)\s*\{", "for(;;)"),
    // A macro that is the head of a loop.
    (
        &["c", "cpp"],
        r"[;{})]\s*(\w*foreach\w*\s*\([^;{}()\n]*\))\s*[A-Za-z_]",
        "for (;;)",
    ),
    // The comma operator in a type.
    (
        &["cpp"],
        r"\bdecltype\([^\n]*(,)\s*std::true_type\s*(?:\(\)|\{\})\s*\)",
        "+",
    ),
    // Arguments of a macro that are empty; two in a row take two turns.
    (&["c", "cpp"], r"(,)\s*[,)]", ""),
    (&["c", "cpp"], r"(,)\s*[,)]", ""),
    (&["c", "cpp"], r"\w\(\s*(,)", ""),
    // C++17 and C23: a header as an operand.
    (
        &["c", "cpp"],
        r#"\b(__has_include(?:_next)?\s*\(\s*(?:<[^>\n]*>|"[^"\n]*")\s*\))"#,
        "1",
    ),
    // C++20: modules.
    (&["cpp"], r"(?m)^\s*((?:export\s+)?module\b[^;{}\n]*;)", ""),
    (
        &["cpp"],
        r#"(?m)^\s*((?:export\s+)?import\s+(?:[\w.:]+|<[^>\n]*>|"[^"\n]*")\s*;)"#,
        "",
    ),
    (&["cpp"], r"(?m)^\s*(export)\s+[\w\[:]", ""),
    // C++17: `using` in attributes.
    (&["cpp"], r"\[\[\s*(using\s+\w+\s*:)", ""),
    // C++11: attributes of enumerators; 23: attributes of lambdas, and lambdas without parameters.
    (&["cpp"], r"[{,]\s*\w+\s*(\[\[[^\[\]\n]*\]\])\s*[=,}]", ""),
    (
        &["cpp"],
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*(\[\[[^\[\]\n]*\]\])",
        "",
    ),
    (
        &["cpp"],
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*((?:(?:static|mutable|constexpr|consteval|noexcept)\b\s*)+(?:->\s*[^{};()\n]*)?)\{",
        "()",
    ),
    (
        &["cpp"],
        r"(?:[=(,{;:?]|\breturn)\s*\[[^\[\]\n]*\]\s*(->\s*[^{};()\n]*)\{",
        "",
    ),
    // C++26: contracts, expansions, and packs in structured bindings.
    (
        &["cpp"],
        r"\)\s*((?:const\s*|noexcept\s*)?(?:(?:pre|post)\s*\([^(){};]*\)\s*)+)\{",
        "",
    ),
    (&["cpp"], r"\b(template\s+for)\s*\(", "for"),
    (&["cpp"], r"\bauto\s*&{0,2}\s*\[[^\[\]\n]*(\.\.\.)", ""),
    // C++23: explicit objects, if consteval, static lambdas.
    (&["cpp"], r"\(\s*(this)\s+[A-Za-z_:]", ""),
    (&["cpp"], r"\b(if\s*!?\s*consteval)\b", "if (1)"),
    (
        &["cpp"],
        r"\)\s*(static)\s*(?:noexcept|mutable|constexpr|->|\{)",
        "",
    ),
];

static PATTERNS: LazyLock<Vec<(&[&str], Pattern)>> = LazyLock::new(|| {
    let compiled = ROWS.iter().filter_map(|(languages, find, with)| {
        // A test compiles each.
        let find = Regex::new(find).ok()?;
        Some((*languages, Pattern { find, with }))
    });
    compiled.collect()
});

pub(super) fn rewrite(language: &str, out: &mut Rewriter<'_>) {
    let fitting = PATTERNS.iter().filter(|(all, _)| all.contains(&language));
    for (_, pattern) in fitting {
        let found = pattern.find.captures_iter(out.text());
        let edits: Vec<_> = found
            .filter_map(|groups| Some(Edit::new(groups.get(1)?.range(), pattern.with)))
            .collect();
        out.replace(&edits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        assert_eq!(PATTERNS.len(), ROWS.len());
    }
}
