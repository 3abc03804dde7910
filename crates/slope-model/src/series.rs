//! Series: the points of a project over time, each with a measurement and who wrote the code.

mod author;
mod change;
mod judge_details;
mod judge_scores;

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assessment::{JudgeKind, Scores};
use crate::finding::DEAD_CODE;
use crate::ledger::Amounts;
use crate::measurement::{Part, Totals};
use crate::metrics::Metric;
use crate::point_check::impossible_number;
use crate::schema;

pub use crate::point_check::PointFault;
pub use author::Author;
pub use change::{ChangedPlace, PlaceDiff, PointChange};
pub use judge_details::JudgeDetails;
pub use judge_scores::{JudgeScores, MOVED_ANCHOR};

/// The series of points that name none.
pub const MAIN_SERIES: &str = "main";

/// Longest name of a project or series, in bytes.
const LONGEST_NAME: usize = 100;
/// Names of projects and series.
pub const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$";
/// Times in UTC and whole seconds.
const TIME_PATTERN: &str =
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$";
/// Longest other text of a point, in characters.
pub(crate) const LONGEST_TEXT: usize = 4096;
/// Longest name or path of a place, in characters.
const LONGEST_PLACE: usize = 1024;
/// Functions and effects that a point may list.
const MOST_PLACES: usize = 200;

/// A measured snapshot in a series.
///
/// Its key is unique in the series: `iteration-3`, otherwise `commit-HASH`, otherwise `time-2026-11-30T08:15:00Z`. A
/// point with the same key and other numbers is a conflict, not an update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Name and version of this format: `slope.point/1`.
    #[schemars(regex(pattern = r"^slope\.point/1$"))]
    pub schema: String,
    /// Name of the series, for example `main` or the name of an assistant.
    #[schemars(regex(pattern = NAME_PATTERN))]
    pub series: String,
    /// Time of the code in UTC and whole seconds, for example `2026-11-30T08:15:00Z`: of the commit, or of the
    /// measurement if there is no commit.
    #[schemars(regex(pattern = TIME_PATTERN), extend("format" = "date-time"))]
    pub time: String,
    /// Number of the iteration, if the series counts iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// The commit, if the code is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<PointCommit>,
    /// Who or what wrote the code since the point before. Never guessed.
    #[serde(default, skip_serializing_if = "Author::is_unknown")]
    pub author: Author,
    /// How the point was made.
    pub origin: Origin,
    /// Hash of the measured files and their paths.
    #[schemars(length(max = LONGEST_TEXT))]
    pub tree: String,
    /// Version of slope.
    #[schemars(length(max = LONGEST_TEXT))]
    pub engine: String,
    /// Hash of the definitions, rules and grammars. Points with the same hash are comparable.
    #[schemars(length(max = LONGEST_TEXT))]
    pub definitions: String,
    /// Totals, as in `slope measure`.
    pub totals: Totals,
    /// Totals of each part of the code base.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("propertyNames" = { "enum": ["product", "tests"] }))]
    pub parts: BTreeMap<Part, Totals>,
    /// Number of findings of rules and signals, by category.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub findings: BTreeMap<String, u64>,
    /// Scores from 0 to 10, one entry for each judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<JudgeScores>,
    /// Functions with the most complexity mass, largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_PLACES))]
    pub worst: Vec<WorstFunction>,
    /// What changed since the point before; `null` if there is none, or if it cannot be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<PointChange>,
    /// Note of the person who added the point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub note: Option<String>,
}

/// The commit of a point.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointCommit {
    /// Full hash.
    #[schemars(regex(pattern = r"^([0-9a-f]{40}|[0-9a-f]{64})$"))]
    pub id: String,
    /// First line of the message.
    #[serde(default)]
    #[schemars(length(max = LONGEST_TEXT))]
    pub subject: String,
    /// Branch, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = LONGEST_TEXT))]
    pub branch: Option<String>,
    /// Number of its ancestors in the same second, on the longest line of parents. It orders commits of one second.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sequence: u32,
}

/// Whether a number is the one that is left out.
fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// How a point was made.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// By hand, from a directory.
    #[default]
    Folder,
    /// By hand, from a commit.
    Commit,
    /// By a hook of a coding agent.
    Hook,
    /// By a CI job.
    Ci,
    /// From a checkpoint of a benchmark run.
    Run,
}

