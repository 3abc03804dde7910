//! Detection of agents' commits.
//!
//! Agents sign in several ways: as author or committer, in a `Co-authored-by` trailer, in a trailer
//! of their own, or in a line that their tool adds to the message. The addresses and marks here are
//! those that the tools write; a project may configure more.

use std::collections::{BTreeSet, HashMap};

use slope_git::{Commit, Reader};

/// An agent and its marks. All comparisons ignore case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name in outputs.
    pub name: String,
    /// Parts of names or addresses (`NAME <ADDRESS>`) of authors, committers and co-authors.
    pub people: Vec<String>,
    /// Beginnings of lines of messages, signs before the first letter left out.
    pub lines: Vec<String>,
}

/// Agents to detect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agents {
    known: Vec<Agent>,
}

/// Name, parts of people, beginnings of lines.
const KNOWN: &[(&str, &[&str], &[&str])] = &[
    (
        "aider",
        &[
            "(aider)",
            "aider <",
            "aider (",
            "aider@aider.chat",
            "noreply@aider.chat",
        ],
        &[],
    ),
    (
        "amazon-q",
        &["amazon-q-developer[bot]", "amazon q developer <"],
        &[],
    ),
    ("amp", &["amp@ampcode.com", "amp <"], &["amp-thread-id:"]),
    (
        "augment",
        &[
            "augmentcode[bot]",
            "augment-app[bot]",
            "augment agent <",
            "augment code <",
        ],
        &[],
    ),
    (
        "claude",
        &[
            "noreply@anthropic.com",
            "claude@anthropic.com",
            "+claude@users.noreply.github.com",
            "claude <",
            "claude[bot]",
            "claude code <",
            "claude opus",
            "claude sonnet",
            "claude haiku",
        ],
        &[
            "generated with [claude code]",
            "generated with claude code",
            "claude-session:",
        ],
    ),
    (
        "cline",
        &["cline <", "cline[bot]", "noreply@cline.bot"],
        &[],
    ),
    (
        "codex",
        &[
            "codex@openai.com",
            "noreply@openai.com",
            "codex <",
            "codex cli <",
            "openai codex <",
            "chatgpt-codex-connector[bot]",
        ],
        &["generated with codex", "generated with [codex]"],
    ),
    (
        "copilot",
        &[
            "copilot <",
            "copilot@github.com",
            "+copilot@users.noreply.github.com",
            "copilot-swe-agent[bot]",
            "copilot[bot]",
            "copilot autofix",
            "github copilot <",
        ],
        &["generated with [github copilot]"],
    ),
    (
        "crush",
        &["crush@charm.land", "crush <"],
        &["generated with crush"],
    ),
    (
        "cursor",
        &[
            "cursoragent@cursor.com",
            "cursor <",
            "cursor agent <",
            "cursor[bot]",
        ],
        &["made with [cursor]"],
    ),
    (
        "devin",
        &["devin-ai-integration[bot]", "devin@cognition", "devin ai <"],
        &["link to devin run", "link to devin session"],
    ),
    (
        "droid",
        &["factory-droid[bot]", "droid@factory.ai", "factory droid <"],
        &[],
    ),
    (
        "gemini",
        &[
            "gemini-cli@google.com",
            "+gemini-cli@users.noreply.github.com",
            "gemini-code-assist[bot]",
            "gemini-cli <",
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
        "junie",
        &["junie@jetbrains.com", "jetbrains-junie[bot]", "junie <"],
        &[],
    ),
    (
        "kiro",
        &[
            "kiro-agent[bot]",
            "+kiro-agent@users.noreply.github.com",
            "kiro agent <",
            "kiro <",
        ],
        &[],
    ),
    (
        "opencode",
        &[
            "opencode@sst.dev",
            "noreply@opencode.ai",
            "opencode <",
            "opencode[bot]",
            "opencode-agent[bot]",
        ],
        &["generated with opencode", "generated with [opencode]"],
    ),
    (
        "openhands",
        &[
            "openhands@all-hands.dev",
            "openhands@openhands.dev",
            "openhands-ai[bot]",
            "openhands-agent <",
            "openhands <",
        ],
        &[],
    ),
    (
        "qwen",
        &["qwen-coder@alibabacloud.com", "qwen-coder <", "qwen code <"],
        &["generated with qwen code"],
    ),
    ("replit", &[], &["replit-commit-author: agent"]),
    (
        "roo",
        &[
            "roomote[bot]",
            "roomote-v0[bot]",
            "roomote@roocode.com",
            "roo code <",
        ],
        &[],
    ),
    ("warp", &["agent@warp.dev"], &[]),
    (
        "windsurf",
        &[
            "windsurf@codeium.com",
            "windsurf[bot]",
            "windsurf <",
            "cascade <",
        ],
        &[],
    ),
];

/// Trailers that name an author of a commit.
const PEOPLE: &[&str] = &["co-authored-by", "co-developed-by"];

/// Trailers that name tools, perhaps with a model: `Assisted-by: Claude:claude-opus-4`.
const TOOLS: &[&str] = &["assisted-by", "generated-by", "made-with", "agent"];

/// Marks commits without an agent.
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
    /// Adds an agent, or marks to a known one.
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

    /// The agents that contributed to a commit, by name.
    #[must_use]
    pub fn of(&self, commit: &Commit) -> Vec<String> {
        let person = |name: &str, email: &str| format!("{name} <{email}>").to_lowercase();
        let mut people = vec![person(&commit.author.name, &commit.author.email)];
        people.push(person(&commit.committer.name, &commit.committer.email));
        let message = commit.message.to_lowercase();
        let lines = message
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        // Not only in git's trailer block: tools that squash or edit messages leave trailers
        // anywhere.
        for line in lines.clone().skip(1) {
            people.extend(named_in(line).into_iter().flatten());
        }
        let lines: Vec<&str> = lines.map(|line| line.trim_start_matches(is_sign)).collect();
        let has = |agent: &&Agent| {
            let named = |part: &String| people.iter().any(|person| holds(person, part));
            let begun = |part: &String| lines.iter().any(|line| line.starts_with(part.as_str()));
            agent.people.iter().any(named) || agent.lines.iter().any(begun)
        };
        self.known
            .iter()
            .filter(has)
            .map(|agent| agent.name.clone())
            .collect()
    }
}

