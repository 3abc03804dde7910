//! Third-party command-line agents, described as data.
//!
//! A [`Description`] lists the parts to install, the command and the settings; the only other code
//! reads the event stream. Everything that all of them share is in this module.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::agent::Effort;
use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{Launch, LaunchContext, Process, Program, base_env, check_arguments};
use crate::events::{self, Stream};
use crate::hooks::Hooked;
use crate::install::Part;
use crate::install::npm::NODE;
use crate::options::{AgentOptions, Lacks, refuse};
use crate::settings::{self, CliSettings};
use crate::template::Values;

/// An agent as data.
///
/// Its texts may contain: `{program}`, `{home}`, `{prompt}`, `{model}`, `{gateway_url}`, `{token}`
/// (in `env` only, since arguments are recorded), `{turns}`, `{effort}`.
pub(crate) struct Description {
    /// Name as in `--agent`, and of its installation.
    pub(crate) name: &'static str,
    /// One line of description.
    pub(crate) about: &'static str,
    /// Protocol to its model.
    pub(crate) dialect: Dialect,
    /// Installed part.
    pub(crate) part: Part,
    /// Its runner.
    pub(crate) runner: Runner,
    /// The command. `{program}` is its executable, or the program that runs it.
    pub(crate) command: &'static [&'static str],
    /// The last arguments.
    pub(crate) prompt: &'static [&'static str],
    /// Variables beyond those that every agent gets.
    pub(crate) env: &'static [(&'static str, &'static str)],
    /// Setting of its turn cap. `None` if it has none.
    pub(crate) turn_cap: Option<Told>,
    /// Setting of its effort. `None` if it has none.
    pub(crate) effort: Option<Told>,
    /// Its hooks; `None` if it has none.
    pub(crate) hooks: Option<Hooks>,
    /// Its conversations; `None` if it cannot continue one.
    pub(crate) conversation: Option<Conversation>,
    /// Settings files in its home.
    pub(crate) home_files: fn(&Asked<'_>) -> Vec<HomeFile>,
    /// Reads its event stream.
    pub(crate) stream: fn() -> Box<dyn Stream>,
}

/// A file of the home: path relative to it, content.
pub(crate) type HomeFile = (PathBuf, Vec<u8>);

/// Runner of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runner {
    /// The system: its first file is an executable.
    System,
    /// Node.js, which is installed too.
    Node,
    /// The Python of the sandbox.
    Python,
}

/// Form in which an optional setting is passed to an agent.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told {
    /// By these arguments, added to the command.
    Arguments(&'static [&'static str]),
    /// By a variable of its environment: name and value.
    Variable(&'static str, &'static str),
    /// By a file of its home, which `home_files` writes.
    File,
}

/// Hook support of an agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hooks {
    /// Whose protocol they speak.
    pub(crate) hooked: Hooked,
    /// Arguments without which it would not run them.
    pub(crate) arguments: &'static [&'static str],
}

/// Conversations of an agent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Conversation {
    /// Files or folders of its home that contain them.
    pub(crate) files: &'static [&'static str],
    /// Arguments before the prompt with which it continues the last one.
    pub(crate) arguments: &'static [&'static str],
    /// Whether its report of usage then counts the whole conversation.
    pub(crate) reports_whole: bool,
}

/// The values of a launch, for home files.
pub(crate) struct Asked<'a> {
    /// The launch.
    pub(crate) context: &'a LaunchContext<'a>,
    /// Requested reasoning effort.
    pub(crate) effort: Option<Effort>,
    /// Requested cap of turns.
    pub(crate) turns: Option<u32>,
}

/// An agent of a description, with its settings.
#[derive(Clone)]
pub(crate) struct Described {
    description: &'static Description,
    settings: CliSettings,
}

impl Described {
    /// Reads the settings file, or uses the defaults. Options override the file.
    pub(crate) fn new(
        description: &'static Description,
        options: &AgentOptions,
    ) -> Result<Self, Error> {
        let mut agent = Self {
            description,
            settings: CliSettings::default(),
        };
        if let Some(path) = &options.config {
            agent.read(path)?;
        }
        let turns = description.turn_cap.is_none().then_some(Lacks::Turns);
        let effort = description.effort.is_none().then_some(Lacks::Effort);
        let lacks = [Some(Lacks::Dialect), turns, effort];
        refuse(description.name, options, lacks.into_iter().flatten())?;
        if let Some(turns) = options.max_turns {
            agent.settings.max_turns = Some(toml::Spanned::new(0..0, turns));
        }
        if let Some(effort) = options.effort {
            agent.settings.effort = Some(toml::Spanned::new(0..0, effort));
        }
        Ok(agent)
    }

