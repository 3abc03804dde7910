//! Faults of a problem that do not prevent loading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;
use slope_model::cases::{Case, CaseFile};
use slope_model::problem::{Checkpoint, Group, Problem, SuiteKind};

use crate::cases::line_of_case;
use crate::{Error, LoadOptions, cases, load, reference_solution, spec, yaml};

/// Level of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The problem should not be used in this state.
    Error,
    /// Information.
    Note,
}

/// A remark on a problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Lint {
    /// The kind of fault, a stable word; the table in `docs/problems.md` has them all.
    pub rule: &'static str,
    /// Level.
    pub level: Level,
    /// File, relative to the problem's folder.
    pub path: PathBuf,
    /// Line from 1, if known.
    pub line: Option<u64>,
    /// Its text.
    pub text: String,
    /// Remedy.
    pub remedy: &'static str,
}

/// Words that reveal to an agent that it is examined.
const PURPOSE: [&str; 6] = [
    "benchmark",
    "checkpoint",
    "grader",
    "hidden case",
    "hidden test",
    "slopcodebench",
];

/// Minimum number of characters of an output that two texts are unlikely to share by chance.
const TELLING: usize = 12;

/// Loads the problem in `dir` and lists faults that loading accepts, by file and line.
///
/// # Errors
/// As for [`load`], and if a clause's mark is malformed or repeated.
pub fn lint(dir: &Path) -> Result<Vec<Lint>, Error> {
    let problem = load(dir, &LoadOptions::default())?;
    let mut found = Found::default();
    canary(&problem, Path::new("config.yaml"), &mut found)?;
    for checkpoint in &problem.checkpoints {
        of_checkpoint(&problem, checkpoint, &mut found)?;
    }
    if problem.suite == SuiteKind::Cases {
        of_suites(&problem, &mut found)?;
    }
    let mut lints = found.0;
    lints.sort_by(|a, b| {
        (&a.path, a.line, a.rule, &a.text).cmp(&(&b.path, b.line, b.rule, &b.text))
    });
    Ok(lints)
}

#[derive(Default)]
struct Found(Vec<Lint>);

impl Found {
    fn error(
        &mut self,
        rule: &'static str,
        place: (&Path, Option<u64>),
        text: String,
        remedy: &'static str,
    ) {
        self.0.push(Lint {
            rule,
            level: Level::Error,
            path: place.0.to_owned(),
            line: place.1,
            text,
            remedy,
        });
    }

    fn note(&mut self, rule: &'static str, path: &Path, text: String, remedy: &'static str) {
        self.error(rule, (path, None), text, remedy);
        if let Some(last) = self.0.last_mut() {
            last.level = Level::Note;
        }
    }
}

fn spec_path(checkpoint: &Checkpoint) -> PathBuf {
    PathBuf::from(format!("{}.md", checkpoint.name))
}

fn suite_path(checkpoint: &Checkpoint) -> PathBuf {
    cases::path(Path::new(""), &checkpoint.name)
}

/// Checks for the canary in each file that could end up in training data.
fn canary(problem: &Problem, file: &Path, found: &mut Found) -> Result<(), Error> {
    let remedy = "restore the file";
    let text = yaml::read_text(&problem.root.join(file), "a file of the problem", remedy)?;
    let comment = text
        .lines()
        .take(5)
        .any(|line| line.contains("canary: ") || line.contains("canary GUID"));
    if !comment {
        let what = "no comment with a canary at the start".to_owned();
        let remedy = "begin with a comment that contains `canary: ` and a text of your own";
        found.error("canary-missing", (file, Some(1)), what, remedy);
    }
    Ok(())
}

fn of_checkpoint(
    problem: &Problem,
    checkpoint: &Checkpoint,
    found: &mut Found,
) -> Result<(), Error> {
    let path = spec_path(checkpoint);
    canary(problem, &path, found)?;
    told(problem, checkpoint, &path, found);
    if problem.suite == SuiteKind::Cases {
        canary(problem, &suite_path(checkpoint), found)?;
    }
    if reference_solution(problem, &checkpoint.name).is_none() {
        let what = format!("{} has no reference solution", checkpoint.name);
        let remedy =
            "add solutions/CHECKPOINT, a complete workspace, so that the tests can be checked";
        found.note("solution-missing", Path::new("solutions"), what, remedy);
    }
    Ok(())
}

/// Parts of a spec that reveal too much to an agent.
fn told(problem: &Problem, checkpoint: &Checkpoint, path: &Path, found: &mut Found) {
    let name = problem.name.to_lowercase();
    let spaced = name.replace(['-', '_'], " ");
    let names = [name.as_str(), spaced.as_str()];
    let kinds: [(&'static str, &[&str], &'static str); 2] = [
        (
            "name-told",
            &names,
            "find another name, since a spec that contains it leads to the solution",
        ),
        (
            "purpose-told",
            &PURPOSE,
            "write only about the program, which the reader is to build",
        ),
    ];
    // Lines of the agent's text, which lacks the comment at the start.
    for (line, row) in (1..).zip(checkpoint.spec.lines()) {
        let row = row.to_lowercase();
        for (rule, words, remedy) in kinds {
            if let Some(word) = words.iter().find(|word| row.contains(**word)) {
                let what = format!("line {line} of the text says `{word}`");
                found.error(rule, (path, None), what, remedy);
            }
        }
    }
}

