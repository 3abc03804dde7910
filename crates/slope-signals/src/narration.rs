//! Code narrated by comments: above each line, or at its end, they repeat the code.

use crate::catalogue::Signal;
use crate::leftovers::is_plan_step;
use crate::restating::{is_action, is_stop_word};
use crate::words::{Map, called_in, identifiers, split, stem, words};
use slope_syntax::view::View;

/// Minimum number of comments that repeat the next line exactly.
const MIN_EXACT: usize = 3;

/// Minimum number of comments that repeat the next line roughly.
const MIN_ROUGH: usize = 3;

/// Minimum number of comments in the style of a story: "First, ...", "Step 2: ...".
const MIN_STORY: usize = 2;

/// Maximum number of source lines of a function per narrating comment.
const LINES_PER_COMMENT: usize = 4;

/// The same for a function with only two comments, both narrating.
const LINES_PER_COMMENT_OF_TWO: usize = 3;

/// Maximum words of a comment that narrates.
const LONGEST: usize = 14;

/// Words in comments that give a reason or other background.
const REASONS: &[&str] = &[
    "because",
    "since",
    "so",
    "otherwise",
    "avoid",
    "ensure",
    "must",
    "should",
    "cannot",
    "never",
    "always",
    "only",
    "unless",
    "instead",
    "note",
    "why",
    "todo",
    "fixme",
    "hack",
    "bug",
    "issue",
    "prevent",
    "needed",
    "required",
    "might",
    "may",
    "would",
    "could",
    "e",
    "see",
    "assume",
];

/// Maximum number of rows between two comments outside of functions that belong together.
const MAX_GAP: u32 = 12;

/// Comments of one function, or of one part of a file outside of functions.
#[derive(Default)]
struct Narration {
    all: usize,
    /// Comments that repeat the line exactly.
    exact: usize,
    /// Comments that repeat the line roughly, and the first of them.
    rough: usize,
    first: Option<u32>,
    /// Comments that continue a story.
    story: usize,
}

impl Narration {
    fn note(&mut self, comment: u32, likeness: Likeness) {
        self.all += 1;
        self.exact += usize::from(likeness == Likeness::Exact);
        self.rough += usize::from(likeness != Likeness::None);
        self.story += usize::from(likeness == Likeness::Story);
        if likeness != Likeness::None {
            self.first.get_or_insert(comment);
        }
    }

    /// Whether two of three comments repeat the code, or half of them if they form a story.
    fn is_mostly_rough(&self) -> bool {
        let is_most = match self.story >= MIN_STORY {
            true => self.rough * 2 >= self.all,
            false => self.rough * 3 >= self.all * 2,
        };
        self.rough >= MIN_ROUGH && is_most
    }
}

/// Comments of a file, by container.
#[derive(Default)]
pub(crate) struct Narrations {
    /// Narrations by function node, and whether they are on separate lines.
    functions: Map<(u32, bool), Narration>,
    /// Comments outside of functions, each group with the row of its last one.
    outside: Vec<(u32, Narration)>,
}

/// Resemblance of a comment to its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Exact,
    Rough,
    /// It continues a story, independent of the line.
    Story,
    None,
}

impl Narrations {
    /// Counts a comment of a function.
    pub(crate) fn note(
        &mut self,
        (function, is_alone): (u32, bool),
        comment: u32,
        likeness: Likeness,
    ) {
        let narration = self.functions.entry((function, is_alone)).or_default();
        narration.note(comment, likeness);
    }

    /// Counts a comment outside of functions, which is on a row.
    pub(crate) fn note_outside(&mut self, row: u32, comment: u32, likeness: Likeness) {
        match self.outside.last_mut() {
            Some((last, narration)) if row <= *last + MAX_GAP => {
                *last = row;
                narration.note(comment, likeness);
            }
            _ => {
                let mut narration = Narration::default();
                narration.note(comment, likeness);
                self.outside.push((row, narration));
            }
        }
    }
}

/// Words that add nothing to a name.
const FILLERS: &[&str] = &[
    "class", "constant", "enum", "field", "function", "hold", "holds", "list", "method", "name",
    "names", "number", "object", "struct", "type", "value", "values", "variable",
];

/// Whether a comment consists of the words that a line declares: its name, or a verb and the name.
pub(crate) fn is_echo(comment: &str, code: &str) -> bool {
    // "The name of the error" and `name: this.name`.
    let comment = match comment.split_once(" of the ") {
        Some((before, owner)) if words(owner).count() == 1 => before,
        _ => comment,
    };
    let comment_words: Vec<String> = words(comment).collect();
    let is_plain = |c: char| c.is_alphabetic() || c.is_whitespace() || ".'-".contains(c);
    if comment_words.len() < 2
        || comment_words.len() > LONGEST / 2
        || !comment.chars().all(is_plain)
    {
        return false;
    }
    let names = CodeNames::of(code);
    let verb = usize::from(is_action(&comment_words[0]));
    let mut telling = comment_words
        .iter()
        .skip(verb)
        .filter(|word| !is_stop_word(word));
    telling.clone().any(|word| names.has(word))
        && telling.all(|word| FILLERS.contains(&word.as_str()) || names.has(word))
}

/// Whether a comment is a single word, which is a name in the line.
pub(crate) fn is_label(comment: &str, code: &str) -> bool {
    let word = comment.trim().trim_end_matches('.').to_lowercase();
    let is_word = word.len() > 3 && word.chars().all(char::is_alphabetic);
    let mut names = identifiers(code);
    is_word && names.any(|name| stem(&name.to_lowercase()) == stem(&word))
}

/// The words of a line of code.
struct CodeNames {
    words: Vec<String>,
    stems: Vec<String>,
}

