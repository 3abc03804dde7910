//! `slope serve`: the server with the HTTP API and the pages.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use slope_database::{Database, Place, Scope, Token};
use slope_http::{Server, raise_file_limit};
use slope_model::error_text::ErrorText;
use slope_model::plural;
use slope_report::Format;
use slope_serve::{App, Settings};
use tokio::runtime::Runtime;

use super::output;
use crate::args::{DatabaseArgs, ProjectCommand, ServeAll, ServeCommand, TokenCommand, TokenScope};
use crate::exit::{self, Done};
use crate::setup::stopped_gently;

/// Folder for the database, unless the user names one.
const FOLDER: &str = "slope-data";
/// The database in that folder.
const FILE: &str = "slope.db";
/// Variable with the address of the database.
const DATABASE: &str = "SLOPE_DATABASE";
/// What an operator reads at the first Ctrl-C.
const ENDING: &str = "ending after the requests in flight";
/// Longest time that the end waits for work on code.
const LAST_WORK: Duration = Duration::from_secs(5);
/// Projects that a list asks for at once.
const PAGE: u32 = 1000;

pub(crate) fn run(args: &ServeAll, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("could not start the server's threads")?;
    match &args.command {
        None => {
            runtime.block_on(serve(args, quiet))?;
            // Work on hostile code may not end.
            runtime.shutdown_timeout(LAST_WORK);
            return Ok(Done::Fine);
        }
        Some(ServeCommand::Project(command)) => project(&runtime, command, format)?,
        Some(ServeCommand::Token(command)) => token(&runtime, command, format)?,
        Some(ServeCommand::Backup { file, place }) => {
            runtime.block_on(back_up(file, place, format))?;
        }
        Some(ServeCommand::Restore { file, place }) => {
            runtime.block_on(restore(file, place, format))?;
        }
        Some(ServeCommand::Health { url }) => return health(url, format),
        Some(ServeCommand::Openapi) => {
            let text = runtime.block_on(slope_serve::openapi_text())?;
            output::document(&text)?;
        }
    }
    Ok(Done::Fine)
}

/// Asks a server whether it works.
fn health(url: &str, format: Format) -> anyhow::Result<Done> {
    let found = slope_track::check_health(url);
    if let Err(error) = &found {
        exit::print(&ErrorText::of(error));
        return Ok(Done::Unmet);
    }
    let works = serde_json::json!({ "status": "ok" });
    output::json_or_text(format, &works, &format!("{url} works"))?;
    Ok(Done::Fine)
}

async fn serve(args: &ServeAll, quiet: bool) -> anyhow::Result<()> {
    let is_open = args.listen.ip().is_loopback() && !args.require_token;
    let database = open(&args.place).await?;
    let needs_token = !is_open && !database.has_tokens().await?;
    raise_file_limit();
    let settings = Settings {
        is_open,
        origins: args
            .allow_origin
            .iter()
            .map(|site| site.0.clone())
            .collect(),
        ..Settings::default()
    };
    let app = App::new(settings, database)?;
    let server = Server::bind(app.router(), app.patience(), args.listen)?;
    let address = server.address().context("could not read the address")?;
    if !quiet {
        anstream::eprintln!("slope: listening on http://{address}");
        if needs_token {
            anstream::eprintln!(
                "slope: no request can succeed yet, because each needs a token and you have made none\n\
                 help: make one with `slope serve token add --all-projects --scope admin`"
            );
        }
    }
    if args.open {
        show(&format!("http://{address}"));
    }
    let removal = args.keep_days.map(|days| {
        let app = app.clone();
        let report = move |text: String| {
            if !quiet {
                anstream::eprintln!("slope: {text}");
            }
        };
        tokio::spawn(async move { app.forget_old(days, report).await })
    });
    let home = app.clone();
    let home = tokio::spawn(async move { home.keep_home_ready().await });
    server.run(stopped_gently(ENDING)).await;
    home.abort();
    if let Some(removal) = removal {
        removal.abort();
    }
    app.close().await;
    Ok(())
}

/// Opens an address in the user's browser.
fn show(address: &str) {
    if let Err(error) = open::that_detached(address) {
        anstream::eprintln!("slope: could not open a browser: {error}\nhelp: open {address}");
    }
}

/// Opens the database, and makes the folder that it is in.
async fn open(args: &DatabaseArgs) -> anyhow::Result<Database> {
    let address = args
        .database
        .clone()
        .or_else(|| std::env::var(DATABASE).ok());
    let place = match address {
        Some(address) => Place::of_address(&address)?,
        None => Place::file(&folder(args)?.join(FILE)),
    };
    Ok(Database::open(place).await?)
}

