//! JSON as commands print it.

use serde::Serialize;

use crate::{Error, ErrorKind};

/// JSON with all control characters escaped, so that it is safe on a terminal and keeps its content.
#[must_use]
pub fn printable(json: String) -> String {
    // JSON requires escapes of the other control characters. These are the rest.
    let is_left = |c: char| matches!(c, '\u{7f}'..='\u{9f}');
    if !json.contains(is_left) {
        return json;
    }
    let spelled = |c: char| match is_left(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    json.chars().map(spelled).collect()
}

/// A value as an indented document with a line end.
pub(crate) fn indented<T: Serialize>(value: &T) -> Result<String, Error> {
    let json = serde_json::to_string_pretty(value)
        .map_err(|error| Error::of(ErrorKind::Internal, "", &error))?;
    Ok(printable(json) + "\n")
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("\"a\u{9b}31m\"".to_owned()), "\"a\\u009b31m\"");
        assert_eq!(printable("\"\u{e9}\"".to_owned()), "\"\u{e9}\"");
    }
}
