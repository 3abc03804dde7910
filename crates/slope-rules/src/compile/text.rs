//! Simplification of regular expressions.

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, HirKind, Look};

use crate::program::{LazyRegex, Text};

/// With more words a single expression is faster.
const MAX_WORDS: usize = 64;

/// Rewrites an expression as a comparison with words if it is equivalent to one.
///
/// # Errors
/// The fault of the expression.
pub(super) fn text(source: &str) -> Result<Text, String> {
    let hir = regex_syntax::parse(source).map_err(|error| error.to_string())?;
    if let Some(words) = words(&hir) {
        return Ok(words);
    }
    Ok(Text::Regex(Box::new(LazyRegex::new(source))))
}

fn words(hir: &Hir) -> Option<Text> {
    let HirKind::Concat(parts) = strip_groups(hir).kind() else {
        return None;
    };
    let start = matches!(parts.first()?.kind(), HirKind::Look(Look::Start));
    let end = matches!(parts.last()?.kind(), HirKind::Look(Look::End));
    let inner = &parts[usize::from(start)..parts.len() - usize::from(end)];
    let literals = literals(&Hir::concat(inner.to_vec()))?;
    match (start, end) {
        (true, true) => Some(Text::Equals(literals)),
        (true, false) => Some(Text::Starts(literals)),
        (false, true) => Some(Text::Ends(literals)),
        (false, false) => None,
    }
}

fn strip_groups(mut hir: &Hir) -> &Hir {
    while let HirKind::Capture(capture) = hir.kind() {
        hir = &capture.sub;
    }
    hir
}

/// The words that an expression matches, if it matches only words.
fn literals(hir: &Hir) -> Option<Vec<String>> {
    let properties = hir.properties();
    if !properties.look_set().is_empty() || properties.maximum_len().is_none() {
        return None;
    }
    let found = Extractor::new().limit_total(MAX_WORDS).extract(hir);
    if !found.is_exact() {
        return None;
    }
    let words: Option<Vec<String>> = found
        .literals()?
        .iter()
        .map(|literal| String::from_utf8(literal.as_bytes().to_vec()).ok())
        .collect();
    words.filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(source: &str) -> String {
        match text(source).unwrap() {
            Text::Equals(words) => format!("={}", words.join(",")),
            Text::Starts(words) => format!("^{}", words.join(",")),
            Text::Ends(words) => format!("${}", words.join(",")),
            Text::Regex(_) => "regex".to_owned(),
        }
    }

    #[test]
    fn anchored_words_become_comparisons() {
        assert_eq!(shape("^(a|bc)$"), "=a,bc");
        assert_eq!(shape("^(?:get|set)_$"), "=get_,set_");
        assert_eq!(shape(r"\.get$"), "$.get");
        assert_eq!(shape("^self"), "^self");
        assert_eq!(shape("^a?b$"), "=ab,b");
        assert_eq!(shape(r"^[ab]\($"), "=a(,b(");
    }

    #[test]
    fn other_patterns_stay_expressions() {
        for source in [
            "a", "^a|b$", "^a.*$", "(?m)^a$", r"^a\b$", "^[a-z]+$", "^$|^a$",
        ] {
            assert_eq!(shape(source), "regex", "{source}");
        }
        assert!(text("(").is_err());
    }
}
