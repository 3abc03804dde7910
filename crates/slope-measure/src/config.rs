//! `slope.toml`, and `[tool.slope]` in `pyproject.toml`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use slope_model::data_words::with_remedy;
use toml::Spanned;

use crate::discover::check_glob;
use crate::options::{ConfiguredAt, ConfiguredGlobs, Options, Profile, SizeTerm, Tests};

/// A project's settings for its measurement. Every key may be left out.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// `slope`, `paper` or `strict`.
    pub profile: Option<Profile>,
    /// Complexity above which a callable is highly complex.
    pub cutoff: Option<u32>,
    /// `none`, `sqrt` or `linear`.
    pub size_term: Option<SizeTerm>,
    /// `include`, `exclude` or `split`.
    pub tests: Option<Tests>,
    /// Patterns of paths that are left out, relative to the configuration's folder.
    #[serde(default)]
    pub exclude: Vec<Spanned<String>>,
    /// Folders or files with further rules, relative to the configuration's folder.
    #[serde(default)]
    pub rules: Vec<Spanned<PathBuf>>,
    /// Rules and signals reported although they are off by default.
    #[serde(default)]
    pub enable: Vec<Spanned<String>>,
    /// Rules and signals that are not reported.
    #[serde(default)]
    pub disable: Vec<Spanned<String>>,
    /// Whether slope's own rules are used.
    pub own_rules: Option<bool>,
    /// Whether generated, vendored and minified files are measured too.
    pub include_generated: Option<bool>,
    /// Whether files that `.gitignore` names are measured too.
    pub include_ignored: Option<bool>,
    /// Settings of the gate, which reads them itself.
    #[serde(default)]
    pub check: Option<toml::Table>,
    /// Settings of series, which the gate reads, too.
    #[serde(default)]
    pub track: Option<toml::Table>,
    /// Settings of models that judge.
    pub judge: Option<JudgeConfig>,
}

/// `[judge]`: how models judge.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JudgeConfig {
    /// File with the criteria, relative to the configuration's folder.
    pub rubric: Option<PathBuf>,
}

/// Configuration with its file.
#[derive(Debug, Clone)]
pub struct FoundConfig {
    /// The file.
    pub path: PathBuf,
    /// Its settings.
    pub config: Config,
    /// Its first bytes of lines, which places of values need.
    lines: Vec<usize>,
}

/// Reason that a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}\nhelp: name a file that exists and that you may read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// Invalid configuration.
    #[error("{}:{line}: {message}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Error message.
        message: String,
    },
}

/// A `pyproject.toml`, as far as it concerns slope.
#[derive(Deserialize)]
struct Pyproject {
    tool: Option<Tool>,
}

#[derive(Deserialize)]
struct Tool {
    slope: Option<Config>,
}

impl Config {
    /// Finds the configuration for a path: that of the nearest folder with one, from the path up to
    /// the top of its git repository. The result depends only on the path, not on the working
    /// directory.
    ///
    /// # Errors
    /// If the nearest configuration cannot be read or has an unknown key or value.
    pub fn find(path: &Path) -> Result<Option<FoundConfig>, ConfigError> {
        let start = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        for folder in start.ancestors().filter(|folder| folder.is_dir()) {
            let own = folder.join("slope.toml");
            if own.is_file() {
                return Self::read(&own).map(Some);
            }
            let pyproject = folder.join("pyproject.toml");
            if pyproject.is_file()
                && let Some(found) = Self::read_pyproject(&pyproject)?
            {
                return Ok(Some(found));
            }
            if folder.join(".git").exists() {
                break;
            }
        }
        Ok(None)
    }

    /// Reads a configuration file. A file named `pyproject.toml` is read as such, any other as a
    /// `slope.toml`.
    ///
    /// # Errors
    /// If the file cannot be read or has an unknown key or value.
    pub fn read(path: &Path) -> Result<FoundConfig, ConfigError> {
        if path
            .file_name()
            .is_some_and(|name| name == "pyproject.toml")
        {
            let found = Self::read_pyproject(path)?;
            return found.ok_or_else(|| ConfigError::Format {
                path: path.to_owned(),
                line: 1,
                message: "missing table [tool.slope]\nhelp: add it, or use a slope.toml".to_owned(),
            });
        }
        Self::parse(path, &read(path)?)
    }

