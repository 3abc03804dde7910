//! Which commits agents wrote.
//!
//! Agents sign in several ways: as author or committer, in a `Co-authored-by` trailer, in a
//! trailer of their own, or in a line that their tool adds to the message. The addresses and
//! marks here are those that the tools themselves write; a project may name more.

use std::collections::{BTreeSet, HashMap};

use slope_git::{Commit, Reader};

/// An agent and what it is known by. Everything is compared in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name in outputs.
    pub name: String,
    /// Parts of names or addresses (`NAME <ADDRESS>`) of authors, committers and co-authors.
    pub people: Vec<String>,
    /// Parts of lines of messages.
    pub lines: Vec<String>,
}

/// The agents that are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agents {
    known: Vec<Agent>,
}

/// Name, parts of people, parts of lines.
const KNOWN: &[(&str, &[&str], &[&str])] = &[
    (
        "aider",
        &[
            "(aider)",
            "aider <",
            "aider@aider.chat",
            "noreply@aider.chat",
        ],
        &[],
    ),
    ("amp", &["amp@ampcode.com", "amp <"], &["amp-thread-id:"]),
    (
        "claude",
        &[
            "noreply@anthropic.com",
            "claude <",
            "claude[bot]",
            "claude code <",
        ],
        &["generated with [claude code]", "generated with claude code"],
    ),
    (
        "codex",
        &[
            "codex@openai.com",
            "noreply@openai.com",
            "codex <",
            "chatgpt-codex-connector[bot]",
        ],
        &["generated with codex"],
    ),
    (
        "copilot",
        &[
            "copilot <",
            "copilot@github.com",
            "copilot-swe-agent[bot]",
            "github copilot <",
        ],
        &[],
    ),
    (
        "crush",
        &["crush@charm.land", "crush <"],
        &["generated with crush"],
    ),
    (
        "cursor",
        &["cursoragent@cursor.com", "cursor agent <", "cursor[bot]"],
        &[],
    ),
    (
        "devin",
        &["devin-ai-integration[bot]", "devin@cognition", "devin ai <"],
        &["link to devin run", "link to devin session"],
    ),
    (
        "gemini",
        &[
            "gemini-cli@google.com",
            "gemini-code-assist[bot]",
            "gemini cli <",
            "gemini <",
        ],
        &["generated with gemini"],
    ),
    (
        "jules",
        &["google-labs-jules[bot]", "jules@google.com", "jules <"],
        &[],
    ),
    (
        "opencode",
        &[
            "opencode@sst.dev",
            "noreply@opencode.ai",
            "opencode <",
            "opencode[bot]",
        ],
        &["generated with opencode", "generated with [opencode]"],
    ),
    (
        "openhands",
        &["openhands@all-hands.dev", "openhands <"],
        &[],
    ),
    (
        "qwen",
        &["qwen-coder@alibabacloud.com", "qwen-coder <"],
        &["generated with qwen code"],
    ),
    ("windsurf", &["windsurf@codeium.com", "cascade <"], &[]),
];

/// Stands for commits that no agent had a hand in.
pub(crate) const NO_AGENT: &str = "none";

impl Default for Agents {
    fn default() -> Self {
        let list = |parts: &[&str]| parts.iter().map(|&part| part.to_owned()).collect();
        let known = KNOWN.iter().map(|&(name, people, lines)| Agent {
            name: name.to_owned(),
            people: list(people),
            lines: list(lines),
        });
        Self {
            known: known.collect(),
        }
    }
}

