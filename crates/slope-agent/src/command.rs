//! Any executable as an agent, described in a TOML file.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use slope_model::run::AttemptState;

use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{InstalledBind, Launch, LaunchContext, Process, Program};
use crate::agent::{base_env, check_arguments};
use crate::evidence::{died, flag_silence};
use crate::inside::INNER_PATH;
use crate::install::hash_file;
use crate::template::{self, PLACEHOLDERS, Values};
use crate::{Error, known, settings};

/// Path of `{prompt_file}` in the home.
const PROMPT_FILE: &str = "prompt.md";

/// Folders inside that a bind must not cover.
const RESERVED: [&str; 12] = [
    "/workspace",
    "/home",
    "/tmp",
    "/proc",
    "/dev",
    "/sys",
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
];

/// The file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<toml::Spanned<String>>,
    version: Option<String>,
    dialect: toml::Spanned<String>,
    argv: toml::Spanned<Vec<toml::Spanned<String>>>,
    #[serde(default = "zero")]
    ok_exit_codes: Vec<i32>,
    install: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, toml::Spanned<String>>,
    #[serde(default)]
    home_files: BTreeMap<toml::Spanned<String>, toml::Spanned<String>>,
    #[serde(default)]
    binds: Vec<FileBind>,
    conversation: Option<FileConversation>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileConversation {
    files: Vec<toml::Spanned<String>>,
    argv: toml::Spanned<Vec<toml::Spanned<String>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBind {
    source: toml::Spanned<PathBuf>,
    target: toml::Spanned<PathBuf>,
}

fn zero() -> Vec<i32> {
    vec![0]
}

/// An agent that a TOML file describes; `docs/agents.md` documents the format.
#[derive(Debug, Clone)]
pub struct CommandAgent {
    path: PathBuf,
    file_hash: String,
    name: String,
    version: String,
    dialect: Option<Dialect>,
    argv: Vec<String>,
    ok_exit_codes: Vec<i32>,
    install: Option<String>,
    env: BTreeMap<String, String>,
    home_files: BTreeMap<PathBuf, String>,
    binds: Vec<InstalledBind>,
    conversation: Option<Conversation>,
}

/// How a program continues a conversation.
#[derive(Debug, Clone)]
struct Conversation {
    /// Files or folders of the home that contain it.
    files: Vec<PathBuf>,
    /// The command.
    argv: Vec<String>,
}

impl CommandAgent {
    /// Reads and checks the file. Executables are searched at installation only.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid, with the line.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (file, source): (File, String) = settings::read(path)?;
        let reader = Reader {
            path,
            source: &source,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let argv = reader.argv(&file.argv)?;
        let mut env = BTreeMap::new();
        for (key, value) in &file.env {
            reader.check_template(value)?;
            if key.is_empty() || key.contains(['=', '\0']) {
                return Err(reader.wrong(value.span().start, format!("`{key}` names no variable")));
            }
            env.insert(key.clone(), value.get_ref().clone());
        }
        let mut home_files = BTreeMap::new();
        for (name, text) in &file.home_files {
            reader.check_template(text)?;
            home_files.insert(reader.home_path(name)?, text.get_ref().clone());
        }
        let mut binds = Vec::new();
        for bind in &file.binds {
            binds.push(reader.bind(bind, folder)?);
        }
        binds.sort_by(|a, b| a.target.cmp(&b.target));
        Ok(Self {
            path: path.to_owned(),
            file_hash: format!("blake3:{}", blake3::hash(source.as_bytes()).to_hex()),
            name: reader.name(file.name.as_ref())?,
            version: file.version.unwrap_or_else(|| "unversioned".to_owned()),
            dialect: reader.dialect(&file.dialect)?,
            argv,
            ok_exit_codes: file.ok_exit_codes,
            install: file.install,
            env,
            home_files,
            binds,
            conversation: file
                .conversation
                .map(|it| reader.conversation(&it))
                .transpose()?,
        })
    }

    /// The executable on the host, by where it appears inside.
    fn executable(&self) -> Option<PathBuf> {
        let program = self.argv.first()?;
        if !program.contains('/') {
            let folders = INNER_PATH.split(':');
            return folders
                .map(|dir| Path::new(dir).join(program))
                .find(|file| executable(file));
        }
        let program = Path::new(program);
        let bound = self.binds.iter().find_map(|bind| {
            let rest = program.strip_prefix(&bind.target).ok()?;
            // Joining an empty path would append a slash to a bound file.
            let file = if rest == Path::new("") {
                bind.source.clone()
            } else {
                bind.source.join(rest)
            };
            Some(file)
        });
        let file = bound.unwrap_or_else(|| program.to_owned());
        executable(&file).then_some(file)
    }
}

fn executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The file being read, for errors with lines.
struct Reader<'a> {
    path: &'a Path,
    source: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, at: usize, message: impl Into<String>) -> Error {
        settings::wrong(self.path, self.source, at, message)
    }

    fn check_template(&self, text: &toml::Spanned<String>) -> Result<(), Error> {
        template::check(text.get_ref()).map_err(|unknown| {
            let known = PLACEHOLDERS.map(|name| format!("{{{name}}}")).join(", ");
            self.wrong(
                text.span().start,
                format!(
                    "unknown placeholder {{{unknown}}}: expected one of {known}\n\
                     help: write {{{{{unknown}}}}} for the text itself"
                ),
            )
        })
    }

    fn argv(&self, argv: &toml::Spanned<Vec<toml::Spanned<String>>>) -> Result<Vec<String>, Error> {
        let first = argv.get_ref().first().map(toml::Spanned::get_ref);
        let Some(program) = first.filter(|program| !program.is_empty()) else {
            return Err(self.wrong(argv.span().start, "`argv` must start with an executable"));
        };
        if program.contains('/') && !program.starts_with('/') {
            return Err(self.wrong(
                argv.span().start,
                "the executable must be a bare name or an absolute path inside the sandbox\n\
                 help: add a folder of yours with `binds`",
            ));
        }
        for argument in argv.get_ref() {
            self.check_template(argument)?;
            if template::uses(argument.get_ref(), "token") {
                return Err(self.wrong(
                    argument.span().start,
                    "{token} must not be an argument, since arguments are recorded\n\
                     help: put it into `env` or a home file, and if the program takes it only as an \
                     argument, start it with [\"/bin/sh\", \"-c\", \"exec tool --key \\\"$KEY\\\"\"]",
                ));
            }
        }
        Ok(argv
            .get_ref()
            .iter()
            .map(|argument| argument.get_ref().clone())
            .collect())
    }

    fn conversation(&self, given: &FileConversation) -> Result<Conversation, Error> {
        let files = given.files.iter().map(|name| self.home_path(name));
        Ok(Conversation {
            files: files.collect::<Result<_, Error>>()?,
            argv: self.argv(&given.argv)?,
        })
    }

    fn name(&self, name: Option<&toml::Spanned<String>>) -> Result<String, Error> {
        let Some(name) = name else {
            let stem = self.path.file_stem().unwrap_or_default();
            return Ok(stem.to_string_lossy().into_owned());
        };
        let fine = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.get_ref().is_empty() || !name.get_ref().chars().all(fine) {
            let message = "a name consists of letters, digits, `-`, `_` and `.`";
            return Err(self.wrong(name.span().start, message));
        }
        if known().any(|(known, _)| known == name.get_ref()) {
            let message = format!("`{}` is the name of another agent", name.get_ref());
            return Err(self.wrong(name.span().start, message));
        }
        Ok(name.get_ref().clone())
    }

    fn dialect(&self, dialect: &toml::Spanned<String>) -> Result<Option<Dialect>, Error> {
        match dialect.get_ref().as_str() {
            "chat" => Ok(Some(Dialect::Chat)),
            "messages" => Ok(Some(Dialect::Messages)),
            "responses" => Ok(Some(Dialect::Responses)),
            "gemini" => Ok(Some(Dialect::Gemini)),
            "none" => Ok(None),
            other => Err(self.wrong(
                dialect.span().start,
                format!(
                    "unknown dialect `{other}`: expected chat, messages, responses, gemini or none"
                ),
            )),
        }
    }

    fn home_path(&self, name: &toml::Spanned<String>) -> Result<PathBuf, Error> {
        let path = PathBuf::from(name.get_ref());
        let inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !inside || path.as_os_str().is_empty() || path == Path::new(PROMPT_FILE) {
            return Err(self.wrong(
                name.span().start,
                format!(
                    "`{}` must be a path below the home, without `..`, and not {PROMPT_FILE}",
                    name.get_ref()
                ),
            ));
        }
        Ok(path)
    }

    fn bind(&self, bind: &FileBind, folder: &Path) -> Result<InstalledBind, Error> {
        let target = bind.target.get_ref();
        let plain = target
            .components()
            .skip(1)
            .all(|part| matches!(part, Component::Normal(_)));
        let reserved = RESERVED.iter().any(|reserved| target.starts_with(reserved));
        if !target.is_absolute() || !plain || target == Path::new("/") || reserved {
            return Err(self.wrong(
                bind.target.span().start,
                format!(
                    "`{}` must be an absolute path inside the sandbox, outside of {}",
                    target.display(),
                    RESERVED.join(", ")
                ),
            ));
        }
        let source = folder.join(bind.source.get_ref());
        let source = source.canonicalize().map_err(|error| {
            let message = format!("cannot bind {}: {error}", source.display());
            self.wrong(bind.source.span().start, message)
        })?;
        Ok(InstalledBind {
            source,
            target: target.clone(),
        })
    }
}

