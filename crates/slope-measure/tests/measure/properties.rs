//! Neutral edits do not change a measurement: over generated programs in four languages, and over
//! real sources of this repository.
//!
//! | change | may differ | everything else is equal |
//! |---|---|---|
//! | names, consistently and of the same length | names, fingerprints, messages | numbers, places, kinds of clones |
//! | blank lines, width of indentation | physical lines, places | numbers, findings, clones |
//! | line breaks inside brackets | also source lines and what follows from them | complexity, nesting, parameters, matches of rules |
//! | comments | physical lines, places, fingerprints of findings, findings about comments, rules to which a comment is an answer | numbers, findings, clones |
//! | functions to another file, or in another order | places, which copies make one class | totals with lines in clones, callables, other findings |
//! | order of files, threads | nothing | every byte |

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use slope_measure::{Measurer, Options};
use slope_model::measurement::{CloneKind, Measurement};
use slope_syntax::{Language, Limits, Roles, parse};

fn measurer(threads: usize) -> &'static Measurer {
    static ALL: [OnceLock<Measurer>; 2] = [OnceLock::new(), OnceLock::new()];
    ALL[threads - 1].get_or_init(|| {
        let options = Options {
            threads,
            ..Options::default()
        };
        Measurer::new(options).unwrap()
    })
}

type Files = Vec<(String, String)>;

fn measure(files: &Files) -> Measurement {
    measurer(2).measure_files(files.iter().map(|(path, text)| (path, text)))
}

/// A measurement without its places and files, in an order of its own.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    totals: BTreeMap<String, serde_json::Value>,
    /// Name, complexity, cognitive complexity, source lines, parameters, nesting.
    callables: Vec<(String, [u32; 5])>,
    /// Rule and fingerprint.
    findings: Vec<(String, String)>,
    /// Kind, lines, tokens, members, fingerprint.
    clones: Vec<(CloneKind, u32, u32, usize, String)>,
}

fn seen(measurement: &Measurement) -> Seen {
    let totals = serde_json::to_value(&measurement.totals).unwrap();
    let rounded = |value: &serde_json::Value| match value.as_f64() {
        // Sums of floating-point numbers depend on the order of what is summed.
        Some(number) => serde_json::json!(format!("{number:.6}")),
        None => value.clone(),
    };
    let totals = totals.as_object().unwrap().iter();
    let mut callables: Vec<_> = measurement
        .files
        .iter()
        .flat_map(|file| &file.callables)
        .map(|c| {
            let numbers = [c.complexity, c.cognitive, c.sloc, c.parameters, c.nesting];
            (c.name.clone(), numbers)
        })
        .collect();
    let findings = measurement.findings.iter();
    let mut findings: Vec<_> = findings
        .map(|f| (f.rule.clone(), f.fingerprint.clone()))
        .collect();
    let classes = measurement.clones.iter();
    let mut clones: Vec<_> = classes
        .map(|c| {
            (
                c.kind,
                c.lines,
                c.tokens,
                c.members.len(),
                c.fingerprint.clone(),
            )
        })
        .collect();
    callables.sort();
    findings.sort();
    clones.sort();
    Seen {
        totals: totals.map(|(k, v)| (k.clone(), rounded(v))).collect(),
        callables,
        findings,
        clones,
    }
}

impl Seen {
    /// Without some of the totals.
    fn without(mut self, totals: &[&str]) -> Self {
        self.totals
            .retain(|name, _| !totals.contains(&name.as_str()));
        self
    }

    /// Without the findings about comments, and about positions.
    fn without_rules(mut self, rules: &[&str]) -> Self {
        self.findings
            .retain(|(rule, _)| !rules.contains(&rule.as_str()));
        self
    }

    /// Without what is made of names.
    fn without_names(mut self) -> Self {
        for (name, _) in &mut self.callables {
            name.clear();
        }
        for (_, print) in &mut self.findings {
            print.clear();
        }
        for class in &mut self.clones {
            class.4.clear();
        }
        self.callables.sort();
        self.findings.sort();
        self.clones.sort();
        self
    }