    fn read(&mut self, path: &Path) -> Result<(), Error> {
        let (settings, source): (CliSettings, String) = settings::read(path)?;
        let (name, known) = (self.description.name, self.description);
        let wrong = |at: usize, message: String| settings::wrong(path, &source, at, message);
        if let (Some(turns), None) = (&settings.max_turns, known.turn_cap) {
            let message = format!(
                "{name} has no turn cap\nhelp: remove `max_turns` and cap requests at the gateway"
            );
            return Err(wrong(turns.span().start, message));
        }
        if let (Some(effort), None) = (&settings.effort, &known.effort) {
            let message = format!("{name} has no setting for effort\nhelp: remove `effort`");
            return Err(wrong(effort.span().start, message));
        }
        if let Some(version) = &settings.version {
            settings::check_version(Some(path), version)?;
        }
        self.settings = settings;
        Ok(())
    }

    /// The arguments after the program, and the environment.
    fn fill(&self, context: &LaunchContext<'_>, program: &Path) -> Filled {
        let (known, settings) = (self.description, &self.settings);
        let turns = settings.max_turns.as_ref().map(|n| n.get_ref().to_string());
        let effort = settings.effort.as_ref().map(|e| e.get_ref().name());
        let more = [
            ("program", program.to_str().unwrap_or_default()),
            ("home", context.home.to_str().unwrap_or_default()),
            ("turns", turns.as_deref().unwrap_or_default()),
            ("effort", effort.unwrap_or_default()),
        ];
        let values = Values {
            prompt: context.prompt,
            prompt_file: "",
            model: context.model,
            gateway_url: context.gateway_url,
            token: context.token,
            more: &more,
        };
        let all = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| values.fill(word)).collect()
        };
        let mut argv = all(known.command);
        if let (Some(hooks), Some(_)) = (&known.hooks, context.hooks) {
            argv.extend(all(hooks.arguments));
        }
        let mut env = base_env(context.home);
        let mut set = |key: &str, text: &str| env.insert(key.to_owned(), values.fill(text));
        for (key, text) in known.env {
            set(key, text);
        }
        let asked = [
            (known.turn_cap, turns.is_some()),
            (known.effort, effort.is_some()),
        ];
        for (told, _) in asked.iter().filter(|(_, asked)| *asked) {
            match told {
                Some(Told::Arguments(arguments)) => argv.extend(all(arguments)),
                Some(Told::Variable(key, text)) => drop(set(key, text)),
                Some(Told::File) | None => {}
            }
        }
        env.extend(settings.env.clone());
        argv.extend(settings.extra_args.iter().cloned());
        if let (Some(conversation), true) = (&known.conversation, context.continues) {
            argv.extend(all(conversation.arguments));
        }
        argv.extend(all(known.prompt));
        Filled { argv, env }
    }
}

struct Filled {
    argv: Vec<String>,
    env: std::collections::BTreeMap<String, String>,
}

impl Agent for Described {
    fn name(&self) -> &str {
        self.description.name
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(self.description.dialect)
    }

    fn hooked(&self) -> Option<Hooked> {
        self.description.hooks.map(|hooks| hooks.hooked)
    }

    fn conversation_files(&self) -> Vec<PathBuf> {
        let files = self.description.conversation.map(|it| it.files);
        files
            .unwrap_or_default()
            .iter()
            .map(PathBuf::from)
            .collect()
    }

    fn reports_whole_conversation(&self) -> bool {
        let conversation = self.description.conversation;
        conversation.is_some_and(|conversation| conversation.reports_whole)
    }

    fn install(&self, context: &InstallContext<'_>) -> Result<Installed, Error> {
        let part = self.description.part;
        let version = self.settings.version.as_deref().unwrap_or(part.version());
        let own = part.lay(version, context)?;
        let mut installed = Installed {
            version: version.to_owned(),
            program: None,
            notes: Vec::new(),
            hashes: own.hashes,
            binds: vec![own.bind.clone()],
        };
        installed.program = match (self.description.runner, part) {
            (Runner::System, Part::Npm(npm)) => npm.files.first().map(|f| own.bind.target.join(f)),
            (Runner::Node, _) => {
                let node = Part::Npm(&NODE).lay(NODE.version, context)?;
                installed.hashes.extend(node.hashes);
                installed.binds.push(node.bind.clone());
                Some(node.bind.target.join("node"))
            }
            (Runner::System | Runner::Python, _) => Some(context.python.to_owned()),
        };
        installed.binds.sort_by(|a, b| a.target.cmp(&b.target));
        Ok(installed)
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let name = self.name();
        let Some(program) = &context.installed.program else {
            return Err(Error::launch(name, "it is not installed"));
        };
        let filled = self.fill(context, program);
        check_arguments(name, &filled.argv)?;
        let asked = Asked {
            context,
            effort: self
                .settings
                .effort
                .as_ref()
                .map(|effort| *effort.get_ref()),
            turns: self
                .settings
                .max_turns
                .as_ref()
                .map(|turns| *turns.get_ref()),
        };
        let mut home_files = (self.description.home_files)(&asked);
        home_files.sort();
        Ok(Launch::Process(Process {
            program: Program::Exec(filled.argv),
            env: filled.env,
            home_files,
            binds: context.installed.binds.clone(),
        }))
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        events::conclude((self.description.stream)(), evidence)
    }
}

/// Home files of an agent that has none.
pub(crate) fn no_files(_asked: &Asked<'_>) -> Vec<HomeFile> {
    Vec::new()
}
