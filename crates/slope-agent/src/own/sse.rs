//! Server-sent events, read from a blocking stream with bounded memory.

use std::io::{BufRead, Error, ErrorKind, Result};

/// Longest event, in bytes.
const LONGEST: usize = 8 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    /// Its data lines, joined.
    pub(super) data: String,
}

/// Reads the next event that has data; `None` at the end of the stream.
///
/// An event without its final blank line is dropped, as the standard requires.
pub(super) fn next(reader: &mut impl BufRead) -> Result<Option<Event>> {
    let mut data: Option<String> = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let room = LONGEST - data.as_ref().map_or(0, String::len);
        let count = std::io::Read::take(&mut *reader, room as u64).read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") && count == room {
            return Err(Error::new(
                ErrorKind::InvalidData,
                "an event is longer than 8 MiB",
            ));
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if text.is_empty() {
            if let Some(data) = data.take() {
                return Ok(Some(Event { data }));
            }
            continue;
        }
        if let Some(value) = text.strip_prefix("data:") {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => data = Some(value.to_owned()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut reader = text.as_bytes();
        let mut events = Vec::new();
        while let Some(event) = next(&mut reader).unwrap() {
            events.push(event.data);
        }
        events
    }

    #[test]
    fn events_parse_with_any_line_ending() {
        let text = ": hello\n\nevent: a\ndata: 1\r\n\r\ndata:2\ndata: 3\nid: 4\n\n\n\ndata: cut";
        assert_eq!(all(text), ["1", "2\n3"]);
    }

    #[test]
    fn endless_event_is_an_error() {
        let text = format!("data: {}", "x".repeat(LONGEST + 1));
        assert!(next(&mut text.as_bytes()).is_err());
        let many = "data: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(200_000);
        assert!(next(&mut many.as_bytes()).is_err());
    }
}