    /// Settings from the text of a `slope.toml`, which apply as if they were at a path. Nothing needs to be there.
    ///
    /// # Errors
    /// If the text has an unknown key or value.
    pub fn parse(path: &Path, text: &str) -> Result<FoundConfig, ConfigError> {
        let config = toml::from_str(text).map_err(|error| format(path, text, &error))?;
        FoundConfig::new(path, config, text)
    }

    /// Settings from the text of a `slope.toml` or `pyproject.toml`, by the name in the path. `None` if the latter has
    /// none. Nothing needs to be there.
    ///
    /// # Errors
    /// If the text has an unknown key or value.
    pub fn of_text(path: &Path, text: &str) -> Result<Option<FoundConfig>, ConfigError> {
        match path
            .file_name()
            .is_some_and(|name| name == "pyproject.toml")
        {
            true => Self::parse_pyproject(path, text),
            false => Self::parse(path, text).map(Some),
        }
    }

    fn read_pyproject(path: &Path) -> Result<Option<FoundConfig>, ConfigError> {
        Self::parse_pyproject(path, &read(path)?)
    }

    fn parse_pyproject(path: &Path, text: &str) -> Result<Option<FoundConfig>, ConfigError> {
        if !text.contains("slope") {
            return Ok(None);
        }
        let found: Pyproject = match toml::from_str(text) {
            Ok(found) => found,
            // Errors in a file without slope settings are not reported here.
            Err(_) if !may_mean_slope(text) => return Ok(None),
            Err(error) => return Err(format(path, text, &error)),
        };
        let config = found.tool.and_then(|t| t.slope);
        config
            .map(|config| FoundConfig::new(path, config, text))
            .transpose()
    }
}

impl FoundConfig {
    /// Refuses a pattern of paths that is not valid.
    fn new(path: &Path, config: Config, text: &str) -> Result<Self, ConfigError> {
        let found = Self {
            path: path.to_owned(),
            lines: starts_of_lines(text),
            config,
        };
        for glob in &found.config.exclude {
            check_glob(glob.get_ref()).map_err(|error| ConfigError::Format {
                path: path.to_owned(),
                line: found.place(glob).line,
                message: error.to_string(),
            })?;
        }
        Ok(found)
    }

    /// The folder that its paths are relative to.
    fn folder(&self) -> &Path {
        let folder = self.path.parent();
        let named = folder.filter(|folder| !folder.as_os_str().is_empty());
        named.unwrap_or(Path::new("."))
    }

    /// The file with the criteria of models that judge.
    #[must_use]
    pub fn rubric(&self) -> Option<PathBuf> {
        let judge = self.config.judge.as_ref();
        let rubric = judge.and_then(|judge| judge.rubric.as_ref());
        rubric.map(|rubric| self.folder().join(rubric))
    }

    /// Applies the configuration to options.
    pub fn apply(&self, options: &mut Options) {
        let Config {
            profile,
            cutoff,
            size_term,
            tests,
            exclude,
            rules,
            enable,
            disable,
            own_rules,
            include_generated,
            include_ignored,
            check: _,
            track: _,
            judge: _,
        } = &self.config;
        set(&mut options.profile, profile.as_ref());
        set(&mut options.cut_off, cutoff.as_ref());
        set(&mut options.size_term, size_term.as_ref());
        set(&mut options.tests, tests.as_ref());
        set(&mut options.own_rules, own_rules.as_ref());
        set(
            &mut options.leave_out,
            include_generated.map(|i| !i).as_ref(),
        );
        set(
            &mut options.ignore_files,
            include_ignored.map(|i| !i).as_ref(),
        );
        for (named, ids) in [
            (&mut options.enabled, enable),
            (&mut options.disabled, disable),
        ] {
            for id in ids {
                options
                    .configured_at
                    .insert(id.get_ref().clone(), self.place(id));
                named.push(id.get_ref().clone());
            }
        }
        let folder = self.folder();
        options.configured_globs = ConfiguredGlobs {
            folder: Some(folder.to_owned()),
            patterns: exclude.iter().map(|glob| glob.get_ref().clone()).collect(),
        };
        for path in rules {
            let from_folder = folder.join(path.get_ref());
            let key = from_folder.to_string_lossy().into_owned();
            options.configured_at.insert(key, self.place(path));
            options.rule_paths.push(from_folder);
        }
    }

    fn place<T>(&self, value: &Spanned<T>) -> ConfiguredAt {
        let before = self
            .lines
            .partition_point(|&start| start <= value.span().start);
        ConfiguredAt {
            path: self.path.clone(),
            line: before.max(1),
        }
    }
}