/// A case with its place.
struct Placed<'a> {
    path: &'a Path,
    line: Option<u64>,
    case: &'a Case,
}

fn of_suites(problem: &Problem, found: &mut Found) -> Result<(), Error> {
    let mut clauses: BTreeMap<String, (PathBuf, u64)> = BTreeMap::new();
    let mut tested = BTreeSet::new();
    let examples: BTreeSet<String> = problem
        .checkpoints
        .iter()
        .flat_map(|checkpoint| blocks(&checkpoint.spec))
        .collect();
    for checkpoint in &problem.checkpoints {
        let spec = spec_path(checkpoint);
        let marked = marks(problem, &spec, &mut clauses)?;
        let path = suite_path(checkpoint);
        let text = yaml::read_text(&problem.root.join(&path), "a suite", "restore the file")?;
        let suite: CaseFile = cases::read(&problem.root.join(&path))?;
        if !suite.cases.iter().any(|case| case.group == Group::Core) {
            let what = format!("{} has no core case", checkpoint.name);
            let remedy = "say which cases every program must pass: `group: core`";
            found.error("core-missing", (&path, None), what, remedy);
        }
        for case in &suite.cases {
            let placed = Placed {
                path: &path,
                line: line_of_case(&text, &case.id),
                case,
            };
            if marked || !clauses.is_empty() {
                of_case(&placed, &clauses, found);
            }
            shown(problem, &placed, &examples, found);
            tested.extend(case.clauses.iter().cloned());
        }
        if !marked {
            let what = "the spec marks no clause, so nobody knows what is not tested".to_owned();
            let remedy = "put <!--#id--> after each sentence that a case can test";
            found.note("clauses-unmarked", &spec, what, remedy);
        }
    }
    for (id, (path, line)) in clauses.iter().filter(|(id, _)| !tested.contains(*id)) {
        let what = format!("no case tests the clause `{id}`");
        let remedy = "write a case, or remove the mark if nothing could test it";
        found.error("clause-untested", (path, Some(*line)), what, remedy);
    }
    Ok(())
}

/// Adds the clauses of a spec; whether there were any.
fn marks(
    problem: &Problem,
    spec: &Path,
    clauses: &mut BTreeMap<String, (PathBuf, u64)>,
) -> Result<bool, Error> {
    let whole = problem.root.join(spec);
    let of_spec = spec::clauses(&whole)?;
    let marked = !of_spec.is_empty();
    for clause in of_spec {
        let place = (spec.to_owned(), clause.line);
        if let Some((other, line)) = clauses.insert(clause.id.clone(), place) {
            return Err(Error::malformed(
                &whole,
                Some(clause.line),
                format!(
                    "the clause {} is marked in {}:{line} already",
                    clause.id,
                    other.display()
                ),
                "give every clause of the problem its own id",
            ));
        }
    }
    Ok(marked)
}

/// Checks that a case's clauses are in its own spec or an earlier one.
fn of_case(placed: &Placed<'_>, known: &BTreeMap<String, (PathBuf, u64)>, found: &mut Found) {
    let place = (placed.path, placed.line);
    let id = &placed.case.id;
    if placed.case.clauses.is_empty() {
        let what = format!("case {id} names no clause");
        let remedy =
            "name what it tests: `clauses: [id]`, since a case without a clause is not a fair test";
        found.error("case-without-clause", place, what, remedy);
    }
    for clause in placed
        .case
        .clauses
        .iter()
        .filter(|c| !known.contains_key(*c))
    {
        let what = format!("case {id} names the clause `{clause}`, which no spec up to here marks");
        let remedy = "mark it in the spec with <!--#id-->, or name another";
        found.error("clause-unknown", place, what, remedy);
    }
}

/// Checks that command and output of a case are not both in a spec, since a program is not needed
/// to answer it then.
fn shown(problem: &Problem, placed: &Placed<'_>, examples: &BTreeSet<String>, found: &mut Found) {
    for step in &placed.case.steps {
        let Some(output) = step.expect.stdout.as_ref().and_then(|t| t.equals.as_ref()) else {
            continue;
        };
        let output = output.trim_end();
        let command = step.args.join(" ");
        let is_shown = output.chars().count() >= TELLING
            && examples.contains(output)
            && !command.is_empty()
            && problem
                .checkpoints
                .iter()
                .any(|c| c.spec.contains(&command));
        if is_shown {
            let what = format!(
                "case {} expects of `{command}` what a spec shows",
                placed.case.id
            );
            let remedy = "use other values in the case or in the example";
            found.error("case-shown", (placed.path, placed.line), what, remedy);
        }
    }
}

/// The texts between fences.
fn blocks(spec: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<Vec<&str>> = None;
    for line in spec.lines() {
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(lines) => blocks.push(lines.join("\n").trim_end().to_owned()),
                None => open = Some(Vec::new()),
            }
        } else if let Some(lines) = &mut open {
            lines.push(line);
        }
    }
    blocks
}
