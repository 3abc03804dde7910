//! Comments that repeat the code, that are left over from a conversation, or that contain code.

use slope_syntax::{Limits, is_for_a_tool, parse};

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use slope_syntax::Construct;

use crate::leftovers;
use crate::narration::{self, Likeness, Narrations};
use crate::paragraphs;
use crate::prose;
use crate::restating::{code_below, restated};
use crate::shown::is_shown;
use crate::words::identifiers_of;
use slope_syntax::conventions::Semicolons;
use slope_syntax::view::View;

/// Consecutive comments on separate lines, without a gap.
pub(crate) struct Block<'a> {
    pub(crate) nodes: Vec<u32>,
    /// Text of each without markers.
    pub(crate) lines: Vec<&'a str>,
}

/// Reports comments that are noise.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let mut found: Vec<(Signal, u32, u32, String)> = Vec::new();
    let view = &gatherer.view;
    for &node in view.of_kind(Construct::Comment) {
        if !is_documentation(view.text(node))
            && let Some(phrase) = leftovers::of(view.text(node))
        {
            let message =
                format!("The comment is left over from a conversation or a plan: {phrase}.");
            found.push((Signal::LeftoverComment, node, node, message));
        }
        if leftovers::is_plan_step(view.text(node)) {
            let message =
                "The comment numbers a step; functions with names need no numbers.".to_owned();
            found.push((Signal::NumberedStepComment, node, node, message));
        }
    }
    of_blocks(view, &mut found);
    for (signal, first, last, message) in found {
        let view = &gatherer.view;
        let (start, end) = (
            view.tree.node(first).start_byte,
            view.tree.node(last).end_byte,
        );
        let place = view.place_between(start, end);
        let text = view.text(first);
        gatherer.report_at(signal, first, place, message, text);
    }
}

/// Finds comments that restate the code, narrate it, or are code.
fn of_blocks(view: &View<'_>, found: &mut Vec<(Signal, u32, u32, String)>) {
    let mut narrations = Narrations::default();
    for block in blocks(view) {
        let (Some(&first), Some(&last)) = (block.nodes.first(), block.nodes.last()) else {
            continue;
        };
        // The heading of a paragraph summarises several statements.
        let restated = restated(view, &block).filter(|_| !paragraphs::heads_one(view, first));
        let likeness = match &restated {
            Some(_) => Likeness::Exact,
            None if block
                .lines
                .first()
                .is_some_and(|line| narration::is_story(line)) =>
            {
                Likeness::Story
            }
            None if is_rough(view, &block) => Likeness::Rough,
            None => Likeness::None,
        };
        match narrated_function(view, first) {
            Some(function) => narrations.note((function, true), first, likeness),
            None if documents_by_comments(view) => {}
            None => {
                let row = view.tree.node(last).end_row;
                let likeness = likeness_outside(view, &block, likeness);
                narrations.note_outside(row, first, likeness);
            }
        }
        if let Some((words, true)) = restated {
            let message = format!("The comment repeats the next line: {words}.");
            found.push((Signal::CommentRestatesCode, first, last, message));
        } else if is_code(view, &block) {
            let message = "The comment contains code; version control remembers it.".to_owned();
            found.push((Signal::CommentedOutCode, first, last, message));
        }
    }
    note_trailing(view, &mut narrations);
    let narrated = narration::narrated(view, narrations).into_iter();
    found.extend(narrated.map(|(signal, first, message)| (signal, first, first, message)));
}

/// Whether a comment roughly repeats a line of code, or names a part of it.
fn says_the_same(text: &str, code: &str) -> bool {
    let says = [narration::is_rough, narration::is_label, narration::is_echo];
    says.iter().any(|says| says(text, code))
}

/// The function that a comment narrates: the enclosing one, or a function that is a value.
fn narrated_function(view: &View<'_>, comment: u32) -> Option<u32> {
    let lambda = Some(view.scope(comment)).filter(|&scope| view.k(scope) == Construct::Lambda);
    view.function(comment).or(lambda)
}

/// Whether comments outside of functions are documentation in the file's language.
fn documents_by_comments(view: &View<'_>) -> bool {
    !view.conventions.comments.are_mere
}