fn starts_of_lines(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

fn set<T: Clone>(value: &mut T, said: Option<&T>) {
    if let Some(said) = said {
        *value = said.clone();
    }
}

fn read(path: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(path).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })
}

/// Whether a `pyproject.toml` may have a `tool.slope` table, in any notation.
fn may_mean_slope(text: &str) -> bool {
    let written: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '\t' | '"' | '\''))
        .collect();
    written.contains("tool.slope") || written.contains("[tool]")
}

/// Reason that a configuration below the measured folder has no effect, with a remedy.
pub const NOT_USED: &str = "not used, because slope takes its settings from the folder you run it on; run it on this \
     folder to use these settings";

/// Whether the text of a `pyproject.toml` has a table for slope.
#[must_use]
pub fn has_table(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"[tool.slope").is_some()
}

/// Profile that measures differently and cannot be selected in a configuration.
const FOR_COMMAND_LINE: &str = "scb-0.2.0";

fn format(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let offset = error.span().map_or(0, |span| span.start);
    let before = text.get(..offset).unwrap_or_default();
    ConfigError::Format {
        path: path.to_owned(),
        line: 1 + before.matches('\n').count(),
        message: match error.message().trim() {
            message if message.contains(&format!("variant `{FOR_COMMAND_LINE}`")) => {
                format!(
                    "the profile {FOR_COMMAND_LINE} works only on the command line\nhelp: use --profile {FOR_COMMAND_LINE}"
                )
            }
            message => with_remedy(message),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn nearest_configuration_applies() {
        let folder = folder(&[
            ("slope.toml", "cutoff = 8\n"),
            (
                "a/pyproject.toml",
                "[tool.slope]\nsize-term = \"linear\"\nrules = [\"r\"]\n",
            ),
            ("a/b/pyproject.toml", "[tool.other]\nx = 1\n"),
        ]);
        let inner = folder.path().join("a/b");
        let found = Config::find(&inner).unwrap().unwrap();
        let mut options = Options::default();
        found.apply(&mut options);
        assert_eq!(options.size_term, SizeTerm::Linear);
        assert_eq!(options.cut_off, 10);
        assert!(options.rule_paths[0].ends_with("a/r"));
        let outer = Config::find(folder.path()).unwrap().unwrap();
        assert_eq!(outer.config.cutoff, Some(8));
    }

    #[test]
    fn config_search_ends_at_repository_root() {
        let folder = folder(&[("slope.toml", "cutoff = 8\n"), ("a/.git/HEAD", "")]);
        assert!(Config::find(&folder.path().join("a")).unwrap().is_none());
    }

    #[test]
    fn pyproject_table_works_in_any_spelling() {
        for text in [
            "[tool.slope]\ncutoff = 5\n",
            "[tool]\nslope = {cutoff = 5}\n",
            "[tool]\nslope.cutoff = 5\n",
            "[\"tool\".\"slope\"]\ncutoff = 5\n",
            "[tool . slope]\ncutoff = 5\n",
            "tool.slope.cutoff = 5\n",
        ] {
            let folder = folder(&[("pyproject.toml", text)]);
            let found = Config::find(folder.path()).unwrap();
            assert_eq!(found.map(|f| f.config.cutoff), Some(Some(5)), "{text}");
        }
        for text in ["[project]\nname = \"slope\"\n", "name = slope\n["] {
            let folder = folder(&[("pyproject.toml", text)]);
            assert!(Config::find(folder.path()).unwrap().is_none(), "{text}");
        }
    }

    #[test]
    fn command_line_profile_error_names_option() {
        let folder = folder(&[("slope.toml", "profile = \"scb-0.2.0\"\n")]);
        let error = Config::find(folder.path()).unwrap_err().to_string();
        assert!(error.contains("--profile scb-0.2.0"), "{error}");
    }

    #[test]
    fn unknown_config_entries_name_their_line() {
        for (text, line, word) in [
            ("cutoff = 8\ncolour = 1\n", 2, "colour"),
            ("profile = \"other\"\n", 1, "other"),
            ("cutoff = -1\n", 1, "-1"),
            ("cutoff = \n", 1, ""),
        ] {
            let folder = folder(&[("slope.toml", text)]);
            let error = Config::find(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("slope.toml:{line}:")), "{error}");
            assert!(error.contains(word), "{error}");
        }
    }
}
