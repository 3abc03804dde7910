//! Comments that repeat the next line.

use std::sync::OnceLock;

use crate::comments::Block;
use crate::words::{split, stem, words};
use slope_syntax::view::View;

/// Words without content.
const STOP: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "into", "is", "it",
    "its", "now", "of", "on", "onto", "our", "so", "that", "the", "their", "them", "then", "these",
    "this", "those", "to", "up", "us", "we", "with", "all", "each", "every", "any", "new",
    "current", "given", "using", "via", "here", "will", "do", "does",
];

/// Texts. Each line that performs the action contains one of them.
type Signs = &'static [&'static str];

/// Words for actions of code, and signs of code that performs them.
const ACTIONS: &[(&[&str], Signs)] = &[
    (&["return"], &["return"]),
    (
        &["loop", "iterate", "go", "walk", "over", "through"],
        &["for ", "while ", ".each", ".map(", "forEach"],
    ),
    (
        &[
            "check", "if", "whether", "test", "ensure", "verify", "validate", "when",
        ],
        &["if ", "assert"],
    ),
    (
        &[
            "set",
            "assign",
            "initialize",
            "initialise",
            "init",
            "create",
            "make",
            "define",
            "declare",
            "store",
            "save",
            "instantiate",
            "build",
            "construct",
            "prepare",
            "setup",
        ],
        &["=", "new "],
    ),
    (
        &["increment", "add", "increase"],
        &["+=", "+ 1", "++", "append", ".add("],
    ),
    (&["decrement", "subtract", "decrease"], &["-=", "- 1", "--"]),
    (&["append", "push"], &["append", "push", ".add("]),
    (&["call", "invoke", "run", "execute", "perform"], &["("]),
    (&["import"], &["import ", "use ", "require(", "#include"]),
    (
        &["print", "log", "output", "display", "show"],
        &["print", "log", "console."],
    ),
    (&["raise", "throw", "error"], &["raise ", "throw "]),
    (
        &["get", "fetch", "retrieve", "obtain", "load", "read"],
        &["get", "fetch", "load", "read", "["],
    ),
    (&["remove", "delete"], &["del ", "remove", "delete", "pop("]),
    (&["open"], &["open("]),
    (&["close"], &["close("]),
    (&["convert", "cast"], &["int(", "str(", "float(", "list("]),
];

/// More words for actions, without a sign in code.
const OTHER_ACTIONS: &[&str] = &[
    "accumulate",
    "apply",
    "calculate",
    "change",
    "clear",
    "clone",
    "collect",
    "combine",
    "compare",
    "compute",
    "concatenate",
    "copy",
    "count",
    "decode",
    "determine",
    "dispatch",
    "divide",
    "emit",
    "encode",
    "escape",
    "extract",
    "fill",
    "filter",
    "find",
    "format",
    "generate",
    "group",
    "handle",
    "index",
    "insert",
    "join",
    "keep",
    "look",
    "lowercase",
    "map",
    "mark",
    "match",
    "merge",
    "multiply",
    "normalise",
    "normalize",
    "notify",
    "parse",
    "pop",
    "process",
    "put",
    "register",
    "rename",
    "replace",
    "reset",
    "resolve",
    "reverse",
    "round",
    "select",
    "send",
    "skip",
    "sort",
    "split",
    "start",
    "stop",
    "strip",
    "sum",
    "swap",
    "take",
    "trim",
    "truncate",
    "try",
    "update",
    "uppercase",
    "use",
    "visit",
    "wrap",
    "write",
];

/// Words for subjects of code, and signs of code that has them.
const THINGS: &[(&[&str], Signs)] = &[
    (
        &["function", "method", "helper"],
        &["def ", "function ", "fn ", "func "],
    ),
    (&["class"], &["class "]),
    (&["none", "null"], &["None", "null", "nil"]),
    (&["empty"], &["[]", "{}", "\"\"", "''", "()"]),
    (&["list", "array"], &["["]),
    (&["dict", "dictionary", "map"], &["{"]),
    (&["string"], &["\"", "'", "str("]),
    (
        &[
            "variable",
            "value",
            "result",
            "object",
            "instance",
            "parameter",
            "argument",
        ],
        &["="],
    ),
    (&["true"], &["True", "true"]),
    (&["false"], &["False", "false"]),
];

/// Whether a word has no content.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP.contains(&word)
}

/// Whether a word is an action of code.
pub(crate) fn is_action(word: &str) -> bool {
    ACTIONS.iter().any(|(words, _)| words.contains(&word)) || OTHER_ACTIONS.contains(&word)
}

/// Maximum significant words of a comment that is compared with code.
const LONGEST: usize = 7;

