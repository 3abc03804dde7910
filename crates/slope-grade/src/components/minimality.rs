//! `p_min`: changes that the task does not need.
//!
//! Tier `R` compares with a reference patch: the tokens that the edit changes beyond it. Tier `S` looks at the
//! edit alone: code lines that are only laid out anew in functions that are otherwise the same, and files that
//! are left behind. Tier `G` compares with other attempts at the task (`group`), and tier `T` runs the tests without parts
//! of the edit (`tests`).

use std::collections::{BTreeMap, HashMap};

use similar::{Algorithm, DiffOp, capture_diff_slices};
use slope_change::ledger::Followed;
use slope_measure::Content;
use slope_syntax::paths::is_test;

use super::judged::{Judged, Scored, number, place};
use crate::base::Base;
use crate::edit::{Edit, Text};
use crate::lines::Rows;
use crate::reward::saturated;
use slope_model::grade::Evidence;
use slope_model::grade_request::TaskKind;

const SIGNAL: &str = "p_min";

/// Tokens beyond the reference that cost nothing, and the smallest size to compare with.
const FREE_TOKENS: f64 = 20.0;
const LEAST_TOKENS: f64 = 60.0;
/// Signs that formatters add, remove or replace.
const LAYOUT: &str = ",;()'\"`\\{}";
/// Lines that a file counts that is left behind.
const STRAY_LINES: f64 = 10.0;
/// Lines that a blank line counts in a function that is otherwise the same.
const BLANK_LINE: f64 = 0.1;
/// Lines that a file counts of which only blank lines change.
const TOUCHED_FILE: f64 = 1.0;

/// The component, and its tier.
pub(super) fn score(judged: &Judged<'_>) -> (Scored, &'static str) {
    match judged.reference {
        Some(reference) => (beyond(judged, reference), "R"),
        None => (churn(judged), "S"),
    }
}

/// Tokens that the edit changes beyond a reference.
fn beyond(judged: &Judged<'_>, reference: &Edit) -> Scored {
    let own = distance(judged.edit, judged);
    let needed = distance(reference, judged);
    let more = (own - needed - 0.25 * needed - FREE_TOKENS).max(0.0);
    let value = saturated(more / needed.max(LEAST_TOKENS), 1.0);
    let mut evidence = Vec::new();
    if more > 0.0 {
        evidence.push(Evidence {
            signal: SIGNAL.to_owned(),
            kind: "beyond-reference".to_owned(),
            at: judged.edit.files.keys().next().cloned().unwrap_or_default(),
            of: None,
            message: format!("The edit changes {own} tokens of code, the reference {needed}."),
            amount: more,
        });
    }
    Scored { value, evidence }
}

/// Tokens of code that the judged edit adds and removes.
pub(crate) fn size(judged: &Judged<'_>) -> f64 {
    distance(judged.edit, judged)
}

/// Tokens of code in each line of a file, before and after an edit.
pub(crate) fn code_tokens(
    base: &Base,
    path: &str,
    (before, after): (&Text, &Text),
) -> (Vec<usize>, Vec<usize>) {
    let counts = |text: &Text| {
        let Some(bytes) = text else {
            return Vec::new();
        };
        let content = base.measurer.content(path, bytes);
        let rows = content.source();
        let is_code = |row: u32| rows.is_some_and(|rows| rows.contains(row));
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines = text.lines().zip(0..);
        lines
            .map(|(line, row)| if is_code(row) { tokens(line).len() } else { 0 })
            .collect()
    };
    (counts(before), counts(after))
}

/// Tokens of code that an edit adds and removes.
fn distance(edit: &Edit, judged: &Judged<'_>) -> f64 {
    let base = judged.base;
    let mut sum = 0;
    for (path, (before, after)) in &edit.files {
        // New tests are welcome.
        if !base.measures(path) || is_test(path) {
            continue;
        }
        let lines = |text: &Text, content: Option<&Content>| {
            let source = content.and_then(Content::source);
            let is_code = |row: u32| source.is_some_and(|rows| rows.contains(row));
            let all = String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned();
            let code = all.lines().zip(0..).filter(|(_, row)| is_code(*row));
            code.map(|(line, _)| tokens(line).join(" "))
                .collect::<Vec<String>>()
        };
        // The reference may change other files, or make other ones of the same.
        let is_own = std::ptr::eq(edit, judged.edit);
        let known = judged.after.get(path).filter(|_| is_own);
        let read = match (known, after) {
            (None, Some(after)) => Some(base.measurer.content(path, after)),
            _ => None,
        };
        let old = lines(before, base.code.content(path).as_ref());
        let new = lines(after, known.or(read.as_ref()));
        for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
            sum += match op {
                DiffOp::Equal { .. } => 0,
                DiffOp::Delete {
                    old_index, old_len, ..
                } => count(&old[old_index..old_index + old_len]),
                DiffOp::Insert {
                    new_index, new_len, ..
                } => count(&new[new_index..new_index + new_len]),
                DiffOp::Replace {
                    old_index,
                    old_len,
                    new_index,
                    new_len,
                } => replaced(
                    &old[old_index..old_index + old_len],
                    &new[new_index..new_index + new_len],
                ),
            };
        }
    }
    number(i64::try_from(sum).unwrap_or(i64::MAX))
}