    /// Without what depends on how many lines something takes.
    fn without_lines(mut self) -> Self {
        for (_, numbers) in &mut self.callables {
            numbers[2] = 0;
        }
        self.callables.sort();
        self.clones.clear();
        // Clones have fewest lines; text that is broken otherwise is another text.
        self.findings.retain(|(rule, _)| !rule.contains("clone"));
        self.without_fingerprints().without(&[
            "lines",
            "sloc",
            "mass",
            "high_complexity_mass",
            "erosion",
            "cognitive_mass",
            "high_cognitive_mass",
            "cognitive_erosion",
            "maintainability",
            "flagged_lines",
            "clone_lines",
            "near_clone_lines",
            "verbose_lines",
            "verbosity",
            "missing",
        ])
    }

    /// Without classes of clones and their findings; the totals stay.
    fn without_clones(mut self) -> Self {
        self.clones.clear();
        self.findings.retain(|(rule, _)| !rule.contains("clone"));
        self
    }

    fn without_fingerprints(mut self) -> Self {
        for (_, print) in &mut self.findings {
            print.clear();
        }
        self.findings.sort();
        self
    }
}

#[derive(Debug, Clone)]
enum Statement {
    Set(u8, u8, u8),
    Call(u8, u8, u8),
    If(u8, Vec<Statement>),
    Loop(u8, Vec<Statement>),
    Return(u8),
}

fn statements() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = prop_oneof![
        (0..4u8, 0..4u8, 2..9u8).prop_map(|(a, b, n)| Statement::Set(a, b, n)),
        (0..4u8, 0..6u8, 0..4u8).prop_map(|(a, f, b)| Statement::Call(a, f, b)),
        (0..4u8).prop_map(Statement::Return),
    ];
    let any = leaf.prop_recursive(2, 12, 4, |inner| {
        let body = prop::collection::vec(inner, 1..4);
        prop_oneof![
            (0..4u8, body.clone()).prop_map(|(a, body)| Statement::If(a, body)),
            (0..4u8, body).prop_map(|(a, body)| Statement::Loop(a, body)),
        ]
    });
    prop::collection::vec(any, 3..8)
}

/// Bodies of functions, some of them twice.
fn program() -> impl Strategy<Value = Vec<Vec<Statement>>> {
    let bodies = prop::collection::vec(statements(), 2..4);
    let chosen = prop::collection::vec(any::<prop::sample::Index>(), 3..6);
    (bodies, chosen).prop_map(|(bodies, chosen)| {
        let each = chosen.iter().map(|index| index.get(&bodies).clone());
        each.collect()
    })
}

const LANGUAGES: [(&str, &str); 4] = [
    ("python", "py"),
    ("javascript", "js"),
    ("go", "go"),
    ("java", "java"),
];

/// How a program is written down.
#[derive(Debug, Clone, Copy)]
struct Style {
    language: &'static str,
    /// Beginning of names.
    names: &'static str,
    indent: usize,
    blank: bool,
    comments: bool,
    breaks: bool,
}

impl Style {
    fn plain(language: &'static str) -> Self {
        Self {
            language,
            names: "alpha",
            indent: 4,
            blank: false,
            comments: false,
            breaks: false,
        }
    }

    fn line(&self, depth: usize, text: &str, out: &mut String) {
        if self.blank {
            out.push('\n');
        }
        let indent = " ".repeat(self.indent * depth);
        if self.comments {
            let mark = if self.language == "python" { "#" } else { "//" };
            let _ = writeln!(out, "{indent}{mark} blue whales rest.");
        }
        let _ = writeln!(out, "{indent}{text}");
    }

