//! Messages within their budget.

use slope_model::path::spelled;

use crate::Worse;

/// Most bytes of a remark after an edit: two sentences.
const REMARK: usize = 480;

/// Most things that are listed when an agent is about to stop.
const LISTED: usize = 8;

/// Most bytes of one of them.
const ITEM: usize = 320;

/// The message after an edit of these, of which there is at least one: the first, and how many more.
pub(crate) fn remark(worse: &[&Worse]) -> String {
    let Some(first) = worse.first() else {
        return String::new();
    };
    let more = match worse.len() - 1 {
        0 => String::new(),
        more => format!(" ({more} more: slope check)"),
    };
    let text = format!("slope: {}", sentence(first));
    let room = REMARK.saturating_sub(more.len());
    format!("{}{more}", cut(&text, room))
}

/// The message when an agent is about to stop.
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
    for one in worse.iter().take(LISTED) {
        text.push_str("\n- ");
        text.push_str(&cut(&sentence(one), ITEM));
    }
    if worse.len() > LISTED {
        text.push_str(&format!(
            "\n- and {} more: slope check",
            worse.len() - LISTED
        ));
    }
    text
}

/// Place, what is worse, and what to do, in one row.
fn sentence(worse: &Worse) -> String {
    // Names of files and functions are the workspace's, and may hold anything.
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
        assert!(said.len() <= REMARK, "{}", said.len());
        assert!(said.ends_with("… (1 more: slope check)"), "{said}");
    }

    #[test]
    fn violation_list_stays_short() {
        let all: Vec<Worse> = (1..100).map(|n| worse(n, &"word ".repeat(500))).collect();
        let text = list(&all.iter().collect::<Vec<_>>());
        assert_eq!(text.lines().count(), 1 + LISTED + 1);
        assert!(
            text.len() < 400 + LISTED * (ITEM + 3) + 40,
            "{}",
            text.len()
        );
        assert!(text.ends_with("- and 91 more: slope check"));
    }
}
