//! Classes of checkpoint failures: rules as data, each with the text that is its evidence.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use slope_model::detail::CheckpointDetail;
use slope_model::problem::Group;
use slope_model::run::{Cause, CheckpointReport, TrialReport};
use slope_model::verdict::{Outcome, State, TestResult};

use super::members::{Members, narrow};
use crate::rates::{self, Proportion, Rule, Standing};

/// The rules, with a version, so that every report shows a change of them.
const DATA: &str = include_str!("../../data/failure-rules.json");

/// Characters of an evidence's text.
const MAX_TEXT: usize = 240;

/// Maximum number of output tokens of a single-turn attempt that did nothing.
const NO_OP_TOKENS: u64 = 500;

#[derive(Debug, Default, Deserialize)]
struct Rules {
    version: String,
    classes: Vec<ClassRule>,
    undecided: Vec<Undecided>,
}

#[derive(Debug, Deserialize)]
struct ClassRule {
    class: String,
    #[serde(default)]
    rule: Option<Special>,
    #[serde(default)]
    outcomes: Vec<Outcome>,
    #[serde(default)]
    groups: Vec<Group>,
    #[serde(default)]
    patterns: Vec<Pattern>,
}

/// Rules that are not of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Special {
    /// A test that passed at the previous checkpoint fails.
    Regressed,
    /// At least four fifths of the tests that did not pass are in the error group.
    MostlyErrorGroup,
}

#[derive(Debug, Deserialize)]
struct Pattern {
    #[serde(default)]
    sub: Option<String>,
    /// One of these is in the message,
    any: Vec<String>,
    /// and one of these, if there are any,
    #[serde(default)]
    with: Vec<String>,
    /// and none of these.
    #[serde(default)]
    without: Vec<String>,
}

/// A class that a run's directory does not show, or only partly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undecided {
    /// The class.
    pub class: String,
    /// Reason.
    pub reason: String,
}

/// Causes of checkpoint failures in a study.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Failures {
    /// Version of the rules.
    pub rules: String,
    /// Number of failures by primary class, by cohort.
    pub counts: Vec<ClassCount>,
    /// Each unsolved checkpoint.
    pub checkpoints: Vec<Failure>,
    /// Classes that these runs cannot show; they are not 0.
    pub undecided: Vec<Undecided>,
}

/// Number of failures of a class in a cohort.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassCount {
    /// Place in the study's cohorts, from 0.
    pub cohort: usize,
    /// The class.
    pub class: String,
    /// Checkpoints with this as their primary class, of all graded ones, solved or not.
    pub first: Proportion,
    /// Checkpoints that it fits at all.
    pub fits: u32,
}

/// An unsolved checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// Place in the study's cohorts, from 0.
    pub cohort: usize,
    /// Label of the run.
    pub label: String,
    /// Problem name.
    pub problem: String,
    /// Number of the trial.
    pub trial: u32,
    /// Checkpoint name.
    pub checkpoint: String,
    /// All matching classes; the first is the primary one.
    pub classes: Vec<FailureClass>,
}

/// A class of a failure, and its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureClass {
    /// The class.
    pub class: String,
    /// Kind within the class, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub: Option<String>,
    /// Number of matching tests; 0 if it is about the whole checkpoint.
    pub tests: u32,
    /// Evidence.
    pub evidence: Evidence,
}

/// A span of text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The test, with the checkpoint of its suite; `None` if it is about no single test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Line of the test's message, from 1; `None` where the text is of no message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Bytes of that line before the match, and its length; `None` as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub span: Option<(u32, u32)>,
    /// The line, or the observation.
    pub text: String,
}

/// A checkpoint as the rules see it.
struct Case<'a> {
    report: &'a CheckpointReport,
    detail: Option<&'a CheckpointDetail>,
    before: Option<&'a CheckpointReport>,
}

