//! The kinds that a matcher can match, computed without code.

use crate::program::{ERROR_KIND, KindSet, Matcher, Pattern, PatternNode, Strictness, Util};

/// The kinds that ast-grep derives for a matcher; `None` for any.
///
/// It checks them before a list of conditions, so they affect a rule's meaning, not only its speed.
pub(super) fn kinds(matcher: &Matcher, utils: &[Option<Util>]) -> Option<KindSet> {
    // Utilities that refer to each other in a circle are refused later.
    kinds_within(matcher, utils, utils.len())
}

/// As [`kinds`], through at most `most` utilities.
fn kinds_within(matcher: &Matcher, utils: &[Option<Util>], most: usize) -> Option<KindSet> {
    match matcher {
        Matcher::Kind(kind) => Some(KindSet::of(*kind)),
        Matcher::Pattern(pattern) => pattern_kinds(pattern),
        Matcher::NthChild(nth) => kinds_within(nth.of_rule.as_ref()?, utils, most),
        Matcher::All(kinds, _) | Matcher::Any(kinds, _) => kinds.clone(),
        Matcher::Util(index) => {
            let util = utils.get(*index as usize)?.as_ref()?;
            match &util.isolated {
                Some(isolated) => isolated.kinds.clone(),
                None => kinds_within(&util.matcher, utils, most.checked_sub(1)?),
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

/// Kinds of nodes outside of which a matcher certainly does not match.
///
/// A pattern that is only an error is tried on every node, although its derived kind is that of
/// errors.
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
