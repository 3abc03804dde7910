//! Text as Python sees it: lines, white space, glob patterns.

/// Whether a character is white space to Python's `str.strip`.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// A text without the white space around it.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether Python's `str.splitlines` ends a line at this character.
fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// The lines of a text according to `str.splitlines`. The original counts source lines by these,
/// and everything else by the rows of the grammar.
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// First byte of each line.
    starts: Vec<usize>,
    /// Whether a row of the grammar is the same as a line everywhere.
    plain: bool,
}

impl<'t> Lines<'t> {
    /// Splits a text, in which the system's line ends were replaced by `\n`.
    pub(crate) fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        let mut plain = true;
        for (offset, c) in text.char_indices().filter(|&(_, c)| ends_line(c)) {
            plain &= c == '\n';
            starts.push(offset + c.len_utf8());
        }
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self {
            text,
            starts,
            plain,
        }
    }

    /// Number of lines.
    pub(crate) fn count(&self) -> u32 {
        narrow(self.starts.len())
    }

    /// Whether rows of the grammar and lines are the same.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The line, from 0, of a byte.
    pub(crate) fn line_of(&self, byte: u32) -> u32 {
        let after = self.starts.partition_point(|&start| start <= byte as usize);
        narrow(after.saturating_sub(1))
    }

    /// The lines without their ends, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'t str> + '_ {
        (0..self.count()).map(|line| self.line(line))
    }

    /// A line without its end; empty if the number is too large.
    pub(crate) fn line(&self, line: u32) -> &'t str {
        let line = line as usize;
        let Some(&start) = self.starts.get(line) else {
            return "";
        };
        let end = self.starts.get(line + 1).map_or(self.text.len(), |&e| e);
        let line = self.text.get(start..end).unwrap_or_default();
        line.strip_suffix(ends_line).unwrap_or(line)
    }
}

/// Count of lines, files or functions as `u32`, which never overflows in practice.
pub(crate) fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Whether a name matches a shell pattern: `*`, `?`, `[a-z]`, `[!a-z]`, as Python's `fnmatch` has
/// it. A bracket that is never closed is literal.
pub(crate) fn glob(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    // Position to resume at if the match after the latest star fails: after the star, one character
    // later.
    let mut retry: Option<(usize, usize)> = None;
    loop {
        if p == pattern.len() && n == name.len() {
            return true;
        }
        if pattern.get(p) == Some(&'*') {
            retry = Some((p, n));
            p += 1;
            continue;
        }
        if let Some(next) = name.get(n).and_then(|&c| match_one(&pattern, p, c)) {
            p = next;
            n += 1;
            continue;
        }
        match retry {
            Some((star, from)) if from < name.len() => {
                retry = Some((star, from + 1));
                p = star + 1;
                n = from + 1;
            }
            _ => return false,
        }
    }
}

/// The position after the pattern element at `p` if it takes the character.
fn match_one(pattern: &[char], p: usize, c: char) -> Option<usize> {
    match *pattern.get(p)? {
        '?' => Some(p + 1),
        '[' => match closing(pattern, p) {
            Some(end) => in_set(&pattern[p + 1..end], c).then_some(end + 1),
            None => (c == '[').then_some(p + 1),
        },
        literal => (literal == c).then_some(p + 1),
    }
}

/// The position of the bracket that closes the one at `open`.
fn closing(pattern: &[char], open: usize) -> Option<usize> {
    let mut at = open + 1;
    if pattern.get(at) == Some(&'!') {
        at += 1;
    }
    // A closing bracket at the begin is a member of the set.
    if pattern.get(at) == Some(&']') {
        at += 1;
    }
    (at..pattern.len()).find(|&i| pattern[i] == ']')
}

fn in_set(set: &[char], c: char) -> bool {
    let (negated, set) = match set.split_first() {
        Some(('!', rest)) => (true, rest),
        _ => (false, set),
    };
    let mut found = false;
    let mut at = 0;
    while at < set.len() {
        if at + 2 < set.len() && set[at + 1] == '-' {
            found |= set[at] <= c && c <= set[at + 2];
            at += 3;
        } else {
            found |= set[at] == c;
            at += 1;
        }
    }
    found != negated
}

/// Whether a path matches a pattern, both as their parts: `**` takes any number of parts.
pub(crate) fn glob_parts(pattern: &[&str], path: &[&str]) -> bool {
    // reach[i]: the pattern so far can have taken the first i parts.
    let mut reach = vec![false; path.len() + 1];
    reach[0] = true;
    for part in pattern {
        if *part == "**" {
            let mut open = false;
            for slot in &mut reach {
                open |= *slot;
                *slot = open;
            }
            continue;
        }
        for i in (0..path.len()).rev() {
            reach[i + 1] = reach[i] && glob(part, path[i]);
        }
        reach[0] = false;
    }
    reach[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_match_python() {
        let text = "a\n\u{c}\nb\u{2028}c\n";
        let lines = Lines::of(text);
        let all: Vec<_> = lines.all().collect();
        assert_eq!(all, ["a", "", "", "b", "c"]);
        assert!(!lines.is_plain());
        assert_eq!(lines.line_of(0), 0);
        assert_eq!(lines.line_of(4), 3);
        assert_eq!(Lines::of("").count(), 0);
        assert_eq!(Lines::of("a\n\n").count(), 2);
        assert!(Lines::of("a\n\n").is_plain());
    }

    #[test]
    fn globs_match_like_the_shell() {
        for (pattern, name, expected) in [
            ("*.py", "a.py", true),
            ("*.py", "a.pyc", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbY", false),
            ("?", "", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            ("[a", "[a", true),
            ("*", "", true),
        ] {
            assert_eq!(glob(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn double_star_matches_any_depth() {
        let split = |text: &'static str| text.split('/').collect::<Vec<_>>();
        for (pattern, path, expected) in [
            ("**/a", "a", true),
            ("**/a", "x/y/a", true),
            ("a/**", "a", true),
            ("a/**", "a/b/c", true),
            ("a/**/c", "a/c", true),
            ("a/*", "a/b/c", false),
            ("a/*/c", "a/b/c", true),
            ("a", "a/b", false),
        ] {
            assert_eq!(
                glob_parts(&split(pattern), &split(path)),
                expected,
                "{pattern} {path}"
            );
        }
    }
}
