//! Components of Astro: front matter, and scripts for the browser.

use std::ops::Range;

use super::markup::Markup;
use super::scripts::Block;
use super::{Host, scripts};

/// The mark around the front matter.
const FENCE: &str = "---";

pub(super) const HOST: Host = Host {
    suffix: "astro",
    language: "typescript",
    size_factor: 1,
    keeps_columns: true,
    is_imported: true,
    take: |text| {
        let front = front_matter(text);
        let rest = front.as_ref().map_or(0, |front| front.end);
        let scripts = Markup::from(text, rest).scripts();
        let mut blocks: Vec<Block> = Vec::new();
        blocks.extend(front.map(|range| Block {
            range,
            language: "typescript",
        }));
        blocks.extend(scripts::blocks(scripts, "typescript")?);
        Ok(scripts::joined(text, &blocks))
    },
};

/// The code between the marks at the beginning of a file; up to its end if the second mark is missing.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let start = text.len() - text.trim_start().len();
    let first = text[start..].split_inclusive('\n').next()?;
    if first.trim_end() != FENCE {
        return None;
    }
    let begin = start + first.len();
    let mut at = begin;
    for line in text[begin..].split_inclusive('\n') {
        if line.trim_start().starts_with(FENCE) {
            return Some(begin..at);
        }
        at += line.len();
    }
    Some(begin..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_between_its_marks() {
        let of = |text: &str| front_matter(text).map(|range| text[range].to_owned());
        assert_eq!(of("---\na\n---\n<p/>"), Some("a\n".to_owned()));
        assert_eq!(of("\n---\na--\n  ---\n"), Some("a--\n".to_owned()));
        assert_eq!(of("---\na\n"), Some("a\n".to_owned()));
        assert_eq!(of("---\n---\n"), Some(String::new()));
        assert_eq!(of("<p>---</p>"), None);
        assert_eq!(of(""), None);
    }
}