/// A function with much complexity mass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorstFunction {
    /// Path.
    pub path: String,
    /// Name, with the names of what it is in.
    pub name: String,
    /// First line, from 1.
    pub line: u32,
    /// Cyclomatic complexity.
    pub complexity: u32,
    /// Source lines.
    pub sloc: u32,
    /// Complexity mass.
    pub mass: f64,
}

/// What makes a point unique in its series: its iteration, otherwise its commit, otherwise its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointKey<'a> {
    /// Number of the iteration.
    Iteration(u32),
    /// Hash of the commit.
    Commit(&'a str),
    /// Time of the code.
    Time(&'a str),
}

impl fmt::Display for PointKey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Iteration(number) => write!(f, "iteration-{number}"),
            Self::Commit(id) => write!(f, "commit-{id}"),
            Self::Time(time) => write!(f, "time-{time}"),
        }
    }
}

impl Point {
    /// What makes the point unique in its series.
    #[must_use]
    pub fn key(&self) -> PointKey<'_> {
        match (self.iteration, &self.commit) {
            (Some(number), _) => PointKey::Iteration(number),
            (None, Some(commit)) => PointKey::Commit(&commit.id),
            (None, None) => PointKey::Time(&self.time),
        }
    }

    /// The place of the point among those of its series: by iteration, then by time, then by the sequence of commits in
    /// one second, then by key. Points without an iteration come first. So a clock that goes back does not change the
    /// order of iterations.
    #[must_use]
    pub fn order(&self) -> (Option<u32>, &str, u32, PointKey<'_>) {
        let sequence = self.commit.as_ref().map_or(0, |commit| commit.sequence);
        (self.iteration, &self.time, sequence, self.key())
    }

    /// The value of a metric, in one part of the code base or in all of it. Findings are counted only in all of it.
    #[must_use]
    pub fn value(&self, metric: &Metric, part: Option<Part>) -> Option<f64> {
        metric.of_code((&self.totals, &self.parts), &self.findings, part)
    }

    /// The amounts of all code; `None` if one of them is missing.
    #[must_use]
    pub fn amounts(&self) -> Option<Amounts> {
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let dead_code = self.findings.get(DEAD_CODE).copied().unwrap_or(0);
        Some(Amounts {
            mass: self.totals.mass?,
            clone_lines: signed(self.totals.clone_lines?),
            flagged_lines: signed(self.totals.flagged_lines?),
            verbose_lines: signed(self.totals.verbose_lines?),
            dead_code: signed(dead_code),
            sloc: signed(self.totals.sloc),
        })
    }

    /// The point with its numbers only. Two machines that add the same code may differ in the rest: in the time and
    /// branch of the addition, in the point before, and so in the commits since it and their authors. Versions of slope
    /// may differ in the details that they keep.
    #[must_use]
    pub fn numbers(&self) -> Self {
        Self {
            time: match self.commit {
                Some(_) => self.time.clone(),
                None => String::new(),
            },
            commit: self.commit.clone().map(|commit| PointCommit {
                branch: None,
                sequence: 0,
                ..commit
            }),
            scores: self.scores.iter().map(JudgeScores::numbers).collect(),
            author: Author::default(),
            origin: Origin::default(),
            engine: String::new(),
            change: None,
            note: None,
            ..self.clone()
        }
    }

    /// Whether another point has the same key, numbers, author and note.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let told = |point: &Self| (point.author.clone(), point.note.clone());
        self.key() == other.key() && told(self) == told(other) && self.numbers() == other.numbers()
    }

    /// The scores of the first judge of a kind.
    #[must_use]
    pub fn scores_of(&self, judge: JudgeKind) -> Option<&Scores> {
        let of_kind = self.scores.iter().find(|entry| entry.judge == judge)?;
        Some(&of_kind.scores)
    }

    /// Checks what the types do not: the schema, names, lengths.
    ///
    /// # Errors
    /// The faulty field, and what is wrong with it.
    pub fn check(&self) -> Result<(), PointFault> {
        let fault = |field: &str, message: String| {
            Err(PointFault {
                field: field.to_owned(),
                message,
            })
        };
        if self.schema != schema::POINT {
            let message = format!("`{}` is not {}", shortened(&self.schema), schema::POINT);
            return fault("schema", message);
        }
        if let Err(message) = check_name(&self.series) {
            return fault("series", message);
        }
        if !is_utc_second(&self.time) {
            let message = format!(
                "`{}` is not a time in UTC and whole seconds, for example 2026-11-30T08:15:00Z",
                shortened(&self.time)
            );
            return fault("time", message);
        }
        if let Some(commit) = &self.commit
            && !is_hash(&commit.id)
        {
            let message = "expected a full hash: 40 or 64 hexadecimal digits".to_owned();
            return fault("commit.id", message);
        }
        let commit = self.commit.iter().flat_map(|commit| {
            let branch = commit.branch.iter();
            branch.chain([&commit.subject])
        });
        let texts = [&self.tree, &self.engine, &self.definitions];
        let mut texts = texts
            .into_iter()
            .chain(commit)
            .chain(self.author.texts())
            .chain(&self.note);
        if texts.any(|text| text.chars().count() > LONGEST_TEXT) {
            return fault(
                "",
                format!("a text has more than {LONGEST_TEXT} characters"),
            );
        }
        if let Some(message) = self.too_long() {
            return fault("", message);
        }
        let details = self
            .scores
            .iter()
            .filter_map(|entry| entry.details.as_ref());
        let of_lists = self.change.iter().filter_map(PointChange::fault);
        let mut of_lists = of_lists.chain(details.filter_map(JudgeDetails::fault));
        if let Some(message) = of_lists.next() {
            return fault("", message);
        }
        match impossible_number(self) {
            Some((field, message)) => fault(&field, message),
            None => Ok(()),
        }
    }
}