/// The words of a one-line comment, if the next line has all of them, and whether most of them are
/// names there rather than only actions.
pub(crate) fn restated(view: &View<'_>, block: &Block<'_>) -> Option<(String, bool)> {
    let [text] = block.lines[..] else { return None };
    let odd = |c: char| !(c.is_alphanumeric() || " ._'`-,()".contains(c));
    // A name written as in code is the label of a case or section.
    let is_label = text.contains(['_', '(']);
    if is_label || text.contains(odd) || text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let code = code_below(view, block)?;
    let comments = &view.conventions.comments;
    let mut definitions = comments.definitions.iter();
    if definitions.any(|d| code.trim_start().starts_with(d)) {
        return None;
    }
    let family = comments.head_blocks;
    // There a comment above a function is its documentation, and one above a block heads it.
    if family && (view.function(block.nodes[0]).is_none() || code.trim_end().ends_with('{')) {
        return None;
    }
    if comments.document_declarations && view.function(block.nodes[0]).is_none() {
        return None;
    }
    // Most comments fail at their first word.
    let mut telling = words(text).filter(|w| !STOP.contains(&w.as_str()));
    let first = telling.next()?;
    let is_known = match family {
        true => is_action_in(&first, code),
        false => begins_with_deed(&first, code, view.conventions.naming.capitals_export),
    };
    if !is_known {
        return None;
    }
    let words: Vec<String> = [first].into_iter().chain(telling).collect();
    if words.len() < 2 || words.len() > LONGEST {
        return None;
    }
    let stems: Vec<String> = split(code).iter().map(|w| stem(w)).collect();
    let mut named = 0;
    for word in &words {
        if stems.contains(&stem(word)) {
            named += 1;
        } else if !is_action_in(word, code) {
            return None;
        }
    }
    (named >= 1).then(|| (words.join(", "), named * 2 >= words.len()))
}

/// Words of comments that any statement of a kind could have.
const FILLERS: &[&str] = &[
    "block",
    "call",
    "code",
    "condition",
    "element",
    "entry",
    "error",
    "exception",
    "function",
    "hold",
    "input",
    "item",
    "line",
    "method",
    "object",
    "one",
    "otherwise",
    "output",
    "resource",
    "result",
    "statement",
    "value",
    "variable",
    "while",
];

/// More words for actions, and beginnings of their statements.
const HEADS: &[(&str, Signs)] = &[
    ("try", &["try"]),
    ("handle", &["try", "catch", "except"]),
    ("open", &["with ", "using "]),
];

/// Maximum words of a comment that names a statement.
const LONGEST_NAMING: usize = 10;

/// Whether a comment only names the statement below it: its action, names in it and words that any statement could
/// have. Too little for a finding: one such comment may head a paragraph.
#[must_use]
pub fn names_statement(comment: &str, code: &str) -> bool {
    // `if(a)` and `if (a)` have the same signs.
    let spaced = code.replace('(', " (");
    let acts = |word: &str| {
        let head = HEADS.iter().find(|(head, _)| *head == word);
        let begins = |sign: &&str| code.trim_start().starts_with(sign);
        is_action_in(word, code)
            || is_action_in(word, &spaced)
            || head.is_some_and(|(_, signs)| signs.iter().any(begins))
    };
    let mut telling = words(comment).filter(|word| !is_stop_word(word)).peekable();
    if !telling.peek().is_some_and(|first| acts(first)) {
        return false;
    }
    let stems: Vec<String> = split(code).iter().map(|word| stem(word)).collect();
    let fillers: Vec<String> = FILLERS.iter().map(|word| stem(word)).collect();
    let telling: Vec<String> = telling.collect();
    let is_known = |word: &String| {
        let stemmed = stem(word);
        stems.contains(&stemmed) || fillers.contains(&stemmed) || acts(word)
    };
    (2..=LONGEST_NAMING).contains(&words(comment).count()) && telling.iter().all(is_known)
}

/// The line of code below a comment.
pub(crate) fn code_below<'a>(view: &View<'a>, block: &Block<'_>) -> Option<&'a str> {
    let last = block.nodes.last()?;
    let row = view.tree.node(*last).end_row + 1;
    if !view.source.contains(row) {
        return None;
    }
    let code = view.tree.row_text(row);
    Some(code.split(" #").next().unwrap_or(code))
}

/// Whether a comment states an action rather than the subject of a section: its first word is an
/// action of the line, or begins the name of a callee in the line. A class is not an action, except
/// where functions have capitals too.
fn begins_with_deed(word: &str, code: &str, capitals_export: bool) -> bool {
    let stemmed = stem(word);
    let called = code.match_indices('(').any(|(at, _)| {
        let before = code.get(..at).unwrap_or_default();
        let name = before
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or_default();
        let thing = !capitals_export && name.starts_with(char::is_uppercase);
        !thing
            && words(name)
                .next()
                .is_some_and(|first| stem(&first) == stemmed)
    });
    called || is_action_in(word, code)
}

fn is_action_in(word: &str, code: &str) -> bool {
    static STEMS: OnceLock<Vec<(Vec<String>, Signs)>> = OnceLock::new();
    let deeds = STEMS.get_or_init(|| {
        let stems = |words: &[&str]| words.iter().map(|w| stem(w)).collect();
        let all = ACTIONS.iter().chain(THINGS);
        all.map(|(words, signs)| (stems(words), *signs)).collect()
    });
    let stemmed = stem(word);
    deeds
        .iter()
        .any(|(stems, signs)| stems.contains(&stemmed) && signs.iter().any(|s| code.contains(s)))
}
