//! Reads the evidence of a launch, with bounded memory.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::Value;
use slope_model::run::AttemptState;

use crate::agent::{Conclusion, Evidence, ProcessExit};

/// Longest line of an event stream that is parsed, in bytes; longer ones are counted.
const MAX_LINE: usize = 32 << 20;

/// Counts of a stream of JSON lines besides events.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Lines {
    /// Lines that were no JSON object or too long.
    pub(crate) unreadable: u64,
    /// Reason that the file could not be read to its end.
    pub(crate) failure: Option<String>,
}

/// Calls `each` with every JSON object of a stream of lines, in order.
pub(crate) fn each_event(path: &Path, mut each: impl FnMut(&Value)) -> Lines {
    let mut lines = Lines::default();
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => {
            lines.failure = Some(error.to_string());
            return lines;
        }
    };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        match read_line(&mut reader, &mut line) {
            Ok(None) => return lines,
            Ok(Some(whole)) => {
                let text = line.trim_ascii();
                match serde_json::from_slice::<Value>(text) {
                    Ok(event) if whole && event.is_object() => each(&event),
                    _ if text.is_empty() => {}
                    _ => lines.unreadable += 1,
                }
            }
            Err(error) => {
                lines.failure = Some(error.to_string());
                return lines;
            }
        }
    }
}

/// Reads one line; `None` at the end, `Some(false)` if it was too long and cut.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<bool>> {
    line.clear();
    let limit = MAX_LINE as u64;
    if reader.take(limit).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || line.len() < MAX_LINE {
        return Ok(Some(true));
    }
    reader.skip_until(b'\n')?;
    Ok(Some(false))
}

/// The last lines of a text file as one line of at most `limit` bytes; `None` if it is empty.
pub(crate) fn tail(path: &Path, limit: usize) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(limit as u64)))
        .ok()?;
    let mut bytes = Vec::with_capacity(limit);
    file.take(limit as u64).read_to_end(&mut bytes).ok()?;
    let text = one_line(&String::from_utf8_lossy(&bytes), limit);
    (!text.is_empty()).then_some(text)
}

/// One printable line of at most `limit` bytes.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > limit {
            line.truncate(line.floor_char_boundary(limit));
            line.push('…');
            break;
        }
    }
    line
}

/// An unsigned number in an event; `None` if it is absent or has another type.
pub(crate) fn number(event: &Value, pointer: &str) -> Option<u64> {
    event.pointer(pointer).and_then(Value::as_u64)
}

/// A text in an event.
pub(crate) fn text<'a>(event: &'a Value, pointer: &str) -> Option<&'a str> {
    event.pointer(pointer).and_then(Value::as_str)
}

/// The conclusion for a process that ended without reporting its result.
pub(crate) fn died(evidence: &Evidence<'_>, missing: &str) -> Conclusion {
    let mut reason = format!("{missing} ({})", evidence.exit);
    if let Some(words) = tail(evidence.stderr, 300) {
        reason.push_str("; standard error: ");
        reason.push_str(&words);
    }
    Conclusion::ended(AttemptState::AgentError, reason)
}

/// Turns a completed attempt without any request to the model into an agent error.
///
/// An agent without a login, or one that ignored the error of its only request, can end with code 0
/// and an untouched workspace. That does not count.
pub(crate) fn flag_silence(mut conclusion: Conclusion, evidence: &Evidence<'_>) -> Conclusion {
    if conclusion.state == AttemptState::Completed && evidence.gateway_requests == 0 {
        conclusion.state = AttemptState::AgentError;
        conclusion.reason =
            Some("the agent ended without one request to the model, so it did nothing".to_owned());
    }
    conclusion
}

/// Whether the process ended with code 0.
pub(crate) fn exited_well(evidence: &Evidence<'_>) -> bool {
    evidence.exit == ProcessExit::Code(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_object_lines_are_skipped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        std::fs::write(&path, b"{\"a\":1}\nnoise\n\n[1]\n{\"a\":2}\n{\"a\":").unwrap();
        let mut seen = Vec::new();
        let lines = each_event(&path, |event| seen.push(event["a"].as_u64()));
        assert_eq!(seen, [Some(1), Some(2)]);
        assert_eq!(
            lines,
            Lines {
                unreadable: 3,
                failure: None
            }
        );
    }

    #[test]
    fn overlong_line_keeps_the_next_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let mut bytes = vec![b'x'; MAX_LINE + 10];
        bytes.extend_from_slice(b"\n{\"a\":2}\n");
        std::fs::write(&path, bytes).unwrap();
        let mut seen = Vec::new();
        let lines = each_event(&path, |event| seen.push(event["a"].as_u64()));
        assert_eq!(seen, [Some(2)]);
        assert_eq!(lines.unreadable, 1);
    }

    #[test]
    fn missing_stream_is_a_failure() {
        assert!(
            each_event(Path::new("/nonexistent/out"), |_| {})
                .failure
                .is_some()
        );
    }

    #[test]
    fn reason_is_one_short_printable_line() {
        assert_eq!(one_line("a\n\x1b[31mb\t c", 40), "a [31mb c");
        assert_eq!(one_line(&"é".repeat(50), 9), format!("{}…", "é".repeat(4)));
    }
}
