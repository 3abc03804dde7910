//! `slope check --push`: the judgement of a change for a server.

use std::path::Path;

use anstream::eprintln;
use slope_model::error_text::ErrorText;
use slope_model::gate::Judgement;
use slope_model::schema;
use slope_model::sent_change::SentChange;
use slope_model::series::Author;
use slope_report::{change_address, clean};
use slope_track::{Project, push_change};

use crate::args::ChangeArgs;
use crate::commands::track::server;
use crate::exit::{self, Done};

/// Variables that name the agent that wrote the change, as for `slope track add`.
const AGENT: [&str; 4] = [
    "SLOPE_AGENT",
    "SLOPE_AGENT_VERSION",
    "SLOPE_MODEL",
    "SLOPE_SESSION",
];

/// Sends a judgement if the options say so. A verdict does not depend on it.
pub(super) fn sent(args: &ChangeArgs, path: &Path, judgement: &Judgement) -> anyhow::Result<Done> {
    let Some(key) = args.change.as_ref().filter(|_| args.push) else {
        return Ok(Done::Fine);
    };
    let folder = if path.is_dir() { path } else { Path::new(".") };
    let server = server(&args.server, &Project::find(folder, None)?)?;
    let [agent, agent_version, model, session] = AGENT.map(|name| std::env::var(name).ok());
    let change = SentChange {
        schema: schema::SENT_CHANGE.to_owned(),
        title: args.title.clone(),
        link: args.link.clone(),
        author: Author {
            agent,
            agent_version,
            model,
            session,
            person: None,
        },
        judgement: judgement.clone(),
    };
    if let Err(fault) = change.check() {
        anyhow::bail!("cannot send the judgement: {fault}");
    }
    match push_change(&server, &key.0, &change) {
        Ok(()) => {
            let address = change_address(&server.project, &key.0);
            eprintln!("The judgement is shown at {}{address}", clean(&server.url));
            Ok(Done::Fine)
        }
        Err(error) => {
            exit::print(&ErrorText::of(&error));
            eprintln!("the judgement was not sent");
            Ok(Done::NotSent)
        }
    }
}
