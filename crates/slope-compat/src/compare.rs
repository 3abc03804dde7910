//! Runs scb-check and slope, and compares their reports field by field.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use slope_model::error_text::one_line;

use crate::scb::{self, Options};

/// The original tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its program.
    pub program: PathBuf,
    /// When it is stopped.
    pub timeout: Duration,
    /// A folder for its reports: existing ones are reused, others are created and kept.
    pub reports: Option<PathBuf>,
}

/// A repository to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Its folder.
    pub dir: PathBuf,
    /// Reason for an expected difference, if there is one.
    pub exception: Option<String>,
}

/// One field of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The original's value; null if it lacks the field.
    pub original: Value,
    /// Slope's value; null if it lacks the field.
    pub slope: Value,
}

/// Result of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Outcome {
    /// Every field is equal, to the last bit.
    Equal,
    /// Some field is not.
    Different {
        /// Differing fields, in the order of the report.
        fields: Vec<Field>,
    },
    /// The original gave no report.
    NoReport {
        /// Its other result.
        reason: String,
    },
    /// Slope gave no report, or a report of the original could not be read.
    Failed {
        /// Reason.
        reason: String,
    },
}

/// One repository, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Name of the repository's folder.
    pub repository: String,
    /// Fields of the report that are equal.
    pub equal: usize,
    /// Fields of the report.
    pub fields: usize,
    /// Result.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Reason for an expected difference, if there is one.
    pub exception: Option<String>,
    /// Slope's report.
    pub report: Option<scb::Report>,
}

impl Comparison {
    /// Whether all is equal, or the difference is a known one. A failure of slope is never
    /// expected.
    #[must_use]
    pub fn conforms(&self) -> bool {
        match self.outcome {
            Outcome::Equal => true,
            Outcome::Different { .. } | Outcome::NoReport { .. } => self.exception.is_some(),
            Outcome::Failed { .. } => false,
        }
    }
}

/// Reads a list of repositories: one folder per line, relative to the list's own folder; after ` #
/// ` the reason for an expected difference. Blank lines and those that begin with `#` are skipped.
///
/// # Errors
/// If the file cannot be read.
pub fn read_list(path: &Path) -> std::io::Result<Vec<Repository>> {
    let text = std::fs::read_to_string(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let lines = text.lines().map(str::trim);
    Ok(lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            let (dir, reason) = line.split_once(" # ").unwrap_or((line, ""));
            Repository {
                dir: folder.join(dir.trim()),
                exception: Some(reason.trim().to_owned()).filter(|r| !r.is_empty()),
            }
        })
        .collect())
}

/// Measures a repository with both tools and compares every field of the report.
#[must_use]
pub fn compare(tool: &Tool, repository: &Repository, options: &Options) -> Comparison {
    let name = repository
        .dir
        .canonicalize()
        .ok()
        .as_deref()
        .unwrap_or(&repository.dir)
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let ours = scb::measure(&repository.dir, options);
    let theirs = original(tool, &name, &repository.dir, options);
    let mut comparison = Comparison {
        repository: name,
        equal: 0,
        fields: 0,
        outcome: Outcome::Equal,
        exception: repository.exception.clone(),
        report: None,
    };
    let ours = match ours {
        Ok(measured) => measured.report,
        Err(error) => {
            comparison.outcome = Outcome::Failed {
                reason: one_line(&error),
            };
            return comparison;
        }
    };
    match theirs.and_then(|theirs| Ok((theirs, as_value(&ours)?))) {
        Err(outcome) => comparison.outcome = outcome,
        Ok((theirs, ours)) => {
            let fields = fields(&theirs, &ours);
            comparison.fields = fields.len();
            let different: Vec<Field> = fields
                .into_iter()
                .filter(|field| field.original != field.slope)
                .collect();
            comparison.equal = comparison.fields - different.len();
            if !different.is_empty() {
                comparison.outcome = Outcome::Different { fields: different };
            }
        }
    }
    comparison.report = Some(ours);
    comparison
}

fn as_value(report: &scb::Report) -> Result<Value, Outcome> {
    serde_json::to_value(report).map_err(|error| Outcome::Failed {
        reason: error.to_string(),
    })
}

/// All fields of two reports: those of the original in its order, then those that only slope has.
fn fields(original: &Value, slope: &Value) -> Vec<Field> {
    let names = |value: &Value| -> Vec<String> {
        let object = value.as_object();
        object
            .map(|o| o.keys().cloned().collect())
            .unwrap_or_default()
    };
    let mut all = names(original);
    let more = names(slope);
    let more: Vec<String> = more.into_iter().filter(|n| !all.contains(n)).collect();
    all.extend(more);
    all.into_iter()
        .map(|name| Field {
            original: original.get(&name).cloned().unwrap_or(Value::Null),
            slope: slope.get(&name).cloned().unwrap_or(Value::Null),
            name,
        })
        .collect()
}

