//! Errors of the command line in the format of all errors: `error: WHAT, WHERE: CAUSE`, then `help: REMEDY`.

use std::error::Error;
use std::process::exit;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use slope_model::error_text::ErrorText;

/// Exit code of invalid usage.
const USAGE: i32 = 2;

/// Prints help, a version or an error, and exits.
pub(super) fn end(error: &clap::Error, root: &clap::Command) -> ! {
    let words = std::env::args_os().skip(1);
    let words: Vec<String> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    match text(error, &named(root, &words)) {
        Some(text) => {
            crate::exit::print(&text);
            exit(USAGE)
        }
        None => error.exit(),
    }
}

/// The text of an error; `None` for help and versions, which are no errors.
fn text(error: &clap::Error, command: &str) -> Option<ErrorText> {
    let said = Said { error, command };
    let what = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidSubcommand => said.unknown_command(),
        ErrorKind::UnknownArgument => said.unknown_argument(),
        ErrorKind::InvalidValue => said.invalid_value(),
        ErrorKind::ValueValidation => said.refused_value(),
        ErrorKind::MissingRequiredArgument => said.missing_argument(),
        ErrorKind::ArgumentConflict => said.conflict(),
        _ => said.other(),
    };
    let (message, help) = what;
    Some(ErrorText {
        message,
        help: vec![help],
    })
}

/// A message and its remedy.
type What = (String, String);

/// What an error knows about its cause.
struct Said<'e> {
    error: &'e clap::Error,
    /// The command with its parents: `slope research panel`.
    command: &'e str,
}

/// The command that words name: `slope`, or one below it.
fn named(root: &clap::Command, words: &[String]) -> String {
    let (mut here, mut name) = (root, "slope".to_owned());
    for word in words {
        if let Some(below) = here.find_subcommand(word) {
            here = below;
            name = format!("{name} {}", below.get_name());
        }
    }
    name
}

