//! File types by first bytes.

use crate::directive::directive;
use crate::language::Language;
use crate::languages::cplusplus;

/// Whether a header has constructs that C lacks: a line that begins a class, a namespace, a
/// template, a `using` or an access section, a name in `std`, a reference, or a header without
/// suffix. Comments, other directives and `extern "C"` do not decide, and neither do parts for C++
/// only in a header for both languages.
pub(crate) fn is_cpp(first_bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first_bytes);
    let for_cpp = cplusplus::rows(&text);
    let mut in_comment = false;
    (0u32..).zip(text.lines()).any(|(row, line)| {
        let is_shared = !for_cpp.contains(row);
        let line = without_comment(line, &mut in_comment);
        let is_code = !line.starts_with('#');
        is_shared && includes_cpp(line)
            || is_code && (begins_cpp(line) || is_shared && holds_cpp(line))
    })
}

/// The code of a line before its first comment, or after a comment that began above. Directives are
/// kept.
fn without_comment<'a>(line: &'a str, in_comment: &mut bool) -> &'a str {
    let mut line = line.trim();
    if *in_comment {
        let Some((_, rest)) = line.split_once("*/") else {
            return "";
        };
        *in_comment = false;
        line = rest.trim();
    }
    if line.starts_with('#') || line.starts_with("//") {
        return if line.starts_with('#') { line } else { "" };
    }
    let Some((before, after)) = line.split_once("/*") else {
        return line;
    };
    *in_comment = !after.contains("*/");
    before.trim()
}

/// Whether a line includes a header without suffix. All standard headers of C++ are without suffix,
/// and no headers of C.
fn includes_cpp(line: &str) -> bool {
    let included = directive(line).filter(|(name, _)| *name == "include");
    let header = included.and_then(|(_, header)| header.trim_start().strip_prefix('<'));
    let name = header.and_then(|header| header.split_once('>'));
    name.is_some_and(|(name, _)| !name.is_empty() && !name.contains('.'))
}

/// Whether a line of code has what C lacks anywhere outside texts.
fn holds_cpp(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or(line);
    let code = code.split('"').next().unwrap_or(code);
    let is_apart = |at: usize| {
        let before = code[..at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    };
    let mut scopes = code.match_indices("std::");
    let mut enums = ["enum class ", "enum struct "].iter();
    scopes.any(|(at, _)| is_apart(at))
        || enums.any(|kind| code.starts_with(kind))
        || declares_reference(code)
}

/// Whether a line of code declares a reference as most write them: `int& x`, `T& operator=`. A
/// conjunction of bits is not written so, and comes after `=`, `(` of a call or `return`.
fn declares_reference(code: &str) -> bool {
    let mut places = code.match_indices("& ");
    let is_type = |before: &str| {
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let (before, name) = before.split_at(start.map_or(0, |at| at + 1));
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let opens = [
            "",
            "const",
            "(",
            ",",
            "static",
            "inline",
            "virtual",
            "constexpr",
        ];
        is_name
            && opens.iter().any(|open| {
                before.trim() == *open || !open.is_empty() && before.trim_end().ends_with(open)
            })
    };
    let says = ["return", "if", "while", "for", "switch", "} else"];
    !code.contains('=')
        && !says.iter().any(|word| code.starts_with(word))
        && places.any(|(at, _)| {
            let behind = &code[at + 2..];
            is_type(&code[..at]) && behind.starts_with(|c: char| c.is_alphabetic() || c == '_')
        })
}

fn begins_cpp(line: &str) -> bool {
    let (word, rest) = line
        .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .map_or((line, ""), |end| line.split_at(end));
    let rest = rest.trim_start();
    match word {
        "template" => rest.starts_with('<'),
        "namespace" | "class" => {
            rest.is_empty() || rest.starts_with(|c: char| c.is_alphabetic() || "_{[".contains(c))
        }
        "using" => rest.starts_with(char::is_alphabetic),
        "public" | "private" | "protected" => rest.starts_with(':'),
        "constexpr" | "consteval" | "concept" | "virtual" | "friend" => !rest.is_empty(),
        _ => false,
    }
}

/// Programs that run another program: the next word names it.
const RUNNERS: &[&str] = &[
    "uv", "uvx", "pipx", "poetry", "pdm", "hatch", "rye", "npx", "bunx", "pnpm", "yarn", "run",
    "exec", "dlx",
];

/// The interpreter that a `#!` line names, without its version: `python` for
/// `#!/usr/bin/env -S python3.12 -u` and `#!/usr/bin/env -S uv run --script`.
pub(crate) fn interpreter(first_bytes: &[u8]) -> Option<&str> {
    let line = first_bytes.strip_prefix(b"#!")?;
    let line = line.split(|&b| b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(is_program)?.rsplit('/').next()?;
    }
    let takes = |language: &Language| {
        let runners = language.spec().runners.as_ref();
        runners.is_some_and(|runners| {
            runners.names.contains(&program) && is_script(line, first_bytes, runners.mark)
        })
    };
    if let Some(language) = Language::all().find(takes) {
        return language.spec().interpreters.first().copied();
    }
    while RUNNERS.contains(&program) {
        program = words.find(is_program)?.rsplit('/').next()?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Whether a runner runs the file itself, rather than a program that the line names.
fn is_script(line: &str, first_bytes: &[u8], mark: &[u8]) -> bool {
    let says_so = line
        .split_whitespace()
        .any(|word| matches!(word, "--script" | "-s"));
    says_so || memchr::memmem::find(first_bytes, mark).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_found_after_runners() {
        for (line, expected) in [
            ("#!/usr/bin/python3", Some("python")),
            ("#!/usr/bin/env -S python3.12 -u", Some("python")),
            ("#!/usr/bin/env -S uv run --script", Some("python")),
            (
                "#!/usr/bin/env -S uv run -q\n# /// script\n# ///",
                Some("python"),
            ),
            ("#!/usr/bin/env -S pipx run\n\n# /// script", Some("python")),
            ("#!/usr/bin/env -S uv run python", Some("python")),
            ("#!/usr/bin/env -S uv run --with rich bash", Some("rich")),
            ("#!/usr/bin/env -S uv run bash", Some("bash")),
            ("#!/usr/bin/env -S uv run", None),
            ("#!/usr/bin/env bun", Some("bun")),
            ("#!/usr/bin/env -S bun run", Some("bun")),
            ("#!/usr/bin/env -S npx tsx", Some("tsx")),
            ("#!/usr/bin/env -S deno run -A", Some("deno")),
            ("# no such line", None),
        ] {
            assert_eq!(interpreter(line.as_bytes()), expected, "{line}");
        }
    }
}
