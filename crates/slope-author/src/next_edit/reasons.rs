//! Reasons that an edit follows from earlier changes and from the file.

use std::collections::BTreeSet;

use slope_problem::next_edit::{Edit, Hunk, Task};

use super::words::{change, is_name, weight, words};

/// Minimum share of an edit's new names that are in the file or a recent edit.
const KNOWN: f64 = 0.75;
/// Minimum share of common words that makes two edits similar.
const ALIKE: f64 = 0.5;
/// Number of lines above and below that are compared with the form of an inserted one.
const NEAR: usize = 3;

/// Reasons for the expected edit of a task, at least one; the error says why there is none. `old`
/// is the file before all edits.
pub(super) fn reasons(
    task: &Task,
    expected: &Edit,
    old: &str,
) -> Result<Vec<String>, &'static str> {
    let removed = expected.removed(&task.text);
    let inserted = &expected.replacement;
    let joined = |side: fn(&Hunk) -> &str| task.recent.iter().map(side).collect::<String>();
    let (added, gone) = (joined(|hunk| &hunk.added), joined(|hunk| &hunk.removed));
    let (before, after) = (names(&removed), names(inserted));
    let (added, gone, old) = (names(&added), names(&gone), names(old));

    let new: BTreeSet<&str> = &after - &before;
    let told_of = &names(&task.text) | &gone;
    let known = new.intersection(&told_of).count();
    if float(known) < KNOWN * float(new.len()) {
        return Err("it has new names that the file does not contain");
    }

    let brought: BTreeSet<&str> = &(&added - &old) & &new;
    let taken: BTreeSet<&str> = &(&gone - &added) & &(&before - &after);
    let like = |hunk: &&Hunk| alike((&removed, inserted), (&hunk.removed, &hunk.added)) >= ALIKE;
    let like = task.recent.iter().find(like);
    let found = [
        listed(&brought).map(|names| format!("uses {names}, which a recent edit added")),
        listed(&taken).map(|names| format!("drops {names}, which a recent edit removed elsewhere")),
        like.map(|hunk| format!("resembles the recent edit at line {}", hunk.line)),
        neighbour(&task.text, expected).map(|line| format!("has the form of line {line}")),
    ];
    let mut found: Vec<String> = found.into_iter().flatten().collect();
    if found.is_empty() {
        return Err("it does not follow from an earlier edit");
    }
    if !new.is_empty() {
        found.push(format!(
            "{known} of its {} new names are in the file or a recent edit",
            new.len()
        ));
    }
    Ok(found)
}

/// Names in a text; not numbers, and not single letters.
pub(super) fn names(text: &str) -> BTreeSet<&str> {
    let name = |word: &&str| {
        is_name(word) && word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    words(text).into_iter().filter(name).collect()
}

/// The names, if there are any.
pub(super) fn listed(names: &BTreeSet<&str>) -> Option<String> {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    (!quoted.is_empty()).then(|| quoted.join(", "))
}

/// Share of common words among those that two edits delete and insert, by characters, in any order;
/// white space is ignored.
fn alike(a: (&str, &str), b: (&str, &str)) -> f64 {
    let mut a = changed(a);
    let b = changed(b);
    let sizes = sum(&a) + sum(&b);
    let taken = |word| {
        let at = a.iter().position(|other| *other == word)?;
        Some(a.swap_remove(at))
    };
    let common: Vec<_> = b.into_iter().filter_map(taken).collect();
    if sizes == 0 {
        return 0.0;
    }
    2.0 * float(sum(&common)) / float(sizes)
}

/// Words that an edit deletes and inserts; whether each is inserted.
fn changed<'a>((removed, added): (&'a str, &'a str)) -> Vec<(bool, &'a str)> {
    let (old, new) = (words(removed), words(added));
    let change = change(&old, &new);
    let deleted = change.deleted.iter().map(|at| (false, old[*at]));
    let inserted = change.inserted.values().flatten().map(|word| (true, *word));
    let all = deleted.chain(inserted);
    all.filter(|(_, word)| !word.trim().is_empty()).collect()
}

fn sum(words: &[(bool, &str)]) -> usize {
    words.iter().map(|(_, word)| weight(word)).sum()
}

/// A line near the expected edit with the same form as an inserted line: only names and numbers
/// differ.
fn neighbour(text: &str, expected: &Edit) -> Option<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let first = expected.line - 1;
    let end = first + expected.lines;
    let above = first.saturating_sub(NEAR)..first;
    let below = end..lines.len().min(end + NEAR);
    let forms: Vec<String> = expected.replacement.lines().filter_map(form).collect();
    let same = |at: &usize| form(lines[*at]).is_some_and(|form| forms.contains(&form));
    above.rev().chain(below).find(same).map(|at| at + 1)
}

/// A line with all names and numbers unified; `None` for one with fewer than three.
pub(super) fn form(line: &str) -> Option<String> {
    let words = words(line);
    let many = words.iter().filter(|word| is_name(word)).count() >= 3;
    let plain = |word: &&str| {
        if is_name(word) {
            "a".to_owned()
        } else {
            (*word).to_owned()
        }
    };
    many.then(|| words.iter().map(plain).collect())
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_similarity_compares_changed_words() {
        let first = ("take(stock, name)\n", "take(stock, name, day)\n");
        let second = ("    add(lot, stock)\n", "    add(lot, stock, day)\n");
        assert_eq!(alike(first, second), 1.0);
        assert_eq!(alike(first, ("", "unrelated\n")), 0.0);
        assert_eq!(alike(("", ""), ("", "")), 0.0);
    }

    #[test]
    fn line_form_drops_names() {
        assert_eq!(form("    \"add\": add(1),"), form("    \"take\": take(2),"));
        assert_ne!(form("    \"add\": add(1),"), form("    \"add\": add(1)"));
        assert_eq!(form("}"), None);
    }
}