/// Sorts points by their [order](Point::order).
pub fn sort(points: &mut [Point]) {
    points.sort_by(|a, b| a.order().cmp(&b.order()));
}

impl Point {
    /// The first fault in the lists: a text that is too long, or too many entries.
    fn too_long(&self) -> Option<String> {
        let worst = self.worst.iter().flat_map(|one| [&one.path, &one.name]);
        let missing = self.scores.iter().flat_map(|entry| entry.missing.iter());
        let missing = missing.flat_map(|(name, reason)| [name, reason]);
        let mut texts = worst.chain(missing).chain(self.findings.keys());
        if texts.any(|text| text.chars().count() > LONGEST_PLACE) {
            return Some(format!(
                "a name or path has more than {LONGEST_PLACE} characters"
            ));
        }
        let entries = [self.findings.len(), self.scores.len(), self.worst.len()];
        let entries = entries
            .into_iter()
            .chain(self.scores.iter().map(|entry| entry.missing.len()));
        let most = entries.max().unwrap_or(0);
        (most > MOST_PLACES).then(|| format!("a list has more than {MOST_PLACES} entries"))
    }
}

/// Checks the name of a project or series, which is part of addresses and file names.
///
/// # Errors
/// If it is not made of 1 to 100 letters, digits, `.`, `-` and `_`, or does not begin with a letter or digit.
pub fn check_name(name: &str) -> Result<(), String> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins_well && name.len() <= LONGEST_NAME && name.chars().all(is_inner) {
        return Ok(());
    }
    Err(format!(
        "`{}` is not a name: use 1 to {LONGEST_NAME} letters, digits, `.`, `-` and `_`, and begin with a letter or digit",
        shortened(name)
    ))
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// Whether a text has the form `2026-11-30T08:15:00Z`, so that texts sort like times.
fn is_utc_second(text: &str) -> bool {
    let form = "0000-00-00T00:00:00Z";
    let fits = |(c, of): (char, char)| match of {
        '0' => c.is_ascii_digit(),
        _ => c == of,
    };
    text.len() == form.len() && text.chars().zip(form.chars()).all(fits)
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point() -> Point {
        Point {
            schema: schema::POINT.to_owned(),
            series: MAIN_SERIES.to_owned(),
            time: "2026-11-30T00:00:00Z".to_owned(),
            iteration: None,
            commit: None,
            author: Author::default(),
            origin: Origin::Folder,
            tree: "0".repeat(64),
            engine: "slope 0.1.0".to_owned(),
            definitions: "a".to_owned(),
            totals: Totals::default(),
            parts: BTreeMap::new(),
            findings: BTreeMap::new(),
            scores: Vec::new(),
            worst: Vec::new(),
            change: None,
            note: None,
        }
    }

    #[test]
    fn impossible_numbers_name_their_field() {
        let faulty = |change: fn(&mut Point)| {
            let mut point = point();
            change(&mut point);
            point.check().unwrap_err().to_string()
        };
        let negative = faulty(|point| point.totals.mass = Some(-1.0));
        assert_eq!(negative, "totals.mass: -1 is negative");
        let huge = faulty(|point| point.totals.mass = Some(1.7e308));
        assert_eq!(huge, "totals.mass: 1.7e308 is larger than 1e12");
        let score = faulty(|point| {
            point.scores = vec![JudgeScores {
                judge: JudgeKind::Static,
                model: None,
                served: None,
                rubric: None,
                rubric_hash: None,
                anchors: None,
                scores: Scores {
                    erosion: Some(11.0),
                    ..Scores::default()
                },
                missing: BTreeMap::new(),
                details: None,
            }];
        });
        let expected = "scores[0].scores.erosion: 11 is not a score from 0 to 10";
        assert_eq!(score, expected);
        let mut falling = point();
        falling.change = Some(PointChange {
            since: "iteration-1".to_owned(),
            amounts: Amounts {
                mass: -5.0,
                ..Amounts::default()
            },
            places: Vec::new(),
        });
        assert_eq!(falling.check(), Ok(()));
    }

    #[test]
    fn iteration_comes_before_commit_and_time() {
        let mut point = point();
        assert_eq!(point.key().to_string(), "time-2026-11-30T00:00:00Z");
        point.commit = Some(PointCommit {
            id: "0a".repeat(20),
            ..PointCommit::default()
        });
        assert_eq!(
            point.key().to_string(),
            format!("commit-{}", "0a".repeat(20))
        );
        point.iteration = Some(3);
        assert_eq!(point.key().to_string(), "iteration-3");
    }

    #[test]
    fn iterations_keep_order_when_clocks_go_back() {
        let at = |time: &str, iteration| Point {
            time: format!("2026-11-30T{time}Z"),
            iteration,
            ..point()
        };
        let mut points = vec![
            at("00:00:02", Some(2)),
            at("00:00:06", None),
            at("00:00:04", Some(1)),
            at("00:00:05", None),
            at("00:00:01", Some(3)),
        ];
        sort(&mut points);
        let keys: Vec<String> = points.iter().map(|it| it.key().to_string()).collect();
        let expected = [
            "time-2026-11-30T00:00:05Z",
            "time-2026-11-30T00:00:06Z",
            "iteration-1",
            "iteration-2",
            "iteration-3",
        ];
        assert_eq!(keys, expected);
        let mut reversed: Vec<Point> = points.iter().rev().cloned().collect();
        sort(&mut reversed);
        assert_eq!(reversed, points);
    }

    #[test]
    fn points_with_other_numbers_are_not_same() {
        let one = Point {
            iteration: Some(1),
            ..point()
        };
        let later = Point {
            time: "2026-12-01T00:00:00Z".to_owned(),
            ..one.clone()
        };
        assert!(one.is_same(&later));
        let mut other = one.clone();
        other.totals.sloc = 1;
        assert!(!one.is_same(&other));
        assert!(!one.is_same(&point()), "another key");
    }

    #[test]
    fn names_must_fit_into_addresses() {
        for good in ["main", "a", "1.2_x-y", &"n".repeat(100)] {
            assert_eq!(check_name(good), Ok(()), "{good}");
        }
        for bad in ["", ".", "../x", "a/b", "-a", "ä", "a b", &"n".repeat(101)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn faulty_points_name_the_field() {
        assert_eq!(point().check(), Ok(()));
        let field = |change: fn(&mut Point)| {
            let mut point = point();
            change(&mut point);
            point.check().expect_err("faulty").field
        };
        assert_eq!(field(|it| it.schema = "slope.point/9".to_owned()), "schema");
        assert_eq!(field(|it| it.series = "a/b".to_owned()), "series");
        assert_eq!(
            field(|it| it.commit = Some(PointCommit::default())),
            "commit.id"
        );
        assert_eq!(field(|it| it.tree = "9".repeat(5000)), "");
        for time in ["9", "2026-11-30T00:00:00+01:00", "2026-11-30T00:00:00.5Z"] {
            let mut point = point();
            point.time = time.to_owned();
            assert_eq!(point.check().expect_err("faulty").field, "time");
        }
    }
}