/// Classifies every graded checkpoint that is not strictly solved.
pub(super) fn failures(members: &[Members<'_>]) -> Failures {
    let rules = rules();
    let mut failures = Failures {
        rules: rules.version.clone(),
        undecided: rules.undecided.clone(),
        ..Failures::default()
    };
    for (cohort, own) in members.iter().enumerate() {
        let mut graded = 0;
        let mut found = Vec::new();
        for run in &own.runs {
            for (at, trial) in run.report.trials.iter().enumerate() {
                let known = rates::standings(trial);
                graded += narrow(known.iter().filter(|s| **s == Standing::Graded).count());
                let digest = run.digest.and_then(|digest| digest.trials.get(at));
                let classes = digest.map_or_else(
                    || Cow::Owned(unsolved(trial, &[])),
                    |digest| Cow::Borrowed(&digest.unsolved),
                );
                found.extend(classes.iter().cloned().map(|own| Failure {
                    cohort,
                    label: run.report.config.label.clone(),
                    problem: trial.problem.clone(),
                    trial: trial.trial,
                    checkpoint: own.checkpoint,
                    classes: own.classes,
                }));
            }
        }
        failures.counts.extend(counted(cohort, graded, &found));
        failures.checkpoints.extend(found);
    }
    failures
}

fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    // The file is part of the program; a test parses it.
    RULES.get_or_init(|| serde_json::from_str(DATA).unwrap_or_default())
}

/// An unsolved checkpoint of a trial.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unsolved {
    checkpoint: String,
    classes: Vec<FailureClass>,
}

/// The graded checkpoints of a trial that are unsolved, with their classes. Without `details`
/// classes from messages are missing.
pub(super) fn unsolved(trial: &TrialReport, details: &[CheckpointDetail]) -> Vec<Unsolved> {
    let mut unsolved = Vec::new();
    let standings = rates::standings(trial);
    for (at, (report, standing)) in trial.checkpoints.iter().zip(standings).enumerate() {
        if standing != Standing::Graded {
            continue;
        }
        if rates::is_solved(report, Rule::Strict) == Some(false) {
            let case = Case {
                report,
                detail: details.get(at),
                before: at.checked_sub(1).and_then(|b| trial.checkpoints.get(b)),
            };
            unsolved.push(Unsolved {
                checkpoint: report.checkpoint.clone(),
                classes: case.classes(),
            });
        }
    }
    unsolved
}

fn counted(cohort: usize, graded: u32, found: &[Failure]) -> Vec<ClassCount> {
    let mut counts: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for failure in found {
        let names: BTreeSet<&str> = failure.classes.iter().map(|c| c.class.as_str()).collect();
        for name in names {
            counts.entry(name).or_default().1 += 1;
        }
        if let Some(primary) = failure.classes.first() {
            counts.entry(&primary.class).or_default().0 += 1;
        }
    }
    let mut counts: Vec<ClassCount> = counts
        .into_iter()
        .map(|(class, (first, fits))| ClassCount {
            cohort,
            class: class.to_owned(),
            first: Proportion::new(first, graded),
            fits,
        })
        .collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.first.count));
    counts
}

