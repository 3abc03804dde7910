//! Arguments of `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  slope serve                                   for this machine, on http://127.0.0.1:8750
  slope serve project add shop                  add a project
  slope track push --server http://127.0.0.1:8750 --project shop
  slope serve --listen 0.0.0.0:8750 --data /var/lib/slope
  slope serve token add --project shop --scope push --data /var/lib/slope
  slope serve --database postgres://slope@db.example/slope

On an address of this machine alone, no token is needed. Anywhere else each request needs one: as
`Authorization: Bearer TOKEN`, or on the sign-in page. Give the server an address with TLS through
a proxy. The server ends with SIGTERM or Ctrl-C, after the requests in flight.
Exit codes: 0 it ended; 2 invalid usage, or a database that slope cannot use; 3 the server failed."
)]
pub(crate) struct ServeAll {
    #[command(subcommand)]
    pub(crate) command: Option<ServeCommand>,
    /// Address to listen on. Port 0 takes any free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8750")]
    pub(crate) listen: SocketAddr,
    #[command(flatten)]
    pub(crate) place: DatabaseArgs,
    /// Require a token on an address of this machine, too.
    #[arg(long)]
    pub(crate) require_token: bool,
    /// Site whose pages may ask the server, as https://HOST. Repeat it for several.
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<Site>,
    /// Remove points, changes, runs and watches that are older than N days; the last point of a series stays
    /// [default: keep everything].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36500))]
    pub(crate) keep_days: Option<u32>,
    /// Open the pages in a browser.
    #[arg(long)]
    pub(crate) open: bool,
}

/// Where the server keeps its data.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    /// Folder for the database and for runs [default: slope-data].
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Database to use instead of the one in the folder: postgres://USER@HOST/NAME or sqlite://FILE.
    /// [default: SLOPE_DATABASE, so that a password is not in the list of processes].
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServeCommand {
    /// Add, list and remove projects.
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Add, list and revoke tokens.
    #[command(subcommand)]
    Token(TokenCommand),
    /// Write everything in the database to one file, while the server may run.
    #[command(after_help = "\
Examples:
  slope serve backup slope.backup
  slope serve backup slope.backup --database postgres://slope@db.example/slope")]
    Backup {
        /// File to write. A file that is there is replaced.
        file: PathBuf,
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// Read a backup into a new database, also into one of another kind.
    #[command(after_help = "\
Examples:
  slope serve restore slope.backup --data /var/lib/slope
  slope serve restore slope.backup --database postgres://slope@db.example/slope")]
    Restore {
        /// Backup to read.
        file: PathBuf,
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// Ask a server whether it works, for health checks.
    #[command(after_help = "\
Examples:
  slope serve health
  slope serve health http://127.0.0.1:9000

Exit codes: 0 the server and its database answer; 1 they do not.")]
    Health {
        /// Address of the server.
        #[arg(default_value = "http://127.0.0.1:8750", value_parser = server_address)]
        url: String,
    },
    /// Print the description of the HTTP API (OpenAPI 3.1).
    #[command(after_help = "\
Examples:
  slope serve openapi > openapi.json")]
    Openapi,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Add a project.
    #[command(after_help = "\
Examples:
  slope serve project add shop
  slope serve project add shop --title \"The shop\" --data /var/lib/slope")]
    Add {
        /// Name in addresses: letters, digits, `.`, `-` and `_`.
        name: String,
        /// Name for people [default: the name].
        #[arg(long, value_name = "TEXT")]
        title: Option<String>,
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// List the projects.
    #[command(after_help = "\
Examples:
  slope serve project list
  slope serve project list --format json")]
    List {
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// Remove a project with all its points and tokens.
    #[command(after_help = "\
Examples:
  slope serve project remove shop --yes")]
    Remove {
        /// Name of the project.
        name: String,
        /// Confirm that its points and tokens are lost.
        #[arg(long, required = true)]
        yes: bool,
        #[command(flatten)]
        place: DatabaseArgs,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Add a token, and print its secret once.
    #[command(after_help = "\
Examples:
  slope serve token add --project shop --scope push --label ci
  slope serve token add --all-projects --scope read --label dashboard")]
    Add {
        /// Project that the token is for.
        #[arg(
            long,
            value_name = "NAME",
            required_unless_present = "all_projects",
            conflicts_with = "all_projects"
        )]
        project: Option<String>,
        /// Make a token for all projects.
        #[arg(long)]
        all_projects: bool,
        /// What the token allows. Each scope includes those before it.
        #[arg(long, value_enum, value_name = "SCOPE")]
        scope: TokenScope,
        /// Note on its use.
        #[arg(long, value_name = "TEXT")]
        label: Option<String>,
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// List the tokens, without their secrets.
    #[command(after_help = "\
Examples:
  slope serve token list
  slope serve token list --format json")]
    List {
        #[command(flatten)]
        place: DatabaseArgs,
    },
    /// Revoke a token.
    #[command(after_help = "\
Examples:
  slope serve token revoke k5jq2mzyaa")]
    Revoke {
        /// Id of the token, from `slope serve token list`.
        id: String,
        #[command(flatten)]
        place: DatabaseArgs,
    },
}

fn server_address(text: &str) -> Result<String, String> {
    slope_track::check_address(text)?;
    Ok(text.to_owned())
}

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TokenScope {
    /// Read.
    Read,
    /// Read, and add points and runs.
    Push,
    /// Also remove points, and add and revoke tokens.
    Admin,
}

/// A site whose pages may ask.
#[derive(Debug, Clone)]
pub(crate) struct Site(pub(crate) String);

impl std::str::FromStr for Site {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let host = text
            .strip_prefix("https://")
            .or_else(|| text.strip_prefix("http://"));
        let is_host = |host: &str| {
            let mut chars = host.chars();
            !host.is_empty() && chars.all(|c| c.is_ascii_alphanumeric() || "-.:[]".contains(c))
        };
        match host {
            Some(host) if is_host(host) => Ok(Self(text.to_owned())),
            _ => Err("expected https://HOST, without a path".to_owned()),
        }
    }
}