/// Opens a database that must be there, so that a misspelt folder is not a new server.
async fn open_known(args: &DatabaseArgs) -> anyhow::Result<Database> {
    let folder = args.data.as_deref().unwrap_or(Path::new(FOLDER));
    let is_elsewhere = args.database.is_some() || std::env::var_os(DATABASE).is_some();
    if !is_elsewhere && !folder.join(FILE).exists() {
        bail!(
            "there is no server's database in {}\nhelp: name its folder with --data, or start a server there",
            folder.display()
        );
    }
    open(args).await
}

fn folder(args: &DatabaseArgs) -> anyhow::Result<PathBuf> {
    let folder = args.data.as_deref().unwrap_or(Path::new(FOLDER));
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "could not create {}\nhelp: choose another folder with --data",
            folder.display()
        )
    })?;
    // A relative path would be one of the server's address.
    std::path::absolute(folder).with_context(|| format!("could not find {}", folder.display()))
}

async fn back_up(file: &Path, place: &DatabaseArgs, format: Format) -> anyhow::Result<()> {
    let database = open_known(place).await?;
    let failed = || format!("could not write {}", file.display());
    // A file beside it takes its place when it is whole.
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
    let mut new = new.with_context(failed)?;
    let points = database.back_up(&mut BufWriter::new(&mut new)).await?;
    new.as_file().sync_all().with_context(failed)?;
    new.persist(file).with_context(failed)?;
    let text = format!("wrote {} to {}", plural(points, "point"), file.display());
    output::json_or_text(format, &serde_json::json!({ "points": points }), &text)
}

async fn restore(file: &Path, place: &DatabaseArgs, format: Format) -> anyhow::Result<()> {
    let from = File::open(file).with_context(|| format!("could not read {}", file.display()))?;
    let points = open(place).await?.restore(BufReader::new(from)).await?;
    let text = format!("read {} from {}", plural(points, "point"), file.display());
    output::json_or_text(format, &serde_json::json!({ "points": points }), &text)
}

fn project(runtime: &Runtime, command: &ProjectCommand, format: Format) -> anyhow::Result<()> {
    runtime.block_on(async {
        match command {
            ProjectCommand::Add { name, title, place } => {
                let project = open(place)
                    .await?
                    .add_project(name, title.as_deref().unwrap_or_default())
                    .await?;
                let text = format!("added the project {}", project.name);
                output::json_or_text(format, &project, &text)
            }
            ProjectCommand::List { place } => {
                let database = open_known(place).await?;
                let mut all = database.projects("", PAGE).await?;
                while all.len().is_multiple_of(PAGE as usize)
                    && let Some(last) = all.last()
                {
                    let more = database.projects(&last.name.clone(), PAGE).await?;
                    if more.is_empty() {
                        break;
                    }
                    all.extend(more);
                }
                let lines = all.iter().map(|it| format!("{}  {}", it.name, it.title));
                output::json_or_text(format, &all, &lines.collect::<Vec<_>>().join("\n"))
            }
            ProjectCommand::Remove { name, place, .. } => {
                open_known(place).await?.remove_project(name).await?;
                let text = format!("removed the project {name}");
                output::json_or_text(format, &serde_json::json!({ "removed": name }), &text)
            }
        }
    })
}

fn token(runtime: &Runtime, command: &TokenCommand, format: Format) -> anyhow::Result<()> {
    runtime.block_on(async {
        match command {
            TokenCommand::Add {
                project,
                scope,
                label,
                place,
                ..
            } => {
                let database = open(place).await?;
                let scope = match scope {
                    TokenScope::Read => Scope::Read,
                    TokenScope::Push => Scope::Push,
                    TokenScope::Admin => Scope::Admin,
                };
                let label = label.as_deref().unwrap_or_default();
                let made = database.add_token(scope, project.as_deref(), label);
                let (token, secret) = made.await?;
                let mut value = serde_json::to_value(&token)?;
                value["secret"] = secret.clone().into();
                anstream::eprintln!(
                    "slope: this is the only time that you see the secret of {}",
                    token.id
                );
                output::json_or_text(format, &value, &secret)
            }
            TokenCommand::List { place } => {
                let all = open_known(place).await?.tokens(None).await?;
                let lines: Vec<String> = all.iter().map(line).collect();
                output::json_or_text(format, &all, &lines.join("\n"))
            }
            TokenCommand::Revoke { id, place } => {
                open_known(place).await?.revoke_token(id, None).await?;
                let text = format!("revoked the token {id}");
                output::json_or_text(format, &serde_json::json!({ "revoked": id }), &text)
            }
        }
    })
}

fn line(token: &Token) -> String {
    let state = match &token.revoked {
        Some(time) => format!("revoked {time}"),
        None => format!("made {}", token.created),
    };
    let project = token.project.as_deref().unwrap_or("all projects");
    format!(
        "{}  {:5}  {project}  {state}  {}",
        token.id,
        token.scope.name(),
        token.label
    )
}
