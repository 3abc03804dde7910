//! `slope gc`: removes leftovers of runs from a container engine.

use std::fmt::Write;

use serde::Serialize;
use slope_report::Format;
use slope_runtime_docker::gc::{self, Garbage, Item, Kind, Scope};
use slope_runtime_docker::{Engine, Error};

use super::output;
use crate::args::Gc;
use crate::exit::Done;
use crate::setup::open_error;

/// Schema of the JSON form.
const SCHEMA: &str = "slope.gc/1";

/// JSON output.
#[derive(Debug, Serialize)]
struct Told<'a> {
    /// [`SCHEMA`].
    schema: &'static str,
    /// Address of the engine.
    engine: &'a str,
    /// Whether this was a dry run, which removes nothing.
    dry_run: bool,
    /// Unneeded items, and the number of others.
    #[serde(flatten)]
    garbage: &'a Garbage,
}

pub(crate) fn run(args: &Gc, format: Format) -> anyhow::Result<Done> {
    let engine = match Engine::connect(args.host.as_deref()) {
        Ok(engine) => engine,
        Err(Error::NoEngine { address, .. }) if !is_named(args) && !has_socket(&address) => {
            return nothing(&address, args.dry_run, format);
        }
        Err(error) if is_named(args) => return Err(error.into()),
        // An engine that exists but does not respond may have something to remove.
        Err(error) => return Err(open_error(error.into())),
    };
    let scope = Scope {
        images: args.images,
    };
    let mut garbage = gc::find(&engine, scope).map_err(|error| open_error(error.into()))?;
    if !args.dry_run {
        gc::remove(&engine, &mut garbage);
    }
    match format {
        Format::Json => output::json(&Told {
            schema: SCHEMA,
            engine: engine.address(),
            dry_run: args.dry_run,
            garbage: &garbage,
        })?,
        _ => {
            output::text(&describe(&garbage, engine.address(), args.dry_run)?)?;
        }
    }
    let failed = garbage.items.iter().any(|item| item.error.is_some());
    Ok(if failed { Done::Unmet } else { Done::Fine })
}

/// Whether there is a socket at an address that slope chose.
fn has_socket(address: &str) -> bool {
    let path = address.strip_prefix("unix://");
    path.is_none_or(|path| std::path::Path::new(path).exists())
}

/// Whether an option or the environment names the engine.
fn is_named(args: &Gc) -> bool {
    args.host.is_some() || std::env::var("DOCKER_HOST").is_ok_and(|host| !host.is_empty())
}

/// Reports that there is no engine on this machine, so no run can have left anything in one.
fn nothing(address: &str, dry_run: bool, format: Format) -> anyhow::Result<Done> {
    match format {
        Format::Json => output::json(&Told {
            schema: SCHEMA,
            engine: address,
            dry_run,
            garbage: &Garbage {
                items: Vec::new(),
                kept: 0,
            },
        })?,
        _ => output::text(&format!(
            "nothing to remove: no container engine answers at {address}; \
             if yours is elsewhere, name it with --host"
        ))?,
    }
    Ok(Done::Fine)
}

fn describe(garbage: &Garbage, engine: &str, dry_run: bool) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for item in &garbage.items {
        writeln!(text, "{}", line(item, dry_run))?;
    }
    let verb = if dry_run { "to remove" } else { "removed" };
    let done = garbage
        .items
        .iter()
        .filter(|i| dry_run || i.removed)
        .count();
    writeln!(
        text,
        "{done} {verb}, {} kept in the engine at {engine}",
        garbage.kept
    )?;
    Ok(text)
}

fn line(item: &Item, dry_run: bool) -> String {
    let kind = match item.kind {
        Kind::Container => "container",
        Kind::Volume => "volume",
        Kind::Image => "image",
        Kind::Folder => "folder",
    };
    // Ids are long, and a prefix is unique enough.
    let name: String = match item.kind {
        Kind::Container | Kind::Volume => item.name.chars().take(12).collect(),
        Kind::Image | Kind::Folder => item.name.clone(),
    };
    let run = match item.run.as_str() {
        "" | "-" => String::new(),
        run => format!(" of run {run}"),
    };
    let what = match (&item.error, dry_run) {
        (Some(error), _) => format!("remains: {error}"),
        (None, true) => "would be removed".to_owned(),
        (None, false) => "removed".to_owned(),
    };
    format!("{kind:<9} {name}{run}: {}; {what}", item.why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gc_line_names_item_and_reason() {
        let item = Item {
            kind: Kind::Container,
            name: "0123456789abcdef".to_owned(),
            run: "r1".to_owned(),
            why: "process 7 that owned it is gone".to_owned(),
            bytes: None,
            removed: false,
            error: Some("in use".to_owned()),
        };
        assert_eq!(
            line(&item, false),
            "container 0123456789ab of run r1: process 7 that owned it is gone; remains: in use"
        );
    }
}