/// The original's report on a repository, from the folder of reports or newly created.
fn original(tool: &Tool, name: &str, dir: &Path, options: &Options) -> Result<Value, Outcome> {
    let mode = match (options.include_all, &options.rules) {
        (true, Some(_)) => "all",
        (false, Some(_)) => "default",
        (true, None) => "all.norules",
        (false, None) => "default.norules",
    };
    let failed = |reason: String| Outcome::Failed { reason };
    let kept = tool.reports.as_ref();
    let kept = kept.map(|folder| folder.join(format!("{name}.{mode}.json")));
    if let Some(path) = kept.as_ref().filter(|path| path.is_file()) {
        let text = std::fs::read_to_string(path)
            .map_err(|error| failed(format!("cannot read {}: {error}", path.display())))?;
        return serde_json::from_str(&text)
            .map_err(|error| failed(format!("{} is not a report: {error}", path.display())));
    }
    let text = run(tool, dir, options)?;
    let report = serde_json::from_str(&text).map_err(|_| Outcome::NoReport {
        reason: "its output is not JSON".to_owned(),
    })?;
    if let Some(path) = kept {
        std::fs::write(&path, text)
            .map_err(|error| failed(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(report)
}

/// Runs the original inside the repository, so that it finds the configuration there.
fn run(tool: &Tool, dir: &Path, options: &Options) -> Result<String, Outcome> {
    let failed = |error: std::io::Error| Outcome::Failed {
        reason: format!("cannot run {}: {error}", tool.program.display()),
    };
    let stdout = tempfile::NamedTempFile::new().map_err(failed)?;
    let stderr = tempfile::NamedTempFile::new().map_err(failed)?;
    let handle = |file: &tempfile::NamedTempFile| File::create(file.path()).map(Stdio::from);
    let program = tool.program.canonicalize().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(["check", ".", "--report"]).current_dir(dir);
    if options.include_all {
        command.arg("--include-all");
    }
    if options.rules.is_none() {
        command.arg("--disable-sg");
    }
    if let Some(config) = &options.config {
        command
            .arg("--config")
            .arg(config.canonicalize().map_err(failed)?);
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(handle(&stdout).map_err(failed)?)
        .stderr(handle(&stderr).map_err(failed)?)
        .spawn()
        .map_err(failed)?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if begin.elapsed() >= tool.timeout {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            let seconds = tool.timeout.as_secs();
            let reason = format!("it did not end within {seconds} s");
            return Err(Outcome::NoReport { reason });
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let text = std::fs::read_to_string(stdout.path()).map_err(failed)?;
    // 1 means findings, or a crash: only then there is no report.
    if text.trim().is_empty() {
        let said = std::fs::read(stderr.path()).map_err(failed)?;
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().rfind(|line| !line.trim().is_empty());
        let reason = format!(
            "it ended with {status}: {}",
            last.unwrap_or("it printed nothing")
        );
        return Err(Outcome::NoReport { reason });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_names_folders_and_exceptions() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list");
        std::fs::write(&list, "# all\na\n\n/b/c # it hangs\n").unwrap();
        let read = read_list(&list).unwrap();
        assert_eq!(read[0].dir, dir.path().join("a"));
        assert_eq!(read[0].exception, None);
        assert_eq!(read[1].dir, Path::new("/b/c"));
        assert_eq!(read[1].exception.as_deref(), Some("it hangs"));
    }

    /// A repository with one function, and the output of a mock of the tool for it.
    fn against(script: &str, exception: Option<&str>) -> Comparison {
        let dir = tempfile::tempdir().unwrap();
        let repository = dir.path().join("repository");
        std::fs::create_dir(&repository).unwrap();
        std::fs::write(repository.join("a.py"), "def f():\n    pass\n").unwrap();
        let program = dir.path().join("tool");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(
            &program,
            std::os::unix::fs::PermissionsExt::from_mode(0o755),
        )
        .unwrap();
        let tool = Tool {
            program,
            timeout: Duration::from_secs(1),
            reports: None,
        };
        let repository = Repository {
            dir: repository,
            exception: exception.map(str::to_owned),
        };
        compare(&tool, &repository, &Options::default())
    }

    const SAME: &str = r#"{"verbosity": 0.0, "erosion": 0.0, "cog_erosion": 0.0,
        "files_scanned": 1, "total_loc": 2, "verbosity_flagged_loc": 0, "clone_loc": 0,
        "ast_grep_flagged_loc": 0, "structural_rule_loc": 0, "structural_rule_findings": 0,
        "total_functions": 1, "high_cc_functions": 0, "high_cog_functions": 0,
        "total_mass": 1.4142135623730951, "high_cc_mass": 0, "total_cog_mass": 0.0,
        "high_cog_mass": 0, "syntax_tree_count": 1, "syntax_node_count": 11,
        "syntax_by_language": {"python": {"tree_count": 1, "node_count": 11}}}"#;

    #[test]
    fn equal_reports_match_in_every_field() {
        let comparison = against(&format!("cat <<'END'\n{SAME}\nEND\nexit 1"), None);
        assert_eq!(comparison.outcome, Outcome::Equal);
        assert_eq!((comparison.equal, comparison.fields), (20, 20));
    }

    #[test]
    fn integers_and_floats_compare_exactly() {
        for (from, to) in [
            ("\"high_cc_mass\": 0,", "\"high_cc_mass\": 0.0,"),
            ("1.4142135623730951", "1.4142135623730950488"),
            ("1.4142135623730951", "1.414213562373095"),
        ] {
            let report = SAME.replace(from, to);
            let comparison = against(&format!("cat <<'END'\n{report}\nEND"), None);
            let same_double = to.ends_with("0488");
            assert_eq!(comparison.conforms(), same_double, "{to}");
        }
    }

    #[test]
    fn tool_crash_needs_a_listed_exception() {
        let crashed = against("echo broken >&2; exit 1", None);
        let Outcome::NoReport { reason } = &crashed.outcome else {
            panic!("{crashed:?}");
        };
        assert!(reason.contains("broken"));
        assert!(!crashed.conforms());
        let hangs = against("exec sleep 60", Some("it hangs"));
        assert!(matches!(hangs.outcome, Outcome::NoReport { .. }));
        assert!(hangs.conforms());
    }
}
