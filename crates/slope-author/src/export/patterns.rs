//! Checks that the patterns of cases mean the same in Python's `re` as here.

use slope_model::cases::{Case, Expect, FileExpect, ResponseExpect, Step, TextExpect};
use slope_problem::{Problem, place_of_case};

use super::Part;
use crate::Error;

/// Reason that a pattern differs in Python, or is invalid, and an alternative.
type Fault = (&'static str, &'static str);

const PROPERTY: Fault = (r"\p", "write the characters as a set, such as [A-Za-z]");
const CODE: Fault = (
    r"\x{, \u{ or \U{",
    r"write \x41, \u0041 or \U00000041 with all digits",
);
const BORDER: Fault = (r"\b{, \< or \>", r"write \b");
const SET: Fault = (
    "a set in a set, or &&, -- or ~~ between sets",
    r"write one set, and \[ for a bracket in it",
);
const NAME: Fault = ("(?<", "write (?P<name>...)");
const FLAGS: Fault = (
    "flags behind its start, or others than i, m, s and x",
    "write (?i) first, or (?i:...) around the part",
);
const REPEATED: Fault = (
    "one repetition on another",
    "put the inner one into (?:...)",
);

/// Checks that Python's `re` interprets the patterns of a checkpoint's cases as intended. Patterns
/// of generated cases are unknown.
pub(super) fn check(problem: &Problem, part: &Part) -> Result<(), Error> {
    for case in &part.suite.cases {
        for pattern in patterns(case) {
            let Some((what, remedy)) = fault(pattern) else {
                continue;
            };
            let (file, line) = place_of_case(problem, &part.name, &case.id)?;
            let line = line.map_or_else(String::new, |line| format!(":{line}"));
            return Err(Error::Request(format!(
                "{}{line}: case {}: the pattern {pattern:?} has {what}, which Python's re does not support\nhelp: {remedy}",
                problem.root.join(file).display(),
                case.id
            )));
        }
    }
    Ok(())
}

/// All patterns of a case.
fn patterns(case: &Case) -> Vec<&str> {
    let texts = case.steps.iter().flat_map(texts);
    texts
        .flat_map(|text| text.matches.iter().chain(&text.not_matches))
        .map(String::as_str)
        .collect()
}

/// All expectations of a step on texts.
fn texts(step: &Step) -> Vec<&TextExpect> {
    let stops = step.stop.iter().chain(&step.restart);
    let ends = stops.map(|stop| &stop.expect).chain([&step.expect]);
    let together = step.together.iter();
    let counts = together.clone().flat_map(|all| &all.expect.counts);
    let requests = step
        .request
        .iter()
        .chain(together.flat_map(|all| &all.requests));
    let responses = requests.map(|one| &one.expect);
    let responses = responses.chain(counts.map(|count| &count.expect));
    ends.flat_map(of_end)
        .chain(responses.flat_map(of_response))
        .collect()
}

fn of_end(expect: &Expect) -> impl Iterator<Item = &TextExpect> {
    let files = expect.files.values().filter_map(|file| match file {
        FileExpect::Text(text) => Some(text.as_ref()),
        FileExpect::Absent | FileExpect::Bytes(_) => None,
    });
    expect.stdout.iter().chain(&expect.stderr).chain(files)
}

fn of_response(expect: &ResponseExpect) -> impl Iterator<Item = &TextExpect> {
    expect.headers.values().chain(&expect.body)
}

