//! Parsers of a run directory's files. Unknown fields are ignored, since the harness's two versions
//! differ in them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slope_model::data_words::yaml_in_words;

use super::error::ImportError;

/// Largest size of one file, in bytes; the largest published one has a tenth of that.
const MAX_BYTES: u64 = 256 << 20;

/// `config.yaml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Config {
    pub(crate) agent: Agent,
    pub(crate) model: Model,
    #[serde(default)]
    pub(crate) environment: Environment,
    #[serde(default)]
    pub(crate) problems: Vec<String>,
    #[serde(default)]
    pub(crate) prompt_path: String,
    #[serde(default)]
    pub(crate) prompt_content: String,
    #[serde(default)]
    pub(crate) post_checkpoint_skill: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Agent {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Model {
    pub(crate) name: String,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Environment {
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
}

/// `problem_catalog.json`; the older version does not write it.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Catalog {
    #[serde(default)]
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) commit: String,
}

/// `environment.yaml`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Grader {
    #[serde(default)]
    pub(crate) docker: Option<GraderImage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct GraderImage {
    pub(crate) image: String,
}

/// `problem.yaml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Problem {
    #[serde(default)]
    pub(crate) version: u32,
    pub(crate) checkpoints: BTreeMap<String, Ordered>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Ordered {
    #[serde(default)]
    pub(crate) order: u32,
}

/// `inference_result.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Inference {
    pub(crate) elapsed: f64,
    #[serde(default)]
    pub(crate) had_error: bool,
    #[serde(default)]
    pub(crate) error_message: Option<String>,
    pub(crate) usage: InferenceUsage,
}

#[derive(Debug, Deserialize)]
pub(crate) struct InferenceUsage {
    pub(crate) cost: f64,
    #[serde(default)]
    pub(crate) steps: u64,
    #[serde(default)]
    pub(crate) net_tokens: NetTokens,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct NetTokens {
    #[serde(default)]
    pub(crate) input: u64,
    #[serde(default)]
    pub(crate) output: u64,
    #[serde(default)]
    pub(crate) cache_read: u64,
    #[serde(default)]
    pub(crate) cache_write: u64,
    #[serde(default)]
    pub(crate) reasoning: u64,
}

/// `evaluation.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct Evaluation {
    #[serde(default)]
    pub(crate) duration: f64,
    pub(crate) tests: Tests,
    #[serde(default)]
    pub(crate) pass_counts: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) total_counts: BTreeMap<String, u32>,
    #[serde(default)]
    pub(crate) pytest_exit_code: Option<i64>,
    #[serde(default)]
    pub(crate) pytest_collected: u32,
    #[serde(default)]
    pub(crate) infrastructure_failure: bool,
    #[serde(default)]
    pub(crate) problem_name: Option<String>,
    #[serde(default)]
    pub(crate) checkpoint_name: Option<String>,
    #[serde(default)]
    pub(crate) problem_version: Option<u32>,
}

/// Tests by `checkpoint-Group`, or in the oldest form as a list.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Tests {
    Grouped(BTreeMap<String, Ids>),
    Listed(Vec<Listed>),
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Ids {
    #[serde(default)]
    pub(crate) passed: Vec<String>,
    #[serde(default)]
    pub(crate) failed: Vec<String>,
    /// Skipped tests; the older version has no such list.
    #[serde(default)]
    pub(crate) skipped: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) checkpoint: String,
    pub(crate) group_type: String,
    pub(crate) status: String,
}

/// A line of `quality_analysis/symbols.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct Symbol {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) parent_class: Option<String>,
    #[serde(default)]
    pub(crate) start: u32,
    #[serde(default)]
    pub(crate) end: u32,
    #[serde(default)]
    pub(crate) complexity: Option<u32>,
    #[serde(default)]
    pub(crate) sloc: Option<u32>,
    #[serde(default)]
    pub(crate) lines: Option<u64>,
    #[serde(default)]
    pub(crate) statements: Option<u64>,
    #[serde(default)]
    pub(crate) max_nesting_depth: Option<u64>,
    #[serde(default)]
    pub(crate) file_path: String,
}

impl Symbol {
    /// Whether it is a callable.
    pub(crate) fn is_function(&self) -> bool {
        self.kind == "function" || self.kind == "method"
    }

    /// Complexity times the square root of its source lines (paper, equation 2).
    pub(crate) fn mass(&self) -> f64 {
        let sloc = f64::from(self.sloc.unwrap_or(0));
        f64::from(self.complexity.unwrap_or(0)) * sloc.sqrt()
    }
}

