//! Fingerprints of findings, which do not change with shifts of lines, layout and comments.

use std::borrow::Cow;
use std::collections::HashMap;

use slope_syntax::{Roles, SyntaxTree};

/// Fingerprints of the findings of one file.
///
/// A fingerprint is a hash of rule, enclosing callable and text, so it stays the same if lines are
/// added above or the file is moved. Equal findings in one callable differ by their order.
#[derive(Default)]
pub(crate) struct Fingerprints {
    seen: HashMap<blake3::Hash, u32>,
}

impl Fingerprints {
    /// The fingerprint of a finding, 16 hexadecimal digits.
    pub(crate) fn of(&mut self, rule: &str, callable: &str, text: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [rule, callable] {
            hasher.update(part.as_bytes());
            hasher.update(&[0]);
        }
        // White space is layout: any run of it counts as one space.
        for word in text.split_whitespace() {
            hasher.update(word.as_bytes());
            hasher.update(b" ");
        }
        let count = self.seen.entry(hasher.finalize()).or_default();
        if *count > 0 {
            hasher.update(&count.to_le_bytes());
        }
        *count += 1;
        let mut hex = hasher.finalize().to_hex().to_string();
        hex.truncate(16);
        hex
    }
}

/// Comments of a file, which are not part of a finding.
pub(crate) struct Remarks(Vec<(usize, usize)>);

impl Remarks {
    /// Comments of a tree, by position.
    pub(crate) fn of(tree: &SyntaxTree) -> Self {
        let nodes = (0u32..).zip(tree.nodes());
        let is_remark = |index| tree.info(index).roles.any(Roles::COMMENT);
        let remarks = nodes.filter(|&(index, _)| is_remark(index));
        Self(
            remarks
                .map(|(_, node)| (node.start_byte as usize, node.end_byte as usize))
                .collect(),
        )
    }

    /// Text between two bytes without its comments, or the complete text if it consists of comments
    /// only.
    pub(crate) fn without<'a>(
        &self,
        tree: &'a SyntaxTree,
        start: usize,
        end: usize,
    ) -> Cow<'a, str> {
        let whole = tree.text().get(start..end).unwrap_or_default();
        let first = self.0.partition_point(|remark| remark.0 < start);
        let mut rest = start;
        let mut text = String::new();
        for &(from, to) in self.0[first..].iter().take_while(|remark| remark.1 <= end) {
            text.push_str(tree.text().get(rest..from).unwrap_or_default());
            rest = rest.max(to);
        }
        if rest == start {
            return Cow::Borrowed(whole);
        }
        text.push_str(tree.text().get(rest..end).unwrap_or_default());
        if text.trim().is_empty() {
            Cow::Borrowed(whole)
        } else {
            Cow::Owned(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use slope_syntax::{Language, Limits, parse};

    use super::{Fingerprints, Remarks};

    #[test]
    fn fingerprint_text_omits_comments() {
        let text = "# a\nif x:  # b\n    # c\n    pass\n";
        let python = Language::by_id("python").unwrap();
        let tree = parse(python, text.as_bytes(), &Limits::default()).unwrap();
        let remarks = Remarks::of(&tree);
        let words = |from: usize, to: usize| {
            let left = remarks.without(&tree, from, to);
            left.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words(4, text.len()), "if x: pass");
        assert_eq!(words(0, 3), "# a");
        assert_eq!(words(4, 9), "if x:");
    }

    #[test]
    fn fingerprint_ignores_layout_only() {
        let of = |rule, callable, text| Fingerprints::default().of(rule, callable, text);
        let base = of("r", "f", "a  ==\n  None");
        assert_eq!(base, of("r", "f", "a == None"));
        assert_ne!(base, of("r", "f", "b == None"));
        assert_ne!(base, of("r", "g", "a == None"));
        assert_ne!(base, of("q", "f", "a == None"));
    }

    #[test]
    fn equal_findings_get_distinct_fingerprints() {
        let mut prints = Fingerprints::default();
        let (first, second) = (prints.of("r", "f", "x"), prints.of("r", "f", "x"));
        assert_ne!(first, second);
    }
}
