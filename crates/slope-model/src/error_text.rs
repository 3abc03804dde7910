//! Text of an error with its causes and remedies.
//!
//! The `Display` of an error says what happened and where. A remedy follows on a line of its own that
//! begins with `help: `. Causes are not part of it: they are the `source` of the error.

use std::error::Error;
use std::fmt;

use crate::data_words::in_words;

/// Start of a line with a remedy.
const HELP: &str = "help: ";

/// An error with its causes and remedies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorText {
    /// The error and its causes, outermost first, joined with `: `.
    pub message: String,
    /// Remedies, outermost first, each once.
    pub help: Vec<String>,
}

impl ErrorText {
    /// Text of an error and everything that caused it.
    pub fn of(error: &dyn Error) -> Self {
        let mut text = Self::default();
        text.add(&error.to_string());
        let mut cause = error.source();
        while let Some(error) = cause {
            text.add(&error.to_string());
            cause = error.source();
        }
        text
    }

    /// Takes a text apart that was written by `Display`.
    pub fn parse(text: &str) -> Self {
        let mut parsed = Self::default();
        parsed.add(text);
        parsed
    }

    /// Everything on one line: `MESSAGE: CAUSE (help: REMEDY)`.
    pub fn one_line(&self) -> String {
        let lines = self.message.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let mut text = lines.join(" ");
        if !self.help.is_empty() {
            text.push_str(&format!(" ({HELP}{})", self.help.join("; ")));
        }
        text
    }

    fn add(&mut self, text: &str) {
        let text = &in_words(text);
        let mut lines: Vec<&str> = text.lines().collect();
        let end = lines.iter().rposition(|line| !line.starts_with(HELP));
        // Only at the end: output that a message quotes may have such lines, too.
        let help = lines.split_off(end.map_or(0, |at| at + 1));
        let message = lines.join("\n");
        let message = message.trim_end();
        // Errors of some libraries quote their cause at the end.
        if self.message.is_empty() {
            message.clone_into(&mut self.message);
        } else if !self.message.ends_with(message) {
            self.message.push_str(": ");
            self.message.push_str(message);
        }
        for line in help {
            let remedy = line.trim_start_matches(HELP).trim_end();
            if !self.help.iter().any(|known| known == remedy) {
                self.help.push(remedy.to_owned());
            }
        }
    }
}

/// The message, then a line with each remedy. [`ErrorText::parse`] reads it.
impl fmt::Display for ErrorText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help
            .iter()
            .try_for_each(|remedy| write!(f, "\n{HELP}{remedy}"))
    }
}

/// An error, its causes and remedies on one line, for records and notes.
pub fn one_line(error: &dyn Error) -> String {
    ErrorText::of(error).one_line()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Link(&'static str, Option<Box<Link>>);

    impl fmt::Display for Link {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Link {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1
                .as_deref()
                .map(|cause| cause as &(dyn Error + 'static))
        }
    }

    fn chain(texts: &[&'static str]) -> Link {
        let mut links = texts.iter().copied().rev();
        let last = Link(links.next().unwrap(), None);
        links.fold(last, |cause, text| Link(text, Some(Box::new(cause))))
    }

    #[test]
    fn causes_follow_with_remedies_last() {
        let error = chain(&[
            "cannot start\nhelp: restart",
            "cannot read x\nhelp: look",
            "denied",
        ]);
        let text = ErrorText::of(&error);
        assert_eq!(
            text.to_string(),
            "cannot start: cannot read x: denied\nhelp: restart\nhelp: look"
        );
        assert_eq!(
            text.one_line(),
            "cannot start: cannot read x: denied (help: restart; look)"
        );
        assert_eq!(ErrorText::parse(&text.to_string()), text);
    }

    #[test]
    fn repetitions_are_dropped() {
        let error = chain(&["no rows: disk full\nhelp: wait", "disk full\nhelp: wait"]);
        assert_eq!(one_line(&error), "no rows: disk full (help: wait)");
    }

    #[test]
    fn lines_of_messages_are_joined() {
        let error = chain(&["cannot build", "help: x\n  line 2\n\nhelp: fix it"]);
        assert_eq!(
            one_line(&error),
            "cannot build: help: x line 2 (help: fix it)"
        );
        assert_eq!(
            ErrorText::of(&error).message,
            "cannot build: help: x\n  line 2"
        );
    }
}
