//! Cheating workspaces: none may get another verdict than the honest wrong solution.
#![allow(
    clippy::unwrap_used,
    reason = "this is test code without a test harness"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use slope_model::problem::{Problem, SuiteKind};
use slope_model::verdict::{Outcome, State, Verdict};
use slope_suite::{GradeOptions, Stability};

fn main() {
    if let Some(code) = slope_sandbox::dispatch(slope_suite::BUILTINS) {
        std::process::exit(code);
    }
    let arguments = Arguments::from_args();
    let suite = if arguments.list {
        None
    } else {
        Suite::prepare()
    };
    let mut trials: Vec<_> = names()
        .into_iter()
        .map(|name| {
            let suite = suite.clone();
            Trial::test(name.clone(), move || {
                suite.as_ref().map_or(Ok(()), |s| s.check(&name))
            })
        })
        .collect();
    trials.push(Trial::test("control_a_leak_would_show", move || {
        suite.as_ref().map_or(Ok(()), |s| s.check_control())
    }));
    libtest_mimic::run(&arguments, trials).exit();
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(path)
}

/// Every cheat, by folder.
fn names() -> Vec<String> {
    let folders = fs::read_dir(here("cheats")).unwrap().map(|e| e.unwrap());
    let folders = folders.filter(|e| e.file_type().unwrap().is_dir());
    let mut names: Vec<_> = folders
        .map(|e| e.file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() >= 10);
    names
}

/// What every cheat is compared with.
struct Suite {
    problem: Problem,
    options: GradeOptions,
    honest: Verdict,
}

impl Suite {
    /// Grades the honest solutions. `None`, said on standard output, if nothing can be graded here.
    fn prepare() -> Option<Arc<Self>> {
        let problem = support::load(&here("fixtures/stock"), SuiteKind::Pytest);
        let options = GradeOptions {
            stability: Stability::Off,
            ..support::options()
        };
        let solution = |name: &str| here("fixtures/stock/solutions").join(name);
        let right = support::unless_unavailable(|| {
            support::grade(&problem, 1, &solution("right"), &options)
        })?;
        assert_eq!(right.state, State::Passed, "{right:#?}");
        let honest = support::grade(&problem, 1, &solution("wrong"), &options).unwrap();
        assert_eq!(honest.state, State::Failed);
        let failed = honest.tests.iter().filter(|t| t.outcome == Outcome::Failed);
        assert_eq!(failed.count(), 2, "{honest:#?}");
        assert_eq!(honest.integrity, [""; 0]);
        Some(Arc::new(Self {
            problem,
            options,
            honest,
        }))
    }

    /// A cheat that does find the tests' text, since it lies in the workspace here, gets a better verdict.
    fn check_control(&self) -> Result<(), Failed> {
        let work = tempfile::tempdir()?;
        let tar = Self::workspace("symlink_escape", work.path(), |workspace| {
            fs::copy(
                here("fixtures/stock/tests/test_checkpoint_1.py"),
                workspace.join("leaked.py"),
            )
        })?;
        let verdict = support::grade_tar(&self.problem, 1, &tar, work.path(), &self.options)?;
        match verdict.state {
            State::Passed => Ok(()),
            _ => Err(format!("the cheats cannot cheat, so they show nothing: {verdict:#?}").into()),
        }
    }

    /// The snapshot of a cheat's workspace.
    fn workspace(
        name: &str,
        work: &Path,
        change: impl FnOnce(&Path) -> std::io::Result<u64>,
    ) -> std::io::Result<PathBuf> {
        let workspace = work.join("workspace");
        fs::create_dir(&workspace)?;
        let wrong = here("fixtures/stock/solutions/wrong/stock.py");
        fs::copy(&wrong, workspace.join("stock.py"))?;
        fs::copy(&wrong, workspace.join("honest.py"))?;
        fs::copy(here("cheats/cheat.py"), workspace.join("cheat.py"))?;
        lay(&here("cheats").join(name), &workspace)?;
        change(&workspace)?;
        let tar = work.join("snapshot.tar");
        support::pack(&workspace, &tar);
        Ok(tar)
    }

    fn check(&self, name: &str) -> Result<(), Failed> {
        let work = tempfile::tempdir()?;
        let tar = Self::workspace(name, work.path(), |_| Ok(0))?;
        if name == "hard_link_escape" {
            add_hard_links(&tar)?;
        }
        let verdict = support::grade_tar(&self.problem, 1, &tar, work.path(), &self.options)?;
        let (got, honest) = (support::outcomes(&verdict), support::outcomes(&self.honest));
        if (verdict.state, &got) != (self.honest.state, &honest) {
            return Err(format!("not the honest verdict: {verdict:#?}").into());
        }
        noticed(name, &verdict)
    }
}

/// What lies in a workspace for a grader to stumble over is reported.
fn noticed(name: &str, verdict: &Verdict) -> Result<(), Failed> {
    let wanted: &[&str] = match name {
        "root_conftest" => &["`conftest.py`"],
        "sitecustomize" => &["`sitecustomize.py`", "`usercustomize.py`", "`forge.pth`"],
        "shadow_module" => &["`json.py`", "`pytest.py`"],
        "pytest_options" => &["`pytest.ini`", "`tox.ini`"],
        "path_python" => &["`python`"],
        "symlink_escape" => &["`out` is a symbolic link", "`up` is a symbolic link"],
        "hard_link_escape" => &["`passwd` is a hard link"],
        _ => &[],
    };
    let said = verdict.integrity.join("\n");
    match wanted.iter().find(|w| !said.contains(**w)) {
        Some(missing) => Err(format!("{missing} is not reported: {said}").into()),
        None => Ok(()),
    }
}

/// Lays a cheat's files and links over the workspace.
fn lay(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            lay(&entry.path(), &target)?;
        } else if entry.file_name() == "LINKS" {
            for line in fs::read_to_string(entry.path())?.lines() {
                let (name, goal) = line.split_once(" -> ").unwrap();
                std::os::unix::fs::symlink(goal, to.join(name))?;
            }
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Adds hard links to files outside, which no file system would have let a snapshot have.
fn add_hard_links(tar: &Path) -> std::io::Result<()> {
    let old = fs::read(tar)?;
    let mut builder = tar::Builder::new(fs::File::create(tar)?);
    for entry in tar::Archive::new(old.as_slice()).entries()? {
        let mut entry = entry?;
        let (mut header, path) = (entry.header().clone(), entry.path()?.into_owned());
        builder.append_data(&mut header, path, &mut entry)?;
    }
    for (name, target) in [
        ("passwd", "../../etc/passwd"),
        ("secret.py", "/grader/tests/test_checkpoint_1.py"),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Link);
        header.set_size(0);
        header.set_mode(0o644);
        header.set_link_name_literal(target)?;
        header.set_path(name)?;
        header.set_cksum();
        builder.append(&header, std::io::empty())?;
    }
    builder.finish()
}
