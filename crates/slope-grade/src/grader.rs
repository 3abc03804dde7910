//! From a request to a grade.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use slope_change::{Contents, Impact};
use slope_gate::Check;
use slope_measure::{Content, Measurer};
use slope_model::gate::Violation;
use slope_model::time_limit::{self, Over};

use crate::base::{Base, Engine};
use crate::components::{self, Judged};
use crate::coverage::coverage;
use crate::edit::{Edit, fault};
use crate::lines::ChangedLines;
use crate::pack::Pack;
use crate::reward::{reward, rounded, set_quality};
use crate::tests::{Pending, TestService, effective, judge};
use crate::{Error, integrity};
use slope_model::grade::{Components, Evidence, Fault, Grade, Status, TestResults};
use slope_model::grade_request::{EvidenceDetail, Request, Tests};

/// Pieces of evidence of a component that a grade has by default.
const MAX_EVIDENCE: usize = 5;

/// Grades edits of one base by one pack. Threads can share it.
pub struct Grader {
    base: Base,
    pack: Pack,
    check: Check,
    engine: String,
    tests: Option<Arc<TestService>>,
}

/// A grade that may wait for a run of tests.
pub struct Begun {
    grade: Grade,
    pending: Option<Box<Pending>>,
}

impl Begun {
    /// The run that it waits for, as a key that equal runs share; `None` if it waits for none.
    #[must_use]
    pub fn run(&self) -> Option<[u8; 32]> {
        self.pending.as_ref().map(|pending| pending.key())
    }
}

impl From<Grade> for Begun {
    /// A grade that waits for nothing.
    fn from(grade: Grade) -> Self {
        Self {
            grade,
            pending: None,
        }
    }
}

impl Grader {
    /// A grader of edits of a base.
    #[must_use]
    pub fn new(base: Base, pack: Pack) -> Self {
        Self {
            check: Check::default().for_grades(),
            engine: version(&base.measurer),
            base,
            pack,
            tests: None,
        }
    }

    /// The grader with what runs the tests of requests.
    #[must_use]
    pub fn with_tests(mut self, tests: Option<Arc<TestService>>) -> Self {
        self.tests = tests;
        self
    }

    /// Runs of tests at the same time.
    pub(crate) fn test_jobs(&self) -> usize {
        let rules = self.tests.as_ref().map(|tests| tests.rules());
        rules.map_or(1, |rules| rules.jobs.max(1))
    }

    /// Runs `work` in the threads of the base, which have a large stack.
    pub fn install<T: Send>(&self, work: impl FnOnce(&Self) -> T + Send) -> T {
        self.base.measurer.install(|| work(self))
    }

    /// The base.
    #[must_use]
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The pack.
    #[must_use]
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// Grades an edit. A fault of the request, or of slope, is in the grade.
    #[must_use]
    pub fn grade(&self, request: &Request) -> Grade {
        self.finish(self.begin(request))
    }

    /// Grades an edit without running its tests.
    #[must_use]
    pub fn begin(&self, request: &Request) -> Begun {
        let begun = catch_unwind(AssertUnwindSafe(|| self.try_begin(request)));
        begun.unwrap_or_else(|_| self.failed(&request.id).into())
    }

    /// Runs the tests that a grade waits for.
    #[must_use]
    pub fn finish(&self, begun: Begun) -> Grade {
        let Begun { grade, pending } = begun;
        let Some(pending) = pending else {
            return grade;
        };
        let id = grade.id.clone();
        let finished = catch_unwind(AssertUnwindSafe(|| self.with_results(grade, &pending)));
        finished.unwrap_or_else(|_| self.failed(&id))
    }

