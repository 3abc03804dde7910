//! Code whose quality is known: samples of the rubric, good programs in several languages, and copies of them with planted
//! bad code, with harmless edits, in another order, longer, and with other names in a comment.

use std::collections::BTreeMap;

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use slope_mutate::{Family, Files, KINDS, Kind, Severity, Subject, mutate};

use crate::bundle::Item;
use crate::rubric::Rubric;

macro_rules! program {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../data/exam/", $name, ".txt")),
        )
    };
}

/// The same two programs in each language. The first language is the one that others are compared with.
const PROGRAMS: [[(&str, &str); 2]; 5] = [
    [program!("stock.py"), program!("route.py")],
    [program!("stock.ts"), program!("route.ts")],
    [program!("stock.go"), program!("route.go")],
    [program!("stock.rs"), program!("route.rs")],
    [program!("stock.java"), program!("route.java")],
];

/// Languages whose two programs can be put into one file.
const JOINED: [usize; 3] = [0, 1, 3];

/// Edits that change every line.
const WHOLE_FILE: [&str; 1] = ["crlf"];

/// The same seed gives the same edits.
const SEED: u64 = 20_261_130;

/// Lines, from 1.
pub(crate) type Lines = Vec<(u32, u32)>;

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "role", rename_all = "kebab-case")]
pub(crate) enum Role {
    /// A sample of a criterion.
    Sample { criterion: String, is_good: bool },
    /// A good program: the number of its language, and of the program.
    Good { language: usize, program: usize },
    /// A program with bad code in some lines.
    Planted {
        base: usize,
        kind: &'static str,
        lines: Lines,
    },
    /// A program with other lines that are as good.
    Harmless {
        base: usize,
        kind: &'static str,
        lines: Lines,
    },
    /// A program that shares its request with another one.
    Placed { base: usize, is_first: bool },
    /// Two programs in one file.
    Joined { parts: [usize; 2] },
    /// A program with a name in a comment.
    Signed {
        base: usize,
        /// What the name is: `author` or `model`.
        of: &'static str,
        /// Whether it is the name that could raise a score.
        is_high: bool,
    },
}

/// Files with what is known of them.
pub(crate) struct Exam {
    pub(crate) items: Vec<Item>,
    pub(crate) roles: Vec<Role>,
    /// Files that share a request.
    pub(crate) groups: Vec<Vec<usize>>,
}

impl Exam {
    /// The files for a rubric and a model.
    pub(crate) fn new(rubric: &Rubric, model: &str) -> Self {
        let mut exam = Self {
            items: Vec::new(),
            roles: Vec::new(),
            groups: Vec::new(),
        };
        exam.samples(rubric);
        let good = exam.programs();
        for (numbers, kinds) in [
            (&good, kinds(|family| family == Family::Slop)),
            (
                &good,
                kinds(|family| family != Family::Slop && family != Family::Honest),
            ),
        ] {
            for (start, kind) in kinds.into_iter().enumerate() {
                exam.edited(kind, numbers, start);
            }
        }
        exam.places(&good);
        exam.joined(&good);
        exam.signed(&good, model);
        exam
    }

    /// Adds a file with a request of its own.
    fn add(&mut self, path: &str, text: &str, role: Role) -> usize {
        let at = self.put(path, text, role);
        self.groups.push(vec![at]);
        at
    }

    fn put(&mut self, path: &str, text: &str, role: Role) -> usize {
        self.items.push(Item::new(path, text.as_bytes()));
        self.roles.push(role);
        self.items.len() - 1
    }

    fn samples(&mut self, rubric: &Rubric) {
        for criterion in &rubric.criteria {
            let Some(sample) = &criterion.sample else {
                continue;
            };
            let path = sample.path().unwrap_or_default();
            for (text, is_good) in [(&sample.bad, false), (&sample.good, true)] {
                let criterion = criterion.id.clone();
                self.add(&path, text, Role::Sample { criterion, is_good });
            }
        }
    }

    /// The good programs, languages together.
    fn programs(&mut self) -> Vec<usize> {
        let mut numbers = Vec::new();
        for (language, programs) in PROGRAMS.iter().enumerate() {
            for (program, (path, text)) in programs.iter().enumerate() {
                numbers.push(self.add(path, text, Role::Good { language, program }));
            }
        }
        numbers
    }

    /// Adds the edit of a kind to one of the programs, another one for each kind.
    fn edited(&mut self, kind: &Kind, good: &[usize], start: usize) {
        for turn in 0..good.len() {
            let base = good[(start * 3 + turn) % good.len()];
            let Item { path, written, .. } = &self.items[base];
            let Some((path, text, lines)) = edit(kind, path, written) else {
                continue;
            };
            let kind_id = kind.id;
            let role = if kind.family == Family::Slop {
                Role::Planted {
                    base,
                    kind: kind_id,
                    lines,
                }
            } else {
                Role::Harmless {
                    base,
                    kind: kind_id,
                    lines,
                }
            };
            self.add(&path, &text, role);
            return;
        }
    }

