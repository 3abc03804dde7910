//! `slope measure FILE:LINE --why`: explains a line.

use std::path::{Path, PathBuf};

use anyhow::bail;
use slope_measure::Config;
use slope_model::plural;
use slope_report::{Format, Subject};
use slope_syntax::{Language, Limits};

use super::place::{Place, Target};
use crate::args::Measure;
use crate::commands::output;
use crate::exit::Done;

pub(super) fn run(
    args: &Measure,
    target: &Target,
    format: Format,
    quiet: bool,
) -> anyhow::Result<Done> {
    let Some(line) = target.line else {
        let file = if target.path.is_file() {
            target.path.clone()
        } else {
            target.path.join("FILE")
        };
        bail!(
            "--why explains a line\nhelp: name one, for example {}:10",
            file.display()
        );
    };
    if !matches!(format, Format::Human | Format::Json) || !args.output.output.is_empty() {
        bail!("--why prints only human or json on standard output");
    }
    let file = target.path.canonicalize()?;
    let root = root_of(&file, args)?;
    let Some(path) = relative(&root, &file) else {
        bail!("{} is not below {}", file.display(), root.display());
    };
    // Read before the measurement, so that a missing line is reported at once.
    let (text, source) = line_text(&file, line)?;
    let (measurer, rules) = super::measurer(args, &root)?;
    let measurement = super::measure(&measurer, &root, None, quiet)?;
    let facts = slope_report::line_facts(&measurement, &path, line, text, source);
    if matches!(format, Format::Json) {
        output::json(&facts)?;
        return Ok(Done::Fine);
    }
    let place = Place::of(&root);
    let subject = Subject {
        measurement: &measurement,
        rules: &rules,
        title: &place.title,
        prefix: &place.prefix,
        base: None,
        sources: None,
    };
    let (color, _) = output::screen();
    output::text(&slope_report::render_line_facts(&facts, &subject, color))?;
    Ok(Done::Fine)
}

/// Tree in which clones of the line are searched: its git repository, else the folder of its
/// configuration, else the working directory if it contains the file, else the folder of the file.
fn root_of(file: &Path, args: &Measure) -> anyhow::Result<PathBuf> {
    let own = file.parent().unwrap_or(Path::new("/")).to_owned();
    if let Some(top) = own.ancestors().find(|folder| folder.join(".git").exists()) {
        return Ok(top.to_owned());
    }
    if !args.files.isolated
        && let Some(found) = Config::find(file)?
        && let Some(folder) = found.path.parent()
    {
        return Ok(folder.to_owned());
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    Ok(here
        .ok()
        .filter(|here| own.starts_with(here))
        .unwrap_or(own))
}

fn relative(root: &Path, file: &Path) -> Option<String> {
    file.strip_prefix(root).ok().map(slope_model::path::slashed)
}

/// A line's text, and whether it is a source line by slope's definitions.
fn line_text(file: &Path, line: u32) -> anyhow::Result<(Option<String>, Option<bool>)> {
    let Some(language) = Language::of_path(file) else {
        bail!(
            "{} is in a language that slope does not support",
            file.display()
        );
    };
    let bytes = std::fs::read(file)?;
    let Ok(tree) = slope_syntax::parse(language, &bytes, &Limits::default()) else {
        return Ok((None, None));
    };
    let lines = tree.physical_lines();
    if line > lines {
        bail!(
            "{} has {}, so line {line} does not exist\nhelp: name a line from 1 to {lines}",
            file.display(),
            plural(lines, "line")
        );
    }
    let source = tree.source_lines(slope_syntax::Profile::Slope);
    let text = tree.row_text(line - 1).to_owned();
    Ok((Some(text), Some(source.contains(line - 1))))
}