    fn end(&self) -> &'static str {
        if matches!(self.language, "javascript" | "java") {
            ";"
        } else {
            ""
        }
    }

    fn block(&self, depth: usize, head: &str, body: &[Statement], out: &mut String) {
        let python = self.language == "python";
        self.line(
            depth,
            &format!("{head}{}", if python { ":" } else { " {" }),
            out,
        );
        for statement in body {
            self.statement(depth + 1, statement, out);
        }
        if !python {
            let _ = writeln!(out, "{}}}", " ".repeat(self.indent * depth));
        }
    }

    fn statement(&self, depth: usize, statement: &Statement, out: &mut String) {
        let (n, end) = (self.names, self.end());
        match statement {
            Statement::Set(a, b, number) => {
                self.line(depth, &format!("{n}_{a} = {n}_{b} + {number}{end}"), out);
            }
            Statement::Call(a, function, b) => {
                let (open, comma) = if self.breaks {
                    ("(\n      ", ",\n      ")
                } else {
                    ("(", ", ")
                };
                let call = format!("{n}_{a} = {n}_fn_{function}{open}{n}_{b}{comma}{n}_1){end}");
                self.line(depth, &call, out);
            }
            Statement::If(a, body) => {
                let head = match self.language {
                    "python" | "go" => format!("if {n}_{a} > {n}_1"),
                    _ => format!("if ({n}_{a} > {n}_1)"),
                };
                self.block(depth, &head, body, out);
            }
            Statement::Loop(a, body) => {
                let head = match self.language {
                    "python" => format!("for {n}_{a} in {n}_1"),
                    "go" => format!("for {n}_{a} = range {n}_1"),
                    "java" => format!("for (int {n}_{a} : {n}_1)"),
                    _ => format!("for ({n}_{a} of {n}_1)"),
                };
                self.block(depth, &head, body, out);
            }
            Statement::Return(a) => self.line(depth, &format!("return {n}_{a}{end}"), out),
        }
    }

    fn function(&self, number: usize, body: &[Statement]) -> String {
        let n = self.names;
        let name = format!("{n}_fn_{number}");
        let (depth, head) = match self.language {
            "python" => (0, format!("def {name}({n}_0, {n}_1)")),
            "javascript" => (0, format!("function {name}({n}_0, {n}_1)")),
            "go" => (0, format!("func {name}({n}_0 int, {n}_1 int) int")),
            _ => (1, format!("static int {name}(int {n}_0, int {n}_1)")),
        };
        let mut out = String::new();
        self.block(depth, &head, body, &mut out);
        out
    }

    fn file(&self, functions: &[String]) -> String {
        let functions = functions.concat();
        match self.language {
            "go" => format!("package main\n{functions}"),
            "java" => format!("class A {{\n{functions}}}\n"),
            _ => functions,
        }
    }
}

/// The files of a program, in a style: functions up to `first` in one, the rest in another.
fn files(program: &[Vec<Statement>], style: Style, first: usize, reverse: bool) -> Files {
    let suffix = LANGUAGES.iter().find(|l| l.0 == style.language).unwrap().1;
    let each = program.iter().enumerate();
    let functions: Vec<String> = each.map(|(at, body)| style.function(at, body)).collect();
    let (one, two) = functions.split_at(first.min(functions.len()));
    [("one", one), ("two", two)]
        .into_iter()
        .map(|(name, functions)| {
            let mut functions = functions.to_vec();
            if reverse {
                functions.reverse();
            }
            (format!("{name}.{suffix}"), style.file(&functions))
        })
        .collect()
}

/// Findings about the text of comments; none of them counts.
const ABOUT_COMMENTS: &[&str] = &[
    "comment-restates-code",
    "leftover-comment",
    "numbered-step-comment",
    "commented-out-code",
];

/// Rules that accept a comment inside as an answer, by language: it says why two tests are
/// separate. Only these see less if comments come between statements.
fn answered_by_comments(language: &str) -> &'static [&'static str] {
    match language {
        "go" => &["nested-if", "else-if-nested"],
        "javascript" => &["nested-if"],
        _ => &[],
    }
}

