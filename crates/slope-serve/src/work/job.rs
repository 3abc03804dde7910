//! What a worker is asked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_embed::{Code, Error, ErrorKind, Grader, Settings};
use slope_model::grade_request::Request as GradeRequest;

/// Issues that a judge lists.
const ISSUES: usize = 20;

/// Texts by path.
pub(crate) type Files = BTreeMap<String, String>;

/// A function of `slope-embed` and its arguments.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Job {
    Measure(Files, Option<String>),
    Judge(Files, Option<String>),
    Diff(Files, Files, Option<String>),
    Check(Files, Files, Option<String>),
    JudgeChange(Files, Files, Option<String>),
    Grade {
        /// The hash of the files.
        base: String,
        files: Files,
        request: Box<GradeRequest>,
    },
}

/// The base of the last grade, which the next one may share.
#[derive(Default)]
pub(crate) struct KeptBase(Option<(String, Grader)>);

impl Job {
    /// A grade of an edit.
    pub(crate) fn grade(files: Files, request: GradeRequest) -> Self {
        Self::Grade {
            base: hash(&files),
            files,
            request: Box::new(request),
        }
    }

    /// The hash of the base that a worker may keep.
    pub(crate) fn base(&self) -> Option<&str> {
        match self {
            Self::Grade { base, .. } => Some(base),
            _ => None,
        }
    }

    /// Does the work.
    pub(crate) fn run(self, kept: &mut KeptBase) -> Result<String, Error> {
        let settings = |policy| Settings { policy };
        match self {
            Self::Measure(files, policy) => slope_embed::measure(&code(files), &settings(policy)),
            Self::Judge(files, policy) => {
                slope_embed::judge(&code(files), ISSUES, &settings(policy))
            }
            Self::Diff(before, after, policy) => {
                slope_embed::diff(&code(before), &code(after), &settings(policy))
            }
            Self::Check(before, after, policy) => {
                slope_embed::check(&code(before), &code(after), &settings(policy))
            }
            Self::JudgeChange(before, after, policy) => {
                let (before, after) = (code(before), code(after));
                slope_embed::judge_change(&before, &after, ISSUES, &settings(policy))
            }
            Self::Grade {
                base,
                files,
                request,
            } => kept.grade(base, files, &request),
        }
    }
}

impl KeptBase {
    fn grade(
        &mut self,
        base: String,
        files: Files,
        request: &GradeRequest,
    ) -> Result<String, Error> {
        let request = serde_json::to_string(request)
            .map_err(|error| Error::new(ErrorKind::Internal, "request", error.to_string(), ""))?;
        let known = self.0.take().filter(|(known, _)| *known == base);
        let grader = match known {
            Some((_, grader)) => grader,
            None => Grader::open(&code(files), None, 1, 0)?,
        };
        let grade = grader.grade(&request);
        self.0 = Some((base, grader));
        grade
    }
}

fn hash(files: &Files) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in files.iter().flat_map(|(path, text)| [path, text]) {
        // With its length, a text cannot pass for the end of another one.
        hasher.update(&text.len().to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

fn code(files: Files) -> Code {
    let files = files
        .into_iter()
        .map(|(path, text)| (path, text.into_bytes()));
    Code::Files(files.collect())
}

#[cfg(test)]
mod tests {
    use super::{Files, hash};

    fn files(texts: &[(&str, &str)]) -> Files {
        let texts = texts.iter();
        texts
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn hashes_tell_files_apart() {
        let all = [
            files(&[("a", "b"), ("c", "d")]),
            files(&[("a", "bc"), ("d", "")]),
            files(&[("ab", ""), ("c", "d")]),
            files(&[]),
        ];
        let hashes: std::collections::BTreeSet<String> = all.iter().map(hash).collect();
        assert_eq!(hashes.len(), all.len());
    }
}
