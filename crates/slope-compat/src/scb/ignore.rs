//! The original's own matcher of ignore files, which is not git's.

use super::text::{glob, glob_parts, strip};

/// One line of an ignore file.
#[derive(Debug, Clone)]
pub(crate) struct IgnoreRule {
    /// The file's folder relative to the measured root, as parts of a path.
    base: Base,
    negated: bool,
    folders_only: bool,
    /// Matched against each part of a path rather than the path.
    any_part: bool,
    pattern: Vec<String>,
}

/// Place of an ignore file.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    /// Parts from the folder of the file down to the root, if it is above the root.
    pub(crate) above: Vec<String>,
    /// Number of parts of a path from the root that lead to the folder of the file.
    pub(crate) below: usize,
}

/// The rules of an ignore file's text.
pub(crate) fn parse(text: &str, base: &Base) -> Vec<IgnoreRule> {
    super::text::Lines::of(text)
        .all()
        .filter_map(|line| rule(line, base))
        .collect()
}

fn rule(line: &str, base: &Base) -> Option<IgnoreRule> {
    let line = strip(line);
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (negated, line) = if line.starts_with("\\#") || line.starts_with("\\!") {
        (false, &line[1..])
    } else if let Some(rest) = line.strip_prefix('!') {
        (true, rest)
    } else {
        (false, line)
    };
    let line = line.replace('\\', "/");
    let folders_only = line.ends_with('/');
    let anchored = line.starts_with('/');
    let line = line.trim_matches('/');
    if line.is_empty() {
        return None;
    }
    Some(IgnoreRule {
        base: base.clone(),
        negated,
        folders_only,
        any_part: !anchored && !line.contains('/'),
        pattern: line.split('/').map(str::to_owned).collect(),
    })
}

/// Whether a path, as parts from the measured root, is ignored: the last rule
/// that matches decides.
pub(crate) fn is_ignored(rules: &[IgnoreRule], parts: &[&str], is_folder: bool) -> bool {
    let last = rules
        .iter()
        .rev()
        .find(|rule| rule.matches(parts, is_folder));
    last.is_some_and(|rule| !rule.negated)
}

impl IgnoreRule {
    fn matches(&self, parts: &[&str], is_folder: bool) -> bool {
        let Some(below) = parts.get(self.base.below..) else {
            return false;
        };
        let above = self.base.above.iter().map(String::as_str);
        let path: Vec<&str> = above.chain(below.iter().copied()).collect();
        // For rules on folders the last part of a file's path does not count.
        let counted = if self.folders_only && !is_folder {
            path.len().saturating_sub(1)
        } else {
            path.len()
        };
        if self.any_part {
            return path[..counted]
                .iter()
                .any(|part| glob(&self.pattern[0], part));
        }
        let pattern: Vec<&str> = self.pattern.iter().map(String::as_str).collect();
        (1..=counted).any(|end| glob_parts(&pattern, &path[..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignored(file: &str, path: &str, is_folder: bool) -> bool {
        let base = Base {
            above: Vec::new(),
            below: 0,
        };
        let parts: Vec<&str> = path.split('/').collect();
        is_ignored(&parse(file, &base), &parts, is_folder)
    }

    #[test]
    fn last_matching_line_decides() {
        assert!(ignored("*.py\n", "a/b.py", false));
        assert!(!ignored("*.py\n!b.py\n", "a/b.py", false));
        assert!(ignored("!b.py\n*.py\n", "a/b.py", false));
    }

    #[test]
    fn slash_patterns_match_from_their_folder() {
        assert!(ignored("/b.py", "b.py", false));
        assert!(!ignored("/b.py", "a/b.py", false));
        assert!(ignored("a/*.py", "a/b.py", false));
        assert!(!ignored("a/*.py", "x/a/b.py", false));
        assert!(ignored("a/**", "a/b/c.py", false));
        assert!(ignored("**/gen", "x/gen/c.py", false));
    }

    #[test]
    fn trailing_slash_matches_folders_only() {
        assert!(ignored("gen/", "gen", true));
        assert!(!ignored("gen/", "gen", false));
        assert!(ignored("gen/", "gen/a.py", false));
    }

    #[test]
    fn comments_and_escapes() {
        assert!(!ignored("# a.py\n", "a.py", false));
        assert!(ignored("\\#a.py\n", "#a.py", false));
        assert!(ignored("  a.py  \n", "a.py", false));
    }

    #[test]
    fn outer_ignore_files_apply_below_root() {
        let base = Base {
            above: vec!["sub".to_owned()],
            below: 0,
        };
        let rules = parse("sub/x.py\n", &base);
        assert!(is_ignored(&rules, &["x.py"], false));
        assert!(!is_ignored(&rules, &["y.py"], false));
    }
}
