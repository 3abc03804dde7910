//! What a file is by its first bytes.

/// Whether a header has what C lacks: a line that begins a class, a namespace, a
/// template, a `using` or an access section. Comments, directives and `extern "C"`
/// say nothing.
pub(crate) fn is_cpp(first_bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first_bytes);
    let mut in_comment = false;
    for line in text.lines() {
        let mut line = line.trim();
        if in_comment {
            let Some((_, rest)) = line.split_once("*/") else {
                continue;
            };
            in_comment = false;
            line = rest.trim();
        }
        if line.starts_with('#') || line.starts_with("//") {
            continue;
        }
        if let Some((before, after)) = line.split_once("/*") {
            in_comment = !after.contains("*/");
            line = before.trim();
        }
        if begins_cpp(line) {
            return true;
        }
    }
    false
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

/// The interpreter that a `#!` line names, without its version: `python` for
/// `#!/usr/bin/env -S python3.12 -u`.
pub(crate) fn interpreter(first_bytes: &[u8]) -> Option<&str> {
    let line = first_bytes.strip_prefix(b"#!")?;
    let line = line.split(|&b| b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        let is_program = |word: &&str| !word.starts_with('-') && !word.contains('=');
        program = words.find(is_program)?.rsplit('/').next()?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}
