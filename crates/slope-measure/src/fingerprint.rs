//! Names for findings that survive shifts of lines.

use std::collections::HashMap;

/// Fingerprints of one file's findings.
///
/// A fingerprint is made of rule, enclosing callable and text, so it stays when
/// lines are added above or the file is moved. Equal findings in one callable
/// are told apart by their order.
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
        // White space is layout: any run of it counts as one blank.
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

#[cfg(test)]
mod tests {
    use super::Fingerprints;

    #[test]
    fn layout_does_not_matter_but_rule_callable_and_text_do() {
        let of = |rule, callable, text| Fingerprints::default().of(rule, callable, text);
        let base = of("r", "f", "a  ==\n  None");
        assert_eq!(base, of("r", "f", "a == None"));
        assert_ne!(base, of("r", "f", "b == None"));
        assert_ne!(base, of("r", "g", "a == None"));
        assert_ne!(base, of("q", "f", "a == None"));
    }

    #[test]
    fn equal_findings_are_told_apart_by_order() {
        let mut prints = Fingerprints::default();
        let (first, second) = (prints.of("r", "f", "x"), prints.of("r", "f", "x"));
        assert_ne!(first, second);
    }
}
