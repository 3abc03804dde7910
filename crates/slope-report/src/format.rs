//! Formatting of numbers, states and foreign text; the only place that decides on decimals.

pub(crate) use slope_model::metrics::Kind;
pub(crate) use slope_model::plural;
use std::borrow::Cow;

pub(crate) use slope_model::path::is_hidden;
use slope_model::path::spelled;
use slope_model::verdict::Count;

/// Shown where a value is missing.
pub(crate) const MISSING: &str = "–";

/// Decimals for the values of one column, so that they line up.
///
/// `largest` is the largest absolute value of the column.
pub(crate) fn decimals(kind: Kind, largest: f64) -> usize {
    match kind {
        Kind::Ratio => 3,
        Kind::Real => 1,
        Kind::Count => 0,
        Kind::Cost if largest < 1.0 => 4,
        Kind::Cost if largest < 10.0 => 3,
        Kind::Cost => 2,
        Kind::Seconds if largest < 100.0 => 1,
        Kind::Seconds => 0,
    }
}

/// `value` with `decimals` digits after the point and commas between thousands.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    let plain = format!("{:.decimals$}", value.abs());
    let (whole, rest) = plain
        .split_once('.')
        .map_or((plain.as_str(), None), |(w, r)| (w, Some(r)));
    let mut text = String::with_capacity(plain.len() + 4);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if let Some(rest) = rest {
        text.push('.');
        text.push_str(rest);
    }
    if value < 0.0 && plain.chars().any(|c| ('1'..='9').contains(&c)) {
        text.insert(0, '−');
    }
    text
}

/// A change: like [`number`], with a sign unless it prints as zero.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = number(value, decimals);
    if value > 0.0 && text.chars().any(|c| ('1'..='9').contains(&c)) {
        format!("+{text}")
    } else {
        text
    }
}

/// Decimals of a slope, which is smaller than its metric's values, and rarely an integer.
pub(crate) fn slope_decimals(kind: Kind, largest: f64) -> usize {
    match kind {
        Kind::Ratio => 4,
        Kind::Count if largest < 1000.0 => 1,
        _ => decimals(kind, largest),
    }
}

/// `passed/total`, with the number of unstable tests behind a tilde where there are any.
pub(crate) fn count(count: &Count) -> String {
    if count.unstable == 0 {
        format!("{}/{}", count.passed, count.total)
    } else {
        format!("{}/{} ~{}", count.passed, count.total, count.unstable)
    }
}

/// Share of `of` observations in percent, with the number of digits that this sample size supports.
pub(crate) fn percent(share: f64, of: u32) -> String {
    number(share * 100.0, usize::from(of >= 200))
}

/// The number of a footnote, raised.
pub(crate) fn raised(n: usize) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    n.to_string()
        .chars()
        .filter_map(|c| c.to_digit(10))
        .filter_map(|d| usize::try_from(d).ok().and_then(|d| DIGITS.get(d)))
        .collect()
}

/// Foreign text (labels, test ids, reasons), made safe to print on one line.
///
/// Control characters and those that reorder or hide text are escaped, so that a test id cannot
/// move the cursor, recolour the screen or imitate another one; runs of white space become one
/// space.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim().chars() {
        if c.is_whitespace() {
            if !out.ends_with(' ') {
                out.push(' ');
            }
        } else if c.is_control() || is_hidden(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// A file's name, made safe to print on one line: as [`clean`], but all white space is kept.
#[must_use]
pub fn clean_path(path: &str) -> String {
    spelled(path).into_owned()
}

/// As [`clean`], without a copy for plain ASCII words.
pub(crate) fn cleaned(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let at_end = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
    let spaced = at_end || bytes.windows(2).any(|pair| pair == b"  ");
    if bytes.iter().all(plain) && !spaced {
        return Cow::Borrowed(text);
    }
    Cow::Owned(clean(text))
}

/// A foreign line of code, made safe to show: as [`clean`], but spaces are kept, tabs become four
/// spaces, and a trailing line end is dropped.
pub(crate) fn code_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end_matches(['\r', '\n']).chars() {
        match c {
            '\t' => out.push_str("    "),
            c if c.is_control() || is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// `text` with a capital letter at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// `text` cut to `most` characters, the cut marked.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// An age in days.
pub(crate) fn age(days: u32) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{} ago", plural(days, "day")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_use_commas_and_minus_sign() {
        assert_eq!(number(1_234_567.0, 0), "1,234,567");
        assert_eq!(number(123.456, 1), "123.5");
        assert_eq!(number(-1234.5, 1), "−1,234.5");
        assert_eq!(number(-0.0001, 3), "0.000");
        assert_eq!(signed(0.0312, 3), "+0.031");
        assert_eq!(signed(0.0, 3), "0.000");
        assert_eq!(signed(-2.0, 0), "−2");
    }

    #[test]
    fn terminal_controls_in_text_are_escaped() {
        assert_eq!(clean("a\u{1b}[31mb\tc\n d"), "a\\u{1b}[31mb c d");
        assert_eq!(clean("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(clean("Grüße 日本"), "Grüße 日本");
    }

    #[test]
    fn file_names_keep_white_space() {
        assert_eq!(clean_path(" a  b\n\t\u{202e}"), " a  b\\n\\t\\u{202e}");
    }

    #[test]
    fn code_keeps_indentation_but_escapes_controls() {
        assert_eq!(code_line("\tif x:  y\r\n"), "    if x:  y");
        assert_eq!(code_line("a\u{1b}[0m\u{202e}"), "a\\u{1b}[0m\\u{202e}");
    }

    #[test]
    fn footnotes_count_past_nine() {
        assert_eq!(raised(12), "¹²");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shorten("日本語テキスト", 4), "日本語…");
        assert_eq!(shorten("abc", 3), "abc");
    }
}