impl CodeNames {
    fn of(code: &str) -> Self {
        let words = split(code);
        let stems = words.iter().map(|word| stem(word)).collect();
        Self { words, stems }
    }

    /// Whether the line has a word or its abbreviation, such as `max` for "maximum".
    fn has(&self, word: &str) -> bool {
        let is_short = |name: &String| name.len() >= 3 && word.starts_with(name.as_str());
        let mut names = self.words.iter().chain(&self.stems);
        self.stems.contains(&stem(word)) || names.any(is_short)
    }
}

/// Words before the verb that only introduce it.
const LEADS: &[&str] = &[
    "also", "and", "finally", "first", "here", "just", "last", "lastly", "next", "now", "simply",
    "then", "we",
];

/// Beginnings of comments that narrate a function step by step.
const STORY: &[&str] = &[
    "and return",
    "and then ",
    "end of ",
    "finally ",
    "first ",
    "first we ",
    "firstly ",
    "here we ",
    "if we get here",
    "in this case we ",
    "last ",
    "lastly ",
    "let s ",
    "next ",
    "now ",
    "otherwise we ",
    "then ",
    "then we ",
    "we can ",
    "we have to ",
    "we need ",
    "we now ",
    "we simply ",
    "we then ",
];

/// Whether a comment continues a story: it has a number, or begins as stories do, and gives no
/// reason.
pub(crate) fn is_story(comment: &str) -> bool {
    let is_chat =
        |word: &String| matches!(word.as_str(), "ok" | "okay" | "alright" | "so" | "great");
    let comment_words: Vec<String> = words(comment).skip_while(is_chat).collect();
    if is_numbered(comment) && comment_words.len() > 1 {
        return true;
    }
    let gives_reason = comment_words
        .iter()
        .any(|word| REASONS.contains(&word.as_str()));
    let phrase = comment_words.join(" ");
    let begins = STORY.iter().any(|start| phrase.starts_with(start));
    let we_do = comment_words.first().is_some_and(|word| word == "we")
        && comment_words.get(1).is_some_and(|word| is_action(word));
    (begins || we_do) && !gives_reason && comment_words.len() <= LONGEST
}

/// Whether a comment begins with the number of a step: `1. `, `2a) `, `Step 3: `.
fn is_numbered(comment: &str) -> bool {
    let rest = comment.trim_start();
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - after.len();
    let end = after.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let is_followed = end.starts_with(". ") || end.starts_with(") ") || end.starts_with(": ");
    let is_number = (1..=2).contains(&digits) && after.len() - end.len() <= 1;
    is_number && is_followed || is_plan_step(comment)
}

/// Whether a comment roughly repeats the action of a line, with a name from the line.
pub(crate) fn is_rough(comment: &str, code: &str) -> bool {
    let is_lead = |word: &String| LEADS.contains(&word.as_str());
    let comment_words: Vec<String> = words(comment).skip_while(is_lead).collect();
    let begins = comment_words
        .first()
        .is_some_and(|first| is_action(first) || is_called(first, code));
    // "Keep only what is even" is not a reason.
    let is_reason = |(at, word): (usize, &String)| {
        REASONS.contains(&word.as_str()) && !(at == 1 && word == "only")
    };
    let explains = || comment_words.iter().enumerate().any(is_reason);
    if !begins
        || comment_words.len() < 2
        || comment_words.len() > LONGEST
        || comment.contains(['`', ':'])
        || explains()
    {
        return false;
    }
    let names = CodeNames::of(code);
    comment_words
        .iter()
        .any(|word| word.len() > 2 && names.has(word))
}

/// Whether a line calls a function whose name begins with a word.
fn is_called(word: &str, code: &str) -> bool {
    let stemmed = stem(word);
    let mut heads = called_in(code).filter_map(|name| words(name).next());
    heads.any(|first| stem(&first) == stemmed)
}

/// The places that are narrated: the first comment of each, and how many there are.
pub(crate) fn narrated(view: &View<'_>, narrations: Narrations) -> Vec<(Signal, u32, String)> {
    let functions = narrations.functions.into_iter();
    let functions = functions.filter(|((function, _), narration)| {
        narration.exact >= MIN_EXACT || is_dense(view, *function, narration)
    });
    let mut found: Vec<(u32, String)> = functions
        .filter_map(|((_, is_alone), narration)| {
            let line = if is_alone {
                "the next line"
            } else {
                "their line"
            };
            let count = narration.rough;
            let message = format!("{count} comments of the function only repeat {line}.");
            Some((narration.first?, message))
        })
        .collect();
    let outside = narrations
        .outside
        .into_iter()
        .map(|(_, narration)| narration);
    found.extend(
        outside
            .filter(Narration::is_mostly_rough)
            .filter_map(|narration| {
                let count = narration.rough;
                let message = format!("{count} consecutive comments only repeat the next line.");
                Some((narration.first?, message))
            }),
    );
    found.sort_unstable();
    let found = found.into_iter();
    found
        .map(|(first, message)| (Signal::NarratedCode, first, message))
        .collect()
}

/// Whether most comments of a function narrate it, and there are many for its length.
fn is_dense(view: &View<'_>, function: u32, narration: &Narration) -> bool {
    let at = view.tree.node(function);
    let rows = at.start_row..=at.end_row;
    let lines = rows
        .filter(|&row| view.source.contains(row))
        .take(narration.all * LINES_PER_COMMENT + 1)
        .count();
    let is_short_and_all = narration.rough == MIN_ROUGH - 1
        && narration.rough == narration.all
        && lines <= narration.rough * LINES_PER_COMMENT_OF_TWO;
    is_short_and_all || narration.is_mostly_rough() && lines <= narration.rough * LINES_PER_COMMENT
}