    fn try_begin(&self, request: &Request) -> Begun {
        let rules = self.tests.as_ref().map(|tests| tests.rules());
        let mut request = Cow::Borrowed(request);
        match effective(request.tests.as_ref(), rules, &self.base) {
            Ok(Some(Cow::Owned(tests))) => request.to_mut().tests = Some(tests),
            Ok(_) => {}
            Err(fault) => return self.faulty(&request.id, fault).into(),
        }
        let limit = request.options.deadline_ms.map(Duration::from_millis);
        let until = limit.and_then(|limit| Instant::now().checked_add(limit));
        let grade = match time_limit::within(until, || self.try_grade(&request)) {
            Ok(Ok(grade)) => grade,
            Ok(Err(fault)) => return self.faulty(&request.id, fault).into(),
            Err(Over) => self.late(&request),
        };
        // An edit that fails already needs no tests.
        let to_run = request.tests.as_ref().filter(|tests| {
            tests.are_run() && grade.reward.is_none() && grade.correctness.is_none()
        });
        let (Some(tests), Some(service)) = (to_run, &self.tests) else {
            return grade.into();
        };
        match Pending::of(&self.base, &request, tests, service) {
            Ok(pending) => Begun {
                grade,
                pending: Some(Box::new(pending)),
            },
            Err(fault) => self.faulty(&request.id, fault).into(),
        }
    }

    /// A grade with the results of its tests. If the sandbox fails, there is no reward: it is not the edit's fault.
    fn with_results(&self, mut grade: Grade, pending: &Pending) -> Grade {
        match pending.run(&self.base) {
            Ok(results) if grade.status == Status::Timeout => {
                if !results.pass {
                    fail(&mut grade);
                }
                grade.tests = Some(results);
            }
            Ok(results) => {
                grade.missing.remove("reward");
                if let Err(fault) = self.add_unneeded(&mut grade, pending, results.pass) {
                    return Self::without_reward(grade, fault);
                }
                self.conclude(&mut grade, Some(&pending.tests), Some(results));
            }
            Err(fault) => return Self::without_reward(grade, fault),
        }
        grade
    }

    fn without_reward(mut grade: Grade, fault: Fault) -> Grade {
        grade.status = Status::Error;
        grade.error = Some(fault);
        grade.missing.remove("reward");
        grade
    }

    /// Adds the hunks to `p_min` that the tests do not need, if the edit passes and the request asks for them.
    fn add_unneeded(&self, grade: &mut Grade, pending: &Pending, pass: bool) -> Result<(), Fault> {
        let is_static = grade.tiers.get("p_min").is_some_and(|tier| tier == "S");
        if !pass || !is_static {
            return Ok(());
        }
        let Some(found) = pending.minimize(&self.base)? else {
            return Ok(());
        };
        let known = grade.components.p_min.unwrap_or(0.0);
        grade.components.p_min = Some(rounded(known.max(found.share)));
        grade.tiers.insert("p_min".to_owned(), "T".to_owned());
        let mut evidence = std::mem::take(&mut grade.evidence);
        evidence.extend(found.evidence);
        components::sort(&mut evidence);
        grade.evidence = shown(evidence, pending.evidence());
        Ok(())
    }

    /// The grade of an edit on which slope fails.
    fn failed(&self, id: &str) -> Grade {
        let fault = fault("", "slope failed on this edit", "report it with the edit");
        self.faulty(id, fault)
    }

    /// The grade of an edit whose time limit ended. A failing edit has its 0 all the same: otherwise it would pay to be
    /// slow.
    fn late(&self, request: &Request) -> Grade {
        let reason = fault(
            "options.deadline_ms",
            "the time limit ended before the edit was graded",
            "give more time, or a smaller edit",
        );
        let mut grade = Grade {
            status: Status::Timeout,
            ..self.faulty(&request.id, reason)
        };
        let given = request.tests.as_ref();
        let given = given.filter(|tests| !tests.are_run());
        if given.is_some_and(|tests| !tests.pass()) {
            fail(&mut grade);
        }
        grade.tests = given.map(judge::given);
        grade
    }

    /// The grade of a record that cannot be graded.
    #[must_use]
    pub fn faulty(&self, id: &str, fault: Fault) -> Grade {
        faulty_of(self.blank(id), fault)
    }

    /// A grade without numbers.
    fn blank(&self, id: &str) -> Grade {
        blank(id, &self.pack, &self.engine)
    }