impl Agents {
    /// Adds an agent, or marks to one that is known.
    pub fn add(&mut self, mut agent: Agent) {
        for part in agent.people.iter_mut().chain(&mut agent.lines) {
            *part = part.to_lowercase();
        }
        match self.known.iter_mut().find(|known| known.name == agent.name) {
            Some(known) => {
                known.people.append(&mut agent.people);
                known.lines.append(&mut agent.lines);
            }
            None => self.known.push(agent),
        }
        self.known.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// The agents that had a hand in a commit, by name.
    #[must_use]
    pub fn of(&self, commit: &Commit) -> Vec<String> {
        let person = |name: &str, email: &str| format!("{name} <{email}>").to_lowercase();
        let mut people = vec![person(&commit.author.name, &commit.author.email)];
        people.push(person(&commit.committer.name, &commit.committer.email));
        for (key, value) in commit.trailers() {
            let key = key.to_lowercase();
            if matches!(
                key.as_str(),
                "co-authored-by" | "assisted-by" | "generated-by" | "agent"
            ) {
                people.push(format!("{} ", value.to_lowercase()));
            }
        }
        let message = commit.message.to_lowercase();
        let has = |agent: &&Agent| {
            let named = |part: &String| people.iter().any(|person| holds(person, part));
            agent.people.iter().any(named) || agent.lines.iter().any(|line| message.contains(line))
        };
        self.known
            .iter()
            .filter(has)
            .map(|agent| agent.name.clone())
            .collect()
    }
}

/// The agents of the merges of a line of first parents, by their position on it. On such a line a
/// merge is one step, and what it does is the work of the commits that it brings in, whoever
/// merged them: it is told as theirs, and of [`NO_AGENT`] besides where some of them name no
/// agent. Merges among them bring in nothing that the others do not. A merge that brings in no
/// others is not told of.
pub(crate) fn of_merges(
    reader: &Reader,
    line: &[Commit],
    agents: &Agents,
) -> Result<HashMap<usize, Vec<String>>, slope_git::Error> {
    #[derive(Default)]
    struct Brought {
        agents: BTreeSet<String>,
        has_others: bool,
    }
    let mut merges: HashMap<usize, Brought> = HashMap::new();
    reader.merged(line, |merge, commit| {
        if commit.parents.len() < 2 {
            let brought = merges.entry(merge).or_default();
            let by = agents.of(commit);
            brought.has_others |= by.is_empty();
            brought.agents.extend(by);
        }
    })?;
    let told = |brought: Brought| {
        let is_mixed = brought.has_others && !brought.agents.is_empty();
        let mut names: Vec<String> = brought.agents.into_iter().collect();
        names.extend(is_mixed.then(|| NO_AGENT.to_owned()));
        names
    };
    Ok(merges
        .into_iter()
        .map(|(merge, brought)| (merge, told(brought)))
        .collect())
}

/// Whether a person is known by a part; a part that ends in ` <` is the whole name.
fn holds(person: &str, part: &str) -> bool {
    match part.strip_suffix(" <") {
        Some(name) => {
            let known = person.split('<').next().unwrap_or(person).trim();
            known == name
        }
        None => person.contains(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(author: &str, message: &str) -> Commit {
        let dir = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| {
            let status = std::process::Command::new("git")
                .args(args)
                .current_dir(dir.path())
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .env("GIT_AUTHOR_NAME", author)
                .env("GIT_AUTHOR_EMAIL", "a@x")
                .env("GIT_COMMITTER_NAME", "C")
                .env("GIT_COMMITTER_EMAIL", "c@x")
                .status();
            assert!(status.unwrap().success());
        };
        git(&["init", "-q"]);
        git(&["commit", "-q", "--allow-empty", "-m", message]);
        let reader = slope_git::Repo::open(dir.path()).unwrap().reader();
        reader.commit(reader.head().unwrap()).unwrap()
    }

    #[test]
    fn agents_are_known_by_what_they_sign_with() {
        let agents = Agents::default();
        let of = |author: &str, message: &str| agents.of(&commit(author, message));
        let trailer = "Fix\n\nCo-Authored-By: Claude Opus <noreply@anthropic.com>\n";
        assert_eq!(of("A", trailer), ["claude"]);
        assert_eq!(of("Ann (aider)", "Fix"), ["aider"]);
        assert_eq!(of("devin-ai-integration[bot]", "Fix"), ["devin"]);
        assert_eq!(of("Claude", "Fix"), ["claude"]);
        let human = "Talk about codex\n\nCo-authored-by: Claude Dupont <claude@example.org>\n";
        assert_eq!(of("Jules Verne", human), Vec::<String>::new());
    }

    #[test]
    fn a_project_may_name_more() {
        let mut agents = Agents::default();
        agents.add(Agent {
            name: "ours".to_owned(),
            people: vec!["Robo <".to_owned()],
            lines: Vec::new(),
        });
        assert_eq!(agents.of(&commit("robo", "Fix")), ["ours"]);
    }
}
