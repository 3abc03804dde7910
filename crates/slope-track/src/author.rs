//! Who or what wrote the code, from commits.

use std::collections::BTreeSet;

use slope_git::{Commit, Reader};
use slope_history::Agents;
use slope_model::series::Author;

/// Marks commits without an agent, as in histories.
const NO_AGENT: &str = "none";

/// The author of some commits, as far as all of them agree. Merges add nothing of their own.
pub(crate) fn of_commits(reader: &Reader, commits: &[Commit]) -> Author {
    let known = Agents::default();
    let mailmap = reader.mailmap();
    let (mut agents, mut people) = (BTreeSet::new(), BTreeSet::new());
    let mut has_others = false;
    for commit in commits.iter().filter(|commit| commit.parents.len() < 2) {
        let by = known.of(commit);
        has_others |= by.is_empty();
        agents.extend(by);
        // An agent that commits by itself is not a person.
        let signed = Commit {
            message: String::new(),
            committer: commit.author.clone(),
            ..commit.clone()
        };
        let is_person = known.of(&signed).is_empty();
        people.insert(is_person.then(|| mailmap.resolve(&commit.author).0));
    }
    if has_others && !agents.is_empty() {
        agents.insert(NO_AGENT.to_owned());
    }
    let agents: Vec<String> = agents.into_iter().collect();
    let person = match people.len() {
        1 => people.pop_first().flatten().filter(|name| !name.is_empty()),
        _ => None,
    };
    Author {
        person,
        agent: (!agents.is_empty()).then(|| agents.join("+")),
        ..Author::default()
    }
}

/// An author with the parts that were given, and otherwise those of commits.
pub(crate) fn merged(said: Author, of_commits: Author) -> Author {
    Author {
        person: said.person.or(of_commits.person),
        agent: said.agent.or(of_commits.agent),
        ..said
    }
}