/// The first part of a pattern, which compiles here, that Python interprets differently.
fn fault(pattern: &str) -> Option<Fault> {
    let mut rest = pattern;
    // Whether the previous token is a repetition.
    let mut repeated = false;
    while let Some(first) = rest.chars().next() {
        let mut end = first.len_utf8();
        let is_repetition = matches!(first, '*' | '+' | '?');
        let found = match first {
            '\\' => {
                end += rest[1..].chars().next().map_or(0, char::len_utf8);
                escaped(&rest[1..])
            }
            '[' => {
                let (length, found) = set(rest);
                end = length;
                found
            }
            '(' if rest.starts_with("(?") => {
                end = 2;
                group(&rest[2..], rest.len() == pattern.len())
            }
            '*' | '+' if repeated => Some(REPEATED),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        repeated = is_repetition;
        rest = &rest[end..];
    }
    None
}

/// The fault of the text after a backslash.
fn escaped(behind: &str) -> Option<Fault> {
    let begins = |some: &[&str]| some.iter().any(|text| behind.starts_with(text));
    if begins(&["p", "P"]) {
        Some(PROPERTY)
    } else if begins(&["x{", "u{", "U{"]) {
        Some(CODE)
    } else if begins(&["b{", "<", ">"]) {
        Some(BORDER)
    } else {
        None
    }
}

/// Length of the set at the beginning of the text, and its fault if there is one.
fn set(text: &str) -> (usize, Option<Fault>) {
    let body = text.trim_start_matches('[');
    let negated = body.strip_prefix('^').unwrap_or(body);
    // A closing bracket at the start is literal.
    let inner = negated.strip_prefix(']').unwrap_or(negated);
    if text.len() - body.len() > 1 {
        return (text.len(), Some(SET));
    }
    let mut at = text.len() - inner.len();
    while let Some(next) = text[at..].chars().next() {
        let behind = &text[at..];
        match next {
            ']' => return (at + 1, None),
            '[' => return (at, Some(SET)),
            '\\' => {
                if let Some(found) = escaped(&behind[1..]) {
                    return (at, Some(found));
                }
                at += 1 + behind[1..].chars().next().map_or(0, char::len_utf8);
            }
            _ if ["&&", "--", "~~"].iter().any(|two| behind.starts_with(two)) => {
                return (at, Some(SET));
            }
            _ => at += next.len_utf8(),
        }
    }
    (text.len(), None)
}

/// Fault of a group. `behind` is the text after `(?`.
fn group(behind: &str, is_first: bool) -> Option<Fault> {
    if behind.starts_with('<') {
        return Some(NAME);
    }
    if behind.starts_with('P') {
        return None;
    }
    let flags = behind.find([':', ')']).map_or("", |end| &behind[..end]);
    let is_scoped = behind[flags.len()..].starts_with(':');
    let known = flags
        .chars()
        .all(|c| "imsx".contains(c) || (is_scoped && c == '-'));
    (!known || !(is_scoped || is_first)).then_some(FLAGS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_python_patterns_are_rejected() {
        for (pattern, expected) in [
            (r"a\p{Lu}", PROPERTY),
            (r"[\PL]", PROPERTY),
            (r"\x{41}", CODE),
            (r"[a\u{41}]", CODE),
            (r"\b{start}a", BORDER),
            (r"\<a", BORDER),
            ("[[:alpha:]]", SET),
            ("[a[bc]]", SET),
            ("[a-z&&b]", SET),
            ("[^a-z--b]", SET),
            ("a(?<n>b)", NAME),
            ("a(?i)b", FLAGS),
            ("(?R)a", FLAGS),
            ("(?-u:a)", FLAGS),
            ("a*+", REPEATED),
            ("a+?+", REPEATED),
        ] {
            assert_eq!(fault(pattern), Some(expected), "{pattern}");
        }
    }

    #[test]
    fn shared_pattern_syntax_is_accepted() {
        for pattern in [
            r"^usage: \d+\z",
            r"a\\p{1}",
            r"\\x{2}",
            r"[]\[&-]--",
            "[^]a]&&",
            r"a\*+",
            "a+?b*?c??",
            "(?i)a(?P<n>b)(?:c)(?s-m:.)",
            r"\$\{x\}",
            "${port} é[é]+",
            r"[\\]p{1}",
        ] {
            assert_eq!(fault(pattern), None, "{pattern}");
        }
    }
}
