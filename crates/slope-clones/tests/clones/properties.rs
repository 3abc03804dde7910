//! What must not matter to clones, over generated programs.

use crate::support::{facts, report};
use proptest::prelude::*;
use slope_clones::{Class, CloneReport, FileClones, Options, classes, groups, units};
use slope_model::measurement::CloneKind;
use slope_syntax::{Language, Limits, Profile, parse};

/// Statements over the names a, b, c; `@` marks the indentation.
const STATEMENTS: &[&str] = &[
    "@a = b + c * 2\n",
    "@if a > b:\n@    c = a.next(b)\n@    b = c\n",
    "@for a in b.rows:\n@    c(a, 'x', b)\n@    b.c[a] = 1\n",
    "@while c.open:\n@    a -= b\n@    c = a or c.rest\n",
    "@with b.lock(a) as c:\n@    c.write(a)\n@    a = f'{b}'\n",
    "@return [a for a in b if c]\n",
    "@a.put(b, c, key=a)\n",
    "@b, c = c.split(a, 1)\n",
    "@try:\n@    a = b[c]\n@except KeyError:\n@    a = None\n",
];

/// A function as the list of its statements.
fn body() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..STATEMENTS.len(), 4..14)
}

/// Functions, of which some are others with statements changed.
fn program() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let edit = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        0..STATEMENTS.len(),
    );
    (
        prop::collection::vec(body(), 2..5),
        prop::collection::vec(edit, 0..5),
    )
        .prop_map(|(mut functions, edits)| {
            for (which, place, statement) in edits {
                let mut copy = functions[which.index(functions.len())].clone();
                let place = place.index(copy.len());
                copy.insert(place, statement);
                functions.push(copy);
            }
            functions
        })
}

fn function(body: &[usize]) -> String {
    let statements = body.iter().map(|&s| STATEMENTS[s].replace('@', "    "));
    format!("def a(b, c):\n{}", statements.collect::<String>())
}

fn text(functions: &[Vec<usize>]) -> String {
    functions.iter().map(|body| function(body)).collect()
}

/// Renames the names a, b and c.
fn renamed(code: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = code;
    while let Some(start) = rest.find(word) {
        let (before, tail) = rest.split_at(start);
        let end = tail.find(|c| !word(c)).unwrap_or(tail.len());
        out.push_str(before);
        match &tail[..end] {
            name @ ("a" | "b" | "c") => out.push_str(&format!("long_{name}")),
            other => out.push_str(other),
        }
        rest = &tail[end..];
    }
    out + rest
}

type Content = (CloneKind, String, Vec<(u32, u16)>);

/// Kind, fingerprint, and for each member its size in tokens and similarity: all that does not
/// depend on positions. The fingerprint is left out where names are part of it: in classes that are
/// too small to be found renamed.
fn content(report: &CloneReport) -> Vec<Content> {
    let class = |class: &Class| {
        let members = class.members.iter().map(|m| (m.tokens, m.similarity));
        let mut members: Vec<(u32, u16)> = members.collect();
        members.sort_unstable();
        let print = match class.kind {
            CloneKind::Exact => String::new(),
            _ => class.fingerprint.clone(),
        };
        (class.kind, print, members)
    };
    let mut all: Vec<_> = report.classes.iter().map(class).collect();
    all.sort();
    all
}