/// Likeness of a comment outside functions to the line below it. A verb adds little there.
fn likeness_outside(view: &View<'_>, block: &Block<'_>, likeness: Likeness) -> Likeness {
    let [text] = block.lines[..] else {
        return Likeness::None;
    };
    let echoes = || code_below(view, block).is_some_and(|code| narration::is_echo(text, code));
    match likeness {
        Likeness::Exact => Likeness::Exact,
        _ if echoes() => Likeness::Rough,
        _ => Likeness::None,
    }
}

/// Counts comments of functions after code on the line.
fn note_trailing(view: &View<'_>, narrations: &mut Narrations) {
    for &comment in view.of_kind(Construct::Comment) {
        let (Some(text), Some(function)) =
            (plain(view.text(comment)), narrated_function(view, comment))
        else {
            continue;
        };
        let at = view.tree.node(comment);
        let row = view.tree.row_text(at.start_row);
        let before = row.split(view.text(comment)).next().unwrap_or_default();
        let code = before.trim();
        if !code.contains(char::is_alphanumeric) {
            continue;
        }
        let likeness = if narration::is_story(text) {
            Likeness::Story
        } else if says_the_same(text, code) {
            Likeness::Rough
        } else {
            Likeness::None
        };
        narrations.note((function, false), comment, likeness);
    }
}

/// Whether a one-line comment roughly repeats the next line.
fn is_rough(view: &View<'_>, block: &Block<'_>) -> bool {
    // Banners above it have no content.
    let mut lines = block.lines.iter().filter(|line| !is_banner(line));
    let (Some(text), None) = (lines.next(), lines.next()) else {
        return false;
    };
    code_below(view, block).is_some_and(|code| says_the_same(text, code))
}

/// Whether a line of a comment is drawn: `-----`, `=== Parsing ===`.
fn is_banner(line: &str) -> bool {
    let line = line.trim();
    let marks = ["---", "===", "***", "###", "~~~"];
    line.is_empty()
        || marks
            .iter()
            .any(|mark| line.starts_with(mark) && line.ends_with(mark))
}

/// Whether a comment is documentation, which speaks to its readers and shows examples.
fn is_documentation(text: &str) -> bool {
    text.starts_with("/**") || text.starts_with("///") || text.starts_with("//!")
}

/// A comment's text without its markers; `None` for documentation and directives.
fn plain(text: &str) -> Option<&str> {
    let text = text.trim_end();
    if let Some(rest) = text.strip_prefix('#') {
        let directive = rest.starts_with(['!', ':', '#']);
        return (!directive).then(|| rest.strip_prefix(' ').unwrap_or(rest));
    }
    if let Some(rest) = text.strip_prefix("//") {
        let documentation = rest.starts_with(['/', '!', '#']);
        return (!documentation).then(|| rest.strip_prefix(' ').unwrap_or(rest));
    }
    let inner = text.strip_prefix("/*")?.strip_suffix("*/")?;
    let single = !inner.starts_with(['*', '!']) && !inner.contains('\n');
    single.then(|| inner.trim())
}

fn blocks<'a>(view: &View<'a>) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    let mut last_row = None;
    for &node in view.of_kind(Construct::Comment) {
        let at = view.tree.node(node);
        let before = view.tree.row_text(at.start_row);
        let own_line = before.trim_start().len() <= view.text(node).len() + 1
            && before
                .trim_start()
                .starts_with(view.text(node).split('\n').next().unwrap_or(""));
        let Some(text) = plain(view.text(node)).filter(|_| own_line) else {
            last_row = None;
            continue;
        };
        let follows = last_row.is_some_and(|row: u32| row + 1 == at.start_row);
        match blocks.last_mut().filter(|_| follows) {
            Some(block) => {
                block.nodes.push(node);
                block.lines.push(text);
            }
            None => blocks.push(Block {
                nodes: vec![node],
                lines: vec![text],
            }),
        }
        last_row = Some(at.end_row);
    }
    blocks
}

/// Beginnings of lines that are examples or explanations.
const EXAMPLES: &[&str] = &[
    "e.g",
    "i.e",
    "example",
    "usage",
    "for instance",
    "such as",
    "see ",
    "note",
    "type:",
    "todo",
    "fixme",
    "xxx",
    "http",
];