/// What comments between statements must leave as it is.
fn without_answered(seen: Seen, language: &str) -> Seen {
    let answered = answered_by_comments(language);
    // What these rules do not find is missing in the lines that findings cover.
    let totals: &[&str] = if answered.is_empty() {
        &["lines"]
    } else {
        &["lines", "flagged_lines", "verbose_lines", "verbosity"]
    };
    seen.without(totals)
        .without_rules(ABOUT_COMMENTS)
        .without_rules(answered)
        // A finding's fingerprint is made of its text, with the comments in it.
        .without_fingerprints()
}

fn check(program: &[Vec<Statement>], language: &'static str) -> Result<(), TestCaseError> {
    let plain = Style::plain(language);
    let of = |style: Style| measure(&files(program, style, 2, false));
    let measurement = of(plain);
    prop_assert_eq!(measurement.totals.files_with_syntax_errors, 0);
    prop_assert_eq!(measurement.totals.callables as usize, program.len());
    let expected = seen(&measurement);

    // Names of the same length leave every number and every place as it is.
    let renamed = of(Style {
        names: "gamma",
        ..plain
    });
    prop_assert_eq!(
        seen(&renamed).without_names(),
        expected.clone().without_names()
    );
    let places = |m: &Measurement| -> Vec<_> {
        let findings = m.findings.iter();
        findings
            .map(|f| (f.rule.clone(), f.path.clone(), f.span))
            .collect()
    };
    prop_assert_eq!(places(&renamed), places(&measurement));

    for style in [
        Style {
            blank: true,
            ..plain
        },
        Style { indent: 2, ..plain },
        Style {
            indent: 7,
            blank: true,
            ..plain
        },
    ] {
        let without = |seen: Seen| seen.without(&["lines"]);
        prop_assert_eq!(
            without(seen(&of(style))),
            without(expected.clone()),
            "{:?}",
            style
        );
    }
    let broken = seen(&of(Style {
        breaks: true,
        ..plain
    }));
    prop_assert_eq!(broken.without_lines(), expected.clone().without_lines());

    let commented = seen(&of(Style {
        comments: true,
        ..plain
    }));
    let without = |seen: Seen| without_answered(seen, language);
    prop_assert_eq!(without(commented), without(expected.clone()));

    check_places(program, plain, expected)
}

/// Functions in another file or order.
fn check_places(
    program: &[Vec<Statement>],
    plain: Style,
    expected: Seen,
) -> Result<(), TestCaseError> {
    // Functions side by side are copied together as one run, so that classes may change,
    // but not the lines that are in clones.
    let moved = seen(&measure(&files(program, plain, 1, false)));
    let without = |seen: Seen| seen.without(&["maintainability"]).without_clones();
    prop_assert_eq!(without(moved), without(expected.clone()));
    let turned = seen(&measure(&files(program, plain, 2, true)));
    prop_assert_eq!(turned.without_clones(), expected.without_clones());
    Ok(())
}

fn json(measurer: &Measurer, files: &Files) -> String {
    let files = files.iter().map(|(path, text)| (path, text));
    serde_json::to_string(&measurer.measure_files(files)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn metamorphic_changes_keep_generated_program_results(program in program()) {
        for (language, _) in LANGUAGES {
            check(&program, language)?;
        }
    }

    #[test]
    fn file_order_keeps_result_identical(program in program(), turn in 0..4usize) {
        let mut all: Files = Vec::new();
        for (language, _) in LANGUAGES {
            all.extend(files(&program, Style::plain(language), 2, false));
        }
        let expected = json(measurer(1), &all);
        all.rotate_left(turn);
        all.reverse();
        prop_assert_eq!(json(measurer(2), &all), expected);
    }
}

/// Real sources of this repository, by language.
fn real(language: &str) -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places: &[&str] = match language {
        "python" => &[
            "problems/household-stock/scripts/sloppy/checkpoint_4/pantry.py",
            "problems/household-stock/scripts/tidy/checkpoint_4/commands.py",
            "crates/slope-suite/src/track/build_env.py",
            "crates/slope-syntax/tests/samples/sample.py",
        ],
        "javascript" => &[
            "crates/slope-report/templates/measurement.js",
            "crates/slope-syntax/tests/samples/sample.js",
        ],
        "go" => &["crates/slope-syntax/tests/samples/sample.go"],
        "java" => &["crates/slope-syntax/tests/samples/sample.java"],
        "rust" => &[
            "crates/slope-measure/src/discover.rs",
            "crates/slope-measure/src/sum.rs",
        ],
        _ => &[],
    };
    let read = |(number, place): (usize, &&str)| {
        let path = PathBuf::from(place);
        let suffix = path.extension().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(root.join(&path)).unwrap();
        (format!("file_{number}.{suffix}"), text)
    };
    places.iter().enumerate().map(read).collect()
}