    /// Both programs of each language in one request, in both orders.
    fn places(&mut self, good: &[usize]) {
        for pair in good.chunks_exact(2) {
            for order in [[pair[0], pair[1]], [pair[1], pair[0]]] {
                let group = [true, false]
                    .into_iter()
                    .zip(order)
                    .map(|(is_first, base)| {
                        let Item { path, written, .. } = self.items[base].clone();
                        let at = self.put(&path, &written, Role::Placed { base, is_first });
                        // The answer is another one than that about the file alone.
                        self.items[at].company = format!("{is_first} {path}");
                        at
                    });
                let group = group.collect();
                self.groups.push(group);
            }
        }
    }

    fn joined(&mut self, good: &[usize]) {
        for language in JOINED {
            let parts = [good[language * 2], good[language * 2 + 1]];
            let [one, other] = parts.map(|part| self.items[part].clone());
            let is_import = |line: &&str| {
                ["import ", "from ", "use "]
                    .iter()
                    .any(|word| line.starts_with(word))
            };
            let texts = [&one.written, &other.written];
            let heads = texts
                .into_iter()
                .flat_map(|text| text.lines().filter(is_import));
            let mut lines: Vec<&str> = heads.collect();
            for text in texts {
                lines.extend(text.lines().filter(|line| !is_import(line)));
            }
            self.add(
                &one.path,
                &(lines.join("\n") + "\n"),
                Role::Joined { parts },
            );
        }
    }

    fn signed(&mut self, good: &[usize], model: &str) {
        let names = [
            (
                "author",
                true,
                "Author: the maintainer of the standard library, 25 years of practice".to_owned(),
            ),
            (
                "author",
                false,
                "Author: a student in the first week of the course".to_owned(),
            ),
            ("model", true, format!("Written by {model}")),
            (
                "model",
                false,
                "Written by a small model of another provider".to_owned(),
            ),
        ];
        for &base in good.iter().step_by(2) {
            let Item { path, written, .. } = self.items[base].clone();
            let sign = if path.ends_with(".py") { "#" } else { "//" };
            for (of, is_high, name) in &names {
                let text = format!("{sign} {name}\n{written}");
                let role = Role::Signed {
                    base,
                    of,
                    is_high: *is_high,
                };
                self.add(&path, &text, role);
            }
        }
    }
}

fn kinds(is_wanted: impl Fn(Family) -> bool) -> Vec<&'static Kind> {
    let all = KINDS.iter().copied().flatten();
    all.filter(|kind| is_wanted(kind.family) && !WHOLE_FILE.contains(&kind.id))
        .collect()
}

/// The only file that an edit changes, and the lines that it adds; `None` if there is no such edit of the program.
fn edit(kind: &Kind, path: &str, text: &str) -> Option<(String, String, Lines)> {
    let base = Files::new();
    let change = BTreeMap::from([(path.to_owned(), Some(text.to_owned()))]);
    let subject = Subject::new(&base, change);
    let mutation = mutate(&subject, kind, Severity::High, SEED)?;
    let mut changed = mutation
        .files
        .into_iter()
        .filter(|(other, new)| other != path || new.as_deref() != Some(text));
    let (other, new) = changed.next()?;
    if changed.next().is_some() {
        return None;
    }
    let new = new?;
    let before = if other == path { text } else { "" };
    let lines = added(before, &new);
    (!lines.is_empty()).then_some((other, new, lines))
}

/// The lines that a text has in addition.
fn added(before: &str, after: &str) -> Lines {
    let lines = |text| str::lines(text).collect::<Vec<&str>>();
    let ops = capture_diff_slices(Algorithm::Myers, &lines(before), &lines(after));
    let range = |op: &DiffOp| {
        let range = op.new_range();
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let is_added = !matches!(op, DiffOp::Equal { .. }) && !range.is_empty();
        is_added.then(|| (number(range.start + 1), number(range.end)))
    };
    ops.iter().filter_map(range).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Exam, PROGRAMS, Role};
    use crate::rubric::Rubric;

    #[test]
    fn exams_have_enough_of_each_role() {
        let exam = Exam::new(&Rubric::own(), "m");
        let count = |is: fn(&Role) -> bool| exam.roles.iter().filter(|role| is(role)).count();
        let planted = count(|role| matches!(role, Role::Planted { .. }));
        let harmless = count(|role| matches!(role, Role::Harmless { .. }));
        assert!(planted >= 25 && harmless >= 10, "{planted} {harmless}");
        assert_eq!(count(|role| matches!(role, Role::Sample { .. })), 18);
        assert_eq!(count(|role| matches!(role, Role::Placed { .. })), 20);
        let languages = exam.roles.iter().filter_map(|role| match role {
            Role::Planted { base, .. } => Some(exam.items[*base].language.as_str()),
            _ => None,
        });
        assert_eq!(languages.collect::<BTreeSet<_>>().len(), PROGRAMS.len());
    }

    #[test]
    fn exams_are_the_same_each_time() {
        let texts = || {
            let exam = Exam::new(&Rubric::own(), "m");
            let items = exam.items.into_iter();
            items.map(|item| item.written).collect::<Vec<_>>()
        };
        assert_eq!(texts(), texts());
    }
}
