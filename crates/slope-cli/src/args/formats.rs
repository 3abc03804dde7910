//! The output formats of each command, in its help and in its errors.

use std::any::TypeId;

use clap::builder::{
    NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser,
};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, ValueEnum};
use slope_report::{
    Format, HISTORY_FORMATS, JUDGEMENT_FORMATS, MEASUREMENT_FORMATS, SERIES_FORMATS, STUDY_FORMATS,
    format_names,
};

use super::{Cli, Profile, refusals};

/// The formats of most commands.
const BASIC: &[Format] = &[Format::Human, Format::Json];

/// The formats of commands about runs, and of tables of repositories.
const WITH_MARKDOWN: &[Format] = &[Format::Human, Format::Json, Format::Markdown];

/// The formats of a command, the default first.
fn of(path: &[&str]) -> &'static [Format] {
    match path {
        ["measure"] => MEASUREMENT_FORMATS,
        ["check"] => JUDGEMENT_FORMATS,
        ["history"] => HISTORY_FORMATS,
        ["report"] => STUDY_FORMATS,
        ["track", "plot"] => SERIES_FORMATS,
        ["quickstart" | "run" | "resume" | "eval"] | ["research", "panel" | "table7"] => {
            WITH_MARKDOWN
        }
        _ => BASIC,
    }
}

/// Parses the name of a format, whichever command has it.
pub(super) fn format(name: &str) -> Result<Format, String> {
    Format::by_name(name).ok_or_else(|| "unknown format".to_owned())
}

/// The whole command line, with the formats of each command.
pub(crate) fn command() -> clap::Command {
    with_formats(Cli::command(), &mut Vec::new())
}

/// Parses the command line. Prints help or an error and exits if that is all to do.
pub(crate) fn parse() -> Cli {
    let mut command = command();
    let matches = match command.try_get_matches_from_mut(std::env::args_os()) {
        Ok(matches) => matches,
        Err(error) => refusals::end(&error, &command),
    };
    let parsed = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command));
    let cli = parsed.unwrap_or_else(|error| refusals::end(&error, &command));
    // The value may come before the command: `slope --format csv check`.
    let mut path = Vec::new();
    let mut here = &matches;
    while let Some((name, below)) = here.subcommand() {
        path.push(name);
        here = below;
    }
    let formats = of(&path);
    if !formats.contains(&cli.format) {
        refuse(&command, cli.format, formats);
    }
    cli
}

/// Ends with the error for a format that another command has.
fn refuse(command: &clap::Command, format: Format, formats: &[Format]) -> ! {
    let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
    let names = formats
        .iter()
        .map(|format| format.name().to_owned())
        .collect();
    error.insert(
        ContextKind::InvalidArg,
        ContextValue::String("--format <FORMAT>".to_owned()),
    );
    error.insert(
        ContextKind::InvalidValue,
        ContextValue::String(format.name().to_owned()),
    );
    error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
    refusals::end(&error, command)
}

/// Gives each command below `path` an option with its own formats.
fn with_formats(mut command: clap::Command, path: &mut Vec<String>) -> clap::Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|sub| sub.get_name().to_owned())
        .collect();
    for name in &names {
        path.push(name.clone());
        command = command.mut_subcommand(name, |sub| with_formats(sub, path));
        path.pop();
    }
    if !names.is_empty() {
        return command;
    }
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    with_profiles(refuse_empty(command), profiles(&path)).arg(option(of(&path)))
}

/// Refuses empty text in every argument, as paths are refused anyway: no revision, path or name is empty.
fn refuse_empty(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let is_text = arg.get_value_parser().type_id() == TypeId::of::<String>();
        let is_free = arg.get_possible_values().is_empty();
        if is_text && is_free {
            arg.value_parser(NonEmptyStringValueParser::new())
        } else {
            arg
        }
    })
}

/// The profiles of a command; those of other programs are only for measurements.
fn profiles(path: &[&str]) -> &'static [Profile] {
    match path {
        ["check"] => &[Profile::Slope, Profile::Strict],
        ["measure"] => Profile::value_variants(),
        _ => &[Profile::Slope, Profile::Strict, Profile::Paper],
    }
}

/// Gives the option `--profile`, if there is one, these values.
fn with_profiles(command: clap::Command, profiles: &'static [Profile]) -> clap::Command {
    let has_profile = command.get_arguments().any(|arg| arg.get_id() == "profile");
    if !has_profile {
        return command;
    }
    let values = profiles.iter().filter_map(ValueEnum::to_possible_value);
    let parser = PossibleValuesParser::new(values).try_map(|name| Profile::from_str(&name, false));
    command.mut_arg("profile", |arg| arg.value_parser(parser))
}

/// The option `--format` of a command.
fn option(formats: &'static [Format]) -> Arg {
    let values = formats.iter().map(|format| match format {
        Format::Human => PossibleValue::new(format.name()).alias("text"),
        _ => PossibleValue::new(format.name()),
    });
    let parser = PossibleValuesParser::new(values).try_map(|name| format(&name));
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(parser)
        .default_value("human")
        .hide_default_value(true)
        .hide_possible_values(true)
        .help_heading("Global options")
        .help(format!(
            "Output format: {} [default: human]",
            format_names(formats)
        ))
}