/// A file in pieces, each of a construct at the top level with what precedes it, and
/// whether it is a function.
fn pieces(language: &str, text: &str) -> Vec<(String, bool)> {
    let language = Language::by_id(language).unwrap();
    let tree = parse(language, text.as_bytes(), &Limits::default()).unwrap();
    let mut pieces = Vec::new();
    let mut from = 0;
    let starts: Vec<usize> = tree.line_starts().iter().map(|&s| s as usize).collect();
    for child in tree.children(0) {
        let node = tree.node(child);
        let after = starts.get(node.end_row as usize + 1).copied();
        let end = after.unwrap_or(text.len()).max(from);
        // A comment belongs to what follows it.
        let comment = tree.info(child).roles.any(Roles::COMMENT);
        let begins = starts.contains(&(node.start_byte as usize));
        if begins && !comment && node.start_byte as usize >= from {
            let is_function = tree.info(child).roles.any(Roles::CALLABLE);
            pieces.push((text[from..end].to_owned(), is_function));
            from = end;
        }
    }
    pieces.push((text[from..].to_owned(), false));
    pieces
}

fn each_piece(language: &str, files: &Files, change: impl Fn(&str) -> String) -> Files {
    let changed = |(path, text): &(String, String)| {
        let pieces = pieces(language, text);
        let text: String = pieces.iter().map(|(piece, _)| change(piece)).collect();
        (path.clone(), text)
    };
    files.iter().map(changed).collect()
}

/// Functions at the top level change places: the last comes first.
fn reversed(language: &str, text: &str) -> String {
    let pieces = pieces(language, text);
    let mut functions: Vec<&String> = pieces.iter().filter(|p| p.1).map(|p| &p.0).collect();
    let each = pieces.iter().map(|(piece, is_function)| {
        let other = is_function.then(|| functions.pop()).flatten();
        other.unwrap_or(piece).as_str()
    });
    each.collect()
}

#[test]
fn metamorphic_changes_keep_real_source_results() {
    for language in ["python", "javascript", "go", "java", "rust"] {
        let sources = real(language);
        let expected = seen(&measure(&sources));
        assert!(expected.callables.len() > 1, "{language}");
        let mark = if language == "python" { "#" } else { "//" };
        let without = |seen: Seen| seen.without(&["lines"]).without_rules(ABOUT_COMMENTS);
        let blank = each_piece(language, &sources, |piece| format!("{piece}\n\n"));
        assert_ne!(blank, sources);
        assert_eq!(
            without(seen(&measure(&blank))),
            without(expected.clone()),
            "{language}"
        );
        let comment = format!("\n{mark} blue whales rest.\n\n");
        let commented = each_piece(language, &sources, |piece| format!("{piece}{comment}"));
        assert_eq!(
            without(seen(&measure(&commented))),
            without(expected.clone()),
            "{language}"
        );
        let turned = sources
            .iter()
            .map(|(path, text)| (path.clone(), reversed(language, text)));
        let turned = seen(&measure(&turned.collect()));
        assert_eq!(turned, expected, "{language}");
        let mut backwards = sources.clone();
        backwards.reverse();
        assert_eq!(json(measurer(1), &backwards), json(measurer(2), &sources));
    }
}
