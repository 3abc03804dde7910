//! Patterns that an edit makes so wide that they refuse nothing.

use std::sync::LazyLock;

use regex::Regex;
use slope_model::grade::Evidence;

use super::judged::{Judged, place};

/// A name with a regular expression in the forms of several languages.
static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    let literal = r#"(?:/(?<js>(?:[^/\\\n]|\\.)+)/[a-z]*|(?:[\w:.]*(?:compile|Compile|RegExp|Regex|regex|new)\(\s*)r?#*["'`](?<text>[^"'`\n]+)["'`])"#;
    Regex::new(&format!(r"(?<name>\w+)\s*(?::[^=\n]+)?:?=\s*{literal}"))
        .unwrap_or_else(|error| panic!("{error}"))
});

/// Patterns that match the empty text after the edit, and did not before.
pub(super) fn loosened(judged: &Judged<'_>, signal: &str, amount: f64) -> Vec<Evidence> {
    let mut found = Vec::new();
    for file in judged.edited() {
        let old: Vec<(String, bool)> = file
            .gone
            .iter()
            .flat_map(|(_, line)| patterns(line))
            .collect();
        for (number, line) in file.new {
            let widened = patterns(line).into_iter().find(|(name, matches_all)| {
                *matches_all && old.iter().any(|(other, all)| other == name && !all)
            });
            if let Some((name, _)) = widened {
                found.push(Evidence {
                    signal: signal.to_owned(),
                    kind: "weakened-check".to_owned(),
                    at: place(file.path, *number, *number),
                    of: None,
                    message: format!("The pattern `{name}` now matches any text."),
                    amount,
                });
            }
        }
    }
    found
}

/// Names of patterns in a line, and whether each matches the empty text.
fn patterns(line: &str) -> Vec<(String, bool)> {
    let all = PATTERN.captures_iter(line);
    let all = all.filter_map(|found| {
        let text = found.name("js").or_else(|| found.name("text"))?;
        let pattern = Regex::new(text.as_str()).ok()?;
        Some((found["name"].to_owned(), pattern.is_match("")))
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::patterns;

    #[test]
    fn wide_patterns_match_the_empty_text() {
        for (line, is_wide) in [
            (r"const name = /^[\w-]+$/", false),
            (r"const name = /^/", true),
            (r#"NAME = re.compile(r"^\w+$")"#, false),
            (r#"NAME = re.compile(r".*")"#, true),
            (r#"var name = regexp.MustCompile(`^\d+$`)"#, false),
            (r#"let name = Regex::new("(a|)").unwrap();"#, true),
            (
                r#"static final Pattern NAME = Pattern.compile("a*");"#,
                true,
            ),
        ] {
            let found = patterns(line);
            assert_eq!(found.len(), 1, "{line}");
            assert_eq!(found[0].1, is_wide, "{line}");
        }
        assert!(patterns("let half = all / 2; let x = y / 3").is_empty());
    }
}
