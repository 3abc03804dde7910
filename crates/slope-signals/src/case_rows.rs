//! Lists of constants in conditions: the alternatives of one branch of a `switch`, and of `a == "x"
//!
//! a == "y"`.

use crate::value_rows::{Leaf, Reading};
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Maximum bytes of a parsed branch head.
const MAX_HEAD: usize = 2000;

/// A list of constants in a condition.
pub(crate) struct Constants {
    pub(crate) node: u32,
    pub(crate) reading: Reading,
    /// Whether they are names of the code, and no texts.
    pub(crate) is_named: bool,
}

impl Constants {
    fn of<'t>(node: u32, mut alternatives: impl Iterator<Item = &'t str>) -> Option<Self> {
        let mut reading = Reading::default();
        let mut is_named = false;
        alternatives.try_for_each(|part| {
            let leaf = alternative(part.trim())?;
            is_named |= leaf.is_name();
            reading.take(&[leaf]);
            Some(())
        })?;
        Some(Self {
            node,
            reading,
            is_named,
        })
    }
}

/// The lists of a file.
pub(crate) fn read(view: &View<'_>) -> Vec<Constants> {
    let mut lists = of_branches(view);
    lists.extend(of_comparisons(view));
    lists
}

/// The alternatives of `a == "x" || a == "y"`.
fn of_comparisons(view: &View<'_>) -> Vec<Constants> {
    let mut lists = Vec::new();
    let mut done = 0;
    let kinds = [Construct::BoolOp, Construct::BinaryOp].map(|kind| view.of_kind(kind));
    let mut nodes: Vec<u32> = kinds.into_iter().flatten().copied().collect();
    nodes.sort_unstable();
    for node in nodes {
        let text = view.text(node);
        if node < done || text.len() > MAX_HEAD {
            continue;
        }
        done = view.end(node);
        lists.extend(compared(text).and_then(|all| Constants::of(node, all.into_iter())));
    }
    lists
}

/// The constants that one expression is compared with.
fn compared(text: &str) -> Option<Vec<&str>> {
    let sign = if text.contains("||") { "||" } else { " or " };
    let mut subject = None;
    let constants = text.split(sign).map(|part| {
        let (left, right) = part.split_once("==")?;
        let left = left.trim();
        let is_same = *subject.get_or_insert(left) == left;
        is_same.then(|| right.trim_start_matches('='))
    });
    let all: Vec<Option<&str>> = constants.collect();
    // `isDigit(a) ||` may be among them.
    let known: Vec<&str> = all.iter().copied().flatten().collect();
    (known.len() * 3 >= all.len() * 2).then_some(known)
}

fn of_branches(view: &View<'_>) -> Vec<Constants> {
    let cases = view.of_kind(Construct::Case).iter();
    let cases = cases.filter_map(|&case| Some((case, head(view.text(case))?)));
    let macros = view.of_kind(Construct::Macro).iter();
    let macros = macros.filter_map(|&node| Some((node, matched(view.text(node))?)));
    let lists = cases.chain(macros);
    lists
        .filter_map(|(node, text)| Constants::of(node, alternatives(text).into_iter()))
        .collect()
}

/// The patterns of `matches!(a, b | c)`.
fn matched(text: &str) -> Option<&str> {
    let (_, patterns) = text.strip_prefix("matches!(")?.split_once(',')?;
    patterns
        .strip_suffix(')')
        .filter(|text| text.len() <= MAX_HEAD)
}

/// The parts of a text between `,` and `|` outside of quotes.
fn alternatives(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quote, mut is_escaped) = (0, None, false);
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if open == sign => quote = None,
            (None, '"' | '\'') => quote = Some(sign),
            (None, ',' | '|') => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The text before the body of a branch: `case a, b:`, `A | B =>`.
fn head(text: &str) -> Option<&str> {
    let text = text.strip_prefix("case ").unwrap_or(text);
    let ends = text.char_indices().take_while(|&(at, _)| at < MAX_HEAD);
    let mut quote = None;
    for (at, sign) in ends {
        let is_quoted = quote.is_some();
        let (before, rest) = text.split_at(at);
        match sign {
            '"' | '\'' if quote.is_none() => quote = Some(sign),
            _ if quote == Some(sign) => quote = None,
            '=' if !is_quoted && rest.starts_with("=>") => return Some(before),
            ':' if !is_quoted && !rest.starts_with("::") && !before.ends_with(':') => {
                return Some(before);
            }
            '(' | '{' if !is_quoted => return None,
            _ => {}
        }
    }
    None
}

/// A text, or the last part of the name of a constant or a type.
fn alternative(text: &str) -> Option<Leaf<'_>> {
    let quoted = |sign: char| text.strip_prefix(sign)?.strip_suffix(sign);
    if let Some(text) = quoted('"').or_else(|| quoted('\'')) {
        return Some(Leaf::of_text(text));
    }
    let name = text.rsplit(['.', ':']).next()?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| Leaf::of_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_signs_separate_nothing() {
        let parts = alternatives("'|' | ',' | '\\'' | \"a|b\"");
        assert_eq!(parts, ["'|' ", " ',' ", " '\\'' ", " \"a|b\""]);
    }

    #[test]
    fn head_ends_before_body() {
        assert_eq!(
            head("case reflect.Int, reflect.Int8:\n\tx()"),
            Some("reflect.Int, reflect.Int8")
        );
        assert_eq!(head("Kind::A | Kind::B => 1"), Some("Kind::A | Kind::B "));
        assert_eq!(head("\"a:b\" | \"c\" => 1"), Some("\"a:b\" | \"c\" "));
        assert_eq!(head("Some(x) => 1"), None);
    }
}