    fn try_grade(&self, request: &Request) -> Result<Grade, Fault> {
        time_limit::check();
        let edit = Edit::of(&self.base, &request.change, "change.data")?;
        let reference = request.reference.as_ref();
        let reference = reference.map(|change| Edit::of(&self.base, change, "reference.data"));
        let reference = reference.transpose()?;
        self.check_tests(request, &edit)?;
        if edit.changes_nothing() {
            return Ok(self.of_nothing(request));
        }
        time_limit::check();
        let after = self.contents(&edit);
        time_limit::check();
        let (impact, violations) = self.analyse(&after)?;
        time_limit::check();
        let judged = Judged {
            base: &self.base,
            edit: &edit,
            lines: &ChangedLines::of(&edit),
            after: &after,
            impact: &impact,
            violations: &violations,
            reference: reference.as_ref(),
            task: request.task.kind,
            pack: &self.pack,
        };
        let (components, evidence, tier) = components::score(&judged);
        time_limit::check();
        let mut grade = self.blank(&request.id);
        let tests = request.tests.as_ref();
        grade.flags = integrity::flags(&judged, tests);
        grade.coverage = Some(rounded(coverage(&judged)));
        grade.tiers.insert("p_min".to_owned(), tier.to_owned());
        let is_compared = request.task.group.is_some();
        grade.size = is_compared.then(|| components::size(&judged));
        grade.checks = is_compared.then(|| components::checks(&judged));
        let is_step = request.task.trajectory.is_some();
        grade.debt = is_step.then(|| components::debt(&judged));
        grade.components = components;
        let has_code = |content: &Content| matches!(content, Content::Code(_) | Content::Nothing);
        if !after.values().any(has_code) {
            lose_components(&mut grade, "the edit changes no code that slope measures");
        }
        grade.evidence = shown(evidence, request.options.evidence);
        let given = tests.filter(|tests| !tests.are_run());
        self.conclude(&mut grade, tests, given.map(judge::given));
        Ok(grade)
    }

    /// The impact of an edit, and what the gate reports of it.
    fn analyse(&self, after: &Contents) -> Result<(Impact, Vec<Violation>), Fault> {
        let failed = |error: Error| {
            let text = error.to_string();
            let (message, help) = text
                .split_once("\nhelp: ")
                .unwrap_or((&text, "report it with the edit"));
            let is_base = matches!(error, Error::Change(slope_change::Error::Index));
            fault(if is_base { "base" } else { "" }, message, help)
        };
        let measurer = &self.base.measurer;
        let impact = self.base.code.impact(measurer, after);
        let impact = impact.map_err(|error| failed(error.into()))?;
        let violations = slope_gate::violations(measurer, &self.check, &impact);
        let violations = violations.map_err(|error| failed(error.into()))?;
        Ok((impact, violations))
    }

    /// Refuses entries of `tests.files` that protect nothing.
    fn check_tests(&self, request: &Request, edit: &Edit) -> Result<(), Fault> {
        let has_nothing = |tests: &Tests| tests.is_empty() && !tests.are_run();
        if request.tests.as_ref().is_some_and(has_nothing) {
            return Err(fault(
                "tests",
                "the results of tests are empty",
                "give `passed` and `failed`, or `required_pass`; leave `tests` out if they did not run",
            ));
        }
        let entries = request.tests.iter().flat_map(|tests| &tests.files);
        for entry in entries {
            let is_of_base = || {
                let entry = integrity::protected::path_of(entry);
                !entry.is_empty() && self.base.has_below(entry)
            };
            let mut paths = edit.files.keys();
            if !paths.any(|path| integrity::protected::names(entry, path)) && !is_of_base() {
                return Err(fault(
                    "tests.files",
                    format!("{entry:?} names no file of the base"),
                    "name files or folders relative to the top of the base; patterns are not supported",
                ));
            }
        }
        Ok(())
    }

    /// The grade of an edit that changes nothing: that of a failure.
    fn of_nothing(&self, request: &Request) -> Grade {
        let mut grade = self.blank(&request.id);
        lose_components(&mut grade, "the edit changes nothing");
        grade.debt = request.task.trajectory.as_ref().map(|_| 0.0);
        if request.tests.is_some() {
            fail(&mut grade);
        }
        grade
    }

