//! `slope problem render` and `slope problem variants`.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use slope_author::variants::{self, Checked};
use slope_model::plural;
use slope_report::Format;

use super::setting;
use crate::args::problem::{Render, Variants};
use crate::commands::output;
use crate::exit::Done;

/// Version of the JSON form of `render`.
const RENDERED: &str = "slope.rendered-problem/1";
/// Version of the JSON form of `variants`.
const LISTED: &str = "slope.problem-variants/1";

#[derive(Serialize)]
struct Rendered {
    schema: &'static str,
    seed: u64,
    folder: PathBuf,
}

#[derive(Serialize)]
struct Listed<T> {
    schema: &'static str,
    variants: Vec<T>,
}

/// Choices of a seed: names, and values in words.
#[derive(Serialize)]
struct Chosen {
    seed: u64,
    values: Vec<(String, String)>,
}

pub(super) fn render(args: &Render, format: Format) -> anyhow::Result<Done> {
    let template = variants::template(&args.problem)?;
    variants::render(&template, args.seed)?.create(&args.out)?;
    let folder = args.out.clone();
    match format {
        Format::Json => output::json(&Rendered {
            schema: RENDERED,
            seed: args.seed,
            folder,
        })?,
        _ => output::text(&format!(
            "{} is the variant of seed {}",
            output::safe(&folder.display().to_string()),
            args.seed
        ))?,
    }
    Ok(Done::Fine)
}

pub(super) fn run(args: &Variants, format: Format) -> anyhow::Result<Done> {
    let seeds = args.seeds.first..args.seeds.end;
    if args.check {
        let machine = setting::machine(&args.isolation, &args.problem)?;
        let checked = variants::check(&setting::stage(&machine), &args.problem, seeds)?;
        let good = checked.iter().all(|one| one.faults.is_empty());
        print(checked, format, told)?;
        return Ok(if good { Done::Fine } else { Done::Unmet });
    }
    let open = variants::Variants::read(&variants::template(&args.problem)?)?;
    let chosen = |seed| Chosen {
        seed,
        values: open
            .values(seed)
            .into_iter()
            .map(|(name, value)| (name, value.to_string()))
            .collect(),
    };
    print(seeds.map(chosen).collect(), format, list)?;
    Ok(Done::Fine)
}

fn print<T: Serialize>(
    variants: Vec<T>,
    format: Format,
    told: impl Fn(&[T]) -> String,
) -> anyhow::Result<()> {
    match format {
        Format::Json => output::json(&Listed {
            schema: LISTED,
            variants,
        }),
        _ => output::text(&told(&variants)),
    }
}

fn list(all: &[Chosen]) -> String {
    let mut text = String::new();
    for one in all {
        let values = one.values.iter().filter(|(name, _)| name != "seed");
        let values: Vec<_> = values
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {}", one.seed, output::safe(&values.join(", ")));
    }
    text
}

fn told(all: &[Checked]) -> String {
    let mut text = String::new();
    for one in all {
        let state = match one.faults.len() {
            0 => "holds".to_owned(),
            count => plural(count, "fault"),
        };
        let hash = one
            .hash
            .as_deref()
            .map_or("-", |hash| &hash[..12.min(hash.len())]);
        // Writing to a String cannot fail.
        let _ = write!(text, "seed {} {hash}: {state}", one.seed);
        if let Some((passed, core)) = one.published_passes {
            let _ = write!(
                text,
                "; the published solutions pass {passed} of {}",
                plural(core, "core case")
            );
        }
        text.push('\n');
        for fault in &one.faults {
            let _ = writeln!(text, "    {}", output::safe(fault));
        }
    }
    text
}
