//! Messages of limited length.

use slope_model::path::spelled;

use crate::Worse;

/// Maximum bytes of a message after an edit: two sentences.
const MAX_REMARK: usize = 480;

/// Maximum number of problems in the list when an agent wants to stop.
const MAX_LISTED: usize = 8;

/// Maximum bytes of one problem in the list.
const MAX_ITEM: usize = 320;

/// Message after an edit: the first problem, and the number of others. `worse` is not empty.
pub(crate) fn remark(worse: &[&Worse]) -> String {
    let Some(first) = worse.first() else {
        return String::new();
    };
    let more = match worse.len() - 1 {
        0 => String::new(),
        more => format!(" ({more} more: slope check)"),
    };
    let text = format!("slope: {}", sentence(first));
    let room = MAX_REMARK.saturating_sub(more.len());
    format!("{}{more}", cut(&text, room))
}

/// Message when an agent wants to stop.
pub(crate) fn list(worse: &[&Worse]) -> String {
    let (things, them) = match worse.len() {
        1 => ("this", "it"),
        _ => ("these", "them"),
    };
    let mut text = format!(
        "slope: before you stop, look at what this session made worse. Mend {things}, or say in one \
         sentence why {} to stay; you will not be asked about {them} again.",
        if worse.len() == 1 {
            "it has"
        } else {
            "they have"
        }
    );
    for one in worse.iter().take(MAX_LISTED) {
        text.push_str("\n- ");
        text.push_str(&cut(&sentence(one), MAX_ITEM));
    }
    if worse.len() > MAX_LISTED {
        text.push_str(&format!(
            "\n- and {} more: slope check",
            worse.len() - MAX_LISTED
        ));
    }
    text
}

/// Place, problem and remedy in one line.
fn sentence(worse: &Worse) -> String {
    // Names come from the workspace and may contain anything.
    let path = spelled(&worse.path);
    let place = match (&*path, worse.line) {
        ("", _) => String::new(),
        (path, 0) => format!("{path}: "),
        (path, line) => format!("{path}:{line}: "),
    };
    let text = format!("{} {}", worse.message, worse.advice);
    let words: Vec<_> = text.split_whitespace().map(spelled).collect();
    format!("{place}{}", words.join(" "))
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(most.saturating_sub('…'.len_utf8()));
    format!("{}…", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worse(number: u32, message: &str) -> Worse {
        Worse {
            fingerprint: number.to_string(),
            path: "src/a.py".to_owned(),
            line: number,
            is_error: true,
            message: message.to_owned(),
            advice: "Call it.".to_owned(),
        }
    }

    #[test]
    fn remark_is_one_line_within_budget() {
        let (one, two) = (
            worse(1, "A copy\n\u{1b}[31m of `f\u{202e}`."),
            worse(2, "b"),
        );
        assert_eq!(
            remark(&[&one]),
            "slope: src/a.py:1: A copy \\u{1b}[31m of `f\\u{202e}`. Call it."
        );
        let named = Worse {
            path: "a\n\u{202e}b  c.py".to_owned(),
            ..worse(1, "b")
        };
        assert!(remark(&[&named]).starts_with("slope: a\\n\\u{202e}b  c.py:1: b"));
        let both = remark(&[&one, &two]);
        assert!(both.ends_with("Call it. (1 more: slope check)"), "{both}");
        let long = worse(1, &"é".repeat(2_000));
        let said = remark(&[&long, &two]);
        assert!(said.len() <= MAX_REMARK, "{}", said.len());
        assert!(said.ends_with("… (1 more: slope check)"), "{said}");
    }

    #[test]
    fn violation_list_stays_short() {
        let all: Vec<Worse> = (1..100).map(|n| worse(n, &"word ".repeat(500))).collect();
        let text = list(&all.iter().collect::<Vec<_>>());
        assert_eq!(text.lines().count(), 1 + MAX_LISTED + 1);
        assert!(
            text.len() < 400 + MAX_LISTED * (MAX_ITEM + 3) + 40,
            "{}",
            text.len()
        );
        assert!(text.ends_with("- and 91 more: slope check"));
    }
}