impl Said<'_> {
    fn unknown_command(&self) -> What {
        let name = self.one(ContextKind::InvalidSubcommand);
        let near = self.all(ContextKind::SuggestedSubcommand);
        (
            format!("unknown command `{name}` of `{}`", self.command),
            self.remedy(&near),
        )
    }

    fn unknown_argument(&self) -> What {
        let name = self.one(ContextKind::InvalidArg);
        let near = self.all(ContextKind::SuggestedArg);
        let kind = if name.starts_with('-') {
            "unknown option"
        } else {
            "unexpected argument"
        };
        (
            format!("{kind} `{name}` of `{}`", self.command),
            self.remedy(&near),
        )
    }

    fn invalid_value(&self) -> What {
        let option = self.one(ContextKind::InvalidArg);
        let value = self.one(ContextKind::InvalidValue);
        let valid = self.all(ContextKind::ValidValue);
        let expected = match &valid[..] {
            [] => String::new(),
            valid => format!(": expected {}", listed(valid)),
        };
        if value.is_empty() {
            let message = format!("missing value of `{option}`{expected}");
            return (message, format!("write `{option}`, or {}", self.see()));
        }
        let near = self.all(ContextKind::SuggestedValue);
        (
            format!("invalid value `{value}` of `{option}`{expected}"),
            self.remedy(&near),
        )
    }

    fn refused_value(&self) -> What {
        let option = self.one(ContextKind::InvalidArg);
        let value = self.one(ContextKind::InvalidValue);
        let cause = self.error.source().map(ErrorText::of).unwrap_or_default();
        let message = format!(
            "invalid value `{value}` of `{option}`: {}",
            in_words(&cause.message)
        );
        let help = cause.help.first().cloned();
        (message, help.unwrap_or_else(|| self.see()))
    }

    fn missing_argument(&self) -> What {
        let missing = self.all(ContextKind::InvalidArg);
        let quoted: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("missing {} of `{}`", listed(&quoted), self.command);
        let help = match self.usage() {
            Some(usage) => format!("write `{usage}`, or {}", self.see()),
            None => self.see(),
        };
        (message, help)
    }

    fn conflict(&self) -> What {
        let option = self.one(ContextKind::InvalidArg);
        let others: Vec<String> = self
            .all(ContextKind::PriorArg)
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        if others.is_empty() || others == [format!("`{option}`")] {
            let message = format!("`{option}` is there twice");
            return (message, "remove one of the two".to_owned());
        }
        let message = format!("`{option}` does not go together with {}", listed(&others));
        (message, "remove one of them".to_owned())
    }

    /// Any other error: its first line.
    fn other(&self) -> What {
        let text = self.error.to_string();
        let first = text.lines().next().unwrap_or_default();
        let message = first.trim_start_matches("error: ").replace('\'', "`");
        (message, self.see())
    }

    /// Names that were probably meant, and the help.
    fn remedy(&self, near: &[String]) -> String {
        if near.is_empty() {
            return self.see();
        }
        let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        format!("use {}, or {}", listed(&near), self.see())
    }

    fn see(&self) -> String {
        format!("see `{} --help`", self.command)
    }

    /// How the command is written.
    fn usage(&self) -> Option<String> {
        let usage = self.error.get(ContextKind::Usage)?.to_string();
        let usage = usage.trim().trim_start_matches("Usage:").trim();
        let (_, rest) = usage.split_once(' ')?;
        Some(format!("slope {rest}"))
    }

    fn one(&self, kind: ContextKind) -> String {
        self.all(kind).join(" ")
    }

    fn all(&self, kind: ContextKind) -> Vec<String> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
            Some(ContextValue::StyledStrs(texts)) => {
                texts.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The reason why a value is not a number, in words.
fn in_words(cause: &str) -> String {
    match cause {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "expected a whole number".to_owned()
        }
        "number too large to fit in target type" => "the number is too large".to_owned(),
        "number too small to fit in target type" => "the number is too small".to_owned(),
        "invalid float literal" | "cannot parse float from empty string" => {
            "expected a number".to_owned()
        }
        other => match other
            .split_once(" is not in ")
            .and_then(|(_, range)| range.split_once(".."))
        {
            Some((least, "")) => format!("expected a number of at least {least}"),
            Some((least, most)) => {
                format!(
                    "expected a number from {least} to {}",
                    most.trim_start_matches('=')
                )
            }
            None => other.to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(words: &[&str]) -> String {
        let mut root = crate::args::command();
        let all = std::iter::once("slope").chain(words.iter().copied());
        let error = root.try_get_matches_from_mut(all).unwrap_err();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        text(&error, &named(&root, &words)).unwrap().to_string()
    }

    #[test]
    fn names_have_their_nearest() {
        assert_eq!(
            refused(&["measur"]),
            "unknown command `measur` of `slope`\nhelp: use `measure`, or see `slope --help`"
        );
        assert_eq!(
            refused(&["measure", "--formt", "json"]),
            "unknown option `--formt` of `slope measure`\nhelp: use `--format`, or see `slope measure --help`"
        );
    }

    #[test]
    fn values_have_what_is_expected() {
        assert_eq!(
            refused(&["measure", "--tests", "foo"]),
            "invalid value `foo` of `--tests <WHAT>`: expected include, exclude or split\nhelp: see `slope measure --help`"
        );
        assert_eq!(
            refused(&["measure", "--cutoff", "abc"]),
            "invalid value `abc` of `--cutoff <N>`: expected a whole number\nhelp: see `slope measure --help`"
        );
        assert_eq!(
            refused(&["history", "--sample", "0"]),
            "invalid value `0` of `--sample <N>`: expected a number from 1 to 4294967295\nhelp: see `slope history --help`"
        );
    }

    #[test]
    fn empty_text_is_refused() {
        for words in [["diff", ""], ["check", "--base="], ["history", "--paths="]] {
            let text = refused(&words);
            assert!(text.starts_with("missing value of `"), "{text}");
        }
    }

    #[test]
    fn missing_arguments_show_the_usage() {
        assert_eq!(
            refused(&["diff"]),
            "missing `<BASE..HEAD|DIR>` of `slope diff`\nhelp: write `slope diff <BASE..HEAD|DIR> [DIR]`, or see `slope diff --help`"
        );
    }

    #[test]
    fn conflicts_name_both_options() {
        assert_eq!(
            refused(&["check", "--staged", "--diff", "x"]),
            "`--staged` does not go together with `--diff <FILE>`\nhelp: remove one of them"
        );
    }
}