impl Agent for CommandAgent {
    fn name(&self) -> &str {
        &self.name
    }

    fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }

    fn conversation_files(&self) -> Vec<PathBuf> {
        let files = self.conversation.as_ref().map(|it| it.files.clone());
        files.unwrap_or_default()
    }

    fn install(&self, _context: &InstallContext<'_>) -> Result<Installed, Error> {
        let Some(file) = self.executable() else {
            let remedy = self.install.as_deref().map_or_else(
                || "install it, or fix `argv` or `binds`".to_owned(),
                |note| format!("install it: {note}"),
            );
            return Err(Error::NoExecutable {
                path: self.path.clone(),
                program: self.argv.first().cloned().unwrap_or_default(),
                remedy,
            });
        };
        Ok(Installed {
            version: self.version.clone(),
            binds: self.binds.clone(),
            program: self.argv.first().map(PathBuf::from),
            hashes: BTreeMap::from([
                ("description".to_owned(), self.file_hash.clone()),
                ("executable".to_owned(), hash_file(&file)?),
            ]),
            notes: self.install.iter().cloned().collect(),
        })
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let prompt_file = context
            .home
            .join(PROMPT_FILE)
            .to_string_lossy()
            .into_owned();
        let values = Values {
            prompt: context.prompt,
            prompt_file: &prompt_file,
            model: context.model,
            gateway_url: context.gateway_url,
            token: context.token,
            more: &[],
        };
        let continued = self.conversation.as_ref().filter(|_| context.continues);
        let argv = continued.map_or(&self.argv, |it| &it.argv);
        let filled: Vec<String> = argv.iter().map(|text| values.fill(text)).collect();
        check_arguments(&self.name, &filled)?;
        let mut env = base_env(context.home);
        env.extend(
            self.env
                .iter()
                .map(|(key, text)| (key.clone(), values.fill(text))),
        );
        let mut files: BTreeMap<PathBuf, Vec<u8>> = self
            .home_files
            .iter()
            .map(|(path, text)| (path.clone(), values.fill(text).into_bytes()))
            .collect();
        let texts = argv
            .iter()
            .chain(self.env.values())
            .chain(self.home_files.values());
        if texts
            .into_iter()
            .any(|text| template::uses(text, "prompt_file"))
        {
            files.insert(
                PathBuf::from(PROMPT_FILE),
                context.prompt.as_bytes().to_vec(),
            );
        }
        Ok(Launch::Process(Process {
            program: Program::Exec(filled),
            env,
            home_files: files.into_iter().collect(),
            binds: context.installed.binds.clone(),
        }))
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        let fine = matches!(
            evidence.exit,
            crate::ProcessExit::Code(code) if self.ok_exit_codes.contains(&code)
        );
        if !fine {
            let died = died(evidence, "the command failed");
            return Conclusion {
                state: AttemptState::AgentError,
                ..died
            };
        }
        let conclusion = Conclusion::completed();
        if self.dialect.is_some() {
            flag_silence(conclusion, evidence)
        } else {
            conclusion
        }
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
