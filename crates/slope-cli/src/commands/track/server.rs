//! The server of `slope track`: options before variables before the configuration.

use anyhow::bail;
use slope_track::{Project, Server, check_address};

use crate::args::{Checked, ServerArgs};
use crate::setup::variable;

/// Variables with the address of the server and its token.
const ADDRESS: &str = "SLOPE_SERVER";
const TOKEN: &str = "SLOPE_TOKEN";

/// The server that options, variables or the configuration name.
pub(crate) fn server(args: &ServerArgs, project: &Project) -> anyhow::Result<Server> {
    let said = |checked: &Option<Checked>| checked.as_ref().map(|checked| checked.0.clone());
    let of_config = || project.settings.server.clone();
    let url = args.server.clone().or_else(|| variable(ADDRESS));
    let Some(url) = url.or_else(of_config) else {
        bail!(
            "there is no server to send to\nhelp: name it with --server or SLOPE_SERVER, or as `server` in [track] of slope.toml"
        );
    };
    if let Err(message) = check_address(&url) {
        bail!("{message}");
    }
    let of_config = || project.settings.project.clone();
    let Some(name) = said(&args.project).or_else(of_config) else {
        bail!(
            "the project has no name on the server\nhelp: name it with --project, or as `project` in [track] of slope.toml"
        );
    };
    let token = match &args.token_env {
        Some(name) => match variable(name) {
            Some(token) => Some(token),
            None => bail!("the variable {name} is not set\nhelp: set it to a token of the server"),
        },
        None => variable(TOKEN),
    };
    if token
        .as_ref()
        .is_some_and(|token| !token.bytes().all(|byte| byte.is_ascii_graphic()))
    {
        bail!("the token has spaces or other characters that no token has\nhelp: copy it again");
    }
    let server = Server {
        url: url.trim_end_matches('/').to_owned(),
        project: name,
        token,
    };
    if server.exposes_token() && !args.insecure_http {
        bail!(
            "{} is not encrypted, so others could read the token\nhelp: use https, or add --insecure-http if you trust the network",
            server.url
        );
    }
    Ok(server)
}

/// The server of variables and the configuration, if there is one.
pub(super) fn configured(project: &Project) -> Option<Server> {
    let url = variable(ADDRESS).or_else(|| project.settings.server.clone())?;
    Some(Server {
        url: url.trim_end_matches('/').to_owned(),
        project: project.settings.project.clone()?,
        token: None,
    })
}