fn count(lines: &[String]) -> usize {
    lines.iter().map(|line| line.split(' ').count()).sum()
}

/// Largest product of tokens that are compared one by one.
const MAX_COMPARED: usize = 4_000_000;

/// Tokens that differ between two runs of lines.
fn replaced(old: &[String], new: &[String]) -> usize {
    let split = |lines: &[String]| -> Vec<String> {
        let words = lines.iter().flat_map(|line| line.split(' '));
        words.map(str::to_owned).collect()
    };
    let (old, new) = (split(old), split(new));
    if old.len() * new.len() > MAX_COMPARED {
        return old.len() + new.len();
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    ops.iter()
        .map(|op| match *op {
            DiffOp::Equal { .. } => 0,
            DiffOp::Delete { old_len, .. } => old_len,
            DiffOp::Insert { new_len, .. } => new_len,
            DiffOp::Replace {
                old_len, new_len, ..
            } => old_len + new_len,
        })
        .sum()
}

/// Words, numbers and signs of a line.
fn tokens(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let end = if is_word(first) {
            rest.find(|c: char| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    found
}

/// Lines that are only laid out anew, and files that are left behind.
fn churn(judged: &Judged<'_>) -> Scored {
    let mut found = stray(judged.edit);
    found.extend(touched(judged.edit));
    if judged.task != TaskKind::Refactor {
        let same = judged
            .impact
            .followed
            .iter()
            .filter(|followed| followed.is_same);
        let mut rows = AllRows::default();
        found.extend(same.filter_map(|followed| laid_out_anew(judged, followed, &mut rows)));
        found.extend(judged.product_files().filter_map(|files| {
            let (Some(_), Some(after)) = files else {
                return None;
            };
            indented_anew(judged, after.path())
        }));
    }
    let lines: f64 = found.iter().map(|piece| piece.amount).sum();
    Scored {
        value: saturated(lines, judged.pack.scales.churn_lines),
        evidence: found,
    }
}

/// The rows of files before and after, by path.
type AllRows<'a> = HashMap<&'a str, (Rows<'a>, Rows<'a>)>;

/// Code lines of a function, or of the rest of a file, that differ although its code is the same.
fn laid_out_anew<'a>(
    judged: &Judged<'a>,
    followed: &Followed,
    rows: &mut AllRows<'a>,
) -> Option<Evidence> {
    let ([from], [to]) = (&followed.from[..], &followed.to[..]) else {
        return None;
    };
    let files = &judged.impact.step.files;
    let before = files.get(from.file)?.before.as_ref()?;
    let after = files.get(to.file)?.after.as_ref()?;
    if before.is_same_content(after) || before.path() != after.path() {
        return None;
    }
    let (old, new) = judged.edit.files.get(after.path())?;
    let rows = rows
        .entry(after.path())
        .or_insert_with(|| (Rows::of(before, old), Rows::of(after, new)));
    if rows.0.is_same(*from, &rows.1, *to) {
        return None;
    }
    let (old, new) = (rows.0.code_lines(*from), rows.1.code_lines(*to));
    if !says_the_same(&old, &new) {
        return None;
    }
    let changed = new
        .iter()
        .map(|(line, count)| count.saturating_sub(old.get(line).copied().unwrap_or(0)))
        .sum::<usize>();
    // Blank lines between functions belong to none.
    let blank = to.callable.map_or(0, |_| {
        rows.0.blank_lines(*from).abs_diff(rows.1.blank_lines(*to))
    });
    let callable = to.callable.and_then(|at| after.callables().get(at));
    let (first, last) = callable.map_or((1, 1), |c| (c.span.start_line, c.span.end_line));
    let name = callable.map_or("the code outside functions".to_owned(), |c| {
        format!("`{}`", c.name)
    });
    let lines = |count: usize| number(i64::try_from(count).unwrap_or(i64::MAX));
    let (message, amount) = match (changed, blank) {
        (0, 0) => return None,
        (0, blank) => (
            format!("{blank} blank lines of {name} come or go; the code is the same."),
            BLANK_LINE * lines(blank),
        ),
        _ => (
            format!("{changed} lines of {name} are reformatted; the code is the same."),
            lines(changed),
        ),
    };
    Some(Evidence {
        signal: SIGNAL.to_owned(),
        kind: "layout".to_owned(),
        at: place(after.path(), first, last),
        of: None,
        message,
        amount,
    })
}

/// Lines of a file that are the same, and indented by tabs before and by spaces after, or the reverse.
fn indented_anew(judged: &Judged<'_>, path: &str) -> Option<Evidence> {
    let (before, after) = judged.edit.files.get(path)?;
    if !has_tabs(before) && !has_tabs(after) {
        return None;
    }
    let (before, after) = (by_indent(before)?, by_indent(after)?);
    let changed: usize = after
        .iter()
        .filter_map(|(line, new)| {
            let old = before.get(line)?;
            let more = |kind: usize| new[kind].saturating_sub(old[kind]);
            let fewer = |kind: usize| old[kind].saturating_sub(new[kind]);
            Some(more(TABS).min(fewer(SPACES)) + more(SPACES).min(fewer(TABS)))
        })
        .sum();
    (changed > 0).then(|| Evidence {
        signal: SIGNAL.to_owned(),
        kind: "layout".to_owned(),
        at: path.to_owned(),
        of: None,
        message: format!("{changed} lines change from tabs to spaces or back."),
        amount: number(i64::try_from(changed).unwrap_or(i64::MAX)),
    })
}

/// Whether a line is indented by tabs.
fn has_tabs(text: &Text) -> bool {
    let text = text.as_deref().unwrap_or_default();
    text.starts_with(b"\t") || memchr::memmem::find(text, b"\n\t").is_some()
}

const TABS: usize = 0;
const SPACES: usize = 1;

/// For each line without its indentation, how often it is indented by tabs and by spaces.
fn by_indent(text: &Text) -> Option<HashMap<&str, [usize; 2]>> {
    let text = std::str::from_utf8(text.as_deref()?).ok()?;
    let mut counts: HashMap<&str, [usize; 2]> = HashMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let kind = match line.as_bytes().first() {
            Some(b'\t') => TABS,
            Some(b' ') => SPACES,
            _ => continue,
        };
        counts.entry(line.trim()).or_default()[kind] += 1;
    }
    Some(counts)
}

/// Whether two sets of lines differ in layout only, and not in names or values: in space, and in signs that
/// formatters add.
fn says_the_same(old: &BTreeMap<&str, usize>, new: &BTreeMap<&str, usize>) -> bool {
    let mut ascii = [0_isize; 128];
    let mut others: HashMap<char, isize> = HashMap::new();
    for (lines, sign) in [(old, 1), (new, -1)] {
        for (line, count) in lines {
            for c in line.chars() {
                let sum = match ascii.get_mut(c as usize) {
                    Some(sum) => sum,
                    None => others.entry(c).or_default(),
                };
                *sum += sign * count.cast_signed();
            }
        }
    }
    let ascii = (0..128_u8).map(char::from).zip(ascii);
    ascii
        .chain(others)
        .all(|(c, sum)| sum == 0 || c.is_whitespace() || LAYOUT.contains(c))
}

/// Lines that are not blank, without space at their ends.
fn ended_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim_end);
    lines.filter(|line| !line.is_empty())
}

