//! The raw `config.yaml`: published fields, defaults, and slope's `suite`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use slope_model::problem::{Goals, Group, SuiteKind};

use crate::{Error, goals, yaml};

const REMEDY: &str = "give config.yaml name, version, description, entry_file and checkpoints, and see docs/problems.md for every field";

/// A problem's `config.yaml`. Unknown keys are ignored, as in the published loader.
#[derive(Debug, Deserialize)]
pub(crate) struct RawProblem {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) description: String,
    pub(crate) entry_file: String,
    #[serde(deserialize_with = "ordered")]
    pub(crate) checkpoints: Vec<(String, RawCheckpoint)>,
    #[serde(default)]
    pub(crate) category: Option<String>,
    #[serde(default)]
    pub(crate) difficulty: Option<String>,
    #[serde(default)]
    pub(crate) family: Option<String>,
    #[serde(default)]
    pub(crate) tags: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) suite: Option<SuiteKind>,
    #[serde(default)]
    pub(crate) static_assets: BTreeMap<String, RawAsset>,
    #[serde(default)]
    pub(crate) markers: BTreeMap<String, RawMarker>,
    #[serde(default)]
    pub(crate) test_dependencies: Vec<String>,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) timeout: Option<f64>,
}

/// A checkpoint's entry. Unknown keys are refused: they would be a misspelt switch of a suite.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCheckpoint {
    pub(crate) version: u32,
    /// Accepted and ignored: the key is the name.
    #[serde(default, rename = "name")]
    _name: Option<String>,
    #[serde(default)]
    pub(crate) order: Option<i64>,
    /// Accepted for compatibility; informational.
    #[serde(default, rename = "state")]
    _state: RawState,
    #[serde(default = "yes")]
    pub(crate) include_prior_tests: bool,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) timeout: Option<f64>,
    #[serde(default)]
    pub(crate) goals: Option<Goals>,
}

#[derive(Debug, Default, Deserialize)]
enum RawState {
    #[default]
    Draft,
    #[serde(rename = "Core Tests")]
    CoreTests,
    #[serde(rename = "Full Tests")]
    FullTests,
    Verified,
}

#[derive(Debug, Deserialize)]
pub(crate) struct RawAsset {
    pub(crate) path: PathBuf,
    #[serde(default)]
    pub(crate) save_path: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawMarker {
    #[serde(default, rename = "description")]
    _description: Option<String>,
    pub(crate) group: RawGroup,
}

/// Groups as `config.yaml` spells them.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) enum RawGroup {
    Core,
    Functionality,
    Regression,
    Error,
}

impl From<RawGroup> for Group {
    fn from(group: RawGroup) -> Self {
        match group {
            RawGroup::Core => Self::Core,
            RawGroup::Functionality => Self::Functionality,
            RawGroup::Regression => Self::Regression,
            RawGroup::Error => Self::Error,
        }
    }
}

fn yes() -> bool {
    true
}

/// A mapping in the order of the file: the position is a checkpoint's default order.
fn ordered<'de, D: serde::Deserializer<'de>>(
    d: D,
) -> Result<Vec<(String, RawCheckpoint)>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, RawCheckpoint)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a mapping from checkpoint names to checkpoints")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    d.deserialize_map(Entries)
}

impl RawProblem {
    /// Reads and checks `path`. Also returns the text, so that later errors can name a line.
    pub(crate) fn read(path: &Path) -> Result<(Self, String), Error> {
        let text = yaml::read_text(
            path,
            "the problem's config.yaml",
            "point slope at a problem folder, one with config.yaml and checkpoint_1.md",
        )?;
        let mut raw: Self = yaml::parse(path, &text, REMEDY)?;
        raw.check(path, &text)?;
        raw.sort();
        Ok((raw, text))
    }

    fn check(&self, path: &Path, text: &str) -> Result<(), Error> {
        let at =
            |key: &str| yaml::line_where(text, |l| l.trim_start().starts_with(&format!("{key}:")));
        let bad = |key: &str, what: String, remedy: &str| {
            Err(Error::malformed(path, at(key), what, remedy))
        };
        for (key, value) in [("name", &self.name), ("entry_file", &self.entry_file)] {
            if !is_plain_name(value) {
                let what = format!("{key} {value:?} is not a plain name");
                return bad(
                    key,
                    what,
                    "use letters, digits, dots, dashes and underscores, no slash",
                );
            }
        }
        if self.checkpoints.is_empty() {
            return bad(
                "checkpoints",
                "a problem needs at least one checkpoint".into(),
                "add checkpoint_1",
            );
        }
        for (name, checkpoint) in &self.checkpoints {
            if !is_plain_name(name) {
                let what = format!("checkpoint {name:?} is not a plain name");
                return bad(name, what, "use the form checkpoint_1");
            }
            check_timeout(path, at(name), name, checkpoint.timeout)?;
            if let Some(goals) = &checkpoint.goals {
                goals::check(self, goals)
                    .map_err(|fault| Error::malformed(path, at("goals"), fault.0, fault.1))?;
            }
        }
        check_timeout(path, at("timeout"), "the problem", self.timeout)
    }

    /// By (order, name), the default order being the position.
    fn sort(&mut self) {
        for (position, (_, checkpoint)) in self.checkpoints.iter_mut().enumerate() {
            checkpoint
                .order
                .get_or_insert(i64::try_from(position + 1).unwrap_or(i64::MAX));
        }
        self.checkpoints
            .sort_by(|(a_name, a), (b_name, b)| (a.order, a_name).cmp(&(b.order, b_name)));
    }
}

fn check_timeout(
    path: &Path,
    line: Option<u64>,
    owner: &str,
    timeout: Option<f64>,
) -> Result<(), Error> {
    match timeout {
        Some(t) if !(t.is_finite() && t > 0.0) => Err(Error::malformed(
            path,
            line,
            format!("the timeout of {owner} is {t}, not a positive number of seconds"),
            "give seconds for one test, for example 10",
        )),
        _ => Ok(()),
    }
}

/// Whether `name` can be one part of a path and of an identifier.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(allowed)
}
