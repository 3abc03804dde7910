//! What a matcher can match, told without code: kinds and words.

use crate::program::{ERROR_KIND, KindSet, Matcher, Pattern, PatternNode, Strictness, Text, Util};

/// The kinds that ast-grep derives for a matcher, `None` for any.
///
/// It looks at them before it tries a list of conditions, so they are part of
/// what a rule means, not only of its speed.
pub(super) fn kinds(matcher: &Matcher, utils: &[Option<Util>]) -> Option<KindSet> {
    match matcher {
        Matcher::Kind(kind) => Some(KindSet::of(*kind)),
        Matcher::Pattern(pattern) => pattern_kinds(pattern),
        Matcher::NthChild(nth) => kinds(nth.of_rule.as_ref()?, utils),
        Matcher::All(kinds, _) | Matcher::Any(kinds, _) => kinds.clone(),
        Matcher::Util(index) => {
            let util = utils.get(*index as usize)?.as_ref()?;
            match &util.isolated {
                Some(isolated) => isolated.kinds.clone(),
                None => kinds(&util.matcher, utils),
            }
        }
        Matcher::Text(_)
        | Matcher::Range(_)
        | Matcher::Inside(_)
        | Matcher::Has(_)
        | Matcher::Precedes(_)
        | Matcher::Follows(_)
        | Matcher::Not(_) => None,
    }
}

fn pattern_kinds(pattern: &Pattern) -> Option<KindSet> {
    if pattern.strictness == Strictness::Template {
        return None;
    }
    let kind = match &pattern.root {
        PatternNode::Terminal { kind, .. } => *kind,
        PatternNode::Internal { kind, .. } if *kind == ERROR_KIND => return None,
        PatternNode::Internal { kind, .. } => *kind,
        _ => pattern.root_kind?,
    };
    Some(KindSet::of(kind))
}

/// The kinds outside of which a matcher certainly finds nothing.
///
/// A pattern that is nothing but an error is tried on every node, though its
/// derived kind is that of errors.
pub(super) fn safe_kinds(matcher: &Matcher, utils: &[Option<Util>]) -> Option<KindSet> {
    let found = kinds(matcher, utils)?;
    (!found.contains(ERROR_KIND)).then_some(found)
}

pub(super) fn all_kinds(matchers: &[Matcher], utils: &[Option<Util>]) -> Option<KindSet> {
    let known = matchers.iter().filter_map(|matcher| kinds(matcher, utils));
    known.reduce(|a, b| a.intersection(&b))
}

pub(super) fn any_kinds(matchers: &[Matcher], utils: &[Option<Util>]) -> Option<KindSet> {
    let mut union = KindSet::default();
    for matcher in matchers {
        union.union_with(&kinds(matcher, utils)?);
    }
    Some(union)
}

/// Words of which one stands in every file with a match; empty if none is known.
pub(super) fn words(matcher: &Matcher, utils: &[Option<Util>]) -> Vec<String> {
    let mut found = needed(matcher, utils, 0).unwrap_or_default();
    found.sort();
    found.dedup();
    found
}

/// How far into utilities that use each other words are looked for.
const MAX_DEPTH: u32 = 20;

fn needed(matcher: &Matcher, utils: &[Option<Util>], depth: u32) -> Option<Vec<String>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let below = |matcher: &Matcher| needed(matcher, utils, depth + 1);
    match matcher {
        Matcher::Pattern(pattern) => {
            let texts = !matches!(
                pattern.strictness,
                Strictness::Signature | Strictness::Template
            );
            let word = texts.then(|| longest_word(&pattern.root))??;
            Some(vec![word.to_owned()])
        }
        Matcher::Text(Text::Equals(words) | Text::Starts(words) | Text::Ends(words)) => {
            words.iter().all(|w| !w.is_empty()).then(|| words.clone())
        }
        Matcher::All(_, all) => {
            let known = all.iter().filter_map(below);
            // Few long words are met less often than many or short ones.
            known.min_by_key(|words| {
                let shortest = words.iter().map(String::len).min().unwrap_or(0);
                (words.len(), usize::MAX - shortest)
            })
        }
        Matcher::Any(_, any) => {
            let each: Option<Vec<_>> = any.iter().map(below).collect();
            each.map(|words| words.concat())
        }
        Matcher::Inside(relation)
        | Matcher::Has(relation)
        | Matcher::Precedes(relation)
        | Matcher::Follows(relation) => below(&relation.matcher),
        Matcher::Util(index) => below(&utils.get(*index as usize)?.as_ref()?.matcher),
        Matcher::NthChild(nth) => below(nth.of_rule.as_ref()?),
        Matcher::Kind(_) | Matcher::Text(_) | Matcher::Range(_) | Matcher::Not(_) => None,
    }
}

/// The longest text that a pattern wants to see literally.
fn longest_word(node: &PatternNode) -> Option<&str> {
    match node {
        PatternNode::Terminal {
            text, named: true, ..
        } => Some(text.as_str()).filter(|text| !text.is_empty()),
        PatternNode::Internal { children, .. } => children
            .iter()
            .filter_map(longest_word)
            .max_by_key(|word| word.len()),
        _ => None,
    }
}