impl Case<'_> {
    /// The matching classes, in the order of the rules; never empty.
    fn classes(&self) -> Vec<FailureClass> {
        let whole_attempt = [self.no_answer(), self.cut_short()];
        let mut classes: Vec<FailureClass> = whole_attempt.into_iter().flatten().collect();
        for rule in &rules().classes {
            classes.extend(self.by_rule(rule));
        }
        if classes.is_empty() {
            let text = match self.not_passed() {
                Some(tests) => format!(
                    "{} did not pass, and no rule matches their messages",
                    crate::format::plural(tests.len(), "test")
                ),
                None => "the messages of the tests are not stored".to_owned(),
            };
            classes.push(whole("unclassified", None, text));
        }
        classes
    }

    fn not_passed(&self) -> Option<&[TestResult]> {
        self.detail?.not_passed.as_deref()
    }

    /// The agent changed nothing.
    fn no_answer(&self) -> Option<FailureClass> {
        let attempt = self.detail.and_then(|detail| detail.attempts.last());
        if attempt.is_some_and(|attempt| attempt.cause == Some(Cause::NoOp)) {
            let text = "the agent ended by itself and left the workspace as it was";
            return Some(whole("no-answer", None, text.to_owned()));
        }
        let (report, before) = (self.report, self.before);
        let kept = report.snapshot.as_ref();
        if kept.is_some() && kept == before.and_then(|before| before.snapshot.as_ref()) {
            let text = format!(
                "the snapshot equals that of the previous checkpoint: {}",
                kept?
            );
            return Some(whole("no-answer", None, text));
        }
        let usage = report.usage.as_ref()?;
        let idle = kept.is_none()
            && report.state != State::AgentError
            && usage.requests <= 1
            && usage.tokens.output < NO_OP_TOKENS;
        idle.then(|| {
            let text = format!(
                "{} and {} output tokens",
                crate::format::plural(usage.requests, "turn"),
                usage.tokens.output
            );
            whole("no-answer", Some("one-turn"), text)
        })
    }

    /// The agent's attempt ended before it was done.
    fn cut_short(&self) -> Option<FailureClass> {
        let (state, reason) = (self.report.state, self.report.reason.as_deref());
        matches!(state, State::AgentError | State::Budget | State::Timeout).then(|| {
            let text = shorten(reason.unwrap_or(state.name()));
            whole("cut-short", Some(state.name()), text)
        })
    }

    fn by_rule(&self, rule: &ClassRule) -> Option<FailureClass> {
        match rule.rule {
            Some(Special::Regressed) => self.regressed(&rule.class),
            Some(Special::MostlyErrorGroup) => self.mostly_errors(&rule.class),
            None => self.by_message(rule),
        }
    }

    /// Tests that passed at the checkpoint before and do not now.
    fn regressed(&self, class: &str) -> Option<FailureClass> {
        let before = self.before?;
        let graded = matches!(before.state, State::Passed | State::Failed);
        let own = format!("{}::", self.report.checkpoint);
        let tests = self.report.not_passed.iter().filter(|id| {
            let failed_before = before.not_passed.contains(id) || before.unstable.contains(id);
            !id.starts_with(&own) && !failed_before
        });
        let tests: Vec<&String> = tests.collect();
        let first = tests.first().filter(|_| graded)?;
        Some(FailureClass {
            class: class.to_owned(),
            sub: None,
            tests: narrow(tests.len()),
            evidence: Evidence {
                test: Some((*first).clone()),
                text: format!("passed at {}", before.checkpoint),
                ..Evidence::default()
            },
        })
    }

    fn mostly_errors(&self, class: &str) -> Option<FailureClass> {
        let failed = |group: Group| {
            let count = self.report.counts.get(&group).copied().unwrap_or_default();
            count.total.saturating_sub(count.passed + count.unstable)
        };
        let (errors, all) = (
            failed(Group::Error),
            Group::ALL.into_iter().map(failed).sum::<u32>(),
        );
        (errors > 0 && errors * 5 >= all * 4).then(|| FailureClass {
            class: class.to_owned(),
            sub: None,
            tests: errors,
            evidence: Evidence {
                text: format!("{errors} of {all} tests that did not pass are in the error group"),
                ..Evidence::default()
            },
        })
    }

    fn by_message(&self, rule: &ClassRule) -> Option<FailureClass> {
        let in_group =
            |test: &&TestResult| rule.groups.is_empty() || rule.groups.contains(&test.group);
        let tests = self.not_passed()?.iter().filter(in_group);
        let mut found: Option<FailureClass> = None;
        for test in tests {
            let Some((sub, evidence)) = rule.fit(test) else {
                continue;
            };
            match &mut found {
                Some(class) => class.tests += 1,
                None => {
                    found = Some(FailureClass {
                        class: rule.class.clone(),
                        sub,
                        tests: 1,
                        evidence,
                    });
                }
            }
        }
        found
    }
}

