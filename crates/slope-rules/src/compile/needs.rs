//! Necessary conditions on a node or its file for a matcher to match.
//!
//! They are not sufficient: they only save trying rules that cannot match, and change no result.

use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, HirKind};
use slope_syntax::Language;

use crate::program::{
    ERROR_KIND, KindSet, Matcher, Need, Pattern, PatternNode, Strictness, Text, Util, Word,
};

/// Maximum number of matchers examined for one rule: utilities that use each other could make it
/// any number.
const MAX_STEPS: u32 = 2_000;
/// A set of more words than this occurs nearly everywhere.
const MAX_WORDS: usize = 48;
/// Shortest text, in bytes, that need not be a complete identifier.
const MIN_PART: usize = 3;
/// Maximum number of texts, and of sets of kinds, required of a node.
const MAX_ASKED: usize = 2;

/// Needs of a match of `matcher`, the most selective first.
pub(super) fn needs(matcher: &Matcher, utils: &[Option<Util>], language: Language) -> Vec<Need> {
    let mut search = Search {
        utils,
        language,
        steps: MAX_STEPS,
    };
    choose(search.of(matcher))
}

/// The few needs that are worth checking.
fn choose(needs: Vec<Need>) -> Vec<Need> {
    let (mut texts, mut in_file, mut below) = (Vec::new(), Vec::new(), Vec::new());
    for need in needs {
        match need {
            Need::Text(words) => texts.push(words),
            Need::InFile(words) => in_file.push(words),
            Need::Below(kinds) => below.push(kinds),
        }
    }
    for list in [&mut texts, &mut in_file] {
        // Shorter texts are nearly everywhere, as part of other words.
        list.retain(|words| words.iter().all(|w| w.whole || w.text.len() >= MIN_PART));
        list.sort_by_key(|words| cost(words));
        list.dedup();
    }
    // The deepest and fewest kinds come last in a pattern and are the most selective.
    below.reverse();
    below.sort_by_key(|kinds| kinds.iter().count());
    let mut distinct: Vec<KindSet> = Vec::new();
    for kinds in below {
        if !distinct.contains(&kinds) {
            distinct.push(kinds);
        }
    }
    let texts = texts.into_iter().take(MAX_ASKED).map(Need::Text);
    let in_file = in_file.into_iter().take(1).map(Need::InFile);
    let below = distinct.into_iter().take(MAX_ASKED).map(Need::Below);
    texts.chain(below).chain(in_file).collect()
}

/// Estimated frequency of the words: high for many and for short ones.
fn cost(words: &[Word]) -> usize {
    words.iter().map(|word| weight(&word.text)).sum()
}

fn weight(text: &str) -> usize {
    4usize.pow(5 - u32::try_from(text.len().min(5)).unwrap_or(5))
}

struct Search<'a> {
    utils: &'a [Option<Util>],
    language: Language,
    steps: u32,
}

impl Search<'_> {
    fn of(&mut self, matcher: &Matcher) -> Vec<Need> {
        let Some(left) = self.steps.checked_sub(1) else {
            return Vec::new();
        };
        self.steps = left;
        match matcher {
            Matcher::Pattern(pattern) => self.of_pattern(pattern),
            Matcher::Text(text) => of_text(text).into_iter().map(Need::Text).collect(),
            Matcher::All(_, all) => all.iter().flat_map(|m| self.of(m)).collect(),
            Matcher::Any(_, any) => {
                let each: Vec<Vec<Need>> = any.iter().map(|m| self.of(m)).collect();
                of_alternatives(&each)
            }
            Matcher::Has(relation) => {
                let mut needs = self.of(&relation.matcher);
                needs.extend(relation.kinds.clone().map(Need::Below));
                needs
            }
            Matcher::Inside(relation)
            | Matcher::Precedes(relation)
            | Matcher::Follows(relation) => elsewhere(self.of(&relation.matcher)),
            Matcher::NthChild(nth) => match &nth.of_rule {
                Some(rule) => elsewhere(self.of(rule)),
                None => Vec::new(),
            },
            Matcher::Util(index) => match self.utils.get(*index as usize) {
                Some(Some(util)) => self.of(&util.matcher),
                _ => Vec::new(),
            },
            Matcher::Kind(_) | Matcher::Range(_) | Matcher::Not(_) => Vec::new(),
        }
    }

    fn of_pattern(&self, pattern: &Pattern) -> Vec<Need> {
        if pattern.strictness == Strictness::Template {
            return Vec::new();
        }
        let mut needs = Vec::new();
        let texts = pattern.strictness != Strictness::Signature;
        let mut open = vec![&pattern.root];
        while let Some(node) = open.pop() {
            match node {
                PatternNode::Terminal {
                    text,
                    kind,
                    named: true,
                } if texts && !text.is_empty() => {
                    needs.push(Need::Text(vec![Word {
                        text: text.clone(),
                        whole: self.language.kind_name(*kind).contains("identifier"),
                    }]));
                }
                PatternNode::Internal { kind, children } => {
                    if *kind != ERROR_KIND && !std::ptr::eq(node, &raw const pattern.root) {
                        needs.push(Need::Below(KindSet::of(*kind)));
                    }
                    open.extend(children.iter().rev());
                }
                _ => {}
            }
        }
        needs
    }
}