/// Files of which only blank lines and space at the ends of lines change.
fn touched(edit: &Edit) -> Vec<Evidence> {
    let is_same = |before: &[u8], after: &[u8]| {
        let (before, after) = (
            String::from_utf8_lossy(before),
            String::from_utf8_lossy(after),
        );
        before != after && ended_lines(&before).eq(ended_lines(&after))
    };
    let touched = edit.files.iter().filter(|(_, (before, after))| {
        matches!((before, after), (Some(before), Some(after)) if is_same(before, after))
    });
    let message = "Only blank lines of the file change.";
    touched
        .map(|(path, _)| of_file(path, "layout", message, TOUCHED_FILE))
        .collect()
}

fn of_file(path: &str, kind: &str, message: &str, amount: f64) -> Evidence {
    Evidence {
        signal: SIGNAL.to_owned(),
        kind: kind.to_owned(),
        at: path.to_owned(),
        of: None,
        message: message.to_owned(),
        amount,
    }
}

/// New files by whose names an agent leaves its work behind.
fn stray(edit: &Edit) -> Vec<Evidence> {
    let new = edit
        .files
        .iter()
        .filter(|(_, (before, after))| before.is_none() && after.is_some());
    let stray = new.filter(|(path, _)| is_stray(path));
    let message = "The file looks like work left behind.";
    stray
        .map(|(path, _)| of_file(path, "stray-file", message, STRAY_LINES))
        .collect()
}

fn is_stray(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let (stem, suffix) = file.rsplit_once('.').unwrap_or((&file, ""));
    // `tmp-index.js` and `tmp_index.py`, `ParserScratch.java`, `parser_scratch_test.go`.
    let stem = &stem.replace('-', "_");
    let is_scratch = stem.split('_').any(|word| word == "scratch") || stem.ends_with("scratch");
    let begins = [
        "tmp_",
        "temp_",
        "scratch",
        "debug_",
        "repro_",
        "try_",
        "quick_",
        "sandbox",
        "playground",
        "untitled",
        "reproduce",
        "old_",
        "backup",
    ];
    let ends = [
        "_backup", "_old", "_tmp", "_temp", "_copy", "_summary", "_report",
    ];
    let is_report = suffix == "md"
        && ["summary", "changes", "report", "implementation", "notes"]
            .iter()
            .any(|word| stem.contains(word));
    matches!(suffix, "bak" | "orig" | "rej" | "log" | "tmp" | "swp")
        || begins.iter().any(|begin| stem.starts_with(begin))
        || ends.iter().any(|end| stem.ends_with(end))
        || is_scratch
        || is_report && stem != "release_notes" && stem != "changes"
}