impl ClassRule {
    /// The part of a test that matches the rule.
    fn fit(&self, test: &TestResult) -> Option<(Option<String>, Evidence)> {
        let name = format!("{}::{}", test.checkpoint, test.id);
        let message = test.message.as_deref().unwrap_or("");
        for pattern in &self.patterns {
            if let Some((line, span, text)) = pattern.place(message) {
                let evidence = Evidence {
                    test: Some(name),
                    line: Some(line),
                    span: Some(span),
                    text: shorten(text),
                };
                return Some((pattern.sub.clone(), evidence));
            }
        }
        self.outcomes.contains(&test.outcome).then(|| {
            let evidence = Evidence {
                test: Some(name),
                text: format!("the test's outcome: {}", test.outcome.name()),
                ..Evidence::default()
            };
            (None, evidence)
        })
    }
}

impl Pattern {
    /// Line, span and text of the first place that fits.
    fn place<'m>(&self, message: &'m str) -> Option<(u32, (u32, u32), &'m str)> {
        let has = |words: &[String]| words.iter().any(|word| message.contains(word.as_str()));
        if has(&self.without) || !(self.with.is_empty() || has(&self.with)) {
            return None;
        }
        for (number, line) in (1..).zip(message.lines()) {
            for word in &self.any {
                if let Some(at) = line.find(word.as_str()) {
                    return Some((number, (narrow(at), narrow(word.len())), line));
                }
            }
        }
        None
    }
}

fn whole(class: &str, sub: Option<&str>, text: String) -> FailureClass {
    FailureClass {
        class: class.to_owned(),
        sub: sub.map(str::to_owned),
        tests: 0,
        evidence: Evidence {
            text,
            ..Evidence::default()
        },
    }
}

fn shorten(text: &str) -> String {
    crate::format::shorten(&crate::format::clean(text.trim_end()), MAX_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_rules_parse() {
        let read: Rules = serde_json::from_str(DATA).unwrap();
        assert_eq!(read.version, "failure-rules/1");
        assert!(read.classes.len() > 8 && !read.undecided.is_empty());
    }

    fn classify(message: &str, group: Group) -> Option<(String, Option<String>)> {
        let test = TestResult {
            id: "t".to_owned(),
            checkpoint: "checkpoint_1".to_owned(),
            group,
            outcome: Outcome::Failed,
            repeats: Vec::new(),
            duration_s: 0.0,
            message: Some(message.to_owned()),
        };
        let fits = |rule: &&ClassRule| rule.groups.is_empty() || rule.groups.contains(&group);
        let mut rules = rules().classes.iter().filter(fits);
        rules.find_map(|rule| Some((rule.class.clone(), rule.fit(&test)?.0)))
    }

    #[test]
    fn failure_messages_are_classified() {
        type Expected = Option<(&'static str, Option<&'static str>)>;
        let trace = "AssertionError: exit code 1\nTraceback (most recent call last):\n";
        let cases: [(String, Expected); 8] = [
            (
                "python: can't open file 'x.py'".into(),
                Some(("format", Some("no-entry-file"))),
            ),
            (
                "json.JSONDecodeError: Expecting value".into(),
                Some(("format", Some("unparsable-output"))),
            ),
            // The program's own error, not that of a reader of its output.
            (
                format!("{trace}json.JSONDecodeError: x"),
                Some(("crash", None)),
            ),
            (
                format!("{trace}TypeError: 'NoneType' object is"),
                Some(("crash", Some("null"))),
            ),
            ("E   TypeError: in the test itself".into(), None),
            (
                "SyntaxError: invalid syntax".into(),
                Some(("build", Some("syntax"))),
            ),
            (
                "main.py: error: unrecognized arguments: --x".into(),
                Some(("spec-omission", None)),
            ),
            ("AssertionError: 1 != 2".into(), Some(("logic", None))),
        ];
        for (message, expected) in cases {
            let expected = expected.map(|(c, s)| (c.to_owned(), s.map(str::to_owned)));
            assert_eq!(classify(&message, Group::Core), expected, "{message}");
        }
        // Logic is not of the error group.
        assert_eq!(classify("AssertionError: 1 != 2", Group::Error), None);
    }

    #[test]
    fn pattern_span_marks_matched_words() {
        let rule = &rules().classes[0];
        let message = "first\npython: can't open file 'x.py'";
        let place = rule.patterns[0].place(message).unwrap();
        assert_eq!((place.0, place.1), (2, (8, 15)));
    }
}
