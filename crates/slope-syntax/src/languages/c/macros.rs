//! Macros before the type of a declaration: `really_inline result<int> walker::kind() {`,
//! `static JSON_INLINE int f(int a)`.

use std::sync::LazyLock;

use regex::Regex;

use crate::repair::Rewriter;

/// A line that begins with a word, a type, and a name with an opening parenthesis.
const HEAD: &str = r"(?m)^[ \t]*(\w+)(?:\([^()\n]*\))?[ \t]+(\w[\w:]*)(?:<[^;{}()\n]*>)?(?:[ \t*&]+\w[\w:]*(?:<[^;{}()\n]*>)?)*[ \t*&]+(?:\w[\w:~<>]*|operator\S+)[ \t]*\(";
/// A word in capitals behind the specifiers of a declaration, if any, and before a type and a name. Without a type the
/// name is that of a constructor.
const ATTRIBUTE: &str = r"(?m)^[ \t]*(?:(?:static|extern|inline|virtual|explicit|constexpr|friend|typedef|template[ \t]*<[^;{}()\n]*>)\s+)*([A-Z][A-Z0-9_]{2,}(?:[ \t]*\([^()\n]*\)|[ \t]*\(\([^;{}\n]*\)\))?)\s+(?:(?:\w[\w:]*(?:<[^;{}()\n]*>)?[\s*&]+)+[\w:~]+\s*[({=;\[,<>+!&|*/^%-]|\w+(?:<[^;{}()\n]*>)?::~?\w+\s*\()";
/// Maximum number of consecutive macros on a line.
const MAX_MACROS: usize = 3;

/// Keywords that begin a declaration or a statement.
const WORDS: &[&str] = &[
    "alignas",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "default",
    "define",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "return",
    "short",
    "signed",
    "static",
    "struct",
    "switch",
    "template",
    "throw",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HEAD).ok());

static ATTRIBUTES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ATTRIBUTE).ok());

pub(crate) fn rewrite(out: &mut Rewriter<'_>) {
    heads(out);
    attributes(out);
}

fn attributes(out: &mut Rewriter<'_>) {
    let Some(find) = ATTRIBUTES.as_ref() else {
        return;
    };
    for _ in 0..MAX_MACROS {
        let found = find.captures_iter(out.text());
        let macros: Vec<_> = found
            .filter_map(|groups| Some(groups.get(1)?.range()))
            .collect();
        if macros.is_empty() {
            return;
        }
        out.blank(macros);
    }
}

fn heads(out: &mut Rewriter<'_>) {
    let Some(find) = FIND.as_ref() else {
        return;
    };
    for _ in 0..MAX_MACROS {
        let text = out.text();
        let is_type = |word: &str| !matches!(word, "const" | "volatile" | "operator");
        let found = find.captures_iter(text).filter_map(|groups| {
            let (first, second) = (groups.get(1)?, groups.get(2)?);
            let is_macro = !WORDS.contains(&first.as_str()) && is_type(second.as_str());
            is_macro.then(|| first.start()..second.start())
        });
        let macros: Vec<_> = found.collect();
        if macros.is_empty() {
            return;
        }
        out.blank(macros);
    }
}
