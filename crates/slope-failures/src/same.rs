//! Whether the two sides of a failed comparison have the same values in another form.

use regex::Regex;
use std::sync::LazyLock;

/// The two sides as test frameworks and slope's own cases print them.
static SIDES: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let patterns = [
        r"(?m)\bassert (?P<got>\S.*?) == (?P<wanted>\S.*)$",
        r"(?m)\b(?:is|got) (?P<got>\S.*?), expected (?P<wanted>\S.*)$",
    ];
    patterns.map(|pattern| Regex::new(pattern).expect("a pattern of our own"))
});

/// Longest side that is compared, in bytes. Longer ones are cut by the frameworks.
const MOST: usize = 2000;

/// Whether both sides have equal values, apart from white space, case, quotes, brackets and order.
/// Sides that are numbers are different values.
pub(crate) fn values(message: &str) -> bool {
    let found = SIDES.iter().find_map(|pattern| pattern.captures(message));
    let Some(sides) = found else { return false };
    let (got, wanted) = (&sides["got"], &sides["wanted"]);
    if got.len() > MOST || wanted.len() > MOST || got.contains("...") || wanted.contains("...") {
        return false;
    }
    let (got, wanted) = (words(got), words(wanted));
    !got.is_empty() && got == wanted
}

/// Words and numbers of a value, sorted. Numbers have one form.
fn words(side: &str) -> Vec<String> {
    // Escapes of quoted text are white space, not letters.
    let side = side.replace("\\n", " ").replace("\\t", " ");
    let parts = side.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'));
    let parts = parts
        .map(|part| part.trim_matches('.'))
        .filter(|part| !part.is_empty());
    let mut words = Vec::from_iter(parts.map(|part| match part.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => part.to_lowercase(),
    }));
    words.sort();
    words
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn other_forms_have_the_same_values() {
        for message in [
            "assert 'A b' == 'a  B'",
            "AssertionError: assert ['x', 'y'] == ['y', 'x']\n  more",
            "assert '{\"n\": 1.50}' == '{\"n\":1.5}'",
            "$.total is \"1.50\", expected 1.5",
        ] {
            assert!(values(message), "{message}");
        }
    }

    #[test]
    fn other_values_are_different() {
        for message in [
            "assert 3 == 4",
            "assert [] == ['x']",
            "assert ['x', 'x'] == ['x']",
            "assert -1 == 1",
            "assert 'long...' == 'LONG...'",
            "no comparison",
        ] {
            assert!(!values(message), "{message}");
        }
    }
}
