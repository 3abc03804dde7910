//! Small repositories to judge, shared by the tests of the gate.

use std::path::Path;

use slope_gate::{Error, Gate, Head, Setup, Subject};
use slope_model::gate::{GateRule, Judgement, Level};
use slope_testkit::git;

/// A repository with a commit.
pub(crate) struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self {
            folder: git::repository(files),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn git(&self, args: &[&str]) -> String {
        git::git(self.path(), args)
    }

    pub(crate) fn write(&self, files: &[(&str, &str)]) {
        slope_testkit::write(self.path(), files);
    }

    pub(crate) fn judge(&self, base: Option<&str>, head: Head) -> Judgement {
        self.try_judge(base, head).unwrap()
    }

    pub(crate) fn try_judge(&self, base: Option<&str>, head: Head) -> Result<Judgement, Error> {
        let subject = Subject::git(self.path(), base, head);
        let judgement = self.judge_subject(&subject, None, true)?;
        self.is_judged_alike_in_outline(&subject, &judgement);
        Ok(judgement)
    }

    pub(crate) fn judge_subject(
        &self,
        subject: &Subject,
        cache: Option<&Path>,
        tells_whole: bool,
    ) -> Result<Judgement, Error> {
        let setup = Setup::find(self.path(), cache.map(Path::to_owned))?;
        let measurer = setup.measurer()?;
        let gate = Gate::new(&measurer, setup.check);
        let gate = match tells_whole {
            true => gate,
            false => gate.without_whole(),
        };
        gate.judge(subject)
    }

    /// Whatever is known before, the report without the whole is the same as with it.
    fn is_judged_alike_in_outline(&self, subject: &Subject, whole: &Judgement) {
        let mut change = whole.clone();
        (change.balance.before, change.balance.after) = (None, None);
        assert_eq!(&self.judge_subject(subject, None, false).unwrap(), &change);
        let cache = tempfile::tempdir().unwrap();
        let cached = |whole| {
            self.judge_subject(subject, Some(cache.path()), whole)
                .unwrap()
        };
        for tells_whole in [false, false, true, true, false] {
            let expected = if tells_whole { whole } else { &change };
            assert_eq!(&cached(tells_whole), expected);
        }
    }
}

/// A function of complexity `n`.
pub(crate) fn branches(name: &str, n: usize) -> String {
    let mut text = format!("def {name}(value, other):\n    total = 0\n");
    for i in 1..n {
        text.push_str(&format!(
            "    if value == {i} * other:\n        total += {i}\n"
        ));
    }
    text + "    return total\n"
}

pub(crate) fn rules(judgement: &Judgement) -> Vec<(GateRule, Option<&str>)> {
    let violations = judgement.violations.iter();
    let violations = violations.filter(|v| v.level == Level::Error);
    violations
        .map(|v| (v.rule, v.function.as_deref()))
        .collect()
}

/// The number of copies that the gate reports if `new` is added to `old`: paths with texts.
pub(crate) fn copies(old: (&str, &str), new: (&str, &str)) -> usize {
    let repo = Repo::new(&[old]);
    repo.write(&[new]);
    let judgement = repo.judge(None, Head::Worktree);
    let violations = judgement.violations.iter();
    violations.filter(|v| v.rule == GateRule::NewClone).count()
}
