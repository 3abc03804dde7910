//! Prompts: an agent's task text, from a template and a spec.

use std::path::{Path, PathBuf};

use minijinja::{Environment, UndefinedBehavior};
use rust_embed::RustEmbed;

use crate::{Error, yaml};

/// Name of the default template.
pub const DEFAULT_PROMPT: &str = "just-solve";

const EXTENSION: &str = ".jinja";
const VARIABLES: &str = "use only spec, is_continuation and entry_file";

#[derive(RustEmbed)]
#[folder = "prompts/"]
struct Embedded;

/// The variables of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptContext {
    /// The current checkpoint's spec.
    pub spec: String,
    /// Whether the workspace carries the work of an earlier checkpoint.
    pub is_continuation: bool,
    /// The entry file required by the spec, for example `tool.py`.
    pub entry_file: String,
}

/// A checked prompt template.
#[derive(Debug, Clone)]
pub struct Prompt {
    name: String,
    path: PathBuf,
    source: String,
    hash: String,
}

impl Prompt {
    /// Names of the templates that ship with slope, in order.
    #[must_use]
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = Embedded::iter()
            .filter_map(|f| f.strip_suffix(EXTENSION).map(str::to_owned))
            .collect();
        names.sort();
        names
    }

    /// The shipped template of that name, else the template in the file of that path.
    ///
    /// # Errors
    /// [`Error`] with file and line if there is no such file, it is not UTF-8, its syntax is wrong,
    /// or it uses an unknown variable.
    pub fn by_name_or_path(name_or_path: &str) -> Result<Self, Error> {
        if let Some(file) = Embedded::get(&format!("{name_or_path}{EXTENSION}")) {
            let source = String::from_utf8_lossy(&file.data).into_owned();
            return Self::checked(name_or_path.to_owned(), PathBuf::from(name_or_path), source);
        }
        let path = Path::new(name_or_path);
        let remedy = format!(
            "give the path of a template file, or one of {}",
            Self::names().join(", ")
        );
        let source = yaml::read_text(path, "the prompt template", &remedy)?;
        let name = path
            .file_stem()
            .map_or(name_or_path.into(), |s| s.to_string_lossy().into_owned());
        Self::checked(name, path.to_owned(), source)
    }

    /// Renders once as a first and once as a later checkpoint, so that a fault shows before any agent starts.
    fn checked(name: String, path: PathBuf, source: String) -> Result<Self, Error> {
        let hash = blake3::hash(source.as_bytes()).to_hex().to_string();
        let prompt = Self {
            name,
            path,
            source,
            hash,
        };
        for is_continuation in [false, true] {
            let context = PromptContext {
                spec: "spec".to_owned(),
                is_continuation,
                entry_file: "main.py".to_owned(),
            };
            prompt.render(&context)?;
        }
        Ok(prompt)
    }

    /// The template's name: a shipped one, or a file's name without its suffix.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Hash of the template's text, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The prompt for one checkpoint.
    ///
    /// # Errors
    /// [`Error::Malformed`] with the template's line if it cannot be rendered.
    pub fn render(&self, context: &PromptContext) -> Result<String, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        let PromptContext {
            spec,
            is_continuation,
            entry_file,
        } = context;
        let variables = minijinja::context! {
            spec => spec.as_str(), is_continuation => *is_continuation, entry_file => entry_file.as_str()
        };
        environment
            .render_named_str(&self.name, &self.source, variables)
            .map(|text| format!("{}\n", text.trim_end()))
            .map_err(|e| self.error(&e))
    }

    fn error(&self, error: &minijinja::Error) -> Error {
        let line = error.line().and_then(|l| u64::try_from(l).ok());
        let detail = error.detail().map(|d| format!(": {d}")).unwrap_or_default();
        let unknown = (error.kind() == minijinja::ErrorKind::UndefinedError)
            .then(|| self.unknown_variables(line))
            .flatten()
            .unwrap_or_default();
        Error::malformed(
            &self.path,
            line,
            format!("{}{detail}{unknown}", error.kind()),
            VARIABLES,
        )
    }

    /// `: a, b`, the template's variables that no context has and that the line mentions.
    fn unknown_variables(&self, line: Option<u64>) -> Option<String> {
        let environment = Environment::new();
        let template = environment.template_from_str(&self.source).ok()?;
        let text = self
            .source
            .lines()
            .nth(usize::try_from(line?).ok()?.checked_sub(1)?)?;
        let known = ["spec", "is_continuation", "entry_file"];
        let mut names: Vec<String> = template
            .undeclared_variables(false)
            .into_iter()
            .filter(|name| !known.contains(&name.as_str()) && text.contains(name.as_str()))
            .collect();
        names.sort();
        (!names.is_empty()).then(|| format!(": {}", names.join(", ")))
    }
}