/// Whether a block parses as code with an effect.
fn is_code(view: &View<'_>, block: &Block<'_>) -> bool {
    // Parsing is slow, and most comments are prose.
    let language = view.tree.language();
    if prose::is_prose(view.conventions.comments.prose, &block.lines) {
        return false;
    }
    let text = block.lines.join("\n");
    if !could_be_code(&text) {
        return false;
    }
    let dedented = dedent(&block.lines);
    let Ok(tree) = parse(language, dedented.as_bytes(), &Limits::default()) else {
        return false;
    };
    if tree.errors().is_some() {
        return false;
    }
    let source = tree.source_lines(slope_syntax::Profile::Slope);
    let Some(inner) = View::new(&tree, &[], &source) else {
        return false;
    };
    let is_single = block.lines.len() == 1;
    let is_form =
        is_single && (is_overload(view, block, &inner) || calls_stranger(view, text.trim()));
    !is_form
        && !is_shown(view, block, &inner)
        && !is_example_of_below(view, block, &text)
        && does_something(&inner, is_single)
}

/// Beginnings of lines that define something.
const DEFINES: &[&str] = &[
    "abstract",
    "async",
    "class",
    "const",
    "def",
    "enum",
    "export",
    "fn",
    "func",
    "function",
    "inline",
    "interface",
    "internal",
    "let",
    "private",
    "protected",
    "pub",
    "public",
    "static",
    "struct",
    "type",
    "var",
    "void",
];

/// Whether a comment is documentation: it calls the name that the line below defines, or it has the
/// indentation of examples in Go documentation, which has no special mark.
fn is_example_of_below(view: &View<'_>, block: &Block<'_>, text: &str) -> bool {
    let outside = block
        .nodes
        .first()
        .is_some_and(|&node| view.function(node).is_none());
    let Some(below) = code_below(view, block).map(str::trim_start) else {
        return false;
    };
    let is_documented = view.conventions.comments.document_declarations;
    let indented = |line: &str| line.trim().is_empty() || line.starts_with(['\t', ' ']);
    if is_documented && outside && block.lines.iter().all(|line| indented(line)) {
        return true;
    }
    let first = below.split([' ', '(', '<']).next().unwrap_or_default();
    let name = below
        .split(['(', '<', '=', ':', '{'])
        .next()
        .unwrap_or_default();
    let name = identifiers_of(name, &['_', '$'])
        .next_back()
        .unwrap_or_default();
    let is_defined = DEFINES.contains(&first) || is_documented && outside;
    is_defined && name.len() > 2 && identifiers_of(text, &['_', '$']).any(|word| word == name)
}

/// Fewest lines of a comment that may hold a function.
const FEWEST_OF_FUNCTION: usize = 3;

/// Whether a text contains a sign of code, and no sign of an example or of a directive for a tool.
fn could_be_code(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let signs = ["(", "=", "import ", "return ", "{", ";"];
    let examples = ["(s)", ">>>", "...", "…"];
    // An arrow shows what becomes of something, unless a whole function is in the comment.
    let is_arrow = text.contains("->") && text.lines().count() < FEWEST_OF_FUNCTION;
    text.len() <= 20_000
        && !is_arrow
        && signs.iter().any(|sign| text.contains(sign))
        && !examples.iter().any(|example| text.contains(example))
        && !is_for_a_tool(text)
        && !EXAMPLES.iter().any(|e| lower.contains(e))
}

/// Names that start a debugging call. Such a call is commented-out code even if the file does not use the name elsewhere.
const DEBUGGING: &[&str] = &["console", "log", "logger", "debug"];

/// Whether a line of a script is only a call, without a semicolon, of a function that the file does
/// not name. It is an example of an input or output, such as `// toFit({ size: any(Number) })`.
fn calls_stranger(view: &View<'_>, line: &str) -> bool {
    if view.conventions.comments.semicolons != Semicolons::Optional || line.ends_with(';') {
        return false;
    }
    let Some((name, _)) = line.split_once(['(', '.']) else {
        return false;
    };
    let is_name = identifiers_of(name, &['_', '$']).eq([name]);
    is_name && line.ends_with(')') && !DEBUGGING.contains(&name) && !view.has_word(name)
}

/// Whether a comment shows the call that the signature below it is for, where statements cannot be:
/// `app.get(path, handler)` among overloads.
fn is_overload(view: &View<'_>, block: &Block<'_>, inner: &View<'_>) -> bool {
    let place = block.nodes.first().map(|&node| view.parent(node));
    let in_type = place.is_some_and(|place| {
        let kind = view.tree.kind_name(place);
        matches!(kind, "interface_body" | "object_type" | "class_body")
    });
    in_type && inner.parts(0).all(|statement| is_label(inner, statement))
}

