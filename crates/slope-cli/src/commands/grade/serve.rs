//! `slope grade serve`: grades over HTTP.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use slope_grade::{Engine, Pack};
use slope_http::{App, Server, Settings, raise_file_limit};
use slope_model::plural;

use crate::args::Serve;
use crate::setup::stopped_gently;

/// Files that a server wants to have open: connections, mostly.
const WANTED_FILES: u64 = 20_000;
pub(super) fn run(args: &Serve, pack: Pack, quiet: bool) -> anyhow::Result<()> {
    let token = args.token_file.as_deref().map(token).transpose()?;
    if token.is_none() && !args.listen.ip().is_loopback() && !args.no_token {
        bail!(
            "{} can be reached from other machines, and there is no token\n\
             help: give --token-file FILE, or --no-token if only friends can reach it",
            args.listen
        );
    }
    let threads = usize::from(args.threads.unwrap_or(0));
    let engine = Engine::new(threads)?;
    let tests = super::tests::service(&args.tests)?;
    let mut settings = Settings {
        token,
        roots: args.root.clone(),
        queue: args.queue,
        deadline_ms: args.deadline_ms,
        bases: args.max_bases,
        ..Settings::default()
    };
    if threads > 0 {
        settings.workers = threads;
    }
    let files = raise_file_limit();
    if files < WANTED_FILES && !quiet {
        anstream::eprintln!(
            "slope: the system allows {files} open files, so fewer connections\nhelp: raise the limit with `ulimit -n`"
        );
    }
    let app = App::new(settings, engine, pack, tests);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("could not start the server's threads")?;
    runtime.block_on(serve(args, app, quiet))
}

async fn serve(args: &Serve, app: Arc<App>, quiet: bool) -> anyhow::Result<()> {
    let server = Server::bind(app.router(), app.patience(), args.listen)?;
    let address = server.address().context("could not read the address")?;
    if !quiet {
        anstream::eprintln!("slope: listening on http://{address}");
    }
    let end = stopped_gently("ending after the requests in flight");
    let (names, strip) = (args.base.clone(), args.strip_components);
    let opened = tokio::task::spawn_blocking(move || open_all(&app, &names, strip, quiet));
    let serving = tokio::spawn(server.run(end));
    opened.await.context("could not open the bases")??;
    serving.await.context("the server failed")
}

fn open_all(app: &App, names: &[String], strip: usize, quiet: bool) -> anyhow::Result<()> {
    for base in names {
        let (name, place) = named(base);
        let opened = app.bases().engine().open(place, strip)?;
        let said = format!(
            "slope: base {name} is open: {}, {}",
            plural(opened.file_count(), "file"),
            opened.id()
        );
        if let Err(reason) = app.bases().add(name, opened) {
            bail!("{reason}\nhelp: name each base once: --base NAME=PATH");
        }
        if !quiet {
            anstream::eprintln!("{said}");
        }
    }
    app.set_ready();
    Ok(())
}

/// Name and place of `NAME=PATH`; a place alone is its own name.
fn named(base: &str) -> (&str, &str) {
    let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '@', '.']);
    match base.split_once('=') {
        Some((name, place)) if is_name(name) && !Path::new(base).exists() => (name, place),
        _ => (base, base),
    }
}

fn token(path: &Path) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("could not read {}", path.display()))?;
    let token = text.trim();
    if token.is_empty() {
        bail!("{} is empty\nhelp: write a token into it", path.display());
    }
    Ok(token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn bases_have_names_or_their_places() {
        assert_eq!(named("app=src/app@main"), ("app", "src/app@main"));
        assert_eq!(named("src/app@main"), ("src/app@main", "src/app@main"));
        assert_eq!(named("./a=b"), ("./a=b", "./a=b"));
    }
}