    /// The measured files of an edit after it.
    fn contents(&self, edit: &Edit) -> Contents {
        let files = edit
            .files
            .iter()
            .filter(|(path, _)| self.base.measures(path));
        let content = |text: &Option<std::sync::Arc<[u8]>>, path: &str| match text {
            Some(text) => self.base.measurer.content(path, text),
            None => Content::Nothing,
        };
        files
            .map(|(path, (_, after))| (path.clone(), content(after, path)))
            .collect()
    }

    /// Correctness, quality and reward. `results` are `None` if the tests have not run.
    fn conclude(&self, grade: &mut Grade, tests: Option<&Tests>, results: Option<TestResults>) {
        set_quality(grade, &self.pack);
        let is_refused = grade.flags.iter().any(|flag| flag.is_hard);
        grade.status = match grade.coverage {
            _ if is_refused => Status::Refused,
            Some(coverage) if coverage < 1.0 => Status::Partial,
            _ => Status::Ok,
        };
        let pass = results.as_ref().map(|results| results.pass);
        grade.tests = results;
        let is_correct = match (tests, pass) {
            (Some(_), Some(pass)) => pass && !is_refused,
            // Its tests need not run.
            (Some(_), None) if is_refused => false,
            (tests, _) => {
                let reason = match tests {
                    Some(_) => "the tests have not run",
                    None => "the request has no results of tests",
                };
                grade.missing.insert("reward".to_owned(), reason.to_owned());
                return;
            }
        };
        let correctness = f64::from(u8::from(is_correct));
        grade.correctness = Some(correctness);
        grade.score = Some(correctness);
        let quality = set_quality(grade, &self.pack);
        grade.reward = Some(reward(correctness, quality, self.pack.reward.lambda));
    }
}

/// The grade of a record that cannot be graded, for records without a base.
#[must_use]
pub fn faulty(id: &str, fault: Fault, pack: &Pack, engine: &Engine) -> Grade {
    faulty_of(blank(id, pack, &version(&engine.0)), fault)
}

fn faulty_of(blank: Grade, fault: Fault) -> Grade {
    Grade {
        status: Status::Error,
        error: Some(fault),
        ..blank
    }
}

/// A grade without numbers.
fn blank(id: &str, pack: &Pack, engine: &str) -> Grade {
    Grade {
        id: id.to_owned(),
        status: Status::Ok,
        reward: None,
        score: None,
        correctness: None,
        quality: None,
        quality_conditioned: None,
        tests: None,
        size: None,
        checks: None,
        debt: None,
        shaping: None,
        components: Components::default(),
        missing: BTreeMap::new(),
        tiers: BTreeMap::new(),
        coverage: None,
        flags: Vec::new(),
        evidence: Vec::new(),
        error: None,
        pack: pack.id(),
        engine: engine.to_owned(),
    }
}

/// Version of slope, and of the definitions behind the numbers.
fn version(measurer: &Measurer) -> String {
    let definitions = measurer.definitions();
    format!("{}+{}", env!("CARGO_PKG_VERSION"), definitions.version)
}

/// Gives a grade the numbers of a failure.
fn fail(grade: &mut Grade) {
    grade.reward = Some(0.0);
    grade.score = Some(0.0);
    grade.correctness = Some(0.0);
    grade.quality_conditioned = Some(0.0);
}

/// Makes all components of a grade missing.
fn lose_components(grade: &mut Grade, reason: &str) {
    grade.components = Components::default();
    grade.tiers.clear();
    for key in Components::KEYS {
        grade.missing.insert(key.to_owned(), reason.to_owned());
    }
}

/// The evidence that a grade has: the heaviest pieces of each component.
fn shown(evidence: Vec<Evidence>, detail: EvidenceDetail) -> Vec<Evidence> {
    match detail {
        EvidenceDetail::None => Vec::new(),
        EvidenceDetail::Full => evidence,
        EvidenceDetail::Spans => {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            let is_shown = |piece: &Evidence| {
                let count = counts.entry(piece.signal.clone()).or_default();
                *count += 1;
                *count <= MAX_EVIDENCE
            };
            let mut is_shown = is_shown;
            evidence
                .into_iter()
                .filter(|piece| is_shown(piece))
                .collect()
        }
    }
}