/// A line of `quality_analysis/files.jsonl`.
#[derive(Debug, Deserialize)]
pub(crate) struct MeasuredFile {
    pub(crate) file_path: String,
    #[serde(default)]
    pub(crate) loc: u64,
    #[serde(default)]
    pub(crate) total_lines: u64,
    #[serde(default)]
    pub(crate) clone_lines: u64,
    #[serde(default)]
    pub(crate) single_comment: u64,
    #[serde(default)]
    pub(crate) lint_errors: u64,
    #[serde(default)]
    pub(crate) lint_fixable: u64,
    #[serde(default)]
    pub(crate) single_use_count: u64,
    #[serde(default)]
    pub(crate) trivial_wrapper_count: u64,
    #[serde(default)]
    pub(crate) unused_variable_count: u64,
    #[serde(default)]
    pub(crate) ast_grep_violation_count: u64,
}

/// A line of `checkpoint_results.jsonl`.
#[derive(Debug)]
pub(crate) struct Row(pub(crate) Value);

impl Row {
    pub(crate) fn is_of(&self, problem: &str) -> bool {
        self.text("problem") == Some(problem)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    pub(crate) fn number(&self, key: &str) -> Option<f64> {
        self.0.get(key)?.as_f64()
    }
}

fn malformed(path: &Path, reason: impl ToString) -> ImportError {
    ImportError::Malformed {
        path: path.to_owned(),
        reason: reason.to_string(),
    }
}

pub(crate) fn text(path: &Path) -> Result<String, ImportError> {
    let read = |source| ImportError::Read {
        path: path.to_owned(),
        source,
    };
    let bytes = slope_store::plain::read(path, MAX_BYTES).map_err(read)?;
    String::from_utf8(bytes).map_err(|error| malformed(path, error))
}

/// Maximum number of bytes read of a source file.
const MAX_SOURCE: u64 = 1 << 20;

/// The beginning of the file at `path` below `root`. Links out of `root` are refused.
pub(crate) fn head(root: &Path, path: &str) -> Result<Vec<u8>, ImportError> {
    let read = || {
        let file = root.join(path).canonicalize()?;
        if !file.starts_with(root.canonicalize()?) {
            return Err(std::io::Error::other("it is outside of the snapshot"));
        }
        let mut bytes = Vec::new();
        std::fs::File::open(file)?
            .take(MAX_SOURCE)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|source| ImportError::Read {
        path: root.join(path),
        source,
    })
}

/// Reads a YAML file.
pub(crate) fn yaml<T: DeserializeOwned>(path: &Path) -> Result<T, ImportError> {
    serde_saphyr::from_str(&text(path)?)
        .map_err(|error| malformed(path, yaml_in_words(&error.to_string())))
}

/// Reads a JSON file.
pub(crate) fn json<T: DeserializeOwned>(path: &Path) -> Result<T, ImportError> {
    let raw = text(path)?;
    let text = standard(&raw);
    serde_json::from_str(&text).map_err(|error| malformed(path, error))
}

/// Reads a file with a JSON object a line.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, ImportError> {
    let raw = text(path)?;
    let text = standard(&raw);
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let read = serde_json::from_str(line);
            read.map_err(|error| malformed(path, format!("line {number}: {error}")))
        })
        .collect()
}

/// Reads the evaluation in a checkpoint's folder, and checks that it names this checkpoint.
pub(crate) fn evaluation(
    folder: &Path,
    problem: &str,
    checkpoint: &str,
) -> Result<Evaluation, ImportError> {
    let path = folder.join("evaluation.json");
    let evaluation: Evaluation = json(&path)?;
    let names = (&evaluation.problem_name, &evaluation.checkpoint_name);
    let says = (
        names.0.as_deref().unwrap_or(problem),
        names.1.as_deref().unwrap_or(checkpoint),
    );
    if says != (problem, checkpoint) {
        return Err(malformed(&path, format!("it is of {}/{}", says.0, says.1)));
    }
    Ok(evaluation)
}

/// Reads the rows of the checkpoints.
pub(crate) fn rows(path: &Path) -> Result<Vec<Row>, ImportError> {
    Ok(lines(path)?.into_iter().map(Row).collect())
}

/// Replaces the invalid values `Infinity` and `NaN`, which the harness writes, by `null`.
fn standard(text: &str) -> Cow<'_, str> {
    if !text.contains("Infinity") && !text.contains("NaN") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if !in_string {
            let bare = ["-Infinity", "Infinity", "NaN"];
            if let Some(word) = bare.iter().find(|word| rest.starts_with(**word)) {
                out.push_str("null");
                rest = &rest[word.len()..];
                continue;
            }
        }
        in_string = if c == '"' && !escaped {
            !in_string
        } else {
            in_string
        };
        escaped = in_string && c == '\\' && !escaped;
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::standard;

    #[test]
    fn bare_infinities_become_null_outside_strings() {
        let text = r#"{"a": Infinity, "b \" Infinity": -Infinity, "c": "NaN", "d": [NaN]}"#;
        let expected = r#"{"a": null, "b \" Infinity": null, "c": "NaN", "d": [null]}"#;
        assert_eq!(standard(text), expected);
    }
}