/// The author or tool in a lower-case line, if it is a trailer for that: the value, and for a tool
/// also its name without model and remarks.
fn named_in(line: &str) -> Option<[String; 2]> {
    let (key, value) = line.split_once(':')?;
    let is_tool = TOOLS.contains(&key);
    if !is_tool && !PEOPLE.contains(&key) {
        return None;
    }
    let value = value.trim();
    let name = match is_tool {
        true => value.split([':', '(', '<', '[']).next().unwrap_or(value),
        false => value,
    };
    Some([format!("{value} "), format!("{name} ")])
}

/// Characters that tools put before a line: bullets, emoji.
fn is_sign(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Agents of the merges of a line of first parents, by their position on it. On such a line a merge
/// is one step, and its changes are the work of the commits that it brings in, regardless of who
/// merged: it counts for their agents, and for [`NO_AGENT`] too if some of them name no agent.
/// Merges among them add nothing. A merge without other commits is left out.
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

/// Whether a person matches a mark; a mark that ends in ` <` is the whole name.
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
    use slope_testkit::git::{git, git_as};

    use super::*;

    fn commit(author: &str, message: &str) -> Commit {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q"]);
        let commit = ["commit", "-q", "--allow-empty", "-m", message];
        git_as(dir.path(), author, &commit);
        let reader = slope_git::Repo::open(dir.path()).unwrap().reader();
        reader.commit(reader.head().unwrap()).unwrap()
    }

    #[test]
    fn agents_are_recognised_by_signature() {
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
    fn trailers_and_tool_lines_name_agents() {
        let agents = Agents::default();
        let told = |line: &str| agents.of(&commit("A", &format!("Fix\n\n{line}\n")));
        for (line, agent) in [
            ("Assisted-by: Claude:claude-opus-4 sparse", "claude"),
            ("Claude-Session: https://claude.ai/code/session_1", "claude"),
            (
                "\u{1f916} Generated with [Claude Code](https://claude.com)",
                "claude",
            ),
            (
                "Why.\nco-authored-by: claude <noreply@anthropic.com>\nMore.",
                "claude",
            ),
            ("    Co-authored-by: Claude Opus 4.5 <a@b>", "claude"),
            (
                "Co-authored-by: gemini-cli <218195315+gemini-cli@users.noreply.github.com>",
                "gemini",
            ),
            ("Co-Authored-By: Warp <agent@warp.dev>", "warp"),
            ("Co-authored-by: Cline <cline@x>", "cline"),
            ("Co-authored-by: Cursor <cursoragent@cursor.com>", "cursor"),
            ("Made-with: Cursor", "cursor"),
            (
                "Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>",
                "copilot",
            ),
            ("Co-authored-by: codex", "codex"),
            (
                "Co-authored-by: aider (gpt-5) <noreply@aider.chat>",
                "aider",
            ),
            (
                "Co-authored-by: factory-droid[bot] <1+factory-droid[bot]@users.noreply.github.com>",
                "droid",
            ),
            (
                "Co-authored-by: openhands <openhands@all-hands.dev>",
                "openhands",
            ),
            ("Amp-Thread-ID: https://ampcode.com/threads/T-1", "amp"),
            ("Co-authored-by: opencode <noreply@opencode.ai>", "opencode"),
            ("Co-authored-by: Kiro <noreply@kiro.dev>", "kiro"),
            (
                "Co-authored-by: Windsurf <noreply@windsurf.com>",
                "windsurf",
            ),
            ("Co-authored-by: Roo Code <noreply@roocode.com>", "roo"),
        ] {
            assert_eq!(told(line), [agent], "{line}");
        }
    }

    #[test]
    fn mentioning_agent_is_not_a_signature() {
        let agents = Agents::default();
        let told = |line: &str| agents.of(&commit("A", &format!("Fix\n\n{line}\n")));
        for line in [
            "Revert the Co-authored-by: Claude trailer that is in the docs",
            "It was not generated with Claude Code.",
            "Co-authored-by: Warp Ten <warp@example.com>",
            "See-also: Claude <noreply@anthropic.com>",
        ] {
            assert_eq!(told(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn projects_can_add_agents() {
        let mut agents = Agents::default();
        agents.add(Agent {
            name: "ours".to_owned(),
            people: vec!["Robo <".to_owned()],
            lines: Vec::new(),
        });
        assert_eq!(agents.of(&commit("robo", "Fix")), ["ours"]);
    }
}