/// Needs that apply to another node.
fn elsewhere(needs: Vec<Need>) -> Vec<Need> {
    let moved = needs.into_iter().filter_map(|need| match need {
        Need::Text(words) | Need::InFile(words) => Some(Need::InFile(words)),
        Need::Below(_) => None,
    });
    moved.collect()
}

/// Needs if at least one of several matchers must match.
fn of_alternatives(each: &[Vec<Need>]) -> Vec<Need> {
    let mut needs = Vec::new();
    needs.extend(united_words(each));
    let below = each.iter().map(|needs| {
        let kinds = needs.iter().filter_map(|need| match need {
            Need::Below(kinds) => Some(kinds),
            _ => None,
        });
        kinds.min_by_key(|kinds| kinds.iter().count())
    });
    if let Some(below) = below.collect::<Option<Vec<_>>>()
        && !below.is_empty()
    {
        let mut union = KindSet::default();
        below.into_iter().for_each(|kinds| union.union_with(kinds));
        needs.push(Need::Below(union));
    }
    needs
}

fn united_words(each: &[Vec<Need>]) -> Option<Need> {
    let mut union: Vec<Word> = Vec::new();
    let mut in_node = true;
    for needs in each {
        let texts = needs.iter().filter_map(|need| match need {
            Need::Text(words) => Some((0, words)),
            Need::InFile(words) => Some((1, words)),
            Need::Below(_) => None,
        });
        let (far, words) = texts.min_by_key(|(far, words)| (*far, cost(words)))?;
        in_node &= far == 0;
        union.extend(words.iter().cloned());
    }
    union.sort();
    union.dedup();
    if union.is_empty() || union.len() > MAX_WORDS {
        return None;
    }
    Some(if in_node {
        Need::Text(union)
    } else {
        Need::InFile(union)
    })
}

fn of_text(text: &Text) -> Option<Vec<Word>> {
    let texts = match text {
        Text::Equals(words) | Text::Starts(words) | Text::Ends(words) => words.clone(),
        Text::Regex(regex) => required(&regex_syntax::parse(&regex.source).ok()?)?,
    };
    words_of(texts)
}

fn words_of(texts: Vec<String>) -> Option<Vec<Word>> {
    if texts.len() > MAX_WORDS || texts.iter().any(String::is_empty) {
        return None;
    }
    let word = |text| Word { text, whole: false };
    Some(texts.into_iter().map(word).collect())
}

/// Texts of which each match of an expression contains at least one. The parser bounds the depth of
/// an expression.
fn required(hir: &Hir) -> Option<Vec<String>> {
    let within = match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => {
            let known = parts.iter().filter_map(required);
            known.min_by_key(|texts| texts_cost(texts))
        }
        HirKind::Alternation(parts) => {
            let each: Option<Vec<_>> = parts.iter().map(required).collect();
            each.map(|texts| texts.concat())
        }
        _ => None,
    };
    let whole = beginnings(hir);
    let both = [within, whole].into_iter().flatten();
    both.min_by_key(|texts| texts_cost(texts))
}

fn texts_cost(texts: &[String]) -> usize {
    texts.iter().map(|text| weight(text)).sum()
}

/// The texts that matches begin with, if they are few.
fn beginnings(hir: &Hir) -> Option<Vec<String>> {
    let found = Extractor::new().limit_total(MAX_WORDS).extract(hir);
    let texts = found.literals()?.iter();
    let texts: Option<Vec<String>> = texts
        .map(|literal| String::from_utf8(literal.as_bytes().to_vec()).ok())
        .collect();
    texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(expression: &str) -> Vec<String> {
        let mut found = required(&regex_syntax::parse(expression).unwrap()).unwrap_or_default();
        found.sort();
        found
    }

    #[test]
    fn expressions_need_their_rarest_texts() {
        assert_eq!(of(r"^sum\(\s*1\s+for\b"), ["sum("]);
        assert_eq!(
            of(r"(logger|logging)\.(debug|info)$"),
            ["logger", "logging"]
        );
        assert_eq!(of("(?:abc)+x?"), ["abc"]);
        // Optional parts need nothing.
        for expression in ["x*", "[a-z]+", "(abc)?", "^$", "abc|"] {
            assert!(of(expression).is_empty(), "{expression}");
        }
    }
}