fn dedent(lines: &[&str]) -> String {
    let indent = lines
        .iter()
        .filter(|l| !l.trim().is_empty())
        .map(|l| l.len() - l.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        text.push_str(line.get(indent..).unwrap_or(""));
        text.push('\n');
    }
    text
}

/// Calls without side effects, so that a line with one explains rather than acts.
const PURE: &[&str] = &[
    "isinstance",
    "len",
    "str",
    "int",
    "float",
    "list",
    "dict",
    "set",
    "tuple",
    "type",
    "repr",
    "range",
    "bool",
    "bytes",
    "sorted",
    "min",
    "max",
    "sum",
    "hasattr",
    "issubclass",
];

/// Whether the statements are unlikely to be prose. A single line has to look more like code than a
/// block does: labels such as `default=None` are common.
fn does_something(view: &View<'_>, single: bool) -> bool {
    let mut strong = false;
    for statement in view.parts(0) {
        let statement = match view.k(statement) {
            Construct::Wrapped => view.first(statement).unwrap_or(statement),
            _ => statement,
        };
        strong |= match view.k(statement) {
            Construct::Function
            | Construct::Class
            | Construct::Decorated
            | Construct::Import
            | Construct::ImportFrom
            | Construct::If
            | Construct::For
            | Construct::While
            | Construct::Try
            | Construct::With => true,
            Construct::Return | Construct::Raise => view.only(statement).is_some_and(|v| {
                !matches!(
                    view.k(v),
                    Construct::Identifier
                        | Construct::True
                        | Construct::False
                        | Construct::Null
                        | Construct::Number
                )
            }),
            Construct::ExprStmt => match view.only(statement) {
                Some(e) => match view.k(e) {
                    // `fit()` alone is the label of a case.
                    Construct::Call => {
                        let own = view.text(e).split_once('(');
                        // Neither is `Model.find()`, if statements end with a semicolon.
                        let bare = own.is_some_and(|(name, passed)| {
                            passed.starts_with(')')
                                && (!name.contains('.') || is_label(view, statement))
                        });
                        let signature = view.below(e).any(|(_, k)| k == Construct::Assign)
                            && is_label(view, statement);
                        is_deliberate_call(view, e) && !(single && (bare || signature))
                    }
                    Construct::Assign | Construct::AugAssign => {
                        view.children(e).any(|c| view.text(c).ends_with('='))
                            && (!single || is_deliberate_assignment(view, e))
                    }
                    _ => return false,
                },
                None => return false,
            },
            // Ruby's expressions are statements.
            Construct::Call => is_deliberate_call(view, statement),
            Construct::Assign if view.conventions.comments.has_bare_expressions => {
                !single || is_deliberate_assignment(view, statement)
            }
            Construct::Identifier if view.conventions.comments.has_bare_expressions => {
                return false;
            }
            _ => false,
        };
    }
    strong
}

/// Whether a statement lacks the semicolon of its language, so that it is a label: `Model.find()`,
/// or `fill(value, start=0)` above the code that it describes.
fn is_label(view: &View<'_>, statement: u32) -> bool {
    view.conventions.comments.semicolons != Semicolons::None && !view.text(statement).ends_with(';')
}

/// Whether a call is written without a gap before the bracket, and has an effect.
fn is_deliberate_call(view: &View<'_>, call: u32) -> bool {
    let text = view.text(call);
    let callee = if view.conventions.naming.calls_hold_receivers {
        text.split('(').next().unwrap_or_default()
    } else {
        view.text(call + 1)
    };
    !callee.contains(' ')
        && !PURE.contains(&callee)
        && text
            .get(callee.len()..)
            .is_some_and(|rest| rest.starts_with('('))
}

/// `name = value` with gaps around the sign, and a value that is more than a word, a constant or a
/// list of words, which describe the line below.
fn is_deliberate_assignment(view: &View<'_>, assignment: u32) -> bool {
    let text = view.text(assignment);
    let value = view.parts(assignment).last();
    let plain = |v| {
        matches!(
            view.k(v),
            Construct::Identifier
                | Construct::Number
                | Construct::BinaryOp
                | Construct::Compare
                | Construct::String
                | Construct::True
                | Construct::False
                | Construct::Null
                | Construct::Tuple
        )
    };
    (text.contains(" = ") || text.contains("+= ")) && value.is_some_and(|v| !plain(v))
}