/// Rows in clones, and in near misses, of all files together.
fn lines(report: &CloneReport) -> (u32, u32) {
    let count = |sets: &[slope_syntax::LineSet]| sets.iter().map(|s| s.count()).sum();
    (count(&report.clone_lines), count(&report.near_lines))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn renaming_everywhere_keeps_every_class(program in program()) {
        let code = text(&program);
        let (before, after) = (report(&[&code]), report(&[&renamed(&code)]));
        prop_assert_eq!(content(&before), content(&after));
        prop_assert_eq!(before.clone_lines, after.clone_lines);
        prop_assert_eq!(before.near_lines, after.near_lines);
    }

    #[test]
    fn renamed_copy_is_still_a_clone(body in body()) {
        let code = function(&body);
        let found = report(&[&code, &renamed(&code)]);
        prop_assert_eq!(found.classes.len(), 1);
        prop_assert_eq!(found.classes[0].kind, CloneKind::Renamed);
        prop_assert_eq!(found.clone_lines[0].count(), found.clone_lines[1].count());
    }

    #[test]
    fn layout_and_comments_keep_every_class(program in program()) {
        let code = text(&program);
        let spread: String = code
            .lines()
            .map(|line| format!("{}  # note\n\n# more\n", line.replace(", ", ",  ").replace(" = ", "  = ")))
            .collect();
        let (before, after) = (report(&[&code]), report(&[&spread]));
        prop_assert_eq!(content(&before), content(&after));
    }

    #[test]
    fn moving_functions_between_files_keeps_every_class(program in program()) {
        let together = report(&[&text(&program)]);
        let files: Vec<String> = program.iter().map(|body| function(body)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let apart = report(&files);
        // Runs of whole functions exist only while they are in one file.
        let inside = |report: &CloneReport| -> Vec<_> {
            content(report).into_iter().filter(|class| class.0 == CloneKind::NearMiss).collect()
        };
        prop_assert_eq!(inside(&together), inside(&apart));
        prop_assert_eq!(lines(&together), lines(&apart));
    }

    #[test]
    fn file_order_changes_only_result_order(program in program(), shift in 1usize..6) {
        let mut files: Vec<String> = program.iter().map(|body| function(body)).collect();
        let before = report(&files.iter().map(String::as_str).collect::<Vec<_>>());
        let count = files.len();
        files.rotate_left(shift % count);
        files.reverse();
        let after = report(&files.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(content(&before), content(&after));
        prop_assert_eq!(lines(&before), lines(&after));
    }

    #[test]
    fn similarity_is_symmetric(one in body(), two in body()) {
        let (one, two) = (function(&one), renamed(&function(&two)));
        let (before, after) = (report(&[&one, &two]), report(&[&two, &one]));
        prop_assert_eq!(content(&before), content(&after));
    }

    #[test]
    fn classes_are_independent_of_threads(program in program()) {
        let files: Vec<FileClones> = program
            .iter()
            .map(|body| facts("python", &function(body), Profile::Slope))
            .collect();
        let all: Vec<&FileClones> = files.iter().collect();
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| classes(&all, &Options::of(Profile::Slope)))
        };
        prop_assert_eq!(with(1), with(3));
    }

    #[test]
    fn paper_clones_match_plain_grouping(program in program()) {
        let files = [text(&program), renamed(&text(&program))];
        let language = Language::by_id("python").unwrap();
        let trees = files.iter().map(|code| {
            parse(language, code.as_bytes(), &Limits::default()).unwrap()
        });
        let plain: Vec<_> = trees
            .map(|tree| units(&tree, Profile::Paper, &tree.source_lines(Profile::Paper)))
            .collect();
        let expected: Vec<Vec<(u32, u32, u32)>> =
            groups(plain.iter().map(Vec::as_slice), Profile::Paper)
                .iter()
                .map(|group| group.iter().map(|m| {
                    let unit = &plain[m.file][m.unit];
                    (u32::try_from(m.file).unwrap(), unit.first_row, unit.last_row)
                }).collect())
                .collect();
        let quick: Vec<FileClones> =
            files.iter().map(|code| facts("python", code, Profile::Paper)).collect();
        let mut rows = vec![slope_syntax::LineSet::default(); 2];
        for &(file, first, last) in expected.iter().flatten() {
            rows[file as usize].insert_range(first, last);
        }
        let all: Vec<&FileClones> = quick.iter().collect();
        let found = classes(&all, &Options::of(Profile::Paper));
        prop_assert_eq!(&found.clone_lines, &rows);
        for class in &found.classes {
            let members: Vec<_> =
                class.members.iter().map(|m| (m.file, m.first_row, m.last_row)).collect();
            prop_assert!(expected.contains(&members), "{:?} in {:?}", members, expected);
        }
    }

    #[test]
    fn clone_facts_survive_storage(program in program()) {
        let before = facts("python", &text(&program), Profile::Slope);
        let stored = serde_json::to_string(&before).unwrap();
        prop_assert_eq!(before, serde_json::from_str::<FileClones>(&stored).unwrap());
    }
}
